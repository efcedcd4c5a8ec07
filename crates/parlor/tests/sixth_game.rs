//! A sixth game on the roster: served, played, examined and measured like the others.
//!
//! This program is the test and, called with a command, parlor with six games.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Command, ExitCode, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use trials::tic_tac_toe::TicTacToe;
use wire::Games;

const COMMANDS: [&str; 8] =
    ["serve", "config", "bot", "play", "check", "tournament", "bench", "soak"];

fn main() -> ExitCode {
    let first = std::env::args().nth(1).unwrap_or_default();
    if COMMANDS.contains(&first.as_str()) {
        let mut roster = Games::default();
        games::each(&mut roster);
        return parlor::run(&roster.with::<TicTacToe>());
    }
    it_is_configured_and_helped();
    it_is_played_over_a_socket();
    it_is_played_by_bots_and_examined();
    it_has_tournaments();
    it_is_measured();
    ExitCode::SUCCESS
}

fn parlor(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("PARLOR_")) {
        command.env_remove(name);
    }
    command.args(arguments);
    command
}

/// What a command prints that ends well.
fn printed(arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = parlor(arguments).output().expect("it starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{arguments:?}: {stdout}\n{stderr}");
    stdout.into_owned()
}

fn it_is_configured_and_helped() {
    let config = printed(&["config", "--set", "tic-tac-toe.turn_timeout_ms=1500"]);
    for part in ["\ntic-tac-toe = 7999\n", "\n[tic-tac-toe]\n", "\nturn_timeout_ms = 1500\n"] {
        assert!(config.contains(part), "{part} is not in\n{config}");
    }
    assert!(printed(&["bot", "--help"]).contains("labyrinth or tic-tac-toe"));
    let wrong = parlor(&["bot", "chess"]).output().expect("it starts");
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("labyrinth, tic-tac-toe"));
}

/// A server that ends with the test.
struct Served(Child, Value);

impl Served {
    fn start() -> Served {
        let mut command = parlor(&["serve", "--ephemeral"]);
        let mut games = games::list();
        games.add::<TicTacToe>();
        command.args(games.ports().iter().flat_map(|port| ["--port".into(), format!("{port}=0")]));
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("it starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("piped");
        BufReader::new(stdout).read_line(&mut line).expect("it says where it listens");
        let ready = line.strip_prefix("ready ").unwrap_or_else(|| panic!("{line}"));
        Served(child, serde_json::from_str(ready).expect("JSON"))
    }

    fn address(&self) -> &str {
        self.1["tic-tac-toe"].as_str().expect("it listens for the game")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself; either way it must be gone.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Line(BufReader<TcpStream>);

impl Line {
    fn connect(address: &str) -> Line {
        let socket = TcpStream::connect(address).expect("it listens");
        socket.set_read_timeout(Some(Duration::from_secs(30))).expect("a socket");
        Line(BufReader::new(socket))
    }

    fn say(&mut self, text: &str) {
        writeln!(self.0.get_mut(), "{text}").expect("it reads");
    }

    /// The next line that begins with this word.
    fn hear(&mut self, word: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).expect("it answers") > 0, "hung up before {word}");
            if line.starts_with(word) {
                return line.trim_end().to_owned();
            }
        }
    }
}

fn it_is_played_over_a_socket() {
    let server = Served::start();
    let [mut ann, mut bob] = ["ann", "bob"].map(|name| {
        let mut line = Line::connect(server.address());
        line.say(&format!("JOIN {name}"));
        line.hear("JOINED board-1 ");
        line
    });
    for (square, board) in
        ["X........ O", "X...O.... X", "XX..O.... O", "XX..O...O X", "XXX.O...O -"]
            .into_iter()
            .zip([1, 5, 2, 9, 3])
            .map(|(board, square)| (square, board))
    {
        let mover = if board.ends_with('X') { &mut bob } else { &mut ann };
        mover.say(&format!("PLAY {square}"));
        assert_eq!(ann.hear(&format!("BOARD {board}")), format!("BOARD {board}"));
        bob.hear(&format!("BOARD {board}"));
    }
    assert_eq!((ann.hear("OVER"), bob.hear("OVER")), ("OVER won".into(), "OVER lost".into()));
    // Bots of every wire meet there.
    let house = server.1["http"].as_str().expect("HTTP");
    let bot = |more: &[&str]| {
        let command = &mut parlor(&["bot", "tic-tac-toe", "--strategy", "careful"]);
        command.args(more).stdout(Stdio::piped()).spawn().expect("it starts")
    };
    let bots = [
        bot(&["--name", "cy", "--connect", server.address()]),
        bot(&["--name", "dee", "--wire", "house", "--connect", house]),
    ];
    for bot in bots {
        let ended = bot.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&ended.stdout).into_owned();
        assert!(ended.status.success() && said.starts_with("game 1: "), "{said}");
    }
}

fn it_is_played_by_bots_and_examined() {
    let play = ["play", "tic-tac-toe", "--games", "4", "--seed", "1"];
    let bots = ["--bot", "careful=house:careful", "--bot", "random=house:random"];
    let told = printed(&[&play[..], &bots].concat());
    let summary: Value = serde_json::from_str(told.lines().last().unwrap_or_default()).unwrap();
    assert!(summary.to_string().contains("careful"), "{told}");
    let program = std::env::current_exe().expect("this program");
    let bot = format!(
        "{} bot tic-tac-toe --connect {{host}}:{{port}} --name {{name}} --table {{table}}",
        program.display()
    );
    let marks = printed(&["check", "tic-tac-toe", "--bot", &bot]);
    assert!(marks.lines().count() > 5 && !marks.contains("\"wrong\""), "{marks}");
}

fn it_has_tournaments() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("league").display().to_string();
    let run = ["tournament", "run", "--game", "tic-tac-toe", "--format", "round-robin"];
    let bots =
        ["--bot", "ann=house:careful", "--bot", "bob=house:random", "--bot", "cy=house:random"];
    printed(&[&run[..], &bots, &["--seed", "1", "--out", &out]].concat());
    let standings = std::fs::read_to_string(format!("{out}/standings.csv")).expect("standings");
    assert_eq!(standings.lines().count(), 4, "{standings}");
}

fn it_is_measured() {
    let json = |arguments: &[&str]| -> Value {
        serde_json::from_str(&printed(&[&["bench"], arguments, &["--json"]].concat()))
            .expect("JSON")
    };
    assert!(json(&["rules", "--seconds", "0"])["tic-tac-toe"]["moves_per_s"].as_f64() > Some(0.0));
    let pairs = json(&["strategies", "--game", "tic-tac-toe", "--games", "40"])["pairs"].clone();
    assert!(pairs[0]["wins"][1].as_u64() > pairs[0]["wins"][0].as_u64(), "{pairs}");
    let wire = ["wire", "--game", "tic-tac-toe", "--tables", "2", "--seconds", "1"];
    assert!(json(&wire)["games_per_s"].as_f64() > Some(0.0));
    let soak = printed(&["soak", "--seconds", "5", "--clients", "1", "--json"]);
    let soak: Value = serde_json::from_str(&soak).expect("JSON");
    assert_eq!(soak["faults"], Value::Array(Vec::new()), "{soak}");
    let finished = soak["games_finished"].as_object().expect("by game");
    assert!(finished["tic-tac-toe"].as_u64() > Some(0), "{soak}");
    let all: Option<u64> = finished.values().map(Value::as_u64).sum();
    assert_eq!(soak["games_verified"].as_u64(), all, "{soak}");
}
