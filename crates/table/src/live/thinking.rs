//! House bots are asked for their moves like players, and answer when they have thought: the owner
//! of the table runs a [`Thinking`] anywhere and returns the [`Thought`]. A bot is a function of
//! the views it has seen and its dice, so asking again gives the same answer.
//!
//! A thought that arrives after the table has moved on is dropped. If a bot thinks too long, or the
//! thinker queue is full, a weaker strategy moves at once: a house bot never loses on time.

use rules::any::{AnyAction, AnyBot, AnyView};
use rules::{Dice, Illegal, Seat, SeatSet};

use super::Play;
use super::house_bots::{self, Answered, choose_hastily, strategy};
use crate::{How, Name, Phase, Recorded, Table, guarded};

/// Longest wait for a thought.
const PATIENCE_MS: u64 = 3000;

/// The question to the house bots of one table in one turn.
pub struct Thinking {
    pub(super) seq: u64,
    pub(super) minds: Vec<Mind>,
    /// The past, if a bot has to be shown it first.
    pub(super) past: Option<Recorded>,
}

/// A house bot and what it is asked.
pub(super) struct Mind {
    pub seat: Seat,
    pub strategy: Name,
    pub bot: Box<dyn AnyBot>,
    pub view: AnyView,
    pub dice: Dice,
    /// It has not seen what its seat was asked before a restart.
    pub is_new: bool,
}

/// The house bots' answers.
pub struct Thought {
    seq: u64,
    pub(super) minds: Vec<(Mind, Choice)>,
}

pub(super) enum Choice {
    Made(AnyAction),
    /// There was no time to let it think.
    None,
    Failed(String),
}

impl Thinking {
    /// Lets the bots think, for as long as that takes.
    pub fn think(self) -> Thought {
        let Thinking { seq, minds, past } = self;
        let think = |mut mind: Mind| {
            let choice = guarded(|| {
                if let (true, Some(past)) = (mind.is_new, &past) {
                    mind.catch_up(past)?;
                }
                mind.bot.choose(&mind.view, &mut mind.dice)
            });
            let choice = choice.and_then(|action| action.map_err(|why| why.0));
            let failed = |panic| Choice::Failed(format!("house bot {}: {panic}", mind.strategy));
            let choice = choice.map_or_else(failed, Choice::Made);
            (mind, choice)
        };
        Thought { seq, minds: minds.into_iter().map(think).collect() }
    }

    /// There is no time to let them think.
    pub fn decline(self) -> Thought {
        let minds = self.minds.into_iter().map(|mind| (mind, Choice::None));
        Thought { seq: self.seq, minds: minds.collect() }
    }
}

impl Mind {
    /// Shows a bot what its seat was asked before, in order; what it answers now it did then.
    fn catch_up(&mut self, past: &Recorded) -> Result<(), Illegal> {
        let Some(seed) = past.seed() else { return Ok(()) };
        for (seq, view) in past.views_of_bot(self.seat) {
            self.bot.choose(&view, &mut Dice::new(&seed, "house bots", stream(seq, self.seat)))?;
        }
        Ok(())
    }
}

/// The number of a bot's dice in a turn.
pub(super) fn stream(seq: u64, seat: Seat) -> u64 {
    seq << 8 | u64::from(seat.0)
}

impl std::fmt::Debug for Thinking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seats: SeatSet = self.minds.iter().map(|mind| mind.seat).collect();
        f.debug_struct("Thinking").field("seq", &self.seq).field("seats", &seats).finish()
    }
}

impl std::fmt::Debug for Thought {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seats: SeatSet = self.minds.iter().map(|(mind, _)| mind.seat).collect();
        f.debug_struct("Thought").field("seq", &self.seq).field("seats", &seats).finish()
    }
}

