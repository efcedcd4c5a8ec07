//! Ladders: who waits, who is paired, who is in quarantine, and what of their records is kept.

use rules::Game;
use table::{Name, Time, TournamentNo};
use tournament::{EntrantId, Fact, TournamentPhase, Waiting};

use super::TournamentRecord;
use crate::{Hall, Listing};

/// Whoever waits is looked at again after so long: it accepts more by then.
const LOOK_AGAIN_MS: u64 = 250;

/// What a ladder has become is written down in place of its records when there are so many of those,
/// and more than games that count: then writing it costs no more than they did.
const RECORDS: usize = 2000;

impl<G: Game> Hall<G> {
    /// Pairs those of a ladder who are here and free, if they should not wait for somebody better.
    pub(super) fn mind_ladder(&mut self, no: TournamentNo) {
        let state = &self.tournaments.live(no).state;
        if !state.tournament.is_ladder() {
            return;
        }
        if state.is_over() {
            self.tournaments.live_mut(no).look_again = None;
            return;
        }
        self.quarantine_broken(no);
        self.see_who_waits(no);
        let may_open = self.lobby.barred.is_none() && !self.tournaments.crowded.contains(&no);
        let tables = if may_open { self.matches(no) } else { Vec::new() };
        for entrants in tables {
            let told = self.fact(no, Fact::Paired { entrants });
            debug_assert_eq!(told, Ok(()));
        }
        self.see_who_waits(no);
        self.look_again(no);
        self.condense(no);
    }

    fn matches(&self, no: TournamentNo) -> Vec<Vec<EntrantId>> {
        let live = self.tournaments.live(no);
        let now = self.desk.now;
        let waiting = |(entrant, since): (&EntrantId, &Time)| Waiting {
            entrant: *entrant,
            waited_ms: now.0.saturating_sub(since.0),
        };
        live.state.tournament.matches(&live.queue.iter().map(waiting).collect::<Vec<_>>())
    }

    /// Whoever keeps missing its games is not paired for a while.
    fn quarantine_broken(&mut self, no: TournamentNo) {
        let ladder = &self.tournaments.live(no).state.tournament;
        let name = |id: EntrantId| ladder.entrant(id).name.clone();
        let broken = ladder.broken().into_iter().map(|(id, lasts_ms)| (name(id), lasts_ms));
        for (name, lasts_ms) in broken.collect::<Vec<_>>() {
            let until = self.desk.now.0 + lasts_ms;
            let told = self.fact(no, Fact::Quarantined { name, until });
            debug_assert_eq!(told, Ok(()));
        }
    }

    /// Who is here, free and in no quarantine waits, from when that began.
    fn see_who_waits(&mut self, no: TournamentNo) {
        let now = self.desk.now;
        let live = self.tournaments.live(no);
        let (state, ladder) = (&live.state, &live.state.tournament);
        let waits = |id: EntrantId| {
            let entrant = ladder.entrant(id);
            let free = ladder.is_free(id) && self.quarantine_of(no, id).is_none();
            free && (entrant.bot.is_some() || self.waits_for_game(no, &entrant.name))
        };
        let all = (0..state.tournament.entrants().len() as u32).map(EntrantId);
        let queue = all.filter(|id| waits(*id));
        let queue = queue.map(|id| (id, live.queue.get(&id).copied().unwrap_or(now))).collect();
        let before = std::mem::replace(&mut self.tournaments.live_mut(no).queue, queue);
        let queue = &self.tournaments.live(no).queue;
        for id in before.keys().filter(|id| !queue.contains_key(id)) {
            self.desk.listed.push(Listing::Queued(no, *id, None));
        }
        for (id, since) in queue.iter().filter(|(id, _)| !before.contains_key(id)) {
            self.desk.listed.push(Listing::Queued(no, *id, Some(*since)));
        }
    }

    /// Whether an entrant is here and could sit down to a game.
    fn waits_for_game(&self, no: TournamentNo, entrant: &str) -> bool {
        let live = self.tournaments.live(no);
        let name: Name = live.state.table_name(entrant);
        let attends = live.present.get(entrant).is_some_and(|conn| !self.lobby.plays(*conn));
        attends || self.lobby.people.is_waiting(&name)
    }

    fn quarantine_of(&self, no: TournamentNo, entrant: EntrantId) -> Option<u64> {
        let ladder = &self.tournaments.live(no).state.tournament;
        ladder.rung(entrant).and_then(|rung| rung.quarantine(self.desk.now.0))
    }

    /// When the ladder must be looked at again, if nothing happens to it before.
    fn look_again(&mut self, no: TournamentNo) {
        let now = self.desk.now;
        let live = self.tournaments.live(no);
        let ladder = &live.state.tournament;
        let ends = (0..ladder.entrants().len() as u32)
            .filter_map(|id| self.quarantine_of(no, EntrantId(id)))
            .map(Time)
            .min();
        let running = ladder.phase() == TournamentPhase::Running;
        let soon = (running && live.queue.len() > 1).then_some(now + LOOK_AGAIN_MS);
        let next = [ends, soon].into_iter().flatten().min();
        self.tournaments.live_mut(no).look_again = next;
    }

    /// Puts what a ladder has become in the place of its records, when they are many.
    fn condense(&mut self, no: TournamentNo) {
        let live = self.tournaments.live(no);
        let counted = live.state.tournament.games_counted();
        if live.records > RECORDS.max(counted) {
            let mut state = live.state.clone();
            state.tournament.forget_exits();
            self.record_tournament(no, TournamentRecord::Condensed(Box::new(state)));
            let tournaments = &mut self.tournaments;
            let known = &tournaments.live[&no].state.invitations;
            tournaments.invitations.retain(|token, of| *of != no || known.contains_key(token));
            tournaments.live_mut(no).records = 1;
        }
    }
}

impl<G: Game> super::Tournaments<G> {
    /// Whoever waits on a ladder may be paired by now.
    pub fn stir_ladders(&mut self, now: Time) {
        let due = |at: Option<Time>| at.is_some_and(|at| at <= now);
        let ladders = self.live.iter().filter(|(_, live)| due(live.look_again));
        self.stirred.extend(ladders.map(|(no, _)| *no));
    }

    /// Somebody has come for its game, who may be on a ladder.
    pub fn stir_ladder(&mut self, no: TournamentNo) {
        if self.get(no).is_some_and(|live| live.state.tournament.is_ladder()) {
            self.stirred.insert(no);
        }
    }

    /// So many records of a tournament were in the journal.
    pub fn count_records(&mut self, no: TournamentNo, records: usize) {
        self.live_mut(no).records = records;
    }

    pub fn deadline(&self) -> Option<Time> {
        self.live.values().filter_map(|live| live.look_again).min()
    }
}
