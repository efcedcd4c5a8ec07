//! Why something is refused: one page of codes and sentences for every kind of refusal and every
//! transport. Native protocols use their own texts; everything else uses these.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Name;

/// Why not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// No table or tournament has this id.
    NoSuchTable,
    UnknownCredential,
    NotSeated,
    AlreadySeated,
    NotStarted,
    AlreadyStarted,
    AlreadyOver,
    /// It is shown when the game is over.
    NotOver,
    NotYourTurn,
    AlreadyMoved,
    /// The move answers an update that is no longer the latest.
    Stale,
    /// The move answers an update that there has not been yet.
    NoTurnYet(u64),
    Illegal(String),
    TableFull,
    HallFull,
    /// The server is about to end, and only finishes what has begun.
    Draining,
    /// There is too little room on the disk to begin anything.
    DiskFull,
    /// The address has used up its allowance.
    TooMany,
    /// Each player reacts only once in a while.
    TooSoon,
    /// Another player has this name.
    NameTaken(Name),
    /// The name is entered in a tournament of this game that is not over.
    NameEntered {
        name: Name,
        tournament: Name,
    },
    /// The name has a key, and this player has not shown it.
    NeedsKey(Name),
    /// Every player here needs a key, and this one has shown none for this name.
    KeyRequired(Name),
    /// The name has a key, and this player has shown another one.
    WrongKey(Name),
    /// This name is banned.
    BannedName(Name),
    /// The key that this player has shown is banned, whatever name it says.
    BannedKey,
    /// A table or a tournament with this id exists.
    IdTaken,
    NotEntered,
    TooFewPlayers,
    /// The table or the tournament cannot be as asked for.
    BadTable(String),
}

impl Refusal {
    /// The word for it that programs read.
    pub fn code(&self) -> Code {
        match self {
            Refusal::NoSuchTable => Code::NotFound,
            Refusal::UnknownCredential => Code::UnknownToken,
            Refusal::NotSeated => Code::NotSeated,
            Refusal::AlreadySeated => Code::AlreadySeated,
            Refusal::NotStarted => Code::NotStarted,
            Refusal::AlreadyStarted => Code::AlreadyStarted,
            Refusal::AlreadyOver => Code::AlreadyOver,
            Refusal::NotOver => Code::NotOver,
            Refusal::NotYourTurn => Code::NotYourTurn,
            Refusal::AlreadyMoved => Code::AlreadyMoved,
            Refusal::Stale | Refusal::NoTurnYet(_) => Code::Stale,
            Refusal::Illegal(_) => Code::Illegal,
            Refusal::TableFull => Code::TableFull,
            Refusal::HallFull => Code::ServerFull,
            Refusal::Draining => Code::Draining,
            Refusal::DiskFull => Code::DiskFull,
            Refusal::TooMany | Refusal::TooSoon => Code::TooMany,
            Refusal::NameTaken(_) | Refusal::NameEntered { .. } => Code::NameTaken,
            Refusal::NeedsKey(_) | Refusal::WrongKey(_) => Code::NeedsKey,
            Refusal::KeyRequired(_) => Code::KeyRequired,
            Refusal::BannedName(_) | Refusal::BannedKey => Code::Banned,
            Refusal::IdTaken => Code::IdTaken,
            Refusal::NotEntered => Code::NotEntered,
            Refusal::TooFewPlayers => Code::TooFewPlayers,
            Refusal::BadTable(_) => Code::BadRequest,
        }
    }

    /// What is wrong, without a capital and a full stop, so that it fits after a colon.
    pub fn cause(&self) -> String {
        match self {
            Refusal::NoTurnYet(seq) => format!("there is no turn {seq} yet"),
            Refusal::Illegal(why) => format!("the rules do not allow this move: {why}"),
            Refusal::NameTaken(name) => format!("the name '{name}' is taken already"),
            Refusal::NameEntered { name, tournament } => {
                format!("the name '{name}' is entered in '{tournament}', which is not over")
            }
            Refusal::NeedsKey(name) => format!("the name '{name}' belongs to whoever has its key"),
            Refusal::KeyRequired(name) => {
                format!("every player here needs a key, and '{name}' came without one")
            }
            Refusal::WrongKey(name) => format!("this is not the key of the name '{name}'"),
            Refusal::BannedName(name) => format!("the name '{name}' is banned here"),
            Refusal::TooSoon => "you reacted a moment ago".to_owned(),
            Refusal::BannedKey => "your key is banned here".to_owned(),
            Refusal::BadTable(why) => why.clone(),
            plain => plain.code().cause().to_owned(),
        }
    }

