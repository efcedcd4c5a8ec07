//! A hosted game: the way into its hall, and everything its connections share.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::ws::WebSocket;
use hall::{
    ConnId, Eyes, Name, Order, Reply, Request, Status, TableInfo, TableNo, Terms, TournamentCard,
    TournamentNo,
};
use rules::{Seat, Seed};
use serde_json::{Map, Value};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tournament::TournamentPhase;
use wire::house::{self, HouseSession};
use wire::{AnyGame, GameOf, Observer, Playable, Records, Watch, overlay, tournament_terms};

use crate::directory::{Directory, TournamentText};
use crate::hosting::{HallHandle, HallMessage, Visit};
use crate::listen::Admission;
use crate::metrics::GameMetrics;
use crate::requests::{TableRequest, TournamentRequest};
use crate::settings::Limits;
use crate::trace::Trace;
use crate::websocket::MessageLimits;

pub struct HostedGame<G: Playable> {
    pub handle: HallHandle<G>,
    pub options: G::Options,
    pub terms: Terms<G>,
    pub limits: Limits,
    pub metrics: GameMetrics,
    /// Cancelled when connections must end.
    pub closing: CancellationToken,
    pub trace_folder: Option<PathBuf>,
    /// What everybody may read of it.
    pub directory: Arc<Directory<G>>,
}

/// So long entrants may take to come to a game: clients give up after a minute of silence.
const NO_SHOW_MS: u64 = 25_000;

impl<G: Playable> HostedGame<G> {
    pub fn trace(&self, dialect: &str, conn: ConnId, peer: &str) -> Option<Trace> {
        let folder = self.trace_folder.as_ref()?;
        Trace::open(folder, dialect, conn.0, peer)
            .inspect_err(|error| tracing::warn!(error = format!("{error:#}"), "no trace"))
            .ok()
    }

    /// The terms of a table that differs from the house's in some options.
    fn requested_terms(&self, options: &Map<String, Value>) -> Result<Terms<G>, String> {
        G::terms(&overlay::<G>(&self.options, options)?)
    }
}

type Future<'a, T> = std::pin::Pin<Box<dyn std::future::Future<Output = T> + Send + 'a>>;

/// A hosted game of whatever type: what HTTP needs of it.
pub trait AnyHostedGame: Send + Sync {
    fn game(&self) -> &'static str;

    fn bots(&self) -> Vec<(&'static str, &'static str)>;

    fn options(&self) -> Value;

    /// A finished game as somebody with these eyes would have been told it, as JSON Lines.
    fn frames(&self, records: Records<'_>, eyes: Eyes) -> Result<String, String>;

    /// A file that the game brings for the pages.
    fn file(&self, name: &str) -> Option<Cow<'static, [u8]>>;

    /// The names of the protocols, the main one first.
    fn dialects(&self) -> Vec<&'static str>;

    /// Tables of one status or of any, with their numbers, from the one after a number.
    fn tables(
        &self,
        status: Option<Status>,
        after: u64,
        at_most: usize,
    ) -> Vec<(u64, Arc<TableInfo>)>;

    fn table(&self, id: &str) -> Option<Arc<TableInfo>>;

    /// Tournaments in one phase or in any, with their numbers, from the one after a number.
    fn tournaments(
        &self,
        phase: Option<TournamentPhase>,
        after: u64,
        at_most: usize,
    ) -> Vec<(u64, TournamentCard)>;

    fn tournament_card(&self, id: &str) -> Option<TournamentCard>;

    fn tournament(&self, id: &str) -> Option<TournamentText>;

    /// A tournament as it is, and what it becomes.
    fn watch_tournament(
        &self,
        id: &str,
    ) -> Option<(TournamentText, watch::Receiver<TournamentText>)>;

    fn close(&self, id: Name, reason: String) -> Future<'_, Option<Reply>>;

    fn crashed(&self, id: Name, seat: Seat) -> Future<'_, Option<Reply>>;

    fn open(&self, request: TableRequest) -> Future<'_, Result<Option<Reply>, String>>;

    fn convene(&self, request: TournamentRequest) -> Future<'_, Result<Option<Reply>, String>>;

    fn order(&self, id: Name, order: Order) -> Future<'_, Option<Reply>>;

    /// Plays over a WebSocket, from now until it ends.
    fn play(
        &self,
        dialect: Option<String>,
        socket: WebSocket,
        admission: Arc<Admission>,
    ) -> Future<'_, ()>;

    /// Speaks the house wire over a WebSocket, from now until it ends. An organiser sees everything
    /// of what it watches.
    fn play_house(
        &self,
        organiser: bool,
        socket: WebSocket,
        admission: Arc<Admission>,
    ) -> Future<'_, ()>;

    /// Watches over a WebSocket, from now until it ends.
    fn watch(&self, watch: Watch, socket: WebSocket, admission: Arc<Admission>) -> Future<'_, ()>;
}

impl<G: Playable> AnyHostedGame for HostedGame<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn bots(&self) -> Vec<(&'static str, &'static str)> {
        G::bots().iter().map(|kind| (kind.name, kind.about)).collect()
    }

    fn options(&self) -> Value {
        serde_json::to_value(&self.options).expect("options are plain data")
    }

    fn frames(&self, records: Records<'_>, eyes: Eyes) -> Result<String, String> {
        GameOf::<G>::new().frames(records, eyes)
    }

