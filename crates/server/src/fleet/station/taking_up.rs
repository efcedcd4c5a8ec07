//! How a node takes a hall up: it loads the journal that all nodes share, and goes on from there.

use std::sync::Arc;

use anyhow::{Context, Result};
use hall::{Hall, Input, Listing, OpenRecords, Output, Standing};
use rules::Dice;
use store::memory::Memory;
use store::{Archive, Journal, Topic};

use super::super::link::{Pages, Unheard};
use crate::hosting::HostedGame;
use crate::house::{RegisterHandle, clock};
use crate::journal::{JournalWriter, PendingBatches, restore};

/// Takes the hall's journal over; whoever had it writes no more.
pub type TakeUp = Box<dyn FnMut() -> Result<Taken> + Send>;

/// A hall whose journal is this node's.
pub struct Taken {
    pub epoch: u64,
    /// What was said before to gateways.
    pub unheard: Unheard,
    pub pages: Pages,
    pub go_on: GoOn,
}

/// Goes on with the hall. With a standing nobody is to notice; without one it begins again.
pub type GoOn = Box<dyn FnOnce(Option<Standing>) -> Result<TakenUp>>;

/// A hall as this node drives it from now on.
pub struct TakenUp {
    pub hall: Hall,
    /// What has happened at open tables.
    pub records: OpenRecords,
    pub outputs: Vec<Output>,
    pub pending: PendingBatches,
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

/// How a hall is taken up, whenever this node has to.
pub fn take_up(
    hosted: &Arc<HostedGame>,
    journals: Journals,
    archive: Arc<dyn Archive>,
    register: RegisterHandle,
    mut dice: Dice,
) -> TakeUp {
    let hosted = hosted.clone();
    Box::new(move || {
        let (mut journal, memory) = match journals.0()? {
            SharedJournal::Durable(journal) => (journal, None),
            SharedJournal::Memory(memory) => {
                (Box::new(memory.clone()) as Box<dyn Journal>, Some(memory))
            }
        };
        // From here on nobody else writes to it.
        let loaded = journal.load(hosted.name())?;
        let epoch = loaded.epoch;
        let found = loaded.open.iter().filter_map(|(topic, lines)| match topic {
            Topic::Page(page) => Some((*page, lines.clone())),
            _ => None,
        });
        let found = found.collect();
        let (unheard, pages) =
            (Unheard::read(hosted.game.rules(), &found)?, Pages::after(epoch, &found));
        let tables = hosted.limits.tables;
        let mut hall = Hall::new(hosted.terms.clone(), hosted.game.hooks(), tables, dice.seed());
        if hosted.requires_key {
            hall.require_key();
        }
        hall.pace_open_play(hosted.limits.open_games_per_min);
        let (archive, register) = (archive.clone(), register.read());
        let rules = hosted.game.rules();
        let go_on = Box::new(move |standing: Option<Standing>| {
            hall.think_elsewhere();
            let (records, mut outputs) = restore(rules, &*archive, &mut hall, loaded, standing)?;
            outputs.insert(0, Output::Listed(Listing::Anew));
            hall.handle(clock::now(), Input::Registered(register), &mut outputs);
            let (writer, _, failed) =
                JournalWriter::start(journal).context("cannot start the journal's writer")?;
            let mut pending = PendingBatches::new(writer, memory, rules.name(), epoch);
            pending.ends_with(failed);
            Ok(TakenUp { hall, records, outputs, pending })
        });
        Ok(Taken { epoch, unheard, pages, go_on })
    })
}
