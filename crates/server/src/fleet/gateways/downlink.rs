//! An owner's end of a gateway's link.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use hall::{Input, Listing};
use tokio::io::{BufReader, ReadHalf, WriteHalf};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep};
use wire::AnyGame;

use super::super::link::{
    self, Attach, Attentive, FromGateway, LONGEST, LinkSocket, LinkStream, Outgoing,
};
use super::Inherited;
use super::watching::{await_member, watch};
use crate::fleet::Ownership;
use crate::hosting::{HallMessage, SharedConnections};

/// A gateway whose link has ended is expected back for this long. Then its connections are gone. When nothing
/// reaches the owner, the gateway may notice that later than the owner does, by as long as silence may last.
pub(super) const GRACE: Duration = Duration::from_secs(3);

/// Meanwhile the owner looks this often whether the gateway is back, or has ended.
pub(super) const LOOK: Duration = Duration::from_millis(50);

/// A gateway that has said who is there.
pub struct Newcomer {
    pub node: u32,
    pub attach: Attach,
    pub outgoing: Outgoing,
    reader: BufReader<Attentive<ReadHalf<LinkStream>>>,
    writer: WriteHalf<LinkStream>,
}

/// Lets a gateway say who is there.
pub async fn receive(game: &'static dyn AnyGame, mut link: LinkSocket) -> io::Result<Newcomer> {
    link.stream.get_mut().0.move_here()?;
    let (reader, writer) = tokio::io::split(link.stream);
    let outgoing = Outgoing::default();
    let mut reader = BufReader::new(Attentive::new(reader, outgoing.clone()));
    match link::read_of_game(game.rules(), &mut reader, &mut Vec::new(), LONGEST).await? {
        Some(FromGateway::Attach(attach)) => {
            Ok(Newcomer { node: link.node, attach, outgoing, reader, writer })
        }
        _ => Err(io::Error::other("it did not say who is there")),
    }
}

/// Serves a gateway that has come while the hall is driven.
pub async fn serve_link(
    connections: SharedConnections,
    link: LinkSocket,
    epoch: u64,
    owners: Arc<dyn Ownership>,
) {
    let (node, game) = (link.node, connections.borrow().hosted.game);
    if let Err(error) = await_member(node, &owners).await {
        // It tries again and again, and was named when it was dropped.
        return tracing::debug!(game = game.name(), node, %error, "a link was refused");
    }
    match receive(game, link).await {
        Ok(newcomer) => {
            let Some(lists) = read_lists(&connections).await else { return };
            let link = attach(&connections, &newcomer, epoch, None, lists);
            serve_gateway(connections, newcomer, link, owners).await;
        }
        Err(error) => tracing::warn!(game = game.name(), node, %error, "a link was lost"),
    }
}

/// The lists for a gateway that will attach at once. Another thread reads them, so the hall waits for no
/// reader. None: the game has another owner by now.
async fn read_lists(connections: &SharedConnections) -> Option<Vec<Listing>> {
    let (hosted, ticket) = {
        let mut connections = connections.borrow_mut();
        (connections.hosted.clone(), connections.gateways.await_lists())
    };
    let directory = hosted.directory.clone();
    let read = tokio::task::spawn_blocking(move || directory.changes()).await;
    if let Err(error) = &read {
        tracing::warn!(game = hosted.name(), %error, "the lists for a node could not be read");
    }
    connections.borrow_mut().gateways.lists_now(ticket, read.ok())
}

/// Tells a gateway where it stands. The number of its link is for [`serve_gateway`]. A new owner's lists come
/// later, when it has written down what they say.
pub fn attach(
    connections: &SharedConnections,
    newcomer: &Newcomer,
    epoch: u64,
    inherited: Option<Inherited<'_>>,
    lists: Vec<Listing>,
) -> u64 {
    let mut connections = connections.borrow_mut();
    let who = (newcomer.node, &newcomer.attach, &newcomer.outgoing);
    let (link, gone) = connections.gateways.attach(who, epoch, inherited, lists);
    connections.inputs.extend(gone.into_iter().map(Input::Gone));
    connections.stirred.notify_one();
    link
}

/// Serves a gateway's link until it ends.
pub async fn serve_gateway(
    connections: SharedConnections,
    newcomer: Newcomer,
    link: u64,
    owners: Arc<dyn Ownership>,
) {
    let Newcomer { node, outgoing, mut reader, writer, .. } = newcomer;
    let mut room = Vec::new();
    reader.get_mut().expect_life();
    let game = connections.borrow().hosted.name();
    tracing::info!(game, node, "a node is linked to this game");
    let hear = hear_gateway(&connections, (node, link), &mut reader, &mut room);
    let ended = tokio::select! {
        heard = hear => heard,
        written = outgoing.clone().write(writer) => written,
        why = watch(&connections, node, &outgoing, &owners) => Err(why),
    };
    outgoing.lose();
    // Somebody may wait to hear whether a player there is alive.
    connections.borrow().stirred.notify_one();
    let why = ended.err().map_or_else(|| "closed".to_owned(), |error| error.to_string());
    tracing::info!(game, node, why, "a link has ended");
    let until = Instant::now() + GRACE;
    // Who has ended does not come back. Whoever is back has another link, and so nobody waits for this one.
    while Instant::now() < until
        && !owners.has_ended(node)
        && connections.borrow().gateways.is_linked_by(node, link)
    {
        sleep(LOOK).await;
    }
    let mut connections = connections.borrow_mut();
    let gone = connections.gateways.give_up(node, link);
    connections.inputs.extend(gone.into_iter().map(Input::Gone));
    connections.stirred.notify_one();
}

async fn hear_gateway(
    connections: &SharedConnections,
    (node, link): (u32, u64),
    reader: &mut (impl tokio::io::AsyncRead + Unpin),
    room: &mut Vec<u8>,
) -> io::Result<()> {
    let rules = connections.borrow().hosted.game.rules();
    while let Some(said) = link::read_of_game(rules, reader, room, LONGEST).await? {
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
