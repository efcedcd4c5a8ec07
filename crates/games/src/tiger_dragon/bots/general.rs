//! A bot that looks ahead to the end of the round. It deals the tiles it cannot see at random,
//! again and again, and finds what does best in such rounds. Who passed an attack is thought to
//! have had no answer to it.

use rules::search::{self, Budget, Outlook};
use rules::{Dice, Game, Seat};

use super::super::rules::{Act, Action, Choices, Phase, Situation, TigerDragon, View, answers};
use super::{count, counter, unseen};

const BUDGET: Budget = Budget { iterations: 600, turns: 100, curiosity: 0.5 };

/// One time in so many, somebody has passed although it had an answer.
const BLUFFS: usize = 8;

pub(super) fn general(view: &View, dice: &mut Dice) -> Action {
    let seat = view.current;
    let round = Round::of(view);
    let best = search::best_move(&round, seat, BUDGET, dice);
    best.unwrap_or_else(|| counter(view, dice))
}

/// The tiles that would have answered an attack the seat has passed in this round.
fn lacking(view: &View, seat: Seat) -> Choices {
    let mut lacking = Choices::NONE;
    let mut passed = |tile| lacking = lacking.or(answers(view.ruleset, tile));
    for (other, discards) in Seat::all(view.seats()).zip(view.discards.iter()) {
        for pair in discards.windows(2).filter(|_| other != seat) {
            // Nobody has answered: a tile went face down.
            if let (Act::Attack, Act::FaceDown, Some(tile)) =
                (pair[0].act, pair[1].act, pair[0].tile)
            {
                passed(tile);
            }
        }
    }
    if let Some(attack) = view.attack {
        let seats = view.seats();
        let after = |seat: Seat| (seat.index() + seats - attack.seat.index()) % seats;
        let all = view.phase == Phase::BonusReceive;
        if seat != attack.seat && (all || after(seat) < after(view.current)) {
            passed(attack.tile);
        }
    }
    lacking
}

/// The round as the seat to move knows it.
struct Round<'a> {
    view: &'a View,
    /// Seat by seat, what it is thought not to hold.
    lacking: Vec<Choices>,
}

impl Round<'_> {
    fn of(view: &View) -> Round<'_> {
        Round { view, lacking: Seat::all(view.seats()).map(|seat| lacking(view, seat)).collect() }
    }
}

/// A match as a seat may think it is, by what it sees and by who has passed.
pub(super) fn imagine(view: &View, dice: &mut Dice) -> Option<TigerDragon> {
    Round::of(view).imagine(dice)
}

/// The move of a seat that counts the tiles it doesn't see.
pub(super) fn quick_move(game: &TigerDragon, seat: Seat) -> Action {
    let situation: Situation<'_> = game.situation(seat);
    let mut seen = game.discards;
    for (other, discards) in Seat::all(seen.len()).zip(seen.iter_mut()) {
        let hidden = discards.iter_mut().filter(|discard| discard.act == Act::FaceDown);
        hidden.filter(|_| other != seat).for_each(|discard| discard.tile = None);
    }
    count(&situation, &unseen(&seen, situation.hand))
}

impl Outlook for Round<'_> {
    type Game = TigerDragon;
    type Key = Action;

    fn imagine(&self, dice: &mut Dice) -> Option<TigerDragon> {
        let lacking = if dice.one_in(BLUFFS) { &[][..] } else { &self.lacking };
        TigerDragon::imagine(self.view, lacking, dice)
    }

    fn is_over(&self, game: &TigerDragon) -> bool {
        game.round != self.view.round || game.outcome.is_some()
    }

    fn moves(&self, game: &TigerDragon, seat: Seat, moves: &mut Vec<(Action, Action)>) {
        moves.extend(game.situation(seat).choices().iter().map(|action| (action, action)));
    }

    fn quick_move(&self, game: &TigerDragon, seat: Seat, _: &mut Dice) -> Action {
        quick_move(game, seat)
    }

    /// How far one is ahead of the best of the others, on the way to the target.
    fn worth(&self, game: &TigerDragon, seat: Seat) -> f64 {
        if let Some(outcome) = game.outcome() {
            let winners = outcome.winners();
            return if !winners.contains(seat) { 0.0 } else { 1.0 / winners.len() as f64 };
        }
        let score = |seat: Seat| f64::from(game.scores[seat.index()].min(game.target));
        let others = Seat::all(game.scores.len()).filter(|other| *other != seat);
        let ahead = score(seat) - others.map(score).fold(0.0, f64::max);
        0.5 + 0.45 * ahead / f64::from(game.target)
    }
}
