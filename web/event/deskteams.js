// The teams on a desk: who is connected, what went wrong last for each, and what can be done about it.

import { h } from "../dom.js";
import { playerChip } from "../marks.js";
import { field, section } from "../parts.js";
import { desk } from "./desktexts.js";
import { isOver, lastCause } from "./model.js";
import { causeWords, events, timeOf } from "./words.js";

/**
 * @typedef {import("./deskpage.js").Desk} Desk
 * @typedef {import("./types.d.ts").Tournament} Tournament
 * @typedef {{ at: number, text: string }} Mishap
 * @typedef {{ name: string, connected?: boolean, refused?: Mishap, closed?: Mishap }} Trouble As the server tells it.
 */

/** @param {Desk} office @param {Tournament} now */
export function deskTeams(office, now) {
  const people = now.entrants.filter((entrant) => !entrant.bot);
  const here = people.filter((entrant) => entrant.present).length;
  return section(
    desk.teams,
    { note: desk.teamsHere(here, people.length - here) },
    h(
      "ul",
      { class: "rows desk-teams" },
      now.entrants.map((entrant) => team(office, now, entrant)),
    ),
    now.phase === "entering" && office.organises()
      ? h(
          "form",
          {
            class: "add-team",
            onsubmit: async (/** @type {Event} */ event) => {
              event.preventDefault();
              const [name, display] = office.adding.split(",").map((each) => each.trim());
              await office.order(
                "POST",
                `${office.address}/entrants`,
                display ? { name, display } : { name },
              );
              if (!office.wrong) office.adding = "";
              office.changed();
            },
          },
          field(
            desk.add,
            h("input", {
              value: office.adding,
              required: true,
              oninput: (/** @type {any} */ event) => (office.adding = event.target.value),
            }),
          ),
          h("button", { class: "button", type: "submit" }, desk.addGo),
        )
      : null,
  );
}

/** @param {Desk} office @param {Tournament} now @param {import("./types.d.ts").Entrant} entrant */
function team(office, now, entrant) {
  const { name, bot, present, withdrawn } = entrant;
  const state = withdrawn ? "gone" : present || bot ? "here" : "away";
  const words = withdrawn
    ? `${desk.out}${entrant.withdrawn_because ? `, ${entrant.withdrawn_because}` : ""}`
    : bot
      ? `${events.houseBot}, ${bot}`
      : present
        ? events.here
        : office.troubles.get(name)?.connected
          ? desk.notJoined
          : events.away;
  const at = `${office.address}/entrants/${encodeURIComponent(name)}`;
  /** @param {string} label @param {() => void} onclick */
  const item = (label, onclick) =>
    h(
      "button",
      { class: "plain-link", type: "button", "aria-label": `${label}: ${name}`, onclick },
      label,
    );
  return h(
    "li",
    { key: name },
    h("span", { class: `state-dot ${state}`, "aria-hidden": "true" }),
    playerChip(entrant),
    h("span", { class: "note small" }, words),
    trouble(now, entrant, office.troubles.get(name)),
    isOver(now) || !office.organises()
      ? null
      : h(
          "span",
          { class: "acts small" },
          withdrawn && now.phase !== "entering"
            ? item(desk.bringBack, () => office.order("POST", `${at}/reinstate`))
            : null,
          !withdrawn && !bot && present && office.operates()
            ? item(desk.kick, () =>
                office.ask(desk.ask.kick(name), "POST", "/api/v1/kicks", { name }),
              )
            : null,
          withdrawn ? null : item(desk.withdraw, () => office.withdraw(name)),
          !bot && office.operates()
            ? item(desk.ban, () => office.ask(desk.ask.ban(name), "POST", "/api/v1/bans", { name }))
            : null,
        ),
  );
}

/**
 * What was refused last; why it is not connected, if it is not; how its last game ended before its end.
 * @param {Tournament} now @param {import("./types.d.ts").Entrant} entrant @param {Trouble | undefined} known
 */
function trouble(now, entrant, known) {
  const cause = lastCause(now, entrant.name);
  const away = !entrant.present && !entrant.bot;
  /** @type {[string, string][]} */
  const told = [];
  if (known?.refused) told.push([known.refused.text, desk.refused(timeOf(known.refused.at))]);
  if (away && known?.closed) told.push([known.closed.text, desk.closed(timeOf(known.closed.at))]);
  if (cause) told.push([causeWords(cause.cause), desk.lastGame(cause.round)]);
  if (told.length === 0)
    return entrant.bot ? null : h("span", { class: "trouble note small" }, desk.noTrouble);
  return h(
    "span",
    { class: "trouble" },
    told.map(([what, when]) => [
      h("span", { class: "what", title: what }, what),
      h("span", { class: "note small" }, when),
    ]),
  );
}
