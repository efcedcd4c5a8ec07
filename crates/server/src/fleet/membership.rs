//! A server's place in a fleet: how it comes to its halls, and how other nodes come to it.

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;
use std::sync::Arc;

use rules::Dice;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::Fleet;
use super::link::greet;
use super::station::{Journals, Reasons, Station, take_up};
use crate::hosting::{HallMessage, HostedGame};
use crate::house::{Complaints, clock};
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

/// This many connections may be shaking hands at the port for links. A node takes some milliseconds for
/// that. When strangers hold more, the oldest of the address that has the most ends, so that strangers who wait
/// keep no node out.
const GREETINGS: usize = 64;

/// And this many from one address. A node makes a link for each game, and several may be on one machine.
const GREETINGS_OF_ONE: usize = 32;

/// Connections that have not proved yet that they know the secret, the oldest first.
#[derive(Default)]
struct Greetings(VecDeque<(IpAddr, AbortHandle)>);

impl Greetings {
    fn push(&mut self, address: IpAddr, greeting: AbortHandle) {
        self.0.retain(|(_, other)| !other.is_finished());
        if self.count(address) >= GREETINGS_OF_ONE {
            self.end_oldest(address);
        } else if self.0.len() >= GREETINGS
            && let Some(most) =
                self.0.iter().map(|(other, _)| *other).max_by_key(|other| self.count(*other))
        {
            self.end_oldest(most);
        }
        self.0.push_back((address, greeting));
    }

    fn count(&self, address: IpAddr) -> usize {
        self.0.iter().filter(|(other, _)| *other == address).count()
    }

    fn end_oldest(&mut self, address: IpAddr) {
        let oldest = self.0.iter().position(|(other, _)| *other == address);
        if let Some((_, greeting)) = oldest.and_then(|oldest| self.0.remove(oldest)) {
            greeting.abort();
        }
    }
}

/// Lets other nodes in until the server closes.
async fn accept(
    fleet: Fleet,
    links: TcpListener,
    hosted: BTreeMap<&'static str, Arc<HostedGame>>,
    closing: CancellationToken,
) {
    let greeting = TaskTracker::new();
    let mut greetings = Greetings::default();
    let (hosted, refused) = (Arc::new(hosted), Arc::new(Complaints::default()));
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
        let (fleet, hosted, refused) = (fleet.clone(), hosted.clone(), refused.clone());
        let greets = greeting.spawn(async move {
            let error = match greet(&fleet, socket).await {
                Ok(link) => match hosted.get(&*link.game) {
                    Some(game) => return game.link(link).await,
                    None => format!("this server has no game '{}'", link.game),
                },
                Err(error) => error.to_string(),
            };
            if let Some(times) = refused.hear(clock::now()) {
                tracing::warn!(%address, error, times, "a link was refused");
            }
        });
        greetings.push(address.ip(), greets.abort_handle());
    }
    greeting.close();
    greeting.wait().await;
}

impl Opening {
    /// The hall is wherever the fleet has it.
    pub(crate) fn host_in_fleet(
        &mut self,
        hosted: Arc<HostedGame>,
        messages: mpsc::Receiver<HallMessage>,
    ) -> std::io::Result<()> {
        let membership = self.membership.as_ref().expect("this is a node of a fleet");
        let (fleet, journals) = (membership.fleet.clone(), membership.journals.clone());
        let dice = Dice::new(&self.dice.seed(), hosted.name(), 0);
        let (archive, register) = (self.archive.clone(), self.register.clone());
        let take_up = take_up(&hosted, journals, archive, register, dice);
        let thinkers = self.thinkers.clone();
        let reasons = Reasons::default();
        Station { hosted, messages, fleet, thinkers, take_up, reasons }.start(self.owners.clone())
    }

    /// Other nodes of the fleet come in from now on.
    pub(crate) fn let_nodes_in(&mut self) {
        if let Some(Membership { fleet, links, .. }) = self.membership.take() {
            let (hosted, closing) = (self.hosted.clone(), self.closing.clone());
            self.owners.tasks.spawn(accept(fleet, links, hosted, closing));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tasks that never end, one for each connection from these addresses.
    fn greet(greetings: &mut Greetings, addresses: &[u8]) -> Vec<tokio::task::JoinHandle<()>> {
        let greet = |host: &u8| {
            let task = tokio::spawn(std::future::pending::<()>());
            greetings.push(IpAddr::from([10, 0, 0, *host]), task.abort_handle());
            task
        };
        addresses.iter().map(greet).collect()
    }

    /// How many of them were ended to make room.
    async fn ended(tasks: &[tokio::task::JoinHandle<()>]) -> usize {
        // Each of them needs a turn to end.
        for _ in 0..tasks.len() {
            tokio::task::yield_now().await;
        }
        tasks.iter().filter(|task| task.is_finished()).count()
    }

    #[tokio::test]
    async fn strangers_who_wait_keep_no_node_out() {
        let mut greetings = Greetings::default();
        let node = greet(&mut greetings, &[1; 5]);
        let strangers = greet(&mut greetings, &[2; 3 * GREETINGS]);
        assert_eq!(ended(&strangers).await, 3 * GREETINGS - GREETINGS_OF_ONE);
        assert!(strangers.last().is_some_and(|last| !last.is_finished()), "the oldest end first");
        let others: Vec<u8> = (3..=250).collect();
        let others = greet(&mut greetings, &others);
        assert_eq!(greetings.0.len(), GREETINGS);
        let left = |tasks: usize, ended: usize| tasks - ended;
        let waiting = left(strangers.len(), ended(&strangers).await)
            + left(others.len(), ended(&others).await)
            + left(node.len(), ended(&node).await);
        assert_eq!(waiting, GREETINGS);
    }

    #[tokio::test]
    async fn one_address_does_not_crowd_out_another() {
        let mut greetings = Greetings::default();
        let strangers =
            greet(&mut greetings, &[[2; GREETINGS_OF_ONE], [3; GREETINGS_OF_ONE]].concat());
        let node = greet(&mut greetings, &[1; 5]);
        assert_eq!((ended(&strangers).await, ended(&node).await), (5, 0));
        let strangers = greet(&mut greetings, &[2; GREETINGS]);
        assert_eq!(ended(&node).await, 0);
        assert!(strangers.last().is_some_and(|last| !last.is_finished()));
    }
}
