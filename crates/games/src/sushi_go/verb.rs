//! What a client says: the text alone, without context.

use hall::split_key;

/// A client's command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    Join { game: String, name: String, key: Option<String> },
    Rejoin { token: String },
    Ready,
    Play(i64),
    Chopsticks(i64, i64),
    Status,
    Games,
    Leave,
    Help,
    Tourney { tournament: String, name: String, key: Option<String> },
    TournamentJoin { token: String },
}

impl Verb {
    /// The key that was said with a name.
    pub fn take_key(&mut self) -> Option<String> {
        match self {
            Verb::Join { key, .. } | Verb::Tourney { key, .. } => key.take(),
            _ => None,
        }
    }
}

/// Why a line is no command, in words for the client.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error("Empty command")]
    Empty,
    #[error("Unknown command: {0} (there are {KNOWN})")]
    UnknownCommand(String),
    #[error("Usage: {0}")]
    Usage(&'static str),
    #[error("{0} takes no arguments")]
    NoArguments(String),
    #[error("Invalid name: use 1 to 32 of A-Z a-z 0-9 _ . -")]
    BadName,
    #[error("Invalid name: BYE is reserved")]
    ReservedName,
    #[error("Not a card index: {0}")]
    NotAnIndex(String),
}

/// Reads a line that is not blank.
pub fn parse(line: &str) -> Result<Verb, Unreadable> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let (command, arguments) = words.split_first().ok_or(Unreadable::Empty)?;
    let command = command.to_ascii_uppercase();
    let verb = match (command.as_str(), arguments) {
        ("JOIN", [game, said]) => {
            let (name, key) = named(said)?;
            Verb::Join { game: (*game).to_owned(), name, key }
        }
        ("REJOIN", [token]) => Verb::Rejoin { token: (*token).to_owned() },
        ("READY", []) => Verb::Ready,
        ("PLAY", [index]) => Verb::Play(integer(index)?),
        ("CHOPSTICKS", [first, second]) => Verb::Chopsticks(integer(first)?, integer(second)?),
        ("STATUS", []) => Verb::Status,
        ("GAMES", []) => Verb::Games,
        ("LEAVE", []) => Verb::Leave,
        ("HELP", []) => Verb::Help,
        ("TOURNEY", [tournament, said]) => {
            let (name, key) = named(said)?;
            Verb::Tourney { tournament: (*tournament).to_owned(), name, key }
        }
        ("TJOIN", [token]) => Verb::TournamentJoin { token: (*token).to_owned() },
        _ => return Err(usage(&command)),
    };
    Ok(verb)
}

/// The commands of the wire document.
pub const KNOWN: &str = "JOIN REJOIN READY PLAY CHOPSTICKS STATUS GAMES LEAVE TOURNEY TJOIN";

fn usage(command: &str) -> Unreadable {
    let form = match command {
        "JOIN" => "JOIN <game_id> <player_name>",
        "REJOIN" => "REJOIN <token>",
        "TOURNEY" => "TOURNEY <tournament_id> <player_name>",
        "TJOIN" => "TJOIN <match_token>",
        "PLAY" => "PLAY <card_index>",
        "CHOPSTICKS" => "CHOPSTICKS <idx1> <idx2>",
        "READY" | "STATUS" | "GAMES" | "LEAVE" | "HELP" => {
            return Unreadable::NoArguments(command.to_owned());
        }
        _ => return Unreadable::UnknownCommand(shown(command)),
    };
    Unreadable::Usage(form)
}

/// What a client said, short and fit to be shown to it again.
pub fn shown(text: &str) -> String {
    text.chars().map(|c| if hall::is_control(c) { '?' } else { c }).take(40).collect()
}

/// A name, and the key behind it if there is one: `ann:pk_…`.
fn named(said: &str) -> Result<(String, Option<String>), Unreadable> {
    let (name, key) = split_key(said);
    Ok((checked_name(name)?, key.map(str::to_owned)))
}

/// Names stand in lists and JSON, between colons, semicolons and commas; and `BYE` means no
/// opponent.
pub fn checked_name(name: &str) -> Result<String, Unreadable> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    if name.is_empty() || name.len() > 32 || !name.chars().all(fits) {
        return Err(Unreadable::BadName);
    }
    if name.eq_ignore_ascii_case("BYE") {
        return Err(Unreadable::ReservedName);
    }
    Ok(name.to_owned())
}

/// An integer of any size; one that no hand can have is as good as another.
fn integer(text: &str) -> Result<i64, Unreadable> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Unreadable::NotAnIndex(shown(text)));
    }
    let limit = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Ok(text.parse().unwrap_or(limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_in_any_case_and_spacing() {
        assert_eq!(parse("play 3"), Ok(Verb::Play(3)));
        assert_eq!(parse("  CHOPSTICKS  0   3 "), Ok(Verb::Chopsticks(0, 3)));
        assert_eq!(
            parse("Join g Al.ice_-9"),
            Ok(Verb::Join { game: "g".into(), name: "Al.ice_-9".into(), key: None })
        );
    }

    #[test]
    fn integers_of_any_size_are_integers() {
        assert_eq!(parse("PLAY -1"), Ok(Verb::Play(-1)));
        assert_eq!(parse("PLAY 99999999999999999999"), Ok(Verb::Play(i64::MAX)));
        for wrong in ["PLAY x", "PLAY 1.0", "PLAY -", "PLAY", "PLAY 1 2", "PLAY 0x1"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_that_would_break_other_lines_are_refused() {
        for wrong in ["a:b", "a;b", "a,b", "\"a\"", "BYE", "bye", &"x".repeat(33), "é"] {
            assert!(parse(&format!("JOIN g {wrong}")).is_err(), "{wrong}");
        }
        assert!(parse(&format!("JOIN g {}", "x".repeat(32))).is_ok());
    }
}
