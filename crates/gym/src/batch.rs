//! Many games at once, for programs that learn from millions of moves.

use rules::{Dice, Move, Seat, Seed, Step};
use serde::{Deserialize, Serialize};

use crate::{Encode, Error, Play, Spec, legal_codes};

/// A number of games, each with its own stream of seeds. A game that ends is replaced by the next
/// of its stream in the same step: its rewards and its `done` are reported, and the observation is
/// already that of the new game.
#[derive(Clone, Debug)]
pub struct Batch<G: Encode> {
    spec: Spec,
    config: G::Config,
    seed: u64,
    seeds: Vec<Dice>,
    plays: Vec<Play<G>>,
    /// The progress of each game, for saving the batch.
    progress: Vec<Progress>,
}

/// A game's position in its stream of seeds, and the choices made in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Progress {
    /// Seeds taken from its stream; the last is the game's own.
    seeds: u64,
    codes: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct Saved<G: Encode> {
    game: String,
    rules_version: u32,
    config: G::Config,
    seats: usize,
    seed: u64,
    games: Vec<Progress>,
}

/// In place of a code: no seat moves in this game now.
pub const WAIT: i64 = -1;

/// A batch's output, game by game. The caller owns the memory.
#[derive(Debug)]
pub struct Rows<'a> {
    /// What the seat to play knows: `spec.observation` numbers per game.
    pub obs: &'a mut [f32],
    /// What it may choose: `spec.actions` flags per game, 1 or 0.
    pub mask: &'a mut [u8],
    /// The seat to play.
    pub to_play: &'a mut [i32],
    /// What the last step was worth to each seat: `spec.seats` numbers per game.
    pub rewards: &'a mut [f32],
    /// 1 if the last step ended a game.
    pub done: &'a mut [u8],
}

/// Memory for the rows of a number of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Buffers {
    pub obs: Vec<f32>,
    pub mask: Vec<u8>,
    pub to_play: Vec<i32>,
    pub rewards: Vec<f32>,
    pub done: Vec<u8>,
}

impl Buffers {
    pub fn new(spec: &Spec, games: usize) -> Buffers {
        Buffers {
            obs: vec![0.0; games * spec.observation],
            mask: vec![0; games * spec.actions],
            to_play: vec![0; games],
            rewards: vec![0.0; games * spec.seats],
            done: vec![0; games],
        }
    }

    pub fn rows(&mut self) -> Rows<'_> {
        Rows {
            obs: &mut self.obs,
            mask: &mut self.mask,
            to_play: &mut self.to_play,
            rewards: &mut self.rewards,
            done: &mut self.done,
        }
    }
}

impl<G: Encode> Batch<G> {
    pub fn new(config: G::Config, seats: usize, games: usize, number: u64) -> Result<Self, Error> {
        let config = G::seated(config, seats);
        let seed = Seed::from_number(number);
        let mut seeds: Vec<Dice> =
            (0..games as u64).map(|game| Dice::new(&seed, "batch", game)).collect();
        let begin = |dice: &mut Dice| Ok(Play::new(G::setup(&config, seats, dice.seed())?, seats));
        let plays = seeds.iter_mut().map(begin).collect::<Result<_, Error>>()?;
        let progress = vec![Progress { seeds: 1, codes: Vec::new() }; games];
        Ok(Batch { spec: G::spec(&config, seats), config, seed: number, seeds, plays, progress })
    }

    pub fn save(&self) -> Result<String, Error> {
        let saved = Saved::<G> {
            game: G::NAME.to_owned(),
            rules_version: G::VERSION,
            config: self.config.clone(),
            seats: self.spec.seats,
            seed: self.seed,
            games: self.progress.clone(),
        };
        serde_json::to_string(&saved).map_err(|why| Error::Unreadable(why.to_string()))
    }

    pub fn load(text: &str) -> Result<Self, Error> {
        let unreadable = |why: serde_json::Error| Error::Unreadable(why.to_string());
        let saved: Saved<G> = serde_json::from_str(text).map_err(unreadable)?;
        if (saved.game.as_str(), saved.rules_version) != (G::NAME, G::VERSION) {
            let Saved { game, rules_version, .. } = saved;
            return Err(Error::Unreadable(format!(
                "it is of {game} with rules {rules_version}, these are {} {}",
                G::NAME,
                G::VERSION
            )));
        }
        let mut batch = Batch::new(saved.config, saved.seats, saved.games.len(), saved.seed)?;
        for (game, progress) in saved.games.into_iter().enumerate() {
            if progress.seeds > 1 {
                for _ in 2..progress.seeds {
                    batch.seeds[game].seed();
                }
                batch.begin(game);
            }
            for &code in &progress.codes {
                let wrong = |_| Error::Unreadable(format!("code {code} of game {game}"));
                batch.plays[game].apply(code as usize).map_err(wrong)?;
            }
            batch.progress[game] = progress;
        }
        Ok(batch)
    }

    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    pub fn games(&self) -> usize {
        self.plays.len()
    }

    /// Writes down where all games are.
    pub fn tell(&self, rows: &mut Rows<'_>) -> Result<(), Error> {
        self.check_sizes(rows)?;
        rows.rewards.fill(0.0);
        rows.done.fill(0);
        for game in 0..self.plays.len() {
            self.tell_game(game, rows);
        }
        Ok(())
    }

