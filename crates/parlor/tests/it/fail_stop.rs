//! Without its journal the server does not play: it says what and where, and ends.

use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex};

use server::{Port, Server as House, Settings, Storage};
use store::memory::Memory;
use store::{Batch, Journal, Loaded, StoreError};

use crate::checker;
use crate::kit::{BINARY, Ended, Heard, Line, PATIENCE, Running, Server, play_a_game, serve};
use crate::players::{Player, Signpost};

/// A folder in which one game was played, and the server went in order.
fn used_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    play_a_game(server.sushi_go());
    assert_eq!(server.terminate().code, Some(0));
    folder
}

fn try_serve(folder: &Path) -> Ended {
    let mut command = Command::new(BINARY);
    command.args(serve(folder));
    Running::spawn(&mut command, "").end()
}

/// The server refuses, says all this, and leaves the journal as it was.
fn assert_refused(folder: &Path, said: &[&str]) {
    let journal = ["parlor.db", "parlor.db-wal", "parlor.tail"].map(|name| folder.join(name));
    let read = || journal.clone().map(|file| std::fs::read(file).ok());
    let before = read();
    let ended = try_serve(folder);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert_eq!(ended.stdout, "", "it never was ready");
    for text in said {
        assert!(ended.stderr.contains(text), "'{text}' is not in: {}", ended.stderr);
    }
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
    assert!(read() == before, "a refused journal was changed");
}

#[test]
fn a_damaged_journal_is_refused() {
    let folder = used_folder();
    let file = folder.path().join("parlor.db");
    let whole = std::fs::read(&file).unwrap();
    let place = file.display().to_string();
    let mut flipped = whole.clone();
    // Every page after the first, so that no free page is all that is hit.
    flipped[4096..].iter_mut().step_by(500).for_each(|byte| *byte ^= 1);
    for damaged in [&flipped[..], &whole[..whole.len() / 2], &whole[..100], &[]] {
        std::fs::write(&file, damaged).unwrap();
        assert_refused(folder.path(), &[&place, "is damaged", "nothing was changed"]);
    }
    std::fs::remove_file(&file).unwrap();
    assert_refused(folder.path(), &[&place, "is damaged", "parlor.tail is there"]);
    std::fs::write(&file, whole).unwrap();
    assert_eq!(Server::start(folder.path()).terminate().code, Some(0));
}

#[test]
fn a_newer_journal_is_refused() {
    let folder = used_folder();
    let file = folder.path().join("parlor.db");
    let mut bytes = std::fs::read(&file).unwrap();
    // SQLite keeps the number of the layout here.
    bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
    std::fs::write(&file, bytes).unwrap();
    let place = file.display().to_string();
    assert_refused(folder.path(), &[&place, "written by a newer Parlor (layout 99"]);
}

#[test]
fn a_second_server_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = Server::start(folder.path());
    let second = try_serve(folder.path());
    let said = format!("{} is already used by another server", folder.path().display());
    assert!(second.code == Some(1) && second.stderr.contains(&said), "{second:?}");
    play_a_game(first.sushi_go());
    first.kill();
    // The lock ends with the process, however that ends.
    assert_eq!(Server::start(folder.path()).terminate().code, Some(0));
}

#[test]
fn a_journal_that_may_not_be_written_is_refused() {
    // For the system's administrator nothing is read-only, so another user tries.
    let folder = used_folder();
    let root = std::fs::metadata("/proc/self").unwrap();
    let is_root = std::os::unix::fs::MetadataExt::uid(&root) == 0;
    let outside = tempfile::tempdir().expect("a folder");
    let program = outside.path().join("parlor");
    std::fs::copy(BINARY, &program).unwrap();
    let set = |path: &Path, mode| {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    };
    set(outside.path(), 0o755);
    let refused = |said: &[&str]| {
        let mut command = Command::new(&program);
        command.args(serve(folder.path()));
        if is_root {
            command.uid(NOBODY);
        }
        let ended = Running::spawn(&mut command, "").end();
        assert_eq!(ended.code, Some(1), "{ended:?}");
        for text in said {
            assert!(ended.stderr.contains(text), "'{text}' is not in: {}", ended.stderr);
        }
    };
    const NOBODY: u32 = 65534;
    if is_root {
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            chown(entry.unwrap().path(), Some(NOBODY), None).unwrap();
        }
        chown(folder.path(), Some(NOBODY), None).unwrap();
    }
    let file = folder.path().join("parlor.db");
    let whole = std::fs::read(&file).unwrap();
    set(&file, 0o444);
    refused(&[&format!("cannot write {}", file.display()), "read-only"]);
    set(&file, 0o644);
    set(&folder.path().join("lock"), 0o444);
    set(folder.path(), 0o555);
    refused(&[&folder.path().display().to_string(), "Permission denied"]);
    assert!(std::fs::read(&file).unwrap() == whole);
    set(folder.path(), 0o755);
}

