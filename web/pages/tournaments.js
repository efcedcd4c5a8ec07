// All tournaments: being played, to come, over.

import { whatWentWrong } from "../api.js";
import { keepAsking, tournaments } from "../directory.js";
import { h } from "../dom.js";
import { events } from "../event/words.js";
import { newestFirst, tournamentList } from "../event/list.js";
import { section } from "../parts.js";
import { loading, show } from "../shell.js";

const ORDER = ["running", "paused", "entering", "over", "cancelled"];

export default async function page() {
  /** @type {import("../directory.js").Tournament[] | null} */
  let all = null;
  let wrong = "";
  const draw = () =>
    show(
      { title: events.tournaments, at: "/tournaments" },
      wrong ? h("div", { class: "notice look", role: "status" }, wrong) : null,
      h(
        "div",
        { class: "welcome" },
        h("h1", null, events.tournaments),
        h("a", { class: "button", href: "/organise" }, events.toDesk),
      ),
      all === null
        ? loading()
        : all.length === 0
          ? h("div", { class: "state" }, h("h2", null, events.none), h("p", null, events.noneHint))
          : ORDER.map((phase) => {
              const some = newestFirst((all ?? []).filter((each) => each.phase === phase));
              return some.length > 0
                ? section(capital(events.phases[phase]), {}, tournamentList(some))
                : null;
            }),
    );
  draw();
  await keepAsking(3000, async () => {
    try {
      all = await tournaments();
      wrong = "";
    } catch (error) {
      wrong = whatWentWrong(error);
    }
    draw();
  });
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
