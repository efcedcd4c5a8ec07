//! A table in play: presence, clocks, bots and outgoing events around the fold.
//!
//! A [`LiveTable`] takes one [`TableInput`] at a time and pushes [`TableOutput`]s; time is an
//! argument, chance comes from the table's own seed. Every change of the game is a record first.
//! The owner of the table writes the records, sends the rest in order, and passes
//! [`TableInput::Tick`] when [`LiveTable::deadline`] has come. A [`Moment`] works out what follows
//! from an input: it holds a table, the time, and where its outputs go.

mod absence;
mod aftermath;
mod audience;
mod clocks;
mod ending;
mod gathering;
mod hold;
mod house_bots;
mod moment;
mod outputs;
mod overtime;
mod playing;
mod progress;
mod restarting;
mod showing;
mod standing;
mod telling;
mod thinking;
mod traffic;
mod turns;

use std::fmt;
use std::sync::Arc;

use rules::{Exit, Seat, SeatSet, Viewer};

use crate::{
    Chair, Closing, Company, ConnId, Name, Opened, Phase, Policy, Recorded, Role, ShownTurn,
    Summary, Table, TableInfo, TableRecord, Time,
};
use aftermath::Aftermath;
use audience::Audience;
use clocks::Clocks;
use gathering::Gathering;
use house_bots::HouseBots;
use moment::Moment;
use outputs::Outputs;
use playing::Play;
use progress::Progress;

pub use hold::Hold;
pub use standing::{Post, TableStanding};
pub use thinking::{Thinking, Thought};
pub use traffic::{
    BotSeat, GameHooks, Newcomer, Occasion, TableAnswer, TableInput, TableOutput, TableSaid, Turn,
};

pub struct LiveTable {
    table: Table,
    audience: Audience,
    clocks: Clocks,
    occasion: Option<Occasion>,
    company: Arc<Company>,
    progress: Progress,
    bots: HouseBots,
    aftermath: Aftermath,
    /// By seat, until when a program rests that has played a lot.
    rests: Vec<Option<Time>>,
}

// Inputs.
impl LiveTable {
    /// Opens a table, which waits for players.
    pub fn open(
        now: Time,
        opened: Arc<Opened>,
        occasion: Option<Occasion>,
        out: &mut Vec<TableOutput>,
    ) -> LiveTable {
        let record = Arc::new(TableRecord::Opened(opened.clone()));
        let mut live = LiveTable::around(Table::new(opened), occasion);
        let no_show_ms = live.occasion.as_ref().map(|occasion| occasion.no_show_ms);
        live.clocks.await_players(no_show_ms.map(|ms| now + ms));
        live.mind_waiting(now);
        out.push(TableOutput::Record(record));
        live
    }

    /// A table that an earlier server has left open; [`TableInput::Restarted`] sets it going. None
    /// unless the records begin with an opening.
    pub fn restored(past: Recorded, occasion: Option<Occasion>) -> Option<LiveTable> {
        let mut live = LiveTable::around(Table::fold(past.records())?, occasion);
        live.progress.remember(past);
        Some(live)
    }

    /// A table that was over before a restart, for players who don't know how it ended. `None`
    /// unless the records begin with an opening.
    pub fn over(records: Vec<TableRecord>) -> Option<LiveTable> {
        let mut live = LiveTable::restored(Recorded::written_at(Time(0), records), None)?;
        live.progress.forget_past();
        live.aftermath.leave_untold(live.table.seated().map(|(seat, _)| seat).collect());
        Some(live)
    }

    fn around(table: Table, occasion: Option<Occasion>) -> LiveTable {
        let seats = table.seats();
        let mut live = LiveTable {
            table,
            audience: Audience::of(seats),
            clocks: Clocks::of(seats),
            occasion,
            company: Arc::default(),
            progress: Progress::of(seats),
            bots: HouseBots::none(),
            aftermath: Aftermath::default(),
            rests: vec![None; seats],
        };
        live.refresh_company();
        live
    }

