// The card after a round: who went out on what, and where everybody stands.

import { h } from "../../../../web/dom.js";
import { seatMark } from "../../../../web/marks.js";
import { words } from "../../../../web/texts.js";
import { roundResult } from "./story.js";
import { TALL, tileFace } from "./tiles.js";
import { outcome } from "./words.js";

/** @param {import("../../../../web/types.d.ts").View} view @param {import("../../../../web/types.d.ts").Context} ctx */
export function summary(view, ctx) {
  const result = roundResult(view);
  if (!result || view.phase === "Finished") return null;
  return {
    title: words.end.round(result.round),
    content: [
      h(
        "svg",
        { viewBox: `-4 -4 108 ${100 * TALL + 8}`, width: 56, height: 78, "aria-hidden": "true" },
        tileFace(result.last_tile, 100),
      ),
      h("p", null, outcome(result, ctx.names)),
      h(
        "ol",
        { class: "ranking" },
        ctx.names.map((name, seat) =>
          h(
            "li",
            { key: seat, class: seat === ctx.viewer ? "own" : "" },
            seatMark(seat, name, 24),
            h("span", { class: "cut" }, name),
            seat === result.winner ? h("span", { class: "note" }, `+${result.points}`) : null,
            h("b", null, view.scores[seat]),
          ),
        ),
      ),
    ],
  };
}
