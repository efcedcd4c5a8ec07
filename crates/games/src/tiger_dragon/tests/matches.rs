//! Whole matches over the protocol, with every kind of interruption. All clients watch, and after
//! each act everything is checked that can be checked from outside.

use hall::ConnId;
use rules::{Dice, Seed};
use serde_json::Value;
use trials::stage::Stage;

use super::fire::check_form;
use super::messages::{self, DISCARDS_REQUEST, action, join};
use crate::tiger_dragon::{Config, Options, Ruleset};

struct Match {
    stage: Stage,
    dice: Dice,
    official: bool,
    /// By seat; none while the player is away.
    players: Vec<Option<ConnId>>,
    watchers: Vec<ConnId>,
    /// A client that has connected and not joined.
    unjoined: ConnId,
    /// The last state in the eyes of each seat.
    states: Vec<Value>,
    scores: Vec<i64>,
    round: i64,
    over: bool,
}

fn numbers(list: &Value) -> Vec<i64> {
    list.as_str().unwrap().split(',').map(|number| number.parse().unwrap()).collect()
}

fn labels(list: &Value) -> Vec<&str> {
    list.as_str().unwrap().split(',').filter(|label| !label.is_empty()).collect()
}

/// The public part of a state.
fn public(state: &Value) -> Value {
    let mut state = state.clone();
    state["hand"] = "".into();
    state["legal"] = "".into();
    state
}

impl Match {
    fn new(options: &Options, seed: u64) -> Match {
        let mut stage = messages::stage(options, seed);
        let unjoined = stage.connect();
        let watcher = stage.connect();
        stage.say(watcher, &join("w", "spectator"));
        assert_eq!(messages::heard(&mut stage, watcher).len(), 1, "no state before the start");
        let players: Vec<ConnId> = (0..options.players).map(|_| stage.connect()).collect();
        for (seat, conn) in players.iter().enumerate() {
            stage.say(*conn, &join(&format!("p{seat}"), "player"));
            assert_eq!(
                stage.texts(*conn)[0].as_str(),
                format!(
                    r#"{{"type":"join_ack","room_id":"r","player_id":"p{seat}","seat":{seat},"players":{}}}"#,
                    options.players
                )
            );
        }
        // The last to join received its state with the acknowledgement; ask for it again.
        let mut states = Vec::new();
        for conn in &players {
            messages::heard(&mut stage, *conn);
            stage.say(*conn, &join("again", "spectator"));
            let heard = messages::heard(&mut stage, *conn);
            assert_eq!(heard.len(), 2);
            states.push(heard[1].clone());
        }
        assert_eq!(messages::heard(&mut stage, watcher), [public(&states[0])]);
        Match {
            stage,
            dice: Dice::new(&Seed::from_number(seed), "match", 0),
            official: options.config.rules == Ruleset::Official,
            players: players.into_iter().map(Some).collect(),
            watchers: vec![watcher],
            unjoined,
            states,
            scores: vec![0; options.players],
            round: 1,
            over: false,
        }
    }

    fn current(&self) -> usize {
        self.any_state()["current_player"].as_u64().unwrap() as usize
    }

    fn everybody(&self) -> Vec<ConnId> {
        self.players.iter().flatten().chain(&self.watchers).copied().collect()
    }

    fn nobody_hears(&mut self) {
        for conn in self.everybody().into_iter().chain([self.unjoined]) {
            assert_eq!(messages::heard(&mut self.stage, conn), Vec::<Value>::new());
        }
    }

    /// Sends something that must be refused: one error to the sender, nothing to the others.
    fn refused(&mut self, conn: ConnId, text: &str, message: &str) {
        self.stage.say(conn, text);
        let expected = serde_json::json!({"type": "error", "message": message});
        assert_eq!(messages::heard(&mut self.stage, conn), [expected], "{text}");
        self.nobody_hears();
    }

