// A renderer of one idea: `h` describes a piece of page, `patch` brings the page to a description.
// It knows nothing of games, state or time. HTML and SVG alike, keyed, events by property.

/**
 * @typedef {object} VNode A description of one element.
 * @property {string} tag
 * @property {string | number | null} key What it is called among its siblings, if it may move.
 * @property {Props} props
 * @property {(VNode | string)[]} children
 *
 * @typedef {Record<string, any>} Props Attributes; `on…` handlers as functions; `style` as an object;
 *   `value` and `checked` as properties; booleans switch an attribute on or off (`aria-…` are words).
 *
 * @typedef {VNode | string | number | boolean | null | undefined | Child[]} Child
 */

const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";

/** What each element was last brought to. @type {WeakMap<Node, VNode>} */
const described = new WeakMap();

/**
 * Describes an element. Nothing, `false` and `true` among the children leave no trace, lists are laid
 * flat, numbers become text.
 * @param {string} tag
 * @param {Props | null} [props]
 * @param {...Child} children
 * @returns {VNode}
 */
export function h(tag, props, ...children) {
  /** @type {(VNode | string)[]} */
  const flat = [];
  lay(children, flat);
  const own = props ?? {};
  return { tag, key: own.key ?? null, props: own, children: flat };
}

/** @param {Child[]} from @param {(VNode | string)[]} to */
function lay(from, to) {
  for (const child of from) {
    if (child === null || child === undefined || typeof child === "boolean") continue;
    if (Array.isArray(child)) lay(child, to);
    else if (typeof child === "object") to.push(child);
    else if (typeof to.at(-1) === "string") to[to.length - 1] += String(child);
    else to.push(String(child));
  }
}

/**
 * Brings an element to a description and returns it, or what now stands in its place if the tag is
 * another. The same description twice costs nothing, so whatever never changes should be made once.
 * Focus and selection stay where they are if their element does.
 * @param {Element} element
 * @param {VNode} description
 * @returns {Element}
 */
export function patch(element, description) {
  const focused = element.ownerDocument.activeElement;
  const result = bring(element, description, namespaceOf(element));
  if (focused instanceof HTMLElement || focused instanceof SVGElement) {
    if (focused !== element.ownerDocument.activeElement && element.contains(focused)) {
      focused.focus({ preventScroll: true });
    }
  }
  return result;
}

/** @param {Element} element @param {VNode} next @param {string} space @returns {Element} */
function bring(element, next, space) {
  const last = described.get(element);
  if (last === next) return element;
  if (element.localName !== next.tag) {
    const fresh = create(next, space);
    element.replaceWith(fresh);
    return fresh;
  }
  // What was on the page before the first patch belongs to nobody.
  if (!last) element.replaceChildren();
  described.set(element, next);
  bringChildren(element, next, inside(next.tag, space));
  bringProps(element, last?.props ?? {}, next.props);
  return element;
}

/** @param {VNode} description @param {string} space @returns {Element} */
function create(description, space) {
  const own = description.tag === "svg" ? SVG : space;
  const element = document.createElementNS(own, description.tag);
  described.set(element, description);
  const within = inside(description.tag, own);
  for (const child of description.children) {
    element.append(typeof child === "string" ? child : create(child, within));
  }
  // After the children: a select's value is one of its options.
  bringProps(element, {}, description.props);
  return element;
}

/** @param {Element} parent @param {VNode} next @param {string} space */
function bringChildren(parent, next, space) {
  const found = matches(parent, next.children);
  drop(parent, found);
  let at = parent.firstChild;
  for (const [index, child] of next.children.entries()) {
    const match = found[index];
    if (match && match === at) at = at.nextSibling;
    else if (match) move(parent, match, at);
    if (typeof child === "string") {
      if (!match) parent.insertBefore(document.createTextNode(child), at);
      else if (match.nodeValue !== child) match.nodeValue = child;
    } else if (match) bring(/** @type {Element} */ (match), child, space);
    else parent.insertBefore(create(child, space), at);
  }
}

