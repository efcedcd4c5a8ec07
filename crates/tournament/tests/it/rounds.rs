//! What a new round of a knockout or a Swiss tournament must look like.

use std::collections::BTreeSet;

use tournament::{EntrantId, Format, How, Pairing, Tournament};

/// Checks the round that was just paired.
pub fn check(before: &Tournament, after: &Tournament) {
    let earlier = &after.pairings()[..before.pairings().len()];
    let round = &after.pairings()[before.pairings().len()..];
    nobody_is_left_out(after, earlier, round);
    byes_are_fair(after, earlier, round);
    seats_are_balanced(earlier, round);
    if after.plan().format == Format::Knockout {
        return;
    }
    if after.plan().table_seats == 2 {
        no_avoidable_rematch(earlier, round);
    } else {
        no_exchange_saves_a_rematch(earlier, round);
    }
}

fn members(round: &[Pairing]) -> Vec<EntrantId> {
    round.iter().flat_map(|pairing| pairing.entrants.iter().copied()).collect()
}

fn nobody_is_left_out(tournament: &Tournament, earlier: &[Pairing], round: &[Pairing]) {
    let everybody = (0..tournament.entrants().len() as u32).map(EntrantId);
    let last = earlier.last().map_or(0, |pairing| pairing.round);
    let through = |entrant: &EntrantId| {
        let of_last = earlier.iter().filter(|pairing| pairing.round == last);
        let mut won = of_last.filter_map(|pairing| pairing.decision.as_ref()?.winner);
        last == 0 || tournament.plan().format != Format::Knockout || won.any(|id| id == *entrant)
    };
    let expected: BTreeSet<EntrantId> = everybody
        .filter(|&entrant| !tournament.entrant(entrant).withdrawn)
        .filter(through)
        .collect();
    let listed = members(round);
    assert_eq!(listed.len(), expected.len(), "{round:?}");
    assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), expected);
    assert!(round.iter().all(|pairing| pairing.round == last + 1));
    let sizes = round.iter().map(|pairing| pairing.entrants.len());
    let (least, most) = (sizes.clone().min().unwrap(), sizes.max().unwrap());
    assert!(most - least <= 1 && most <= tournament.plan().table_seats, "{round:?}");
}

fn is_bye(pairing: &Pairing) -> bool {
    pairing.decision.as_ref().is_some_and(|decision| decision.how == How::Bye)
}

/// At most one bye, to an entrant with the fewest byes; in a Swiss, to the lowest of those.
fn byes_are_fair(tournament: &Tournament, earlier: &[Pairing], round: &[Pairing]) {
    let byes: Vec<&Pairing> = round.iter().filter(|pairing| pairing.entrants.len() == 1).collect();
    let odd = tournament.plan().table_seats == 2 && members(round).len() % 2 == 1;
    assert_eq!(byes.len(), usize::from(odd), "{round:?}");
    let had = |entrant: EntrantId| {
        earlier.iter().filter(|p| is_bye(p) && p.entrants.contains(&entrant)).count()
    };
    for bye in byes {
        assert!(is_bye(bye));
        let lucky = bye.entrants[0];
        for other in members(round) {
            assert!(had(lucky) <= had(other), "{lucky} has another bye, not {other}");
            let equal = had(lucky) == had(other);
            if equal && tournament.plan().format != Format::Knockout {
                assert!(points(lucky, earlier) <= points(other, earlier));
            }
        }
    }
}

/// Points at tables of two.
fn points(entrant: EntrantId, earlier: &[Pairing]) -> u32 {
    let mut points = 0;
    for pairing in earlier.iter().filter(|pairing| pairing.entrants.contains(&entrant)) {
        let decision = pairing.decision.as_ref().expect("earlier rounds are decided");
        let at = pairing.entrants.iter().position(|&id| id == entrant).unwrap();
        points += match (decision.winner, decision.places[at]) {
            (Some(winner), _) if winner == entrant => 2,
            (None, Some(_)) => 1,
            _ => 0,
        };
    }
    points
}

/// An entrant that sat first more often than second does not sit first against one that did not.
fn seats_are_balanced(earlier: &[Pairing], round: &[Pairing]) {
    let excess = |entrant: EntrantId| -> i32 {
        let games = earlier.iter().flat_map(|pairing| &pairing.games);
        let counted = games.filter(|game| game.outcome.is_some());
        let seat = counted.filter_map(|game| game.seats.iter().position(|&id| id == entrant));
        seat.map(|seat| if seat == 0 { 1 } else { -1 }).sum()
    };
    for pairing in round {
        if let [first, second] = pairing.entrants[..] {
            let only_pairs = earlier.iter().all(|pairing| pairing.entrants.len() <= 2);
            assert!(!only_pairs || excess(first) <= excess(second), "{pairing:?}");
        }
    }
}

fn met(one: EntrantId, other: EntrantId, earlier: &[Pairing]) -> usize {
    let both = |p: &&Pairing| p.entrants.contains(&one) && p.entrants.contains(&other);
    earlier.iter().filter(both).count()
}

fn no_avoidable_rematch(earlier: &[Pairing], round: &[Pairing]) {
    let pairs: Vec<&Pairing> = round.iter().filter(|p| p.entrants.len() == 2).collect();
    let again = pairs.iter().filter(|p| met(p.entrants[0], p.entrants[1], earlier) > 0).count();
    if again > 0 {
        let players: Vec<EntrantId> = pairs.iter().flat_map(|p| p.entrants.clone()).collect();
        assert_eq!(again, fewest_rematches(&players, earlier), "{round:?}");
    }
}

/// Tries every way to pair.
fn fewest_rematches(players: &[EntrantId], earlier: &[Pairing]) -> usize {
    let Some((&first, rest)) = players.split_first() else { return 0 };
    let with = |other: &EntrantId| {
        let others: Vec<EntrantId> = rest.iter().copied().filter(|id| id != other).collect();
        usize::from(met(first, *other, earlier) > 0) + fewest_rematches(&others, earlier)
    };
    rest.iter().map(with).min().expect("an even number of players")
}

fn no_exchange_saves_a_rematch(earlier: &[Pairing], round: &[Pairing]) {
    let mut tables: Vec<Vec<EntrantId>> = round.iter().map(|p| p.entrants.clone()).collect();
    let repeats = |tables: &[Vec<EntrantId>]| -> usize {
        let table = |table: &Vec<EntrantId>| -> usize {
            table
                .iter()
                .flat_map(|&a| table.iter().map(move |&b| (a, b)))
                .filter(|(a, b)| a < b)
                .map(|(a, b)| met(a, b, earlier))
                .sum()
        };
        tables.iter().map(table).sum()
    };
    let now = repeats(&tables);
    if now == 0 {
        return;
    }
    for one in 0..tables.len() {
        for other in one + 1..tables.len() {
            for at in 0..tables[one].len() {
                for with in 0..tables[other].len() {
                    let (a, b) = (tables[one][at], tables[other][with]);
                    (tables[one][at], tables[other][with]) = (b, a);
                    assert!(repeats(&tables) >= now, "{a} for {b} saves a rematch: {round:?}");
                    (tables[one][at], tables[other][with]) = (a, b);
                }
            }
        }
    }
}
