//! What the server says: each line as it looks on the wire.
//!
//! Keys stand in bytewise order, with two exceptions the wire document itself makes: the end of
//! a game, and the error that closes a connection.

use hall::Company;
use rules::Seat;

use super::{Card, Reason, View};

pub const PONG: &str = "104||";

pub fn connected(name: &str) -> String {
    format!("100|{name}||name={name}|status=success")
}

/// To who has joined.
pub fn room_joined(company: &Company, joiner: Seat) -> String {
    let (name, room) = (company.name(joiner), &company.table);
    let (count, players, full) = players(company, joiner);
    format!(
        "101|{name}|{room}|player_count={count}|players={players}|room_full={full}|status=success"
    )
}

/// To those who were there before.
pub fn player_joined(company: &Company, joiner: Seat) -> String {
    let (name, room) = (company.name(joiner), &company.table);
    let (count, players, full) = players(company, joiner);
    format!(
        "101|{name}|{room}|broadcast_type=room_notification|joined_player={name}|\
         player_count={count}|players={players}|room_full={full}|status=success"
    )
}

/// How many, who in order of joining, and whether that is all. A room has two seats, so whoever
/// has just joined stands last.
fn players(company: &Company, joiner: Seat) -> (usize, String, bool) {
    let others = Seat::all(company.seats.len()).filter(|seat| *seat != joiner);
    let mut players = String::new();
    for seat in others.filter(|seat| company.seats[seat.index()].is_some()) {
        players += company.name(seat);
        players += ",";
    }
    players += company.name(joiner);
    (company.count(), players, company.count() == company.seats.len())
}

pub fn room_left(name: &str) -> String {
    format!("102|{name}||status=left")
}

/// To who called the start.
pub fn game_started(room: &str) -> String {
    format!("105||{room}|status=started")
}

/// To the other player.
pub fn game_was_started(room: &str) -> String {
    format!("105||{room}|broadcast_type=room_notification|status=started")
}

/// The state of a running game, as one of its players sees it. It is said twice a turn, so it is
/// put together without the machinery of `format!`.
#[rustfmt::skip]
pub fn game_state(company: &Company, seat: Seat, view: &View) -> String {
    let rival = seat.next(view.seats.len());
    let (own, other) = (&view.seats[seat.index()], &view.seats[rival.index()]);
    let mut line = String::with_capacity(320 + 4 * own.hand_size);
    let mut say = |parts: &[&str]| parts.iter().for_each(|part| line.push_str(part));
    say(&[
        "106|", company.name(seat), "|", &company.table,
        "|current_player=", view.to_act.map_or("", |seat| company.name(seat)),
        "|deck_size=", count(view.deck_size),
        "|discard_pile_size=", count(view.pile.len()),
        "|hand=",
    ]);
    let mut comma = "";
    for card in own.hand.as_deref().unwrap_or(&[]) {
        say(&[comma, card.code()]);
        comma = ",";
    }
    say(&[
        "|must_play_low=", truth(view.must_play_low),
        "|opponent_hand=", count(other.hand_size),
        "|opponent_name=", company.name(rival),
        "|opponent_reserves=", count(other.reserves),
        "|reserves=", count(own.reserves),
        "|top_card=", view.top().map_or(EMPTY_PILE, Card::code),
        "|your_turn=", truth(view.to_act == Some(seat)),
    ]);
    line
}

/// A number of cards, in digits.
fn count(cards: usize) -> &'static str {
    const COUNTS: [&str; Card::COUNT + 1] = [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16",
        "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31",
        "32", "33", "34", "35", "36", "37", "38", "39", "40", "41", "42", "43", "44", "45", "46",
        "47", "48", "49", "50", "51", "52",
    ];
    COUNTS[cards]
}

fn truth(is: bool) -> &'static str {
    if is { "true" } else { "false" }
}

/// No card is a one; it stands for none.
const EMPTY_PILE: &str = "1S";

pub fn player_disconnected(name: &str, company: &Company, gone: &str, status: &str) -> String {
    let room = &company.table;
    format!("107|{name}|{room}|disconnected_player={gone}|status={status}")
}

pub fn player_reconnected(name: &str, company: &Company, back: &str) -> String {
    let room = &company.table;
    format!("109|{name}|{room}|reconnected_player={back}|status=reconnected")
}

pub fn played(name: &str) -> String {
    ["111|", name, "||result=play_success|status=success"].concat()
}

pub fn picked_up(name: &str) -> String {
    ["111|", name, "||result=pickup_success|status=success"].concat()
}

pub fn game_over(name: &str, company: &Company, view: Option<&View>) -> String {
    let ending = view.and_then(|view| view.ending);
    let winner = ending.and_then(|ending| ending.winner).map_or("", |seat| company.name(seat));
    let reason = match ending.map(|ending| ending.reason) {
        Some(Reason::NoCardsRemaining) => "no_cards_remaining",
        Some(Reason::Retirement) => "opponent_disconnect",
        // The wire document knows no draw and no game without a result.
        Some(Reason::TurnLimit) => "turn_limit",
        None => "game_aborted",
    };
    let room = &company.table;
    format!("112|{name}|{room}|winner={winner}|reason={reason}|status=game_over")
}

