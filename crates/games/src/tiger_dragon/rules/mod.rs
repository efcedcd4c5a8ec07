//! The rules of Tiger & Dragon, a match as one value.
//!
//! ```text
//!            tile                  tile: the defender attacks
//!  Attack ---------> Defend ------------------------------------> Attack
//!                    |    ^
//!              pass  +----+  while seats are left to answer
//!                    |
//!                    +--> BonusReceive --------------------------> Attack
//!       everybody passed       tile: the attacker attacks again
//! ```
//!
//! The instant a hand is empty the round is over, whatever the phase.

mod choices;
mod config;
mod determinise;
pub(super) mod picture;
mod row;
mod tile;
mod view;

use std::sync::Arc;

use rules::{
    Dice, Exit, Game, Illegal, Move, Outcome, Scene, Seat, SeatSet, Seed, SetupError, Step, Viewer,
};

pub use choices::{Action, Choices, Situation, answers};
pub use config::{Battlefield, CARDS, Config, Finish, Ruleset, SEATS, Scoring, Worth};
pub use row::Row;
pub use tile::{DECK, Tile};
pub use view::{Act, Attack, Discard, Discards, News, PerSeat, Phase, RoundResult, View};

pub(super) use view::LARGEST_HAND;

pub(super) type Hand = Row<Tile, LARGEST_HAND>;

#[derive(Clone, Debug, PartialEq)]
pub struct TigerDragon {
    pub(super) ruleset: Ruleset,
    pub(super) target: u32,
    pub(super) battlefield: Arc<Battlefield>,
    pub(super) seed: Seed,
    pub(super) round: u32,
    pub(super) start: Seat,
    pub(super) turn: u32,
    pub(super) phase: Phase,
    pub(super) current: Seat,
    pub(super) attack: Option<Attack>,
    /// The attack that was answered in the last step.
    pub(super) answered: Option<Attack>,
    pub(super) hands: PerSeat<Hand>,
    pub(super) discards: PerSeat<Discards>,
    pub(super) scores: PerSeat<u32>,
    pub(super) exits: Vec<Option<Exit>>,
    pub(super) news: Vec<News>,
    pub(super) outcome: Option<Outcome>,
}

impl TigerDragon {
    /// A legal action of the seat to act, each equally likely.
    pub fn random(&self, seat: Seat, dice: &mut Dice) -> Action {
        self.situation(seat).choices().pick(dice).expect("the seat owes a move")
    }
}

impl Game for TigerDragon {
    const NAME: &'static str = "tiger-dragon";
    const VERSION: u32 = 1;

    type Config = Config;
    type Action = Action;
    type View = View;

    fn setup(config: &Config, seats: usize, seed: Seed) -> Result<TigerDragon, SetupError> {
        let battlefield = config.validate(seats)?;
        let mut game = TigerDragon {
            ruleset: config.rules,
            target: config.target,
            battlefield: Arc::new(battlefield),
            seed,
            round: 0,
            start: Seat(0),
            turn: 0,
            phase: Phase::Attack,
            current: Seat(0),
            attack: None,
            answered: None,
            hands: Row::of(seats),
            discards: Row::of(seats),
            scores: Row::of(seats),
            exits: vec![None; seats],
            news: Vec::new(),
            outcome: None,
        };
        game.begin_round(Seat(0));
        Ok(game)
    }

    fn to_act(&self) -> SeatSet {
        if self.outcome.is_some() { SeatSet::EMPTY } else { SeatSet::of(self.current) }
    }

    fn legal(&self, seat: Seat) -> Option<Vec<Action>> {
        Some(self.situation(seat).choices().iter().collect())
    }

    fn legal_at_most(&self, seat: Seat) -> Option<usize> {
        Some(self.situation(seat).choices().len())
    }

    fn sample(&self, seat: Seat, dice: &mut Dice) -> Action {
        self.random(seat, dice)
    }

    fn check(&self, seat: Seat, action: &Action) -> Result<(), Illegal> {
        self.situation(seat).check(*action)
    }

    fn default_action(&self, seat: Seat) -> Option<Action> {
        self.situation(seat).choices().first()
    }

    fn advance(&mut self, step: Step<'_, Action>) {
        self.news.clear();
        self.answered = None;
        // Whoever goes in this step is gone before its act is resolved: should that act begin
        // another round, the start marker must find a seat that stays.
        self.retire_leavers(step);
        self.play_acts(step);
        self.end_if_deserted();
        self.play_for_the_retired();
    }

