//! What schedules made in advance promise, counted.

use std::collections::BTreeMap;

use tournament::{DueGame, Format, Pairing, Tournament};

use crate::kit::{alphabet, due_of, plan, play_on, played, started};

fn round_robin(entrants: usize, seats: usize, cycles: u32) -> Tournament {
    started(plan(Format::RoundRobin { cycles }, seats), entrants)
}

/// How often each two met.
fn meetings(pairings: &[Pairing]) -> BTreeMap<(u32, u32), usize> {
    let mut counts = BTreeMap::new();
    for pairing in pairings {
        for one in &pairing.entrants {
            for other in pairing.entrants.iter().filter(|other| one.0 < other.0) {
                *counts.entry((one.0, other.0)).or_default() += 1;
            }
        }
    }
    counts
}

/// How often each entrant has each seat.
fn seats(tournament: &Tournament) -> Vec<Vec<i32>> {
    let mut counts = vec![vec![0; tournament.plan().table_seats]; tournament.entrants().len()];
    for (seat, entrant) in
        tournament.pairings().iter().flat_map(|pairing| pairing.entrants.iter().enumerate())
    {
        counts[entrant.index()][seat] += 1;
    }
    counts
}

/// No entrant is twice in one round.
fn rounds_are_disjoint(pairings: &[Pairing]) {
    let mut seen = std::collections::BTreeSet::new();
    for pairing in pairings {
        for entrant in &pairing.entrants {
            assert!(seen.insert((pairing.round, *entrant)), "{entrant} twice in {pairing:?}");
        }
    }
    assert!(pairings.is_sorted_by_key(|pairing| pairing.round));
}

#[test]
fn everybody_meets_everybody_once_a_cycle_and_sits_first_every_other_time() {
    for entrants in 2..=12 {
        for cycles in 1..=3 {
            let tournament = round_robin(entrants, 2, cycles);
            rounds_are_disjoint(tournament.pairings());
            let met = meetings(tournament.pairings());
            assert_eq!(met.len(), entrants * (entrants - 1) / 2);
            assert!(met.values().all(|&count| count == cycles as usize), "{met:?}");
            for counts in seats(&tournament) {
                assert!((counts[0] - counts[1]).abs() <= 1, "{entrants} x {cycles}: {counts:?}");
            }
            let rounds = (entrants - 1 + entrants % 2) as u32 * cycles;
            assert_eq!(tournament.rounds(), rounds, "as few rounds as possible");
        }
    }
}

#[test]
fn at_larger_tables_everybody_has_every_seat_equally_often_and_meets_everybody() {
    for table_seats in 3..=5 {
        for entrants in table_seats..=12 {
            let tournament = round_robin(entrants, table_seats, 1);
            rounds_are_disjoint(tournament.pairings());
            let met = meetings(tournament.pairings());
            assert_eq!(met.len(), entrants * (entrants - 1) / 2, "{entrants} at {table_seats}");
            let seats = seats(&tournament);
            assert!(
                seats.iter().flatten().all(|&count| count == seats[0][0]),
                "{entrants} at {table_seats}: {seats:?}"
            );
        }
    }
}

#[test]
fn seven_at_tables_of_three_and_thirteen_at_tables_of_four_meet_exactly_once() {
    for (entrants, table_seats) in [(7, 3), (13, 4)] {
        let tournament = round_robin(entrants, table_seats, 1);
        let met = meetings(tournament.pairings());
        assert!(met.values().all(|&count| count == 1), "{met:?}");
    }
}

#[test]
fn fewer_entrants_than_seats_share_one_table() {
    let tournament = round_robin(3, 5, 1);
    assert_eq!(tournament.pairings().len(), 3);
    assert!(tournament.pairings().iter().all(|pairing| pairing.entrants.len() == 3));
}

#[test]
fn a_challenger_meets_each_of_the_rest_once_a_cycle_and_no_other_challenger() {
    for table_seats in 2..=4 {
        for entrants in 2..=10 {
            for challengers in 1..entrants.min(4) {
                for cycles in 1..=2 {
                    let format = Format::Gauntlet { challengers, cycles };
                    let tournament = started(plan(format, table_seats), entrants);
                    rounds_are_disjoint(tournament.pairings());
                    let met = meetings(tournament.pairings());
                    for one in 0..challengers as u32 {
                        for other in one + 1..entrants as u32 {
                            let count = met.get(&(one, other)).copied().unwrap_or(0);
                            let expected =
                                cycles as usize * usize::from(other >= challengers as u32);
                            assert_eq!(count, expected, "{one} {other} {format:?} {table_seats}");
                        }
                    }
                    if table_seats == 2 {
                        for counts in seats(&tournament) {
                            assert!((counts[0] - counts[1]).abs() <= 1, "{format:?} {counts:?}");
                        }
                    }
                }
            }
        }
    }
}

/// Ann never ends her first game; all games without her are played.
#[test]
fn a_slow_player_blocks_only_its_own_games() {
    let mut tournament = round_robin(6, 2, 1);
    let slow = due_of(&tournament, "Ann").clone();
    let others = |tournament: &Tournament| -> Option<DueGame> {
        tournament.due().find(|due| due.pairing != slow.pairing).cloned()
    };
    while let Some(due) = others(&tournament) {
        tournament.apply(&played(&due, &[1, 2])).unwrap();
    }
    let ann = tournament.find("Ann").unwrap();
    let open = tournament.pairings().iter().filter(|pairing| pairing.decision.is_none());
    let open: Vec<&Pairing> = open.collect();
    // Her five, and none of her opponent's other four.
    assert!(open.iter().all(|pairing| {
        pairing.entrants.contains(&ann) || slow.seats.iter().any(|id| pairing.entrants.contains(id))
    }));
    assert_eq!(open.len(), 9);
    play_on(&mut tournament, alphabet);
    assert!(tournament.winner().is_some());
}