/// A request refused. The connection stays, however often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    EmptyName,
    LongName,
    OddName,
    NameTaken,
    NeedsKey,
    KeyRequired,
    OtherKey,
    BannedName,
    BannedKey,
    MustConnect,
    NameRequired,
    DifferentPlayer,
    ReconnectionFailed,
    JoiningRoom,
    NoRoom,
    CannotStart,
    NoCards,
    InvalidPlay,
    /// The same to the client, for causes that the rules do not know.
    NotACard,
    TooManyCards,
    PlayedEarly,
    PlayedLate,
    CannotPickup,
    PickedUpEarly,
    PickedUpLate,
    UnknownType,
}

impl Wrong {
    #[rustfmt::skip]
    pub fn line(self) -> &'static str {
        match self {
            Wrong::EmptyName => "103|||error=Player name cannot be empty",
            Wrong::LongName => "103|||error=Player name too long (max 32 characters)",
            Wrong::OddName => "103|||error=Player name contains invalid characters (only letters, numbers, _, - allowed)",
            Wrong::NameTaken => "103|||error=Connection failed - name already taken",
            Wrong::NeedsKey => "103|||error=Connection failed - name belongs to whoever has its key (name=NAME:KEY)",
            Wrong::OtherKey => "103|||error=Connection failed - this is not the key of this name",
            Wrong::BannedName => "103|||error=Connection failed - this name is banned here",
            Wrong::KeyRequired => "103|||error=Connection failed - every player here needs a key: claim your name on the page /connect (name=NAME:KEY)",
            Wrong::BannedKey => "103|||error=Connection failed - your key is banned here",
            Wrong::MustConnect => "103|||error=Must connect first",
            Wrong::NameRequired => "103|||error=Player name required",
            Wrong::DifferentPlayer => "103|||error=Cannot reconnect as different player",
            Wrong::ReconnectionFailed => "103|||error=Reconnection failed",
            Wrong::JoiningRoom => "103|||error=Error occurred while joining room",
            Wrong::NoRoom => "103|||error=Not in any room",
            Wrong::CannotStart => "103|||error=Cannot start game",
            Wrong::NoCards => "103|||error=No cards specified",
            Wrong::InvalidPlay | Wrong::NotACard | Wrong::TooManyCards | Wrong::PlayedEarly | Wrong::PlayedLate => {
                "103|||error=Invalid card play"
            }
            Wrong::CannotPickup | Wrong::PickedUpEarly | Wrong::PickedUpLate => "103|||error=Cannot pickup pile",
            Wrong::UnknownType => "103|||error=Unknown message type",
        }
    }
}

impl Wrong {
    /// What the line does not say, for the author of the bot.
    pub fn cause(self) -> Option<&'static str> {
        match self {
            Wrong::NotACard => Some(
                "there is no such card: a card is 2 to 10, J, Q, K or A and then H, D, C or S, such as 10H",
            ),
            Wrong::TooManyCards => Some("there are only four cards of a rank"),
            Wrong::PlayedEarly | Wrong::PickedUpEarly => Some("the game has not started"),
            Wrong::PlayedLate | Wrong::PickedUpLate => {
                Some("the move was sent before the newest 106 could be read")
            }
            _ => None,
        }
    }

    #[cfg(test)]
    #[rustfmt::skip]
    pub const ALL: [Wrong; 26] = {
        use Wrong::*;
        [
            EmptyName,
            LongName,
            OddName,
            NameTaken,
            NeedsKey,
            KeyRequired,
            OtherKey,
            BannedName,
            BannedKey,
            MustConnect,
            NameRequired,
            DifferentPlayer,
            ReconnectionFailed,
            JoiningRoom,
            NoRoom,
            CannotStart,
            NoCards,
            InvalidPlay,
            NotACard,
            TooManyCards,
            PlayedEarly,
            PlayedLate,
            CannotPickup,
            PickedUpEarly,
            PickedUpLate,
            UnknownType,
        ]
    };
}

/// What no client of this protocol sends. The connection is closed after the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kick {
    InvalidFormat,
    UnknownType,
    TooLarge,
}

impl Kick {
    #[cfg(test)]
    pub const ALL: [Kick; 3] = [Kick::InvalidFormat, Kick::UnknownType, Kick::TooLarge];

    pub fn line(self) -> &'static str {
        match self {
            Kick::InvalidFormat => "103|||error=Invalid message format|disconnect=true",
            Kick::UnknownType => "103|||error=Unknown message type|disconnect=true",
            Kick::TooLarge => "103|||error=Message too large|disconnect=true",
        }
    }

    /// Why, for the log and the journal.
    pub fn reason(self) -> &'static str {
        match self {
            Kick::InvalidFormat => "invalid message format",
            Kick::UnknownType => "unknown message type",
            Kick::TooLarge => "message too large",
        }
    }
}
