//! A player of Sushi Go's line protocol, in both dialects.
//!
//! ```text
//! idle ──GAMES──▶ looking ──JOIN──▶ joining ──WELCOME──▶ seated ──GAME_END──▶ idle
//!                    ▲                 │ ERROR            │  ▲
//!                    └────a while──────┘           dropped└──┘ REJOIN, REJOINED, STATUS
//! ```
//!
//! The wire tells everything a seat may know, but not again: after a drop, STATUS says how the
//! own side of the table looks, and what others laid meanwhile stays unknown.

use hall::Time;
use rules::{Seat, Viewer};
use serde::Deserialize;
use serde_json::{Deserializer, Map, Value};
use wire::{Client, Ending, Player, Reaction, Signs};

use super::lines;
use super::rules::{
    Action, Card, News, PassDirection, RoundEnd, SushiGo, View, ViewedSeat, scoring,
};
use super::verb::{self, Verb};

/// Both dialects are understood: they differ in details of what the server says alone.
pub fn client(player: Player<SushiGo>) -> Box<dyn Client> {
    Box::new(LineClient::new(player))
}

pub const SIGNS: Signs = Signs {
    is_move: |text| text.starts_with("PLAY ") || text.starts_with("CHOPSTICKS "),
    is_refusal: |text| text.starts_with("ERROR "),
    is_forgiven: |_| false,
    is_end: |text| text.starts_with("GAME_END "),
    refusal: Some(|_| "ERROR E006 Invalid card index".to_owned()),
    said_name: |text| match verb::parse(text) {
        Ok(Verb::Join { name, .. } | Verb::Tourney { name, .. }) => Some(name),
        _ => None,
    },
    nth_name: |number| format!("bot{}", number + 1),
    given_names: false,
};

/// How long to wait before looking for a table again.
const LOOK_AGAIN_MS: u64 = 500;
/// Whoever is refused so often has a name that nobody wants.
const MOST_REFUSALS: u32 = 20;

struct LineClient {
    player: Player<SushiGo>,
    connected: bool,
    stage: Progress,
    /// When to look for a table again.
    again: Option<Time>,
    /// How often it was refused a seat, one time after another.
    refusals: u32,
}

enum Progress {
    /// No game is wanted.
    Idle,
    /// A game is wanted, at this table or at any.
    Looking(Option<String>),
    Joining(Option<String>),
    Seated(Box<Place>),
}

struct Place {
    /// What is said to come back to it.
    way_back: String,
    view: View,
    /// In the order of their seats, as far as a PLAYED has told.
    names: Vec<String>,
    /// The way back: what STATUS says has not been heard yet, and a HAND waits for it.
    returning: bool,
    hand_waits: bool,
}

impl LineClient {
    fn new(player: Player<SushiGo>) -> LineClient {
        LineClient { player, connected: false, stage: Progress::Idle, again: None, refusals: 0 }
    }

    /// Says what leads on from here.
    fn proceed(&mut self, out: &mut Vec<Reaction>) {
        if !self.connected {
            return;
        }
        match &mut self.stage {
            Progress::Looking(Some(table)) => {
                let table = std::mem::take(table);
                out.push(Reaction::Say(format!("JOIN {table} {}", self.player.name)));
                self.stage = Progress::Joining(Some(table));
            }
            Progress::Looking(None) => out.push(Reaction::Say("GAMES".to_owned())),
            Progress::Seated(place) => {
                place.returning = true;
                out.push(Reaction::Say(place.way_back.clone()));
            }
            Progress::Idle | Progress::Joining(_) => {}
        }
    }

    fn games(&mut self, now: Time, list: &str, out: &mut Vec<Reaction>) {
        if !matches!(self.stage, Progress::Looking(_)) {
            return;
        }
        let games: Vec<Value> = serde_json::from_str(list).unwrap_or_default();
        let open = games.iter().find(|game| game["status"].as_str().is_none_or(|s| s == "waiting"));
        match open.and_then(|game| game["id"].as_str()) {
            Some(id) => {
                out.push(Reaction::Say(format!("JOIN {id} {}", self.player.name)));
                self.stage = Progress::Joining(None);
            }
            None => self.again = Some(now + LOOK_AGAIN_MS),
        }
    }

