//! What a mistake in Labyrinth's protocols goes back to, in the words of docs/games/labyrinth.md.

use wire::Clause;

pub const CLAUSES: &[Clause] = &[
    Clause { says: "COLOR_TAKEN", page: "A colour or name that is in use is refused." },
    Clause { says: "NOT_STARTED", page: "any time after the start" },
    Clause {
        says: "NOT_YOUR_TURN",
        page: "Nothing says that it is your turn but your colour at the head of `plmt`, and nothing confirms a correct step.",
    },
    Clause {
        says: "not your turn",
        page: "Nothing says that it is your turn but your colour at the head of `plmt`, and nothing confirms a correct step.",
    },
    Clause { says: "undo the last slide", page: "The last slide must not be undone, by anybody." },
    Clause { says: "it has to move", page: "You must move: staying is not allowed." },
    Clause {
        says: "cannot be reached",
        page: "move your avatar to another tile that is connected with its own; or pass.",
    },
    Clause {
        says: "cannot slide",
        page: "In turn, slide a row or column with an even index by one, push the spare into the hole (turned counter-clockwise by 0, 90, 180 or 270),",
    },
    Clause { says: "whoever has its key", page: "goes behind it: `\"ann:pk_…\"`;" },
    Clause {
        says: "out of sequence",
        page: "your turn: all three, each once, in this order; they may be sent together",
    },
    Clause {
        says: "",
        page: "A mistake costs the game: an illegal, repeated or missing step, an action out of turn, anything that is no message, more than 100 queries in a turn, silence for `turn_timeout_ms`.",
    },
];
