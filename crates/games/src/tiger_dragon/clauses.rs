//! Which section of docs/reference/games/tiger-dragon.md explains each error of the protocol.

use wire::Clause;

pub const CLAUSES: &[Clause] = &[
    Clause {
        says: "does not answer",
        anchor: "the-game-in-brief",
        page: "The first player who answers ends the attack and attacks next.",
        hint: "Passing is always allowed.",
    },
    Clause {
        says: "a pass only answers",
        anchor: "error-illegal-action",
        page: "The `choice` is not in `legal`: you do not hold this tile, it does not answer the attack, or you cannot pass in this phase.",
        hint: "Send one of the choices in the `legal` of the newest `state`.",
    },
    Clause {
        says: "is not in the hand",
        anchor: "error-illegal-action",
        page: "The `choice` is not in `legal`: you do not hold this tile, it does not answer the attack, or you cannot pass in this phase.",
        hint: "Send one of the choices in the `legal` of the newest `state`.",
    },
    Clause {
        says: "missing type",
        anchor: "error-missing-type",
        page: "The frame is not a JSON object, or `type` is missing or not text. Binary frames get this error too.",
        hint: "Send one JSON object per text frame, with a `type`.",
    },
    Clause {
        says: "unknown type",
        anchor: "error-unknown-type",
        page: "The `type` is not `join`, `action` or `discards_request`.",
        hint: "Use one of these three, in lower case.",
    },
    Clause {
        says: "missing join fields",
        anchor: "error-missing-join-fields",
        page: "A `join` needs `room_id`, `player_id` and `role`, all of them text.",
        hint: "Send all three fields.",
    },
    Clause {
        says: "missing room_id",
        anchor: "error-missing-room_id",
        page: "A `discards_request` needs a `room_id`.",
        hint: "Add `\"room_id\":\"room1\"`.",
    },
    Clause {
        says: "invalid id",
        anchor: "error-invalid-id",
        page: "The `player_id` is empty, longer than 64 characters, or contains control characters or characters that cannot be seen. The text after `invalid id:` says which.",
        hint: "Choose a `player_id` of 1 to 64 visible characters.",
    },
    Clause {
        says: "room full",
        anchor: "error-room-full",
        page: "There is no seat for you: the server takes no more tables now, or it plays a single match (`single_match`) that has begun.",
        hint: "Try again later, or join as a spectator.",
    },
    Clause {
        says: "player_id in use",
        anchor: "error-player_id-in-use",
        page: "`player_id in use: another connection plays or waits under it`: an entrant of a tournament, or the owner of a claimed name, is already connected under this `player_id`.",
        hint: "Use another `player_id`, or close the other connection first.",
    },
    Clause {
        says: "another connection plays under this name",
        anchor: "error-another-connection-plays-under-this-name",
        page: "Your `player_id` has a seat in a tournament match, and the connection that holds it is alive. The server closes your connection.",
        hint: "Stop the other program that plays under this name.",
    },
    Clause {
        says: "player_id needs its key",
        anchor: "error-player_id-needs-its-key",
        page: "`player_id needs its key: say NAME:KEY`: the name is claimed.",
        hint: "Send the key after the name, as in `\"player_id\":\"ann:pk_…\"`, or choose another name.",
    },
    Clause {
        says: "every player here needs a key",
        anchor: "error-every-player-here-needs-a-key",
        page: "This server accepts only players with a key.",
        hint: "Claim your name on the page `/connect`, then send `\"player_id\":\"ann:pk_…\"`.",
    },
    Clause {
        says: "this is not the key of player_id",
        anchor: "error-this-is-not-the-key-of-player_id",
        page: "A key that does not belong to the name is rejected.",
        hint: "Copy the key again, or choose another name.",
    },
    Clause {
        says: "player_id is banned here",
        anchor: "error-player_id-is-banned-here",
        page: "The organiser has banned this name.",
        hint: "Ask the organiser.",
    },
    Clause {
        says: "your key is banned here",
        anchor: "error-your-key-is-banned-here",
        page: "The organiser has banned this key.",
        hint: "Ask the organiser.",
    },
    Clause {
        says: "game not started",
        anchor: "error-game-not-started",
        page: "You sent an `action` before the first `state`.",
        hint: "Wait for a `state` with a `legal` that is not empty.",
    },
    Clause {
        says: "match over",
        anchor: "error-match-over",
        page: "The match has ended.",
        hint: "Send `join` to play another match.",
    },
    Clause {
        says: "spectator cannot act",
        anchor: "error-spectator-cannot-act",
        page: "This connection has no seat: it has not joined, or it joined as a spectator.",
        hint: "Send `join` with `\"role\":\"player\"` first.",
    },
    Clause {
        says: "not your turn",
        anchor: "error-not-your-turn",
        page: "Another player has to act, or your `action` came too soon: before you could have read the newest `state`, or within one second after your time ran out and the server acted for you.",
        hint: "Send one `action` for each `state` with a `legal` that is not empty, and none otherwise. If the newest `state` still lists your `legal` choices, send the `action` again.",
    },
    Clause {
        says: "missing choice",
        anchor: "error-missing-choice",
        page: "The `action` has no `choice`.",
        hint: "Add one, as in `{\"type\":\"action\",\"choice\":\"4\"}`.",
    },
    Clause {
        says: "invalid choice",
        anchor: "error-invalid-choice",
        page: "The `choice` is not a tile and not `pass`. If it is not text, the message is `invalid choice: choice must be text, such as \"4\"`.",
        hint: "Send one of the choices in `legal`, as text in quotes.",
    },
    Clause {
        says: "illegal action",
        anchor: "error-illegal-action",
        page: "The `choice` is not in `legal`: you do not hold this tile, it does not answer the attack, or you cannot pass in this phase.",
        hint: "Send one of the choices in the `legal` of the newest `state`.",
    },
    Clause {
        says: "closed by the organiser",
        anchor: "error-closed",
        page: "If the organiser closes a table, its players get an error with the reason: `closed by the organiser`. A table that has waited an hour for players is closed with `the table waited too long for players`, and an entrant who leaves a tournament gets `you have withdrawn from the tournament`. In a running match `game_over` with the winner -1 follows; before the match begins, the server closes the connection.",
        hint: "Connect and join again.",
    },
    Clause {
        says: "waited too long",
        anchor: "error-closed",
        page: "If the organiser closes a table, its players get an error with the reason: `closed by the organiser`. A table that has waited an hour for players is closed with `the table waited too long for players`, and an entrant who leaves a tournament gets `you have withdrawn from the tournament`. In a running match `game_over` with the winner -1 follows; before the match begins, the server closes the connection.",
        hint: "Connect and join again.",
    },
    Clause {
        says: "withdrawn",
        anchor: "error-closed",
        page: "If the organiser closes a table, its players get an error with the reason: `closed by the organiser`. A table that has waited an hour for players is closed with `the table waited too long for players`, and an entrant who leaves a tournament gets `you have withdrawn from the tournament`. In a running match `game_over` with the winner -1 follows; before the match begins, the server closes the connection.",
        hint: "Connect and join again.",
    },
];
