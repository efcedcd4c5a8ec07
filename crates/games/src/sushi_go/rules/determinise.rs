//! A whole game from what one viewer knows of it.

use rules::{Determinise, Dice, Game, Seat, Viewer};

use super::card::Card;
use super::view::View;
use super::{Config, PassDirection, ROUNDS, SushiGo, Tableau};

impl Determinise for SushiGo {
    fn determinise(view: &View, dice: &mut Dice) -> Option<SushiGo> {
        SushiGo::imagine(view, &Known::default(), dice)
    }
}

/// What a player remembers that its view no longer shows.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The cards laid in earlier rounds.
    pub gone: Vec<Card>,
    /// What other seats hold, where it is known.
    pub hands: Vec<Option<Vec<Card>>>,
}

impl SushiGo {
    /// Hidden are the deck, the hands of others as far as they are not known, and what was laid in
    /// earlier rounds and is not remembered.
    pub fn imagine(view: &View, known: &Known, dice: &mut Dice) -> Option<SushiGo> {
        if view.outcome.is_some() {
            return None;
        }
        let mut hidden = hidden(view, known);
        dice.shuffle(&mut hidden);
        let mut hands = Vec::with_capacity(view.seats.len());
        for (seat, &size) in Seat::all(view.seats.len()).zip(&view.hand_sizes) {
            let remembered = known.hands.get(seat.index()).cloned().flatten();
            let hand = match &view.hand {
                Some(own) if view.viewer.is(seat) => own.clone(),
                _ => match remembered.filter(|hand| hand.len() == size) {
                    Some(hand) => hand,
                    None => hidden.split_off(hidden.len().checked_sub(size)?),
                },
            };
            hands.push(hand);
        }
        let to_deal = usize::from(ROUNDS.checked_sub(view.round)?);
        hidden.truncate(to_deal * view.seats.len() * usize::from(view.turns));
        let left = PassDirection::Left;
        let goes_left = left.targets(view.round, view.seats.len()) == view.passes_to;
        let place = |(seat, hand): (&super::view::ViewedSeat, Vec<Card>)| Tableau {
            hand,
            table: seat.table.clone(),
            puddings: seat.puddings,
            score: seat.score,
            exit: seat.exit.clone(),
        };
        Some(SushiGo {
            config: Config {
                pass_direction: if goes_left { left } else { PassDirection::Alternate },
                two_player_pudding_penalty: view.two_player_pudding_penalty,
                player_order: view.player_order,
            },
            deck: hidden,
            round: view.round,
            turn: view.turn,
            seats: view.seats.iter().zip(hands).map(place).collect(),
            news: view.news.clone(),
            outcome: None,
        })
    }
}

impl SushiGo {
    /// Another game of the same table, for `seat` with what it remembers. Its view does not say
    /// which way the hands of later rounds go; the table does.
    pub fn redealt(&self, seat: Seat, known: &Known, dice: &mut Dice) -> Option<SushiGo> {
        let game = SushiGo::imagine(&self.view(Viewer::Seat(seat)), known, dice)?;
        Some(SushiGo { config: self.config.clone(), ..game })
    }
}

/// The cards that may be anywhere. Of earlier rounds at least the puddings are known.
fn hidden(view: &View, known: &Known) -> Vec<Card> {
    let tables = view.seats.iter().flat_map(|seat| &seat.table);
    let puddings_in = |cards: &mut dyn Iterator<Item = &Card>| {
        cards.filter(|card| **card == Card::Pudding).count()
    };
    let eaten: usize = view.seats.iter().map(|seat| seat.puddings as usize).sum();
    let accounted = puddings_in(&mut tables.clone()) + puddings_in(&mut known.gone.iter());
    let puddings = vec![Card::Pudding; eaten.saturating_sub(accounted)];
    let held = known.hands.iter().flatten().flatten();
    let seen = tables.chain(view.hand.iter().flatten()).chain(&known.gone).chain(&puddings);
    let mut left = Card::DECK.map(|(_, copies)| copies);
    for card in seen.chain(held) {
        let copies = &mut left[*card as usize];
        *copies = copies.saturating_sub(1);
    }
    let copies = |(&(card, _), copies): (&(Card, usize), usize)| std::iter::repeat_n(card, copies);
    Card::DECK.iter().zip(left).flat_map(copies).collect()
}
