//! Many games at once, for programs that learn from millions of moves.

use rules::{Dice, Move, Seat, Seed, Step};

use crate::{Encode, Error, Play, Spec, legal_codes};

/// So many games, each with a stream of seeds of its own. A game that ends is replaced by the next
/// of its stream in the same step: its rewards and its `done` are told, and the observation is
/// already that of the new game.
#[derive(Clone, Debug)]
pub struct Batch<G: Encode> {
    spec: Spec,
    config: G::Config,
    seeds: Vec<Dice>,
    plays: Vec<Play<G>>,
}

/// In place of a code: nobody moves in this game now.
pub const WAIT: i64 = -1;

/// What a batch tells, game by game. The caller owns the memory.
#[derive(Debug)]
pub struct Rows<'a> {
    /// What the seat to play knows: `spec.observation` numbers for each game.
    pub obs: &'a mut [f32],
    /// What it may choose: `spec.actions` for each game, 1 or 0.
    pub mask: &'a mut [u8],
    /// Who is to play.
    pub to_play: &'a mut [i32],
    /// What the last step was worth to each seat: `spec.seats` for each game.
    pub rewards: &'a mut [f32],
    /// 1 if the last step ended a game.
    pub done: &'a mut [u8],
}

/// Memory for the rows of so many games.
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
    pub fn new(config: G::Config, seats: usize, games: usize, seed: u64) -> Result<Self, Error> {
        let config = G::seated(config, seats);
        let seed = Seed::from_number(seed);
        let mut seeds: Vec<Dice> =
            (0..games as u64).map(|game| Dice::new(&seed, "batch", game)).collect();
        let begin = |dice: &mut Dice| Ok(Play::new(G::setup(&config, seats, dice.seed())?, seats));
        let plays = seeds.iter_mut().map(begin).collect::<Result<_, Error>>()?;
        Ok(Batch { spec: G::spec(&config, seats), config, seeds, plays })
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
        let mut pick = |row: &[u8]| {
            legal_codes(row, &mut legal);
            *dice.pick(&legal) as i64
        };
        mask.chunks(self.spec.actions).map(&mut pick).collect()
    }

    fn begin(&mut self, game: usize) {
        let seats = self.spec.seats;
        let next = G::setup(&self.config, seats, self.seeds[game].seed());
        self.plays[game] = Play::new(next.expect("the first game could begin"), seats);
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
            turn.push((seat, Move::Act(game.sample(seat, dice))));
        }
        actions += turn.len() as u64;
        game.advance(Step::Turn(&turn));
    }
    (game, actions)
}
