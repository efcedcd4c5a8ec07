//! The inputs and outputs of a live table.

use std::sync::Arc;

use rules::any::{AnyAction, AnyConfig, AnyState, Strategy};
use rules::{BotKind, Exit, Game, Seat, SeatSet};

use super::{TableStanding, Thinking, Thought};
use crate::{
    Chair, ConnId, Eyes, Introduction, Joined, Name, Refusal, Role, Table, TableEvent, TableRecord,
    Time, TokenHash, Update, guarded,
};

/// What can happen to a table.
#[derive(Debug)]
pub enum TableInput {
    /// A player takes a free seat, or their own.
    Sat {
        conn: ConnId,
        seat: Seat,
        newcomer: Newcomer,
        asked: bool,
    },
    /// House bots take free seats.
    BotsSat(Vec<BotSeat>),
    /// The hall has seated all the players it could: is that enough?
    Gathered,
    /// A player has proved ownership of this seat. At a finished table they get the end.
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
    /// What a connection wants to receive from now on.
    Introduced(ConnId, Introduction),
    Readied(ConnId),
    /// A player calls for the start.
    Called(ConnId),
    Acted {
        conn: ConnId,
        seq: u64,
        action: AnyAction,
    },
    /// A player has tried to move, in words that mean nothing.
    Misspoke(ConnId),
    AskedHistory {
        conn: ConnId,
        from: u64,
    },
    /// A player gives its seat up.
    Left(ConnId),
    /// A player is no longer connected. Where names are known in the hall, the hall counts the
    /// time.
    Away {
        conn: ConnId,
        exit: Exit,
        counted: bool,
    },
    /// A conn is elsewhere now; that says nothing of its seat.
    Detached(ConnId),
    /// Players whose reconnect window in the hall ended.
    Lost(Vec<Seat>),
    /// The organiser or a tournament removes a player.
    TakenOut {
        seat: Seat,
        reason: String,
    },
    /// A player's program has ended, says the tool that started it.
    Crashed(Seat),
    /// No player will come to these seats of a tournament's game: their entrants have withdrawn.
    Withdrawn(SeatSet),
    /// The table is closed without a result.
    Closed(String),
    /// The table was folded from the records of an earlier server, whose last one was written at
    /// that time. All players are absent.
    Restarted {
        last_written: Time,
    },
    /// The same, but connected members stay connected, and everything is as an earlier owner left
    /// it `gap_ms` ago.
    TakenOver {
        standing: Option<Box<TableStanding>>,
        gap_ms: u64,
    },
    /// House bots have answered.
    Thought(Box<Thought>),
    Tick,
}

/// What a table has done.
#[derive(Debug)]
pub enum TableOutput {
    Record(Arc<TableRecord>),
    Said(TableSaid),
    /// The table has let go of a conn.
    Unbound(ConnId),
    /// A token leads nowhere any more.
    Forgotten(TokenHash),
    /// House bots are to take the free seats; what else is due comes with the next tick.
    WantsBots,
    /// A connection is to receive what happened from one turn to another, as far as it may know it.
    /// This promises an answer; the keeper of the records gives it.
    Recall {
        conn: ConnId,
        eyes: Eyes,
        from: u64,
        until: u64,
    },
    /// House bots are to think; [`TableInput::Thought`] brings what comes of it.
    Think(Box<Thinking>),
}

/// What a table says to connections that are there.
#[derive(Debug)]
pub enum TableSaid {
    Answer(ConnId, TableAnswer),
    Tell(ConnId, TableEvent),
    /// Sends all of these spectators the same. They are sorted.
    Show(Arc<[ConnId]>, TableEvent),
    /// Sends the players a turn that has begun.
    Turn(Turn),
}

/// A turn that has begun, with the update for each player who is here.
#[derive(Debug)]
pub struct Turn {
    pub seq: u64,
    pub at: Time,
    pub deadline: Option<Time>,
    pub updates: Vec<(ConnId, Arc<Update>)>,
}

/// A table's reply to who has asked.
#[derive(Clone, Debug)]
pub enum TableAnswer {
    Joined(Box<Joined>),
    Accepted,
    Refused(Refusal),
}

/// A player who sits down.
#[derive(Clone, Debug)]
pub struct Newcomer {
    pub name: Name,
    /// The secret for reconnecting.
    pub token: Option<String>,
    pub joined_via: Option<Name>,
    pub introduction: Option<Introduction>,
    /// Which version its owner has said its claimed name plays as.
    pub version: Option<Name>,
    /// A program that has played a lot begins its next game no earlier.
    pub rests_until: Option<Time>,
}

/// What a tournament knows about the game its table is opened for.
#[derive(Clone, Debug)]
pub struct Occasion {
    /// The id of the tournament.
    pub tournament: Name,
    /// How long its players have to come.
    pub no_show_ms: u64,
    /// By seat, the names under which they are known elsewhere than at the tables.
    pub entrants: Vec<Name>,
    /// By seat, which version was said when they entered.
    pub versions: Vec<Option<Name>>,
    /// Seats that no player will take.
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

/// What a game supplies besides its terms: code, where everything else is plain values.
#[derive(Clone, Debug)]
pub struct GameHooks {
    pub bots: Arc<[Strategy]>,
    /// The configuration once the players are known, in seat order.
    pub settle: fn(&AnyConfig, &[Chair]) -> AnyConfig,
    /// Whether the game's protocols could say this name, and a player come by it.
    pub is_name: fn(&str) -> bool,
    /// Which names those are, in words.
    pub names: &'static str,
    /// Whether this means something other than a name, such as a colour; then no player can own it.
    pub is_nobodys: fn(&str) -> bool,
    /// How long a turn may take at most, whatever the table's clock says.
    pub turn_limit_ms: fn(&AnyState) -> Option<u64>,
    /// House bots think where the hall's owner lets them; else there and then.
    pub thinks_elsewhere: bool,
}

impl GameHooks {
    /// Lets the game make something of who sits down, in this order. What it makes is written down,
    /// so that a replay needs neither the sessions nor the game's mind of that day.
    pub(super) fn settled(
        &self,
        table: &Table,
        order: &[Seat],
    ) -> Result<Option<Box<AnyConfig>>, String> {
        let opened = &table.opened().terms.config;
        let chairs: Vec<Chair> =
            order.iter().filter_map(|seat| table.chair(*seat).cloned()).collect();
        let settled = guarded(|| (self.settle)(opened, &chairs))?;
        Ok((settled != *opened).then(|| Box::new(settled)))
    }
}

/// The configuration doesn't depend on the players.
impl<G: Game> From<&'static [BotKind<G>]> for GameHooks {
    fn from(bots: &'static [BotKind<G>]) -> GameHooks {
        GameHooks {
            bots: Strategy::all(bots),
            settle: |config, _| config.clone(),
            is_name: |name| !name.is_empty(),
            names: "use at least one character",
            is_nobodys: |_| false,
            turn_limit_ms: |_| None,
            thinks_elsewhere: false,
        }
    }
}
