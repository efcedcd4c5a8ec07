//! Why something is refused: one page of codes and sentences, whoever refuses it and however the
//! client is told. Protocols with words of their own say those; everybody else says these.

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
    /// The move answers an update that is no longer the last one.
    Stale,
    Illegal(String),
    TableFull,
    HallFull,
    /// The server is about to end, and only finishes what has begun.
    Draining,
    /// There is too little room on the disk to begin anything.
    DiskFull,
    /// Whoever asks has taken as much as one address may.
    TooMany,
    /// Somebody has this name.
    NameTaken(Name),
    /// The name has a key, and this player has not shown it.
    NeedsKey(Name),
    /// Nobody may go by this name.
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
            Refusal::Stale => Code::Stale,
            Refusal::Illegal(_) => Code::Illegal,
            Refusal::TableFull => Code::TableFull,
            Refusal::HallFull => Code::ServerFull,
            Refusal::Draining => Code::Draining,
            Refusal::DiskFull => Code::DiskFull,
            Refusal::TooMany => Code::TooMany,
            Refusal::NameTaken(_) => Code::NameTaken,
            Refusal::NeedsKey(_) => Code::NeedsKey,
            Refusal::BannedName(_) | Refusal::BannedKey => Code::Banned,
            Refusal::IdTaken => Code::IdTaken,
            Refusal::NotEntered => Code::NotEntered,
            Refusal::TooFewPlayers => Code::TooFewPlayers,
            Refusal::BadTable(_) => Code::BadRequest,
        }
    }

    /// What is wrong, without a capital and a full stop, so that it may stand after a colon.
    pub fn cause(&self) -> String {
        match self {
            Refusal::Illegal(why) => format!("the rules do not allow this move: {why}"),
            Refusal::NameTaken(name) => format!("the name '{name}' is taken already"),
            Refusal::NeedsKey(name) => format!("the name '{name}' belongs to whoever has its key"),
            Refusal::BannedName(name) => format!("the name '{name}' is banned here"),
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

    /// What to do about it: a sentence. None where the cause itself says what would be right.
    pub fn hint(&self) -> Option<&'static str> {
        self.code().hint()
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
        /// A refusal in one word, the same on every protocol that has no words of its own, in the
        /// JSON API and in the metrics. The list only ever grows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum Code {
            $(#[serde(rename = $word)] $code,)*
        }

        impl Code {
            pub const ALL: &[Code] = &[$(Code::$code),*];

            pub fn as_str(self) -> &'static str {
                match self { $(Code::$code => $word,)* }
            }

            /// What is wrong, where nothing more is known about it.
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
    // What the hall refuses.
    NotFound "not-found": "there is nothing with this id",
        Some("Check the id against the list.");
    UnknownToken "unknown-token": "nobody can come back with this token or name",
        Some("Use the token you were given when you joined, or join again.");
    NotSeated "not-seated": "you are not at a table",
        Some("Join one first.");
    AlreadySeated "already-seated": "you are at a table or in a tournament already",
        Some("Leave it first.");
    NotStarted "not-started": "the game has not started",
        Some("Wait for the first update.");
    AlreadyStarted "already-started": "it has already started",
        Some("Join another one, or come back with your token.");
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
        Some("Try again later. Whoever runs the server has to make room.");
    NameTaken "name-taken": "the name is taken already",
        Some("Choose another name.");
    NeedsKey "needs-key": "the name belongs to whoever has its key",
        Some("Add the key to the name, as in 'ann:pk_…', or choose another name.");
    IdTaken "id-taken": "the id is taken already",
        Some("Choose another id.");
    NotEntered "not-entered": "you have not entered",
        Some("Give your name first. Where players are listed, ask the organiser to add you.");
    TooFewPlayers "too-few-players": "there are too few players to start",
        Some("Wait for others to join.");
    BadRequest "bad-request": "it cannot be done as asked for", None;

    // What sessions refuse before the hall hears of it.
    BadName "bad-name": "this cannot be a name here", None;
    BadMessage "bad-message": "the message cannot be read",
        Some("Send one JSON object of the kind the protocol lists.");

    // What HTTP refuses.
    NeedsToken "needs-token": "this needs the admin token", None;
    WrongToken "wrong-token": "this is not the admin token", None;
    NeedsScope "needs-scope": "this token may not do that", None;
    Banned "banned": "you are banned here", None;
    WrongHost "wrong-host": "this server does not go by that name",
        Some("Use its address, or start it with --public-host NAME.");
    ForeignOrigin "foreign-origin": "a page of another site may not do this",
        Some("Use this server's own pages, or start it with --public-host NAME.");
    NotOver "not-over": "the game is not over",
        Some("Ask again when it is, or show the admin token.");
    Conflict "conflict": "it cannot be done in the present state", None;
    WrongMethod "wrong-method": "this address has no such method", None;
    NeedsWebSocket "needs-websocket": "this is a WebSocket",
        Some("Connect with ws://.");
    TooLarge "too-large": "the request is too large", None;
    TooMany "too-many": "this address has taken as much as it may for now",
        Some("Try again later. GET /api/v1/limits lists the limits.");
    TooSlow "too-slow": "the request took too long to arrive", None;
    Unavailable "unavailable": "the server is shutting down",
        Some("Try again in a moment.");
    Internal "internal": "the server has made a mistake",
        Some("The server's log says more.");
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
    fn f30_a_refusal_is_a_sentence_and_what_to_do() {
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
            "The name 'ann' is taken already. Choose another name."
        );
        assert_eq!(said(Refusal::BadTable("3 is too many.".to_owned())), "3 is too many.");
        assert_eq!(Refusal::NoSuchTable.cause_for("table", "x"), "there is no table 'x'");
    }

    #[test]
    fn f30_codes_are_short_words_and_travel_as_such() {
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

    /// Who is refused looks the code up: the page has each, in the order of this file.
    #[test]
    fn f30_the_page_of_refusals_lists_every_code() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/refusals.md");
        let page = std::fs::read_to_string(page).expect("docs/refusals.md");
        let listed: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
        let row = |code: &Code| {
            format!("| `{code}` | {} | {} |", code.cause(), code.hint().unwrap_or_default())
        };
        let rows: Vec<String> = Code::ALL.iter().map(row).collect();
        assert_eq!(listed, rows, "docs/refusals.md should read\n{}", rows.join("\n"));
    }
}
