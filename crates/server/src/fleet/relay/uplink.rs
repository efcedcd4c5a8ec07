//! A gateway's link to an owner, which is made again whenever it breaks.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::BufReader;
use tokio::sync::mpsc;
use tokio::time::sleep;
use wire::Playable;

use super::super::Fleet;
use super::super::link::{self, FromOwner, LONGEST, Outgoing};

/// A link that breaks is tried again after so long.
const AGAIN: Duration = Duration::from_millis(100);

/// Who has ended a link in order.
enum Closed {
    ByUs,
    ByOwner,
}

/// What happens to a link.
pub enum FromLink<G: Playable> {
    Up(Outgoing),
    Down,
    Said(FromOwner<G>),
}

/// Keeps a link to an owner for as long as somebody listens.
pub async fn keep_link<G: Playable>(
    fleet: Fleet,
    address: SocketAddr,
    node: u32,
    up: mpsc::Sender<FromLink<G>>,
) {
    loop {
        match serve_link(&fleet, address, node, &up).await {
            Ok(Closed::ByUs) => return,
            Ok(Closed::ByOwner) => {}
            Err(error) => {
                tracing::warn!(game = G::NAME, %address, %error, "the link to the game's node is down");
            }
        }
        if up.send(FromLink::Down).await.is_err() {
            return;
        }
        sleep(AGAIN).await;
    }
}

async fn serve_link<G: Playable>(
    fleet: &Fleet,
    address: SocketAddr,
    node: u32,
    up: &mpsc::Sender<FromLink<G>>,
) -> io::Result<Closed> {
    let socket = fleet.connect(address, G::NAME, node).await?;
    let (reader, writer) = socket.into_split();
    let outgoing = Outgoing::default();
    let gone = || io::Error::other("nobody listens");
    up.send(FromLink::Up(outgoing.clone())).await.map_err(|_| gone())?;
    let hear = async {
        let (mut reader, mut room) = (BufReader::new(reader), Vec::new());
        while let Some(said) = link::read(&mut reader, &mut room, LONGEST).await? {
            outgoing.answered();
            up.send(FromLink::Said(said)).await.map_err(|_| gone())?;
        }
        Ok(Closed::ByOwner)
    };
    tokio::select! {
        heard = hear => heard,
        written = outgoing.clone().write_gathered(writer) => written.map(|()| Closed::ByUs),
    }
}
