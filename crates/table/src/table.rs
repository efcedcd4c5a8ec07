//! A table: the fold of its records.
//!
//! ```text
//! Gathering ──Started──▶ Playing ──(the rules end it)──▶ over ──Closed──▶ Closed
//!     └───────────────────Closed (void)──────────────────────────────────────┘
//! ```
//!
//! Nothing here knows who is present, what time it is, or who watches.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rules::any::{AnyAction, AnyConfig, AnyState};
use rules::{Exit, Move, Seat, SeatSet, Seed, Step, Viewer};

use crate::chair::{Chair, is_via_house};
use crate::company::{Company, Member, Status, TableFacts};
use crate::policy::{Broadcast, Policy};
use crate::record::{Closing, Opened, TableRecord};
use crate::token::TokenHash;
use crate::{Name, TimeUsed};

#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    opened: Arc<Opened>,
    chairs: Vec<Option<Chair>>,
    /// The state of play, from the start on.
    game: Option<AnyState>,
    /// Moves of the running turn, by seat: the order of arrival is forgotten at once.
    pending: Vec<(Seat, Move<AnyAction>)>,
    /// The number of the running turn, from 0.
    seq: u64,
    closing: Option<Closing>,
    /// The rules broke down; the text says how.
    fault: Option<String>,
    /// Seats whose players' programs ended before the start.
    crashed: SeatSet,
    /// How many have sat down here, to remember who came first.
    arrivals: u32,
}

/// What a record says about a new player.
struct Newcomer<'a> {
    name: &'a Name,
    token: &'a Option<TokenHash>,
    bot: &'a Option<Name>,
    joined_via: &'a Option<Name>,
    person: bool,
    version: &'a Option<Name>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Gathering,
    Playing,
    Closed,
}

impl Table {
    pub fn new(opened: Arc<Opened>) -> Table {
        Table {
            // A replay file may ask for any number, and no table has more than this.
            chairs: vec![None; opened.terms.policy.seats.min(Seat::MAX)],
            opened,
            game: None,
            pending: Vec::new(),
            seq: 0,
            closing: None,
            fault: None,
            crashed: SeatSet::EMPTY,
            arrivals: 0,
        }
    }

