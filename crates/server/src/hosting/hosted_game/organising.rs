//! What organisers, and other nodes of the fleet, ask of a hosted game.

use hall::{Name, Order, Reply, Request, Terms};
use rules::{Seat, Seed};
use serde_json::{Map, Value};
use wire::{Playable, overlay, tournament_terms};

use super::{Future, HostedGame};
use crate::fleet::LinkSocket;
use crate::hosting::{HallMessage, TableRequest, TournamentRequest};

/// So long entrants may take to come to a game: clients give up after a minute of silence.
const NO_SHOW_MS: u64 = 25_000;

impl<G: Playable> HostedGame<G> {
    /// The terms of a table that differs from the house's in some options.
    fn requested_terms(&self, options: &Map<String, Value>) -> Result<Terms<G>, String> {
        G::terms(&overlay::<G>(&self.options, options)?)
    }
}

/// What is asked of a game, whatever its type.
pub trait OrganiseGame {
    /// A gateway of the fleet has come to the hall.
    fn link(&self, link: LinkSocket) -> Future<'_, ()>;

    fn close(&self, id: Name, reason: String) -> Future<'_, Option<Reply>>;

    fn crashed(&self, id: Name, seat: Seat) -> Future<'_, Option<Reply>>;

    fn open(&self, request: TableRequest) -> Future<'_, Result<Option<Reply>, String>>;

    fn convene(&self, request: TournamentRequest) -> Future<'_, Result<Option<Reply>, String>>;

    fn order(&self, id: Name, order: Order) -> Future<'_, Option<Reply>>;
}

impl<G: Playable> OrganiseGame for HostedGame<G> {
    fn link(&self, link: LinkSocket) -> Future<'_, ()> {
        Box::pin(self.handle.send(HallMessage::Linked(Box::new(link))))
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
}