    fn file(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        G::file(name)
    }

    fn dialects(&self) -> Vec<&'static str> {
        G::dialects().iter().map(|dialect| dialect.name).collect()
    }

    fn tables(
        &self,
        status: Option<Status>,
        after: u64,
        at_most: usize,
    ) -> Vec<(u64, Arc<TableInfo>)> {
        self.directory.read(|lists| {
            let tables = lists.tables(status, TableNo(after)).take(at_most);
            tables.map(|(no, info)| (no.0, info.clone())).collect()
        })
    }

    fn table(&self, id: &str) -> Option<Arc<TableInfo>> {
        self.directory.read(|lists| lists.table(id).cloned())
    }

    fn tournaments(
        &self,
        phase: Option<TournamentPhase>,
        after: u64,
        at_most: usize,
    ) -> Vec<(u64, TournamentCard)> {
        self.directory.read(|lists| {
            let all = lists.tournaments(TournamentNo(after));
            let wanted = all
                .filter(|(_, state)| phase.is_none_or(|phase| phase == state.tournament.phase()));
            wanted.take(at_most).map(|(no, state)| (no.0, state.into())).collect()
        })
    }

    fn tournament_card(&self, id: &str) -> Option<TournamentCard> {
        self.directory.read(|lists| lists.tournament_card(id))
    }

    fn tournament(&self, id: &str) -> Option<TournamentText> {
        self.directory.tournament(id)
    }

    fn watch_tournament(
        &self,
        id: &str,
    ) -> Option<(TournamentText, watch::Receiver<TournamentText>)> {
        self.directory.watch_tournament(id)
    }

    fn close(&self, id: Name, reason: String) -> Future<'_, Option<Reply>> {
        Box::pin(self.handle.ask(Request::Close { id, reason }))
    }

    fn crashed(&self, id: Name, seat: Seat) -> Future<'_, Option<Reply>> {
        Box::pin(self.handle.ask(Request::Crashed { id, seat }))
    }

    fn open(&self, request: TableRequest) -> Future<'_, Result<Option<Reply>, String>> {
        Box::pin(async move {
            let mut terms = self.requested_terms(&request.options)?;
            if let Some(seats) = request.seats {
                terms.policy.seats = seats;
            }
            let id = request.id.map(Into::into);
            let reserved = request.names.into_iter().map(Into::into).collect();
            let seed = request.seed.map(Seed::from_number);
            let bots_at_once = request.options.contains_key("house_bots");
            let new = hall::NewTable { terms, id, reserved, seed, bots_at_once };
            Ok(self.handle.ask(Request::Open(Box::new(new))).await)
        })
    }

    fn convene(&self, request: TournamentRequest) -> Future<'_, Result<Option<Reply>, String>> {
        Box::pin(async move {
            let new = hall::NewTournament {
                id: request.id.map(Into::into),
                plan: request.plan,
                terms: tournament_terms::<G>(&self.options, &request.options)?,
                no_show_ms: request.no_show_s.map_or(NO_SHOW_MS, |s| s.saturating_mul(1000)),
                starts_when_full: request.starts_when_full.unwrap_or(request.entrants.is_empty()),
                open: request.open.unwrap_or(request.entrants.is_empty()),
                entrants: request.entrants.into_iter().map(Into::into).collect(),
            };
            Ok(self.handle.ask(Request::Convene(Box::new(new))).await)
        })
    }

    fn order(&self, id: Name, order: Order) -> Future<'_, Option<Reply>> {
        Box::pin(self.handle.ask(Request::Order { id, order }))
    }

    fn play(
        &self,
        dialect: Option<String>,
        socket: WebSocket,
        admission: Arc<Admission>,
    ) -> Future<'_, ()> {
        let known = G::dialects();
        let chosen = known.iter().find(|d| Some(d.name) == dialect.as_deref()).unwrap_or(&known[0]);
        let session = (chosen.session)(&self.terms);
        let limits = MessageLimits {
            first_ms: chosen.first_message_ms,
            max_bytes: chosen.framing.max_message(),
        };
        let visit = Visit { socket, dialect: chosen.name, session, limits, admission };
        Box::pin(self.handle.send(HallMessage::Came(Box::new(visit))))
    }

    fn play_house(
        &self,
        organiser: bool,
        socket: WebSocket,
        admission: Arc<Admission>,
    ) -> Future<'_, ()> {
        let options = self.options.clone();
        let session = Box::new(HouseSession::<G>::new(Arc::new(options), &self.terms, organiser));
        let limits = MessageLimits { first_ms: None, max_bytes: house::MAX_MESSAGE };
        let visit = Visit { socket, dialect: hall::HOUSE_WIRE, session, limits, admission };
        Box::pin(self.handle.send(HallMessage::Came(Box::new(visit))))
    }

    fn watch(&self, watch: Watch, socket: WebSocket, admission: Arc<Admission>) -> Future<'_, ()> {
        let session = Box::new(Observer::<G>::new(watch));
        // Observers need not say anything, and are not listened to.
        let limits = MessageLimits { first_ms: None, max_bytes: 1024 };
        let visit = Visit { socket, dialect: "watch", session, limits, admission };
        Box::pin(self.handle.send(HallMessage::Came(Box::new(visit))))
    }
}
