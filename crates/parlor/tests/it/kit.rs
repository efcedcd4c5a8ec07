//! The program as a child process, and a client that talks in lines.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Nothing in these tests takes this long unless it hangs.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub const BINARY: &str = env!("CARGO_BIN_EXE_parlor");

/// What a program printed before it ended.
#[derive(Debug)]
pub struct Ended {
    /// None: a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a command of the program to its end.
pub fn parlor(arguments: &[&str]) -> Ended {
    parlor_reading(arguments, "")
}

/// As [`parlor`], with something to read.
pub fn parlor_reading(arguments: &[&str], input: &str) -> Ended {
    let mut command = Command::new(BINARY);
    command.args(arguments);
    Running::spawn(&mut command, input).end()
}

/// Says that a test was skipped, and why. What tests print is kept back when they pass, except for what they
/// write to standard error themselves.
pub fn skipped(why: &str) {
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    let why = why.trim();
    writeln!(std::io::stderr(), "\nskipped {name}: {why}")
        .expect("standard error can be written to");
}

/// `parlor serve` with its folder, Sushi Go and HTTP on free ports, and nothing else.
pub fn serve(data: &Path) -> Vec<String> {
    let mut arguments = vec!["serve".to_owned(), "--data".to_owned(), data.display().to_string()];
    for name in games::list().ports() {
        let port = if matches!(name, "sushi-go" | "http") { "0" } else { "off" };
        arguments.extend(["--port".to_owned(), format!("{name}={port}")]);
    }
    arguments
}

/// A process, with what it says collected.
pub struct Running {
    child: Child,
    stdout: mpsc::Receiver<String>,
    stderr: mpsc::Receiver<String>,
}

impl Running {
    pub fn spawn(command: &mut Command, input: &str) -> Running {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // The surroundings of the tests must not change what they see.
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("PARLOR_")) {
            command.env_remove(name);
        }
        let mut child = command.spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("piped");
        // A program that does not read its input may close it.
        let _ = stdin.write_all(input.as_bytes());
        let stdout = collect(child.stdout.take().expect("piped"));
        let stderr = collect(child.stderr.take().expect("piped"));
        Running { child, stdout, stderr }
    }

    /// Waits for the end by itself.
    pub fn end(self) -> Ended {
        self.end_within(PATIENCE)
    }

    /// As [`end`](Running::end), for what takes its time.
    pub fn end_within(mut self, patience: Duration) -> Ended {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child of ours") {
                let stdout = self.stdout.iter().collect();
                return Ended { code: status.code(), stdout, stderr: self.stderr.iter().collect() };
            }
            if Instant::now() > deadline {
                let said: String = self.stderr.try_iter().collect();
                panic!("the program does not end; it has said: {said}");
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits for the first line of standard output.
    pub fn first_line(&self) -> String {
        self.stdout.recv_timeout(PATIENCE).expect("the program says something")
    }

    /// Waits for the next line on standard error; it is not among those of the end.
    pub fn next_error(&self) -> String {
        self.stderr.recv_timeout(PATIENCE).expect("the program complains")
    }

    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status().expect("kill runs");
        assert!(sent.success(), "kill -s {name} {id}");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself; either way it must be gone.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads lines in a separate thread, so that the program never blocks on a full pipe.
fn collect(from: impl Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            if sender.send(line + "\n").is_err() {
                return;
            }
        }
    });
    lines
}

/// A server that is ready.
pub struct Server {
    process: Running,
    pub addresses: BTreeMap<String, SocketAddr>,
}

impl Server {
    pub fn start(data: &Path) -> Server {
        let mut command = Command::new(BINARY);
        command.args(serve(data));
        Server::await_ready(Running::spawn(&mut command, ""))
    }

    pub fn await_ready(process: Running) -> Server {
        let Ok(line) = process.stdout.recv_timeout(PATIENCE) else {
            panic!("the server does not start: {}", process.end().stderr);
        };
        let ready = line.strip_prefix("ready ").expect("a ready line");
        let addresses = serde_json::from_str(ready).expect("addresses");
        Server { process, addresses }
    }

    pub fn sushi_go(&self) -> SocketAddr {
        self.addresses["sushi-go"]
    }

