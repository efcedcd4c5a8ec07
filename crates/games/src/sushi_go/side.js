// Beside the board: points round by round, and what was laid turn by turn.

import { h } from "../../../../web/dom.js";
import { seatMark } from "../../../../web/marks.js";
import { KINDS } from "./art.js";
import { square, squareBack } from "./cards.js";
import { counted, rounds } from "./ending.js";

/**
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("../../../../web/types.d.ts").View} View
 */

/** @param {View} view @param {Context} ctx */
export function side(view, ctx) {
  return [pointsPanel(view, ctx), scoredPanel(view, ctx), gridPanel(view, ctx)].filter(
    (each) => each !== null,
  );
}

/** @param {View} view @param {Context} ctx */
function pointsPanel(view, ctx) {
  const worth = rounds(ctx);
  const cell = (/** @type {number} */ round, /** @type {number} */ seat) => {
    const known = worth[round - 1][seat];
    if (known !== undefined) return known;
    return round === view.round && !view.outcome ? "now" : "–";
  };
  return h(
    "section",
    { class: "panel", key: "points" },
    h("header", null, "Points per round", h("span", { class: "note" }, "3 rounds")),
    h(
      "table",
      { class: "sushi-points" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, "Player")),
          [1, 2, 3].map((round) => h("th", { scope: "col" }, round)),
          h(
            "th",
            { scope: "col" },
            h(
              "svg",
              {
                viewBox: "0 0 80 80",
                width: 20,
                height: 20,
                role: "img",
                "aria-label": "puddings",
              },
              KINDS.Pudding.motif,
            ),
          ),
          h("th", { scope: "col" }, "Total"),
        ),
      ),
      h(
        "tbody",
        null,
        ctx.names.map((name, seat) =>
          h(
            "tr",
            { key: seat, class: seat === ctx.viewer ? "near" : "" },
            h(
              "th",
              { scope: "row" },
              h(
                "span",
                { class: "chip" },
                seatMark(seat, name, 20),
                h("span", { class: "who", title: name }, name),
              ),
            ),
            [1, 2, 3].map((round) => h("td", null, cell(round, seat))),
            h("td", null, puddingPoints(view, seat, worth)),
            h("td", { class: "total" }, view.seats[seat].score),
          ),
        ),
      ),
    ),
  );
}

/** What puddings were worth at the end, and how many there are. @param {View} view @param {number} seat @param {number[][]} worth */
function puddingPoints(view, seat, worth) {
  const { puddings, score } = view.seats[seat];
  const laid = h(
    "sub",
    { class: "quiet" },
    puddings,
    h("span", { class: "visually-hidden" }, " laid"),
  );
  if (!view.outcome || worth.some((round) => round.length === 0))
    return h("span", { class: "quiet" }, `${puddings}×`);
  const points = score - worth.reduce((sum, round) => sum + round[seat], 0);
  return [points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0", laid];
}

/** How a round that just ended was counted. @param {View} view @param {Context} ctx */
function scoredPanel(view, ctx) {
  const table = counted(view, ctx);
  if (!table) return null;
  return h(
    "section",
    { class: "panel", key: "scored" },
    h("header", null, `Round ${view.news.round}, counted`),
    table,
  );
}

/** @param {View} view @param {Context} ctx */
function gridPanel(view, ctx) {
  const round = view.turn === 1 && view.news?.round_end && !view.outcome ? view.round : view.round;
  /** @type {Map<number, string[][]>} */
  const turns = new Map();
  for (const update of ctx.updates) {
    const { news } = update.view;
    if (news && news.round === round) turns.set(news.turn, news.played);
  }
  const size = ctx.names.length > 4 ? 30 : 36;
  const rows = [...turns].sort(([a], [b]) => b - a);
  return h(
    "section",
    { class: "panel", key: "grid" },
    h("header", null, "Laid, turn by turn", h("span", { class: "note" }, `${view.turns} turns`)),
    h(
      "table",
      { class: "sushi-grid" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, "Turn")),
          ctx.names.map((name, seat) =>
            h(
              "th",
              { scope: "col" },
              seatMark(seat, name, 20),
              h("span", { class: "visually-hidden" }, name),
            ),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        view.outcome ? null : openRow(view, ctx, size),
        rows.map(([turn, played]) =>
          h(
            "tr",
            { key: turn },
            h("th", { scope: "row" }, turn),
            ctx.names.map((_, seat) =>
              h(
                "td",
                null,
                h(
                  "span",
                  { class: "pair" },
                  (played[seat] ?? []).map((card) =>
                    square(card, played[seat].length > 1 ? size * 0.6 : size),
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
    h(
      "p",
      { class: "label" },
      view.two_player_pudding_penalty || ctx.names.length > 2
        ? "Puddings count after round 3: most +6, fewest −6."
        : "Puddings count after round 3: most +6.",
    ),
  );
}

/** The turn that is being played. @param {View} view @param {Context} ctx @param {number} size */
function openRow(view, ctx, size) {
  return h(
    "tr",
    { key: "now", class: "now" },
    h("th", { scope: "row" }, view.turn),
    ctx.names.map((_, seat) =>
      h(
        "td",
        null,
        ctx.moved.includes(seat)
          ? squareBack(size)
          : h("span", { class: "open", title: "to choose" }),
      ),
    ),
  );
}
