//! What was said to gateways is kept in the journal, beside the records that led to it, until they
//! have heard it: whoever takes the hall over says it again to those who have not.
//!
//! It lies in pages of the hall's stream. A page whose frames have all arrived is closed, and the
//! journal forgets it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use anyhow::{Context, Result};
use hall::{Reply, Time};
use rules::any::AnyRules;
use serde::Deserialize;
use serde_json::value::RawValue;
use store::{Cause, Mark, Row, StoredRecord, Topic, Writing};

use super::frames;

/// So many batches share a page.
const ROWS: usize = 64;

/// A frame on its way to a gateway, once it is durable.
#[derive(Clone, Debug)]
pub struct Parcel {
    pub node: u32,
    pub number: u64,
    pub bytes: Arc<[u8]>,
    /// Replies in it, with the numbers of their requests.
    pub replies: Vec<(u64, Reply)>,
}

/// What one batch has said to gateways, as it is read.
#[derive(Debug, Deserialize)]
struct Spoken {
    epoch: u64,
    frames: Vec<SpokenFrame>,
    #[serde(default)]
    given_up: GivenUp,
    #[serde(default)]
    received: BTreeSet<u32>,
    /// The number of the last frame of this epoch so far. None: an earlier release wrote it.
    #[serde(default)]
    last: Option<u64>,
}

/// The same on its way into the journal. Frames are text already, and are not looked at again.
#[derive(Debug)]
struct Speaking {
    epoch: u64,
    last: u64,
    frames: Vec<Parcel>,
    trust: Trust,
}

