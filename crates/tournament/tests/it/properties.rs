//! Random tournaments of every format, with draws, lost tables, no-shows, withdrawals and pauses:
//! what must hold after every fact.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rules::{Dice, Seed};
use tournament::{
    DueGame, EntrantId, Fact, Format, Pairing, PairingId, Plan, Tournament, TournamentPhase,
};

use crate::kit::{NAMES, played};
use crate::rounds;

fn formats() -> impl Strategy<Value = Format> {
    prop_oneof![
        Just(Format::Knockout),
        (1_u32..3).prop_map(|cycles| Format::RoundRobin { cycles }),
        (0_u32..8).prop_map(|rounds| Format::Swiss { rounds }),
        (1_usize..4, 1_u32..3)
            .prop_map(|(challengers, cycles)| Format::Gauntlet { challengers, cycles }),
    ]
}

fn plans() -> impl Strategy<Value = Plan> {
    (formats(), 2_usize..5, 0_u32..3, 0_u32..3, any::<u64>()).prop_map(
        |(format, table_seats, majority, draw_replays, seed)| Plan {
            format,
            table_seats,
            best_of: 2 * majority + 1,
            draw_replays,
            seed: Some(Seed::from_number(seed)),
            ..Plan::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) })]

    #[test]
    fn every_tournament_keeps_its_promises(
        plan in plans(), entrants in 4_usize..13, trouble in any::<bool>(), chance in any::<u64>()
    ) {
        let mut walk = Walk::new(plan, entrants, chance);
        while walk.tournament.phase() != TournamentPhase::Over {
            let fact = walk.next_fact(trouble);
            walk.apply(fact);
        }
        walk.is_over();
    }
}

/// A tournament on its way, and what is remembered of it.
struct Walk {
    tournament: Tournament,
    /// The same, folded from facts that were written and read again.
    shadow: Tournament,
    dice: Dice,
    /// Every game that was ever due, and whether it still is.
    games: BTreeMap<(PairingId, u32), (DueGame, bool)>,
    facts: usize,
}

impl Walk {
    fn new(plan: Plan, entrants: usize, chance: u64) -> Walk {
        let tournament = Tournament::new(plan).expect("a plan that can be played");
        let mut walk = Walk {
            shadow: tournament.clone(),
            tournament,
            dice: Dice::new(&Seed::from_number(chance), "walk", 0),
            games: BTreeMap::new(),
            facts: 0,
        };
        for name in &NAMES[..entrants] {
            walk.apply(Fact::Entered { name: (*name).to_owned(), bot: None });
        }
        walk.apply(Fact::Started);
        walk
    }

    /// Mostly a result; with `trouble`, sometimes something else, less and less often, so that
    /// every tournament ends.
    fn next_fact(&mut self, trouble: bool) -> Fact {
        if self.tournament.phase() == TournamentPhase::Paused && self.dice.one_in(2) {
            return Fact::Resumed;
        }
        let open = self.tournament.pairings().iter();
        let open = open.filter_map(|pairing| self.tournament.open_game(pairing.id));
        let open: Vec<DueGame> = open.cloned().collect();
        let due = self.dice.pick(&open).clone();
        let pairing = due.pairing;
        if trouble && self.dice.one_in(4 + self.facts / 10) {
            let names: Vec<&str> = NAMES.into_iter().filter(|name| self.is_active(name)).collect();
            let entrants = self.tournament.pairings()[pairing.index()].entrants.len();
            let gone: Vec<&str> = NAMES.into_iter().filter(|name| self.is_gone(name)).collect();
            let fact = match self.dice.below(6) {
                0 => Fact::Void { pairing, attempt: due.attempt },
                1 => Fact::Forfeited { pairing, broken: self.dice.one_in(4), exits: Vec::new() },
                2 => Fact::Adjudicated { pairing, places: self.places(entrants, entrants) },
                3 => Fact::Withdrawn { name: (*self.dice.pick(&names)).to_owned(), why: None },
                4 if !gone.is_empty() => {
                    Fact::Reinstated { name: (*self.dice.pick(&gone)).to_owned() }
                }
                _ => Fact::Paused,
            };
            if self.tournament.check(&fact).is_ok() {
                return fact;
            }
        }
        // Few different places make many draws.
        let worst = 1 + self.dice.below(4);
        let places = self.places(due.seats.len(), worst);
        played(&due, &places)
    }