    /// The answer to a GET, as text.
    pub fn get(&self, path: &str) -> String {
        let url = format!("http://{}{path}", self.addresses["http"]);
        let mut response = ureq::get(&url).call().unwrap_or_else(|error| panic!("{url}: {error}"));
        response.body_mut().read_to_string().expect("text")
    }

    pub fn get_json(&self, path: &str) -> Value {
        serde_json::from_str(&self.get(path)).expect("JSON")
    }

    /// `kill -9`.
    pub fn kill(mut self) {
        self.process.child.kill().expect("a child of ours");
        self.process.child.wait().expect("a child of ours");
    }

    /// Asks it to end, and waits.
    pub fn signal(&self, name: &str) {
        self.process.signal(name);
    }

    pub fn terminate(self) -> Ended {
        self.process.signal("TERM");
        self.process.end()
    }

    /// Waits until it ends by itself.
    pub fn end(self) -> Ended {
        self.process.end()
    }
}

/// A connection that talks in lines.
pub struct Line {
    reader: BufReader<TcpStream>,
    /// A line of which a part has come.
    part: Vec<u8>,
}

/// What a connection has to say.
pub enum Heard {
    Line(String),
    /// Nothing for a while.
    Silence,
    /// The connection is gone.
    Gone,
}

impl Line {
    pub fn connect(address: SocketAddr) -> std::io::Result<Line> {
        let socket = TcpStream::connect(address)?;
        socket.set_nodelay(true)?;
        socket.set_read_timeout(Some(Duration::from_millis(100)))?;
        Ok(Line { reader: BufReader::new(socket), part: Vec::new() })
    }

    /// False: the connection is gone.
    pub fn say(&mut self, line: &str) -> bool {
        self.reader.get_mut().write_all(format!("{line}\n").as_bytes()).is_ok()
    }

    pub fn hear(&mut self) -> Heard {
        match self.reader.read_until(b'\n', &mut self.part) {
            Ok(_) if self.part.ends_with(b"\n") => {
                let line = std::mem::take(&mut self.part);
                Heard::Line(String::from_utf8(line).expect("text").trim_end().to_owned())
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                Heard::Silence
            }
            // What was cut off in the middle of a line was never said.
            _ => Heard::Gone,
        }
    }

    /// The next line that begins with one of these words. Others are passed over.
    pub fn expect(&mut self, words: &[&str]) -> String {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            match self.hear() {
                Heard::Line(line) if words.iter().any(|word| line.starts_with(word)) => {
                    return line;
                }
                Heard::Line(_) | Heard::Silence => {}
                Heard::Gone => panic!("the connection is gone, {words:?} was expected"),
            }
        }
        panic!("nobody says {words:?}");
    }

    /// Sends a line and receives the reply.
    pub fn ask(&mut self, line: &str, words: &[&str]) -> String {
        assert!(self.say(line), "the connection is gone");
        self.expect(words)
    }
}

/// A plain generator of numbers; the same seed, the same numbers.
#[derive(Clone)]
pub struct Chance(pub u64);

impl Chance {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) % bound
    }
}

/// Plays one game of two to its end; its id.
pub fn play_a_game(address: SocketAddr) -> String {
    let mut players = ["Ada", "Bob"].map(|name| (name, Line::connect(address).expect("connects")));
    let list = players[0].1.ask("GAMES", &["GAMES"]);
    let list: Value = serde_json::from_str(&list["GAMES ".len()..]).expect("JSON");
    let id = list[0]["id"].as_str().expect("a game is always open").to_owned();
    for (name, line) in &mut players {
        line.ask(&format!("JOIN {id} {name}"), &["WELCOME"]);
        line.ask("READY", &["OK"]);
    }
    for _ in 0..30 {
        for (_, line) in &mut players {
            line.expect(&["HAND"]);
            line.ask("PLAY 0", &["OK"]);
        }
    }
    for (_, line) in &mut players {
        line.expect(&["GAME_END"]);
    }
    id
}

/// Runs a test whose kills come by chance: by another one each time, or by `CRASH_SEED`.
pub fn with_a_seed(crash: fn(u64)) {
    let seed = match std::env::var("CRASH_SEED") {
        Ok(seed) => seed.parse().expect("a number"),
        Err(_) => u64::from(std::process::id()),
    };
    let played = std::panic::catch_unwind(|| crash(seed));
    played.unwrap_or_else(|_| panic!("CRASH_SEED={seed} has the same kills again"));
}
