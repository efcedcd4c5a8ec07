//! The books of the audit log. Each organiser has one for their acts and another for their refused
//! requests. So no organiser can push out another's acts, or their own by repeating forbidden
//! requests. A book has pages in the journal; the oldest goes when there are too many.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use anyhow::{Context, Result};
use store::{Cause, Loaded, Mark, Row, StoredRecord, Topic, Writing};

use super::Act;

/// Lines on one page.
const PAGE: usize = 1000;
/// Pages that are kept of what one organiser has done, and of what it was refused.
const DONE: usize = 20;
const REFUSED: usize = 2;

/// The book's owner, and whether it is about refused requests.
type Title = (String, bool);

/// All books.
#[derive(Debug, Default)]
pub struct Books {
    books: BTreeMap<Title, VecDeque<Page>>,
    /// The number of the next act, and that of the next page.
    next: u64,
    next_page: u64,
}

#[derive(Debug)]
struct Page {
    number: u64,
    lines: usize,
    acts: BTreeSet<u64>,
    /// The refused requests, by origin, kind and answer.
    refused: BTreeMap<[String; 3], Act>,
}

/// What happens to one act.
#[derive(Debug)]
pub struct Entry {
    act: Act,
    /// The page it is written on; none: it is known already, and written down later.
    written: Option<(u64, Mark)>,
    /// The page that goes for it, and the acts on that.
    gone: Option<(u64, BTreeSet<u64>)>,
}

impl Books {
    /// The books as they were left, and all acts by their numbers.
    pub fn restore(loaded: &Loaded) -> Result<(Books, BTreeMap<u64, Act>)> {
        let (mut books, mut known) = (Books::default(), BTreeMap::new());
        for (topic, lines) in &loaded.open {
            let Topic::Page(number) = topic else { continue };
            let mut page = Page::new(*number);
            let mut titles = BTreeSet::new();
            for line in lines {
                let act = read(line)?;
                titles.insert(title(&act));
                books.next = books.next.max(act.number + 1);
                known.insert(act.number, act.clone());
                page.put(act);
            }
            books.next_page = books.next_page.max(number + 1);
            // Earlier releases wrote all organisers' acts on the same pages: those stay as they
            // are.
            if titles.len() == 1 {
                let title = titles.into_iter().next().expect("there is one");
                books.books.entry(title).or_default().push_back(page);
            }
        }
        Ok((books, known))
    }

    /// Enters an act, whatever its number and time say.
    pub fn enter(&mut self, act: Act, now: u64) -> Entry {
        let title = title(&act);
        let most = if title.1 { REFUSED } else { DONE };
        let pages = self.books.entry(title).or_default();
        if let Some(page) = pages.back_mut()
            && let Some(known) = page.refused.get_mut(&sort(&act)).filter(|_| act.is_refused())
        {
            let times = known.times.unwrap_or(1) + 1;
            (known.times, known.last_at) = (Some(times), Some(now));
            let act = known.clone();
            // So any number of them takes a few lines, and what a crash loses is less than half.
            let is_written = times.is_power_of_two() && page.lines < PAGE;
            page.lines += usize::from(is_written);
            let written = is_written.then_some((page.number, Mark::Continues));
            return Entry { act, written, gone: None };
        }
        let act = Act { number: self.next, at: now, times: None, last_at: None, ..act };
        self.next += 1;
        let has_room = pages.back().is_some_and(|page| page.lines < PAGE);
        if !has_room {
            pages.push_back(Page::new(self.next_page));
            self.next_page += 1;
        }
        let page = pages.back_mut().expect("there is one now");
        let mark = if has_room { Mark::Continues } else { Mark::Opens };
        let written = Some((page.number, mark));
        page.put(act.clone());
        let gone = (pages.len() > most).then(|| pages.pop_front()).flatten();
        Entry { act, written, gone: gone.map(|page| (page.number, page.acts)) }
    }
}

impl Page {
    fn new(number: u64) -> Page {
        Page { number, lines: 0, acts: BTreeSet::new(), refused: BTreeMap::new() }
    }

    /// One more line. The last line of an act says what has become of it.
    fn put(&mut self, act: Act) {
        self.lines += 1;
        self.acts.insert(act.number);
        if act.is_refused() {
            self.refused.insert(sort(&act), act);
        }
    }
}

impl Entry {
    /// The journal rows for it.
    pub fn rows(&self) -> Vec<Row> {
        let row = |page, mark| Row {
            topic: Topic::Page(page),
            at: self.act.last_at.unwrap_or(self.act.at),
            cause: Cause::default(),
            record: Arc::new(self.act.clone()) as Arc<dyn Writing>,
            mark,
        };
        let written = self.written.as_ref().map(|(page, mark)| row(*page, mark.clone()));
        let gone = self.gone.as_ref().map(|(page, _)| row(*page, Mark::Closes(None)));
        written.into_iter().chain(gone).collect()
    }

