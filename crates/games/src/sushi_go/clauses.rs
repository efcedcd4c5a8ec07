//! Which section of docs/reference/games/sushi-go.md explains each error of the protocol.

use wire::Clause;

pub const CLAUSES: &[Clause] = &[
    Clause {
        says: "whoever has its key",
        anchor: "keys",
        page: "If a name is claimed, or this server accepts only players with a key, you need the key of the name.",
        hint: "Claim your name on the page `/connect`, or copy the key again.",
    },
    Clause {
        says: "needs a key",
        anchor: "keys",
        page: "If a name is claimed, or this server accepts only players with a key, you need the key of the name.",
        hint: "Claim your name on the page `/connect`, or copy the key again.",
    },
    Clause {
        says: "only claimed names",
        anchor: "keys",
        page: "If a name is claimed, or this server accepts only players with a key, you need the key of the name.",
        hint: "Claim your name on the page `/connect`, or copy the key again.",
    },
    Clause {
        says: "not the key of",
        anchor: "keys",
        page: "A key that does not belong to the name is rejected with `E010`.",
        hint: "Claim your name on the page `/connect`, or copy the key again.",
    },
    Clause {
        says: "banned here",
        anchor: "keys",
        page: "A banned name, key or address is rejected with `E001`",
        hint: "If you are banned, ask the organiser.",
    },
    Clause {
        says: "E001",
        anchor: "error-e001",
        page: "The line is not a command, has wrong arguments or a bad name, is longer than 1024 bytes or not UTF-8, or you sent `JOIN` while you are in a game. A banned name, key or address also gets this code.",
        hint: "Compare the line with the table of commands. Send `LEAVE` before you join another game.",
    },
    Clause {
        says: "E002",
        anchor: "error-e002",
        page: "The game has not started.",
        hint: "Wait for the first `HAND` before you play.",
    },
    Clause {
        says: "E003",
        anchor: "error-e003",
        page: "`JOIN` or `TOURNEY` came after the start.",
        hint: "Join a game that `GAMES` lists, or send `REJOIN <token>` to return to your seat.",
    },
    Clause {
        says: "E004",
        anchor: "error-e004",
        page: "The game, match or tournament has ended.",
        hint: "Send `LEAVE`, then join another game.",
    },
    Clause {
        says: "E005",
        anchor: "error-e005",
        page: "There is no such game, tournament or token, or you have no seat.",
        hint: "Send `GAMES` to list open games and `JOIN` to take a seat; copy tokens from `WELCOME`, `TOURNAMENT_WELCOME` or `TOURNAMENT_MATCH`.",
    },
    Clause {
        says: "E006",
        anchor: "error-e006",
        page: "There is no card with this index.",
        hint: "Use an index of the last `HAND`.",
    },
    Clause {
        says: "E007",
        anchor: "error-e007",
        page: "You have no Chopsticks on the table.",
        hint: "Use `PLAY`, or play a Chopsticks card in an earlier turn.",
    },
    Clause {
        says: "E008",
        anchor: "error-e008",
        page: "You have already moved this turn, or your time ran out before the move arrived.",
        hint: "Send one move per `HAND`, within `turn_timeout_ms`.",
    },
    Clause {
        says: "E009",
        anchor: "error-e009",
        page: "Both indices of `CHOPSTICKS` are the same.",
        hint: "Use two different indices.",
    },
    Clause {
        says: "E010",
        anchor: "error-e010",
        page: "The name is taken in that game or tournament, or its key is missing or wrong.",
        hint: "Choose another name, or send the key of the name as in `JOIN myGame ann:pk_…`.",
    },
    Clause {
        says: "E011",
        anchor: "error-e011",
        page: "The game or tournament is full, or the server has no room for another game.",
        hint: "Send `GAMES` for a game with free seats, or try again later.",
    },
];
