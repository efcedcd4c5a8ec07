//! The house bots of a table: what each remembers, and who of them is thinking.

use std::collections::BTreeMap;

use rules::any::{AnyAction, AnyBot, Strategy};
use rules::{Dice, Seat, SeatSet, Viewer};

use super::thinking::{Choice, Mind, Thinking, Thought, stream};
use crate::{Name, Phase, Recorded, Table, guarded};

pub(super) struct HouseBots {
    /// Those who have moved, with what they remember.
    minds: BTreeMap<Seat, Box<dyn AnyBot>>,
    /// Seats whose bots have been asked and have not answered.
    thinking: SeatSet,
}

/// A bot's answer, and its dice for a fallback move.
pub(super) struct Answered {
    pub seat: Seat,
    pub dice: Dice,
    pub choice: Choice,
}

impl HouseBots {
    pub fn none() -> HouseBots {
        HouseBots { minds: BTreeMap::new(), thinking: SeatSet::EMPTY }
    }

    /// The question to the bots of these seats. New ones are shown the past first.
    pub fn question(
        &mut self,
        seats: SeatSet,
        table: &Table,
        strategies: &[Strategy],
        past: Option<&Recorded>,
    ) -> Result<Thinking, String> {
        let (seq, seed) = (table.seq(), table.opened().seed);
        let game = table.game().ok_or("nobody has to move before the start")?;
        let (mut minds, mut any_new) = (Vec::new(), false);
        for seat in seats.iter() {
            let strategy = strategy(table, seat).cloned().unwrap_or_else(|| "".into());
            let kind = find(strategies, &strategy)?;
            let view = guarded(|| game.view(Viewer::Seat(seat)));
            let view = view.map_err(|panic| format!("house bot {strategy}: {panic}"))?;
            let dice = Dice::new(&seed, "house bots", stream(seq, seat));
            let known = self.minds.remove(&seat);
            let is_new = known.is_none() && past.is_some();
            any_new |= is_new;
            let bot = known.unwrap_or_else(|| kind.make());
            minds.push(Mind { seat, strategy, bot, view, dice, is_new });
        }
        Ok(Thinking { seq, minds, past: past.filter(|_| any_new).cloned() })
    }

    /// These think elsewhere, and will answer.
    pub fn let_think(&mut self, seats: SeatSet) {
        seats.iter().for_each(|seat| self.thinking.insert(seat));
    }

    pub fn thinking(&self) -> SeatSet {
        self.thinking
    }

    /// Bots have answered. What they remember stays with the table whatever has happened meanwhile,
    /// as long as they play there.
    pub fn take_back(&mut self, thought: Thought, table: &Table) -> Vec<Answered> {
        let mut answered = Vec::new();
        for (mind, choice) in thought.minds {
            let Mind { seat, strategy, bot, dice, .. } = mind;
            self.thinking.remove(seat);
            if table.phase() == Phase::Playing && self::strategy(table, seat) == Some(&strategy) {
                self.minds.insert(seat, bot);
                answered.push(Answered { seat, dice, choice });
            }
        }
        answered
    }

    /// A player plays its seat again.
    pub fn dismiss(&mut self, seat: Seat) {
        self.minds.remove(&seat);
    }

    pub fn clear(&mut self) {
        self.minds.clear();
    }
}

/// The strategy that plays a seat, if a house bot does.
pub(super) fn strategy(table: &Table, seat: Seat) -> Option<&Name> {
    table.chair(seat)?.bot.as_ref()
}

/// The seats of bots who owe a move.
pub(super) fn owed(table: &Table) -> SeatSet {
    table.owed().iter().filter(|seat| strategy(table, *seat).is_some()).collect()
}

/// The move that the next weaker strategy makes at once, and the dice it was made with.
pub(super) fn choose_hastily(
    seat: Seat,
    table: &Table,
    strategies: &[Strategy],
) -> Result<(AnyAction, Dice), String> {
    let strategy = strategy(table, seat).cloned().unwrap_or_else(|| "".into());
    let weaker = find(strategies, &strategy)?.next_weaker(strategies).or(strategies.first());
    let weaker = weaker.ok_or("there is no house bot")?;
    let (seq, seed) = (table.seq(), table.opened().seed);
    let mut dice = Dice::new(&seed, "hasty house bots", stream(seq, seat));
    let game = table.game().ok_or("a bot moves before the start")?;
    let chosen = guarded(|| weaker.make().choose(&game.view(Viewer::Seat(seat)), &mut dice));
    let chosen = chosen.and_then(|action| action.map_err(|why| why.0));
    let action = chosen.map_err(|panic| format!("house bot {}: {panic}", weaker.name))?;
    Ok((action, dice))
}

fn find<'a>(known: &'a [Strategy], name: &str) -> Result<&'a Strategy, String> {
    let found = known.iter().find(|strategy| strategy.name == name);
    found.ok_or_else(|| format!("no house bot is called '{name}'"))
}
