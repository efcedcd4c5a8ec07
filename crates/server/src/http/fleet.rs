//! What this server knows of the fleet it is a node of.

use axum::Json;
use axum::extract::State;
use hall::Scope;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{AppState, Caller};
use crate::fleet::Sight;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show))
}

/// The servers that share a database, as one of them sees them.
#[derive(Default, Serialize, ToSchema)]
struct FleetBody {
    /// The server that answers; null if it shares no database with others, and there is no fleet.
    node: Option<String>,
    /// How long the database took to answer it last.
    database_ms: u64,
    /// How long ago that was.
    seen_ms: u64,
    /// False: the database does not answer at the moment, and what follows is how things stood before.
    database_answers: bool,
    /// How long ago the database last confirmed that the answering server is alive.
    lease_age_ms: u64,
    /// What keeps the answering server from serving players, in words.
    faults: Vec<String>,
    /// What will become a fault if nobody does anything about it, in words.
    warnings: Vec<String>,
    nodes: Vec<NodeBody>,
    games: Vec<GameBody>,
}

/// A server that is alive.
#[derive(Serialize, ToSchema)]
struct NodeBody {
    name: String,
    /// Where other servers reach it; null without a token.
    address: Option<String>,
    /// How long ago it has joined.
    age_ms: u64,
    /// How long ago it has said that it is alive.
    silent_ms: u64,
    /// It is about to end, and hands its games over.
    leaving: bool,
    /// The games that it hosts.
    games: Vec<String>,
}

/// Where a game is.
#[derive(Serialize, ToSchema)]
struct GameBody {
    game: &'static str,
    /// The server that hosts it; null while nobody does.
    node: Option<String>,
    /// How often the game was taken up by any server.
    epoch: u64,
    /// How long that server has it.
    age_ms: u64,
    /// How many batches of moves were ever saved.
    batches: u64,
    /// At the server that hosts it, how many others are linked to it; at another, whether it is linked.
    links: i64,
    /// Messages that the answering server has sent to others and that are not confirmed yet.
    lag: i64,
    /// How many bytes the game's journal keeps until other servers confirm them, if this one hosts it.
    journal_bytes: i64,
    /// How often the answering server has taken it up since it began.
    takeovers: u64,
    /// How long players waited the last time it did.
    takeover_ms: i64,
    /// Whether the answering server hosts it, or reaches the server that does.
    reached: bool,
    /// How long the oldest move has waited to be saved, at the server that hosts the game.
    pending_ms: u64,
}

impl FleetBody {
    fn new(
        sight: &Sight,
        games: impl Iterator<Item = &'static str>,
        app: &AppState,
        shows_addresses: bool,
    ) -> FleetBody {
        let Sight { me, fleet, took, at, is_blind } = sight;
        let holds = |node: &store::leases::Node| {
            let held = fleet.streams.iter().filter(|held| held.owner == Some(node.incarnation));
            held.map(|held| held.stream.clone()).collect::<Vec<_>>()
        };
        let games: Vec<GameBody> = games.map(|game| GameBody::new(game, sight, app)).collect();
        let node = |node: &store::leases::Node| NodeBody {
            name: node.name.clone(),
            address: shows_addresses.then(|| node.address.clone()),
            age_ms: node.age_ms,
            silent_ms: node.silent_ms,
            leaving: node.leaving,
            games: holds(node)
                .into_iter()
                .filter(|held| games.iter().any(|game| game.game == held))
                .collect(),
        };
        FleetBody {
            node: fleet.node(*me).map(|node| node.name.clone()),
            database_ms: took.as_millis() as u64,
            seen_ms: at.elapsed().as_millis() as u64,
            database_answers: !is_blind,
            lease_age_ms: at.elapsed().as_millis() as u64,
            faults: app.health.faults(),
            warnings: app.health.warnings(),
            nodes: fleet.nodes.iter().map(node).collect(),
            games,
        }
    }
}

impl GameBody {
    fn new(game: &'static str, sight: &Sight, app: &AppState) -> GameBody {
        let holding = sight.fleet.holding(game);
        let here = app.metrics.of_game(game);
        GameBody {
            game,
            node: sight.fleet.owner(game).map(|node| node.name.clone()),
            epoch: holding.map_or(0, |holding| holding.epoch),
            age_ms: holding.map_or(0, |holding| holding.age_ms),
            batches: holding.map_or(0, |holding| holding.batch),
            links: here.links.get(),
            lag: here.link_lag.get(),
            journal_bytes: here.journal_bytes.get(),
            takeovers: here.takeovers.get(),
            takeover_ms: here.takeover_ms.get(),
            reached: app.health.is_linked(game),
            pending_ms: app.health.pending(game).as_millis() as u64,
        }
    }
}

/// The servers of this fleet, and where each game is.
#[utoipa::path(get, path = "/api/v1/fleet", responses((status = OK, body = FleetBody)))]
async fn show(State(app): State<AppState>, caller: Caller) -> Json<FleetBody> {
    let sight = app.fleet.as_ref().and_then(|fleet| fleet.sight());
    let games = app.hosted.keys().copied();
    // Nobody but operators needs to know where nodes are linked.
    let shows_addresses = caller.demand(Scope::Read).is_ok();
    let body = sight.map(|sight| FleetBody::new(&sight, games, &app, shows_addresses));
    Json(body.unwrap_or_default())
}
