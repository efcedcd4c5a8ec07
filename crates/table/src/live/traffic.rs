//! What comes to a live table and what goes out from it.

use std::sync::Arc;

use rules::{BotKind, Exit, Game, Seat, SeatSet};

use super::{TableStanding, Thinking, Thought};
use crate::{
    Chair, ConnId, Eyes, Introduction, Joined, Name, Refusal, Role, Table, TableEvent, TableRecord,
    Time, TokenHash, guarded,
};

/// What can happen to a table.
#[derive(Debug)]
pub enum TableInput<G: Game> {
    /// Somebody takes a seat that is free, or its own.
    Sat {
        conn: ConnId,
        seat: Seat,
        newcomer: Newcomer,
        asked: bool,
    },
    /// House bots take free seats.
    BotsSat(Vec<BotSeat>),
    /// Everybody sits whom the hall could bring: does that suffice?
    Gathered,
    /// A player has proved that this seat is its own. At a table that is over it hears the end.
    Returned {
        conn: ConnId,
        seat: Seat,
        introduction: Option<Introduction>,
        asked: bool,
    },
    Watched {
        conn: ConnId,
        role: Role,
        asked: bool,
    },
    /// What a conn wants to hear from now on.
    Introduced(ConnId, Introduction),
    Readied(ConnId),
    /// A player calls for the start.
    Called(ConnId),
    Acted {
        conn: ConnId,
        seq: u64,
        action: G::Action,
    },
    /// A player has tried to move, in words that mean nothing.
    Misspoke(ConnId),
    AskedHistory {
        conn: ConnId,
        from: u64,
    },
    /// A player gives its seat up.
    Left(ConnId),
    /// A player is no longer here. Where its name is known in the hall, the hall counts for how long.
    Away {
        conn: ConnId,
        exit: Exit,
        counted: bool,
    },
    /// A conn is elsewhere now; that says nothing of its seat.
    Detached(ConnId),
    /// Those whom the hall has waited for in vain.
    Lost(Vec<Seat>),
    /// The organiser or a tournament takes somebody out.
    TakenOut {
        seat: Seat,
        reason: String,
    },
    /// A player's program has ended, says the tool that started it.
    Crashed(Seat),
    /// Nobody will come to these seats of a tournament's game: their entrants have withdrawn.
    Withdrawn(SeatSet),
    /// The table is closed without a result.
    Closed(String),
    /// The table was folded from the records of an earlier server, whose last one was written at that
    /// time. Everybody is absent.
    Restarted {
        last_written: Time,
    },
    /// The same, but those who were here are, and everything is as an earlier owner left it so long
    /// ago.
    TakenOver {
        standing: Option<Box<TableStanding>>,
        gap_ms: u64,
    },
    /// House bots have answered.
    Thought(Box<Thought<G>>),
    Tick,
}

/// What a table has done.
#[derive(Debug)]
pub enum TableOutput<G: Game> {
    Record(Arc<TableRecord<G>>),
    Answer(ConnId, TableAnswer),
    Tell(ConnId, TableEvent<G>),
    /// Tells all of these the same: they only watch. They are in order.
    Show(Arc<[ConnId]>, TableEvent<G>),
    /// The table has let go of a conn.
    Unbound(ConnId),
    /// A token leads nowhere any more.
    Forgotten(TokenHash),
    /// House bots are to take the free seats; what else is due comes with the next tick.
    WantsBots,
    /// Somebody is to hear what has happened from one turn to another, as it may know it. This is the
    /// promise of an answer; whoever keeps the records gives it.
    Recall {
        conn: ConnId,
        eyes: Eyes,
        from: u64,
        until: u64,
    },
    /// House bots are to think; [`TableInput::Thought`] brings what comes of it.
    Think(Box<Thinking<G>>),
}

/// A table's reply to who has asked.
#[derive(Debug)]
pub enum TableAnswer {
    Joined(Box<Joined>),
    Accepted,
    Refused(Refusal),
}

/// Somebody who sits down.
#[derive(Clone, Debug)]
pub struct Newcomer {
    pub name: Name,
    /// The secret to come back with.
    pub token: Option<String>,
    pub joined_via: Option<Name>,
    pub introduction: Option<Introduction>,
    /// Which version its owner has said its claimed name plays as.
    pub version: Option<Name>,
}

/// What a table is opened for, if a tournament is: what it knows of its game.
#[derive(Clone, Debug)]
pub struct Occasion {
    /// How long its players have to come.
    pub no_show_ms: u64,
    /// By seat, the names under which they are known elsewhere than at the tables.
    pub entrants: Vec<Name>,
    /// By seat, which version was said when they entered.
    pub versions: Vec<Option<Name>>,
    /// Seats to which nobody will come.
    pub withdrawn: SeatSet,
}

impl Occasion {
    pub fn version_of(&self, seat: Seat) -> Option<Name> {
        self.versions.get(seat.index()).cloned().flatten()
    }
}

/// A house bot that sits down.
#[derive(Clone, Debug)]
pub struct BotSeat {
    pub seat: Seat,
    pub name: Name,
    pub strategy: Name,
}

/// What a game brings along besides its terms: code, where everything else is plain values.
#[derive(Clone, Debug)]
pub struct GameHooks<G: Game> {
    pub bots: &'static [BotKind<G>],
    /// What is played, once it is known who sits down to it, in the order of their seats.
    pub settle: fn(&G::Config, &[Chair]) -> G::Config,
    /// Whether the game's protocols could say this name, and a player come by it.
    pub is_name: fn(&str) -> bool,
    /// Which names those are, in words.
    pub names: &'static str,
    /// How long a turn may take at most, whatever the table's clock says.
    pub turn_limit_ms: fn(&G) -> Option<u64>,
    /// House bots think where the hall's owner lets them; else there and then.
    pub thinks_elsewhere: bool,
}

impl<G: Game> GameHooks<G> {
    /// Lets the game make something of who sits down, in this order. What it makes is written down,
    /// so that a replay needs neither the sessions nor the game's mind of that day.
    pub(super) fn settled(
        &self,
        table: &Table<G>,
        order: &[Seat],
    ) -> Result<Option<Box<G::Config>>, String> {
        let opened = &table.opened().terms.config;
        let chairs: Vec<Chair> =
            order.iter().filter_map(|seat| table.chair(*seat).cloned()).collect();
        let settled = guarded(|| (self.settle)(opened, &chairs))?;
        Ok((settled != *opened).then(|| Box::new(settled)))
    }
}

/// Whoever sits down, the table is played as it was opened.
impl<G: Game> From<&'static [BotKind<G>]> for GameHooks<G> {
    fn from(bots: &'static [BotKind<G>]) -> GameHooks<G> {
        GameHooks {
            bots,
            settle: |config, _| config.clone(),
            is_name: |name| !name.is_empty(),
            names: "use at least one character",
            turn_limit_ms: |_| None,
            thinks_elsewhere: false,
        }
    }
}
