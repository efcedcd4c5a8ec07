//! Gamba: a code is a rank and how many of it, because suits mean nothing. The memory keeps what the
//! other seat is known to hold.

use games::gamba::{Action, BOTS, Card, Config, Deal, Gamba, Known, Play, View};
use rules::{BotKind, Dice, Game, Seat, Viewer};

use crate::row::{Row, from_own};
use crate::spec::axis;
use crate::{Encode, Past, Recall, Spec};

const RANKS: usize = 13;
const RESERVE: usize = 4 * RANKS;
const PICK_UP: usize = RESERVE + 1;
const NAMES: [&str; RANKS] = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

impl Encode for Gamba {
    type Memory = Known;
    const REMEMBERS: bool = true;

    fn bots() -> &'static [BotKind<Gamba>] {
        BOTS
    }

    fn random(&self, seat: Seat, dice: &mut Dice) -> Action {
        Gamba::random(self, seat, dice)
    }

    fn spec(_: &Config, seats: usize) -> Spec {
        Spec::new(Gamba::NAME, seats)
            .codes("play", vec![axis(NAMES), axis(["x1", "x2", "x3", "x4"])])
            .codes("reserve", vec![])
            .codes("pick up", vec![])
            .plane("hand", &[RANKS], "cards of each rank in the own hand, quarters")
            .plane("top", &[RANKS], "1 at the rank on top of the pile")
            .plane("pile", &[RANKS], "cards of each rank in the pile, quarters")
            .plane("height", &[1], "cards in the pile / 52")
            .plane("low", &[1], "1 if only 2 to 7 may be played")
            .plane("fits", &[RANKS], "1 at each rank that may go on the pile")
            .plane("deck", &[1], "cards to draw / 52")
            .plane("burned", &[RANKS], "burned cards of each rank, quarters")
            .plane("hand_sizes", &[seats], "cards in each hand / 52, the own first")
            .plane("reserves", &[seats], "reserves of each seat, thirds, the own first")
            .plane("to_move", &[seats], "1 at the seat to move, the own first")
            .plane("full_deck", &[1], "1 if the deal is full-deck")
    }

    fn remember(memory: &mut Known, view: &View) {
        memory.see(view);
    }

    fn redeal(past: Past<'_, Gamba>, dice: &mut Dice) -> Option<Gamba> {
        Gamba::imagine(&past.game.view(Viewer::Seat(past.seat)), past.memory, dice)
    }

    fn recall(recall: &Recall<'_, Gamba>) -> Known {
        recall.memory.in_another_deal(&recall.was, &recall.now[recall.seat.index()])
    }

    fn observe(view: &View, _: &Known, _: &[usize], out: &mut [f32]) {
        let own = view.viewer.seat().map_or(0, |seat| seat.index());
        let mut row = Row::new(out);
        let hand = view.seats[own].hand.as_deref().unwrap_or_default();
        count(row.plane(RANKS), hand);
        row.one_hot(RANKS, view.top().map(rank));
        count(row.plane(RANKS), &view.pile);
        row.number(view.pile.len() as f32 / 52.0);
        row.flag(view.must_play_low);
        let fits = row.plane(RANKS);
        if let Some(position) = view.position().filter(|_| view.to_act.is_some()) {
            for (value, fit) in (2..).zip(fits) {
                *fit = f32::from(u8::from(position.accepts(value)));
            }
        }
        row.number(view.deck_size as f32 / 52.0);
        count(row.plane(RANKS), &view.burned);
        let seats = view.seats.len();
        for (number, seat) in row.plane(seats).iter_mut().zip(from_own(own, seats)) {
            *number = view.seats[seat].hand_size as f32 / 52.0;
        }
        for (number, seat) in row.plane(seats).iter_mut().zip(from_own(own, seats)) {
            *number = view.seats[seat].reserves as f32 / 3.0;
        }
        row.one_hot(seats, view.to_act.map(|seat| (seat.index() + seats - own) % seats));
        row.flag(view.deal == Deal::FullDeck);
        row.end();
    }

    fn mask(view: &View, _: &[usize], out: &mut [u8]) {
        let Some(position) = view.position() else { return };
        for card in position.hand {
            if position.accepts(card.value()) {
                // Each further card of a rank makes one more code legal.
                let codes = &mut out[4 * rank(*card)..][..4];
                let held = codes.iter().position(|&code| code == 0);
                codes[held.expect("there are four cards of a rank")] = 1;
            }
        }
        out[RESERVE] = u8::from(position.check(&Action::Reserve).is_ok());
        out[PICK_UP] = u8::from(position.check(&Action::PickUp).is_ok());
    }

    /// The first cards of the rank, in the order of their suits.
    fn decode(view: &View, codes: &[usize]) -> Option<Action> {
        let code = match codes {
            [RESERVE] => return Some(Action::Reserve),
            [PICK_UP] => return Some(Action::PickUp),
            [code] if *code < RESERVE => *code,
            _ => return None,
        };
        let position = view.position()?;
        let mut held: Vec<Card> =
            position.hand.iter().copied().filter(|card| rank(*card) == code / 4).collect();
        held.sort_unstable();
        Play::from_slice(held.get(..=code % 4)?).map(Action::Play)
    }

    fn encode(_: &View, action: &Action) -> Option<Vec<usize>> {
        Some(vec![match action {
            Action::Play(cards) => 4 * rank(*cards.first()?) + cards.len() - 1,
            Action::Reserve => RESERVE,
            Action::PickUp => PICK_UP,
        }])
    }
}

fn rank(card: Card) -> usize {
    usize::from(card.value()) - 2
}

fn count(plane: &mut [f32], cards: &[Card]) {
    for card in cards {
        plane[rank(*card)] += 0.25;
    }
}