    fn view(&self, viewer: Viewer) -> View {
        let acts = self.outcome.is_none() && viewer.is(self.current);
        View {
            viewer,
            ruleset: self.ruleset,
            target: self.target,
            battlefield: Arc::clone(&self.battlefield),
            round: self.round,
            start: self.start,
            turn: self.turn,
            phase: self.phase,
            current: self.current,
            attack: self.attack,
            answered: self.answered,
            hand: viewer.seat().map(|seat| self.hands[seat.index()]).unwrap_or_default(),
            hand_sizes: self.hands.iter().map(|hand| hand.len() as u8).collect(),
            face_down: self.discards.iter().map(|discards| face_down(discards)).collect(),
            legal: if acts { self.situation(self.current).choices() } else { Choices::NONE },
            scores: self.scores,
            discards: self.discards_seen_by(viewer),
            exits: self.exits.clone(),
            news: self.news.clone(),
            outcome: self.outcome.clone(),
        }
    }

    fn picture(scene: &Scene<'_, View>) -> String {
        picture::draw(scene)
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }
}

/// The parts of a step, in the order `advance` calls them.
impl TigerDragon {
    fn retire_leavers(&mut self, step: Step<'_, Action>) {
        match step {
            Step::Turn(moves) => {
                for (seat, part) in moves {
                    if let Move::Retire(exit) = part {
                        self.retire(*seat, exit);
                    }
                }
            }
            Step::Departure(exits) => {
                for (seat, exit) in exits {
                    self.retire(*seat, exit);
                }
            }
        }
    }

    fn retire(&mut self, seat: Seat, exit: &Exit) {
        self.exits[seat.index()] = Some(exit.clone());
        self.news.push(News::Retired { seat, exit: exit.clone() });
    }

    fn play_acts(&mut self, step: Step<'_, Action>) {
        if let Step::Turn(moves) = step {
            for (seat, part) in moves {
                if let Move::Act(action) = part {
                    debug_assert_eq!(*seat, self.current, "one seat acts at a time");
                    self.play(*action);
                }
            }
        }
    }

    /// With fewer than two seats left there is nobody to play against.
    fn end_if_deserted(&mut self) {
        if self.outcome.is_none() && self.is_deserted() {
            self.end_match();
        }
    }

    /// A seat that has gone passes, and its tiles go by themselves while it holds the attack,
    /// so nobody's alternation of attack and receive is disturbed. This ends: every attack
    /// asks a seat that stays.
    fn play_for_the_retired(&mut self) {
        while self.outcome.is_none() && self.is_retired(self.current) {
            let choices = self.situation(self.current).choices();
            let action = match self.phase {
                Phase::Defend => Action::Pass,
                _ => choices.first().expect("a hand is never empty inside a round"),
            };
            self.play(action);
        }
    }
}

/// One act, and what comes of it.
impl TigerDragon {
    fn play(&mut self, action: Action) {
        let seat = self.current;
        self.turn += 1;
        match (self.phase, action) {
            (Phase::Attack, Action::Play(tile)) => self.attack_with(tile),
            (Phase::Defend, Action::Play(tile)) => self.defend_with(tile),
            (Phase::Defend, Action::Pass) => self.pass(),
            (Phase::BonusReceive, Action::Play(tile)) => self.put_face_down(tile),
            (phase, action) => panic!("{action} in {phase} was never checked"),
        }
        if self.hands[seat.index()].is_empty() {
            self.end_round(seat);
        }
    }

    fn attack_with(&mut self, tile: Tile) {
        let seat = self.current;
        self.lay(tile, Act::Attack);
        self.news.push(News::Attacked { seat, tile });
        self.attack = Some(Attack { seat, tile });
        self.phase = Phase::Defend;
        self.current = self.left_of(seat);
    }

    /// The first to defend takes over the attack.
    fn defend_with(&mut self, tile: Tile) {
        self.lay(tile, Act::Defend);
        self.news.push(News::Defended { seat: self.current, tile });
        self.answered = self.attack.take();
        self.phase = Phase::Attack;
    }

    fn pass(&mut self) {
        self.news.push(News::Passed { seat: self.current });
        self.current = self.left_of(self.current);
        if self.attack.is_some_and(|attack| attack.seat == self.current) {
            self.phase = Phase::BonusReceive;
        }
    }