    fn welcome(&mut self, words: &[&str], out: &mut Vec<Reaction>) {
        let [_, seat, token, ..] = words else { return };
        let Ok(seat) = seat.parse() else { return };
        self.player.begin();
        self.stage = Progress::Seated(Box::new(Place::new(Seat(seat), format!("REJOIN {token}"))));
        out.push(Reaction::Say("READY".to_owned()));
    }

    /// It is back, perhaps in a game of which only the server knows, where a former self of its name
    /// sat: then there is no token, and the way back is the one it came.
    fn rejoined(&mut self, words: &[&str], out: &mut Vec<Reaction>) {
        if matches!(self.stage, Progress::Joining(_))
            && let [table, seat, ..] = words
            && let Ok(seat) = seat.parse()
        {
            self.player.begin();
            let way_back = format!("JOIN {table} {}", self.player.name);
            let place = Place { returning: true, ..Place::new(Seat(seat), way_back) };
            self.stage = Progress::Seated(Box::new(place));
        }
        if matches!(self.stage, Progress::Seated(_)) {
            // READY again, because the first one may have been lost; it never hurts.
            out.extend(["STATUS", "READY"].map(|word| Reaction::Say(word.to_owned())));
        }
    }

    fn refused(&mut self, now: Time, text: &str, out: &mut Vec<Reaction>) {
        match &mut self.stage {
            Progress::Joining(Some(_)) => {
                out.push(Reaction::GiveUp(text.to_owned()));
                self.stage = Progress::Idle;
            }
            Progress::Joining(None) if self.refusals == MOST_REFUSALS => {
                out.push(Reaction::GiveUp(text.to_owned()));
                self.stage = Progress::Idle;
            }
            // Somebody else was faster: another table.
            Progress::Joining(None) => {
                self.refusals += 1;
                self.stage = Progress::Looking(None);
                self.again = Some(now + LOOK_AGAIN_MS);
            }
            Progress::Seated(place) if place.returning => {
                out.push(Reaction::Refused(text.to_owned()));
                self.over(Ending::unknown(text), out);
            }
            Progress::Seated(place) => {
                out.push(Reaction::Refused(text.to_owned()));
                // The clock was faster, or the move was; else any card will do.
                if place.view.hand.is_some() && !text.starts_with("ERROR E008") {
                    out.push(Reaction::Move("PLAY 0".to_owned()));
                    place.view.hand = None;
                }
            }
            Progress::Idle | Progress::Looking(_) => out.push(Reaction::Refused(text.to_owned())),
        }
    }

    fn over(&mut self, ending: Ending, out: &mut Vec<Reaction>) {
        self.stage = Progress::Idle;
        out.push(Reaction::Over(ending));
    }

    fn choose(&mut self, out: &mut Vec<Reaction>) {
        let Progress::Seated(place) = &mut self.stage else { return };
        if place.view.hand.as_ref().is_none_or(Vec::is_empty) {
            return;
        }
        out.push(Reaction::Move(match self.player.choose(&place.view) {
            Action::Play(index) => format!("PLAY {index}"),
            Action::Chopsticks(first, second) => format!("CHOPSTICKS {first} {second}"),
        }));
    }

    fn in_game(&mut self, text: &str, out: &mut Vec<Reaction>) {
        let Progress::Seated(place) = &mut self.stage else { return };
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match word {
            "GAME_START" => place.begin(rest),
            "ROUND_START" => place.begin_round(rest),
            "PLAYED" => place.played(rest),
            "ROUND_END" => place.end_round(rest),
            "STATUS" => {
                place.caught_up(rest);
                if std::mem::take(&mut place.hand_waits) {
                    self.choose(out);
                }
            }
            "HAND" => {
                place.hear_hand(hand(rest));
                if place.returning {
                    place.hand_waits = true;
                } else {
                    self.choose(out);
                }
            }
            "GAME_END" => {
                let ending = ending(rest, &self.player.name, text);
                self.over(ending, out);
            }
            _ => {}
        }
    }
}

