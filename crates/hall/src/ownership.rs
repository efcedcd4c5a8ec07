//! Decides who owns a name: a name with a key belongs to the player who shows the key.
//!
//! Everything a connection does under a name is checked here first, and so is every name under
//! which a tournament's entrant is shown; nothing else in the hall asks for keys. Actions with a
//! token, or from a seat, were authorised when that was issued.

use rules::Seat;
use table::{ConnId, Name, Refusal, Role, TournamentNo};
use tournament::TournamentPhase;

use crate::contest::{EntrantKey, Entry, TournamentState};
use crate::desk::Desk;
use crate::tournaments::Tournaments;
use crate::whereabouts::Visitors;
use crate::{Command, Credential, Hall, KeyHash};

impl Hall {
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

    /// The connection that holds the seat or name to which another would reconnect with this
    /// command, where names allow that. `None` if the command isn't allowed.
    pub fn rival_of(&self, conn: ConnId, command: &Command) -> Option<ConnId> {
        let (Command::Join { name, role: Role::Player, .. }
        | Command::Resume(Credential::Name(name))) = command
        else {
            return None;
        };
        let Hall { lobby, tournaments, desk, .. } = self;
        let visitors = &lobby.whereabouts.visitors;
        let rival = match desk.premises.are_names_unique() {
            true => visitors.people().get(name)?.conn?,
            false => lobby.search(desk).rival(name, true)?.2,
        };
        // A client that introduced itself reconnects with a token.
        if rival == conn || visitors.introduction(rival).is_some() {
            return None;
        }
        let is_nobodys = lobby.whereabouts.tables.hooks().is_nobodys;
        let claimant = Claimant::new(conn, visitors, tournaments, desk, is_nobodys);
        claimant.may_say(command).is_ok().then_some(rival)
    }

    /// The connections whose liveness a waiting player needs to know.
    pub fn doubted(&self) -> impl Iterator<Item = ConnId> {
        self.lobby.doubts.rivals()
    }

    /// The connections that have shown this key.
    pub fn conns_with(&self, key: &KeyHash) -> Vec<ConnId> {
        self.lobby.whereabouts.visitors.with_key(key)
    }
}

/// A connection that would do something under a name.
pub(crate) struct Claimant<'a> {
    conn: ConnId,
    visitors: &'a Visitors,
    tournaments: &'a Tournaments,
    desk: &'a Desk,
    is_nobodys: fn(&str) -> bool,
}

impl<'a> Claimant<'a> {
    pub fn new(
        conn: ConnId,
        visitors: &'a Visitors,
        tournaments: &'a Tournaments,
        desk: &'a Desk,
        is_nobodys: fn(&str) -> bool,
    ) -> Claimant<'a> {
        Claimant { conn, visitors, tournaments, desk, is_nobodys }
    }

    /// Whether it may say this, as far as names go.
    pub fn may_say(&self, command: &Command) -> Result<(), Refusal> {
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

    /// Whether it has shown the key of the name that it says this under. Asked when it may say it.
    pub fn has_key_for(&self, command: &Command) -> bool {
        let Command::Join { name, role: Role::Player, .. } = command else { return false };
        let kept = self.desk.premises.kept(name).filter(|kept| !kept.bot);
        let state = self.tournament(kept.map(|kept| kept.tournament));
        let keys = state.filter(|state| !state.convened.open_names && !state.closed);
        let is_keyed = |state: &TournamentState| {
            state.entrant_called(name).is_some_and(|known| state.keys.contains_key(&*known.name))
        };
        keys.is_some_and(is_keyed) || self.has_house_key(name) == Some(true)
    }

    fn tournament(&self, no: Option<TournamentNo>) -> Option<&'a TournamentState> {
        Some(&self.tournaments.get(no?)?.state)
    }

    /// Whether it has shown the key of this name; `None`: the name isn't claimed.
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
        let needs_key = || match self.visitors.shown(self.conn) {
            Some(_) => Refusal::WrongKey(name.clone()),
            None => Refusal::NeedsKey(name.clone()),
        };
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
        let premises = &self.desk.premises;
        match premises.taken_for(name) {
            Some(owner) if self.visitors.has_shown(self.conn, &owner.key) => Ok(()),
            Some(owner) if self.visitors.shown(self.conn).is_some() => {
                Err(Refusal::WrongKey(owner.name.clone()))
            }
            Some(owner) => Err(Refusal::NeedsKey(owner.name.clone())),
            None if premises.requires_key() && !self.has_key_for_nobodys(name) => {
                Err(Refusal::KeyRequired(name.clone()))
            }
            None => Ok(()),
        }
    }

    /// Whether this name can't be claimed, such as a colour, and the connection has shown the key
    /// of any claimed name.
    fn has_key_for_nobodys(&self, name: &str) -> bool {
        let is_somebodys = |key: &KeyHash| self.desk.premises.register().owner(key).is_some();
        (self.is_nobodys)(name) && self.visitors.shown(self.conn).is_some_and(is_somebodys)
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
