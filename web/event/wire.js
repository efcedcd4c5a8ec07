// The live wire of one's own connections: what a bot says and hears, line by line, and why something
// was refused.

import { send } from "../api.js";
import { h } from "../dom.js";
import { emblem } from "../games.js";
import { icon } from "../icons.js";
import { Link } from "../link.js";
import { awayNotice } from "../parts.js";
import { duration, list } from "../texts.js";
import { connect as texts } from "./connecttexts.js";

/**
 * @typedef {object} Line One line as the server keeps it.
 * @property {number} number
 * @property {number} at
 * @property {number} conn
 * @property {string} game
 * @property {string} wire
 * @property {"connected" | "sent" | "received" | "refused" | "timed-out" | "seated" | "over" | "closed"} kind
 * @property {string} [text]
 * @property {string} [from]
 * @property {import("./thinking.js").Thought} [thought]
 * @property {number} [line]
 * @property {string} [hint]
 * @property {string} [clause]
 * @property {string} [anchor]
 * @property {string} [table]
 * @property {string[]} [names]
 *
 * @typedef {{ game: string, conn: number }} Which A connection: every game counts its own.
 */

/** So many lines are kept, as on the server, and so many of them drawn. */
const KEPT = 1000;
const DRAWN = 300;

/** @param {Which} line */
const nameOf = ({ game, conn }) => `${game}/${conn}`;

export class Wire {
  /** @param {string} key @param {() => void} changed @param {(why: string) => void} refused */
  constructor(key, changed, refused) {
    this.changed = changed;
    this.name = "";
    /** The game of the tournament whose key it is; empty for a claimed name. */
    this.game = "";
    this.tournament = "";
    /** @type {Line[]} */
    this.lines = [];
    /** Whether only what was refused is shown. */
    this.onlyRefused = false;
    /** The connection that is shown; empty: the newest. */
    this.chosen = "";
    this.link = new Link("/wire", {
      greeting: () => [],
      changed,
      heard: (page) => {
        this.name = page.name;
        this.game = page.game ?? "";
        this.tournament = page.tournament ?? "";
        const last = this.lines.at(-1)?.number ?? 0;
        // A line that comes back says everything again; a server that was restarted counts anew.
        const fresh = page.next < last ? page.lines : page.lines.filter(after(last));
        this.lines = [...(page.next < last ? [] : this.lines), ...fresh].slice(-KEPT);
        changed();
      },
      ticket: async () => {
        try {
          // Whether the key is one is said here: a WebSocket that is refused says nothing.
          await send("GET", "/api/v1/exams", undefined, key);
          return (await send("POST", "/api/v1/tickets", undefined, key)).ticket;
        } catch (error) {
          if (/** @type {any} */ (error).status === 403) {
            this.link.end();
            refused(/** @type {Error} */ (error).message);
          }
          throw error;
        }
      },
    });
  }

  end() {
    this.link.end();
  }

  /** The connections, the newest first. */
  connections() {
    return [...new Map([...this.lines].reverse().map((line) => [nameOf(line), line])).values()];
  }

  /** The lines of the connection that is shown. */
  shown() {
    const which = this.chosen || nameOf(this.lines.at(-1) ?? { game: "", conn: 0 });
    const chosen = this.lines.filter((line) => nameOf(line) === which);
    return chosen.length > 0 || !this.chosen ? chosen : this.newest();
  }

  /** @returns {Line[]} */
  newest() {
    this.chosen = "";
    return this.shown();
  }

  /** @param {(game: string) => string} titleOf */
  draw(titleOf) {
    // Without a chosen connection, the refusals of all of them are shown.
    const lines = this.onlyRefused && !this.chosen ? this.lines : this.shown();
    const refused = (this.chosen ? lines : this.lines).filter(({ kind }) => kind === "refused");
    const nothing = lines.length === 0 || (this.onlyRefused && refused.length === 0);
    return h(
      "section",
      { class: "sheet wire", "aria-label": texts.wire.title },
      this.head(lines, refused.length, titleOf),
      awayNotice(this.link),
      nothing
        ? h(
            "p",
            { class: "note empty" },
            lines.length === 0 ? texts.wire.empty : texts.wire.noneRefused,
          )
        : h(
            "ol",
            {
              class: "wire-lines",
              tabindex: "0",
              "aria-label": texts.wire.lines,
              "data-follow": "",
            },
            this.onlyRefused ? refusedAlone(lines) : drawn(lines.slice(-DRAWN)),
          ),
    );
  }

