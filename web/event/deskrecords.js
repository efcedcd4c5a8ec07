// What a desk keeps of a tournament: files to take home, what was done, who is banned.

import { h } from "../dom.js";
import { section } from "../parts.js";
import { desk } from "./desktexts.js";
import { events, timeOf } from "./words.js";

/** @typedef {import("./deskpage.js").Desk} Desk */

/** @param {Desk} office */
export function deskFiles(office) {
  const at = office.address;
  return section(
    desk.download,
    {},
    h(
      "p",
      { class: "files" },
      h(
        "a",
        { href: `${at}/standings.csv`, download: `${office.id}-standings.csv` },
        events.spreadsheet,
      ),
      h(
        "a",
        { href: `${at}/results.csv`, download: `${office.id}-results.csv` },
        events.resultsFile,
      ),
      h("a", { href: at, download: `${office.id}.json` }, events.json),
    ),
  );
}

/** A request without what is the same in all of them: whom it concerned stands at its end. @param {string} what */
function shortly(what) {
  return what.replace(/\/api\/v1\/(tournaments\/[^/]+\/[^/]+\/)?/u, "");
}

/** @param {Desk} office */
export function deskActs(office) {
  if (!office.operates()) return null;
  return section(
    desk.done,
    {},
    h(
      "ul",
      { class: "rows acts-list" },
      office.acts.map(({ number, at, who, what, outcome, about }) =>
        h(
          "li",
          { key: number },
          h("span", { class: "note small" }, timeOf(at)),
          h("span", { class: "small cut", title: what }, `${who}: ${about ?? shortly(what)}`),
          h("span", { class: "note small" }, outcome),
        ),
      ),
    ),
  );
}

/** @param {Desk} office */
export function deskBans(office) {
  if (!office.operates()) return null;
  return section(
    desk.bans,
    {},
    office.bans.length === 0 ? h("p", { class: "note" }, desk.noBans) : null,
    h(
      "ul",
      { class: "rows teams" },
      office.bans.map(({ name, address }) =>
        h(
          "li",
          { key: name ?? address },
          h("span", null, name ?? address),
          h(
            "button",
            {
              class: "plain-link",
              type: "button",
              onclick: () =>
                office.order(
                  "DELETE",
                  `/api/v1/bans/${name ? "name" : "address"}/${encodeURIComponent(name ?? address)}`,
                ),
            },
            desk.lift,
          ),
        ),
      ),
    ),
  );
}
