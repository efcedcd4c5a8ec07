//! Whose name is whose: a name that has a key belongs to whoever shows the key.
//!
//! Everything a connection does under a name passes here first, and nothing else in the hall asks
//! for keys. What is done with a token, or from a seat, was allowed when that was given out.

use rules::{Game, Seat};
use table::{ConnId, Name, Refusal, Role, TournamentNo};
use tournament::TournamentPhase;

use crate::desk::Desk;
use crate::tournaments::{EntrantKey, Entry, TournamentState, Tournaments};
use crate::whereabouts::Visitors;
use crate::{Command, Credential, Hall, KeyHash};

impl<G: Game> Hall<G> {
    /// The connections that play, wait or are known under a name; capitals make no difference.
    pub fn conns_called(&self, name: &str) -> Vec<ConnId> {
        let wanted = |known: &str| known.to_lowercase() == name.to_lowercase();
        let people =
            self.lobby.whereabouts.visitors.people().here().filter(|(known, _)| wanted(known));
        let mut conns: Vec<ConnId> = people.map(|(_, conn)| conn).collect();
        let waiting = self.lobby.waiting().iter().filter(|(known, _)| wanted(known));
        conns.extend(waiting.map(|(_, conn)| conn));
        for (_, live) in self.lobby.whereabouts.tables.iter() {
            let members = live.company().seats.iter().zip(0..);
            for (_, seat) in members
                .filter(|(member, _)| member.as_ref().is_some_and(|member| wanted(&member.name)))
            {
                conns.extend(live.conns_of(Seat(seat)));
            }
        }
        conns
    }

    /// The connections that have shown this key.
    pub fn conns_with(&self, key: &KeyHash) -> Vec<ConnId> {
        self.lobby.whereabouts.visitors.with_key(key)
    }
}

/// A connection that would do something under a name.
pub(crate) struct Claimant<'a, G: Game> {
    conn: ConnId,
    visitors: &'a Visitors,
    tournaments: &'a Tournaments<G>,
    desk: &'a Desk<G>,
}

impl<'a, G: Game> Claimant<'a, G> {
    pub fn new(
        conn: ConnId,
        visitors: &'a Visitors,
        tournaments: &'a Tournaments<G>,
        desk: &'a Desk<G>,
    ) -> Claimant<'a, G> {
        Claimant { conn, visitors, tournaments, desk }
    }

    /// Whether it may say this, as far as names go.
    pub fn may_say(&self, command: &Command<G>) -> Result<(), Refusal> {
        match command {
            Command::Enter { name }
            | Command::Open { name, .. }
            | Command::Join { name, role: Role::Player, .. }
            | Command::Resume(Credential::Name(name)) => {
                let kept = self.desk.premises.kept(name).filter(|kept| !kept.bot);
                self.may_go_by(name, kept.map(|kept| kept.tournament))
            }
            Command::Enrol { tournament, name } => {
                let no = self.tournaments.called(tournament);
                self.may_go_by(name, no)?;
                self.may_come(name, no)
            }
            _ => Ok(()),
        }
    }

    fn tournament(&self, no: Option<TournamentNo>) -> Option<&'a TournamentState<G>> {
        Some(&self.tournaments.get(no?)?.state)
    }

    /// Whether it has shown the key of this name; none: nobody has claimed it.
    fn has_house_key(&self, name: &str) -> Option<bool> {
        let claimed = self.desk.premises.claimed(name)?;
        Some(self.visitors.has_shown(self.conn, &claimed.key))
    }

    /// Whether it may go by this name, to which a tournament may have a say.
    fn may_go_by(&self, name: &Name, tournament: Option<TournamentNo>) -> Result<(), Refusal> {
        let (bans, now) = (&self.desk.premises.register().bans, self.desk.now);
        if bans.of_name(name, now).is_some() {
            return Err(Refusal::BannedName(name.clone()));
        }
        if self.visitors.shown(self.conn).is_some_and(|key| bans.of_key(key, now).is_some()) {
            return Err(Refusal::BannedKey);
        }
        let needs_key = || Refusal::NeedsKey(name.clone());
        let state = self.tournament(tournament);
        let state = state.filter(|state| !state.convened.open_names && !state.closed);
        if let Some((state, entrant)) = state.and_then(|s| Some((s, s.entrant_called(name)?))) {
            return match state.keys.get(&*entrant.name) {
                Some(EntrantKey::Own(key)) if self.visitors.has_shown(self.conn, key) => Ok(()),
                Some(EntrantKey::House) if self.has_house_key(&entrant.name) == Some(true) => {
                    Ok(())
                }
                Some(_) => Err(needs_key()),
                // A house bot has no key and no player.
                None if entrant.bot.is_some() => Ok(()),
                // It came as a guest, and has the token that it was given then.
                None if state.tournament.phase() == TournamentPhase::Entering => {
                    Err(Refusal::NameTaken(name.clone()))
                }
                None => Err(Refusal::AlreadyStarted),
            };
        }
        match self.has_house_key(name) {
            None | Some(true) => Ok(()),
            Some(false) => Err(needs_key()),
        }
    }

    /// Whether a tournament takes newcomers of this name.
    fn may_come(&self, name: &Name, no: Option<TournamentNo>) -> Result<(), Refusal> {
        let Some(state) = self.tournament(no) else { return Ok(()) };
        let is_new = state.entrant_called(name).is_none();
        let claimed = self.desk.premises.claimed(name).is_some();
        if is_new && state.convened.entry == Entry::Claimed && !claimed {
            let why = "only claimed names may enter here: claim yours, then say it with its key";
            return Err(Refusal::BadTable(why.to_owned()));
        }
        Ok(())
    }
}
