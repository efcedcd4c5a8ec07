//! A player of Gamba's protocol.
//!
//! ```text
//! nobody ──0 or 6──▶ (entering) ──100──▶ lobby ──2, 101──▶ waiting ──5, 105──▶ playing
//!    ▲                                     ▲                                      │
//!    └──────────── the connection is gone  └──────────────112, 102────────────────┘
//! ```
//!
//! The wire shows the top of the pile and nothing beneath, never says which seat is whose, and
//! never what was burned. Here the pile is the tops that were seen, the player who moves first
//! has seat 0, and the rest stays empty.

use hall::{Time, split_key};
use rules::{Seat, Viewer};
use wire::{Client, Ending, Player, Reaction, Signs};

use super::rules::{Action, Card, Cards, Deal, Gamba, Ranks, SeatView, View};
use super::verb::{self, Verb};

pub fn client(player: Player<Gamba>) -> Box<dyn Client> {
    Box::new(BarClient {
        player,
        link: Link::Closed,
        known: false,
        failures: 0,
        stage: Progress::Idle,
        alarm: None,
        ping_at: None,
    })
}

pub const SIGNS: Signs = Signs {
    is_move: |text| text.starts_with("7|") || text.starts_with("8|"),
    is_refusal: |text| text.starts_with("103|"),
    // Where both call the start, one of them is too late.
    is_forgiven: too_late_to_start,
    is_end: |text| text.starts_with("112|"),
    refusal: Some(|_| "103|||error=Invalid card play".to_owned()),
    said_name: |text| match verb::parse(text) {
        Ok(Verb::Connect { name } | Verb::Reconnect { name }) => Some(split_key(name).0.to_owned()),
        _ => None,
    },
    nth_name: |number| format!("bot{}", number + 1),
    given_names: false,
};

fn too_late_to_start(text: &str) -> bool {
    text.ends_with("error=Cannot start game")
}

/// Servers miss a PING after a minute.
const PING_MS: u64 = 20_000;
/// Whoever sat down first lets the newcomer call the start.
const START_MS: u64 = 500;
/// A game that still runs is told at once to who comes back.
const RETURN_MS: u64 = 2000;
const ENTER_AGAIN_MS: u64 = 1000;
const ENTER_ATTEMPTS: u32 = 10;

struct BarClient {
    player: Player<Gamba>,
    link: Link,
    /// Whether the hall knows this player: then it comes back by its name.
    known: bool,
    failures: u32,
    stage: Progress,
    alarm: Option<(Time, Alarm)>,
    ping_at: Option<Time>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    Closed,
    /// The name was said: as a newcomer's, or as that of somebody who comes back.
    Entering {
        returning: bool,
    },
    Entered,
}

enum Progress {
    Idle,
    /// A game is wanted.
    Looking,
    Waiting,
    Playing(Box<Play>),
}

struct Play {
    view: View,
    /// The last state, to tell a repetition from a turn.
    last: String,
    ending: Option<Ending>,
    /// A move was refused in this state already.
    refused: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Alarm {
    Enter,
    Start,
    /// Nobody has told of a game: it was over.
    Missed,
}

/// A line of the server: its type and its pairs.
struct ServerLine<'a>(&'a str);

impl<'a> ServerLine<'a> {
    fn kind(&self) -> &'a str {
        fields(self.0, b'|').next().unwrap_or_default()
    }

    fn pairs(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        fields(self.0, b'|').skip(3).filter_map(|pair| {
            let (key, value) = pair.split_at(pair.bytes().position(|byte| byte == b'=')?);
            Some((key, &value[1..]))
        })
    }

    fn get(&self, key: &str) -> &'a str {
        self.pairs().filter(|(name, _)| *name == key).last().map_or("", |(_, value)| value)
    }
}

/// What stands between ASCII separators. The fields are so short that to walk over them takes half
/// as long as `str::split`, which sets out to search each.
fn fields(text: &str, separator: u8) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let Some(end) = text.bytes().position(|byte| byte == separator) else { return Some(text) };
        rest = Some(&text[end + 1..]);
        Some(&text[..end])
    })
}

/// What a 106 says of the game.
#[derive(Default)]
struct State<'a> {
    hand: &'a str,
    reserves: usize,
    opponent_hand: usize,
    opponent_reserves: usize,
    deck_size: usize,
    pile_size: usize,
    top: Option<Card>,
    must_play_low: bool,
    your_turn: bool,
}

