//! What an error of Tiger & Dragon's protocol goes back to, in the words of docs/games/tiger-dragon.md.

use wire::Clause;

pub const CLAUSES: &[Clause] = &[
    Clause {
        says: "does not answer",
        page: "in turn, play the same number or pass; `T` also answers even numbers and `D` odd ones, and a `T` attack is answered by any even number, a `D` attack by any odd one.",
    },
    Clause { says: "a pass only answers", page: "play any tile face up." },
    Clause {
        says: "is not in the hand",
        page: "`hand` is only your own, `legal` is only there when it is your turn: react to every `state` whose `legal` is not empty with one `action`.",
    },
    Clause {
        says: "not your turn",
        page: "`hand` is only your own, `legal` is only there when it is your turn: react to every `state` whose `legal` is not empty with one `action`.",
    },
    Clause {
        says: "illegal action",
        page: "`hand` is only your own, `legal` is only there when it is your turn: react to every `state` whose `legal` is not empty with one `action`.",
    },
    Clause { says: "choice", page: "`choice`: `1` to `8`, `T`, `D` or `pass`" },
    Clause {
        says: "missing join fields",
        page: "`room_id`, `player_id`, `role` (`spectator`, or else a player)",
    },
    Clause {
        says: "whoever has its key",
        page: "goes behind it: `\"player_id\":\"ann:pk_…\"`, also to come back.",
    },
    Clause {
        says: "room full",
        page: "A listed `player_id` that is in use is refused (`room full`), and a dropped seat is taken back by it as always.",
    },
    Clause {
        says: "",
        page: "Errors of `action`, in the order in which they are looked for: `game not started`, `match over`, `spectator cannot act`, `not your turn`, `missing choice`, `invalid choice`, `illegal action`.",
    },
];