    fn interrupt(&mut self) {
        let seat = self.dice.below(self.players.len());
        match (self.dice.below(8), self.players[seat]) {
            (0, Some(conn)) if seat != self.current() => {
                self.refused(conn, &action("pass"), "not your turn");
            }
            (1, Some(conn)) if seat == self.current() => {
                let legal = labels(&self.states[seat]["legal"]);
                let all = ["1", "2", "3", "4", "5", "6", "7", "8", "D", "T", "pass"];
                if let Some(wrong) = all.iter().find(|choice| !legal.contains(choice)) {
                    self.refused(conn, &action(wrong), "illegal action");
                }
            }
            (2, _) => {
                let without_seat = [&self.watchers[..], &[self.unjoined]].concat();
                let watcher = *self.dice.pick(&without_seat);
                self.refused(watcher, &action("1"), "spectator cannot act");
            }
            (3, Some(conn)) => self.refused(conn, "nonsense", "missing type"),
            (4, Some(conn)) => {
                self.stage.hang_up(conn);
                self.players[seat] = None;
                self.nobody_hears();
            }
            (5, _) => self.add_watcher(),
            (_, Some(conn)) => self.check_discards(conn),
            (_, None) => self.bring_back(seat),
        }
    }

    fn bring_back(&mut self, seat: usize) {
        let conn = self.stage.connect();
        assert_eq!(messages::heard(&mut self.stage, conn), Vec::<Value>::new());
        self.stage.say(conn, &join(&format!("p{seat}"), "player"));
        let heard = messages::heard(&mut self.stage, conn);
        assert_eq!(heard.len(), 2);
        assert_eq!(heard[0]["seat"], seat);
        self.players[seat] = Some(conn);
        self.states[seat] = heard[1].clone();
        self.nobody_hears();
    }

    fn add_watcher(&mut self) {
        let conn = self.stage.connect();
        self.stage.say(conn, &join("w", "spectator"));
        let heard = messages::heard(&mut self.stage, conn);
        assert_eq!(heard.len(), 2);
        assert_eq!(heard[0]["seat"], -1);
        assert_eq!(heard[1], public(self.any_state()));
        self.watchers.push(conn);
        self.nobody_hears();
    }

    /// A state that is up to date: one of a connected player, because an absent one missed some.
    fn any_state(&self) -> &Value {
        let seat = self.players.iter().position(Option::is_some).expect("somebody is here");
        &self.states[seat]
    }

    /// Own tiles alternate between attack and receive, and all counts agree.
    fn check_discards(&mut self, conn: ConnId) {
        self.stage.say(conn, DISCARDS_REQUEST);
        let heard = messages::heard(&mut self.stage, conn);
        assert_eq!(heard.len(), 1);
        let state = self.any_state().clone();
        let sizes = numbers(&state["hand_sizes"]);
        let seats = sizes.len();
        let start = if self.official { (self.round as usize - 1) % seats } else { 0 };
        for seat in 0..seats {
            let tokens = labels(&heard[0][format!("player{seat}_discards")]);
            let face_down = tokens.iter().filter(|token| **token == "B").count() as i64;
            assert_eq!(face_down, numbers(&state["bonus_discards"])[seat]);
            let deal = if seats == 2 && !self.official { 12 } else { 17 - 2 * seats };
            let dealt = deal + usize::from(seat == start);
            assert_eq!(dealt as i64, sizes[seat] + tokens.len() as i64);
            for (index, token) in tokens.iter().enumerate() {
                let attacks = (index % 2 == 0) == (seat == start);
                assert_eq!(token.ends_with('A'), attacks, "{tokens:?}");
            }
        }
    }

