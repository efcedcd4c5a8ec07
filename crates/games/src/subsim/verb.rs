//! What a client says: the text alone, without context.
//!
//! Type letters and directions are upper case only; equipment is known in any case. White space
//! around a field does not count. Every error text is one line of plain characters whose second
//! is not `|`, so that no client takes it for a message.

use ::rules::Illegal;
use hall::split_key;

use super::rules::{Command, Direction, Equipment, Square};

/// A line, by its type. What is wrong with it matters only where its type is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    Join(Result<Join, &'static str>),
    Order(Result<Order, Mistake>),
    /// Nothing a client can say, and why.
    Unknown(Mistake),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    /// As the client said it, perhaps with a key behind the name.
    pub said: String,
    /// Columns and rows as they were given; none where there was no number.
    pub coordinates: Vec<Option<u32>>,
}

/// A command for one submarine in one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    pub turn: u32,
    pub sub: u32,
    pub command: Command,
}

/// What is wrong with an order, in words for the client.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mistake {
    #[error("Empty message")]
    Empty,
    #[error("Invalid command type: {0}")]
    CommandType(String),
    #[error("Command messages must begin with turn number and sub ID")]
    NoTurnAndSub,
    #[error("Invalid turn number: {0}")]
    Turn(String),
    #[error("Invalid sub ID: {0}")]
    Sub(String),
    #[error("Incorrect number of fields in {0} command")]
    Fields(String),
    #[error("Invalid coordinates: {0} {1}")]
    Coordinates(String, String),
    #[error("Invalid distance: {0}")]
    Distance(String),
    #[error("Invalid direction: {0}")]
    Direction(String),
    #[error("Unknown equipment name: '{0}'")]
    Equipment(String),
    #[error("Game has not started")]
    NotStarted,
    #[error("Multiple commands for sub ID {0}")]
    Repeated(u8),
    /// What the rules say.
    #[error(transparent)]
    Illegal(#[from] Illegal),
}

pub fn parse(line: &str) -> Verb {
    let fields: Vec<&str> = line.split('|').map(stripped).collect();
    match (fields[0], &fields[1..]) {
        ("J", values) => Verb::Join(join(values)),
        (letter @ ("M" | "S" | "P" | "F" | "D" | "R" | "U"), values) => {
            Verb::Order(order(letter, values))
        }
        ("", []) => Verb::Unknown(Mistake::Empty),
        (other, _) => Verb::Unknown(Mistake::CommandType(shown(other))),
    }
}

fn join(values: &[&str]) -> Result<Join, &'static str> {
    let (said, coordinates) = values.split_first().ok_or("protocol error")?;
    check_name(split_key(said).0)?;
    let coordinates = coordinates.iter().map(|text| number(text)).collect();
    Ok(Join { said: (*said).to_owned(), coordinates })
}

/// Words the original server keeps for itself.
const RESERVED: [&str; 7] = ["server", "player", "new_game", "all", "you", "new", "me"];

/// Whether a player may be called so.
pub fn check_name(name: &str) -> Result<(), &'static str> {
    if name.is_empty() {
        return Err("protocol error");
    }
    // The protocol is ASCII; what a terminal would take for a command is no name either.
    let fits = |c: char| (c == ' ' || c.is_ascii_graphic()) && !"<>[]{}()|".contains(c);
    let reserved = RESERVED.iter().any(|word| word.eq_ignore_ascii_case(name));
    let begins_well = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if name.len() < 2 || !begins_well || !name.chars().all(fits) || reserved {
        return Err("invalid name");
    }
    if name.len() > 12 {
        return Err("name too long");
    }
    Ok(())
}

fn order(letter: &str, values: &[&str]) -> Result<Order, Mistake> {
    let [turn, sub, values @ ..] = values else {
        return Err(Mistake::NoTurnAndSub);
    };
    let turn = number(turn).ok_or_else(|| Mistake::Turn(shown(turn)))?;
    let sub = number(sub).ok_or_else(|| Mistake::Sub(shown(sub)))?;
    let command = match (letter, values) {
        ("M", [to, equip]) => Command::Move(direction(to)?, equipment(equip)?),
        ("S", [first, second]) => Command::Sleep(equipment(first)?, equipment(second)?),
        ("P", []) => Command::Ping,
        ("F", [x, y]) => {
            let target = square(number(x), number(y));
            Command::Fire(target.ok_or_else(|| Mistake::Coordinates(shown(x), shown(y)))?)
        }
        ("D", [to]) => Command::Mine(direction(to)?),
        ("R", [to, distance]) => {
            let squares = number(distance);
            let squares = squares.ok_or_else(|| Mistake::Distance(shown(distance)))?;
            Command::Sprint(direction(to)?, squares)
        }
        ("U", []) => Command::Surface,
        (letter, _) => return Err(Mistake::Fields(letter.to_owned())),
    };
    Ok(Order { turn, sub, command })
}

fn direction(text: &str) -> Result<Direction, Mistake> {
    match text {
        "N" => Ok(Direction::North),
        "E" => Ok(Direction::East),
        "S" => Ok(Direction::South),
        "W" => Ok(Direction::West),
        other => Err(Mistake::Direction(shown(other))),
    }
}

fn equipment(text: &str) -> Result<Equipment, Mistake> {
    match text.to_ascii_lowercase().as_str() {
        "sonar" => Ok(Equipment::Sonar),
        "torpedo" => Ok(Equipment::Torpedo),
        "mine" => Ok(Equipment::Mine),
        "sprint" => Ok(Equipment::Sprint),
        "none" => Ok(Equipment::None),
        _ => Err(Mistake::Equipment(shown(text))),
    }
}