    fn places(&mut self, seats: usize, worst: usize) -> Vec<u32> {
        (0..seats).map(|_| 1 + self.dice.below(worst) as u32).collect()
    }

    fn is_active(&self, name: &str) -> bool {
        let id = self.tournament.find(name);
        id.is_some_and(|id| !self.tournament.entrant(id).withdrawn)
    }

    fn is_gone(&self, name: &str) -> bool {
        let id = self.tournament.find(name);
        id.is_some_and(|id| self.tournament.entrant(id).withdrawn)
    }

    fn apply(&mut self, fact: Fact) {
        self.facts += 1;
        assert!(self.facts < 3000, "it does not end");
        let before = self.tournament.clone();
        self.tournament.check(&fact).expect("a fact that can be");
        self.tournament.apply(&fact).unwrap();
        let text = serde_json::to_string(&fact).expect("facts can be written");
        self.shadow.apply(&serde_json::from_str(&text).expect("facts can be read")).unwrap();
        assert_eq!(self.tournament, self.shadow, "after {text}");
        self.nobody_is_due_twice();
        self.games_stay_due_until_they_end(&before, &fact);
        self.everything_that_can_be_played_is_due();
        self.standings_are_a_ranking();
        if self.tournament.plan().format.is_by_rounds()
            && before.pairings().len() < self.pairings().len()
        {
            rounds::check(&before, &self.tournament);
        }
    }

    fn pairings(&self) -> &[Pairing] {
        self.tournament.pairings()
    }

    fn nobody_is_due_twice(&self) {
        let mut seen = BTreeSet::new();
        for due in self.tournament.due() {
            assert!(due.seats.len() >= 2, "{due:?}");
            assert!(due.seats.iter().all(|id| seen.insert(*id)), "twice at once: {due:?}");
        }
        if self.tournament.phase() != TournamentPhase::Running {
            assert_eq!(seen.len(), 0);
        }
    }

    /// A game keeps its seats, is removed only for a reason, and never returns.
    fn games_stay_due_until_they_end(&mut self, before: &Tournament, fact: &Fact) {
        let is_open = |due: &DueGame| self.tournament.open_game(due.pairing) == Some(due);
        for (due, open) in self.games.values_mut() {
            assert!(*open || !is_open(due), "a game came back: {due:?}");
            if *open && !is_open(due) {
                *open = false;
                let about = match fact {
                    Fact::Played { pairing, .. } | Fact::Void { pairing, .. } => Some(*pairing),
                    Fact::Forfeited { pairing, .. } => Some(*pairing),
                    Fact::Adjudicated { pairing, .. } => Some(*pairing),
                    _ => None,
                };
                let withdrawn = match fact {
                    Fact::Withdrawn { name, .. } => before.find(name),
                    _ => None,
                };
                // Who was brought back may be of the pairing and not at its running game: without
                // it, the games so far may suffice.
                let pairing = &before.pairings()[due.pairing.index()];
                let reason = about == Some(due.pairing)
                    || withdrawn.is_some_and(|entrant| pairing.entrants.contains(&entrant));
                assert!(reason, "{due:?} went because of {fact:?}");
            }
        }
        for due in self.tournament.due() {
            let known = self.games.entry((due.pairing, due.attempt));
            let (known, open) = known.or_insert_with(|| (due.clone(), true));
            assert!(known == due && *open, "{due:?} was {known:?}");
        }
    }

    /// No undecided pairing waits although all of its entrants who have not withdrawn are free;
    /// where rounds are played one after the other, none waits at all.
    fn everything_that_can_be_played_is_due(&self) {
        if self.tournament.phase() != TournamentPhase::Running {
            return;
        }
        let busy: BTreeSet<EntrantId> =
            self.tournament.due().flat_map(|due| due.seats.iter().copied()).collect();
        let due: BTreeSet<PairingId> = self.tournament.due().map(|due| due.pairing).collect();
        assert!(!due.is_empty(), "nothing is due and it is not over");
        for pairing in self.pairings().iter().filter(|pairing| pairing.decision.is_none()) {
            let mut present =
                pairing.entrants.iter().filter(|&&id| !self.tournament.entrant(id).withdrawn);
            let playable = self.tournament.plan().format.is_by_rounds()
                || !present.any(|entrant| busy.contains(entrant));
            assert!(due.contains(&pairing.id) || !playable, "waits: {pairing:?}");
        }
    }

