use super::{Coverage, run};
use crate::sums::{BOTS, Config, Sums};
use hall::{AfterEnd, AwayInPlay, Ids, Names, Policy, Start, Terms, WayBack};

/// The policies of the existing games: how players join, start, leave and reconnect.
fn terms() -> Vec<Terms> {
    let policy = Policy {
        seats: 2,
        names: Names::UniqueAtTable,
        start: Start::WhenFull { ready_grace_ms: 200 },
        hold_waiting_ms: 2000,
        away_in_play: AwayInPlay::Hold,
        after_end: AfterEnd::Stay,
        way_back: WayBack::Token,
        turn_ms: Some(3000),
        strikes: 2,
        strikes_in_all: 5,
        game_ms: Some(600_000),
        pace_ms: 0,
        broadcast: Default::default(),
        away_stops_clock: false,
        too_slow_for: None,
        heartbeat_ms: None,
        house_bots: Vec::new(),
        house_bots_after_ms: 0,
        waiting_expire_ms: 60_000,
        resume_grace_ms: 5000,
        always_open: true,
        single_table: false,
        hides_owed: false,
        hides_legal: false,
        ids: Ids::Words,
    };
    let by_name_in_the_hall = Policy {
        names: Names::UniqueInHall,
        start: Start::OnCall { min: 2 },
        away_in_play: AwayInPlay::RetireAfter { ms: 4000 },
        away_stops_clock: true,
        after_end: AfterEnd::Lobby,
        way_back: WayBack::Name,
        always_open: false,
        ids: Ids::Numbered("ROOM_".to_owned()),
        ..policy.clone()
    };
    let by_name = Policy {
        names: Names::Free,
        pace_ms: 400,
        away_in_play: AwayInPlay::BotAfter { ms: 2000 },
        way_back: WayBack::Name,
        hold_waiting_ms: 0,
        ..policy.clone()
    };
    let no_way_back = Policy {
        start: Start::WhenGathered { min: 2, quiet_ms: 500 },
        away_in_play: AwayInPlay::RetireAfterMove,
        way_back: WayBack::None,
        hold_waiting_ms: 0,
        house_bots: vec!["high".to_owned()],
        house_bots_after_ms: 1000,
        ..policy.clone()
    };
    let policies = [policy, by_name_in_the_hall, by_name, no_way_back];
    let both = policies.into_iter().zip([true, false].into_iter().cycle());
    both.map(|(policy, patient)| Terms::new::<Sums>(Config { patient, turns: 3 }, policy)).collect()
}

#[test]
fn tournaments_come_to_their_end_whatever_happens() {
    let mut all = Coverage::default();
    for (number, terms) in (0..).zip(terms().iter().cycle()).take(1200) {
        let tally = run(terms, BOTS, number, 500);
        if number < 40 {
            assert_eq!(tally, run(terms, BOTS, number, 500), "seed {number} is not the same twice");
        }
        all.over += tally.over;
        all.cancelled += tally.cancelled;
        all.games += tally.games;
        all.restarts += tally.restarts;
        all.byes += tally.byes;
        all.forfeits += tally.forfeits;
        all.lots += tally.lots;
        all.adjudicated += tally.adjudicated;
        all.withdrawn += tally.withdrawn;
        all.missed += tally.missed;
        all.returned += tally.returned;
        all.series += tally.series;
    }
    // Enough has happened for this to mean something.
    assert!(all.over > 2000 && all.games > 10_000 && all.restarts > 1000, "{all:?}");
    assert!(all.cancelled > 100 && all.byes > 100 && all.forfeits > 100, "{all:?}");
    assert!(all.lots > 100 && all.adjudicated > 100 && all.withdrawn > 100, "{all:?}");
    assert!(all.missed > 100 && all.returned > 20 && all.series > 100, "{all:?}");
}