/// Players play until the server ends by itself; then it is started again with room, and
/// whatever was acknowledged must be there.
fn play_until_it_ends(folder: &Path, command: &mut Command) -> Ended {
    let signpost = Arc::new(Signpost::default());
    let players = (0..6).map(|number| Player::new(number, 7, signpost.clone()));
    let players: Vec<_> = players.map(|player| std::thread::spawn(move || player.play())).collect();
    let server = Server::await_ready(Running::spawn(command, ""));
    signpost.point_to(server.sushi_go());
    let ended = server.end();
    signpost.announce_last_games();
    let server = Server::start(folder);
    signpost.point_to(server.sushi_go());
    let diaries: Vec<_> =
        players.into_iter().flat_map(|player| player.join().expect("plays on")).collect();
    let tally = checker::check(&checker::archive(&server), &diaries);
    assert!(tally.acknowledged > 60, "{tally:?}");
    assert_eq!(server.terminate().code, Some(0));
    ended
}

#[test]
fn a_journal_that_cannot_grow_ends_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    // A limit on the size of files; without the signal it is an error of the write.
    let script = r#"trap '' XFSZ; ulimit -f 600; exec "$0" "$@""#;
    let mut command = Command::new("sh");
    command.args(["-c", script, BINARY]).args(serve(folder.path()));
    let ended = play_until_it_ends(folder.path(), &mut command);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let said = format!("the journal {} failed", folder.path().join("parlor.db").display());
    assert!(ended.stderr.contains(&said), "{}", ended.stderr);
}

