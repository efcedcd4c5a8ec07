// Slips with a team's name and key, to be cut out: like the tickets of a cloakroom.

import { h } from "../dom.js";
import { emblem } from "../games.js";
import { field, section } from "../parts.js";
import { desk } from "./desktexts.js";

/**
 * @typedef {{ name: string, key: string | null }} Slip
 * @param {{ game: string, id: string, slips: Slip[], ports: Record<string, number> }} event
 * @param {{ name: string, change: (name: string) => void }} host Where teams find the server.
 */
export function drawSlips({ game, id, slips, ports }, host) {
  const isHere = /^(localhost|127\.|\[::1\])/.test(host.name);
  const http = location.port ? `${host.name}:${location.port}` : host.name;
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
      "div",
      { class: "slip-host" },
      field(
        desk.host,
        h("input", {
          value: host.name,
          autocomplete: "off",
          oninput: (/** @type {any} */ event) => host.change(event.target.value.trim()),
        }),
        isHere ? desk.hostHere : desk.hostHint,
      ),
    ),
    h(
      "ul",
      { class: "slips" },
      slips.map(({ name, key }) =>
        h(
          "li",
          { class: "slip", key: name },
          h("p", { class: "note small event" }, emblem(game, 20), `${id} · ${http}`),
          h("p", { class: "name" }, name),
          h("p", { class: "key" }, h("code", null, key ?? desk.ownKey)),
          key
            ? h("p", { class: "note small" }, `${desk.joinAs} `, h("code", null, `${name}:${key}`))
            : null,
          h(
            "p",
            { class: "note small" },
            Object.entries(ports).map(([dialect, port]) =>
              h("span", { class: "port" }, `${dialect} ${host.name}:${port}`),
            ),
          ),
          h(
            "p",
            { class: "note small" },
            `${desk.startersAt} `,
            h("code", null, `${http}/starters`),
          ),
        ),
      ),
    ),
  );
}