    fn standings_are_a_ranking(&self) {
        let standings = self.tournament.standings();
        let ids: BTreeSet<EntrantId> = standings.iter().map(|line| line.entrant).collect();
        assert_eq!(standings.len(), self.tournament.entrants().len());
        assert_eq!(ids.len(), standings.len(), "somebody is listed twice");
        for (at, line) in standings.iter().enumerate() {
            let fresh = line.place == at as u32 + 1;
            let shared = at > 0 && line.place == standings[at - 1].place;
            assert!(fresh || shared, "{standings:?}");
            assert_eq!(line.played, line.won + line.drawn + line.lost, "{line:?}");
        }
    }

    fn is_over(&self) {
        let tournament = &self.tournament;
        let standings = tournament.standings();
        assert_eq!(tournament.winner(), Some(standings[0].entrant));
        assert_eq!(standings[0].place, 1);
        assert!(standings[1].place > 1, "nobody shares the first place");
        assert!(!tournament.entrant(standings[0].entrant).withdrawn);
        for pairing in self.pairings() {
            let decision = pairing.decision.as_ref().expect("everything is decided");
            assert_eq!(decision.places.len(), pairing.entrants.len());
            if tournament.plan().format == Format::Knockout {
                assert!(decision.winner.is_some());
                self.series_is_short(pairing);
            } else {
                self.every_game_could_change_something(pairing);
            }
        }
        if tournament.plan().format == Format::Knockout {
            let out = standings.iter().filter(|line| line.out_in_round.is_some()).count();
            assert_eq!(out, standings.len() - 1, "all but the winner are out");
        }
        assert_eq!(
            tournament.check(&Fact::Cancelled).unwrap_err().to_string(),
            "the tournament is over"
        );
    }

    /// At most as many decisive games as the plan allows, and as many draws as are replayed, unless
    /// a withdrawal changed what the games were worth.
    fn series_is_short(&self, pairing: &Pairing) {
        // An entrant that was reinstated has missed games in between, and counts as the last of
        // them.
        let was_away = pairing.games.iter().any(|game| game.seats.len() < pairing.entrants.len());
        if was_away || pairing.entrants.iter().any(|&id| self.tournament.entrant(id).withdrawn) {
            return;
        }
        let outcomes = pairing.games.iter().filter_map(|game| game.outcome.as_ref());
        let (decisive, drawn): (Vec<_>, Vec<_>) =
            outcomes.partition(|outcome| outcome.winners().len() == 1);
        let Plan { best_of, draw_replays, .. } = *self.tournament.plan();
        assert!(decisive.len() <= best_of as usize, "{pairing:?}");
        assert!(drawn.len() <= draw_replays as usize + 1, "{pairing:?}");
    }
    /// Elsewhere all games count, drawn ones too, and none is played that is worth nothing.
    fn every_game_could_change_something(&self, pairing: &Pairing) {
        let best_of = self.tournament.plan().best_of as usize;
        let games: Vec<_> = pairing.games.iter().filter(|game| game.outcome.is_some()).collect();
        assert!(games.len() <= best_of, "{pairing:?}");
        let (&[one, other], Some((_, before))) = (&pairing.entrants[..], games.split_last()) else {
            return;
        };
        let won = |own: EntrantId| {
            let alone = before.iter().filter(|game| {
                let winners = game.outcome.as_ref().map(|outcome| outcome.winners());
                let winners: Vec<_> = winners.iter().flat_map(|seats| seats.iter()).collect();
                winners.len() == 1 && game.seats[winners[0].index()] == own
            });
            alone.count()
        };
        assert!(won(one).abs_diff(won(other)) <= best_of - before.len(), "{pairing:?}");
    }
}