    /// The same, where the thing it is about has a name: `table` or `tournament`, and its id.
    pub fn cause_for(&self, thing: &str, id: &str) -> String {
        match self {
            Refusal::NoSuchTable => format!("there is no {thing} '{id}'"),
            Refusal::AlreadyOver => format!("{thing} '{id}' is over"),
            Refusal::AlreadyStarted => format!("{thing} '{id}' has already started"),
            Refusal::TableFull => format!("{thing} '{id}' is full"),
            Refusal::IdTaken => format!("there is a {thing} '{id}' already"),
            other => other.cause(),
        }
    }

    /// What to do about it, as a sentence. `None` where the cause itself says what would be right.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Refusal::NameEntered { .. } => Some(
                "A name can be in one tournament or ladder of a game at a time: finish or cancel \
                 that one, withdraw the name there, or choose another name.",
            ),
            Refusal::TooSoon => Some("You can react once in three seconds."),
            Refusal::WrongKey(_) => Some(
                "Check the key: it is pk_ and 26 letters and digits. An organiser can give an entrant \
                 another one.",
            ),
            // These causes say it themselves.
            Refusal::BadTable(_) | Refusal::BannedName(_) | Refusal::BannedKey => None,
            _ => self.code().hint(),
        }
    }
}

/// Whole sentences: the cause, then what to do.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cause = self.cause();
        let mut letters = cause.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters).try_for_each(|letter| write!(f, "{letter}"))?;
        if !cause.ends_with(['.', '!', '?']) {
            f.write_str(".")?;
        }
        self.hint().map_or(Ok(()), |hint| write!(f, " {hint}"))
    }
}

impl std::error::Error for Refusal {}

/// Defines the codes and everything there is to say about each, so that none can lack a word.
macro_rules! codes {
    ($($code:ident $word:literal: $cause:literal, $hint:expr;)*) => {
        /// A refusal in one word, the same in every protocol without texts of its own, in the JSON
        /// API and in the metrics. The list only ever grows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum Code {
            $(#[serde(rename = $word)] $code,)*
        }

        impl Code {
            pub const ALL: &[Code] = &[$(Code::$code),*];

            pub fn as_str(self) -> &'static str {
                match self { $(Code::$code => $word,)* }
            }

            /// What is wrong, if nothing more specific is known.
            pub fn cause(self) -> &'static str {
                match self { $(Code::$code => $cause,)* }
            }

            /// What to do about it.
            pub fn hint(self) -> Option<&'static str> {
                match self { $(Code::$code => $hint,)* }
            }
        }
    };
}

