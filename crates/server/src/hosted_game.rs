//! A hosted game: the way into its hall, and everything its connections share.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::ws::WebSocket;
use hall::{
    Eyes, KeyHash, Name, Order, Reply, Request, Status, TableInfo, TableNo, Terms, TournamentCard,
    TournamentNo, frames_so_far,
};
use rules::{Grade, Seat, Seed};
use serde_json::{Map, Value};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tournament::TournamentPhase;
use wire::house::{self, HouseSession};
use wire::{
    Account, AnyGame, Dialect, Framing, GameOf, Observer, Playable, Records, Watch, overlay,
    tournament_terms,
};

use crate::byte_socket::ByteSocket;
use crate::directory::{Directory, TournamentText};
use crate::door::Door;
use crate::fleet::LinkSocket;
use crate::gate::Admission;
use crate::hosting::{HallHandle, HallMessage};
use crate::limits::Limits;
use crate::metrics::GameMetrics;
use crate::requests::{TableRequest, TournamentRequest};
use crate::tls::TlsStream;
use crate::troubles::{Trouble, Troubles};
use crate::visit::{Vehicle, Visit};
use crate::websocket::MessageLimits;
use crate::wires::Wires;

pub struct HostedGame<G: Playable> {
    pub handle: HallHandle<G>,
    pub options: G::Options,
    pub terms: Terms<G>,
    /// Which start of which server this is: what its connections did is written down under it.
    pub node: u32,
    pub limits: Limits,
    pub metrics: GameMetrics,
    /// Cancelled when connections must end.
    pub closing: CancellationToken,
    pub trace_folder: Option<PathBuf>,
    /// What names' own connections say, for whoever has their keys.
    pub wires: Arc<Wires>,
    /// What went wrong last for each player.
    pub troubles: Arc<Troubles>,
    /// What everybody may read of it.
    pub directory: Arc<Directory<G>>,
    pub door: Arc<Door>,
}

/// So long entrants may take to come to a game: clients give up after a minute of silence.
const NO_SHOW_MS: u64 = 25_000;