#[test]
fn a_full_disk_ends_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let disk = folder.path().join("disk");
    let kept = folder.path().join("kept");
    std::fs::create_dir(&disk).unwrap();
    // A small separate disk, which ends with the process: its content is copied before.
    let script = r#"mount -t tmpfs -o size=400k none "$0/disk" || exit 77
        echo mounted >&2
        "$@"; code=$?
        cp -r "$0/disk" "$0/kept"
        exit $code"#;
    let mut command = Command::new("unshare");
    command.args(["-Umr", "sh", "-c", script]).arg(folder.path()).arg(BINARY).args(serve(&disk));
    // So small a disk would take no games at all.
    command.args(["--set", "upkeep.free_disk_mb=0"]);
    let may_mount = Command::new("unshare")
        .args(["-Umr", "sh", "-c", r#"mount -t tmpfs none "$0""#])
        .arg(&disk)
        .output()
        .is_ok_and(|tried| tried.status.success());
    if !may_mount {
        // A system that forbids mounting still has the limit on the size of files, above.
        return;
    }
    let ended = play_until_it_ends(&kept, &mut command);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let said = format!("the journal {} failed: ", disk.join("parlor.db").display());
    assert!(ended.stderr.contains(&said), "{}", ended.stderr);
    assert!(ended.stderr.contains("full"), "{}", ended.stderr);
}

/// A journal in memory that does something else at the first move.
#[derive(Debug)]
struct Troubled {
    memory: Memory,
    gate: Arc<Gate>,
    panics: bool,
}

#[derive(Debug, Default)]
struct Gate {
    /// A move is waiting, and it may be passed on.
    state: Mutex<(bool, bool)>,
    changed: Condvar,
}

impl Gate {
    fn change(&self, change: impl FnOnce(&mut (bool, bool))) {
        change(&mut self.state.lock().unwrap());
        self.changed.notify_all();
    }

    fn wait_until(&self, holds: impl Fn(&(bool, bool)) -> bool) {
        let state = self.state.lock().unwrap();
        let waited = self.changed.wait_timeout_while(state, PATIENCE, |state| !holds(state));
        assert!(!waited.unwrap().1.timed_out());
    }
}

impl Journal for Troubled {
    fn streams(&self) -> Result<Vec<String>, StoreError> {
        self.memory.streams()
    }

    fn load(&mut self, stream: &str) -> Result<Loaded, StoreError> {
        self.memory.load(stream)
    }

    fn append(&mut self, batches: Vec<Batch>) -> Result<(), StoreError> {
        let mut rows = batches.iter().flat_map(|batch| &batch.rows);
        if rows.any(|row| row.record.to_json().contains("\"moved\"")) {
            assert!(!self.panics, "a journal with a bug");
            self.gate.change(|state| state.0 = true);
            self.gate.wait_until(|state| state.1);
            let cause = std::io::Error::other("the disk is on fire");
            return Err(StoreError::Io { verb: "write", path: "/the/journal".into(), cause });
        }
        self.memory.append(batches)
    }

    fn prune(&mut self, closed_before: u64, at_most: usize) -> Result<usize, StoreError> {
        self.memory.prune(closed_before, at_most)
    }

    fn close(&mut self) -> Result<(), StoreError> {
        self.memory.close()
    }
}

/// A server in this process whose journal is in trouble, with two players just before the
/// first move.
struct Troubles {
    runtime: tokio::runtime::Runtime,
    house: House,
    gate: Arc<Gate>,
    players: [Line; 2],
}

impl Troubles {
    fn new(panics: bool) -> Troubles {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let mut settings = Settings { data: None, ..Settings::default() };
        for name in games::list().ports() {
            settings.ports.insert(name.to_owned(), Port::Number(0));
        }
        let gate = Arc::new(Gate::default());
        let memory = Memory::default();
        let archive = Arc::new(memory.clone());
        let journal = Box::new(Troubled { memory, gate: gate.clone(), panics });
        let storage = Storage { journal, archive, memory: None, house: None };
        let mut roster = wire::Games::default();
        games::each(&mut roster);
        let starting = House::start_with(&roster, settings, storage);
        let house = runtime.block_on(starting).unwrap();
        let address = house.addresses["sushi-go"];
        let mut players = [0, 1].map(|_| Line::connect(address).unwrap());
        let games = players[0].ask("GAMES", &["GAMES"]);
        let id = games.split('"').nth(3).unwrap().to_owned();
        for (name, line) in ["Ada", "Bob"].into_iter().zip(&mut players) {
            line.ask(&format!("JOIN {id} {name}"), &["WELCOME"]);
            line.ask("READY", &["OK"]);
        }
        players.iter_mut().for_each(|line| _ = line.expect(&["HAND"]));
        Troubles { runtime, house, gate, players }
    }
}

/// Whatever has been said, to be asked while the server is still there: a connection that is
/// cut takes with it what was not read.
fn hear_out(line: &mut Line) -> Vec<String> {
    let mut said = Vec::new();
    while let Heard::Line(text) = line.hear() {
        said.push(text);
    }
    said
}

#[test]
fn a_move_that_cannot_be_written_is_never_acknowledged() {
    let Troubles { runtime, mut house, gate, mut players } = Troubles::new(false);
    assert!(players[0].say("PLAY 0"));
    gate.wait_until(|state| state.0);
    // The journal is busy: requests now wait behind it, and the move is sent to no one.
    assert!(players[1].say("PLAY 0"));
    assert!(players[0].say("STATUS"));
    gate.change(|state| state.1 = true);
    let failure = runtime.block_on(house.failed()).to_string();
    assert_eq!(failure, "cannot write /the/journal: the disk is on fire");
    for line in &mut players {
        assert_eq!(hear_out(line), Vec::<String>::new());
    }
}

#[test]
fn a_journal_that_fails_during_shutdown_ends_the_server() {
    let Troubles { runtime, house, gate, mut players } = Troubles::new(false);
    assert!(players[0].say("PLAY 0"));
    gate.wait_until(|state| state.0);
    let shutdown = runtime.spawn(house.shutdown());
    gate.change(|state| state.1 = true);
    let ended = runtime.block_on(async { tokio::time::timeout(PATIENCE, shutdown).await });
    let failure = ended.expect("it ends").unwrap().unwrap_err().to_string();
    assert!(failure.contains("the disk is on fire"), "{failure}");
    assert_eq!(hear_out(&mut players[0]), Vec::<String>::new());
}

#[test]
fn a_journal_writer_that_panics_ends_the_server() {
    let Troubles { runtime, mut house, gate: _gate, mut players } = Troubles::new(true);
    assert!(players[0].say("PLAY 0"));
    let failure = runtime.block_on(house.failed()).to_string();
    assert_eq!(failure, "the journal's writer panicked");
    assert_eq!(hear_out(&mut players[0]), Vec::<String>::new());
}
