// The renderer, in a real browser: every case runs in a page that it made.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch, openPage } from "../kit/browser.js";
import { openSite } from "../kit/site.js";

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {import("playwright-core").Page} */
let page;
/** @type {Awaited<ReturnType<typeof openSite>>} */
let site;

before(async () => {
  site = await openSite();
  browser = await launch();
  ({ page } = await openPage(browser));
  await page.goto(`${site.url}/web/tests/kit/empty.html`);
  await page.evaluate(async () => {
    Object.assign(window, await import(/** @type {any} */ ("/web/dom.js")));
  });
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/**
 * A case: code that runs in the page with `h`, `patch` and a fresh `root`, and returns what is so.
 * @param {string} name
 * @param {(root: HTMLElement, dom: typeof import("../../dom.js")) => any} run
 * @param {any} expected
 */
function holds(name, run, expected) {
  test(`dom: ${name}`, async () => {
    const found = await page.evaluate(`(() => {
      document.body.replaceChildren();
      const root = document.createElement("div");
      document.body.append(root);
      return (${run})(root, { h: window.h, patch: window.patch });
    })()`);
    assert.deepEqual(found, expected);
  });
}

holds(
  "describes elements, text, numbers and nothing",
  (root, { h, patch }) => {
    patch(
      root,
      h("div", { class: "a" }, "one ", 2, null, false, [h("b", null, "three"), [undefined, 4]]),
    );
    return root.outerHTML;
  },
  '<div class="a">one 2<b>three</b>4</div>',
);

holds(
  "takes over what stood there before",
  (root, { h, patch }) => {
    root.append("old", document.createElement("hr"));
    patch(root, h("div", null, "new"));
    return root.outerHTML;
  },
  "<div>new</div>",
);

holds(
  "keeps elements that stay and drops those that go",
  (root, { h, patch }) => {
    const list = (/** @type {string[]} */ keys) =>
      h(
        "div",
        null,
        keys.map((key) => h("i", { key }, key)),
      );
    patch(root, list(["a", "b", "c"]));
    const before = [...root.children];
    patch(root, list(["b", "c", "d"]));
    return [
      root.textContent,
      root.children[0] === before[1],
      root.children[1] === before[2],
      before[0].isConnected,
    ];
  },
  ["bcd", true, true, false],
);

holds(
  "moves keyed elements in any order",
  (root, { h, patch }) => {
    const list = (/** @type {string} */ keys) =>
      h(
        "div",
        null,
        [...keys].map((key) => h("i", { key }, key)),
      );
    const orders = ["abcd", "dcba", "bd", "abcdef", "fcabed", "", "ba"];
    patch(root, list("abcdef"));
    const seen = [];
    for (const order of orders) {
      patch(root, list(order));
      seen.push(root.textContent);
    }
    return seen.join();
  },
  "abcd,dcba,bd,abcdef,fcabed,,ba",
);

holds(
  "a random walk of keyed lists ends where it should, with the same elements",
  (root, { h, patch }) => {
    let seed = 7;
    const dice = (/** @type {number} */ n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
    for (let round = 0; round < 300; round += 1) {
      const keys = [..."abcdefgh"].filter(() => dice(3) > 0).sort(() => dice(3) - 1);
      const known = new Map([...root.children].map((child) => [child.textContent, child]));
      patch(
        root,
        h(
          "div",
          null,
          keys.map((key) => h("i", { key }, key)),
        ),
      );
      if (root.textContent !== keys.join("")) return [round, root.textContent, keys.join("")];
      for (const child of root.children) {
        const before = known.get(child.textContent);
        if (before && before !== child) return [round, "another element", child.textContent];
      }
    }
    return "held";
  },
  "held",
);

holds(
  "a number and the same word as text are two keys",
  (root, { h, patch }) => {
    patch(root, h("div", null, h("i", { key: 1 }, "n"), h("i", { key: "1" }, "t")));
    const [number] = root.children;
    patch(root, h("div", null, h("i", { key: "1" }, "t"), h("i", { key: 1 }, "n")));
    return root.children[1] === number;
  },
  true,
);

holds(
  "another tag is another element",
  (root, { h, patch }) => {
    patch(root, h("div", null, h("b", { key: 1 }, "x")));
    patch(root, h("div", null, h("i", { key: 1 }, "x")));
    return root.innerHTML;
  },
  "<i>x</i>",
);

holds(
  "attributes come, change and go",
  (root, { h, patch }) => {
    patch(root, h("div", { title: "a", hidden: true, "data-n": 0 }));
    const first = root.outerHTML;
    patch(root, h("div", { title: null, hidden: false, "data-n": "" }));
    const second = root.outerHTML;
    patch(root, h("div"));
    return [first, second, root.outerHTML];
  },
  ['<div title="a" hidden="" data-n="0"></div>', '<div data-n=""></div>', "<div></div>"],
);

holds(
  "booleans of aria are words",
  (root, { h, patch }) => {
    patch(root, h("div", { "aria-pressed": false, "aria-busy": true, "aria-label": null }));
    return root.outerHTML;
  },
  '<div aria-pressed="false" aria-busy="true"></div>',
);

holds(
  "events are properties: replaced, and gone when left out",
  (root, { h, patch }) => {
    let heard = "";
    patch(root, h("div", { onclick: () => (heard += "a") }));
    root.click();
    patch(root, h("div", { onclick: () => (heard += "b") }));
    root.click();
    patch(root, h("div"));
    root.click();
    return heard;
  },
  "ab",
);

holds(
  "a handler that is text is refused",
  (root, { h, patch }) => {
    try {
      patch(root, h("div", { onclick: "alert(1)" }));
      return "taken";
    } catch (error) {
      return error instanceof TypeError;
    }
  },
  true,
);

holds(
  "styles are set and taken back one by one, also custom properties",
  (root, { h, patch }) => {
    patch(root, h("div", { style: { color: "red", "--share": "5%" } }));
    const first = [root.style.color, root.style.getPropertyValue("--share")];
    patch(root, h("div", { style: { "--share": "6%" } }));
    return [...first, root.style.color, root.style.getPropertyValue("--share")];
  },
  ["red", "5%", "", "6%"],
);

holds(
  "what was typed gives way to the value said, and a select finds its option",
  (root, { h, patch }) => {
    const form = (/** @type {string} */ value) =>
      h(
        "div",
        null,
        h("input", { value }),
        h("select", { value }, h("option", { value: "x" }), h("option", { value: "y" })),
      );
    patch(root, form("y"));
    const [input, select] = /** @type {any} */ (root.children);
    input.value = "typed";
    patch(root, form("y"));
    const first = [input.value, select.value];
    patch(root, h("div", null, h("input", { type: "checkbox", checked: true })));
    return [...first, /** @type {any} */ (root.firstChild).checked];
  },
  ["y", "y", true],
);

holds(
  "focus and selection stay with their element, wherever it goes",
  (root, { h, patch }) => {
    const list = (/** @type {string} */ keys) =>
      h(
        "div",
        null,
        [...keys].map((key) => h("input", { key, value: "hello", "aria-label": key })),
      );
    patch(root, list("abc"));
    const input = /** @type {HTMLInputElement} */ (root.children[1]);
    input.focus();
    input.setSelectionRange(1, 3);
    patch(root, list("bca"));
    patch(root, list("xcab"));
    return [document.activeElement === input, input.selectionStart, input.selectionEnd];
  },
  [true, 1, 3],
);

holds(
  "SVG has its own namespace, HTML inside it has HTML's",
  (root, { h, patch }) => {
    patch(
      root,
      h(
        "div",
        null,
        h("svg", { viewBox: "0 0 1 1" }, h("g", null, h("foreignObject", null, h("p", null, "x")))),
      ),
    );
    patch(
      root,
      h(
        "div",
        null,
        h(
          "svg",
          { viewBox: "0 0 1 1" },
          h("g", null, h("circle", { r: 1 }), h("foreignObject", null, h("p", null, "x"))),
        ),
      ),
    );
    const svg = /** @type {any} */ (root.firstChild);
    const names = [...root.querySelectorAll("*")].map(
      (e) => `${e.localName} ${e.namespaceURI?.slice(-3)}`,
    );
    return [names, svg.viewBox.baseVal.width];
  },
  [["svg svg", "g svg", "circle svg", "foreignObject svg", "p tml"], 1],
);

holds(
  "the same description again is not looked at",
  (root, { h, patch }) => {
    const still = h("b", null, "still");
    patch(root, h("div", null, still));
    /** @type {any} */ (root.firstChild).textContent = "changed by somebody else";
    patch(root, h("div", null, still));
    return root.textContent;
  },
  "changed by somebody else",
);

holds(
  "markup in a name is text",
  (root, { h, patch }) => {
    patch(root, h("div", { title: '"><script>' }, "<img src=x onerror=alert(1)>"));
    return [root.children.length, root.textContent, root.title];
  },
  [0, "<img src=x onerror=alert(1)>", '"><script>'],
);
