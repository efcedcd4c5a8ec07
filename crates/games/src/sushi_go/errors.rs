//! What a client is told when its command is refused: a code, what is wrong, and what would be
//! right.
//!
//! Clients read the code and show the rest, so the text is free; it is never empty, because the
//! later kit takes a code alone for noise.

use hall::Refusal;
use wire::Speech;

use super::verb::{self, Verb};

/// An error as the client reads it: code and text.
pub type Wrong = (&'static str, String);

pub fn wrong(code: &'static str, text: impl Into<String>) -> Wrong {
    (code, text.into())
}

pub fn say_wrong((code, text): &Wrong, out: &mut Speech) {
    out.text(format!("ERROR {code} {text}"));
}

pub fn not_seated() -> Wrong {
    wrong(
        "E005",
        "You are not in a game. GAMES lists open games; JOIN <game_id> <name> enters one.",
    )
}

/// Every refusal as this protocol's error codes have it.
pub fn explain(verb: &Verb, refusal: &Refusal) -> Wrong {
    let tourney = matches!(verb, Verb::Tourney { .. });
    let what = match verb {
        Verb::Tourney { .. } => "tournament",
        Verb::TournamentJoin { .. } => "match",
        _ => "game",
    };
    match refusal {
        Refusal::NoSuchTable => match verb {
            Verb::Join { game, .. } => {
                let game = verb::shown(game);
                wrong("E005", format!("Game not found: {game}. GAMES lists open games."))
            }
            Verb::Tourney { tournament, .. } => {
                wrong("E005", format!("Tournament not found: {}", verb::shown(tournament)))
            }
            _ => wrong("E005", "Game not found. GAMES lists open games."),
        },
        Refusal::UnknownCredential if matches!(verb, Verb::TournamentJoin { .. }) => {
            wrong("E005", "Unknown match token. It is the third word of TOURNAMENT_MATCH.")
        }
        Refusal::UnknownCredential => wrong(
            "E005",
            "Unknown rejoin token. It is the last word of WELCOME or TOURNAMENT_WELCOME.",
        ),
        Refusal::NotEntered if tourney => wrong(
            "E005",
            "Player not listed: this tournament is for listed players. Ask the organiser to enter you.",
        ),
        Refusal::NotSeated | Refusal::NotEntered => not_seated(),
        Refusal::AlreadySeated if tourney => wrong(
            "E001",
            "You are in a game or a tournament already. LEAVE a game, or a tournament before it starts; a running tournament ends with TOURNAMENT_COMPLETE.",
        ),
        Refusal::AlreadySeated => wrong("E001", "You are in a game already. LEAVE it first."),
        Refusal::NotStarted | Refusal::NotOver | Refusal::TooFewPlayers => not_started(),
        Refusal::NotYourTurn => wrong("E002", "It is not your turn. Wait for the next HAND."),
        Refusal::AlreadyStarted if tourney => wrong(
            "E003",
            "The tournament has already started. If you are in it, REJOIN <token> brings you back.",
        ),
        Refusal::AlreadyStarted => {
            let hint = "GAMES lists open games; REJOIN <token> brings a player back.";
            wrong("E003", format!("The {what} has already started. {hint}"))
        }
        Refusal::AlreadyOver if what == "game" => ended(),
        Refusal::AlreadyOver => wrong("E004", format!("The {what} has ended.")),
        // The clock was faster and has moved for this seat.
        Refusal::Stale | Refusal::NoTurnYet(_) => too_late(),
        Refusal::AlreadyMoved => already_moved(),
        Refusal::Illegal(why) => wrong("E006", why.as_str()),
        Refusal::NameTaken(_) if tourney => wrong(
            "E010",
            "This name is taken in that tournament. If your bot was just restarted, try again in a few seconds; otherwise choose another name.",
        ),
        Refusal::NameTaken(_) | Refusal::NameEntered { .. } => {
            wrong("E010", format!("This name is taken in that {what}. Choose another one."))
        }
        Refusal::WrongKey(_) => wrong(
            "E010",
            "This is not the key of this name. Check it: a key is pk_ and 26 letters and digits.",
        ),
        Refusal::NeedsKey(_) => wrong(
            "E010",
            "This name belongs to whoever has its key. Say <name>:<key>, or choose another name.",
        ),
        Refusal::KeyRequired(_) => wrong("E010", refusal.to_string()),
        Refusal::BannedName(_) | Refusal::BannedKey => wrong("E001", refusal.to_string()),
        Refusal::TableFull if tourney => wrong("E011", "The tournament is full."),
        Refusal::TableFull => wrong("E011", format!("The {what} is full. GAMES lists open games.")),
        Refusal::HallFull => wrong("E011", "The server has no room for another game. Try later."),
        Refusal::Draining => wrong(
            "E011",
            "The server is about to restart and starts no new games. Try again in a few minutes.",
        ),
        Refusal::DiskFull => {
            wrong("E011", "The server's disk is nearly full, so it starts no new games. Try later.")
        }
        Refusal::TooMany | Refusal::TooSoon => {
            wrong("E011", "Your address has as many seats or games as it may. Try later.")
        }
        Refusal::IdTaken => wrong("E001", "A game with this id exists."),
        Refusal::BadTable(why) => wrong("E001", why.as_str()),
    }
}

pub fn ended() -> Wrong {
    wrong("E004", "The game has ended. GAMES lists open games.")
}

pub fn not_started() -> Wrong {
    wrong("E002", "The game has not started. Wait for the first HAND.")
}

/// The move was sent before the newest HAND.
pub fn too_late() -> Wrong {
    wrong("E008", "Too late: the turn is over. Answer the newest HAND.")
}

pub fn already_moved() -> Wrong {
    wrong("E008", "You have already moved this turn. Wait for the next HAND.")
}
