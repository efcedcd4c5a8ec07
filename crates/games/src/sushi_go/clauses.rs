//! What an error of Sushi Go's protocol goes back to, in the words of docs/games/sushi-go.md.

use wire::Clause;

pub const CLAUSES: &[Clause] = &[
    Clause {
        says: "E001",
        page: "not a command, wrong arguments, bad name, or `JOIN` while in a live game",
    },
    Clause { says: "E002", page: "a move before the start" },
    Clause { says: "E003", page: "`JOIN` or `TOURNEY` after the start" },
    Clause { says: "E004", page: "the game has ended" },
    Clause { says: "E005", page: "no such game or token, or no seat" },
    Clause { says: "E006", page: "no card with this index" },
    Clause { says: "E007", page: "no chopsticks on the table" },
    Clause { says: "E008", page: "already moved this turn, or the clock was faster" },
    Clause { says: "E009", page: "the same index twice" },
    Clause { says: "whoever has its key", page: "behind it: `JOIN myGame ann:pk_…`." },
    Clause { says: "E010", page: "the name is taken in that game" },
    Clause { says: "E011", page: "the game is full" },
];
