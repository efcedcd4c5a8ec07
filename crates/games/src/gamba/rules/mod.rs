//! The rules of Gamba: the deal, what a play does, and when the game is over.

mod cards;
mod determinise;
mod known;
mod picture;
mod position;
mod ranks;
mod view;

use serde::{Deserialize, Serialize};

use rules::{
    Dice, Exit, Game, Illegal, Move, Outcome, Scene, Seat, SeatSet, Seed, SetupError, Step, Viewer,
};

pub use cards::{Card, Cards, Play, UnknownCard};
pub use known::Known;
pub use position::Position;
use position::{SEVEN, TEN};
pub use ranks::Ranks;
pub use view::{Ending, News, Reason, SeatView, Source, View};

/// Two players could play and pick up for ever. A game that long is drawn; random play is over
/// after some twenty turns with the guide's deal and some hundred with the full deck.
pub const TURN_LIMIT: u32 = 10_000;

/// Seats at a table, no more and no fewer.
const SEATS: usize = 2;
/// Face-down cards dealt to each seat.
const RESERVES: usize = 3;
/// Cards dealt to each hand, and the size a hand is refilled to while the deck lasts.
const HAND: usize = 3;

/// What an organiser can choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// "guide": three cards and three reserves each, the other 40 cards are out of play and the
    /// pile begins empty. "full-deck": one card more begins the pile, and the other 39 are a
    /// draw pile from which a hand is refilled to three after each play.
    pub deal: Deal,
}

/// Where the cards are that neither seat is dealt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deal {
    /// Out of play, all forty.
    #[default]
    Guide,
    /// One begins the pile, the others are the deck.
    FullDeck,
}

/// What the seat to act does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Cards of one rank from the hand, onto the pile in this order.
    Play(Play),
    /// The last-dealt reserve, which nobody has seen yet.
    Reserve,
    /// The whole pile, into the hand.
    PickUp,
}

/// One game. In every state the two hands, the reserves, the pile, the deck, the burned cards
/// and those out of play are the 52 cards.
#[derive(Clone, Debug, PartialEq)]
pub struct Gamba {
    pub(super) deal: Deal,
    /// In the order dealt; what comes later is appended.
    pub(super) hands: [Cards; SEATS],
    pub(super) reserves: [Cards<RESERVES>; SEATS],
    pub(super) pile: Cards,
    pub(super) must_play_low: bool,
    pub(super) deck: Cards,
    pub(super) burned: Cards,
    pub(super) out_of_play: Cards,
    pub(super) turn: Seat,
    pub(super) turns_played: u32,
    /// What the last turn did; none before the first turn and after a departure.
    pub(super) last: Option<News>,
    pub(super) exits: [Option<Exit>; SEATS],
    pub(super) ending: Option<Ending>,
    pub(super) outcome: Option<Outcome>,
}

impl Gamba {
    /// A legal action of the seat to act, each equally likely.
    pub fn random(&self, seat: Seat, dice: &mut Dice) -> Action {
        self.position(seat).random(dice)
    }
}

impl Game for Gamba {
    const NAME: &'static str = "gamba";
    const VERSION: u32 = 1;

    type Config = Config;
    type Action = Action;
    type View = View;

    fn setup(config: &Config, seats: usize, seed: Seed) -> Result<Gamba, SetupError> {
        if seats != SEATS {
            return Err(SetupError(format!("Gamba has {SEATS} seats, not {seats}")));
        }
        Ok(Gamba::deal(config.deal, shuffled(&seed)))
    }

    fn to_act(&self) -> SeatSet {
        match self.outcome {
            None => SeatSet::of(self.turn),
            Some(_) => SeatSet::EMPTY,
        }
    }

    fn legal(&self, seat: Seat) -> Option<Vec<Action>> {
        Some(self.position(seat).legal())
    }

    fn legal_at_most(&self, seat: Seat) -> Option<usize> {
        Some(self.position(seat).legal_count())
    }

    fn sample(&self, seat: Seat, dice: &mut Dice) -> Action {
        self.position(seat).casual(dice)
    }

    fn check(&self, seat: Seat, action: &Action) -> Result<(), Illegal> {
        if !self.to_act().contains(seat) {
            return Err(Illegal::new(format!("seat {seat} is not to act")));
        }
        self.position(seat).check(action)
    }

    /// Silence picks up. With nothing to pick up any card may be played: the oldest in the hand
    /// goes, or the next reserve.
    fn default_action(&self, seat: Seat) -> Option<Action> {
        Some(if !self.pile.is_empty() {
            Action::PickUp
        } else if let Some(&card) = self.hands[seat.index()].first() {
            let mut play = Play::EMPTY;
            play.push(card);
            Action::Play(play)
        } else {
            Action::Reserve
        })
    }

    fn advance(&mut self, step: Step<'_, Action>) {
        self.last = None;
        match step {
            Step::Turn(moves) => {
                for (seat, made) in moves {
                    match made {
                        Move::Act(action) => self.act(*seat, action),
                        Move::Retire(exit) => self.exits[seat.index()] = Some(exit.clone()),
                    }
                }
                self.turns_played += 1;
            }
            Step::Departure(exits) => {
                for (seat, exit) in exits {
                    self.exits[seat.index()] = Some(exit.clone());
                }
            }
        }
        self.conclude();
    }

    fn view(&self, viewer: Viewer) -> View {
        View::of(self, viewer)
    }

    fn picture(scene: &Scene<'_, View>) -> String {
        picture::draw(scene)
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }
}

fn shuffled(seed: &Seed) -> Cards {
    let mut deck = Cards::EMPTY;
    Card::all().for_each(|card| deck.push(card));
    Dice::new(seed, "deck", 0).shuffle(&mut deck);
    deck
}