    fn play(&mut self) {
        let seat = self.current();
        if self.players[seat].is_none() {
            self.bring_back(seat);
        }
        let conn = self.players[seat].expect("just brought back");
        let legal = labels(&self.states[seat]["legal"]);
        let choice = (*self.dice.pick(&legal)).to_owned();
        let before = self.states[seat].clone();
        self.stage.say(conn, &action(&choice));
        let mut heard = Vec::new();
        for (seat, conn) in self.players.clone().into_iter().enumerate() {
            let Some(conn) = conn else { continue };
            let messages = messages::heard(&mut self.stage, conn);
            messages.iter().for_each(check_form);
            if let Some(state) = messages.iter().find(|message| message["type"] == "state") {
                self.check_own(seat, state);
                self.states[seat] = state.clone();
            }
            heard = messages;
        }
        let publicly: Vec<Value> = heard.iter().map(Match::without_secrets).collect();
        for conn in self.everybody().into_iter().skip(self.players.iter().flatten().count()) {
            assert_eq!(
                messages::heard(&mut self.stage, conn),
                publicly,
                "everybody hears the same"
            );
        }
        let unjoined = messages::heard(&mut self.stage, self.unjoined);
        assert_eq!(unjoined, Vec::<Value>::new(), "who has not joined is told nothing");
        let types: Vec<&str> =
            heard.iter().map(|message| message["type"].as_str().unwrap()).collect();
        match types[..] {
            ["state"] => {
                let turn = |state: &Value| state["turn"].as_i64().unwrap();
                assert_eq!(turn(&heard[0]), turn(&before) + 1);
                assert_eq!(heard[0]["scores"], before["scores"]);
            }
            ["round_result", "state"] => {
                self.end_round(&heard[0]);
                assert_eq!(heard[1]["turn"], 0);
                assert_eq!(heard[1]["attack_tile"], "");
                assert_eq!(heard[1]["scores"], heard[0]["scores"]);
            }
            ["round_result", "game_over"] => {
                self.end_round(&heard[0]);
                assert_eq!(heard[1]["winner"], heard[0]["winner"]);
                assert_eq!(heard[1]["scores"], heard[0]["scores"]);
                self.over = true;
            }
            _ => panic!("an act is followed by {types:?}"),
        }
    }

    fn without_secrets(message: &Value) -> Value {
        if message["type"] == "state" { public(message) } else { message.clone() }
    }

    fn check_own(&self, seat: usize, state: &Value) {
        let hand = labels(&state["hand"]);
        assert_eq!(hand.len() as i64, numbers(&state["hand_sizes"])[seat]);
        let legal = labels(&state["legal"]);
        assert_eq!(legal.is_empty(), state["current_player"] != seat);
        assert!(legal.iter().all(|choice| *choice == "pass" || hand.contains(choice)));
        assert_eq!(legal.contains(&"pass"), state["phase"] == "Defend" && !legal.is_empty());
    }

    fn end_round(&mut self, result: &Value) {
        let winner = result["winner"].as_u64().unwrap() as usize;
        self.scores[winner] += result["round_points"].as_i64().unwrap();
        assert_eq!(numbers(&result["scores"]), self.scores);
        assert_eq!(result["round"], self.round);
        let discards = labels(&result["winner_discards"]);
        let last = discards.last().unwrap();
        assert_eq!(last[..1], result["last_tile"]);
        assert!(!self.official || !last.ends_with('A'), "nobody goes out on an attack");
        let face_down = discards.iter().filter(|token| token.ends_with('B')).count();
        assert_eq!(result["bonus_discards"], face_down);
        self.round += 1;
    }

    fn after_the_end(&mut self) {
        for conn in self.everybody() {
            self.refused(conn, &action("pass"), "match over");
        }
        self.refused(self.unjoined, &action("pass"), "spectator cannot act");
        let conn = self.stage.connect();
        self.stage.say(conn, &join("late", "spectator"));
        let heard = messages::heard(&mut self.stage, conn);
        assert_eq!(heard.len(), 2);
        let (state, scores) = (&heard[1], numbers(&heard[1]["scores"]));
        assert_eq!((&state["phase"], &state["legal"]), (&"Finished".into(), &"".into()));
        assert_eq!(scores, self.scores);
    }
}

fn play_through(options: &Options, seed: u64) {
    let mut game = Match::new(options, seed);
    while !game.over {
        for _ in 0..game.dice.below(3) {
            // One client has to be connected to compare with.
            if game.players.iter().flatten().count() < 2 {
                let seat = game.players.iter().position(Option::is_none).expect("one is away");
                game.bring_back(seat);
            }
            game.interrupt();
        }
        game.play();
    }
    game.after_the_end();
}

#[test]
fn matches_of_every_size_keep_the_protocol() {
    for players in 2..=5 {
        for seed in 0..12 {
            play_through(&Options { players, ..Options::default() }, seed);
        }
    }
}

#[test]
fn so_do_matches_by_the_original_rules() {
    let config = Config { rules: Ruleset::Original, ..Config::default() };
    for players in [2, 4] {
        for seed in 0..8 {
            let config = config.clone();
            play_through(&Options { players, config, ..Options::default() }, seed);
        }
    }
}

#[test]
fn and_matches_in_a_hall_for_one() {
    for seed in 0..4 {
        play_through(&Options { players: 3, single_match: true, ..Options::default() }, seed);
    }
}
