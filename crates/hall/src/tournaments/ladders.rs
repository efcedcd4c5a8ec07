//! Ladders: who waits, who is paired, who is in quarantine, and what of their records is kept.

use std::collections::BTreeMap;

use table::{Time, TournamentNo};
use tournament::{EntrantId, Fact, Ladder, Matchmaking, TournamentPhase, Waiting};

use super::{LiveTournament, Steward, TournamentRecord};
use crate::Listing;

/// Interval at which waiting players are reconsidered: they accept more by then.
const LOOK_AGAIN_MS: u64 = 250;

/// Number of records after which a ladder's state replaces them, if there are also more of them
/// than counted games: then writing it costs no more than they did.
const RECORDS: usize = 2000;

/// Runs one ladder: pairs present and free entrants, unless they should wait for a better opponent.
pub(super) struct Minding<'m, 'a> {
    steward: &'m mut Steward<'a>,
    no: TournamentNo,
}

impl<'m, 'a> Minding<'m, 'a> {
    /// `None`: this tournament isn't a ladder, or is over.
    pub fn of(steward: &'m mut Steward<'a>, no: TournamentNo) -> Option<Minding<'m, 'a>> {
        let live = steward.tournaments.live_mut(no);
        live.state.tournament.ladder()?;
        if live.state.is_over() {
            live.look_again = None;
            return None;
        }
        Some(Minding { steward, no })
    }

    pub fn mind(mut self) {
        self.quarantine_broken();
        self.see_who_waits();
        let Steward { desk, tournaments, .. } = &*self.steward;
        let may_open = desk.premises.barred().is_none() && !tournaments.crowded.contains(&self.no);
        if may_open {
            for entrants in self.live().matches(self.steward.desk.now) {
                self.tell(Fact::Paired { entrants });
            }
        }
        self.see_who_waits();
        let look_again = self.live().next_look(self.steward.desk.now);
        self.steward.tournaments.live_mut(self.no).look_again = look_again;
        self.condense();
    }

    fn live(&self) -> &LiveTournament {
        self.steward.tournaments.live(self.no)
    }

    fn tell(&mut self, fact: Fact) {
        let told = self.steward.fact(self.no, fact);
        debug_assert_eq!(told, Ok(()));
    }

    /// Entrants who keep missing games aren't paired for a while.
    fn quarantine_broken(&mut self) {
        let tournament = &self.live().state.tournament;
        let entrant = |(id, lasts_ms): (EntrantId, u64)| (tournament.entrant(id), lasts_ms);
        let broken = tournament.ladder().into_iter().flat_map(Ladder::broken).map(entrant);
        let here = broken.filter(|(entrant, _)| !entrant.withdrawn);
        let here: Vec<(String, u64)> =
            here.map(|(entrant, lasts_ms)| (entrant.name.clone(), lasts_ms)).collect();
        for (name, lasts_ms) in here {
            let until = self.steward.desk.now.0 + lasts_ms;
            self.tell(Fact::Quarantined { name, until });
        }
    }

    /// Present, free entrants outside quarantine wait, from when that began.
    fn see_who_waits(&mut self) {
        let (no, now, live) = (self.no, self.steward.desk.now, self.live());
        let could_play = live.could_play(now).filter(|id| self.is_here(*id));
        let since = |id: EntrantId| (id, live.queue.get(&id).copied().unwrap_or(now));
        let queue: BTreeMap<EntrantId, Time> = could_play.map(since).collect();
        let left = live.queue.keys().filter(|id| !queue.contains_key(id));
        let left = left.map(|id| Listing::Queued(no, *id, None));
        let came = queue.iter().filter(|(id, _)| !live.queue.contains_key(id));
        let came = came.map(|(id, since)| Listing::Queued(no, *id, Some(*since)));
        let changes: Vec<Listing> = left.chain(came).collect();
        self.steward.desk.listed.extend(changes);
        self.steward.tournaments.live_mut(no).queue = queue;
    }

