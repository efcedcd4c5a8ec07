//! Sushi Go: three rounds of picking one card, together, and passing the rest on.

mod card;
mod determinise;
mod picture;
pub mod scoring;
mod view;

use rules::{
    Dice, Exit, Game, Illegal, Move, Outcome, Scene, Seat, SeatSet, Seed, SetupError, Step, Viewer,
};
use serde::{Deserialize, Serialize};

use scoring::Worth;

pub use card::Card;
pub use determinise::Known;
pub use view::{View, ViewedSeat};

pub const ROUNDS: u8 = 3;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub pass_direction: PassDirection,
    /// Whether fewest puddings costs 6 with two players too.
    pub two_player_pudding_penalty: bool,
    /// Whether players are told at the start who sits where.
    pub player_order: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            pass_direction: PassDirection::Left,
            two_player_pudding_penalty: true,
            player_order: false,
        }
    }
}

/// Where the hands go: always to the next seat, or the other way in every second round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PassDirection {
    Left,
    Alternate,
}

impl PassDirection {
    fn is_backwards(self, round: u8) -> bool {
        self == PassDirection::Alternate && round.is_multiple_of(2)
    }

    /// Where the hand of each seat goes after a turn of this round.
    pub fn targets(self, round: u8, seats: usize) -> Vec<Seat> {
        let steps = if self.is_backwards(round) { seats - 1 } else { 1 };
        (0..seats).map(|seat| Seat(((seat + steps) % seats) as u8)).collect()
    }
}

/// Cards are named by their place in the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    Play(usize),
    /// Two cards, laid in this order, for one chopsticks on the table.
    Chopsticks(usize, usize),
}

/// What is wrong with an action, in the order in which it is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misplay {
    SameCardTwice,
    NoChopsticks,
    NoSuchCard,
}

impl Action {
    /// The one judge of actions, for the rules and for a session that only has a view.
    pub fn check(self, hand: usize, has_chopsticks: bool) -> Result<(), Misplay> {
        match self {
            Action::Chopsticks(first, second) if first == second => Err(Misplay::SameCardTwice),
            Action::Chopsticks(..) if !has_chopsticks => Err(Misplay::NoChopsticks),
            Action::Chopsticks(first, second) if first.max(second) >= hand => {
                Err(Misplay::NoSuchCard)
            }
            Action::Play(index) if index >= hand => Err(Misplay::NoSuchCard),
            _ => Ok(()),
        }
    }

    /// Every action a hand of this size allows.
    pub fn all(hand: usize, has_chopsticks: bool) -> Vec<Action> {
        (0..Action::count(hand, has_chopsticks)).map(|n| Action::nth(hand, n)).collect()
    }

    /// How many actions a hand of this size allows.
    pub fn count(hand: usize, has_chopsticks: bool) -> usize {
        if has_chopsticks { hand * hand } else { hand }
    }

    /// The actions numbered: the single cards, then the ordered pairs.
    pub fn nth(hand: usize, n: usize) -> Action {
        if n < hand {
            return Action::Play(n);
        }
        let (first, rest) = ((n - hand) / (hand - 1), (n - hand) % (hand - 1));
        Action::Chopsticks(first, if rest < first { rest } else { rest + 1 })
    }