impl<G: Playable> HostedGame<G> {
    /// A protocol by the name of its port; the usual one if there is none of this name.
    fn dialect(&self, name: Option<&str>) -> &'static Dialect<G> {
        let known = G::dialects();
        known.iter().find(|dialect| Some(dialect.name) == name).unwrap_or(&known[0])
    }

    /// Plays by a protocol, from now until it ends.
    async fn visit(
        &self,
        dialect: &'static Dialect<G>,
        vehicle: Vehicle,
        key: Option<KeyHash>,
        admission: Arc<Admission>,
    ) {
        let session = (dialect.session)(&self.terms);
        let limits = MessageLimits {
            first_ms: dialect.first_message_ms,
            max_bytes: dialect.framing.max_message(),
        };
        let visit = Visit { vehicle, dialect: dialect.name, session, key, limits, admission };
        self.handle.send(HallMessage::Came(Box::new(visit))).await;
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

    /// The game itself, whatever its type.
    fn any_game(&self) -> Box<dyn AnyGame>;

    /// A gateway of the fleet has come to the hall.
    fn link(&self, link: LinkSocket) -> Future<'_, ()>;

    fn bots(&self) -> Vec<(&'static str, &'static str, Grade)>;

    fn options(&self) -> Value;

    /// A finished game as somebody with these eyes would have been told it, as JSON Lines.
    fn frames(&self, records: Records<'_>, eyes: Eyes) -> Result<String, String>;

    /// The same of a game that is not over, up to now. None: it is over, or unknown.
    fn frames_so_far(&self, id: &str, eyes: Eyes) -> Option<Result<String, String>>;

    /// A finished game, seat by seat.
    fn account(&self, records: Records<'_>) -> Result<Account, String>;

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

    /// Whether somebody is called so at a table or in a tournament that is not over.
    fn is_in_use(&self, name: &str) -> bool;

    /// Who has this key of its own in a tournament that is not over.
    fn entrant_with(&self, key: &KeyHash) -> Option<Name>;

    /// What went wrong last for each player of a tournament. None: it is not remembered.
    fn troubles(&self, id: &str) -> Option<Vec<(Name, Trouble)>>;

    /// Whether this means something else than a name in the game's protocols.
    fn is_nobodys(&self, name: &str) -> bool;

    fn tournament_card(&self, id: &str) -> Option<TournamentCard>;

    /// Whether a tournament has games to play.
    fn is_under_way(&self, no: TournamentNo) -> bool;

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

    /// Plays over a WebSocket that carries bytes, as on a port of the protocol's own.
    fn play_bytes(
        &self,
        dialect: Option<String>,
        key: Option<KeyHash>,
        socket: WebSocket,
        admission: Arc<Admission>,
    ) -> Future<'_, ()>;

    /// Plays over a WebSocket, from now until it ends.
    fn play(
        &self,
        dialect: Option<String>,
        key: Option<KeyHash>,
        socket: WebSocket,
        admission: Arc<Admission>,
    ) -> Future<'_, ()>;

    /// Whether a protocol of the game is carried by WebSocket frames on its own port, too.
    fn is_websocket(&self, dialect: &str) -> bool;

    /// Plays by a protocol of lines over TLS, from now until it ends.
    fn play_secured(
        &self,
        dialect: &'static str,
        stream: TlsStream,
        admission: Arc<Admission>,
    ) -> Future<'_, ()>;

    /// Speaks the house wire, from now until it ends. An organiser sees everything of what it
    /// watches.
    fn play_house(
        &self,
        organiser: bool,
        key: Option<KeyHash>,
        vehicle: Vehicle,
        admission: Arc<Admission>,
    ) -> Future<'_, ()>;

    /// Watches over a WebSocket, from now until it ends.
    fn watch(&self, watch: Watch, socket: WebSocket, admission: Arc<Admission>) -> Future<'_, ()>;
}

impl<G: Playable> AnyHostedGame for HostedGame<G> {
    fn link(&self, link: LinkSocket) -> Future<'_, ()> {
        Box::pin(self.handle.send(HallMessage::Linked(Box::new(link))))
    }

    fn game(&self) -> &'static str {
        G::NAME
    }

    fn any_game(&self) -> Box<dyn AnyGame> {
        Box::new(GameOf::<G>::new())
    }

    fn bots(&self) -> Vec<(&'static str, &'static str, Grade)> {
        G::bots().iter().map(|kind| (kind.name, kind.about, kind.grade)).collect()
    }

    fn options(&self) -> Value {
        serde_json::to_value(&self.options).expect("options are plain data")
    }

    fn frames(&self, records: Records<'_>, eyes: Eyes) -> Result<String, String> {
        GameOf::<G>::new().frames(records, eyes)
    }

    fn frames_so_far(&self, id: &str, eyes: Eyes) -> Option<Result<String, String>> {
        let (info, recorded) = self.directory.open_table(id)?;
        Some(frames_so_far(&info, &recorded, eyes).map(|frames| wire::json_lines(&frames)))
    }

    fn account(&self, records: Records<'_>) -> Result<Account, String> {
        GameOf::<G>::new().account(records)
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

    fn is_in_use(&self, name: &str) -> bool {
        self.directory.read(|lists| lists.is_in_use(name))
    }

    fn entrant_with(&self, key: &KeyHash) -> Option<Name> {
        self.directory.read(|lists| lists.entrant_with(key).cloned())
    }

    fn troubles(&self, id: &str) -> Option<Vec<(Name, Trouble)>> {
        let names = self.directory.read(|lists| lists.names_at_tables(id))?;
        let known = |(name, at_table): (Name, Name)| {
            let trouble = self.troubles.of(&at_table).or_else(|| self.troubles.of(&name));
            trouble.map(|trouble| (name, trouble))
        };
        Some(names.into_iter().filter_map(known).collect())
    }

    fn is_nobodys(&self, name: &str) -> bool {
        G::is_nobodys(name)
    }

    fn tournament_card(&self, id: &str) -> Option<TournamentCard> {
        self.directory.read(|lists| lists.tournament_card(id))
    }

    fn is_under_way(&self, no: TournamentNo) -> bool {
        // The one after the number before it is this one, or a later one.
        self.directory.read(|lists| {
            let mut from = lists.tournaments(TournamentNo(no.0.saturating_sub(1)));
            from.next().is_some_and(|(found, state)| found == no && !state.is_over())
        })
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
            // A ladder is open, and for claimed names alone.
            let is_ladder = matches!(request.plan.format, tournament::Format::Ladder { .. });
            let entry = if is_ladder { hall::Entry::Claimed } else { request.entry.into() };
            let new = hall::NewTournament {
                id: request.id.map(Into::into),
                plan: request.plan,
                terms: tournament_terms::<G>(&self.options, &request.options)?,
                no_show_ms: request.no_show_s.map_or(NO_SHOW_MS, |s| s.saturating_mul(1000)),
                starts_when_full: request
                    .starts_when_full
                    .unwrap_or(request.entrants.is_empty() && !is_ladder),
                open: request.open.unwrap_or(request.entrants.is_empty() || is_ladder),
                open_names: request.open_names,
                entry,
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
        key: Option<KeyHash>,
        socket: WebSocket,
        admission: Arc<Admission>,
    ) -> Future<'_, ()> {
        let chosen = self.dialect(dialect.as_deref());
        Box::pin(self.visit(chosen, Vehicle::WebSocket(socket), key, admission))
    }

    fn play_bytes(
        &self,
        dialect: Option<String>,
        key: Option<KeyHash>,
        socket: WebSocket,
        admission: Arc<Admission>,
    ) -> Future<'_, ()> {
        let chosen = self.dialect(dialect.as_deref());
        let vehicle = Vehicle::Bytes(ByteSocket::new(socket), chosen.framing.framer());
        Box::pin(self.visit(chosen, vehicle, key, admission))
    }

    fn is_websocket(&self, dialect: &str) -> bool {
        matches!(self.dialect(Some(dialect)).framing, Framing::WebSocket { .. })
    }

    fn play_secured(
        &self,
        dialect: &'static str,
        stream: TlsStream,
        admission: Arc<Admission>,
    ) -> Future<'_, ()> {
        let chosen = self.dialect(Some(dialect));
        let vehicle = Vehicle::Secured(stream, chosen.framing.framer());
        Box::pin(self.visit(chosen, vehicle, None, admission))
    }

    fn play_house(
        &self,
        organiser: bool,
        key: Option<KeyHash>,
        vehicle: Vehicle,
        admission: Arc<Admission>,
    ) -> Future<'_, ()> {
        let options = self.options.clone();
        let session = Box::new(HouseSession::<G>::new(Arc::new(options), &self.terms, organiser));
        let limits = MessageLimits { first_ms: None, max_bytes: house::MAX_MESSAGE };
        let visit = Visit { vehicle, dialect: hall::HOUSE_WIRE, session, key, limits, admission };
        Box::pin(self.handle.send(HallMessage::Came(Box::new(visit))))
    }

    fn watch(&self, watch: Watch, socket: WebSocket, admission: Arc<Admission>) -> Future<'_, ()> {
        let session = Box::new(Observer::<G>::new(watch));
        // Observers need not say anything, and are not listened to.
        let limits = MessageLimits { first_ms: None, max_bytes: 1024 };
        let visit = Visit {
            vehicle: Vehicle::WebSocket(socket),
            dialect: "watch",
            session,
            key: None,
            limits,
            admission,
        };
        Box::pin(self.handle.send(HallMessage::Came(Box::new(visit))))
    }
}
