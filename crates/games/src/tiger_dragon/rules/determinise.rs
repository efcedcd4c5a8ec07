//! A whole match from what one viewer knows of it.

use rules::{Determinise, Dice, Seat};

use super::TigerDragon;
use super::choices::{Action, Choices};
use super::row::Row;
use super::tile::{DECK, Tile};
use super::view::{Discards, PerSeat, View};

impl Determinise for TigerDragon {
    fn determinise(view: &View, dice: &mut Dice) -> Option<TigerDragon> {
        TigerDragon::imagine(view, &[Choices::NONE; Seat::MAX], dice)
    }
}

impl TigerDragon {
    /// Hidden are the tiles of other hands, other seats' face-down tiles, and the unused ones.
    /// `lacking` are the tiles, seat by seat, that a seat is thought not to hold; it is dealt one
    /// of them only if there is nothing else left.
    pub(in crate::tiger_dragon) fn imagine(
        view: &View,
        lacking: &[Choices],
        dice: &mut Dice,
    ) -> Option<TigerDragon> {
        if view.outcome.is_some() {
            return None;
        }
        let mut hidden = Hidden::of(view)?;
        dice.shuffle(&mut hidden.tiles);
        let seats = view.seats();
        let mut hands: PerSeat<Row<Tile, _>> = Row::of(seats);
        for seat in Seat::all(seats) {
            let index = seat.index();
            hands[index] = if view.viewer.is(seat) {
                view.hand
            } else {
                let lacks = lacking.get(index).copied().unwrap_or_default();
                (0..view.hand_sizes[index]).map(|_| hidden.draw(lacks)).collect::<Option<_>>()?
            };
        }
        let mut discards: PerSeat<Discards> = view.discards;
        let unknown = |discards: &mut Discards| -> Option<()> {
            for discard in discards.iter_mut().filter(|discard| discard.tile.is_none()) {
                discard.tile = Some(hidden.draw(Choices::NONE)?);
            }
            Some(())
        };
        discards.iter_mut().try_for_each(unknown)?;
        Some(TigerDragon {
            ruleset: view.ruleset,
            target: view.target,
            battlefield: view.battlefield.clone(),
            seed: dice.seed(),
            round: view.round,
            start: view.start,
            turn: view.turn,
            phase: view.phase,
            current: view.current,
            attack: view.attack,
            answered: view.answered,
            hands,
            discards,
            scores: view.scores,
            exits: view.exits.clone(),
            news: view.news.clone(),
            outcome: None,
        })
    }
}

/// The tiles that the viewer has not in sight.
struct Hidden {
    tiles: Vec<Tile>,
}

impl Hidden {
    fn of(view: &View) -> Option<Hidden> {
        let mut tiles = DECK.to_vec();
        let on_table = view.discards.iter().flat_map(|discards| discards.iter());
        for seen in on_table.filter_map(|discard| discard.tile).chain(view.hand.iter().copied()) {
            let found = tiles.iter().position(|tile| *tile == seen)?;
            tiles.swap_remove(found);
        }
        Some(Hidden { tiles })
    }

    fn draw(&mut self, lacks: Choices) -> Option<Tile> {
        let fits = |tile: &Tile| !lacks.contains(Action::Play(*tile));
        let found = self.tiles.iter().rposition(fits).or(self.tiles.len().checked_sub(1))?;
        Some(self.tiles.swap_remove(found))
    }
}
