//! What a client says: `TYPE|PLAYER_ID|ROOM_ID|key=value...`, the text alone, without context.

use super::lines::{Kick, Wrong};
use super::{Action, Card, Play};

/// A client's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb<'a> {
    Connect {
        name: &'a str,
    },
    JoinRoom,
    Ping,
    StartGame,
    Reconnect {
        name: &'a str,
    },
    /// The error is for a player who could play.
    PlayCards(Result<Action, Wrong>),
    PickupPile,
    /// A type the protocol knows, but not from a client.
    Foreign,
}

/// Reads a line that is not empty. The ids a client sends are ignored: it is who it connected as.
pub fn parse(line: &str) -> Result<Verb<'_>, Kick> {
    let (number, rest) = cut(line, b'|').ok_or(Kick::InvalidFormat)?;
    let data = Data(rest);
    Ok(match message_type(number).ok_or(Kick::InvalidFormat)? {
        0 => Verb::Connect { name: data.get("name") },
        2 => Verb::JoinRoom,
        4 => Verb::Ping,
        5 => Verb::StartGame,
        6 => Verb::Reconnect { name: data.get("name") },
        7 => Verb::PlayCards(cards(data.get("cards"))),
        8 => Verb::PickupPile,
        1 | 3 | 100..=112 => Verb::Foreign,
        _ => return Err(Kick::UnknownType),
    })
}

/// Decimal digits, 0 to 199. A sign, a space or a letter is none.
fn message_type(text: &str) -> Option<u8> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| digits && *number < 200)
}

/// What follows the type: two ids, then pairs.
struct Data<'a>(&'a str);

impl<'a> Data<'a> {
    /// The value of a key, empty if it is not there. Of a repeated key the last counts, and what
    /// is no pair is ignored.
    fn get(&self, key: &str) -> &'a str {
        let pairs = tokens(self.0).skip(2).filter_map(|token| cut(token, b'='));
        pairs.filter(|(name, _)| *name == key).last().map_or("", |(_, value)| value)
    }
}

/// What stands between the bars.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let (token, after) =
            cut(text, b'|').map_or((text, None), |(token, after)| (token, Some(after)));
        rest = after;
        Some(token)
    })
}

/// What stands before a byte of ASCII and after it. Lines are short, so this is quicker than a
/// search for a character.
fn cut(text: &str, at: u8) -> Option<(&str, &str)> {
    let place = text.bytes().position(|byte| byte == at)?;
    Some((&text[..place], &text[place + 1..]))
}

/// `RESERVE`, or cards with commas between them.
fn cards(text: &str) -> Result<Action, Wrong> {
    match text {
        "" => return Err(Wrong::NoCards),
        "RESERVE" => return Ok(Action::Reserve),
        _ => {}
    }
    let mut play = Play::EMPTY;
    for code in text.split(',') {
        let card: Card = code.parse().map_err(|_| Wrong::NotACard)?;
        // There are four cards of a rank, so more than four are never one play.
        if play.len() == 4 {
            return Err(Wrong::TooManyCards);
        }
        play.push(card);
    }
    Ok(Action::Play(play))
}

/// Whether a player may be called so.
pub fn check_name(name: &str) -> Result<(), Wrong> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    match name {
        "" => Err(Wrong::EmptyName),
        _ if name.len() > 32 => Err(Wrong::LongName),
        _ if !name.bytes().all(fits) => Err(Wrong::OddName),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bar_is_enough_and_ids_are_ignored() {
        for line in ["2|", "2||", "2|||", "2|Alice|ROOM_7|", "002|", "2|a|b|c|d=e|="] {
            assert_eq!(parse(line), Ok(Verb::JoinRoom), "{line}");
        }
    }

    #[test]
    fn pairs_are_split_at_the_first_equals_sign_and_the_last_of_a_key_counts() {
        let names = [
            ("0|||name=Alice", "Alice"),
            ("0|||name=a=b", "a=b"),
            ("0|||name=Alice|name=Bob", "Bob"),
            ("0|||junk|x=y|name=Bob|junk", "Bob"),
            ("0|||", ""),
            ("0|name=Alice|name=Alice", ""),
            ("0|||NAME=Alice", ""),
        ];
        for (line, name) in names {
            assert_eq!(parse(line), Ok(Verb::Connect { name }), "{line}");
        }
    }

    #[test]
    fn a_type_is_digits_up_to_199() {
        for line in ["", "4", "|||", " 4|||", "+4|||", "4abc|||", "-1|||", "200|||", "4.0|", "٤|"]
        {
            assert_eq!(parse(line), Err(Kick::InvalidFormat), "{line}");
        }
        for number in (9..100).chain(113..200) {
            assert_eq!(parse(&format!("{number}|||")), Err(Kick::UnknownType));
        }
        for number in [1, 3].into_iter().chain(100..=112) {
            assert_eq!(parse(&format!("{number}|||")), Ok(Verb::Foreign));
        }
    }

    #[test]
    fn cards_are_codes_with_commas_or_the_one_word() {
        let play = |codes: &[&str]| {
            let cards: Vec<Card> = codes.iter().map(|code| code.parse().unwrap()).collect();
            Ok(Action::Play(Play::from_slice(&cards).unwrap()))
        };
        assert_eq!(cards("RESERVE"), Ok(Action::Reserve));
        assert_eq!(cards("10D"), play(&["10D"]));
        assert_eq!(cards("2H,2D,2C"), play(&["2H", "2D", "2C"]));
        assert_eq!(cards(""), Err(Wrong::NoCards));
        for wrong in ["reserve", "2h", "1S", "2H,", ",", "2H 2D", "RESERVE,2H"] {
            assert_eq!(cards(wrong), Err(Wrong::NotACard), "{wrong}");
        }
        assert_eq!(cards("2H,2D,2C,2S,2H"), Err(Wrong::TooManyCards));
    }

    #[test]
    fn names_are_judged_by_length_before_their_letters() {
        assert_eq!(check_name("Al_ice-9"), Ok(()));
        assert_eq!(check_name(&"x".repeat(32)), Ok(()));
        assert_eq!(check_name(""), Err(Wrong::EmptyName));
        assert_eq!(check_name(&"é".repeat(17)), Err(Wrong::LongName));
        for odd in ["é", "a b", "a,b", "a.b", "a\0", " "] {
            assert_eq!(check_name(odd), Err(Wrong::OddName), "{odd}");
        }
    }
}
