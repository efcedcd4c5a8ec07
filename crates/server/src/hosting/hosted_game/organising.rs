//! What organisers, and other nodes of the fleet, ask of a hosted game.

use hall::{Name, Order, Reply, Request};
use rules::{Seat, Seed};

use super::HostedGame;
use crate::fleet::LinkSocket;
use crate::hosting::{HallMessage, TableRequest, TournamentRequest};

/// How long entrants may take to come to a game: clients give up after a minute of silence.
const NO_SHOW_MS: u64 = 25_000;

// What organisers, and other nodes of the fleet, ask.
impl HostedGame {
    /// A gateway of the fleet has come to the hall.
    pub async fn link(&self, link: LinkSocket) {
        self.handle.send(HallMessage::Linked(Box::new(link))).await;
    }

    pub async fn close(&self, id: Name, reason: String) -> Option<Reply> {
        self.handle.ask(Request::Close { id, reason }).await
    }

    pub async fn crashed(&self, id: Name, seat: Seat) -> Option<Reply> {
        self.handle.ask(Request::Crashed { id, seat }).await
    }

    pub async fn open(&self, request: TableRequest) -> Result<Option<Reply>, String> {
        let options = self.game.changed(&self.options, &request.options)?;
        let mut terms = self.game.terms(&options)?;
        if let Some(seats) = request.seats {
            terms.policy.seats = seats;
        }
        let id = request.id.map(Into::into);
        let reserved = request.names.into_iter().map(Into::into).collect();
        let seed = request.seed.map(Seed::from_number);
        let bots_at_once = request.options.contains_key("house_bots");
        let new = hall::NewTable { terms, id, reserved, seed, bots_at_once };
        Ok(self.handle.ask(Request::Open(Box::new(new))).await)
    }

    pub async fn convene(&self, request: TournamentRequest) -> Result<Option<Reply>, String> {
        // A ladder is open, and for claimed names alone.
        let is_ladder = matches!(request.plan.format, tournament::Format::Ladder { .. });
        let entry = if is_ladder { hall::Entry::Claimed } else { request.entry.into() };
        let new = hall::NewTournament {
            id: request.id.map(Into::into),
            plan: request.plan,
            terms: self.game.tournament_terms(&self.options, &request.options)?,
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
    }

    pub async fn order(&self, id: Name, order: Order) -> Option<Reply> {
        self.handle.ask(Request::Order { id, order }).await
    }
}
