//! Those who take part: what they are like, what they know, and what they say next.

use rules::{Dice, Exit};

use super::{EntrantId, Fire};
use hall::{Command, ConnId, Credential, Input, Name, Names, Phase, Policy, Role, Start};

/// A potential entrant, over any number of connections.
#[derive(Debug)]
pub struct Guest {
    pub name: Name,
    /// Takes part under a token; others by their name.
    pub enrols: bool,
    /// One in this many steps is out of place.
    strays: usize,
    /// Number of steps out of eight in which it does nothing.
    lazy: usize,
    pub conn: Option<ConnId>,
    /// The token it rejoins its tournament with.
    pub claim: Option<String>,
    /// The token for its next game, and the entrant it belongs to.
    pub invitation: Option<(String, EntrantId)>,
    /// Every secret it ever received.
    pub tokens: Vec<String>,
}

/// One connection, as its guest knows it.
#[derive(Debug, Default)]
pub struct Caller {
    pub guest: usize,
    /// The name it has in the hall.
    pub entered: Option<Name>,
    /// Waits for its table to be due.
    pub waits: bool,
    /// The place it speaks for.
    pub place: Option<EntrantId>,
    pub seat: Option<(Name, rules::Seat)>,
    pub watches: bool,
    /// Its game is over.
    pub over: bool,
    /// A newer connection has its seat: it hangs up next.
    pub replaced: bool,
}

impl Caller {
    /// From what it watches, from where it sits, or from where it waits.
    pub fn go(&mut self) {
        match (self.watches, &self.seat) {
            (true, _) => self.watches = false,
            (false, Some(_)) => self.seat = None,
            (false, None) => self.waits = false,
        }
    }

    /// Neither sits, watches nor waits.
    pub fn is_nowhere(&self) -> bool {
        !self.watches && self.seat.is_none() && !self.waits
    }

    pub fn is_in(&self, tournament: &Name) -> bool {
        self.place.as_ref().is_some_and(|(id, _)| id == tournament)
    }
}

impl Guest {
    pub fn new(number: usize, policy: &Policy, dice: &mut Dice) -> Guest {
        Guest {
            name: format!("g{number}").into(),
            // Where names are unique in the hall there are no tokens.
            enrols: policy.names != Names::UniqueInHall && dice.one_in(2),
            strays: *dice.pick(&[3, 12, 40, 1000, 1000]),
            lazy: *dice.pick(&[0, 0, 2, 5, 8]),
            conn: None,
            claim: None,
            invitation: None,
            tokens: Vec::new(),
        }
    }
}

impl Fire {
    /// Lets a guest do something, if it likes.
    pub(super) fn attend_to(&mut self, guest: usize) {
        let Guest { strays, lazy, conn, .. } = self.guests[guest];
        if self.dice.below(8) < lazy {
            return;
        }
        let Some(conn) = conn else { return self.come(guest) };
        if self.callers[&conn].replaced {
            return self.input(Input::Gone(conn));
        }
        let command = if self.dice.one_in(strays) {
            match self.dice.below(4) {
                0 => return self.input(Input::Gone(conn)),
                // A second connection in addition to the first.
                1 => return self.come(guest),
                _ => Some(self.stray(guest)),
            }
        } else {
            self.proper(guest, conn)
        };
        if let Some(command) = command {
            self.input(Input::Said(conn, command));
        }
    }

    /// Connects. A connection that it has already stays, and is forgotten by its guest.
    fn come(&mut self, guest: usize) {
        let conn = ConnId(self.next_conn);
        self.next_conn += 1;
        self.guests[guest].conn = Some(conn);
        self.callers.insert(conn, Caller { guest, ..Caller::default() });
        let secrets = &self.guests[guest];
        let command = match (&secrets.claim, &secrets.invitation) {
            (_, Some((token, _))) if self.dice.one_in(3) => {
                Command::Attend { token: token.clone(), joined_via: None }
            }
            (Some(_), _) if self.dice.one_in(3) => {
                // Perhaps that of its seat.
                let token = secrets.tokens.last().expect("it has one").clone();
                Command::Resume(Credential::Token(token))
            }
            (Some(claim), _) => Command::Resume(Credential::Token(claim.clone())),
            (None, _) => return,
        };
        self.input(Input::Said(conn, command));
    }