impl Play<'_, '_> {
    /// Asks the bots who owe a move, one turn a tick, so that a table of bots never keeps others
    /// waiting.
    pub fn ask_bots(&mut self) {
        let live = &mut *self.moment.live;
        let owed = house_bots::owed(&live.table);
        let busy = live.bots.thinking();
        let free = owed.without(busy);
        if !free.is_empty() {
            let past = live.progress.past();
            match live.bots.question(free, &live.table, &self.moment.hooks.bots, past) {
                Err(fault) => return self.moment.break_down(fault),
                Ok(thinking) if !self.moment.hooks.thinks_elsewhere => self.hear(thinking.think()),
                Ok(thinking) => {
                    live.clocks.let_think(self.moment.now, PATIENCE_MS);
                    live.bots.let_think(free);
                    self.moment.out.think(thinking);
                }
            }
        }
        // A bot that still thinks about an earlier turn is replaced in this one.
        let waits = owed.iter().any(|seat| busy.contains(seat));
        if waits && self.moment.live.phase() == Phase::Playing {
            self.represent(busy);
        }
    }

    /// Bots have answered. What they remember stays with the table whatever has happened meanwhile.
    pub fn hear(&mut self, thought: Thought) {
        let seq = thought.seq;
        let live = &mut *self.moment.live;
        let answers = live.bots.take_back(thought, &live.table);
        if self.moment.live.phase() != Phase::Playing || self.moment.live.table.seq() != seq {
            return;
        }
        self.moment.live.clocks.end_thinking();
        let mut hasty = SeatSet::EMPTY;
        let mut moved = false;
        for Answered { seat, mut dice, choice } in answers {
            if is_over(&self.moment.live.table, seq)
                || !self.moment.live.table.owed().contains(seat)
            {
                continue;
            }
            match choice {
                Choice::Made(action) => {
                    if let Err(fault) = self.move_bot(seat, action, &mut dice) {
                        return self.moment.break_down(fault);
                    }
                    moved = true;
                }
                Choice::None => hasty.insert(seat),
                Choice::Failed(fault) => return self.moment.break_down(fault),
            }
        }
        match is_over(&self.moment.live.table, seq) {
            true => self.go_on(),
            false if moved => self.tell_who_is_waited_for(None),
            false => {}
        }
        self.represent(hasty);
    }

    /// After an illegal move of a bot, a simple choice is played instead.
    fn move_bot(&mut self, seat: Seat, action: AnyAction, dice: &mut Dice) -> Result<(), String> {
        let game = self.moment.live.table.game().ok_or("a bot moves before the start")?;
        let action = guarded(|| match game.check(seat, &action) {
            Ok(()) => action,
            Err(_) => game.sample(seat, dice),
        });
        let strategy =
            strategy(&self.moment.live.table, seat).cloned().unwrap_or_else(|| "".into());
        let action = action.map_err(|panic| format!("house bot {strategy}: {panic}"))?;
        self.record_move(seat, action, How::Bot);
        Ok(())
    }

    /// Thoughts have taken too long.
    pub fn represent_all(&mut self) {
        self.represent(house_bots::owed(&self.moment.live.table));
    }

    /// Weaker strategies move at once for those of these who owe a move.
    fn represent(&mut self, seats: SeatSet) {
        let seq = self.moment.live.table.seq();
        let mut moved = false;
        let owed = house_bots::owed(&self.moment.live.table);
        for seat in owed.iter().filter(|seat| seats.contains(*seat)) {
            if is_over(&self.moment.live.table, seq) || self.moment.live.is_held() {
                break;
            }
            if let Err(fault) = self.move_hastily(seat) {
                return self.moment.break_down(fault);
            }
            moved = true;
        }
        match moved && is_over(&self.moment.live.table, seq) {
            true => self.go_on(),
            false if moved => self.tell_who_is_waited_for(None),
            false => {}
        }
    }

    fn move_hastily(&mut self, seat: Seat) -> Result<(), String> {
        let (action, mut dice) =
            choose_hastily(seat, &self.moment.live.table, &self.moment.hooks.bots)?;
        self.move_bot(seat, action, &mut dice)
    }
}

/// Whether the turn of this number is over.
fn is_over(table: &Table, seq: u64) -> bool {
    table.seq() != seq || table.fault().is_some()
}
