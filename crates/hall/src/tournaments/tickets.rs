//! The tokens that entrants hold, and their purpose: reconnecting to a place, or sitting down to a
//! game.

use std::collections::BTreeMap;

use table::{Name, TokenHash, TournamentNo};

use super::{TournamentRecord, TournamentState};

#[derive(Debug, Default)]
pub(super) struct Tickets {
    /// The tokens with which entrants reconnect, including replaced ones.
    claims: BTreeMap<TokenHash, (TournamentNo, Name)>,
    invitations: BTreeMap<TokenHash, TournamentNo>,
}

impl Tickets {
    /// Those of a whole tournament.
    pub fn take_up(&mut self, no: TournamentNo, state: &TournamentState) {
        let claims = state.claims.iter();
        self.claims.extend(claims.map(|(entrant, token)| (token.clone(), (no, entrant.clone()))));
        self.invitations.extend(state.invitations.keys().map(|token| (token.clone(), no)));
    }

    /// The one that a record gives out, if it does.
    pub fn note(&mut self, no: TournamentNo, record: &TournamentRecord) {
        match record {
            TournamentRecord::Claimed { entrant, token } => {
                self.claims.insert(token.clone(), (no, entrant.clone()));
            }
            TournamentRecord::Invited { token, .. } => {
                self.invitations.insert(token.clone(), no);
            }
            _ => {}
        }
    }

    /// A token is for no place any more.
    pub fn void_claim(&mut self, token: &TokenHash) {
        self.claims.remove(token);
    }

    /// Invitations that a tournament has forgotten are for nothing.
    pub fn void_invitations(&mut self, no: TournamentNo, state: &TournamentState) {
        let known = &state.invitations;
        self.invitations.retain(|token, of| *of != no || known.contains_key(token));
    }

    pub fn forget(&mut self, no: TournamentNo) {
        self.claims.retain(|_, (of, _)| *of != no);
        self.invitations.retain(|_, of| *of != no);
    }

    /// The place that a token is or was for.
    pub fn place(&self, token: &TokenHash) -> Option<&(TournamentNo, Name)> {
        self.claims.get(token)
    }

    /// The tournament to whose game a token invites.
    pub fn invites_to(&self, token: &TokenHash) -> Option<TournamentNo> {
        self.invitations.get(token).copied()
    }
}