    /// It is durable.
    pub fn make_known(self, known: &mut BTreeMap<u64, Act>) {
        let gone = self.gone.into_iter().flat_map(|(_, acts)| acts);
        gone.for_each(|number| _ = known.remove(&number));
        known.insert(self.act.number, self.act);
    }
}

fn title(act: &Act) -> Title {
    (act.who.clone(), act.is_refused())
}

fn sort(act: &Act) -> [String; 3] {
    [&act.from, &act.what, &act.outcome].map(String::clone)
}

fn read(line: &StoredRecord) -> Result<Act> {
    let act: Act = serde_json::from_str(&line.record)
        .with_context(|| format!("the audit log cannot be read: {}", line.record))?;
    Ok(if act.at == 0 { Act { at: line.at, ..act } } else { act })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn act(who: &str, what: &str, outcome: &str) -> Act {
        let [who, from, what, outcome] = [who, "10.0.0.1", what, outcome].map(str::to_owned);
        Act { who, from, what, outcome, ..Act::default() }
    }

    fn line(at: u64, record: String) -> StoredRecord {
        StoredRecord { at, by: 1, cause: String::new(), hash: String::new(), record }
    }

    fn loaded(open: BTreeMap<Topic, Vec<StoredRecord>>) -> Loaded {
        Loaded { epoch: 1, open, next_table: 1, next_tournament: 1 }
    }

    /// Books, and what is known of them, that were written down in a journal.
    #[derive(Default)]
    struct Log {
        books: Books,
        known: BTreeMap<u64, Act>,
        journal: BTreeMap<Topic, Vec<StoredRecord>>,
        lines: usize,
    }

    impl Log {
        fn note(&mut self, act: Act) {
            let entry = self.books.enter(act, 7);
            for row in entry.rows() {
                self.lines += 1;
                if matches!(row.mark, Mark::Closes(_)) {
                    self.journal.remove(&row.topic);
                    continue;
                }
                let record = serde_json::to_string(&entry.act).unwrap();
                self.journal.entry(row.topic).or_default().push(line(row.at, record));
            }
            entry.make_known(&mut self.known);
        }

        fn restored(&self) -> (Books, BTreeMap<u64, Act>) {
            Books::restore(&loaded(self.journal.clone())).unwrap()
        }
    }

    #[test]
    fn what_is_refused_pushes_nothing_out() {
        let mut log = Log::default();
        log.note(act("ann", "POST /api/v1/bans", "201"));
        log.note(act("eve", "POST /api/v1/tables", "201"));
        for number in 0..25_000 {
            log.note(act("eve", &format!("POST /api/v1/tables/{number}"), "403 needs-scope"));
        }
        let whos = |known: &BTreeMap<u64, Act>| {
            let done = known.values().filter(|act| !act.is_refused());
            done.map(|act| act.who.clone()).collect::<Vec<_>>()
        };
        assert_eq!(whos(&log.known), ["ann", "eve"]);
        assert!(log.known.len() <= 2 + REFUSED * PAGE);
        let (mut books, known) = log.restored();
        assert_eq!(known, log.known, "the same after a restart");
        assert_eq!(books.enter(act("ann", "x", "200"), 8).act.number, 25_002);
    }

    #[test]
    fn what_one_organiser_does_pushes_out_its_own_alone() {
        let mut log = Log::default();
        log.note(act("ann", "POST /api/v1/bans", "201"));
        for _ in 0..=DONE * PAGE {
            log.note(act("eve", "POST /api/v1/tables", "201"));
        }
        assert_eq!(log.known.first_key_value().unwrap().1.who, "ann");
        assert_eq!(log.known.len(), 1 + (DONE - 1) * PAGE + 1);
        assert_eq!(log.restored().1, log.known);
    }

    #[test]
    fn the_same_refusal_is_one_entry() {
        let mut log = Log::default();
        for _ in 0..1000 {
            log.note(act("eve", "POST /api/v1/tables", "403 needs-scope"));
        }
        log.note(act("eve", "POST /api/v1/bans", "403 needs-scope"));
        let times: Vec<Option<u64>> = log.known.values().map(|act| act.times).collect();
        assert_eq!(times, [Some(1000), None]);
        assert_eq!(log.lines, 1 + 9 + 1, "1, 2, 4, … 512 times, and the other");
        let restored: Vec<Option<u64>> = log.restored().1.values().map(|act| act.times).collect();
        assert_eq!(restored, [Some(512), None]);
    }

    #[test]
    fn pages_of_an_earlier_release_are_read() {
        let old = |who: &str, number: u64| {
            let record = format!(
                r#"{{"number":{number},"at":5,"who":"{who}","from":"::1","what":"POST /","outcome":"200"}}"#
            );
            line(5, record)
        };
        let open = BTreeMap::from([(Topic::Page(3), vec![old("ann", 3000), old("eve", 3001)])]);
        let (mut books, known) = Books::restore(&loaded(open)).unwrap();
        assert_eq!(known.len(), 2);
        let entry = books.enter(act("ann", "x", "200"), 8);
        assert_eq!((entry.act.number, entry.written), (3002, Some((4, Mark::Opens))));
    }
}
