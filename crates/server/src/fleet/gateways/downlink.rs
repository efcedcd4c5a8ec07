//! An owner's end of a gateway's link.

use std::io;
use std::time::Duration;

use hall::Input;
use tokio::io::BufReader;
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::oneshot;
use tokio::time::sleep;
use wire::Playable;

use super::super::link::{self, Attach, FromGateway, LONGEST, LinkSocket, Outgoing};
use super::Inherited;
use crate::hosting::{HallMessage, SharedConnections};

/// A gateway whose link is cut is expected back for so long. Then its connections are gone.
const GRACE: Duration = Duration::from_secs(2);

/// A gateway that has said who is there.
pub struct Newcomer {
    pub node: u32,
    pub attach: Attach,
    pub outgoing: Outgoing,
    reader: BufReader<OwnedReadHalf>,
    writer: OwnedWriteHalf,
}

/// Lets a gateway say who is there.
pub async fn receive<G: Playable>(link: LinkSocket) -> io::Result<Newcomer> {
    let (reader, writer) = TcpStream::from_std(link.socket)?.into_split();
    let (mut reader, outgoing) = (BufReader::new(reader), Outgoing::default());
    match link::read(&mut reader, &mut Vec::new(), LONGEST).await? {
        Some(FromGateway::<G>::Attach(attach)) => {
            Ok(Newcomer { node: link.node, attach, outgoing, reader, writer })
        }
        _ => Err(io::Error::other("it did not say who is there")),
    }
}

/// Serves a gateway that has come while the hall is driven.
pub async fn serve_link<G: Playable>(
    connections: SharedConnections<G>,
    link: LinkSocket,
    epoch: u64,
) {
    let node = link.node;
    match receive::<G>(link).await {
        Ok(newcomer) => {
            let link = attach(&connections, &newcomer, epoch, None);
            serve_gateway(connections, newcomer, link).await;
        }
        Err(error) => tracing::warn!(game = G::NAME, node, %error, "a link was lost"),
    }
}

/// Tells a gateway where it stands. The number of its link is for [`serve_gateway`].
pub fn attach<G: Playable>(
    connections: &SharedConnections<G>,
    newcomer: &Newcomer,
    epoch: u64,
    inherited: Option<Inherited<'_>>,
) -> u64 {
    let mut connections = connections.borrow_mut();
    // A new owner's lists come when it has written down what they say.
    let lists = match inherited {
        Some(_) => Vec::new(),
        None => connections.hosted.directory.read(|lists| lists.changes()),
    };
    let (link, gone) = connections.gateways.attach(newcomer, epoch, inherited, lists);
    connections.inputs.extend(gone.into_iter().map(Input::Gone));
    connections.stirred.notify_one();
    link
}

/// Serves a gateway's link until it ends.
pub async fn serve_gateway<G: Playable>(
    connections: SharedConnections<G>,
    newcomer: Newcomer,
    link: u64,
) {
    let Newcomer { node, outgoing, mut reader, writer, .. } = newcomer;
    let mut room = Vec::new();
    tracing::info!(game = G::NAME, node, "a node is linked to this game");
    let hear = hear_gateway(&connections, (node, link), &mut reader, &mut room);
    let ended = tokio::select! {
        heard = hear => heard,
        written = outgoing.write(writer) => written,
    };
    let why = ended.err().map_or_else(|| "closed".to_owned(), |error| error.to_string());
    tracing::info!(game = G::NAME, node, why, "a link has ended");
    sleep(GRACE).await;
    let mut connections = connections.borrow_mut();
    let gone = connections.gateways.give_up(node, link);
    connections.inputs.extend(gone.into_iter().map(Input::Gone));
    connections.stirred.notify_one();
}

async fn hear_gateway<G: Playable>(
    connections: &SharedConnections<G>,
    (node, link): (u32, u64),
    reader: &mut (impl tokio::io::AsyncRead + Unpin),
    room: &mut Vec<u8>,
) -> io::Result<()> {
    while let Some(said) = link::read(reader, room, LONGEST).await? {
        if let FromGateway::Kick(subject) = said {
            let handle = connections.borrow().hosted.handle.clone();
            // How many there are, nobody asks here.
            let (kicked, _) = oneshot::channel();
            handle.send(HallMessage::Kick(subject, kicked)).await;
            continue;
        }
        let mut connections = connections.borrow_mut();
        if let Some(input) = connections.gateways.hear(node, link, said) {
            connections.inputs.push(input);
            connections.stirred.notify_one();
        }
    }
    Ok(())
}