    /// Whether an entrant could sit down to a game at once.
    fn is_here(&self, id: EntrantId) -> bool {
        let (live, lobby) = (self.live(), &*self.steward.lobby);
        let entrant = live.state.tournament.entrant(id);
        let conn = self.steward.tournaments.places.conn_of(self.no, &entrant.name);
        entrant.bot.is_some()
            || conn.is_some_and(|conn| !lobby.whereabouts.plays(conn))
            || lobby.waiting().is_awaited(&live.state.table_name(&entrant.name))
    }

    /// Puts what a ladder has become in the place of its records, when they are many.
    fn condense(&mut self) {
        let live = self.live();
        let counted = live.state.tournament.ladder().map_or(0, Ladder::games_counted);
        if live.records > RECORDS.max(counted) {
            let state = live.state.clone();
            self.steward.record(self.no, TournamentRecord::Condensed(Box::new(state)));
            self.steward.tournaments.condensed(self.no);
        }
    }
}

impl LiveTournament {
    /// The entrants of a ladder who should meet now.
    fn matches(&self, now: Time) -> Vec<Vec<EntrantId>> {
        let waiting = |(entrant, since): (&EntrantId, &Time)| Waiting {
            entrant: *entrant,
            waited_ms: now.0.saturating_sub(since.0),
        };
        let queue: Vec<Waiting> = self.queue.iter().map(waiting).collect();
        let ladder = Matchmaking::of(&self.state.tournament);
        ladder.map(|ladder| ladder.tables(&queue)).unwrap_or_default()
    }

    fn entrants(&self) -> impl Iterator<Item = EntrantId> {
        (0..self.state.tournament.entrants().len() as u32).map(EntrantId)
    }

    /// The entrants of a ladder who are free, and in no quarantine.
    fn could_play(&self, now: Time) -> impl Iterator<Item = EntrantId> {
        let ladder = Matchmaking::of(&self.state.tournament);
        let is_free = move |id: &EntrantId| ladder.is_some_and(|ladder| ladder.is_free(*id));
        self.entrants().filter(is_free).filter(move |id| self.quarantine(*id, now).is_none())
    }

    /// The end of an entrant's quarantine, if it is in one.
    fn quarantine(&self, entrant: EntrantId, now: Time) -> Option<Time> {
        self.state.tournament.ladder()?.rung(entrant)?.quarantine(now.0).map(Time)
    }

    /// When a ladder must be looked at again, if nothing happens to it before.
    fn next_look(&self, now: Time) -> Option<Time> {
        let ends = self.entrants().filter_map(|id| self.quarantine(id, now)).min();
        let running = self.state.tournament.phase() == TournamentPhase::Running;
        let soon = (running && self.queue.len() > 1).then_some(now + LOOK_AGAIN_MS);
        [ends, soon].into_iter().flatten().min()
    }
}

impl super::Tournaments {
    /// Waiting entrants of ladders may be paired by now.
    pub fn stir_ladders(&mut self, now: Time) {
        let due = |at: Option<Time>| at.is_some_and(|at| at <= now);
        let ladders = self.live.iter().filter(|(_, live)| due(live.look_again));
        self.stirred.extend(ladders.map(|(no, _)| *no));
    }

    /// An entrant arrived for a game, maybe on a ladder.
    pub fn stir_ladder(&mut self, no: TournamentNo) {
        if self.get(no).is_some_and(|live| live.state.tournament.ladder().is_some()) {
            self.stirred.insert(no);
        }
    }

    /// Number of a tournament's records in the journal.
    pub fn count_records(&mut self, no: TournamentNo, records: usize) {
        self.live_mut(no).records = records;
    }

    /// A ladder's state is its only record now.
    fn condensed(&mut self, no: TournamentNo) {
        self.live_mut(no).records = 1;
        self.tickets.void_invitations(no, &self.live[&no].state);
    }

    pub fn deadline(&self) -> Option<Time> {
        let ladders = self.live.values().filter_map(|live| live.look_again);
        ladders.chain(self.guests.deadline()).min()
    }
}
