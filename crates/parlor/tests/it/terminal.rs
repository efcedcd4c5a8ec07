//! What `parlor serve` prints on a terminal.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Instant;

use crate::kit::{BINARY, PATIENCE, serve};

/// A program that believes to be on a terminal.
struct Terminal {
    process: Child,
    output: mpsc::Receiver<Vec<u8>>,
    seen: String,
}

impl Terminal {
    fn run(arguments: &[String]) -> Terminal {
        // Python is there for the starter bots, and can open a terminal.
        let program = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)";
        let mut process = Command::new("python3")
            .args(["-c", program, BINARY])
            .args(arguments)
            .env("TERM", "xterm")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("python3 runs");
        let mut stdout = process.stdout.take().expect("piped");
        let (sender, output) = mpsc::channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = stdout.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Terminal { process, output, seen: String::new() }
    }

    /// Waits until this has been shown; what was shown up to its end is then forgotten.
    fn expect(&mut self, text: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.seen.find(text) {
                return self.seen.drain(..at + text.len()).collect();
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.seen += &String::from_utf8_lossy(&bytes),
                Err(_) => panic!("{text:?} is not shown: {:?}", self.seen),
            }
        }
    }

    fn type_in(&mut self, keys: &[u8]) {
        let stdin = self.process.stdin.as_mut().expect("piped");
        stdin.write_all(keys).and_then(|()| stdin.flush()).expect("the terminal is there");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended by itself; either way it must be gone.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_counts_at_the_foot_follow_what_happens_and_logs_stay_whole() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::run(&serve(folder.path()));
    let welcome = terminal.expect("Ctrl-C ends it.");
    assert!(welcome.starts_with("Parlor is open. Open http://127.0.0.1:"), "{welcome}");
    let line = welcome.lines().find(|line| line.contains("sushi-go")).expect("it listens");
    let address: std::net::SocketAddr =
        line.split_whitespace().nth(1).expect("an address").parse().expect("an address");
    assert!(!welcome.contains("another machine"), "only this machine can connect: {welcome}");
    terminal.expect("\r\x1b[2K0 connections, 1 open table, 0 games finished");
    // Until it says something, it might turn out to be a browser.
    let mut client = std::net::TcpStream::connect(address).unwrap();
    client.write_all(b"GAMES\n").unwrap();
    terminal.expect("\r\x1b[2K1 connection, 1 open table, 0 games finished");
    drop(client);
    terminal.expect("\r\x1b[2K0 connections, 1 open table, 0 games finished");
    terminal.type_in(b"\x03");
    let rest = terminal.expect("bye");
    // The line at the foot is wiped before the first log line begins.
    let (foot, logs) = rest.split_once("\r\x1b[2K").expect("wiped");
    assert!(!foot.contains("shutting"), "{rest:?}");
    assert!(logs.contains("shutting down"), "{rest:?}");
    let ended = terminal.process.wait().unwrap();
    assert_eq!(ended.code(), Some(0));
}

#[test]
fn a_server_for_the_network_says_how_others_connect() {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = serve(folder.path());
    arguments.extend(["--bind".to_owned(), "0.0.0.0".to_owned()]);
    let mut terminal = Terminal::run(&arguments);
    let welcome = terminal.expect("Ctrl-C ends it.");
    let told = welcome.split_once("From another machine").expect("told").1;
    assert!(told.contains("--connect") || told.contains("'ip addr'"), "{welcome}");
    assert!(welcome.contains("curl http://127.0.0.1:"), "a place to connect to: {welcome}");
    // A machine with an address on a network shows it as a picture, too.
    assert_eq!(welcome.contains("▀▀"), welcome.contains("Phones and other machines"), "{welcome}");
    terminal.type_in(b"\x03");
    terminal.expect("bye");
}

/// What bots printed stood in the middle of the progress bar.
#[test]
fn nothing_is_printed_into_the_progress_bar_of_a_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let broken = "ann=echo no module named numpy >&2; exit 3";
    let mut arguments =
        ["tournament", "run", "--game", "gamba", "--format", "round-robin"].to_vec();
    arguments.extend(["--bot", broken, "--bot", "house:random", "--bot", "house:random"]);
    arguments.extend(["--out", folder.path().to_str().unwrap()]);
    let arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
    let mut terminal = Terminal::run(&arguments);
    let shown = terminal.expect("ann never made a move. See ");
    // The bar is wiped first and drawn again below; each crash is printed once, on its own line.
    let wiped = "\r\u{1b}[2Kann crashed before its game began at table ";
    assert_eq!(shown.matches(wiped).count(), 2, "{shown:?}");
    assert_eq!(shown.matches("ann crashed before").count(), 2, "{shown:?}");
    assert_eq!(
        shown.matches("(exit status: 3): no module named numpy\r\n").count(),
        2,
        "{shown:?}"
    );
    assert!(shown.contains("(forfeit: ann crashed)"), "{shown:?}");
}
