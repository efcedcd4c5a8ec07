//! A player of the course's wire: it signs up with its name and answers what it is called for.
//!
//! ```text
//! idle ─Name─▶ signed up ─["setup",[State, goal]]─▶ playing ─["win",[Boolean]]─▶ idle
//! ```
//!
//! There is no way back: with the connection the game is lost.

use hall::{Time, split_key};
use serde_json::{Value, json};
use wire::{Client, Ending, Player, Reaction, Signs};

use super::super::board::Coordinate;
use super::super::json::Defined;
use super::super::rules::{Action, Labyrinth, State};
use super::super::verb::{Reply, parse_reply};
use super::Sight;

pub fn course(player: Player<Labyrinth>) -> Box<dyn Client> {
    Box::new(CourseClient { player, connected: false, stage: Progress::Idle })
}

pub const SIGNS: Signs = Signs {
    is_move: |text| text == r#""PASS""# || text.starts_with('['),
    is_refusal: |_| false,
    is_forgiven: |_| false,
    is_end: |text| text.starts_with(r#"["win""#),
    // Whoever answers wrongly is out.
    refusal: None,
    said_name: |text| match parse_reply(text) {
        Ok(Reply::Word(word)) if !matches!(&*word, "void" | "PASS") => {
            Some(split_key(&word).0.to_owned())
        }
        _ => None,
    },
    nth_name: |number| format!("bot{}", number + 1),
    given_names: false,
};

struct CourseClient {
    player: Player<Labyrinth>,
    connected: bool,
    stage: Progress,
}

enum Progress {
    Idle,
    /// A game is wanted.
    SigningUp,
    Playing(Box<Sight>),
}

impl CourseClient {
    fn setup(&mut self, state: &Value, goal: &Value) {
        let Ok(goal) = Coordinate::read(goal) else { return };
        match (&mut self.stage, State::read(state)) {
            (Progress::Playing(sight), Err(_)) => {
                let on_board = sight.view.maze.board.contains(goal);
                if let Some(quest) = sight.quest_mut().filter(|_| on_board) {
                    quest.place = Some(goal);
                    quest.found += 1;
                }
            }
            (_, Ok(state)) => {
                // The receiver of a `setup` stands first in its State.
                let color = state.players[0].color.clone();
                if let Some(sight) = Sight::new(state, &color, Some(goal)) {
                    self.player.begin();
                    self.stage = Progress::Playing(Box::new(sight));
                }
            }
            (_, Err(_)) => {}
        }
    }

    fn take_turn(&mut self, state: &Value) -> Option<Value> {
        let Progress::Playing(sight) = &mut self.stage else { return None };
        let state = State::read(state).ok()?;
        if !sight.update(state) || !sight.is_to_move() {
            return None;
        }
        match self.player.choose(&sight.view) {
            Action::Play(choice) => Some(json!(choice)),
            Action::Pass | Action::Acknowledge => None,
        }
    }
}

impl Client for CourseClient {
    fn seek(&mut self, _now: Time, _table: Option<&str>, out: &mut Vec<Reaction>) {
        self.stage = Progress::SigningUp;
        if self.connected {
            out.push(Reaction::Hangup);
        }
    }

    fn open(&mut self, _now: Time, out: &mut Vec<Reaction>) {
        self.connected = true;
        if matches!(self.stage, Progress::SigningUp) {
            out.push(Reaction::Say(json!(self.player.name).to_string()));
        }
    }

    fn on_text(&mut self, _now: Time, text: &str, out: &mut Vec<Reaction>) {
        let call: Value = serde_json::from_str(text).unwrap_or_default();
        match call[0].as_str().unwrap_or_default() {
            "setup" => {
                self.setup(&call[1][0], &call[1][1]);
                out.push(Reaction::Say(r#""void""#.to_owned()));
            }
            "take-turn" => {
                let choice = self.take_turn(&call[1][0]).unwrap_or_else(|| json!("PASS"));
                out.push(Reaction::Move(choice.to_string()));
            }
            "win" => {
                self.stage = Progress::Idle;
                out.push(Reaction::Say(r#""void""#.to_owned()));
                let (won, words) = (call[1][0].as_bool(), text.to_owned());
                out.push(Reaction::Over(Ending { won, points: None, words }));
            }
            _ => {}
        }
    }

    fn closed(&mut self, _now: Time, out: &mut Vec<Reaction>) {
        self.connected = false;
        if matches!(self.stage, Progress::Playing(_)) {
            self.stage = Progress::Idle;
            out.push(Reaction::Over(Ending::unknown("the connection was closed")));
        }
    }
}