  /** Whether its bot is connected and waits for a game of its tournament, of which no protocol has a word. @param {Line[]} lines */
  waits(lines) {
    const last = lines.findLast(
      ({ kind }) => kind === "seated" || kind === "over" || kind === "closed",
    );
    return this.tournament !== "" && lines.length > 0 && (!last || last.kind === "over");
  }

  /** @param {Line[]} lines @param {number} refused @param {(game: string) => string} titleOf */
  head(lines, refused, titleOf) {
    const last = lines.at(-1);
    const seated = lines.findLast(({ kind }) => kind === "seated");
    const others = (seated?.names ?? []).filter((name) => !isSame(name, this.name));
    const connections = this.connections();
    /** @param {boolean} only @param {string} label */
    const choice = (only, label) =>
      h(
        "button",
        {
          type: "button",
          "aria-pressed": this.onlyRefused === only,
          onclick: () => {
            this.onlyRefused = only;
            this.changed();
          },
        },
        label,
      );
    return h(
      "header",
      null,
      last ? emblem(last.game, 24) : null,
      h("b", null, last ? titleOf(last.game) : this.name || texts.wire.waiting),
      this.waits(lines)
        ? h("span", { class: "note small" }, texts.wire.waitsFor(this.tournament))
        : seated
          ? h("span", { class: "note small" }, texts.wire.at(seated.table ?? "", list(others)))
          : null,
      h(
        "span",
        { class: "end" },
        connections.length > 1
          ? h(
              "select",
              {
                "aria-label": texts.wire.connection,
                onchange: (/** @type {any} */ event) => {
                  this.chosen = event.target.value;
                  this.changed();
                },
              },
              h("option", { value: "", selected: this.chosen === "" }, texts.wire.newest),
              connections.map((line) =>
                h(
                  "option",
                  { value: nameOf(line), selected: this.chosen === nameOf(line) },
                  texts.wire.one(titleOf(line.game), line.conn, timeOf(line.at)),
                ),
              ),
            )
          : null,
        this.link.state.open
          ? h("span", { class: "live fine" }, h("span", { class: "dot" }), texts.wire.live)
          : null,
        h(
          "span",
          { class: "choice", role: "group", "aria-label": texts.wire.which },
          choice(false, texts.wire.all),
          choice(true, texts.wire.refused(refused)),
        ),
      ),
    );
  }
}

/** @param {number} number @returns {(line: Line) => boolean} */
const after = (number) => (line) => line.number > number;

/** @param {string} one @param {string} other */
const isSame = (one, other) => one.toLowerCase() === other.toLowerCase();

/** @param {number} at */
const timeOf = (at) => new Date(at).toLocaleTimeString("en-GB");

/** What was refused, each with what was said and answered. @param {Line[]} lines */
function refusedAlone(lines) {
  const about = new Set(
    lines.flatMap((line, at) =>
      line.kind === "refused" ? [line.line, line.number, answerTo(lines, at)?.number] : [],
    ),
  );
  return drawn(lines.filter(({ number }) => about.has(number)));
}

/** What the server said to what it refused: the line before. @param {Line[]} lines @param {number} at */
function answerTo(lines, at) {
  const before = lines[at - 1];
  return before?.kind === "received" && before.number > (lines[at].line ?? 0) ? before : null;
}