impl Client for LineClient {
    fn seek(&mut self, _now: Time, table: Option<&str>, out: &mut Vec<Reaction>) {
        self.stage = Progress::Looking(table.map(str::to_owned));
        self.proceed(out);
    }

    fn open(&mut self, _now: Time, out: &mut Vec<Reaction>) {
        self.connected = true;
        self.proceed(out);
    }

    fn on_text(&mut self, now: Time, text: &str, out: &mut Vec<Reaction>) {
        let mut words = text.split_ascii_whitespace();
        match words.next() {
            Some("GAMES") => self.games(now, text["GAMES".len()..].trim(), out),
            Some("WELCOME") => {
                self.refusals = 0;
                self.welcome(&words.collect::<Vec<_>>(), out);
            }
            Some("REJOINED") => {
                self.refusals = 0;
                self.rejoined(&words.collect::<Vec<_>>(), out);
            }
            Some("ERROR") => self.refused(now, text, out),
            _ => self.in_game(text, out),
        }
    }

    fn closed(&mut self, _now: Time, _out: &mut Vec<Reaction>) {
        self.connected = false;
        self.again = None;
        if let Progress::Joining(table) = &mut self.stage {
            self.stage = Progress::Looking(table.take());
        }
    }

    fn on_tick(&mut self, _now: Time, out: &mut Vec<Reaction>) {
        self.again = None;
        self.proceed(out);
    }

    fn deadline(&self) -> Option<Time> {
        self.again
    }
}

impl Place {
    fn new(seat: Seat, way_back: String) -> Place {
        let view = View {
            viewer: Viewer::Seat(seat),
            round: 0,
            turn: 0,
            turns: 0,
            passes_to: Vec::new(),
            two_player_pudding_penalty: true,
            hand_sizes: Vec::new(),
            hand: None,
            seats: Vec::new(),
            news: None,
            outcome: None,
            player_order: false,
        };
        Place { way_back, view, names: Vec::new(), returning: false, hand_waits: false }
    }

    fn begin(&mut self, players: &str) {
        let players = players.split(' ').next().and_then(|count| count.parse().ok());
        self.set_seats(players.unwrap_or(2));
    }

    /// Nobody plays alone, and there are never fewer seats than the own one needs.
    fn set_seats(&mut self, players: usize) {
        let own = self.view.viewer.seat().map_or(0, Seat::index).max(1);
        let empty = ViewedSeat { table: Vec::new(), puddings: 0, score: 0, exit: None };
        self.view.seats.resize(players.clamp(own + 1, Seat::MAX), empty);
    }

    /// Everybody holds as many cards; which way they go the wire does not tell, so it is the usual.
    fn hear_hand(&mut self, hand: Vec<Card>) {
        // Whoever was away when the game began has not heard how many play.
        self.set_seats(self.view.seats.len());
        let view = &mut self.view;
        let seats = view.seats.len();
        view.turns = view.turn.saturating_add(hand.len() as u8).saturating_sub(1);
        view.passes_to = PassDirection::Left.targets(view.round, seats);
        view.hand_sizes = vec![hand.len(); seats];
        view.hand = Some(hand);
    }

    fn begin_round(&mut self, round: &str) {
        self.view.round = round.trim().parse().unwrap_or(self.view.round + 1);
        self.view.turn = 1;
        self.view.seats.iter_mut().for_each(|seat| seat.table.clear());
    }

    /// `Alice:Tempura; Bob:Wasabi,Squid Nigiri`, in the order of the seats.
    fn played(&mut self, text: &str) {
        let entries = text.split("; ").filter_map(|entry| entry.split_once(':'));
        let (names, cards): (Vec<&str>, Vec<&str>) = entries.unzip();
        self.names = names.into_iter().map(str::to_owned).collect();
        self.set_seats(cards.len().max(self.view.seats.len()));
        let mut played = Vec::new();
        for (seat, cards) in self.view.seats.iter_mut().zip(cards) {
            let cards: Vec<Card> = cards.split(',').filter_map(lines::card).collect();
            if cards.len() > 1
                && let Some(sticks) = seat.table.iter().position(|card| *card == Card::Chopsticks)
            {
                seat.table.remove(sticks);
            }
            seat.puddings += cards.iter().filter(|card| **card == Card::Pudding).count() as u32;
            seat.table.extend(&cards);
            played.push(cards);
        }
        let View { round, turn, .. } = self.view;
        self.view.news = Some(News { round, turn, played, round_end: None });
        self.view.turn = turn.saturating_add(1);
        self.view.hand = None;
    }