    /// One code for each game, of the seat to play; [`WAIT`] leaves a game as it is. `rows` are those
    /// of the last step: their masks say what is legal, and unless all codes are, nothing happens at
    /// all.
    pub fn step(&mut self, codes: &[i64], rows: &mut Rows<'_>) -> Result<(), Error> {
        self.check_sizes(rows)?;
        if codes.len() != self.plays.len() {
            let (given, games) = (codes.len(), self.plays.len());
            return Err(Error::Size(format!("{given} actions for {games} games")));
        }
        for (game, code) in codes.iter().enumerate() {
            if *code == WAIT {
                continue;
            }
            let mask = &rows.mask[game * self.spec.actions..][..self.spec.actions];
            if usize::try_from(*code).ok().and_then(|code| mask.get(code)) != Some(&1) {
                return Err(self.illegal(game, *code));
            }
        }
        rows.rewards.fill(0.0);
        rows.done.fill(0);
        for (game, code) in codes.iter().enumerate().filter(|(_, code)| **code != WAIT) {
            self.plays[game].apply(*code as usize).map_err(|_| self.illegal(game, *code))?;
            self.progress[game].codes.push(*code as u32);
            if let Some(outcome) = self.plays[game].game().outcome() {
                rows.done[game] = 1;
                let rewards = &mut rows.rewards[game * self.spec.seats..][..self.spec.seats];
                rewards.iter_mut().zip(outcome.worths()).for_each(|(out, worth)| *out = worth);
                self.begin(game);
            }
            self.tell_game(game, rows);
        }
        Ok(())
    }

    /// Lets every game be played to its end by chance, without a word about what happens on the
    /// way, and begins new ones. Returns how many actions that took.
    pub fn playout(&mut self, rewards: &mut [f32]) -> Result<u64, Error> {
        let seats = self.spec.seats;
        if rewards.len() != self.plays.len() * seats {
            return Err(Error::Size(format!("{} rewards", rewards.len())));
        }
        let mut actions = 0;
        for game in 0..self.plays.len() {
            let mut dice = Dice::new(&self.seeds[game].seed(), "playout", 0);
            self.progress[game].seeds += 1;
            let (end, taken) = played_out(self.plays[game].game().clone(), &mut dice);
            actions += taken;
            let outcome = end.outcome().expect("it was played to its end");
            let row = &mut rewards[game * seats..][..seats];
            row.iter_mut().zip(outcome.worths()).for_each(|(out, worth)| *out = worth);
            self.begin(game);
        }
        Ok(actions)
    }

    /// A random legal code for each game, by these masks.
    pub fn sample(&self, mask: &[u8], seed: u64) -> Vec<i64> {
        let mut dice = Dice::new(&Seed::from_number(seed), "sample", 0);
        let mut legal = Vec::new();
        let mut pick = |(play, row): (&Play<G>, &[u8])| {
            legal_codes(row, &mut legal);
            if legal.is_empty() {
                // The caller has overwritten the mask.
                let seat = play.to_play().expect("a game that ends is replaced");
                legal = play.legal_codes(seat, self.spec.actions);
            }
            *dice.pick(&legal) as i64
        };
        self.plays.iter().zip(mask.chunks(self.spec.actions)).map(&mut pick).collect()
    }

    fn begin(&mut self, game: usize) {
        let seats = self.spec.seats;
        let next = G::setup(&self.config, seats, self.seeds[game].seed());
        self.plays[game] = Play::new(next.expect("the first game could begin"), seats);
        let progress = &mut self.progress[game];
        progress.seeds += 1;
        progress.codes.clear();
    }

    fn tell_game(&self, game: usize, rows: &mut Rows<'_>) {
        let Spec { actions, observation, .. } = self.spec;
        let play = &self.plays[game];
        let seat = play.to_play().expect("a game that ends is replaced");
        rows.to_play[game] = i32::from(seat.0);
        play.observe(seat, &mut rows.obs[game * observation..][..observation]);
        play.mask(seat, &mut rows.mask[game * actions..][..actions]);
    }

    fn check_sizes(&self, rows: &Rows<'_>) -> Result<(), Error> {
        let games = self.plays.len();
        let Spec { actions, observation, seats, .. } = self.spec;
        let sizes = [
            ("obs", rows.obs.len(), games * observation),
            ("mask", rows.mask.len(), games * actions),
            ("to_play", rows.to_play.len(), games),
            ("rewards", rows.rewards.len(), games * seats),
            ("done", rows.done.len(), games),
        ];
        match sizes.into_iter().find(|(_, given, needed)| given != needed) {
            Some((name, given, needed)) => {
                Err(Error::Size(format!("{name} has room for {given} numbers, not {needed}")))
            }
            None => Ok(()),
        }
    }

    fn illegal(&self, game: usize, code: i64) -> Error {
        let name = usize::try_from(code).ok().and_then(|code| self.spec.action_name(code));
        Error::Illegal {
            code,
            name: name.unwrap_or_else(|| "no code of this game".to_owned()),
            seat: self.plays[game].to_play().unwrap_or(Seat(0)),
            game: Some(game),
        }
    }
}

/// Plays a game on by chance to its end, and counts the actions.
fn played_out<G: Encode>(mut game: G, dice: &mut Dice) -> (G, u64) {
    let (mut turn, mut actions) = (Vec::new(), 0);
    while game.outcome().is_none() {
        turn.clear();
        for seat in game.to_act().iter() {
            turn.push((seat, Move::Act(game.random(seat, dice))));
        }
        actions += turn.len() as u64;
        game.advance(Step::Turn(&turn));
    }
    (game, actions)
}
