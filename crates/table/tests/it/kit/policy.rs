//! The policy that the tests vary.

use table::{AfterEnd, AwayInPlay, Broadcast, Ids, Names, Policy, Start, WayBack};

/// Two seats, one second per turn, and a missing player's seat is kept for them.
pub fn policy() -> Policy {
    Policy {
        seats: 2,
        names: Names::UniqueAtTable,
        start: Start::WhenFull { ready_grace_ms: 0 },
        hold_waiting_ms: 0,
        away_in_play: AwayInPlay::Hold,
        after_end: AfterEnd::Stay,
        way_back: WayBack::Token,
        turn_ms: Some(1000),
        strikes: 0,
        strikes_in_all: 0,
        game_ms: None,
        pace_ms: 0,
        broadcast: Broadcast::Public,
        away_stops_clock: false,
        too_slow_for: None,
        heartbeat_ms: None,
        house_bots: Vec::new(),
        house_bots_after_ms: 0,
        waiting_expire_ms: 60_000,
        resume_grace_ms: 0,
        always_open: false,
        single_table: false,
        hides_owed: false,
        hides_legal: false,
        ids: Ids::Numbered("t".to_owned()),
    }
}
