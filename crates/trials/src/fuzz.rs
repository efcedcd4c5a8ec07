//! Anything at all, at the places where the server reads what strangers wrote: transcripts, requests,
//! replay files and journals are mangled, and nothing may panic.
//!
//! Each function takes bytes and is a target of cargo-fuzz, in the folder `fuzz`; [`Mangler`] makes
//! such bytes from what is known to be good, so that every test run tries a few.

use std::cell::Cell;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Once;
use std::time::{Duration, Instant};

use hall::{Eyes, Hall, Input, Recorded, TableNo, TableRecord, Time, Unfinished};
use rules::{Dice, Seed};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use wire::{AnyGame, Frame, Framing, Playable};

use crate::failure;
use crate::rehearsal::{Rehearsal, is_heard, settings, written};

/// Number of lines of an input that are used.
const MOST_LINES: usize = 400;

/// Longer than every clock of every game.
const LONGEST_WAIT_MS: u64 = 600_000;

/// A rehearsal transcript with arbitrary content: a line that isn't a rehearsal's is sent verbatim.
/// Nothing may panic, not even where that would be caught, and the records can be restored.
pub fn transcript<G: Playable>(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let known = settings::<G>(&text).and_then(|(options, seed)| Rehearsal::<G>::new(options, seed));
    let Ok(mut rehearsal) =
        known.or_else(|_| Rehearsal::new(G::Options::default(), Seed::from_number(0)))
    else {
        return;
    };
    watched(|| {
        for line in
            text.lines().filter(|line| !is_heard(line) && !is_too_much(line)).take(MOST_LINES)
        {
            if rehearsal.perform(line).is_err() {
                rehearsal.say("zoe", format!("{line}\n").as_bytes());
            }
        }
        let restarted = rehearsal.perform("restart");
        assert_eq!(restarted, Ok(()), "{rehearsal:?}");
    });
}

/// Lines that ask the stage itself for more time or memory than a test has.
fn is_too_much(line: &str) -> bool {
    let waits = line.strip_prefix("wait ").and_then(|ms| ms.trim().parse::<u64>().ok());
    let repeats = line.rsplit_once("\"*").and_then(|(_, times)| times.parse::<usize>().ok());
    waits.is_some_and(|ms| ms > LONGEST_WAIT_MS) || repeats.is_some_and(|times| times > 10_000)
}

/// Bytes for a framer: it finds the same messages however they are cut, and keeps no more of them
/// than one may have.
pub fn frames(framing: Framing, bytes: &[u8]) {
    let shown = |frame: Frame<'_>| match frame {
        Frame::Text(text) => format!("text {text}"),
        // How much of it is shown depends on how much has come.
        Frame::Garbage(garbage, _) => format!("{garbage:?}"),
    };
    let cut = |size: usize| {
        let mut framer = framing.framer();
        let mut found = Vec::new();
        for piece in bytes.chunks(size) {
            framer.feed(piece);
            while let Some(frame) = framer.next() {
                assert!(frame.len() <= framing.max_message().max(bytes.len().min(1 << 16)));
                found.push(shown(frame));
            }
        }
        found
    };
    let whole = cut(bytes.len().max(1));
    for size in [1, 7] {
        assert_eq!(cut(size), whole, "in pieces of {size}");
    }
}

#[derive(Deserialize)]
struct ReplayLine {
    at: u64,
    record: Box<RawValue>,
}

/// A replay file as anyone may send it: it is shown and verified, or refused.
pub fn replay(game: &'static dyn AnyGame, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().skip(1).take(MOST_LINES);
    let lines: Vec<ReplayLine> = lines.map_while(|line| serde_json::from_str(line).ok()).collect();
    let records: Vec<(u64, &str)> = lines.iter().map(|line| (line.at, line.record.get())).collect();
    // Whether it is refused is the game's to say.
    for eyes in [Eyes::Public, Eyes::All] {
        _ = game.frames(&records, eyes);
    }
    _ = game.story(&records, None);
    _ = game.verify(&records);
}

/// The records of a table that was open, one in each line: it is taken up, closed, or refused.
pub fn journal<G: Playable>(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let records = text.lines().take(MOST_LINES).map_while(|line| serde_json::from_str(line).ok());
    let records: Vec<TableRecord> = records.collect();
    let Ok(terms) = G::terms(&G::Options::default()) else { return };
    let mut hall = Hall::new(terms, G::hooks(), 100, Seed::from_number(0));
    let tables = vec![(TableNo(1), Recorded::written_at(Time(0), records))];
    let unfinished = Unfinished { tables, ..Unfinished::default() };
    let mut outputs = Vec::new();
    if hall.restore(Time(1_000_000), unfinished, &mut outputs).is_ok() {
        for _ in 0..20 {
            let Some(deadline) = hall.deadline() else { break };
            hall.handle(deadline, Input::Tick, &mut outputs);
        }
    }
}

