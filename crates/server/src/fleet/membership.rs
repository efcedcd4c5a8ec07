//! A server's place in a fleet: how it comes to its halls, and how other nodes come to it.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result};
use hall::{Hall, Input, Standing};
use rules::Dice;
use store::memory::Memory;
use store::{Archive, Journal, Topic};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use wire::Playable;

use super::pages::{Pages, Unheard};
use super::station::{TakeUp, Taken, TakenUp};
use super::{Fleet, Station, greet};
use crate::clock;
use crate::hosted_game::{AnyHostedGame, HostedGame};
use crate::hosting::HallMessage;
use crate::journal_writer::{JournalWriter, PendingBatches};
use crate::opening::Opening;
use crate::register::RegisterHandle;
use crate::restoring::restore;

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

/// Opens a journal, or the memory that stands for one.
#[derive(Clone)]
pub struct Journals(Arc<dyn Fn() -> Result<SharedJournal> + Send + Sync>);

impl Journals {
    pub fn new(open: impl Fn() -> Result<SharedJournal> + Send + Sync + 'static) -> Journals {
        Journals(Arc::new(open))
    }
}

impl std::fmt::Debug for Journals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Journals")
    }
}

/// What the nodes of a fleet write to.
#[derive(Debug)]
pub enum SharedJournal {
    Durable(Box<dyn Journal>),
    Memory(Memory),
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

/// How a hall is taken up, whenever this node has to.
fn take_up<G: Playable>(
    hosted: &Arc<HostedGame<G>>,
    journals: Journals,
    archive: Arc<dyn Archive>,
    register: RegisterHandle,
    mut dice: Dice,
) -> TakeUp<G> {
    let hosted = hosted.clone();
    Box::new(move || {
        let (mut journal, memory) = match journals.0()? {
            SharedJournal::Durable(journal) => (journal, None),
            SharedJournal::Memory(memory) => {
                (Box::new(memory.clone()) as Box<dyn Journal>, Some(memory))
            }
        };
        // From here on nobody else writes to it.
        let loaded = journal.load(G::NAME)?;
        let epoch = loaded.epoch;
        let found = loaded.open.iter().filter_map(|(topic, lines)| match topic {
            Topic::Page(page) => Some((*page, lines.clone())),
            _ => None,
        });
        let found = found.collect();
        let (unheard, pages) = (Unheard::read(&found)?, Pages::after(epoch, &found));
        let tables = hosted.limits.tables;
        let mut hall = Hall::new(hosted.terms.clone(), G::hooks(), tables, dice.seed());
        let (archive, register) = (archive.clone(), register.read());
        let go_on = Box::new(move |standing: Option<Standing>| {
            hall.think_elsewhere();
            let (records, mut outputs) = restore(&*archive, &mut hall, loaded, standing)?;
            hall.handle(clock::now(), Input::Registered(register), &mut outputs);
            let (writer, _, failed) =
                JournalWriter::start(journal).context("cannot start the journal's writer")?;
            let mut pending = PendingBatches::new(writer, memory, G::NAME, epoch);
            pending.ends_with(failed);
            Ok(TakenUp { hall, records, outputs, pending })
        });
        Ok(Taken { epoch, unheard, pages, go_on })
    })
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
