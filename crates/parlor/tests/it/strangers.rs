//! Bots of strangers at one tournament: what one of them tries costs the others nothing.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::kit::{BINARY, Ended, Running, skipped};

const STARTER: &str = include_str!("../../../../examples/gamba.py");

/// Gives a rival's name first, over a separate connection, and continues as an ordinary bot would.
const IMPOSTOR: &str = r#"
import socket, sys
host, port, name = sys.argv[1:4]
for rival in ("ann", "bob"):
    s = socket.create_connection((host, int(port)))
    s.sendall(f"0|||name={rival}\n".encode())
    print("as", rival, "heard", s.recv(1000))
"#;

/// Tries everything that a bot could gain by.
const EVERYTHING: &str = r#"
import os, signal, socket, sys, time
host, port, name, out = sys.argv[1:5]
def tell(*words): print(*words, flush=True)
# The seats of the others: through its own relay, over more connections, through other relays.
for rival in ("ann", "bob"):
    s = socket.create_connection((host, int(port)))
    s.sendall(f"0|||name={rival}\n".encode())
    tell("as", rival, "heard", s.recv(1000))
s = socket.create_connection((host, int(port)))
s.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
tell("HTTP heard", s.recv(1000))
many = [socket.create_connection((host, int(port))) for _ in range(15)]
listening = [line.split()[1] for line in open("/proc/net/tcp").readlines()[1:] if line.split()[3] == "0A"]
tell("ports", sorted({int(address.split(":")[1], 16) for address in listening} - {int(port)}))
# What they say to the server.
for place in (out, os.path.dirname(out), "/root", "/home"):
    try: tell("reads", os.listdir(place))
    except OSError as error: tell("cannot read", place, error.errno)
# Their processes, and what is in the process list.
others = [pid for pid in os.listdir("/proc") if pid.isdigit()]
lines = [open(f"/proc/{pid}/cmdline").read().replace("\0", " ") for pid in others]
tell("processes", len(others), [line for line in lines if "jail" not in line and "eve" not in line])
# The jail's first process can be sent signals, which it does not get.
first, killed = {int(thread) for thread in os.listdir("/proc/1/task")}, 0
for pid in range(1, 70000):
    if pid not in (os.getpid(), os.getppid()):
        try: os.kill(pid, signal.SIGKILL); killed += pid not in first
        except OSError: pass
tell("killed", killed)
# Room for everybody.
size = 0
try:
    with open("/tmp/full", "wb") as file:
        while size < 1 << 30: size += file.write(bytes(1 << 20)); file.flush()
except OSError as error: tell("disk full", size >> 20, error.errno)
children = []
try:
    while len(children) < 1000:
        child = os.fork()
        if child == 0: time.sleep(60); os._exit(0)
        children.append(child)
except OSError as error: tell("no more processes", len(children), error.errno)
"#;

/// A folder for each bot that all users can read, so that a bot can run as another user.
pub struct Teams(tempfile::TempDir);

impl Teams {
    pub fn new() -> Teams {
        let folder = tempfile::tempdir().unwrap();
        Teams(folder)
    }

    pub fn bot(&self, name: &str, program: &str) -> PathBuf {
        let folder = self.0.path().join(name);
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
        let path = folder.join("bot.py");
        fs::write(&path, program).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        path
    }

    pub fn out(&self) -> PathBuf {
        self.0.path().join("out")
    }
}

pub fn run(out: &Path, bots: &[String], rest: &[&str]) -> Ended {
    let mut command = Command::new(BINARY);
    command.args(["tournament", "run", "--game", "gamba", "--format", "round-robin"]);
    bots.iter().for_each(|bot| _ = command.args(["--bot", bot]));
    command.args(rest).arg("--out").arg(out);
    Running::spawn(&mut command, "").end_within(Duration::from_secs(300))
}

/// Whether this system has no means to isolate bots. The test that asks is then skipped, and says so.
pub fn cannot_isolate(ended: &Ended) -> bool {
    let cannot = ended.stderr.contains("bots cannot be isolated on this system");
    if cannot {
        skipped(&ended.stderr);
    }
    cannot
}

pub fn summary(ended: &Ended) -> Value {
    let last = ended.stdout.lines().last().unwrap_or_default();
    let mut summary: Value = serde_json::from_str(last).unwrap_or_else(|_| panic!("{ended:?}"));
    summary["summary"].take()
}