/** @param {Line[]} lines */
function drawn(lines) {
  /** Refusals by the line that they are about, and by the answer. @type {Map<number, Line>} */
  const refusals = new Map();
  lines.forEach((line, at) => {
    if (line.kind !== "refused") return;
    refusals.set(line.line ?? 0, line);
    const answer = answerTo(lines, at);
    if (answer) refusals.set(answer.number, line);
  });
  return lines.map((line, at) => {
    const refusal = refusals.get(line.number);
    if (line.kind === "refused") return explanation(line, answerTo(lines, at));
    const you = line.kind === "sent";
    const text = you || line.kind === "received" ? (line.text ?? "") : null;
    if (text === null) return happening(line);
    const because = `${refusal?.text} ${lines.find(({ number }) => number === refusal?.number)?.clause}`;
    return h(
      "li",
      {
        key: line.number,
        class: `${you ? "you" : "server"}${refusal ? " refused" : ""}`,
      },
      h("time", { title: timeOf(line.at) }, second(line.at)),
      h("span", { class: "who" }, you ? texts.wire.you : texts.wire.server),
      h("code", null, you && refusal ? marked(text, because) : breakable(text)),
      line.thought
        ? h("span", { class: "took" }, texts.wire.took(duration(rounded(line.thought.took_ms))))
        : null,
    );
  });
}

/** @param {Line} line */
function happening(line) {
  const { kind, text = "", from = "", table = "", names = [], thought } = line;
  const told = {
    connected: () => texts.wire.connected(line.wire, from),
    seated: () => texts.wire.seated(table, list(names)),
    over: () => texts.wire.over,
    closed: () => texts.wire.closed(text),
    "timed-out": () => texts.wire.late(thought?.turn ?? 0, duration(thought?.clock_ms ?? 0)),
  }[/** @type {"over"} */ (kind)];
  return h(
    "li",
    { key: line.number, class: `happening ${kind}` },
    h("time", { title: timeOf(line.at) }, second(line.at)),
    h("span", null, icon(kind === "timed-out" ? "clock" : "plug", 16), told?.() ?? kind),
  );
}

/** @param {Line} line @param {Line | null} answer */
function explanation(line, answer) {
  const why = line.text || answer?.text || texts.wire.unsaid;
  return h(
    "li",
    { key: line.number, class: "why refused" },
    h("b", null, icon("cross", 16), sentence(why)),
    line.clause
      ? line.clause === line.text
        ? h("p", null, h("a", { href: pageOf(line) }, texts.wire.more))
        : h(
            "p",
            null,
            h("a", { href: pageOf(line) }, texts.wire.page),
            " ",
            h("q", null, line.clause),
          )
      : null,
    line.hint ? h("p", null, line.hint) : null,
    answer || !line.text ? null : h("p", { class: "note" }, texts.wire.silent),
  );
}

/** The sentence of the game's page that explains a rejected line; a browser that cannot find sentences goes to
 * its section. @param {Line} line */
function pageOf({ game, anchor, clause }) {
  const words = encodeURIComponent(clause ?? "").replaceAll("-", "%2D");
  return `/docs/reference/games/${game}#${anchor ?? ""}:~:text=${words}`;
}

/** @param {string} words */
function sentence(words) {
  const first = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?}\]]$/.test(first) ? first : `${first}.`;
}

/** A message that breaks where its parts end. @param {string} text */
function breakable(text) {
  return text.split(/(?<=[|,])/).map((part) => h("span", null, part));
}

/** The word of a line that a refusal speaks of, with a wave under it. @param {string} text @param {string} because */
function marked(text, because) {
  const about = new Set(because.split(/[^\p{L}\p{N}_-]+/u));
  const words = text.split(/([\p{L}\p{N}_-]+)/u);
  const at = words.findLastIndex((word, place) => place % 2 === 1 && about.has(word));
  return words.map((word, place) => (place === at ? h("mark", null, word) : word));
}

/** @param {number} at */
function second(at) {
  const time = new Date(at);
  const two = (/** @type {number} */ n, width = 2) => String(n).padStart(width, "0");
  return `${two(time.getSeconds())}.${two(time.getMilliseconds(), 3)}`;
}

/** @param {number} ms */
export function rounded(ms) {
  return ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms);
}
