//! Metrics in Prometheus text. Every name begins with `parlor_`.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use hall::Code;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use crate::gate::Limit;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct GameLabel {
    pub game: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct RefusalLabel {
    pub game: &'static str,
    pub reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct LimitLabel {
    pub limit: &'static str,
}

/// Counters of the whole server.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    connections: Family<GameLabel, Gauge>,
    connections_total: Family<GameLabel, Counter>,
    tables: Family<GameLabel, Gauge>,
    games_finished: Family<GameLabel, Counter>,
    moves: Family<GameLabel, Counter>,
    refusals: Family<RefusalLabel, Counter>,
    turn_latency: Family<GameLabel, Histogram, fn() -> Histogram>,
    bytes_in: Family<GameLabel, Counter>,
    bytes_out: Family<GameLabel, Counter>,
    pub rejected_connections: Counter,
    limit_hits: Family<LimitLabel, Counter>,
    pub replays_cancelled: Counter,
    hosted_here: Family<GameLabel, Gauge>,
    epoch: Family<GameLabel, Gauge>,
    links: Family<GameLabel, Gauge>,
    link_lag: Family<GameLabel, Gauge>,
    journal_bytes: Family<GameLabel, Gauge>,
    takeovers: Family<GameLabel, Counter>,
    takeover_ms: Family<GameLabel, Gauge>,
    playing: Family<GameLabel, Gauge>,
    /// Not exported as they are: the age is computed from the time.
    unsaved_since: Family<GameLabel, Gauge>,
    driven: Family<GameLabel, Gauge>,
    journal_pending: Family<GameLabel, Gauge<f64, AtomicU64>>,
    link_up: Family<GameLabel, Gauge>,
    pub lease_age_ms: Gauge,
    pub transactions_behind: Gauge,
    pub fleet_nodes: Gauge,
    pub database_ms: Gauge,
}

/// A few of them, summed over all games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub connections: u64,
    /// Tables that are not over.
    pub tables: u64,
    pub games_finished: u64,
}

/// One game's counters, looked up once.
#[derive(Clone, Debug)]
pub struct GameMetrics {
    game: &'static str,
    pub connections: Gauge,
    pub connections_total: Counter,
    pub tables: Gauge,
    pub games_finished: Counter,
    pub moves: Counter,
    pub turn_latency: Histogram,
    pub bytes_in: Counter,
    pub bytes_out: Counter,
    /// In a fleet: gateways that are linked to the hall here, or 1 if this node is linked to it.
    pub links: Gauge,
    /// Frames that gateways have not confirmed.
    pub link_lag: Gauge,
    /// How much of what was said to gateways the journal keeps.
    pub journal_bytes: Gauge,
    pub takeovers: Counter,
    pub takeover_ms: Gauge,
    /// Connections here whose players are in a running game, wherever its hall is.
    pub playing: Gauge,
    /// When the oldest move happened that is not saved, in milliseconds since 1970; 0: all are.
    pub unsaved_since: Gauge,
    /// Whether the hall is driven here.
    pub is_driven: Gauge,
    refusals: Family<RefusalLabel, Counter>,
    limit_hits: Family<LimitLabel, Counter>,
}