    /// Everybody passed: the attacker puts any tile face down instead of a receive, then
    /// attacks again.
    fn put_face_down(&mut self, tile: Tile) {
        self.lay(tile, Act::FaceDown);
        self.news.push(News::PutFaceDown { seat: self.current });
        self.attack = None;
        self.phase = Phase::Attack;
    }

    /// The first such tile of the hand goes to the table.
    fn lay(&mut self, tile: Tile, act: Act) {
        let seat = self.current.index();
        let hand = &mut self.hands[seat];
        let held = hand.iter().position(|held| *held == tile).expect("the tile was checked");
        hand.remove(held);
        self.discards[seat].push(Discard { tile: Some(tile), act });
    }
}

/// Rounds and the match.
impl TigerDragon {
    /// All tiles are shuffled and dealt; the start player draws one more.
    fn begin_round(&mut self, start: Seat) {
        self.round += 1;
        self.start = start;
        self.turn = 0;
        self.phase = Phase::Attack;
        self.current = start;
        self.attack = None;
        let mut deck = DECK;
        Dice::new(&self.seed, "deal", u64::from(self.round)).shuffle(&mut deck);
        let mut rest = deck.into_iter();
        let seats = self.hands.len();
        for seat in Seat::all(seats) {
            let size = self.ruleset.deal(seats) + usize::from(seat == start);
            self.hands[seat.index()] = rest.by_ref().take(size).collect();
            self.discards[seat.index()] = Row::default();
        }
    }

    fn end_round(&mut self, winner: Seat) {
        let discards = self.discards[winner.index()];
        let [.., before, last] = *discards else { unreachable!("two tiles are dealt at least") };
        let (before, last_tile) = (before.tile, last.tile);
        let finish = Finish {
            last: last_tile.expect("the game knows every tile"),
            before: before.expect("the game knows every tile"),
            face_down: u32::from(face_down(&discards)),
            face_down_of_all: self.discards.iter().map(|all| u32::from(face_down(all))).sum(),
        };
        // A seat that has gone scores no more: it must not end the match for those who stay.
        let points = if self.is_retired(winner) { 0 } else { self.battlefield.points(&finish) };
        self.scores[winner.index()] += points;
        self.news.push(News::RoundEnded(RoundResult {
            round: self.round,
            winner,
            last_tile: finish.last,
            face_down: finish.face_down as u8,
            points,
            discards,
            scores: self.scores,
        }));
        if self.scores[winner.index()] >= self.target || self.is_deserted() {
            self.end_match();
        } else {
            self.begin_next_round();
        }
    }

    /// The start marker goes to the left neighbour, whoever won. It never rests with a seat that
    /// has gone.
    fn begin_next_round(&mut self) {
        let mut start = match self.ruleset {
            Ruleset::Official => self.left_of(self.start),
            Ruleset::Original => Seat(0),
        };
        while self.is_retired(start) {
            start = self.left_of(start);
        }
        self.begin_round(start);
        self.news.push(News::RoundBegan { round: self.round, start });
    }

    /// Seats that stayed come before those that went; among each, the score decides.
    fn end_match(&mut self) {
        self.phase = Phase::Finished;
        let seats = self
            .scores
            .iter()
            .zip(&self.exits)
            .map(|(score, exit)| (i64::from(*score), (exit.is_none(), *score), exit.clone()));
        self.outcome = Some(Outcome::ranked(seats.collect()));
    }
}

/// What merely tells.
impl TigerDragon {
    pub(super) fn situation(&self, seat: Seat) -> Situation<'_> {
        Situation {
            ruleset: self.ruleset,
            phase: self.phase,
            attack: self.attack.map(|attack| attack.tile),
            hand: &self.hands[seat.index()],
        }
    }

    fn discards_seen_by(&self, viewer: Viewer) -> PerSeat<Discards> {
        let mut seen = self.discards;
        for (seat, discards) in Seat::all(seen.len()).zip(seen.iter_mut()) {
            if !viewer.is(seat) {
                for discard in discards.iter_mut().filter(|d| d.act == Act::FaceDown) {
                    discard.tile = None;
                }
            }
        }
        seen
    }

    fn left_of(&self, seat: Seat) -> Seat {
        seat.next(self.hands.len())
    }

    fn is_deserted(&self) -> bool {
        self.exits.iter().filter(|exit| exit.is_none()).count() < 2
    }

    fn is_retired(&self, seat: Seat) -> bool {
        self.exits[seat.index()].is_some()
    }
}

fn face_down(discards: &[Discard]) -> u8 {
    discards.iter().filter(|discard| discard.act == Act::FaceDown).count() as u8
}
