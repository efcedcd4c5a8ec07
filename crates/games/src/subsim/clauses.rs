//! What stands behind SubSim's one line before it removes a player, in the words of docs/games/subsim.md.

use wire::Clause;

pub const CLAUSES: &[Clause] = &[
    Clause {
        says: "turn number",
        page: "A command for another turn than the last `B`, a second command for a submarine, an empty line and a line of more than 4095 bytes are mistakes too.",
    },
    Clause {
        says: "Multiple commands",
        page: "A command for another turn than the last `B`, a second command for a submarine, an empty line and a line of more than 4095 bytes are mistakes too.",
    },
    Clause {
        says: "Empty message",
        page: "A command for another turn than the last `B`, a second command for a submarine, an empty line and a line of more than 4095 bytes are mistakes too.",
    },
    Clause { says: "move command", page: "`M\\|turn\\|sub\\|N E S or W\\|equipment`" },
    Clause {
        says: "fire command",
        page: "Charge c gives sonar a range of c + 1, torpedoes c - 1, a sprint c / 3 + 1 (from 3); a mine is ready at 3.",
    },
    Clause {
        says: "mine command",
        page: "Charge c gives sonar a range of c + 1, torpedoes c - 1, a sprint c / 3 + 1 (from 3); a mine is ready at 3.",
    },
    Clause {
        says: "sprint command",
        page: "Charge c gives sonar a range of c + 1, torpedoes c - 1, a sprint c / 3 + 1 (from 3); a mine is ready at 3.",
    },
    Clause {
        says: "equipment",
        page: "`equipment` is `Sonar`, `Torpedo`, `Mine`, `Sprint` or `None`.",
    },
    Clause { says: "whoever has its key", page: "goes behind it: `J|ann:pk_…|3|3`." },
    Clause { says: "name in use", page: "A name that is in use is refused." },
    Clause {
        says: "No command",
        page: "In every turn all players give each of their submarines one command, and then all of them happen, in this order:",
    },
    Clause {
        says: "oordinate",
        page: "The client answers with its name and where its submarine starts.",
    },
    Clause {
        says: "",
        page: "Whoever breaks the protocol or sends an illegal command is told why in one line and removed; its submarines leave the map and its mines stay.",
    },
];
