//! How a seat is held for its player. Way back, absence and restart are properties of a seat: those
//! that were joined over the house wire are alike in every game, all others follow their game's
//! protocol.

use crate::{AwayInPlay, Chair, Phase, Policy, Time, WayBack};

/// How long a seat of the JSON protocol is held for its player, in open play and in a tournament.
const HELD_MS: u64 = 60_000;
const HELD_IN_TOURNAMENT_MS: u64 = 30_000;

/// What holds for one seat while its player is away.
#[derive(Clone, Copy, Debug)]
pub struct Hold<'a> {
    policy: &'a Policy,
    /// `None`: the seat is free.
    chair: Option<&'a Chair>,
    phase: Phase,
    in_tournament: bool,
}

impl<'a> Hold<'a> {
    pub(super) fn new(
        policy: &'a Policy,
        chair: Option<&'a Chair>,
        phase: Phase,
        in_tournament: bool,
    ) -> Hold<'a> {
        Hold { policy, chair, phase, in_tournament }
    }

    /// Whether a player may rejoin a running game by name alone, if the protocol supports that. A
    /// player who has a token must show it.
    pub fn opens_by_name(&self) -> bool {
        self.phase != Phase::Playing || !self.is_via_house()
    }

    /// How long the player of a seat is waited for who is known in the hall by name; none: for as
    /// long as it likes.
    pub fn window_ms(&self) -> Option<u64> {
        match self.chair {
            Some(chair) if chair.is_via_calls() => None,
            Some(chair) if chair.is_via_house() => Some(self.held_ms()),
            _ => Some(self.policy.window_ms()),
        }
    }

    /// What a restart leaves of the `ms` milliseconds a player may stay away. A player who was away
    /// at the earlier server's last record had been so since leaving. The time in which
    /// reconnecting was impossible doesn't count, and every player gets a grace period.
    pub fn left_after_restart(&self, ms: u64, last_written: Time) -> u64 {
        let since = self.chair.and_then(|chair| chair.away_since);
        let gone = since.map_or(0, |since| last_written.0.saturating_sub(since.0));
        ms.saturating_sub(gone).max(self.policy.resume_grace_ms)
    }

    /// Whether a player outlasts a restart.
    pub(super) fn outlasts_restart(&self) -> bool {
        let has_way_back = |chair: &Chair| chair.bot.is_some() || chair.is_via_house();
        self.policy.way_back != WayBack::None || self.chair.is_some_and(has_way_back)
    }

    /// What happens to the seat of a player who is away from the running game.
    pub(super) fn in_play(&self) -> AwayInPlay {
        match self.is_via_house() {
            true => AwayInPlay::RetireAfter { ms: self.held_ms() },
            false => self.policy.away_in_play,
        }
    }

    /// Whether absence is a silence like any other: its clock runs, and it counts.
    pub(super) fn is_silence(&self) -> bool {
        self.is_via_house() || self.policy.away_in_play == AwayInPlay::Hold
    }

    /// How long a seat is held for its player before the game begins.
    pub(super) fn before_start_ms(&self) -> u64 {
        let held_ms = if self.is_via_house() { self.held_ms() } else { 0 };
        self.policy.hold_waiting_ms.max(held_ms)
    }

    fn held_ms(&self) -> u64 {
        if self.in_tournament { HELD_IN_TOURNAMENT_MS } else { HELD_MS }
    }

    fn is_via_house(&self) -> bool {
        self.chair.is_some_and(Chair::is_via_house)
    }
}