impl Gamba {
    /// Each seat's reserves and then its hand, from the top of the deck.
    fn deal(deal: Deal, mut deck: Cards) -> Gamba {
        let mut game = Gamba {
            deal,
            hands: [Cards::EMPTY; SEATS],
            reserves: [Cards::EMPTY; SEATS],
            pile: Cards::EMPTY,
            must_play_low: false,
            deck: Cards::EMPTY,
            burned: Cards::EMPTY,
            out_of_play: Cards::EMPTY,
            turn: Seat(0),
            turns_played: 0,
            last: None,
            exits: [None, None],
            ending: None,
            outcome: None,
        };
        let mut next = || deck.pop().expect("the deck holds more than is dealt");
        for (hand, reserves) in game.hands.iter_mut().zip(&mut game.reserves) {
            (0..RESERVES).for_each(|_| reserves.push(next()));
            (0..HAND).for_each(|_| hand.push(next()));
        }
        match deal {
            Deal::Guide => game.out_of_play = deck,
            // The starter was not played, so neither a 7 nor a 10 among starters has an effect.
            Deal::FullDeck => {
                game.pile.push(next());
                game.deck = deck;
            }
        }
        game
    }

    pub(super) fn position(&self, seat: Seat) -> Position<'_> {
        Position {
            hand: &self.hands[seat.index()],
            reserves: self.reserves[seat.index()].len(),
            pile: &self.pile,
            must_play_low: self.must_play_low,
        }
    }

    fn act(&mut self, seat: Seat, action: &Action) {
        let news = match action {
            Action::Play(cards) => self.play_from_hand(seat, cards),
            Action::Reserve => self.play_reserve(seat),
            Action::PickUp => self.pick_up(seat),
        };
        self.last = Some(news);
        self.turn = seat.next(SEATS);
    }

    fn play_from_hand(&mut self, seat: Seat, play: &Play) -> News {
        self.take_from_hand(seat, play);
        self.lay(play);
        let burned = self.burn_by_ten(play);
        let drawn = self.refill(seat);
        News::Played { seat, cards: *play, from: Source::Hand, burned, drawn }
    }

    fn play_reserve(&mut self, seat: Seat) -> News {
        let card = self.reserves[seat.index()].pop().expect("checked: a reserve is left");
        if !self.position(seat).accepts(card.value()) {
            // The card itself comes first in the new hand, then the pile.
            self.hands[seat.index()].push(card);
            let taken = self.take_pile(seat);
            return News::ReserveFailed { seat, card: Some(card), taken };
        }
        let mut play = Play::EMPTY;
        play.push(card);
        self.lay(&play);
        let burned = self.burn_by_ten(&play);
        News::Played { seat, cards: play, from: Source::Reserve, burned, drawn: 0 }
    }

    fn pick_up(&mut self, seat: Seat) -> News {
        let taken = self.take_pile(seat);
        News::PickedUp { seat, taken }
    }

    fn take_from_hand(&mut self, seat: Seat, play: &[Card]) {
        let hand = &mut self.hands[seat.index()];
        for card in play {
            let index = hand.iter().position(|held| held == card).expect("checked: in the hand");
            hand.remove(index);
        }
    }

    /// A 7 asks for low cards, another 7 on it asks again, every other card ends the asking.
    fn lay(&mut self, play: &[Card]) {
        self.pile.extend(play);
        self.must_play_low = play[0].value() == SEVEN;
    }

    /// A 10 removes the pile and itself for good. The turn passes all the same.
    fn burn_by_ten(&mut self, play: &[Card]) -> u8 {
        if play[0].value() != TEN {
            return 0;
        }
        let burned = self.pile.len() as u8;
        self.burned.extend(&self.pile);
        self.pile.clear();
        burned
    }

    /// A hand is refilled after a play from the hand only, so an empty hand means an empty deck.
    fn refill(&mut self, seat: Seat) -> u8 {
        let hand = &mut self.hands[seat.index()];
        let before = hand.len();
        while hand.len() < HAND {
            let Some(card) = self.deck.pop() else { break };
            hand.push(card);
        }
        (hand.len() - before) as u8
    }

    /// The pile goes into the hand, the bottom card first.
    fn take_pile(&mut self, seat: Seat) -> u8 {
        let taken = self.pile.len() as u8;
        self.hands[seat.index()].extend(&self.pile);
        self.pile.clear();
        self.must_play_low = false;
        taken
    }

    /// A seat without cards has won, even if the other leaves in the same turn; else whoever
    /// stays wins, and nobody if both go.
    fn conclude(&mut self) {
        let out_of_cards = |seat: &Seat| {
            self.hands[seat.index()].is_empty() && self.reserves[seat.index()].is_empty()
        };
        let ending = if let Some(winner) = Seat::all(SEATS).find(out_of_cards) {
            Ending { winner: Some(winner), reason: Reason::NoCardsRemaining }
        } else if self.exits.iter().any(Option::is_some) {
            let stays = |seat: &Seat| self.exits[seat.index()].is_none();
            Ending { winner: Seat::all(SEATS).find(stays), reason: Reason::Retirement }
        } else if self.turns_played == TURN_LIMIT {
            Ending { winner: None, reason: Reason::TurnLimit }
        } else {
            return;
        };
        let standing = |seat: Seat| {
            let points = i64::from(ending.winner == Some(seat));
            (points, points, self.exits[seat.index()].clone())
        };
        self.outcome = Some(Outcome::ranked(Seat::all(SEATS).map(standing).collect()));
        self.ending = Some(ending);
    }
}
