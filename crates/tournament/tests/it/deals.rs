//! Deals that are played more than once.

use std::collections::BTreeMap;

use rules::Seed;
use tournament::{Deals, DueGame, Fact, Format, PairingId, Plan, Tournament};

use crate::kit::{alphabet, name, plan, played, started};

fn repeating(format: Format, table_seats: usize) -> Plan {
    Plan { deals: Deals::Repeat, ..plan(format, table_seats) }
}

/// Plays everything; what each game was dealt, in which round, and who sat where.
fn dealt(mut tournament: Tournament) -> Vec<(u32, Seed, Vec<String>)> {
    let mut games = Vec::new();
    loop {
        let due = tournament.due().next().cloned();
        let Some(due) = due else { return games };
        let names: Vec<&str> = due.seats.iter().map(|&id| name(&tournament, id)).collect();
        let places = alphabet(&names);
        let seats = names.iter().map(|&name| name.to_owned()).collect();
        let round = tournament.pairings()[due.pairing.index()].round;
        games.push((round, tournament.deal(&due), seats));
        tournament.apply(&played(&due, &places)).unwrap();
    }
}

/// The games of each deal.
fn by_deal(games: Vec<(u32, Seed, Vec<String>)>) -> BTreeMap<String, Vec<(u32, Vec<String>)>> {
    let mut deals: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for (round, deal, seats) in games {
        deals.entry(deal.to_string()).or_default().push((round, seats));
    }
    deals
}

#[test]
fn fresh_deals_are_all_different() {
    let plan = Plan { best_of: 3, ..plan(Format::RoundRobin { cycles: 2 }, 2) };
    let games = dealt(started(plan, 4));
    assert_eq!(by_deal(games.clone()).len(), games.len());
}

#[test]
fn all_tables_of_a_round_have_the_same_deal() {
    for format in [Format::Knockout, Format::Swiss { rounds: 3 }] {
        let deals = by_deal(dealt(started(repeating(format, 2), 8)));
        assert_eq!(deals.len(), 3, "one for each round of {format:?}");
        for games in deals.values() {
            assert!(games.iter().all(|(round, _)| *round == games[0].0), "{games:?}");
        }
    }
}

/// Entrants that met in the first cycle meet in the second with the same cards, and the seats
/// changed.
#[test]
fn a_second_cycle_deals_the_first_once_more_with_the_seats_changed() {
    for format in [Format::RoundRobin { cycles: 2 }, Format::Gauntlet { challengers: 2, cycles: 2 }]
    {
        let deals = by_deal(dealt(started(repeating(format, 2), 6)));
        for games in deals.values() {
            for (round, seats) in games {
                let turned: Vec<String> = seats.iter().rev().cloned().collect();
                let meets = |(other, met): &&(u32, Vec<String>)| other != round && *met == turned;
                assert_eq!(games.iter().filter(meets).count(), 1, "{format:?}: {games:?}");
            }
        }
    }
}

/// Two games of a pairing have the same deal from both sides, then comes another. A game that came
/// to nothing is dealt again.
#[test]
fn the_games_of_a_pairing_share_a_deal_until_everybody_had_every_seat() {
    let plan = Plan { best_of: 5, ..repeating(Format::Swiss { rounds: 1 }, 2) };
    let mut tournament = started(plan, 2);
    let mut deals = Vec::new();
    for game in 0..5 {
        let due = tournament.due().next().cloned().unwrap();
        deals.push(tournament.deal(&due));
        if game == 1 {
            let DueGame { pairing, attempt, .. } = due;
            tournament.apply(&Fact::Void { pairing, attempt }).unwrap();
            let again = tournament.due().next().cloned().unwrap();
            assert_eq!((tournament.deal(&again), again.seats), (deals[1], due.seats));
        }
        let due = tournament.due().next().cloned().unwrap();
        tournament.apply(&played(&due, &[1, 1])).unwrap();
    }
    assert_eq!(deals[0], deals[1]);
    assert_eq!(deals[2], deals[3]);
    assert!(deals[1] != deals[2] && deals[3] != deals[4]);
}

#[test]
fn a_plan_says_so_and_older_plans_say_nothing() {
    let read = |text: &str| serde_json::from_str::<Plan>(text);
    assert_eq!(read(r#"{"deals":"repeat"}"#).unwrap().deals, Deals::Repeat);
    assert_eq!(read("{}").unwrap().deals, Deals::Fresh);
    let wrong = read(r#"{"deals":"twice"}"#).unwrap_err().to_string();
    assert!(wrong.contains("`fresh` or `repeat`"), "{wrong}");
    let text = serde_json::to_string(&Plan::default()).unwrap();
    assert!(!text.contains("deals"), "an earlier release reads it: {text}");
}

/// Each entrant's count of seats, in standings.
#[test]
fn standings_say_how_often_everybody_had_each_seat() {
    let mut tournament = started(plan(Format::RoundRobin { cycles: 2 }, 2), 5);
    crate::kit::play_on(&mut tournament, alphabet);
    for line in tournament.standings() {
        assert_eq!(line.seats, [4, 4], "{line:?}");
    }
}

/// Spectators of one table of the round knew the cards of the others.
#[test]
fn cards_are_secret_until_nobody_is_dealt_them_any_more() {
    for format in [
        Format::Knockout,
        Format::Swiss { rounds: 3 },
        Format::RoundRobin { cycles: 2 },
        Format::Gauntlet { challengers: 2, cycles: 2 },
    ] {
        let mut tournament = started(Plan { best_of: 3, ..repeating(format, 2) }, 8);
        let (mut secret, mut dealt) = (Vec::new(), Vec::new());
        loop {
            let next = tournament.due().next().cloned();
            let Some(due) = next else { break };
            let deal = tournament.deal(&due).to_string();
            assert!(tournament.may_deal_again(due.pairing), "{format:?}: it is dealt now");
            // Every entrant that was dealt these cards before has kept them to itself.
            for (pairing, known) in &dealt {
                assert!(*known != deal || !secret.contains(&(*pairing, false)), "{format:?}");
            }
            dealt.push((due.pairing, deal));
            let names: Vec<&str> = due.seats.iter().map(|&id| name(&tournament, id)).collect();
            let places = alphabet(&names);
            tournament.apply(&played(&due, &places)).unwrap();
            let pairings: Vec<PairingId> = dealt.iter().map(|(pairing, _)| *pairing).collect();
            let told = pairings.into_iter().map(|id| (id, tournament.may_deal_again(id)));
            secret = told.collect();
        }
        assert!(!dealt.iter().any(|(id, _)| tournament.may_deal_again(*id)), "{format:?}: over");
        assert!(dealt.len() > 7);
    }
    let fresh = started(plan(Format::Knockout, 2), 8);
    assert!(!fresh.may_deal_again(fresh.pairings()[0].id));
}
