//! Which section of docs/reference/games/gamba.md explains each error of the protocol.

use wire::Clause;

pub const CLAUSES: &[Clause] = &[
    Clause {
        says: "and after a 7 only 2 to 7",
        anchor: "the-game-in-brief",
        page: "The next card must be 7 or lower (`must_play_low=true`).",
        hint: "You may pick up the pile in any turn in which there is one, even if you could play.",
    },
    Clause {
        says: "is lower than",
        anchor: "the-game-in-brief",
        page: "A card must be at least as high as the top card.",
        hint: "You may pick up the pile in any turn in which there is one, even if you could play.",
    },
    Clause {
        says: "are not of one rank",
        anchor: "the-game-in-brief",
        page: "In your turn, play one or more cards of one rank on the pile, or pick up the pile.",
        hint: "You may pick up the pile in any turn in which there is one, even if you could play.",
    },
    Clause {
        says: "hand is empty",
        anchor: "the-game-in-brief",
        page: "With an empty hand, play a reserve: `cards=RESERVE`.",
        hint: "If it does not fit, that card and the pile become your hand.",
    },
    Clause {
        says: "Player name cannot be empty",
        anchor: "error-player-name-cannot-be-empty",
        page: "CONNECT has no `name`.",
        hint: "Send `0|||name=NAME`.",
    },
    Clause {
        says: "Player name too long",
        anchor: "error-player-name-too-long",
        page: "`Player name too long (max 32 characters)`: the name has more than 32 characters.",
        hint: "Use 1 to 32 characters.",
    },
    Clause {
        says: "Player name contains invalid characters",
        anchor: "error-player-name-contains-invalid-characters",
        page: "The name contains something other than letters, digits, `_` and `-`.",
        hint: "Use only `A-Z a-z 0-9 _ -`.",
    },
    Clause {
        says: "Connection failed - name already taken",
        anchor: "error-connection-failed---name-already-taken",
        page: "Another connection has this name, or its player is away and the name is kept for 120 seconds.",
        hint: "If it is your own name, send `6|||name=NAME` to get it back; otherwise choose another name.",
    },
    Clause {
        says: "Connection failed - name belongs to",
        anchor: "error-connection-failed---name-belongs-to",
        page: "The name is claimed, and you sent no key.",
        hint: "Send the key after the name, as in `name=ann:pk_…`, or choose another name.",
    },
    Clause {
        says: "Connection failed - this is not the key of this name",
        anchor: "error-connection-failed---this-is-not-the-key-of-this-name",
        page: "A key that does not belong to the name is rejected.",
        hint: "Copy the key again, or choose another name.",
    },
    Clause {
        says: "Connection failed - every player here needs a key",
        anchor: "error-connection-failed---every-player-here-needs-a-key",
        page: "This server accepts only players with a key.",
        hint: "Claim your name on the page `/connect`, then send `name=ann:pk_…`.",
    },
    Clause {
        says: "Connection failed - this name is banned here",
        anchor: "error-connection-failed---this-name-is-banned-here",
        page: "The organiser has banned this name.",
        hint: "Ask the organiser.",
    },
    Clause {
        says: "Connection failed - your key is banned here",
        anchor: "error-connection-failed---your-key-is-banned-here",
        page: "The organiser has banned this key.",
        hint: "Ask the organiser.",
    },
    Clause {
        says: "Your address is banned here",
        anchor: "error-your-address-is-banned-here",
        page: "The organiser has banned your network address. The server closes the connection.",
        hint: "Ask the organiser.",
    },
    Clause {
        says: "Must connect first",
        anchor: "error-must-connect-first",
        page: "You are not connected under a name: you have not sent CONNECT, or you sent no PING for 60 seconds.",
        hint: "Send `0|||name=NAME` first, or `6|||name=NAME` to return to your seat.",
    },
    Clause {
        says: "Player name required",
        anchor: "error-player-name-required",
        page: "RECONNECT has no `name`.",
        hint: "Send `6|||name=NAME`.",
    },
    Clause {
        says: "Cannot reconnect as different player",
        anchor: "error-cannot-reconnect-as-different-player",
        page: "This connection already has another name, or you sent a second CONNECT.",
        hint: "Use one connection per player.",
    },
    Clause {
        says: "Reconnection failed",
        anchor: "error-reconnection-failed",
        page: "No player with this name is away: the name is unknown, its 120 seconds are over, or its player is connected.",
        hint: "Send `0|||name=NAME` to connect as a new player.",
    },
    Clause {
        says: "Error occurred while joining room",
        anchor: "error-error-occurred-while-joining-room",
        page: "You are already in a room, or the server has no room for you now.",
        hint: "Send JOIN_ROOM once, and again only after 102.",
    },
    Clause {
        says: "Not in any room",
        anchor: "error-not-in-any-room",
        page: "START_GAME, PLAY_CARDS and PICKUP_PILE need a room.",
        hint: "Send `2|||` first.",
    },
    Clause {
        says: "Cannot start game",
        anchor: "error-cannot-start-game",
        page: "There is only one player in the room, or the game has already started.",
        hint: "Send `5|||` once, after a 101 with `room_full=true`.",
    },
    Clause {
        says: "No cards specified",
        anchor: "error-no-cards-specified",
        page: "PLAY_CARDS has no `cards`.",
        hint: "Send `7|||cards=2H,2D` or `7|||cards=RESERVE`.",
    },
    Clause {
        says: "Invalid card play",
        anchor: "error-invalid-card-play",
        page: "One of these is wrong: the game has not started, it is not your turn, a card does not exist (`3X`, `5h`), a card is not in your hand, the cards are not of one rank or more than four, the card does not fit on the pile, `RESERVE` was sent with cards in hand, or the move came within one second after your time ran out and the server moved for you.",
        hint: "When `your_turn=true`, send cards from the `hand` of the newest 106 that fit on `top_card`; otherwise pick up the pile.",
    },
    Clause {
        says: "Cannot pickup pile",
        anchor: "error-cannot-pickup-pile",
        page: "The pile is empty, it is not your turn, the game has not started, or the move came within one second after your time ran out and the server moved for you.",
        hint: "Send `8|||` only if `your_turn=true` and `top_card` is not `1S`.",
    },
    Clause {
        says: "Unknown message type",
        anchor: "error-unknown-message-type",
        page: "The type exists but only the server sends it, or there is no such type. In the second case the server closes the connection.",
        hint: "Send only the types 0, 2, 4, 5, 6, 7 and 8.",
    },
    Clause {
        says: "Invalid message format",
        anchor: "error-invalid-message-format",
        page: "The line has no `|`, does not start with a number from 0 to 199, or is not UTF-8. The server closes the connection.",
        hint: "Write each message as `TYPE|||` with its keys, and end it with `\\n`.",
    },
    Clause {
        says: "Message too large",
        anchor: "error-message-too-large",
        page: "The line has more than 8191 bytes. The server closes the connection.",
        hint: "End each message with `\\n`.",
    },
];
