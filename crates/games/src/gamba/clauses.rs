//! What a refusal of Gamba's protocol goes back to, in the words of docs/games/gamba.md.

use wire::Clause;

pub const CLAUSES: &[Clause] = &[
    Clause { says: "and after a 7 only 2 to 7", page: "the next card must be 7 or lower." },
    Clause {
        says: "is lower than",
        page: "A card must be at least as high as the top card (`J` 11, `Q` 12, `K` 13, `A` 14).",
    },
    Clause {
        says: "are not of one rank",
        page: "In turn, play one or more cards of one rank, or pick up the pile.",
    },
    Clause {
        says: "hand is empty",
        page: "With an empty hand, play a reserve unseen: `cards=RESERVE`.",
    },
    Clause {
        says: "Invalid card play",
        page: "In turn, play one or more cards of one rank, or pick up the pile.",
    },
    Clause { says: "No cards specified", page: "`cards`: such as `2H,2D`, or `RESERVE`" },
    Clause { says: "pickup", page: "Picking up is always allowed while there is a pile." },
    Clause { says: "Cannot start game", page: "START_GAME, by either of two" },
    Clause {
        says: "whoever has its key",
        page: "goes behind it: `name=ann:pk_…`, in CONNECT and in RECONNECT.",
    },
    Clause {
        says: "name already taken",
        page: "its name and seat are kept for 120 seconds, and `6|||name=NAME` takes them back, on a new connection or the same.",
    },
    Clause {
        says: "econnect",
        page: "`6|||name=NAME` takes them back, on a new connection or the same.",
    },
    Clause { says: "ame", page: "`name`: 1 to 32 of `A-Z a-z 0-9 _ -`" },
    Clause {
        says: "Invalid message format",
        page: "A line that is not a message (no `|`, a type that is not a number from 0 to 199, an unknown type, more than 8191 bytes, not UTF-8) is answered once and the connection closed.",
    },
    Clause {
        says: "Unknown message type",
        page: "A line that is not a message (no `|`, a type that is not a number from 0 to 199, an unknown type, more than 8191 bytes, not UTF-8) is answered once and the connection closed.",
    },
    Clause {
        says: "Message too large",
        page: "A line that is not a message (no `|`, a type that is not a number from 0 to 199, an unknown type, more than 8191 bytes, not UTF-8) is answered once and the connection closed.",
    },
    Clause { says: "103|", page: "Breaking a rule never closes the connection." },
];
