//! `parlor match` with bots that are running already.

use std::io;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use trials::ports::quiet;

use crate::kit::{BINARY, Ended, Running, parlor};

/// A bot whose author keeps it running: it is started again whenever it ends, until this is dropped.
struct Kept {
    stop: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Kept {
    fn new(name: &'static str, port: u16) -> Kept {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let run = move || {
            while !stopped.load(Ordering::Relaxed) {
                let mut bot = start(name, port);
                while bot.try_wait().expect("a child of ours").is_none() {
                    if stopped.load(Ordering::Relaxed) {
                        end(&mut bot);
                    }
                    thread::yield_now();
                }
            }
        };
        Kept { stop, thread: Some(thread::spawn(run)) }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().expect("there since the start").join().expect("the bot's thread");
    }
}

fn start(name: &str, port: u16) -> Child {
    let address = format!("127.0.0.1:{port}");
    let bot = ["bot", "gamba", "--connect", &address, "--name", name, "--strategy", "thrifty"];
    let mut command = Command::new(BINARY);
    command.args(bot).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the bot starts")
}

/// It may have ended by itself.
fn end(bot: &mut Child) {
    let _ = bot.kill();
    let _ = bot.wait();
}

fn report(ended: &Ended) -> Value {
    serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{ended:?}"))
}

#[test]
fn a_bot_that_runs_already_connects_by_itself() {
    let port = quiet(2);
    let bot = Kept::new("mine", port);
    let new = format!("mine=listen:127.0.0.1:{port}");
    let sides = ["match", "--json", "--game", "gamba", "--new", &new, "--base", "house:random"];
    let mut command = Command::new(BINARY);
    command.args(sides).args(["--games", "6", "--seed", "5"]);
    // A bot that is started for each game, and in vain before the first, takes its time.
    let ended = Running::spawn(&mut command, "").end_within(Duration::from_secs(120));
    drop(bot);
    let report = report(&ended);
    assert_eq!((ended.code, &report["games"]), (Some(0), &6.into()), "{ended:?}");
    assert_eq!(report["sides"]["new"]["forfeits"], 0, "{ended:?}");
    assert_eq!(report["new"], "mine");
}

/// A bot that waits at an address is called for each game.
#[test]
fn a_bot_that_waits_is_called_for_each_game() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("bound").port();
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = stop.clone();
    let bot = thread::spawn(move || {
        let calls = listener.incoming().map_while(Result::ok);
        calls.take_while(|_| !stopped.load(Ordering::Relaxed)).for_each(answer);
    });
    let new = format!("mine=connect:127.0.0.1:{port}");
    let sides = ["match", "--json", "--game", "gamba", "--new", &new, "--base", "house:random"];
    let ended = parlor(&[&sides[..], &["--games", "4", "--seed", "5"]].concat());
    stop.store(true, Ordering::Relaxed);
    // The last call, which is not answered.
    TcpStream::connect(("127.0.0.1", port)).expect("the bot listens");
    bot.join().expect("the bot's thread");
    let report = report(&ended);
    assert_eq!((ended.code, &report["games"]), (Some(0), &4.into()), "{ended:?}");
    assert_eq!(report["sides"]["new"]["forfeits"], 0, "{report}");
}

/// Plays one game over an existing connection.
fn answer(called: TcpStream) {
    let inner = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = inner.local_addr().expect("bound").port();
    let mut bot = start("mine", port);
    let (bot_side, _) = inner.accept().expect("the bot connects");
    let pump = |mut from: TcpStream, mut to: TcpStream| {
        thread::spawn(move || {
            // Either side may end first; the other notices.
            let _ = io::copy(&mut from, &mut to);
            let _ = to.shutdown(Shutdown::Both);
        })
    };
    let both = [
        pump(called.try_clone().expect("a socket"), bot_side.try_clone().expect("a socket")),
        pump(bot_side, called),
    ];
    both.into_iter().for_each(|pump| pump.join().expect("a pump"));
    end(&mut bot);
}

#[test]
fn a_bot_that_does_not_come_has_lost() {
    let new = format!("mine=listen:127.0.0.1:{}", quiet(1));
    let sides = ["match", "--json", "--game", "gamba", "--new", &new, "--base", "house:random"];
    let ended = parlor(&[&sides[..], &["--games", "2", "--join-timeout", "300"]].concat());
    assert_eq!(report(&ended)["sides"]["new"]["forfeits"], 2, "{ended:?}");
}

#[test]
fn what_cannot_be_an_address_is_refused() {
    for (game, new, rest, words) in [
        ("gamba", "mine=listen:7001", &[][..], "write the address as HOST:PORT"),
        ("gamba", "listen:127.0.0.1:7001", &[], "write NAME=listen:127.0.0.1:7001"),
        ("gamba", "mine=listen:127.0.0.1:7001", &["--concurrency", "2"], "one game at a time"),
        ("labyrinth", "RED=connect:127.0.0.1:7001", &["--wire", "house"], "use listen:"),
    ] {
        let sides = ["match", "--game", game, "--new", new, "--base", "house:random"];
        let base = if game == "labyrinth" { "house:euclid" } else { "house:random" };
        let sides = [&sides[..6], &[base]].concat();
        let ended = parlor(&[&sides[..], rest].concat());
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.stderr.contains(words), "{ended:?}");
    }
}
