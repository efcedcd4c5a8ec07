//! Doubts: a player joins under the name of a player in a game. The old connection may be dead
//! without the server knowing, for example after a network failure; then the seat is theirs.
//!
//! A client with the name's key takes the seat over at once. Otherwise the server asks the old
//! connection whether it is alive, and the newcomer waits for the result, for three seconds at
//! most. A thinking bot may not answer either, so an old connection at another address than the
//! newcomer's counts as alive: no player loses a seat to a stranger who knows their name.

use rules::Seat;
use table::{ConnId, Dismissal, Name, TableNo, Time};

use super::Lobby;
use crate::desk::Desk;
use crate::{Answer, Event};

/// Silence after which an old connection counts as dead.
const PATIENCE_MS: u64 = 3000;

#[derive(Debug, Default)]
pub(crate) struct Doubts(Vec<Doubt>);

/// A client that joins under a name.
#[derive(Debug)]
pub(crate) struct Newcomer {
    pub conn: ConnId,
    /// The name, and how it will have joined.
    pub named: (Name, Option<Name>),
    /// A tournament keeps the name for one connection.
    pub entrant: bool,
}

/// A newcomer who waits to learn whether another connection is alive.
#[derive(Debug)]
struct Doubt {
    newcomer: Newcomer,
    /// The seat and its connection. `None`: an earlier owner of the hall knew it.
    rival: Option<(TableNo, Seat, ConnId)>,
    /// The rival is alive.
    settled: bool,
    until: Time,
}

impl Doubts {
    fn of(&self, conn: ConnId) -> Option<&Newcomer> {
        self.0.iter().map(|doubt| &doubt.newcomer).find(|newcomer| newcomer.conn == conn)
    }

    pub fn has(&self, conn: ConnId) -> bool {
        self.of(conn).is_some()
    }

    /// Under which name a conn waits, and how it will have joined.
    pub fn awaits(&self, conn: ConnId) -> Option<(Name, Option<Name>)> {
        self.of(conn).map(|newcomer| newcomer.named.clone())
    }

    /// The connections that are asked whether they are alive.
    pub fn rivals(&self) -> impl Iterator<Item = ConnId> {
        self.0.iter().filter_map(|doubt| doubt.rival.map(|(.., rival)| rival))
    }

    /// A newcomer waits no more. Whether it did.
    pub fn leave(&mut self, conn: ConnId) -> bool {
        let before = self.0.len();
        self.0.retain(|doubt| doubt.newcomer.conn != conn);
        self.0.len() < before
    }

    /// A newcomer waits as it did with an earlier owner of the hall.
    pub fn take_up(&mut self, now: Time, newcomer: Newcomer) {
        let (rival, settled, until) = (None, false, now + PATIENCE_MS);
        self.0.push(Doubt { newcomer, rival, settled, until });
    }

    pub fn deadline(&self) -> Option<Time> {
        self.0.iter().map(|doubt| doubt.until).min()
    }

    pub fn give_back(&mut self, ms: u64) {
        self.0.iter_mut().for_each(|doubt| doubt.until = doubt.until + ms);
    }
}

impl Lobby {
    /// Whether the seat a newcomer wants belongs to a player who may be gone. Then the newcomer has
    /// its answer. `owned`: it has shown the key of the name. `address`: its address, if known.
    pub fn doubt(
        &mut self,
        desk: &mut Desk,
        newcomer: Newcomer,
        owned: bool,
        address: Option<Name>,
    ) -> bool {
        let conn = newcomer.conn;
        if self.may_sit(desk, conn).is_err() {
            return false;
        }
        let found = self.search(desk).rival(&newcomer.named.0, owned);
        let Some((no, seat, rival)) = found else { return false };
        if owned {
            self.take_back(desk, conn, (no, seat), true);
            return true;
        }
        self.whereabouts.unbind(desk, conn);
        desk.answer(conn, Answer::Awaited);
        desk.tell(rival, Event::Doubted(address));
        let (rival, until) = (Some((no, seat, rival)), desk.now + PATIENCE_MS);
        self.doubts.0.push(Doubt { newcomer, rival, settled: false, until });
        true
    }

    /// A conn has said something, so it is alive.
    pub fn is_alive(&mut self, conn: ConnId) {
        let doubts = self
            .doubts
            .0
            .iter_mut()
            .filter(|doubt| doubt.rival.is_some_and(|(.., rival)| rival == conn));
        doubts.for_each(|doubt| doubt.settled = true);
    }

    /// Seats newcomers whose doubts are resolved.
    pub fn settle_doubts(&mut self, desk: &mut Desk) {
        for Doubt { newcomer, rival, settled, until } in std::mem::take(&mut self.doubts.0) {
            let rival = match rival {
                Some(known) => Some(known).filter(|(no, seat, rival)| {
                    let live = self.whereabouts.tables.get(*no);
                    live.is_some_and(|live| live.conns_of(*seat).contains(rival))
                }),
                // The earlier owner has asked it, and what that said is never lost.
                None => self.search(desk).rival(&newcomer.named.0, false),
            };
            let conn = newcomer.conn;
            match rival {
                Some(_) if settled && newcomer.entrant => {
                    let reason = "another connection plays under this name".to_owned();
                    desk.tell(conn, Event::Dismissed(Dismissal::TableClosed(reason)));
                }
                Some((no, seat, _)) if !settled && until <= desk.now => {
                    self.take_back(desk, conn, (no, seat), false);
                }
                Some(_) if !settled => {
                    self.doubts.0.push(Doubt { newcomer, rival, settled, until });
                }
                _ => {
                    let (name, joined_via) = newcomer.named;
                    self.seat_anywhere(desk, conn, name, joined_via);
                }
            }
        }
    }
}