/**
 * For every wanted child the node that becomes it: the one of the same tag and key, or the next
 * without a key of the same tag.
 * @param {Element} parent
 * @param {(VNode | string)[]} wanted
 * @returns {(ChildNode | undefined)[]}
 */
function matches(parent, wanted) {
  /** @type {(ChildNode | undefined)[]} */
  const found = [];
  // Mostly everything is where it was.
  let node = parent.firstChild;
  while (node && found.length < wanted.length && isSame(node, wanted[found.length])) {
    found.push(node);
    node = node.nextSibling;
  }
  if (found.length === wanted.length) return found;
  /** @type {Map<string, ChildNode[]>} */
  const free = new Map();
  for (; node; node = node.nextSibling) {
    const name = nameOf(described.get(node) ?? (node.nodeType === Node.TEXT_NODE ? "" : null));
    if (name === null) continue;
    const same = free.get(name);
    if (same) same.push(node);
    else free.set(name, [node]);
  }
  for (const child of wanted.slice(found.length)) {
    found.push(free.get(/** @type {string} */ (nameOf(child)))?.shift());
  }
  return found;
}

/** Removes what becomes nothing. @param {Element} parent @param {(ChildNode | undefined)[]} found */
function drop(parent, found) {
  if (parent.childNodes.length === found.length && !found.includes(undefined)) return;
  const kept = new Set(found);
  for (const child of [...parent.childNodes]) if (!kept.has(child)) child.remove();
}

/** Whether a node becomes this child as it stands. @param {ChildNode} node @param {VNode | string} wanted */
function isSame(node, wanted) {
  if (typeof wanted === "string") return node.nodeType === Node.TEXT_NODE;
  const last = described.get(node);
  return last !== undefined && last.tag === wanted.tag && last.key === wanted.key;
}

/** @param {VNode | string | null} child */
function nameOf(child) {
  if (child === null) return null;
  if (typeof child === "string") return "";
  return child.key === null ? child.tag : `${child.tag} ${typeof child.key} ${child.key}`;
}

/** Moves without ending animations and focus where the browser can. @param {Element} parent @param {ChildNode} node @param {ChildNode | null} before */
function move(parent, node, before) {
  if ("moveBefore" in parent) /** @type {any} */ (parent).moveBefore(node, before);
  else /** @type {Element} */ (parent).insertBefore(node, before);
}

/** @param {Element} element @param {Props} last @param {Props} next */
function bringProps(element, last, next) {
  for (const name in last) {
    if (!(name in next)) set(element, name, last[name], undefined);
  }
  for (const name in next) {
    if (last[name] !== next[name] || name === "value" || name === "checked") {
      set(element, name, last[name], next[name]);
    }
  }
}

/** @param {Element} element @param {string} name @param {any} last @param {any} value */
function set(element, name, last, value) {
  const properties = /** @type {any} */ (element);
  if (name === "key") return;
  if (name.startsWith("on")) {
    if (value && typeof value !== "function") throw new TypeError(`${name} is not a function`);
    properties[name] = value ?? null;
  } else if (name === "style") {
    bringStyle(properties.style, last ?? {}, value ?? {});
  } else if (name === "value" || name === "checked") {
    const wanted = value ?? (name === "value" ? "" : false);
    if (properties[name] !== wanted) properties[name] = wanted;
  } else if (value === null || value === undefined) {
    element.removeAttribute(name);
  } else if (typeof value === "boolean" && !name.startsWith("aria-")) {
    element.toggleAttribute(name, value);
  } else {
    element.setAttribute(name, String(value));
  }
}

/** @param {CSSStyleDeclaration} style @param {Props} last @param {Props} next */
function bringStyle(style, last, next) {
  for (const name in last) if (!(name in next)) style.removeProperty(name);
  for (const name in next) if (last[name] !== next[name]) style.setProperty(name, next[name]);
}

/** @param {Element} element */
function namespaceOf(element) {
  return element.namespaceURI === SVG ? SVG : HTML;
}

/** The namespace of what stands inside an element. @param {string} tag @param {string} own */
function inside(tag, own) {
  if (tag === "svg") return SVG;
  return tag === "foreignObject" ? HTML : own;
}