    /// Handles one input and pushes what follows from it.
    pub fn handle(
        &mut self,
        now: Time,
        hooks: &GameHooks,
        input: TableInput,
        out: &mut Vec<TableOutput>,
    ) {
        let mut moment = Moment { live: self, hooks, now, out: Outputs::to(out) };
        match input {
            TableInput::Sat { conn, seat, newcomer, asked } => {
                moment.gathering().sit(conn, seat, newcomer, asked);
            }
            TableInput::BotsSat(bots) => {
                bots.into_iter().for_each(|bot| moment.gathering().seat_bot(bot));
            }
            TableInput::Gathered => moment.gathering().consider_start(),
            TableInput::Returned { conn, seat, introduction, asked } => {
                moment.take_back(conn, seat, introduction, asked);
            }
            TableInput::Watched { conn, role, asked } => moment.watch(conn, role, asked),
            TableInput::Introduced(conn, introduction) => {
                moment.live.audience.introduce(conn, introduction);
            }
            TableInput::Readied(conn) => moment.gathering().ready(conn),
            TableInput::Called(conn) => moment.gathering().start_on_call(conn),
            TableInput::Acted { conn, seq, action } => moment.play().act(conn, seq, action),
            TableInput::Misspoke(conn) => moment.play().misspeak(conn),
            TableInput::AskedHistory { conn, from } => moment.recall(conn, from),
            TableInput::Left(conn) => moment.leave(conn),
            TableInput::Away { conn, exit, counted } => moment.away(conn, exit, counted),
            TableInput::Detached(conn) => moment.detach(conn),
            TableInput::Lost(seats) => moment.lose(seats),
            TableInput::TakenOut { seat, reason } => moment.take_out(seat, reason),
            TableInput::Crashed(seat) => moment.crash(seat),
            TableInput::Withdrawn(seats) => {
                if let Some(occasion) = &mut moment.live.occasion {
                    occasion.withdrawn = seats;
                }
            }
            TableInput::Closed(reason) => moment.close(Closing::Void(reason)),
            TableInput::Restarted { last_written } => moment.set_going(last_written),
            TableInput::TakenOver { standing, gap_ms } => {
                moment.take_over(standing.map(|standing| *standing), gap_ms);
            }
            TableInput::Thought(thought) => moment.play().hear(*thought),
            TableInput::Tick => moment.tick(),
        }
        if !moment.live.clocks.expires() {
            moment.mind_desertion();
        }
    }

    /// The server was late by `ms`, and no player pays for it.
    pub fn give_back(&mut self, ms: u64) {
        self.clocks.put_off(ms);
    }

    /// Events of one moment were sent only now: the clock of a turn that began with them runs from
    /// now.
    pub fn handed_out(&mut self, now: Time, happened: Time) {
        let began = self.progress.told().1;
        if began == happened && self.clocks.put_off_turn(now.0 - happened.0) {
            self.progress.told_late(now);
        }
    }
}

// Queries.
impl LiveTable {
    pub fn table(&self) -> &Table {
        &self.table
    }

    pub fn policy(&self) -> &Policy {
        self.table.policy()
    }

    pub fn phase(&self) -> Phase {
        self.table.phase()
    }

    pub fn company(&self) -> &Arc<Company> {
        &self.company
    }

    /// When a [`TableInput::Tick`] is due.
    pub fn deadline(&self) -> Option<Time> {
        self.clocks.next()
    }

    /// The seat that a conn plays.
    pub fn seat_of(&self, conn: ConnId) -> Option<Seat> {
        self.audience.seat_of(conn)
    }

    /// The connections of all who play or watch.
    pub fn everyone(&self) -> Vec<ConnId> {
        self.audience.all()
    }

    /// The connections of a seat's player.
    pub fn conns_of(&self, seat: Seat) -> Vec<ConnId> {
        self.audience.conns_of(seat)
    }

    /// Those who follow play from table to table and are at this one.
    pub fn followers(&self) -> Vec<ConnId> {
        self.audience.watchers(Role::Follower).collect()
    }

    /// Whether no member is connected.
    pub fn is_deserted(&self) -> bool {
        self.audience.is_empty()
    }

    /// Whether something of the game's own code failed.
    pub fn is_broken(&self) -> bool {
        self.aftermath.is_broken()
    }