impl Writing for Speaking {
    fn to_json(&self) -> String {
        let length: usize = self.frames.iter().map(|parcel| parcel.bytes.len() + 64).sum();
        let mut text = String::with_capacity(64 + length);
        let Speaking { epoch, last, frames, trust: Trust { given_up, received } } = self;
        text += &format!(r#"{{"epoch":{epoch},"last":{last},"frames":["#);
        for (index, Parcel { node, number, bytes, .. }) in frames.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            text += &format!(r#"{comma}{{"node":{node},"number":{number},"frame":"#);
            text += std::str::from_utf8(frames::body(bytes)).expect("JSON is text");
            text.push('}');
        }
        text.push(']');
        if !received.is_empty() {
            let received = serde_json::to_string(received).expect("plain data");
            text += &format!(r#","received":{received}"#);
        }
        if !given_up.is_empty() {
            let given_up = serde_json::to_string(given_up).expect("plain data");
            text += &format!(r#","given_up":{given_up}"#);
        }
        text.push('}');
        text
    }
}

/// Nodes whose connections have counted as gone, each with the epoch and the last frame before that.
pub type GivenUp = BTreeMap<u32, (u64, u64)>;

/// Whom the next owner may believe what it knows of its connections. Any node that has heard an owner may be;
/// one that has heard only earlier ones was missed by that owner, and so were its connections.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// Whose connections have counted as gone, and may not know it.
    pub given_up: GivenUp,
    /// Who had come when the owner began, was believed, and may not have heard it yet.
    pub received: BTreeSet<u32>,
}

#[derive(Debug, Deserialize)]
struct SpokenFrame {
    node: u32,
    number: u64,
    frame: Box<RawValue>,
}

/// The pages of one owner, and those that it has found.
#[derive(Debug, Default)]
pub struct Pages {
    epoch: u64,
    /// The number of the page that is written to.
    page: u64,
    rows: usize,
    /// How much was written to it.
    bytes: usize,
    /// Pages that are full.
    full: VecDeque<FullPage>,
    last: u64,
    /// Pages of earlier owners, and how large each is.
    found: Vec<(u64, usize)>,
}

/// A page that nothing more is written to.
#[derive(Debug)]
struct FullPage {
    page: u64,
    /// The number of the last frame there.
    last: u64,
    bytes: usize,
}

impl Pages {
    /// For a new owner, which has found some.
    pub fn after(epoch: u64, found: &BTreeMap<u64, Vec<StoredRecord>>) -> Pages {
        let page = found.keys().next_back().map_or(1, |last| last + 1);
        let size = |lines: &[StoredRecord]| lines.iter().map(|line| line.record.len()).sum();
        let found = found.iter().map(|(page, lines)| (*page, size(lines))).collect();
        Pages { epoch, page, found, ..Pages::default() }
    }

    /// How much the journal keeps because somebody may not have heard it.
    pub fn bytes(&self) -> usize {
        let full = self.full.iter().map(|full| full.bytes);
        self.bytes + full.chain(self.found.iter().map(|(_, bytes)| *bytes)).sum::<usize>()
    }

    /// The epoch of the owner that writes them.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The rows that keep what a batch says. Everything up to the confirmed frame has arrived
    /// everywhere; none: somebody has yet to hear what earlier owners have said.
    /// Who may be believed is said with every row, since pages are forgotten; the last row never is.
    pub fn write(
        &mut self,
        now: Time,
        parcels: &[Parcel],
        trust: &Trust,
        confirmed: Option<u64>,
    ) -> Vec<Row> {
        self.last = parcels.last().map_or(self.last, |parcel| parcel.number);
        let mark = if self.rows == 0 { Mark::Opens } else { Mark::Continues };
        let (epoch, last, frames) = (self.epoch, self.last, parcels.to_vec());
        self.bytes += parcels.iter().map(|parcel| parcel.bytes.len()).sum::<usize>();
        let spoken = Speaking { epoch, last, frames, trust: trust.clone() };
        let mut rows = vec![row(now, self.page, spoken, mark)];
        if let Some(confirmed) = confirmed {
            let found = std::mem::take(&mut self.found);
            let mut closed: Vec<u64> = found.into_iter().map(|(page, _)| page).collect();
            while self.full.front().is_some_and(|full| full.last <= confirmed) {
                closed.extend(self.full.pop_front().map(|full| full.page));
            }
            rows.extend(closed.into_iter().map(|page| {
                let (frames, trust) = (Vec::new(), Trust::default());
                let nothing = Speaking { epoch, last, frames, trust };
                row(now, page, nothing, Mark::Closes(None))
            }));
        }
        self.rows += 1;
        if self.rows == ROWS {
            let Pages { page, last, bytes, .. } = *self;
            self.full.push_back(FullPage { page, last, bytes });
            (self.page, self.rows, self.bytes) = (page + 1, 0, 0);
        }
        rows
    }
}

fn row(now: Time, page: u64, spoken: Speaking, mark: Mark) -> Row {
    let record = Arc::new(spoken);
    Row { topic: Topic::Page(page), at: now.0, cause: Cause::Clock, record, mark }
}

/// Everything that earlier owners have said and that may not have arrived, in order.
#[derive(Debug, Default)]
pub struct Unheard {
    spoken: Vec<Spoken>,
    /// The last owner that anybody has heard, and whom it has left to be believed.
    last: Option<(u64, Trust)>,
    /// The last frame that was said.
    last_frame: Option<(u64, u64)>,
}

impl Unheard {
    pub fn read(
        rules: &'static dyn AnyRules,
        found: &BTreeMap<u64, Vec<StoredRecord>>,
    ) -> Result<Unheard> {
        let lines = found.values().flatten();
        let read = lines.map(|line| serde_json::from_str(&line.record));
        let spoken: Result<Vec<Spoken>, _> = rules.reading(|| read.collect());
        let spoken = spoken.context("cannot read what was said to other nodes")?;
        let last = spoken.last().map(|Spoken { epoch, given_up, received, .. }| {
            (*epoch, Trust { given_up: given_up.clone(), received: received.clone() })
        });
        let last_frame = spoken.last().and_then(|spoken| Some((spoken.epoch, spoken.last?)));
        Ok(Unheard { spoken, last, last_frame })
    }

    pub fn given_up(&self) -> GivenUp {
        self.last.as_ref().map_or_else(GivenUp::new, |(_, trust)| trust.given_up.clone())
    }

    /// Whether a node has heard a frame that the database has lost, with the records that led to it: then
    /// its connections may be at tables that others have by now.
    fn has_lost(&self, heard: Option<(u64, u64)>) -> bool {
        let Some(((epoch, number), last)) = heard.zip(self.last_frame) else { return false };
        // 0: the node has met an owner that has not written anything yet. MAX: the node was the owner.
        !matches!(number, 0 | u64::MAX) && (epoch, number) > last
    }

    /// Whether the connections of a node have counted as gone since the last frame that it has heard:
    /// then what it knows of them is true no more. The same goes for what the database has lost.
    pub fn has_given_up(&self, node: u32, heard: Option<(u64, u64)>) -> bool {
        if self.has_lost(heard) {
            return true;
        }
        let Some((epoch, Trust { given_up, received })) = &self.last else { return false };
        let place = given_up.get(&node);
        let was_missed = heard.is_some_and(|(of, _)| of < *epoch) && !received.contains(&node);
        was_missed || place.is_some_and(|place| heard.is_none_or(|heard| heard <= *place))
    }

    /// What a node has missed after the last frame that it has heard, and of which epoch.
    pub fn missed(&self, node: u32, heard: Option<(u64, u64)>) -> Vec<&str> {
        let mut missed = Vec::new();
        for Spoken { epoch, frames, .. } in &self.spoken {
            let is_missed = |frame: &&SpokenFrame| {
                frame.node == node && heard.is_some_and(|heard| (*epoch, frame.number) > heard)
            };
            missed.extend(frames.iter().filter(is_missed).map(|frame| frame.frame.get()));
        }
        missed
    }
}

#[cfg(test)]
mod tests {
    use store::memory::Memory;
    use store::{Batch, Journal};

    use super::*;

    fn parcel(node: u32, number: u64) -> Parcel {
        let bytes = frames::frame(&format!("{node}:{number}")).into();
        Parcel { node, number, bytes, replies: Vec::new() }
    }

    /// An owner that writes down what it says.
    struct Owner {
        memory: Memory,
        pages: Pages,
        found: BTreeMap<u64, Vec<StoredRecord>>,
    }

    impl Owner {
        fn of(mut memory: Memory) -> Owner {
            let loaded = memory.load("gamba").expect("memory");
            let found = loaded.open.into_iter().map(|(topic, lines)| (topic.number(), lines));
            let found = found.collect();
            Owner { memory, pages: Pages::after(loaded.epoch, &found), found }
        }

        fn say(&mut self, parcels: &[Parcel], confirmed: Option<u64>) {
            self.give_up(parcels, &Trust::default(), confirmed);
        }

        fn give_up(&mut self, parcels: &[Parcel], trust: &Trust, confirmed: Option<u64>) {
            let rows = self.pages.write(Time(1), parcels, trust, confirmed);
            let batch = Batch { stream: "gamba".into(), epoch: self.pages.epoch, rows };
            self.memory.append(vec![batch]).expect("it owns the stream");
        }

        fn unheard(&self) -> Unheard {
            let rules = <dyn AnyRules>::of::<games::gamba::Gamba>();
            Unheard::read(rules, &self.found).expect("what was written can be read")
        }

        fn missed(&self, node: u32, heard: Option<(u64, u64)>) -> Vec<String> {
            self.unheard().missed(node, heard).into_iter().map(str::to_owned).collect()
        }
    }

    #[test]
    fn a_new_owner_finds_what_each_node_has_not_heard() {
        let memory = Memory::default();
        let mut first = Owner::of(memory.clone());
        first.say(&[parcel(2, 1), parcel(3, 2)], Some(0));
        first.say(&[parcel(2, 3)], Some(0));
        let mut second = Owner::of(memory.clone());
        assert_eq!(second.missed(2, Some((1, 1))), ["\"2:3\""]);
        assert_eq!(second.missed(3, Some((1, 0))), ["\"3:2\""]);
        assert_eq!(second.missed(3, Some((1, 2))), [""; 0]);
        // Who was never linked has missed nothing.
        assert_eq!(second.missed(4, None), [""; 0]);
        // One that is lost before everybody has heard it leaves everything to the third.
        second.say(&[parcel(2, 1)], None);
        let third = Owner::of(memory);
        assert_eq!(third.missed(2, Some((1, 1))), ["\"2:3\"", "\"2:1\""]);
        assert_eq!(third.missed(2, Some((2, 0))), ["\"2:1\""]);
    }

    #[test]
    fn what_has_arrived_is_forgotten() {
        let memory = Memory::default();
        Owner::of(memory.clone()).say(&[parcel(2, 1)], None);
        let mut owner = Owner::of(memory.clone());
        assert_eq!(owner.found.len(), 1);
        for number in 1..=10 * ROWS as u64 {
            owner.say(&[parcel(2, number)], Some(number - 1));
        }
        assert!(owner.pages.bytes() <= 2 * ROWS * parcel(2, 640).bytes.len());
        assert!(Owner::of(memory).found.len() <= 2);
    }

    #[test]
    fn who_was_given_up_is_known_until_it_has_heard_more() {
        let memory = Memory::default();
        let mut owner = Owner::of(memory.clone());
        owner.say(&[parcel(2, 1), parcel(3, 2)], Some(0));
        let trust = Trust { given_up: GivenUp::from([(2, (1, 5))]), ..Trust::default() };
        // It is not forgotten with the pages that everybody else has heard.
        for number in 6..=6 + 3 * ROWS as u64 {
            owner.give_up(&[parcel(3, number)], &trust, Some(number - 1));
        }
        let next = Owner::of(memory).unheard();
        assert_eq!(next.given_up(), trust.given_up);
        for (heard, is_given_up) in
            [(None, true), (Some((1, 1)), true), (Some((1, 5)), true), (Some((1, 6)), false)]
        {
            assert_eq!(next.has_given_up(2, heard), is_given_up, "{heard:?}");
        }
        assert!(!next.has_given_up(3, Some((1, 2))));
    }

    /// A switch to an asynchronous standby takes back what players at a gateway were told.
    #[test]
    fn a_node_that_has_heard_what_the_database_has_lost_is_not_believed() {
        let memory = Memory::default();
        let mut owner = Owner::of(memory.clone());
        owner.say(&[parcel(2, 1), parcel(3, 2)], Some(0));
        // A row without frames tells it as well.
        owner.say(&[], Some(2));
        let before = Owner::of(memory).unheard();
        for (heard, is_believed) in [
            (None, true),
            (Some((1, 2)), true),
            (Some((1, 3)), false),
            (Some((2, 1)), false),
            // It has met an owner that has said nothing, or was the owner itself.
            (Some((2, 0)), true),
            (Some((1, u64::MAX)), true),
        ] {
            assert_eq!(before.has_given_up(2, heard), !is_believed, "{heard:?}");
        }
    }

    #[test]
    fn who_has_missed_an_owner_is_not_believed() {
        let memory = Memory::default();
        Owner::of(memory.clone()).say(&[parcel(2, 1), parcel(3, 2), parcel(4, 3)], Some(0));
        let mut second = Owner::of(memory.clone());
        let trust = Trust { received: BTreeSet::from([3]), ..Trust::default() };
        // However little it says, and however much of that has arrived, it is known whom it has missed.
        for _ in 0..3 * ROWS {
            second.give_up(&[], &trust, Some(3));
        }
        let next = Owner::of(memory).unheard();
        for (node, heard, is_missed) in [
            (2, Some((1, 1)), true),
            (3, Some((1, 2)), false),
            (4, Some((2, 0)), false),
            (5, None, false),
        ] {
            assert_eq!(next.has_given_up(node, heard), is_missed, "{node}");
        }
    }
}