    /// Any action, each equally likely. Equal cards are one action: the first of them is played.
    pub fn random(hand: &[Card], can_pick_two: bool, dice: &mut Dice) -> Action {
        let is_first = |index: usize, picked: Option<usize>| {
            let mut before = (0..index).filter(|other| Some(*other) != picked);
            before.all(|other| hand[other] != hand[index])
        };
        let choices = Action::count(hand.len(), can_pick_two);
        loop {
            let action = Action::nth(hand.len(), dice.below(choices));
            let stands_for_all = match action {
                Action::Play(index) => is_first(index, None),
                Action::Chopsticks(one, two) => is_first(one, None) && is_first(two, Some(one)),
            };
            if stands_for_all {
                return action;
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct SushiGo {
    pub(super) config: Config,
    pub(super) deck: Vec<Card>,
    pub(super) round: u8,
    pub(super) turn: u8,
    pub(super) seats: Vec<Tableau>,
    pub(super) news: Option<News>,
    pub(super) outcome: Option<Outcome>,
}

/// One seat's cards.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tableau {
    pub hand: Vec<Card>,
    pub table: Vec<Card>,
    pub puddings: u32,
    pub score: i64,
    pub exit: Option<Exit>,
}

/// What everybody saw of the last turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct News {
    pub round: u8,
    pub turn: u8,
    /// The cards laid, seat by seat.
    pub played: Vec<Vec<Card>>,
    pub round_end: Option<RoundEnd>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundEnd {
    pub worths: Vec<Worth>,
    /// Totals after this round, without the puddings of the game's end.
    pub scores: Vec<i64>,
}

impl SushiGo {
    /// A legal action of a seat that owes one, each equally likely.
    pub fn random(&self, seat: Seat, dice: &mut Dice) -> Action {
        let place = &self.seats[seat.index()];
        Action::random(&place.hand, place.can_pick_two(), dice)
    }
}

impl Game for SushiGo {
    const NAME: &'static str = "sushi-go";
    const VERSION: u32 = 2;
    type Config = Config;
    type Action = Action;
    type View = View;

    fn setup(config: &Config, seats: usize, seed: Seed) -> Result<SushiGo, SetupError> {
        if !(2..=5).contains(&seats) {
            return Err(SetupError(format!("Sushi Go takes 2 to 5 players, not {seats}")));
        }
        let mut deck: Vec<Card> = Card::DECK
            .iter()
            .flat_map(|&(card, copies)| std::iter::repeat_n(card, copies))
            .collect();
        Dice::new(&seed, "deck", 0).shuffle(&mut deck);
        let mut game = SushiGo {
            config: config.clone(),
            deck,
            round: 0,
            turn: 0,
            seats: vec![Tableau::default(); seats],
            news: None,
            outcome: None,
        };
        game.deal();
        Ok(game)
    }

    fn to_act(&self) -> SeatSet {
        if self.outcome.is_some() { SeatSet::EMPTY } else { self.staying() }
    }

    fn legal(&self, seat: Seat) -> Option<Vec<Action>> {
        let place = &self.seats[seat.index()];
        Some(Action::all(place.hand.len(), place.can_pick_two()))
    }

    fn legal_at_most(&self, seat: Seat) -> Option<usize> {
        let place = &self.seats[seat.index()];
        Some(Action::count(place.hand.len(), place.can_pick_two()))
    }

    fn sample(&self, seat: Seat, dice: &mut Dice) -> Action {
        let place = &self.seats[seat.index()];
        let choices = Action::count(place.hand.len(), place.can_pick_two());
        Action::nth(place.hand.len(), dice.below(choices))
    }

    fn check(&self, seat: Seat, action: &Action) -> Result<(), Illegal> {
        let place = &self.seats[seat.index()];
        let hand = place.hand.len();
        action.check(hand, place.has_chopsticks()).map_err(|misplay| {
            Illegal::new(match misplay {
                Misplay::SameCardTwice => "the two cards must differ".to_owned(),
                Misplay::NoChopsticks => "no chopsticks on the table".to_owned(),
                Misplay::NoSuchCard => format!("the hand has cards 0 to {}", hand - 1),
            })
        })
    }

    fn default_action(&self, _seat: Seat) -> Option<Action> {
        Some(Action::Play(0))
    }

    fn advance(&mut self, step: Step<'_, Action>) {
        match step {
            Step::Departure(exits) => {
                for (seat, exit) in exits {
                    self.retire(*seat, exit);
                }
                self.end_if_alone();
            }
            Step::Turn(moves) => {
                // If those who stay are too few, nothing is played in this turn.
                self.news = None;
                for (seat, part) in moves {
                    if let Move::Retire(exit) = part {
                        self.retire(*seat, exit);
                    }
                }
                self.end_if_alone();
                if self.outcome.is_none() {
                    self.play(moves);
                }
            }
        }
    }

    fn view(&self, viewer: Viewer) -> View {
        let show = |place: &Tableau| ViewedSeat {
            table: place.table.clone(),
            puddings: place.puddings,
            score: place.score,
            exit: place.exit.clone(),
        };
        View {
            viewer,
            round: self.round,
            turn: self.turn,
            turns: SushiGo::hand_size(self.seats.len()) as u8,
            passes_to: self.config.pass_direction.targets(self.round, self.seats.len()),
            two_player_pudding_penalty: self.config.two_player_pudding_penalty,
            hand_sizes: self.seats.iter().map(|place| place.hand.len()).collect(),
            hand: viewer.seat().map(|seat| self.seats[seat.index()].hand.clone()),
            seats: self.seats.iter().map(show).collect(),
            news: self.news.clone(),
            outcome: self.outcome.clone(),
            player_order: self.config.player_order,
        }
    }

    fn picture(scene: &Scene<'_, View>) -> String {
        picture::draw(scene)
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }
}

impl SushiGo {
    pub fn hand_size(seats: usize) -> usize {
        12 - seats
    }

    fn staying(&self) -> SeatSet {
        Seat::all(self.seats.len()).filter(|seat| self.seats[seat.index()].exit.is_none()).collect()
    }

    /// One shuffle serves the whole game; discards do not come back.
    fn deal(&mut self) {
        self.round += 1;
        self.turn = 1;
        let size = SushiGo::hand_size(self.seats.len());
        for place in &mut self.seats {
            place.table.clear();
            place.hand = self.deck.split_off(self.deck.len() - size);
        }
    }

    fn play(&mut self, moves: &[(Seat, Move<Action>)]) {
        let actions = self.complete(moves);
        let played: Vec<Vec<Card>> =
            self.seats.iter_mut().zip(actions).map(|(place, action)| place.lay(action)).collect();
        let (round, turn) = (self.round, self.turn);
        let round_over = self.seats[0].hand.is_empty();
        let round_end = round_over.then(|| self.score_round());
        self.news = Some(News { round, turn, played, round_end });
        if !round_over {
            self.pass_hands();
            self.turn += 1;
        } else if self.round < ROUNDS {
            self.deal();
        } else {
            self.score_puddings();
            self.finish();
        }
    }

    /// Every seat's action: those who left are played by taking their first card, from the turn on
    /// in which they had not chosen one.
    fn complete(&self, moves: &[(Seat, Move<Action>)]) -> Vec<Action> {
        let mut actions = vec![Action::Play(0); self.seats.len()];
        for (seat, part) in moves {
            if let Move::Act(action) = part {
                actions[seat.index()] = *action;
            }
        }
        actions
    }

    fn pass_hands(&mut self) {
        let backwards = self.config.pass_direction.is_backwards(self.round);
        let mut hands: Vec<Vec<Card>> =
            self.seats.iter_mut().map(|p| std::mem::take(&mut p.hand)).collect();
        if backwards {
            hands.rotate_left(1);
        } else {
            hands.rotate_right(1);
        }
        for (place, hand) in self.seats.iter_mut().zip(hands) {
            place.hand = hand;
        }
    }

    fn score_round(&mut self) -> RoundEnd {
        let worths = scoring::round(self.seats.iter().map(|place| place.table.as_slice()));
        for (place, worth) in self.seats.iter_mut().zip(&worths) {
            place.score += worth.total();
        }
        RoundEnd { worths, scores: self.seats.iter().map(|place| place.score).collect() }
    }

    fn score_puddings(&mut self) {
        let counts: Vec<u32> = self.seats.iter().map(|place| place.puddings).collect();
        let prizes = scoring::puddings(&counts, self.config.two_player_pudding_penalty);
        for (place, prize) in self.seats.iter_mut().zip(prizes) {
            place.score += prize;
        }
    }

    fn retire(&mut self, seat: Seat, exit: &Exit) {
        self.seats[seat.index()].exit.get_or_insert_with(|| exit.clone());
    }

    /// Whoever is left alone has won, with the scores as they stand.
    fn end_if_alone(&mut self) {
        if self.staying().len() <= 1 {
            self.finish();
        }
    }

    /// Highest total, then more puddings; who went can win nothing.
    fn finish(&mut self) {
        let rank = |p: &Tableau| (p.score, (p.exit.is_none(), p.score, p.puddings), p.exit.clone());
        self.outcome = Some(Outcome::ranked(self.seats.iter().map(rank).collect()));
    }
}

impl Tableau {
    fn has_chopsticks(&self) -> bool {
        self.table.contains(&Card::Chopsticks)
    }

    fn can_pick_two(&self) -> bool {
        self.hand.len() > 1 && self.has_chopsticks()
    }

    fn lay(&mut self, action: Action) -> Vec<Card> {
        let cards = match action {
            Action::Play(index) => vec![self.hand.remove(index)],
            Action::Chopsticks(first, second) => {
                let cards = vec![self.hand[first], self.hand[second]];
                self.hand.remove(first.max(second));
                self.hand.remove(first.min(second));
                let sticks = self.table.iter().position(|&c| c == Card::Chopsticks);
                self.hand.push(self.table.remove(sticks.expect("the action was checked")));
                cards
            }
        };
        self.puddings += cards.iter().filter(|&&card| card == Card::Pudding).count() as u32;
        self.table.extend(&cards);
        cards
    }
}

#[cfg(test)]
mod tests;