    /// By seat, why no entrant came to a tournament's game in time, if none did.
    pub fn nobody_came(&self) -> Option<&[Exit]> {
        self.aftermath.nobody_came()
    }

    /// Whether a player may not know the end, which was before a restart.
    pub fn has_not_told(&self, seat: Seat) -> bool {
        self.aftermath.untold().contains(seat)
    }

    /// The seat that bears this name while its player is away.
    pub fn absent_seat(&self, name: &str) -> Option<Seat> {
        let waits = |(seat, chair): &(Seat, &Chair)| {
            let waits =
                self.is_away(*seat) || chair.bot.is_some() && !self.audience.is_present(*seat);
            *chair.name == *name && waits && !chair.retired && !chair.house
        };
        self.table.seated().find(waits).map(|(seat, _)| seat)
    }

    /// The seats that house bots may take. A table with all the seats there can be has no size to
    /// be filled up to: bots come until it can begin.
    pub fn seats_for_bots(&self) -> Vec<Seat> {
        let missing = match self.policy().start {
            crate::Start::WhenGathered { min, .. } if self.table.seats() == Seat::MAX => {
                min.saturating_sub(self.table.seated().count())
            }
            _ => usize::MAX,
        };
        self.table.free_seats().take(missing.min(self.table.open_seats())).collect()
    }

    pub fn shown_turn(&self) -> ShownTurn {
        match self.is_held() {
            true => ShownTurn { seq: self.progress.told().0, owed: SeatSet::EMPTY },
            false => {
                ShownTurn { seq: self.table.seq(), owed: self.table.owed_as_seen(Viewer::Public) }
            }
        }
    }

    /// Whether a card is still true apart from the turn.
    pub fn is_shown_by(&self, card: &TableInfo) -> bool {
        // The card's other fields were fixed when the table was opened, or change together with
        // these.
        let status = self.table.status();
        let same = card.status == status && card.spectators == self.audience.spectators();
        same && card.company == self.company
    }

    pub fn info(&self) -> TableInfo {
        let table = &self.table;
        TableInfo {
            id: table.opened().id.clone(),
            status: table.status(),
            players: self.company.count(),
            seats: table.seats(),
            company: self.company.clone(),
            reserved: table.opened().reserved.clone(),
            turn: self.shown_turn(),
            spectators: self.audience.spectators(),
            opened_at: table.opened().at,
            closing: table.closing().cloned(),
            house: table.opened().house,
            game_ref: table.opened().game_ref.clone(),
            rendering: crate::Rendering::default(),
        }
    }

    /// The summary of a game that was started and is over.
    pub fn summary(&self) -> Option<Summary> {
        let (table, closing) = (&self.table, self.table.closing()?);
        table.game()?;
        let opened = table.opened();
        let known =
            |(seat, chair): (Seat, &Chair)| self.entrant(seat).unwrap_or(&chair.name).clone();
        Some(Summary {
            id: opened.id.clone(),
            rules_version: opened.version,
            opened_at: opened.at,
            names: table.seated().map(known).collect(),
            versions: table.seated().map(|(_, chair)| chair.version.clone()).collect(),
            closing: closing.clone(),
            rated: opened.game_ref.as_ref().is_some_and(|game_ref| game_ref.rated),
            tournament: self.occasion.as_ref().map(|occasion| occasion.tournament.clone()),
        })
    }

    /// The name under which a seat's player is known in its tournament.
    pub fn entrant(&self, seat: Seat) -> Option<&Name> {
        self.occasion.as_ref()?.entrants.get(seat.index())
    }

    /// Whether the last resolved turn is being held back.
    pub fn is_held(&self) -> bool {
        self.clocks.is_held()
    }

    /// Whether the game begins as soon as a clock has run out.
    pub fn is_about_to_start(&self) -> bool {
        self.clocks.start().is_some()
    }
}

impl fmt::Debug for LiveTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveTable")
            .field("table", &self.table)
            .field("audience", &self.audience)
            .field("clocks", &self.clocks)
            .finish_non_exhaustive()
    }
}