/// A request: method and path in the first line, then the body. Returns the response, or nothing if
/// the server closed the connection.
pub async fn request(http: SocketAddr, token: &str, bytes: &[u8]) -> String {
    /// Nothing takes this long unless it hangs.
    const PATIENCE: Duration = Duration::from_secs(60);
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (head, body) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
    let rest = format!(
        " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Authorization: Bearer {token}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut socket = TcpStream::connect(http).await.expect("connects");
    // It may be refused before all of it was read.
    _ = socket.write_all(&[head, rest.as_bytes(), body].concat()).await;
    let mut heard = Vec::new();
    _ = timeout(PATIENCE, socket.read_to_end(&mut heard)).await.expect("it ends");
    String::from_utf8_lossy(&heard).into_owned()
}

/// The games of a rehearsal as replay files.
pub fn replays_of<G: Playable>(script: &str) -> Vec<Vec<u8>> {
    let files = written::<G>(script).into_iter().map(|records| {
        let mut file = format!("{{\"game\":\"{}\",\"id\":\"t\"}}\n", G::NAME);
        for (record, at) in records.iter().zip(1..) {
            file += &format!("{{\"at\":{at},\"record\":{record}}}\n");
        }
        file.into_bytes()
    });
    files.collect()
}

/// The games of a rehearsal as the journal has their records.
pub fn journals_of<G: Playable>(script: &str) -> Vec<Vec<u8>> {
    written::<G>(script).into_iter().map(|records| records.join("\n").into_bytes()).collect()
}

/// The files of a folder.
pub fn corpus(folder: &Path) -> Vec<Vec<u8>> {
    let files = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<_> = files.map(|file| file.expect("listed").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a readable file")).collect()
}

thread_local! {
    static PANICKED: Cell<bool> = const { Cell::new(false) };
}

/// Runs something in which nothing may panic, not even where that is caught: a table whose game
/// panics is closed, and the other tables keep playing.
fn watched(something: impl FnOnce()) {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            PANICKED.set(true);
            before(panic);
        }));
    });
    PANICKED.set(false);
    something();
    assert!(!PANICKED.get(), "something panicked, and was caught");
}

/// Makes what is good bad, by chance.
#[derive(Debug)]
pub struct Mangler {
    corpus: Vec<Vec<u8>>,
    name: String,
}

/// Words that trouble parsers of numbers and texts.
const WORDS: [&str; 14] = [
    "-1",
    "0",
    "255",
    "256",
    "4294967296",
    "18446744073709551616",
    "1e999",
    "null",
    "\"\"",
    "\u{0}",
    "\u{202e}",
    "\"}",
    "[[[[[[[[[[[[[[[[",
    "|||||||||",
];

impl Mangler {
    pub fn new(name: &str, corpus: Vec<Vec<u8>>) -> Mangler {
        assert!(!corpus.is_empty(), "{name}: nothing to begin with");
        Mangler { corpus, name: name.to_owned() }
    }

    /// Tries every known input unchanged, then those that [`inputs`](Mangler::inputs) yields. A
    /// failure names the seed.
    pub fn run(&self, times: u64, target: impl Fn(&[u8])) {
        for (number, bytes) in self.corpus.iter().enumerate() {
            failure::named(format!("{} file {number}", self.name), || target(bytes));
        }
        for (seed, bytes) in self.inputs(times) {
            failure::named(format!("{} FUZZ_SEED={seed}", self.name), || target(&bytes));
        }
    }

    /// Mangled inputs with their seeds: `times` of them, or as many as fit into `FUZZ_SECONDS`.
    /// `FUZZ_SEED` sets the first seed.
    pub fn inputs(&self, times: u64) -> impl Iterator<Item = (u64, Vec<u8>)> {
        let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
        let first: u64 = number("FUZZ_SEED").unwrap_or(0);
        let until = number("FUZZ_SECONDS").map(|s| Instant::now() + Duration::from_secs(s));
        let goes_on =
            move |seed: &u64| until.map_or(seed - first < times, |until| Instant::now() < until);
        (first..).take_while(goes_on).map(|seed| (seed, self.mangled(seed)))
    }

    fn mangled(&self, seed: u64) -> Vec<u8> {
        let mut dice = Dice::new(&Seed::from_number(seed), &self.name, 0);
        let mut bytes = dice.pick(&self.corpus).clone();
        for _ in 0..=dice.below(6) {
            self.mangle(&mut dice, &mut bytes);
        }
        bytes
    }

    fn mangle(&self, dice: &mut Dice, bytes: &mut Vec<u8>) {
        let place = dice.below(bytes.len() + 1);
        match dice.below(8) {
            0 if place < bytes.len() => bytes[place] = dice.below(256) as u8,
            1 => bytes.insert(place, *dice.pick(b"\0\t\n\r\"{}[]|:,-<>\xff\x80 9")),
            2 => _ = bytes.drain(place..(place + dice.below(40)).min(bytes.len())),
            3 => _ = bytes.splice(place..place, dice.pick(&WORDS).bytes()),
            4 => replace_number(dice, bytes),
            5 => {
                let other = dice.pick(&self.corpus);
                bytes.truncate(place);
                bytes.extend_from_slice(&other[dice.below(other.len() + 1)..]);
            }
            _ => {
                let mut lines: Vec<Vec<u8>> =
                    bytes.split(|b| *b == b'\n').map(Into::into).collect();
                let (one, two) = (dice.below(lines.len()), dice.below(lines.len()));
                match dice.below(3) {
                    0 => lines.swap(one, two),
                    1 => _ = lines.remove(one),
                    _ => lines.insert(two, lines[one].clone()),
                }
                *bytes = lines.join(&b'\n');
            }
        }
    }
}

/// Puts a word in the place of a number.
fn replace_number(dice: &mut Dice, bytes: &mut Vec<u8>) {
    let begins: Vec<usize> = (0..bytes.len())
        .filter(|at| bytes[*at].is_ascii_digit() && (*at == 0 || !bytes[at - 1].is_ascii_digit()))
        .collect();
    if !begins.is_empty() {
        let begin = *dice.pick(&begins);
        let length = bytes[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        bytes.splice(begin..begin + length, dice.pick(&WORDS).bytes());
    }
}
