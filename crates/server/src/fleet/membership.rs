//! A server's place in a fleet: how it comes to its halls, and how other nodes come to it.

use std::collections::BTreeMap;
use std::sync::Arc;

use rules::Dice;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use wire::Playable;

use super::Fleet;
use super::link::greet;
use super::station::{Journals, Station, take_up};
use crate::hosting::{AnyHostedGame, HallMessage, HostedGame};
use crate::opening::Opening;

/// A server's place in a fleet.
#[derive(Debug)]
pub struct Membership {
    pub fleet: Fleet,
    /// The number of this node, which no other has now or had lately.
    pub node: u32,
    /// Where other nodes come in.
    pub links: TcpListener,
    /// Opens the journal that the nodes share, once for each hall that this one takes up.
    pub journals: Journals,
}

/// Lets other nodes in until the server closes.
async fn accept(
    fleet: Fleet,
    links: TcpListener,
    hosted: BTreeMap<&'static str, Arc<dyn AnyHostedGame>>,
    closing: CancellationToken,
) {
    let greeting = TaskTracker::new();
    let hosted = Arc::new(hosted);
    loop {
        let accepted = tokio::select! {
            accepted = links.accept() => accepted,
            () = closing.cancelled() => break,
        };
        let Ok((socket, address)) = accepted else {
            // There may be too many files open; others need theirs too.
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            continue;
        };
        let (fleet, hosted) = (fleet.clone(), hosted.clone());
        greeting.spawn(async move {
            match greet(&fleet, socket).await {
                Ok(link) => match hosted.get(&*link.game) {
                    Some(game) => game.link(link).await,
                    None => tracing::warn!(%address, game = link.game, "no such game here"),
                },
                Err(error) => tracing::warn!(%address, %error, "a link was refused"),
            }
        });
    }
    greeting.close();
    greeting.wait().await;
}

impl Opening {
    /// The hall is wherever the fleet has it.
    pub(crate) fn host_in_fleet<G: Playable>(
        &mut self,
        hosted: Arc<HostedGame<G>>,
        messages: mpsc::Receiver<HallMessage<G>>,
    ) -> std::io::Result<()> {
        let membership = self.membership.as_ref().expect("this is a node of a fleet");
        let (fleet, journals) = (membership.fleet.clone(), membership.journals.clone());
        let dice = Dice::new(&self.dice.seed(), G::NAME, 0);
        let (archive, register) = (self.archive.clone(), self.register.clone());
        let take_up = take_up(&hosted, journals, archive, register, dice);
        let thinkers = self.thinkers.clone();
        Station { hosted, messages, fleet, thinkers, take_up }.start(self.owners.clone())
    }

    /// Other nodes of the fleet come in from now on.
    pub(crate) fn let_nodes_in(&mut self) {
        if let Some(Membership { fleet, links, .. }) = self.membership.take() {
            let (hosted, closing) = (self.hosted.clone(), self.closing.clone());
            self.owners.tasks.spawn(accept(fleet, links, hosted, closing));
        }
    }
}