    /// The fold of a whole table; `None` unless the first record, and only that, opens it.
    pub fn fold<'a>(records: impl IntoIterator<Item = &'a TableRecord>) -> Option<Table> {
        let mut records = records.into_iter();
        let Some(TableRecord::Opened(opened)) = records.next() else { return None };
        let mut table = Table::new(opened.clone());
        for record in records {
            table.apply(record);
        }
        Some(table)
    }

    /// The only mutator.
    pub fn apply(&mut self, record: &TableRecord) {
        match record {
            TableRecord::Opened(_) => debug_assert!(false, "a table is opened once"),
            TableRecord::Seated { seat, name, token, bot, joined_via, person, version } => {
                let newcomer = Newcomer { name, token, bot, joined_via, person: *person, version };
                self.seat(*seat, newcomer);
            }
            TableRecord::Ready { seat } => self.chair_mut(*seat).ready = true,
            TableRecord::Left { seat } => {
                assert!(self.game.is_none(), "seats of a running game stay taken");
                self.chairs[seat.index()] = None;
            }
            TableRecord::Crashed { seat } => self.crashed.insert(*seat),
            TableRecord::Started { order, settled, seed } => {
                self.start(order, settled.as_deref(), seed.unwrap_or(self.opened.seed));
            }
            TableRecord::Moved { seat, action, ms, .. } => {
                self.chair_mut(*seat).strikes = 0;
                self.chair_mut(*seat).used.move_after(*ms);
                self.put(*seat, Move::Act(action.clone()));
                self.resolve_if_complete();
            }
            TableRecord::Expired { spared, .. } => self.expire(*spared),
            TableRecord::Retired { seats } => self.retire(seats),
            TableRecord::Deputed { seat, bot } => self.chair_mut(*seat).bot.clone_from(bot),
            TableRecord::Away { seat, at } => self.chair_mut(*seat).away_since = Some(*at),
            TableRecord::Back { seat } => self.chair_mut(*seat).away_since = None,
            TableRecord::Closed(closing) => self.closing = Some(closing.clone()),
        }
    }

    /// How and as what it was opened.
    pub fn opened(&self) -> &Arc<Opened> {
        &self.opened
    }

    /// Its commitment to the deal.
    pub fn commitment(&self) -> Option<Name> {
        self.opened.promise.as_ref().map(|promise| promise.commitment.clone())
    }

    pub fn policy(&self) -> &Policy {
        &self.opened.terms.policy
    }

    /// How many seats there are: of the table before the start, of the game afterwards.
    pub fn seats(&self) -> usize {
        self.chairs.len()
    }

    /// The state of play, from the start on.
    pub fn game(&self) -> Option<&AnyState> {
        self.game.as_ref()
    }

    /// The number of the running turn, from 0.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    pub fn closing(&self) -> Option<&Closing> {
        self.closing.as_ref()
    }

    /// How the rules broke down, if they did.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Seats whose players' programs ended before the start.
    pub fn crashed(&self) -> SeatSet {
        self.crashed
    }

    /// Whether moves wait for the rest of their turn.
    pub fn is_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    pub fn phase(&self) -> Phase {
        match (&self.closing, &self.game) {
            (Some(_), _) => Phase::Closed,
            (None, Some(_)) => Phase::Playing,
            (None, None) => Phase::Gathering,
        }
    }

    pub fn status(&self) -> Status {
        match (&self.closing, &self.game) {
            (Some(Closing::Over(_)), _) => Status::Finished,
            (Some(Closing::Void(_)), _) => Status::Void,
            (None, Some(_)) => Status::Playing,
            (None, None) => Status::Waiting,
        }
    }

    /// The players, and which of them are connected.
    pub fn company(&self, is_present: impl Fn(Seat) -> bool) -> Company {
        let member = |seat: Seat| {
            let chair = self.chair(seat)?;
            let (present, display) = (is_present(seat), self.display(&chair.name));
            Some(Member { present, display, ..Member::of(chair) })
        };
        let seats = Seat::all(self.seats()).map(member).collect();
        let (table, facts) = (self.opened.id.clone(), self.facts());
        Company { table, seats, facts, commitment: self.commitment() }
    }

    /// The display name of a player with a reserved seat.
    fn display(&self, name: &Name) -> Option<Name> {
        let Opened { reserved, game_ref, .. } = &*self.opened;
        let place = reserved.iter().position(|kept| kept == name)?;
        game_ref.as_ref()?.displays.get(place)?.clone()
    }

    /// What holds for all members.
    pub fn facts(&self) -> TableFacts {
        let policy = &self.opened.terms.policy;
        let (status, start) = (self.status(), Some(policy.start));
        TableFacts {
            status,
            clock_ms: policy.turn_ms,
            pace_ms: policy.pace_ms,
            // Both mean the same to viewers: nothing is shown yet.
            broadcast: if self.repeats() { Broadcast::Delayed } else { policy.broadcast },
            start,
        }
    }

    /// The seats that have not moved in the running turn.
    pub fn owed(&self) -> SeatSet {
        match &self.game {
            Some(game) if self.closing.is_none() && self.fault.is_none() => {
                game.to_act().without(self.pending.iter().map(|(seat, _)| *seat).collect())
            }
            _ => SeatSet::EMPTY,
        }
    }

    /// The seats that have not moved yet, as far as `viewer` may know.
    pub fn owed_as_seen(&self, viewer: Viewer) -> SeatSet {
        let owed = self.owed();
        match viewer {
            _ if !self.opened.terms.policy.hides_owed => owed,
            Viewer::Seat(seat) if owed.contains(seat) => SeatSet::of(seat),
            Viewer::Seat(_) | Viewer::Public => SeatSet::EMPTY,
        }
    }

    /// Whether the seat has moved in the running turn.
    pub fn has_moved(&self, seat: Seat) -> bool {
        self.pending.iter().any(|(other, _)| *other == seat)
    }

    pub fn chair(&self, seat: Seat) -> Option<&Chair> {
        self.chairs.get(seat.index())?.as_ref()
    }

    pub fn free_seats(&self) -> impl Iterator<Item = Seat> {
        Seat::all(self.chairs.len()).filter(|seat| self.chair(*seat).is_none())
    }

    /// The seat of the player with this name.
    pub fn seat_of(&self, name: &str) -> Option<Seat> {
        self.seated().find(|(_, chair)| *chair.name == *name).map(|(seat, _)| seat)
    }

    /// The seat that this token opens.
    pub fn seat_opened_by(&self, token: &TokenHash) -> Option<Seat> {
        self.seated().find(|(_, chair)| chair.token.as_ref() == Some(token)).map(|(seat, _)| seat)
    }

    pub fn seated(&self) -> impl Iterator<Item = (Seat, &Chair)> {
        Seat::all(self.chairs.len()).filter_map(|seat| Some((seat, self.chair(seat)?)))
    }

    pub fn is_full(&self) -> bool {
        self.chairs.iter().all(Option::is_some)
    }

    /// Number of seats that are neither taken nor reserved.
    pub fn open_seats(&self) -> usize {
        let coming = |name: &&Name| !self.seated().any(|(_, chair)| chair.name == **name);
        let kept = self.opened.reserved.iter().filter(coming).count();
        self.chairs.iter().filter(|chair| chair.is_none()).count().saturating_sub(kept)
    }

    /// Whether a seat is kept for this name and still free.
    pub fn awaits(&self, name: &str) -> bool {
        self.opened.reserved.iter().any(|kept| **kept == *name)
            && !self.seated().any(|(_, chair)| *chair.name == *name)
    }

    /// Whether an organiser has named all players: then they sit in that order.
    pub fn is_all_reserved(&self) -> bool {
        self.opened.reserved.len() == self.opened.terms.policy.seats
    }

    /// The seat of this name at a table whose seats are all reserved.
    pub fn own_seat(&self, name: &str) -> Option<Seat> {
        let place = self.opened.reserved.iter().position(|kept| **kept == *name)?;
        Seat::all(self.chairs.len()).nth(place).filter(|_| self.is_all_reserved())
    }

    fn chair_mut(&mut self, seat: Seat) -> &mut Chair {
        self.chairs[seat.index()].as_mut().expect("records name taken seats")
    }

    fn seat(&mut self, seat: Seat, newcomer: Newcomer<'_>) {
        let Newcomer { name, token, bot, joined_via, person, version } = newcomer;
        let arrival = self.chair(seat).map_or(self.arrivals, |chair| chair.arrival);
        self.arrivals = self.arrivals.max(arrival + 1);
        self.chairs[seat.index()] = Some(Chair {
            name: name.clone(),
            token: token.clone(),
            bot: bot.clone(),
            house: bot.is_some(),
            joined_via: joined_via.clone(),
            person,
            version: version.clone(),
            ready: bot.is_some() || is_via_house(joined_via.as_deref()),
            retired: false,
            timeouts: 0,
            strikes: 0,
            used: TimeUsed::default(),
            arrival,
            away_since: None,
        });
    }

    fn start(&mut self, order: &[Seat], settled: Option<&AnyConfig>, seed: Seed) {
        let take = |seat: &Seat| self.chairs[seat.index()].take();
        let chairs: Vec<_> = order.iter().map(take).collect();
        assert!(chairs.iter().all(Option::is_some), "records name taken seats");
        self.chairs = chairs;
        let config = settled.unwrap_or(&self.opened.terms.config);
        let seats = self.chairs.len();
        match guarded(|| config.setup(seats, seed)) {
            Ok(Ok(game)) => self.game = Some(game),
            Ok(Err(why)) => self.fault = Some(why.to_string()),
            Err(panic) => self.fault = Some(panic),
        }
    }

    fn put(&mut self, seat: Seat, part: Move<AnyAction>) {
        self.pending.retain(|(other, _)| *other != seat);
        let place = self.pending.partition_point(|(other, _)| *other < seat);
        self.pending.insert(place, (seat, part));
    }

    fn expire(&mut self, spared: SeatSet) {
        for seat in self.owed().iter() {
            let game = self.game.as_ref().expect("somebody owes a move");
            match game.default_action(seat) {
                Some(action) => self.put(seat, Move::Act(action)),
                None => {
                    self.chair_mut(seat).retired = true;
                    self.put(seat, Move::Retire(Exit::TimedOut));
                }
            }
            let turn_ms = self.policy().turn_ms;
            let chair = self.chair_mut(seat);
            chair.used.run_out(turn_ms, spared.contains(seat));
            chair.timeouts += 1;
            chair.strikes += u32::from(!spared.contains(seat));
        }
        self.resolve_if_complete();
    }

    /// A removal that completes the turn joins it; else it is a departure. A move that was made
    /// before stays: it would have counted had the others been faster.
    fn retire(&mut self, seats: &[(Seat, Exit)]) {
        for (seat, exit) in seats {
            let chair = self.chair_mut(*seat);
            chair.retired = true;
            chair.timeouts += u32::from(*exit == Exit::TimedOut);
        }
        let leaving: SeatSet = seats.iter().map(|(seat, _)| *seat).collect();
        if self.owed().without(leaving).is_empty() {
            for (seat, exit) in seats {
                self.put(*seat, Move::Retire(exit.clone()));
            }
        } else {
            self.advance(Step::Departure(seats));
        }
        self.resolve_if_complete();
    }

    fn resolve_if_complete(&mut self) {
        let Some(game) = &self.game else { return };
        if self.fault.is_some() || game.to_act().is_empty() || !self.owed().is_empty() {
            return;
        }
        let mut moves = std::mem::take(&mut self.pending);
        self.advance(Step::Turn(&moves));
        moves.clear();
        self.pending = moves;
        self.seq += 1;
    }

    fn advance(&mut self, step: Step<'_, AnyAction>) {
        let game = self.game.as_mut().expect("only a running game advances");
        match guarded(|| game.advance(step)) {
            Ok(Ok(())) => {}
            Ok(Err(why)) => self.fault = Some(why.to_string()),
            Err(panic) => self.fault = Some(panic),
        }
    }
}

/// Runs a step of the rules; a panic there is the table's misfortune, not the server's.
pub fn guarded<T>(step: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(step)).map_err(|payload| panic_text(&*payload))
}

/// The text of a caught panic.
pub fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown panic".to_owned())
}