    /// The sensible next step for this guest; `None` if it has to wait.
    fn proper(&mut self, guest: usize, conn: ConnId) -> Option<Command> {
        let Guest { name, enrols, claim, invitation, .. } = &self.guests[guest];
        let (name, enrols) = (name.clone(), *enrols);
        let caller = &self.callers[&conn];
        let unique_in_hall = self.terms.policy.names == Names::UniqueInHall;
        if unique_in_hall && caller.entered.is_none() && !enrols {
            let again = self.dice.one_in(2);
            return Some(match again {
                true => Command::Resume(Credential::Name(name)),
                false => Command::Enter { name },
            });
        }
        if let Some((id, seat)) = caller.seat.clone().filter(|_| !caller.over) {
            return self.play(&id, seat);
        }
        if caller.over && self.dice.one_in(3) {
            return Some(Command::Leave);
        }
        match (enrols, invitation, claim) {
            (true, Some((token, _)), _) => {
                Some(Command::Attend { token: token.clone(), joined_via: None })
            }
            (true, None, Some(claim)) if caller.place.is_none() => {
                Some(Command::Resume(Credential::Token(claim.clone())))
            }
            (true, None, Some(_)) => None,
            (true, None, None) => {
                let tournament =
                    self.any_tournament(|phase| phase == tournament::TournamentPhase::Entering)?;
                Some(Command::Enrol { tournament, name })
            }
            (false, ..) if caller.waits => None,
            (false, ..) => {
                Some(Command::Join { table: None, name, role: Role::Player, joined_via: None })
            }
        }
    }

    fn play(&mut self, id: &Name, seat: rules::Seat) -> Option<Command> {
        let mut tables = self.hall.tables().map(|(_, table)| table);
        let table = tables.find(|table| table.opened().id == *id)?;
        match (table.phase(), table.opened().terms.policy.start) {
            (Phase::Gathering, Start::OnCall { .. }) => Some(Command::Start),
            (Phase::Gathering, _) => Some(Command::Ready),
            (Phase::Playing, _) if table.owed().contains(seat) => {
                let game = table.game().expect("it is played");
                let action = game.sample(seat, &mut self.dice);
                Some(Command::Act { seq: table.seq(), action })
            }
            (Phase::Playing | Phase::Closed, _) => None,
        }
    }

    /// A step that may be out of place, or a lie. No guest knows another's secret.
    fn stray(&mut self, guest: usize) -> Command {
        let name = match self.dice.below(3) {
            0 => self.guests[guest].name.clone(),
            1 => format!("house{}", self.dice.below(4)).into(),
            _ => {
                let other = self.dice.below(self.guests.len());
                self.guests[other].name.clone()
            }
        };
        let secrets = &self.guests[guest].tokens;
        let token = match secrets.is_empty() || self.dice.one_in(4) {
            true => "made up".to_owned(),
            false => self.dice.pick(secrets).clone(),
        };
        let ids: Vec<Name> =
            self.hall.tables().map(|(_, table)| table.opened().id.clone()).collect();
        let table = (!ids.is_empty()).then(|| self.dice.pick(&ids).clone());
        match self.dice.below(16) {
            0..=1 => Command::Leave,
            2 => Command::Part(Exit::Disqualified("shouting".to_owned())),
            3..=5 => Command::Join { table, name, role: Role::Player, joined_via: None },
            6 => Command::Join { table, name, role: Role::Spectator, joined_via: None },
            7 => Command::Join { table: None, name, role: Role::Player, joined_via: None },
            8 => Command::Enter { name },
            9 => Command::Resume(Credential::Name(name)),
            10..=11 => Command::Resume(Credential::Token(token)),
            12 => Command::Attend { token, joined_via: None },
            13..=14 => {
                let tournament = self.any_tournament(|_| true);
                Command::Enrol { tournament: tournament.unwrap_or("nowhere".into()), name }
            }
            _ => Command::Ready,
        }
    }
}
