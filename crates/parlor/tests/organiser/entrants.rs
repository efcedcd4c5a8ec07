//! Who takes part: programs that play, and clients with a bad habit.

use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use hall::Time;
use rules::Seed;
use tokio::time::sleep;
use wire::AnyDialect;
use wire::{Client, Reaction};

use trials::line::Line;

/// What is wrong with a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habit {
    /// Sits down, and then stays silent.
    Hangs,
    /// Its connection is gone when it should make its first move, for good.
    Crashes,
    /// Says something else whenever it should move.
    Babbles,
    /// Takes twice as long as it may for every move.
    Dawdles,
    /// Hangs up after every move, and returns.
    Reconnects,
}

/// A program that is ended with its test.
pub struct Program(Child);

impl Program {
    fn start(command: &mut Command) -> Program {
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("PARLOR_")) {
            command.env_remove(name);
        }
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Program(command.spawn().expect("the program starts"))
    }

    /// A house strategy that plays over the wire, game after game.
    pub fn house_bot(game: &str, address: SocketAddr, name: &str) -> Program {
        let (address, games) = (address.to_string(), "100000");
        let mut command = Command::new(env!("CARGO_BIN_EXE_parlor"));
        command.args(["bot", game, "--connect", &address, "--name", name, "--games", games]);
        Program::start(&mut command)
    }

    /// A starter bot, in a language that is known by the ending of its file.
    pub fn starter(game: &str, ending: &str, address: SocketAddr, name: &str) -> Program {
        let file = format!("../../examples/{}.{ending}", game.replace('-', "_"));
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let mut command = Command::new(if ending == "py" { "python3" } else { "node" });
        command.arg(file).arg(address.ip().to_string()).arg(address.port().to_string());
        Program::start(command.args([name, "--games", "0"]))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself; either way it must be gone.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A client with a bad habit, until it is dropped.
pub struct Nuisance {
    pub habit: Habit,
    pub wire: AnyDialect,
    pub address: SocketAddr,
    pub name: String,
    pub clock: Duration,
}

/// Whether to connect once more.
type GoesOn = bool;

impl Nuisance {
    pub async fn live(self) {
        let strategy = self.wire.strategies[0].name;
        let client = self.wire.client(strategy, &self.name, Seed::from_number(1));
        let mut client = client.expect("one of the wire's own strategies");
        let begin = Instant::now();
        client.seek(Time(0), None, &mut Vec::new());
        while self.converse(&mut *client, begin).await.unwrap_or(true) {
            sleep(Duration::from_millis(20)).await;
        }
        // What has crashed is gone; what hangs stays connected.
        std::future::pending::<()>().await;
    }

    async fn converse(&self, client: &mut dyn Client, begin: Instant) -> anyhow::Result<GoesOn> {
        let mut line = Line::connect(&self.address.to_string(), self.wire.framing).await?;
        let now = || Time(begin.elapsed().as_millis() as u64);
        let mut reactions = Vec::new();
        client.open(now(), &mut reactions);
        loop {
            let mut moved = false;
            while !reactions.is_empty() {
                for reaction in std::mem::take(&mut reactions) {
                    match reaction {
                        Reaction::Say(text) => line.queue(text),
                        Reaction::Move(text) => {
                            moved = true;
                            match self.habit {
                                Habit::Hangs => std::future::pending().await,
                                Habit::Crashes => return Ok(false),
                                Habit::Babbles => line.queue("?! \u{7} [[[{ 12|||x=".to_owned()),
                                Habit::Dawdles => {
                                    line.flush().await?;
                                    sleep(self.clock * 2).await;
                                    line.queue(text);
                                }
                                Habit::Reconnects => line.queue(text),
                            }
                        }
                        Reaction::Over(_) => client.seek(now(), None, &mut reactions),
                        Reaction::Hangup => return Ok(true),
                        Reaction::Refused(_) | Reaction::GiveUp(_) => {}
                    }
                }
            }
            line.flush().await?;
            if moved && self.habit == Habit::Reconnects {
                drop(line);
                client.closed(now(), &mut reactions);
                return Ok(true);
            }
            let tick = client.deadline().map(|at| begin + Duration::from_millis(at.0 + 1));
            tokio::select! {
                received = line.receive() => match received? {
                    Some(text) => client.on_text(now(), &text, &mut reactions),
                    None => {
                        client.closed(now(), &mut reactions);
                        return Ok(true);
                    }
                },
                () = async {
                    match tick {
                        Some(tick) => tokio::time::sleep_until(tick.into()).await,
                        None => std::future::pending().await,
                    }
                } => client.on_tick(now(), &mut reactions),
            }
        }
    }
}
