//! What this server knows of the fleet it is a node of.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::AppState;
use crate::fleet::Sight;
use crate::house::Metrics;

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
    nodes: Vec<NodeBody>,
    games: Vec<GameBody>,
}

/// A server that is alive.
#[derive(Serialize, ToSchema)]
struct NodeBody {
    name: String,
    /// Where other servers reach it.
    address: String,
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
    /// How often the answering server has taken it up since it began.
    takeovers: u64,
    /// How long players waited the last time it did.
    takeover_ms: i64,
}

impl FleetBody {
    fn new(
        sight: &Sight,
        games: impl Iterator<Item = &'static str>,
        metrics: &Metrics,
    ) -> FleetBody {
        let Sight { me, fleet, took, at, is_blind } = sight;
        let holds = |node: &store::leases::Node| {
            let held = fleet.streams.iter().filter(|held| held.owner == Some(node.incarnation));
            held.map(|held| held.stream.clone()).collect::<Vec<_>>()
        };
        let games: Vec<GameBody> = games.map(|game| GameBody::new(game, sight, metrics)).collect();
        let node = |node: &store::leases::Node| NodeBody {
            name: node.name.clone(),
            address: node.address.clone(),
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
            nodes: fleet.nodes.iter().map(node).collect(),
            games,
        }
    }
}

impl GameBody {
    fn new(game: &'static str, sight: &Sight, metrics: &Metrics) -> GameBody {
        let holding = sight.fleet.holding(game);
        let here = metrics.of_game(game);
        GameBody {
            game,
            node: sight.fleet.owner(game).map(|node| node.name.clone()),
            epoch: holding.map_or(0, |holding| holding.epoch),
            age_ms: holding.map_or(0, |holding| holding.age_ms),
            batches: holding.map_or(0, |holding| holding.batch),
            links: here.links.get(),
            lag: here.link_lag.get(),
            takeovers: here.takeovers.get(),
            takeover_ms: here.takeover_ms.get(),
        }
    }
}

/// The servers of this fleet, and where each game is.
#[utoipa::path(get, path = "/api/v1/fleet", responses((status = OK, body = FleetBody)))]
async fn show(State(app): State<AppState>) -> Json<FleetBody> {
    let sight = app.fleet.as_ref().and_then(|fleet| fleet.sight());
    let games = app.hosted.keys().copied();
    let body = sight.map(|sight| FleetBody::new(&sight, games, &app.metrics));
    Json(body.unwrap_or_default())
}