/// The bots that ended in games of theirs, never came or tried something.
fn conspicuous(summary: &Value) -> Vec<&str> {
    let bots = summary["bots"].as_array().expect("a list").iter();
    let odd = bots.filter(|bot| {
        bot["crashes"] != 0 || bot["moves"] == 0 || bot["attempts"] != Value::Array(vec![])
    });
    odd.filter_map(|bot| bot["name"].as_str()).collect()
}

pub fn attempts(summary: &Value, name: &str) -> String {
    let bots = summary["bots"].as_array().expect("a list");
    let bot = bots.iter().find(|bot| bot["name"] == name).expect("it took part");
    bot["attempts"].to_string()
}

/// Games of others were decided at the table.
fn assert_undisturbed(ended: &Ended) {
    let decided = ended.stdout.lines().filter(|line| line.contains("decided"));
    for line in decided.filter(|line| !line.contains("eve")) {
        assert!(line.contains("(played)"), "{line}");
    }
}

/// A bot that said a rival's name through its own relay was given the rival's seat and hand.
#[test]
fn a_bot_cannot_play_the_seats_of_others() {
    let teams = Teams::new();
    let bot = |name: &str, program: &str| {
        format!("{name}=python3 {} {{host}} {{port}} {{name}}", teams.bot(name, program).display())
    };
    let bots = [bot("ann", STARTER), bot("bob", STARTER), bot("eve", IMPOSTOR)];
    let ended = run(&teams.out(), &bots, &["--isolate", "none"]);
    assert_eq!(ended.code, Some(1), "eve never made a move: {ended:?}");
    let summary = summary(&ended);
    assert_eq!(conspicuous(&summary), ["eve"], "{ended:?}");
    assert_eq!(attempts(&summary, "eve"), r#"["tried to play as ann, bob"]"#);
    assert_undisturbed(&ended);
    let printed = fs::read_to_string(teams.out().join("logs/eve/printed.txt")).unwrap();
    assert!(printed.contains("as ann heard b''"), "{printed}");
    // What it says of the run can be read when the run is over.
    assert_ne!(fs::metadata(teams.out()).unwrap().permissions().mode() & 0o777, 0o700);
}

/// One bot that tries everything: the other five play as if it were not there.
#[test]
fn five_bots_play_undisturbed_beside_one_that_tries_everything() {
    let teams = Teams::new();
    let out = teams.out();
    let mut bots: Vec<String> = Vec::new();
    for name in ["ann", "bob", "cyd", "dan", "fay"] {
        let bot = teams.bot(name, STARTER);
        bots.push(format!("{name}=python3 {} {{host}} {{port}} {{name}}", bot.display()));
    }
    let eve = teams.bot("eve", EVERYTHING);
    let arguments = format!("{{host}} {{port}} {{name}} {}", out.display());
    bots.push(format!("eve=python3 {} {arguments}", eve.display()));
    // Without isolation this bot would end the processes of the user who runs the tests.
    let ended = run(&out, &bots, &["--isolate", "strict", "--seed", "7"]);
    if cannot_isolate(&ended) {
        return;
    }
    let told = ended.stderr.lines().next().unwrap_or_default();
    assert!(told.starts_with("bots: isolated (own user"), "{ended:?}");
    let summary = summary(&ended);
    assert_eq!(conspicuous(&summary), ["eve"], "{ended:?}");
    let tried = attempts(&summary, "eve");
    for told in [
        "tried to play as ann, bob",
        "connections besides the one it is allowed",
        "spoke HTTP like a browser",
        "reached its limit of processes",
        "filled its /tmp",
    ] {
        assert!(tried.contains(told), "{told}: {tried}");
    }
    assert_undisturbed(&ended);
    let printed = fs::read_to_string(out.join("logs/eve/printed.txt")).unwrap();
    for told in [
        "as ann heard b''",
        "ports []",
        &format!("cannot read {}", out.display()),
        "cannot read /root",
        "killed 0",
        "disk full 6",
        "no more processes",
    ] {
        assert!(printed.contains(told), "{told}: {printed}");
    }
    let list = printed.lines().find(|line| line.contains("processes ")).expect("it was printed");
    assert!(list.ends_with("[]"), "nobody else's processes: {list}");
    // Its number was mixed with a secret, which anyone can check now.
    let seed: Value =
        serde_json::from_str(&fs::read_to_string(out.join("seed.json")).unwrap()).unwrap();
    assert_eq!(seed["number"], 7);
    assert_eq!(seed["seed"], summary["tournament"]["plan"]["seed"]);
    assert_ne!(seed["seed"], format!("07{}", "0".repeat(62)));
}

/// Says every name that a rival may have, and then plays as an ordinary bot does.
const TWO_FACED: &str = r#"
import os, socket, sys
host, port, name, starter, note = sys.argv[1:6]
for rival in ("ann", "bot1", "bot2", "new", "base"):
    if rival != name:
        s = socket.create_connection((host, int(port)))
        s.sendall(f"0|||name={rival}\n".encode())
        with open(note, "a") as file: print("as", rival, "heard", s.recv(1000), file=file)
os.execvp("python3", ["python3", starter, host, port, name])
"#;

/// Runs `play` or `match` with the two-faced bot and an honest one. Gives back the last line, and what the
/// server told the bot under other names.
fn against_two_faces(arguments: &[&str], [honest, two_faced]: [&str; 2]) -> (Ended, String) {
    let teams = Teams::new();
    let (ann, eve) = (teams.bot("ann", STARTER), teams.bot("eve", TWO_FACED));
    let (ann, eve, note) = (ann.display(), eve.display(), teams.0.path().join("note"));
    let words = "{host} {port} {name}";
    let mut command = Command::new(BINARY);
    command.args(arguments);
    command.arg(honest).arg(format!("ann=python3 {ann} {words}"));
    command.arg(two_faced).arg(format!("eve=python3 {eve} {words} {ann} {}", note.display()));
    let ended = Running::spawn(&mut command, "").end_within(Duration::from_secs(120));
    let heard = fs::read_to_string(note).unwrap_or_else(|_| panic!("{ended:?}"));
    (ended, heard)
}

/// Every connection with a rival's name was closed without a word.
fn assert_unheard(heard: &str) {
    assert!(heard.lines().count() >= 4, "{heard}");
    assert!(heard.lines().all(|line| line.ends_with("heard b''")), "{heard}");
}

#[test]
fn a_bot_in_play_cannot_say_the_names_of_others() {
    let (ended, heard) = against_two_faces(&["play", "gamba", "--games", "1"], ["--bot", "--bot"]);
    assert_unheard(&heard);
    let game = ended.stdout.lines().next().unwrap_or_default();
    let game: Value = serde_json::from_str(game).unwrap_or_else(|_| panic!("{ended:?}"));
    let (ann, eve) = (&game["seats"][0], &game["seats"][1]);
    assert_eq!(game["void"], Value::Null, "{game}");
    assert_eq!((&ann["bot"], &ann["absent"]), (&"ann".into(), &false.into()), "{game}");
    assert_eq!(
        (&ann["refusals"], &ann["troubles"]),
        (&Value::Array(vec![]), &Value::Array(vec![]))
    );
    assert!(ann["moves"].as_u64() > Some(0), "{game}");
    assert!(eve["refusals"].to_string().contains("it tried to join as 'ann'"), "{game}");
}

#[test]
fn a_bot_in_a_match_cannot_say_the_names_of_others() {
    let arguments = ["match", "--json", "--game", "gamba", "--games", "2"];
    let (ended, heard) = against_two_faces(&arguments, ["--base", "--new"]);
    assert_unheard(&heard);
    let report: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{ended:?}"));
    assert_eq!((&report["games"], &report["void"]), (&2.into(), &0.into()), "{report}");
    for side in ["base", "new"] {
        assert_eq!(report["sides"][side]["forfeits"], 0, "{report}");
    }
}

/// With `--open-seed` the number alone decides the deals.
#[test]
fn an_open_seed_is_taken_as_it_is() {
    let teams = Teams::new();
    let bots = ["ann=house:random".to_owned(), "bob=house:random".to_owned()];
    let ended = run(&teams.out(), &bots, &["--seed", "7", "--open-seed"]);
    let seed = &summary(&ended)["tournament"]["plan"]["seed"];
    assert_eq!(*seed, format!("07{}", "0".repeat(62)), "{ended:?}");
    assert!(!teams.out().join("seed.json").exists());
}