impl<'a> State<'a> {
    fn read(line: &ServerLine<'a>) -> State<'a> {
        let number = |value: &str| value.parse().unwrap_or(0);
        let mut state = State::default();
        for (key, value) in line.pairs() {
            match key {
                "hand" => state.hand = value,
                "reserves" => state.reserves = number(value),
                "opponent_hand" => state.opponent_hand = number(value),
                "opponent_reserves" => state.opponent_reserves = number(value),
                "deck_size" => state.deck_size = number(value),
                "discard_pile_size" => state.pile_size = number(value),
                "top_card" => state.top = value.parse().ok(),
                "must_play_low" => state.must_play_low = value == "true",
                "your_turn" => state.your_turn = value == "true",
                _ => {}
            }
        }
        state
    }
}

impl BarClient {
    fn enter(&mut self, out: &mut Vec<Reaction>) {
        let (kind, name) = (if self.known { 6 } else { 0 }, &self.player.name);
        out.push(Reaction::Say(format!("{kind}|||name={name}")));
        self.link = Link::Entering { returning: self.known };
    }

    fn entered(&mut self, now: Time, out: &mut Vec<Reaction>) {
        self.link = Link::Entered;
        self.known = true;
        self.failures = 0;
        self.ping_at = Some(now + PING_MS);
        match self.stage {
            Progress::Looking | Progress::Waiting => {
                self.stage = Progress::Looking;
                out.push(Reaction::Say("2|||".to_owned()));
            }
            Progress::Playing(_) => self.alarm = Some((now + RETURN_MS, Alarm::Missed)),
            Progress::Idle => {}
        }
    }

    fn refused(&mut self, now: Time, text: &str, out: &mut Vec<Reaction>) {
        match (self.link, &mut self.stage) {
            (Link::Entering { returning }, _) => {
                self.failures += 1;
                if self.failures > ENTER_ATTEMPTS {
                    out.push(Reaction::GiveUp(text.to_owned()));
                    return;
                }
                // The name is taken, perhaps by a former self; or nobody remembers it.
                self.known = !returning;
                if returning && matches!(self.stage, Progress::Playing(_)) {
                    self.over(Ending::unknown(text), out);
                }
                if self.failures % 2 == 1 {
                    self.enter(out);
                } else {
                    self.alarm = Some((now + ENTER_AGAIN_MS, Alarm::Enter));
                }
            }
            // The other was faster; the game that has begun is all that was wanted.
            (Link::Entered, _) if too_late_to_start(text) => {}
            // Without a PING in time the server forgets who this is.
            (Link::Entered, _) if text.contains("Must connect first") => self.enter(out),
            (Link::Entered, Progress::Looking) => {
                // Whoever comes back may sit in a room already.
                self.stage = Progress::Waiting;
                self.alarm = Some((now + START_MS, Alarm::Start));
            }
            (Link::Entered, Progress::Playing(play)) => {
                out.push(Reaction::Refused(text.to_owned()));
                let its_turn = play.view.to_act == play.view.viewer.seat();
                if its_turn && !std::mem::replace(&mut play.refused, true) {
                    out.push(Reaction::Move(play.safest()));
                }
            }
            _ => out.push(Reaction::Refused(text.to_owned())),
        }
    }

    fn joined(&mut self, now: Time, line: &ServerLine<'_>, out: &mut Vec<Reaction>) {
        self.stage = Progress::Waiting;
        if line.get("room_full") != "true" {
            return;
        }
        if line.get("broadcast_type").is_empty() {
            out.push(Reaction::Say("5|||".to_owned()));
        } else {
            self.alarm = Some((now + START_MS, Alarm::Start));
        }
    }

    fn state(&mut self, text: &str, out: &mut Vec<Reaction>) {
        self.alarm = None;
        let state = State::read(&ServerLine(text));
        if !matches!(self.stage, Progress::Playing(_)) {
            self.player.begin();
            // Seat 0 moves first.
            let seat = Seat(u8::from(!state.your_turn));
            self.stage = Progress::Playing(Box::new(Play::new(seat)));
        }
        let Progress::Playing(play) = &mut self.stage else { return };
        play.hear(text, &state);
        if state.your_turn {
            out.push(Reaction::Move(match self.player.choose(&play.view) {
                Action::Play(cards) => {
                    let codes: Vec<&str> = cards.iter().map(|card| card.code()).collect();
                    format!("7|||cards={}", codes.join(","))
                }
                Action::Reserve => "7|||cards=RESERVE".to_owned(),
                Action::PickUp => "8|||".to_owned(),
            }));
        }
    }

    fn game_over(&mut self, line: &ServerLine<'_>) {
        let Progress::Playing(play) = &mut self.stage else { return };
        let winner = line.get("winner");
        let won = (!winner.is_empty()).then(|| winner == self.player.name);
        let points = won.map(i64::from);
        play.ending = Some(Ending { won, points, words: line.0.to_owned() });
    }

    /// Back in the lobby.
    fn left(&mut self, text: &str, out: &mut Vec<Reaction>) {
        let ending = match &mut self.stage {
            Progress::Playing(play) => play.ending.take().unwrap_or_else(|| Ending::unknown(text)),
            Progress::Waiting => Ending::unknown(text),
            Progress::Idle | Progress::Looking => return,
        };
        self.over(ending, out);
    }

