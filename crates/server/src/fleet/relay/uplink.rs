//! A gateway's link to an owner, which is made again whenever it breaks.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use hall::Time;
use tokio::io::BufReader;
use tokio::sync::mpsc;
use tokio::time::sleep;
use wire::AnyGame;

use super::super::Fleet;
use super::super::link::{self, Attentive, FromOwner, LONGEST, Outgoing, SILENCE};
use crate::house::{Complaints, clock};

/// A link that breaks is tried again after so long.
const AGAIN: Duration = Duration::from_millis(100);

/// Who has ended a link in order.
enum Closed {
    ByUs,
    ByOwner,
}

/// What happens to a link.
pub enum FromLink {
    Up(Outgoing),
    /// The owner was heard until then.
    Down(Time),
    Said(FromOwner),
}

/// What goes wrong with links. Each kind is said at once, and then once a minute with how often it was so.
#[derive(Debug, Default)]
pub struct Troubles(RefCell<HashMap<io::ErrorKind, Complaints>>);

impl Troubles {
    /// How often it was so since it was last said, if it is to be said now.
    fn hear(&self, error: &io::Error, now: Time) -> Option<u64> {
        self.0.borrow_mut().entry(error.kind()).or_default().hear(now)
    }
}

/// Keeps a link to an owner for as long as somebody listens.
pub async fn keep_link(
    game: &'static dyn AnyGame,
    fleet: Fleet,
    (address, node): (SocketAddr, u32),
    up: mpsc::Sender<FromLink>,
    troubles: Rc<Troubles>,
) {
    loop {
        let mut heard = clock::now();
        match serve_link(game, &fleet, address, node, &up).await {
            Ok(Closed::ByUs) => return,
            Ok(Closed::ByOwner) => heard = clock::now(),
            Err(error) => {
                fleet.owners.doubt(address);
                heard = heard.max(last_sign_of_life(&error, clock::now()));
                if let Some(times) = troubles.hear(&error, clock::now()) {
                    let game = game.name();
                    tracing::warn!(game, %address, %error, times, "the link to the game's node is down");
                }
            }
        }
        if up.send(FromLink::Down(heard)).await.is_err() {
            return;
        }
        sleep(AGAIN).await;
    }
}

/// When an owner was last there whose link has ended like this. Who is silent was so for a while before that
/// was noticed.
fn last_sign_of_life(error: &io::Error, now: Time) -> Time {
    let silent = if error.kind() == io::ErrorKind::TimedOut { SILENCE } else { Duration::ZERO };
    Time(now.0.saturating_sub(silent.as_millis() as u64))
}

async fn serve_link(
    game: &'static dyn AnyGame,
    fleet: &Fleet,
    address: SocketAddr,
    node: u32,
    up: &mpsc::Sender<FromLink>,
) -> io::Result<Closed> {
    let socket = fleet.connect(address, game.name(), node).await?;
    let (reader, writer) = tokio::io::split(socket);
    let outgoing = Outgoing::default();
    let gone = || io::Error::other("nobody listens");
    up.send(FromLink::Up(outgoing.clone())).await.map_err(|_| gone())?;
    let hear = async {
        let reader = Attentive::new(reader, outgoing.clone());
        let (mut reader, mut room) = (BufReader::new(reader), Vec::new());
        while let Some(said) =
            link::read_of_game(game.rules(), &mut reader, &mut room, LONGEST).await?
        {
            outgoing.answered();
            if let FromOwner::Attached { .. } = said {
                reader.get_mut().expect_life();
            }
            up.send(FromLink::Said(said)).await.map_err(|_| gone())?;
        }
        Ok(Closed::ByOwner)
    };
    tokio::select! {
        heard = hear => heard,
        written = outgoing.clone().write_gathered(writer) => written.map(|()| Closed::ByUs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten lines a second hid why a game stood still.
    #[test]
    fn a_link_that_stays_down_is_said_at_once_and_then_once_a_minute() {
        let troubles = Troubles::default();
        let (refused, silent) =
            (io::ErrorKind::ConnectionRefused.into(), io::ErrorKind::TimedOut.into());
        let tries = (0..1200).map(|number| Time(1_000_000 + number * 100));
        let said: Vec<u64> = tries.filter_map(|now| troubles.hear(&refused, now)).collect();
        assert_eq!(said, [1, 600]);
        assert_eq!(troubles.hear(&silent, Time(1_120_000)), Some(1), "something else is wrong");
    }
}