impl Metrics {
    pub fn new() -> Arc<Metrics> {
        let buckets: fn() -> Histogram = || {
            Histogram::new([
                0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
                1.0, 2.5,
            ])
        };
        let mut metrics = Metrics {
            registry: Registry::with_prefix("parlor"),
            connections: Family::default(),
            connections_total: Family::default(),
            tables: Family::default(),
            games_finished: Family::default(),
            moves: Family::default(),
            refusals: Family::default(),
            turn_latency: Family::new_with_constructor(buckets),
            bytes_in: Family::default(),
            bytes_out: Family::default(),
            rejected_connections: Counter::<u64, AtomicU64>::default(),
            limit_hits: Family::default(),
            replays_cancelled: Counter::default(),
            hosted_here: Family::default(),
            epoch: Family::default(),
            links: Family::default(),
            link_lag: Family::default(),
            journal_bytes: Family::default(),
            takeovers: Family::default(),
            takeover_ms: Family::default(),
            playing: Family::default(),
            unsaved_since: Family::default(),
            driven: Family::default(),
            journal_pending: Family::default(),
            link_up: Family::default(),
            lease_age_ms: Gauge::default(),
            transactions_behind: Gauge::default(),
            database_ms: Gauge::default(),
            fleet_nodes: Gauge::default(),
        };
        metrics.register();
        Arc::new(metrics)
    }

    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register("connections", "Open connections", self.connections.clone());
        registry.register(
            "connections_opened",
            "Connections accepted",
            self.connections_total.clone(),
        );
        let help = "Connections whose players are in a running game";
        registry.register("connections_playing", help, self.playing.clone());
        registry.register("tables", "Tables that are not over", self.tables.clone());
        registry.register(
            "games_finished",
            "Games played to their end",
            self.games_finished.clone(),
        );
        registry.register("moves", "Moves accepted", self.moves.clone());
        registry.register("refusals", "Commands refused", self.refusals.clone());
        let help = "Seconds from reading a move to writing its answer";
        registry.register("turn_latency_seconds", help, self.turn_latency.clone());
        registry.register("bytes_in", "Bytes received", self.bytes_in.clone());
        registry.register("bytes_out", "Bytes sent", self.bytes_out.clone());
        let help = "Connections closed at once because of a limit";
        registry.register("connections_rejected", help, self.rejected_connections.clone());
        let help = "How often each limit was reached: docs/reference/limits.md lists them";
        registry.register("limit_hits", help, self.limit_hits.clone());
        let help = "Long reads that ended early, because the client left or waited too long";
        registry.register("replays_cancelled", help, self.replays_cancelled.clone());
        let help = "In a fleet, whether this node hosts the game: 1 or 0";
        registry.register("game_hosted_here", help, self.hosted_here.clone());
        let help = "In a fleet, how often the game was taken up";
        registry.register("game_epoch", help, self.epoch.clone());
        let help = "In a fleet, links of the game that are up at this node";
        registry.register("game_links", help, self.links.clone());
        let help = "In a fleet, messages to other nodes that they have not confirmed";
        registry.register("game_link_lag", help, self.link_lag.clone());
        let help = "In a fleet, bytes that the game's journal keeps until other nodes confirm them";
        registry.register("journal_bytes", help, self.journal_bytes.clone());
        let help = "In a fleet, how often this node has taken the game up";
        registry.register("game_takeovers", help, self.takeovers.clone());
        let help = "In a fleet, how long players waited when this node last took the game up";
        registry.register("game_takeover_ms", help, self.takeover_ms.clone());
        let help = "In a fleet, how long the database took to answer this node";
        registry.register("database_ms", help, self.database_ms.clone());
        let help = "How long the oldest move has waited to be saved";
        registry.register("journal_pending_seconds", help, self.journal_pending.clone());
        let help =
            "In a fleet, whether this node hosts the game or reaches the node that does: 1 or 0";
        registry.register("link_up", help, self.link_up.clone());
        let help = "In a fleet, how long ago the database last confirmed that this node is alive";
        registry.register("lease_age_ms", help, self.lease_age_ms.clone());
        let help = "In a fleet, transactions that have begun since the database's oldest open one";
        registry.register("transactions_behind", help, self.transactions_behind.clone());
        let help = "Nodes of the fleet that are alive";
        registry.register("fleet_nodes", help, self.fleet_nodes.clone());
    }

    /// Whether this node hosts a game of the fleet, and since which takeover.
    pub fn holds(&self, game: &'static str, is_here: bool, epoch: u64) {
        let label = GameLabel { game };
        self.hosted_here.get_or_create(&label).set(is_here.into());
        self.epoch.get_or_create(&label).set(epoch as i64);
    }

    /// How long the oldest move of a game waits to be saved.
    pub fn set_pending(&self, game: &'static str, seconds: f64) {
        self.journal_pending.get_or_create(&GameLabel { game }).set(seconds);
    }

    /// Whether a game of the fleet is reached from here.
    pub fn set_link(&self, game: &'static str, is_up: bool) {
        self.link_up.get_or_create(&GameLabel { game }).set(is_up.into());
    }

    /// A client has reached a limit.
    pub fn hit(&self, limit: Limit) {
        self.limit_hits.get_or_create(&LimitLabel { limit: limit.name() }).inc();
    }

    pub fn of_game(&self, game: &'static str) -> GameMetrics {
        let label = GameLabel { game };
        GameMetrics {
            game,
            connections: self.connections.get_or_create(&label).clone(),
            connections_total: self.connections_total.get_or_create(&label).clone(),
            tables: self.tables.get_or_create(&label).clone(),
            games_finished: self.games_finished.get_or_create(&label).clone(),
            moves: self.moves.get_or_create(&label).clone(),
            turn_latency: self.turn_latency.get_or_create(&label).clone(),
            bytes_in: self.bytes_in.get_or_create(&label).clone(),
            bytes_out: self.bytes_out.get_or_create(&label).clone(),
            links: self.links.get_or_create(&label).clone(),
            link_lag: self.link_lag.get_or_create(&label).clone(),
            journal_bytes: self.journal_bytes.get_or_create(&label).clone(),
            takeovers: self.takeovers.get_or_create(&label).clone(),
            takeover_ms: self.takeover_ms.get_or_create(&label).clone(),
            playing: self.playing.get_or_create(&label).clone(),
            unsaved_since: self.unsaved_since.get_or_create(&label).clone(),
            is_driven: self.driven.get_or_create(&label).clone(),
            refusals: self.refusals.clone(),
            limit_hits: self.limit_hits.clone(),
        }
    }

    pub fn counts(&self, games: &[&'static str]) -> Counts {
        let mut counts = Counts::default();
        for game in games {
            let metrics = self.of_game(game);
            counts.connections += metrics.connections.get().max(0) as u64;
            counts.tables += metrics.tables.get().max(0) as u64;
            counts.games_finished += metrics.games_finished.get();
        }
        counts
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        text::encode(&mut text, &self.registry).expect("writing to a string");
        text
    }
}

impl GameMetrics {
    /// A client has reached a limit.
    pub fn hit(&self, limit: Limit) {
        self.limit_hits.get_or_create(&LimitLabel { limit: limit.name() }).inc();
    }

    pub fn refused(&self, code: Code) {
        self.refusals.get_or_create(&RefusalLabel { game: self.game, reason: code.as_str() }).inc();
    }
}