    fn over(&mut self, ending: Ending, out: &mut Vec<Reaction>) {
        self.stage = Progress::Idle;
        self.alarm = None;
        out.push(Reaction::Over(ending));
    }
}

impl Client for BarClient {
    fn seek(&mut self, _now: Time, _table: Option<&str>, out: &mut Vec<Reaction>) {
        // Rooms cannot be chosen: the server brings together whom it likes.
        self.stage = Progress::Looking;
        if self.link == Link::Entered {
            out.push(Reaction::Say("2|||".to_owned()));
        }
    }

    fn open(&mut self, _now: Time, out: &mut Vec<Reaction>) {
        self.enter(out);
    }

    fn on_text(&mut self, now: Time, text: &str, out: &mut Vec<Reaction>) {
        let line = ServerLine(text);
        match line.kind() {
            "100" => self.entered(now, out),
            "101" => self.joined(now, &line, out),
            "102" => self.left(text, out),
            "103" => self.refused(now, text, out),
            "105" => self.alarm = None,
            "106" => self.state(text, out),
            "112" => self.game_over(&line),
            _ => {}
        }
    }

    fn closed(&mut self, _now: Time, out: &mut Vec<Reaction>) {
        self.link = Link::Closed;
        (self.alarm, self.ping_at) = (None, None);
        if let Progress::Playing(play) = &mut self.stage
            && let Some(ending) = play.ending.take()
        {
            self.over(ending, out);
        }
    }

    fn on_tick(&mut self, now: Time, out: &mut Vec<Reaction>) {
        if self.ping_at.is_some_and(|at| at <= now) {
            self.ping_at = Some(now + PING_MS);
            out.push(Reaction::Say("4|||".to_owned()));
        }
        let Some((_, alarm)) = self.alarm.take_if(|(at, _)| *at <= now) else { return };
        match alarm {
            Alarm::Enter => self.enter(out),
            Alarm::Start => out.push(Reaction::Say("5|||".to_owned())),
            Alarm::Missed => self.over(Ending::unknown("the game ended meanwhile"), out),
        }
    }

    fn deadline(&self) -> Option<Time> {
        self.ping_at.into_iter().chain(self.alarm.map(|(at, _)| at)).min()
    }
}

impl Play {
    fn new(seat: Seat) -> Play {
        let nobody = SeatView { hand_size: 0, hand: None, reserves: 0, reserve_cards: None };
        let view = View {
            viewer: Viewer::Seat(seat),
            // The wire does not tell; a deck that is there does.
            deal: Deal::Guide,
            turns_played: 0,
            to_act: None,
            pile: Cards::EMPTY,
            must_play_low: false,
            fits: Ranks::EMPTY,
            deck_size: 0,
            burned: Cards::EMPTY,
            seats: [nobody; 2],
            news: Vec::new(),
            ending: None,
        };
        Play { view, last: String::new(), ending: None, refused: false }
    }

    /// What hardly any server refuses: the pile, or on an empty one any card.
    fn safest(&self) -> String {
        let own = self.view.viewer.seat().unwrap_or_default();
        let hand = self.view.seats[own.index()].hand.unwrap_or_default();
        match (self.view.pile.is_empty(), hand.first()) {
            (false, _) => "8|||".to_owned(),
            (true, Some(card)) => format!("7|||cards={card}"),
            (true, None) => "7|||cards=RESERVE".to_owned(),
        }
    }

    fn hear(&mut self, text: &str, state: &State<'_>) {
        let view = &mut self.view;
        view.turns_played += u32::from(!self.last.is_empty() && self.last != text);
        text.clone_into(&mut self.last);
        self.refused = false;
        let own = view.viewer.seat().unwrap_or_default();
        let rival = own.next(view.seats.len());
        view.to_act = Some(if state.your_turn { own } else { rival });
        view.must_play_low = state.must_play_low;
        view.deck_size = state.deck_size;
        if state.deck_size > 0 {
            view.deal = Deal::FullDeck;
        }
        let mut hand = Cards::EMPTY;
        for card in fields(state.hand, b',').filter_map(|code| code.parse().ok()).take(Card::COUNT)
        {
            hand.push(card);
        }
        view.seats[own.index()] = SeatView {
            hand_size: hand.len(),
            hand: Some(hand),
            reserves: state.reserves,
            reserve_cards: None,
        };
        view.seats[rival.index()] = SeatView {
            hand_size: state.opponent_hand,
            hand: None,
            reserves: state.opponent_reserves,
            reserve_cards: None,
        };
        // A smaller pile is another one: it was picked up or burned meanwhile.
        let another = state.pile_size <= view.pile.len() && view.pile.last() != state.top.as_ref();
        if another || view.pile.len() == Card::COUNT {
            view.pile.clear();
        }
        let news = |top: &Card| state.pile_size > 0 && view.pile.last() != Some(top);
        if let Some(top) = state.top.filter(news) {
            view.pile.push(top);
        }
        view.fits = view.position().map(|position| position.fitting()).unwrap_or_default();
    }
}