    /// `1 {"Alice":12,"Bob":8}`, or in the later kit's dialect an object with a total for each.
    fn end_round(&mut self, text: &str) {
        let scores: Map<String, Value> = text
            .split_once(' ')
            .and_then(|(_, scores)| serde_json::from_str(scores).ok())
            .unwrap_or_default();
        for (seat, name) in self.view.seats.iter_mut().zip(&self.names) {
            match scores.get(name) {
                Some(Value::Object(worth)) => seat.score += worth["total"].as_i64().unwrap_or(0),
                Some(score) => seat.score = score.as_i64().unwrap_or(seat.score),
                None => {}
            }
        }
        let worths = scoring::round(self.view.seats.iter().map(|seat| seat.table.as_slice()));
        let scores = self.view.seats.iter().map(|seat| seat.score).collect();
        if let Some(news) = &mut self.view.news {
            news.round_end = Some(RoundEnd { worths, scores });
        }
    }

    /// STATUS tells the own table and everybody's puddings.
    fn caught_up(&mut self, text: &str) {
        self.returning = false;
        let Ok(status) = serde_json::from_str::<Status>(text) else { return };
        if status.players.is_empty() || status.phase != "playing" {
            return;
        }
        self.names = status.players.iter().map(|player| player.name.clone()).collect();
        self.set_seats(status.players.len());
        if status.round != self.view.round {
            self.view.seats.iter_mut().for_each(|seat| seat.table.clear());
        }
        if (status.round, status.turn) != (self.view.round, self.view.turn) {
            self.view.news = None;
        }
        (self.view.round, self.view.turn) = (status.round, status.turn);
        for (seat, player) in self.view.seats.iter_mut().zip(&status.players) {
            seat.puddings = player.puddings;
        }
        let own = self.view.viewer.seat().map_or(0, Seat::index);
        self.view.seats[own].table =
            status.your_played_cards.iter().filter_map(|name| Card::named(name)).collect();
    }
}

/// What STATUS says of interest to somebody who was away.
#[derive(Deserialize)]
struct Status {
    phase: String,
    round: u8,
    turn: u8,
    players: Vec<StatusPlayer>,
    your_played_cards: Vec<String>,
}

#[derive(Deserialize)]
struct StatusPlayer {
    name: String,
    puddings: u32,
}

/// `0:Tempura 1:Salmon Nigiri`: names have spaces in them, so the next index ends a name.
fn hand(text: &str) -> Vec<Card> {
    let named = |text: &str| {
        // All but the last card are followed by the index of the next.
        Card::named(text).or_else(|| Card::named(text.rsplit_once(' ')?.0))
    };
    text.trim().split(':').skip(1).map_while(named).collect()
}

/// `{"Alice":41,"Bob":24} ["Alice"]`, or in the later kit's dialect `{...} WINNER:Alice`.
fn ending(text: &str, name: &str, words: &str) -> Ending {
    let mut values = Deserializer::from_str(text).into_iter::<Value>();
    let scores = values.next().and_then(Result::ok).unwrap_or_default();
    let rest = text[values.byte_offset()..].trim();
    let winners: Vec<String> = match rest.strip_prefix("WINNER:") {
        Some(winners) => winners.split(',').filter(|w| !w.is_empty()).map(str::to_owned).collect(),
        None => serde_json::from_str(rest).unwrap_or_default(),
    };
    Ending {
        won: (!winners.is_empty()).then(|| winners.iter().any(|winner| winner == name)),
        points: scores[name].as_i64(),
        words: words.to_owned(),
    }
}

#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;