/// "Decimal digits, unsigned", with or without a plus. No turn, map or sprint is as long as the
/// greatest number, so a greater one is as good.
fn number(text: &str) -> Option<u32> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let all_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    all_digits.then(|| digits.parse().unwrap_or(u32::MAX))
}

/// The square of two coordinates; one that is too great for any map stays off every map.
pub fn square(x: Option<u32>, y: Option<u32>) -> Option<Square> {
    let side = |number: u32| u16::try_from(number).unwrap_or(u16::MAX);
    Some(Square::new(side(x?), side(y?)))
}

fn stripped(field: &str) -> &str {
    field.trim_matches([' ', '\t', '\r', '\x0b', '\x0c'])
}

/// What a client sent, fit to be sent back.
fn shown(text: &str) -> String {
    if text.is_empty() {
        return "nothing".to_owned();
    }
    text.chars().filter(|c| *c == ' ' || c.is_ascii_graphic()).take(20).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        match parse(line) {
            Verb::Order(Ok(order)) => order.command,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn complaint(line: &str) -> String {
        match parse(line) {
            Verb::Order(Err(why)) | Verb::Unknown(why) => why.to_string(),
            Verb::Join(Err(why)) => why.to_owned(),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn the_seven_commands() {
        use Command::*;
        use Direction::*;
        use Equipment::*;
        let cases = [
            ("M|5|0|N|Sonar", Move(North, Sonar)),
            ("S|5|0|Torpedo|None", Sleep(Torpedo, None)),
            ("P|5|0", Ping),
            ("F|5|0|31|15", Fire(Square::new(31, 15))),
            ("D|5|0|W", Command::Mine(West)),
            ("R|5|0|E|2", Command::Sprint(East, 2)),
            ("U|5|0", Surface),
        ];
        for (line, expected) in cases {
            let order = Order { turn: 5, sub: 0, command: expected };
            assert_eq!(parse(line), Verb::Order(Ok(order)), "{line}");
        }
    }

    #[test]
    fn white_space_around_fields_does_not_count() {
        assert_eq!(parse(" M | 1\t|0 | N | Sonar \r"), parse("M|1|0|N|Sonar"));
    }

    #[test]
    fn equipment_in_any_case_directions_and_types_in_upper_case() {
        assert_eq!(command("M|1|0|N|sOnAr"), command("M|1|0|N|Sonar"));
        assert_eq!(complaint("M|1|0|n|Sonar"), "Invalid direction: n");
        assert_eq!(complaint("m|1|0|N|Sonar"), "Invalid command type: m");
        assert_eq!(complaint("M|1|0|N|Lasers"), "Unknown equipment name: 'Lasers'");
    }

    #[test]
    fn numbers_are_digits_with_or_without_a_plus() {
        assert_eq!(parse("P|+1|0"), parse("P|1|0"));
        assert_eq!(command("R|1|0|E|99999999999"), Command::Sprint(Direction::East, u32::MAX));
        assert_eq!(command("F|1|0|65536|4294967296"), Command::Fire(Square::new(65535, 65535)));
        for wrong in ["P|-1|0", "P||0", "P|++1|0", "P|0x1|0", "P|1.0|0", "P|1e0|0", "P|\u{661}|0"] {
            assert!(complaint(wrong).starts_with("Invalid turn number: "), "{wrong}");
        }
        assert_eq!(complaint("P|1|x"), "Invalid sub ID: x");
        assert_eq!(complaint("R|1|0|E|-2"), "Invalid distance: -2");
        assert_eq!(complaint("F|1|0||5"), "Invalid coordinates: nothing 5");
    }

    #[test]
    fn fields_are_exact_in_number() {
        for line in ["M|1|0|N", "M|1|0|N|Sonar|", "S|1|0|None", "P|1|0|", "U|1|0|x", "D|1|0"] {
            let letter = &line[..1];
            let expected = format!("Incorrect number of fields in {letter} command");
            assert_eq!(complaint(line), expected, "{line}");
        }
        for line in ["M", "M|1", "U|"] {
            let expected = "Command messages must begin with turn number and sub ID";
            assert_eq!(complaint(line), expected, "{line}");
        }
    }

    #[test]
    fn lines_that_are_nothing() {
        assert_eq!(complaint(""), "Empty message");
        assert_eq!(complaint(" \t"), "Empty message");
        assert_eq!(complaint("X|1"), "Invalid command type: X");
        assert_eq!(complaint("|1|0"), "Invalid command type: nothing");
        assert_eq!(complaint("\u{1b}[2J\u{e9}"), "Invalid command type: [2J");
    }

    #[test]
    fn names() {
        let cases = [
            ("J", Err("protocol error")),
            ("J|", Err("protocol error")),
            ("J| |5|5", Err("protocol error")),
            ("J|a", Err("invalid name")),
            ("J|7up", Err("invalid name")),
            ("J|a(b", Err("invalid name")),
            ("J|a\tb", Err("invalid name")),
            ("J|zo\u{e9}", Err("invalid name")),
            ("J|Me", Err("invalid name")),
            ("J|NEW_game", Err("invalid name")),
            ("J|<abcdefghijklm", Err("invalid name")),
            ("J|abcdefghijklm", Err("name too long")),
            ("J|Captain Nimo", Ok("Captain Nimo")),
            ("J| ab ", Ok("ab")),
        ];
        for (line, expected) in cases {
            let Verb::Join(join) = parse(line) else { panic!("{line}") };
            assert_eq!(join.as_ref().map(|join| join.said.as_str()), expected.as_ref().copied());
        }
    }

    #[test]
    fn coordinates_are_kept_as_given() {
        let Verb::Join(Ok(join)) = parse("J|ann|13|+3|x||-1|") else { panic!() };
        assert_eq!(join.coordinates, [Some(13), Some(3), None, None, None, None]);
    }
}