codes! {
    // Refused by the hall.
    NotFound "not-found": "there is nothing with this id",
        Some("Check the id: GET /api/v1/tables and GET /api/v1/tournaments list all of them.");
    UnknownToken "unknown-token": "this token or name belongs to no seat",
        Some("Use the token you were given when you joined, or join again.");
    NotSeated "not-seated": "you are not at a table",
        Some("Join a table first.");
    AlreadySeated "already-seated": "you are at a table or in a tournament already",
        Some("Leave it first.");
    NotStarted "not-started": "the game has not started",
        Some("Wait for the first update.");
    AlreadyStarted "already-started": "it has already started",
        Some("Join another one, or reconnect with your token.");
    AlreadyOver "already-over": "it is over",
        Some("Join another one.");
    NotYourTurn "not-your-turn": "it is not your turn",
        Some("Wait for the update that asks for your move.");
    AlreadyMoved "already-moved": "you have already moved this turn",
        Some("Wait for the next update.");
    Stale "stale": "the turn you answered is over",
        Some("Answer the newest update.");
    Illegal "illegal": "the rules do not allow this move",
        Some("Choose another move.");
    TableFull "table-full": "every seat is taken",
        Some("Join another one.");
    ServerFull "server-full": "the server has as many tables as limits.tables allows",
        Some("Try again later, or raise the limit.");
    Draining "draining": "the server is about to restart and starts no new games",
        Some("Try again in a few minutes.");
    DiskFull "disk-full": "the server's disk is nearly full, so it starts no new games",
        Some("Try again later. The operator of the server has to free disk space.");
    NameTaken "name-taken": "the name is taken already",
        Some("Stop the other program that uses it, or choose another name.");
    NeedsKey "needs-key": "the name is claimed, and its key is missing or wrong",
        Some("Add the key to the name, as in 'ann:pk_…', or choose another name.");
    KeyRequired "key-required": "every player here needs a key",
        Some("Claim a name on the page /connect, or with 'parlor names claim', and add its key, as in 'ann:pk_…'.");
    IdTaken "id-taken": "the id is taken already",
        Some("Choose another id.");
    NotEntered "not-entered": "you have not entered",
        Some("Give your name first. Where players are listed, ask the organiser to add you.");
    TooFewPlayers "too-few-players": "there are too few players to start",
        Some("Wait for others to join.");
    BadRequest "bad-request": "the request is not valid",
        Some("Correct what the message names, and send it again.");

    // Refused by sessions before the hall gets it.
    BadName "bad-name": "this name is not allowed here",
        Some("Choose a name by the rule in the message.");
    BadMessage "bad-message": "the message cannot be read",
        Some("Send one JSON object of the kind the protocol lists.");

    // Refused by HTTP.
    NeedsToken "needs-token": "this needs the admin token",
        Some("Send it in the header 'Authorization: Bearer TOKEN'.");
    WrongToken "wrong-token": "this is not the admin token",
        Some("Copy the token again, or ask the operator of the server for it.");
    NeedsScope "needs-scope": "this token does not allow that",
        Some("Use the admin token, or a token with this scope.");
    Banned "banned": "you are banned here",
        Some("Ask the organiser.");
    WrongHost "wrong-host": "this server does not go by that name",
        Some("Use its address, or start it with --public-host NAME.");
    ForeignOrigin "foreign-origin": "pages of other sites are not allowed to do this",
        Some("Use this server's own pages, or start it with --public-host NAME.");
    NotOver "not-over": "the game is not over",
        Some("Ask again when it is, or send the admin token.");
    Conflict "conflict": "the current state does not allow this",
        Some("Read the current state, and decide again.");
    WrongMethod "wrong-method": "this address does not support this method",
        Some("Use a method that the list of API calls names.");
    NeedsWebSocket "needs-websocket": "this is a WebSocket",
        Some("Connect with ws://.");
    TooLarge "too-large": "the request is too large",
        Some("Send less at once.");
    TooMany "too-many": "rate limit reached for your IP address",
        Some("Try again later. GET /api/v1/limits lists the limits.");
    TooSlow "too-slow": "the request took too long to arrive",
        Some("Send the whole request at once, or try a faster connection.");
    Unavailable "unavailable": "the server is shutting down",
        Some("Try again in a moment.");
    Internal "internal": "internal error",
        Some("Please report it, with the line about it in the server's log.");
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_a_sentence_with_advice() {
        let said = |refusal: Refusal| refusal.to_string();
        assert_eq!(
            said(Refusal::NotYourTurn),
            "It is not your turn. Wait for the update that asks for your move."
        );
        assert_eq!(
            said(Refusal::Illegal("4 does not answer 5".to_owned())),
            "The rules do not allow this move: 4 does not answer 5. Choose another move."
        );
        assert_eq!(
            said(Refusal::NameTaken("ann".into())),
            "The name 'ann' is taken already. Stop the other program that uses it, or choose another \
             name."
        );
        assert_eq!(said(Refusal::BadTable("3 is too many.".to_owned())), "3 is too many.");
        assert_eq!(Refusal::NoSuchTable.cause_for("table", "x"), "there is no table 'x'");
    }

    #[test]
    fn codes_are_short_words_and_are_serialised_as_such() {
        for &code in Code::ALL {
            let word = code.as_str();
            assert!(word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{word}");
            assert_eq!(serde_json::to_string(&code).unwrap(), format!("\"{word}\""));
            assert!(!code.cause().ends_with('.'), "{word}");
            assert!(code.hint().is_none_or(|hint| hint.ends_with('.')), "{word}");
        }
        let words: std::collections::BTreeSet<_> = Code::ALL.iter().map(|c| c.as_str()).collect();
        assert_eq!(words.len(), Code::ALL.len(), "each word once");
    }

    /// Users look codes up: the page lists each, in the order of this file.
    #[test]
    fn the_page_of_refusals_lists_every_code() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/error-codes.md");
        let page = std::fs::read_to_string(page).expect("docs/reference/error-codes.md");
        let listed: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
        let row = |code: &Code| {
            format!("| `{code}` | {} | {} |", code.cause(), code.hint().unwrap_or_default())
        };
        let rows: Vec<String> = Code::ALL.iter().map(row).collect();
        assert_eq!(listed, rows, "docs/reference/error-codes.md should read\n{}", rows.join("\n"));
    }
}
