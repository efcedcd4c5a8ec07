// Slips with a team's name and key, to be cut out: like the tickets of a cloakroom.

import { h } from "../dom.js";
import { emblem } from "../games.js";
import { section } from "../parts.js";
import { desk } from "./desktexts.js";

/**
 * @typedef {{ name: string, key: string | null }} Slip
 * @param {{ game: string, id: string, slips: Slip[], ports: Record<string, number> }} event
 */
export function drawSlips({ game, id, slips, ports }) {
  return section(
    desk.slips,
    {
      id: "slips",
      note: desk.slipsHint,
      end: h(
        "button",
        { class: "button main", type: "button", onclick: () => print() },
        desk.printSlips,
      ),
    },
    h(
      "ul",
      { class: "slips" },
      slips.map(({ name, key }) =>
        h(
          "li",
          { class: "slip", key: name },
          h("p", { class: "note small event" }, emblem(game, 20), `${id} · ${location.host}`),
          h("p", { class: "name" }, name),
          h("p", { class: "key" }, h("code", null, key ?? desk.ownKey)),
          key
            ? h("p", { class: "note small" }, `${desk.joinAs} `, h("code", null, `${name}:${key}`))
            : null,
          h(
            "p",
            { class: "note small" },
            Object.entries(ports).map(([dialect, port]) =>
              h("span", { class: "port" }, `${dialect} ${location.hostname}:${port}`),
            ),
          ),
        ),
      ),
    ),
  );
}
