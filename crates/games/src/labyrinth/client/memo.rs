//! A player of the memo's wire.
//!
//! ```text
//! idle ─JoinRequest─▶ joining ─"SUCCESS"─▶ lobby ─State, Treasure─▶ playing ─GameResult─▶ idle
//! ```
//!
//! There is no way back: with the connection the game is lost. Who has reached its treasure asks
//! for its location once more: another place is a further goal, the same one means home.

use hall::{Time, split_key};
use serde_json::{Value, json};
use wire::{Client, Ending, Player, Reaction, Signs};

use super::super::board::{Choice, Coordinate, Treasure};
use super::super::json::Defined;
use super::super::rules::{Action, Color, Labyrinth, State};
use super::super::verb::{self, Query, Verb};
use super::Sight;

pub fn memo(player: Player<Labyrinth>) -> Box<dyn Client> {
    let chosen = Color::parse(&player.name);
    Box::new(MemoClient { player, chosen, attempts: 0, connected: false, stage: Progress::Idle })
}

pub const SIGNS: Signs = Signs {
    is_move: |text| {
        let text = text.trim_start();
        text.starts_with(r#"["move_avatar""#) || text.starts_with(r#"["pass""#)
    },
    is_refusal: |text| text == r#""COLOR_TAKEN""# || text.contains(r#"{"error":"#),
    is_forgiven: |_| false,
    is_end: |text| text.starts_with(r#"{"winner""#) || text.starts_with(r#""ALL_"#),
    // Whoever breaks a rule is out.
    refusal: None,
    // Names are colours here: the nine that have names, then any.
    said_name: |text| match verb::parse(text) {
        Ok(Verb::Join(..)) => {
            let request: Value = serde_json::from_str(text).ok()?;
            Some(split_key(request["color"].as_str()?).0.to_owned())
        }
        _ => None,
    },
    nth_name: |number| {
        let named = Color::NAMES.get(number).map(|name| (*name).to_owned());
        named.unwrap_or_else(|| format!("{number:06X}"))
    },
    given_names: true,
};

struct MemoClient {
    player: Player<Labyrinth>,
    /// The colour the player is called by, if it is one.
    chosen: Option<Color>,
    /// Colours that were taken.
    attempts: usize,
    connected: bool,
    stage: Progress,
}

enum Progress {
    Idle,
    /// A game is wanted.
    Joining,
    Lobby,
    /// The first State is there, the Treasure is not.
    Announced(Box<State>),
    Playing(Box<Playing>),
}

struct Playing {
    sight: Sight,
    /// Where the own move went.
    went: Option<Coordinate>,
    /// The treasure was reached; whether there is another is being asked.
    found: bool,
}

impl MemoClient {
    fn color(&self) -> Color {
        let first = self.player.name.bytes().map(usize::from).sum::<usize>();
        let name = Color::NAMES[(first + self.attempts) % Color::NAMES.len()];
        let free = || Color::parse(name).expect("one of the nine");
        self.chosen.clone().unwrap_or_else(free)
    }

    fn join(&mut self, out: &mut Vec<Reaction>) {
        self.stage = Progress::Joining;
        out.push(Reaction::Say(json!({"color": self.color().as_str()}).to_string()));
    }

    fn taken(&mut self, text: &str, out: &mut Vec<Reaction>) {
        self.attempts += 1;
        if self.chosen.is_some() || self.attempts > Color::NAMES.len() {
            self.stage = Progress::Idle;
            out.push(Reaction::GiveUp(text.to_owned()));
        }
        // The referee closes the connection; on the next one another colour is tried.
    }

    fn over(&mut self, ending: Ending, out: &mut Vec<Reaction>) {
        self.stage = Progress::Idle;
        out.push(Reaction::Over(ending));
        out.push(Reaction::Hangup);
    }

    fn state(&mut self, state: State, text: &str, out: &mut Vec<Reaction>) {
        match &mut self.stage {
            Progress::Lobby | Progress::Joining => {
                self.stage = Progress::Announced(Box::new(state));
            }
            Progress::Playing(playing) => {
                if !playing.sight.update(state) {
                    let words = format!("ejected: {text}");
                    return self.over(Ending { won: Some(false), points: None, words }, out);
                }
                playing.arrive();
                self.turn(out);
            }
            Progress::Idle | Progress::Announced(_) => {}
        }
    }

    fn treasure(&mut self, treasure: Treasure, out: &mut Vec<Reaction>) {
        let color = self.color();
        let Progress::Announced(state) = std::mem::replace(&mut self.stage, Progress::Lobby) else {
            return;
        };
        let board = &state.maze.board;
        let lies = |at: &Coordinate| board.tile(*at).treasure == treasure;
        let place = board.coordinates().find(lies);
        let Some(mut sight) = Sight::new(*state, &color, place) else { return };
        if let Some(quest) = sight.quest_mut() {
            quest.treasure = treasure;
        }
        self.player.begin();
        self.stage = Progress::Playing(Box::new(Playing { sight, went: None, found: false }));
        self.turn(out);
    }

    /// Takes the turn, if it is this player's and nothing has to be asked before.
    fn turn(&mut self, out: &mut Vec<Reaction>) {
        let Progress::Playing(playing) = &mut self.stage else { return };
        if !playing.sight.is_to_move() {
            return;
        }
        if playing.found {
            let query = Query::TreasureLocation.name();
            return out.push(Reaction::Say(json!([query, []]).to_string()));
        }
        playing.follow_treasure();
        match self.player.choose(&playing.sight.view) {
            Action::Play(Choice { slide, degree, to }) => {
                playing.went = Some(to);
                let (index, direction) = (slide.index, slide.direction.name());
                let rotate = json!(["rotate_spare_tile", [degree.number()]]);
                let shift = json!(["shift_and_insert", [index, direction]]);
                out.push(Reaction::Say(rotate.to_string()));
                out.push(Reaction::Say(shift.to_string()));
                out.push(Reaction::Move(json!(["move_avatar", [to]]).to_string()));
            }
            Action::Pass | Action::Acknowledge => {
                out.push(Reaction::Move(json!(["pass", []]).to_string()));
            }
        }
    }

    fn answer(&mut self, items: &[Value], out: &mut Vec<Reaction>) {
        let Progress::Playing(playing) = &mut self.stage else { return };
        if items[0] == Query::TreasureLocation.name() && playing.found {
            playing.next_goal(Coordinate::read(&items[1]).ok());
            self.turn(out);
        }
    }

    fn result(&mut self, value: &Value, text: &str, out: &mut Vec<Reaction>) {
        let winner = value["winner"].as_str();
        let won = Some(winner == Some(self.color().as_str()));
        self.over(Ending { won, points: None, words: text.to_owned() }, out);
    }
}

impl Playing {
    /// After the own move: whether it ended on the treasure.
    fn arrive(&mut self) {
        let Some(went) = self.went.take().filter(|went| self.sight.position() == Some(*went))
        else {
            return;
        };
        let target = self.sight.view.target();
        if let Some(quest) = self.sight.quest_mut()
            && !quest.homeward
            && target == Some(went)
        {
            quest.found += 1;
            self.found = true;
        }
    }

    /// The treasure travels with its tile.
    fn follow_treasure(&mut self) {
        let board = self.sight.view.maze.board.clone();
        if let Some(quest) = self.sight.quest_mut() {
            let lies = |at: &Coordinate| board.tile(*at).treasure == quest.treasure;
            let place = quest.place.filter(lies).or_else(|| board.coordinates().find(lies));
            quest.place = place;
        }
    }

    fn next_goal(&mut self, place: Option<Coordinate>) {
        self.found = false;
        self.follow_treasure();
        let board = self.sight.view.maze.board.clone();
        let Some(quest) = self.sight.quest_mut() else { return };
        match place.filter(|place| quest.place != Some(*place) && board.contains(*place)) {
            Some(place) => {
                quest.treasure = board.tile(place).treasure;
                quest.place = Some(place);
            }
            None => quest.homeward = true,
        }
    }
}

impl Client for MemoClient {
    fn seek(&mut self, _now: Time, _table: Option<&str>, out: &mut Vec<Reaction>) {
        self.attempts = 0;
        self.stage = Progress::Joining;
        if self.connected {
            out.push(Reaction::Hangup);
        }
    }

    fn open(&mut self, _now: Time, out: &mut Vec<Reaction>) {
        self.connected = true;
        if matches!(self.stage, Progress::Joining | Progress::Lobby) {
            self.join(out);
        }
    }

    fn on_text(&mut self, _now: Time, text: &str, out: &mut Vec<Reaction>) {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        match &value {
            Value::String(word) if word == "SUCCESS" => self.stage = Progress::Lobby,
            Value::String(word) if word == "COLOR_TAKEN" => self.taken(text, out),
            Value::String(_) => self.result(&value, text, out),
            Value::Object(object) if object.contains_key("winner") => {
                self.result(&value, text, out);
            }
            Value::Object(_) => {
                if let Ok(state) = State::read(&value) {
                    self.state(state, text, out);
                }
            }
            Value::Array(items) if items.len() == 2 => match Treasure::read(&value) {
                Ok(treasure) => self.treasure(treasure, out),
                Err(_) => self.answer(items, out),
            },
            _ => {}
        }
    }

    fn closed(&mut self, _now: Time, out: &mut Vec<Reaction>) {
        self.connected = false;
        if matches!(self.stage, Progress::Announced(_) | Progress::Playing(_)) {
            self.stage = Progress::Idle;
            out.push(Reaction::Over(Ending::unknown("the connection was closed")));
        }
    }
}
