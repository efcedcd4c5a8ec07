//! `parlor bot`: a house strategy as a client of any server of the game.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use hall::Time;
use rules::{Dice, Seed};
use wire::{Client, Ending, Framing, Games, Reaction};

use crate::advice::Advice;
use crate::cli::BotArgs;
use crate::interrupt::unless_interrupted;
use crate::line::Line;
use crate::output;
use crate::unreadable::Unreadable;

pub fn run(games: &Games, args: &BotArgs) -> Result<()> {
    let wire = games.wire(&args.game, args.wire.as_deref()).map_err(Unreadable)?;
    let strategy = args.strategy.as_deref().unwrap_or(wire.strategies[0].0);
    let seed = match args.seed {
        Some(number) => Seed::from_number(number),
        None => entropy()?,
    };
    let name = args
        .name
        .clone()
        .unwrap_or_else(|| format!("{strategy}{}", Dice::new(&seed, "name", 0).below(1000)));
    if !(wire.is_name)(&name) {
        let why = format!("'{name}' cannot be a player's name in {}: {}", wire.game, wire.names);
        return Err(Unreadable(why).into());
    }
    let client = wire.client(strategy, &name, seed).map_err(Unreadable)?;
    let address =
        args.connect.clone().unwrap_or_else(|| format!("127.0.0.1:{}", wire.default_port));
    if !address.contains(':') {
        let port = wire.default_port;
        let why = format!("--connect {address}: say HOST:PORT, as in {address}:{port}");
        return Err(Unreadable(why).into());
    }
    let errand = Errand {
        address: address + &wire.path,
        framing: wire.framing,
        games: args.games,
        table: args.table.clone(),
        comes_back: true,
    };
    let begin = Instant::now();
    let report = |happening: Happening<'_>| report(begin, args.trace, &name, happening);
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(unless_interrupted(errand.run(client, report)))
}

/// A seed nobody has chosen.
pub fn entropy() -> Result<Seed> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|e| anyhow!("the system gives no random numbers: {e}"))?;
    Ok(Seed(bytes))
}

/// Tells whoever looks on: the results on standard output, all else beside it.
fn report(begin: Instant, trace: bool, name: &str, happening: Happening<'_>) -> Result<()> {
    let seconds = begin.elapsed().as_secs_f64();
    let mark = |mark: &str, text: &str| {
        let (on, off) =
            if std::io::stderr().is_terminal() { ("\x1b[2m", "\x1b[0m") } else { ("", "") };
        output::error(&format!("{on}{seconds:>9.3} {mark}{off} {text}"));
    };
    match happening {
        Happening::Sent(text) if trace => mark(">", text),
        Happening::Received(text) if trace => mark("<", text),
        Happening::Connected if trace => mark("-", "connected"),
        Happening::Sent(_) | Happening::Received(_) | Happening::Connected => {}
        Happening::Lost(why) => mark("!", &format!("the connection was lost: {why}; trying again")),
        Happening::Quiet(None) => mark("-", "connected, and the server says nothing yet"),
        Happening::Quiet(Some(words)) => mark("-", &format!("waiting; the server's last: {words}")),
        Happening::Refused(text) => mark("!", &format!("{name} was refused: {text}")),
        Happening::Over(number, ending) => {
            return output::line(&format!("game {number}: {}", describe(ending)));
        }
    }
    Ok(())
}

fn describe(ending: &Ending) -> String {
    let mut text = match ending.won {
        Some(true) => "won",
        Some(false) => "lost",
        None => "no result",
    }
    .to_owned();
    if let Some(points) = ending.points {
        text += &format!(", {}", output::count(points, "point"));
    }
    text + &format!(" ({})", ending.words)
}

/// What a client is sent out for.
pub struct Errand {
    pub address: String,
    pub framing: Framing,
    pub games: u64,
    /// Where to sit, if the protocol lets one choose.
    pub table: Option<String>,
    /// Whether a lost connection is made anew.
    pub comes_back: bool,
}

/// What goes on, for whoever looks on.
pub enum Happening<'a> {
    Connected,
    Sent(&'a str),
    Received(&'a str),
    Refused(&'a str),
    Lost(String),
    /// Nothing has happened for a while; the server's last words.
    Quiet(Option<&'a str>),
    Over(u64, &'a Ending),
}

/// The first pause before another attempt to connect; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// So many attempts in a row may fail: about two minutes.
const ATTEMPTS: u32 = 30;
/// A server that hangs up so often before there was a move does not play the game.
const HANGUPS: u32 = 5;
/// After so long without a word, whoever looks on is told.
const QUIET: Duration = Duration::from_secs(5);

impl Errand {
    /// Plays the games. An error: they cannot be played, or nobody answers.
    pub async fn run(
        &self,
        client: Box<dyn Client>,
        report: impl FnMut(Happening<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut run = Run { errand: self, client, report, begin: Instant::now(), over: 0 };
        let mut reactions = Vec::new();
        run.client.seek(run.now(), self.table.as_deref(), &mut reactions);
        let (mut failures, mut hangups) = (0, 0);
        while run.over < self.games {
            let connected = Line::connect(&self.address, self.framing).await;
            let line = match connected {
                Ok(line) => line,
                Err(error) if run.over == 0 && failures == 0 && !run.has_played() => {
                    let advice = "Start the server, or say where it is with --connect HOST:PORT.";
                    return Err(error.context(Advice(advice.to_owned())));
                }
                Err(error) if failures == ATTEMPTS => return Err(error),
                Err(_) => {
                    tokio::time::sleep(pause(failures)).await;
                    failures += 1;
                    continue;
                }
            };
            (run.report)(Happening::Connected)?;
            match run.converse(line).await? {
                Parting::Done => return Ok(()),
                Parting::Meant => failures = 0,
                Parting::Lost { moved, why } => {
                    (run.report)(Happening::Lost(why))?;
                    if !self.comes_back {
                        return Err(anyhow!("the connection was lost"));
                    }
                    hangups = if moved || run.has_played() { 0 } else { hangups + 1 };
                    if failures == ATTEMPTS || hangups == HANGUPS {
                        return Err(anyhow!(
                            "{} closes every connection. Check that it is the port of this game",
                            self.address
                        ));
                    }
                    failures = if moved { 1 } else { failures + 1 };
                    tokio::time::sleep(pause(failures - 1)).await;
                }
            }
        }
        Ok(())
    }
}

fn pause(failures: u32) -> Duration {
    FIRST_PAUSE.saturating_mul(1 << failures.min(5)).min(LONGEST_PAUSE)
}

struct Run<'a, R> {
    errand: &'a Errand,
    client: Box<dyn Client>,
    report: R,
    begin: Instant,
    over: u64,
}

/// How a connection ended.
enum Parting {
    /// Every game is played.
    Done,
    /// The client wanted another one.
    Meant,
    /// `moved`: the client was playing.
    Lost { moved: bool, why: String },
}

impl<R: FnMut(Happening<'_>) -> Result<()>> Run<'_, R> {
    fn now(&self) -> Time {
        Time(self.begin.elapsed().as_millis() as u64)
    }

    fn has_played(&self) -> bool {
        self.over > 0
    }

    async fn converse(&mut self, mut line: Line) -> Result<Parting> {
        let mut reactions = Vec::new();
        let (mut moved, mut last) = (false, None);
        let mut quiet_at = Some(tokio::time::Instant::now() + QUIET);
        self.client.open(self.now(), &mut reactions);
        loop {
            moved |= reactions.iter().any(|reaction| matches!(reaction, Reaction::Move(_)));
            if self.react(&mut reactions, &mut line)? {
                // What was said last must get there, whatever comes of it.
                let _ = line.flush().await;
                drop(line);
                self.client.closed(self.now(), &mut reactions);
                reactions.clear();
                let done = self.over >= self.errand.games;
                return Ok(if done { Parting::Done } else { Parting::Meant });
            }
            let lost = match line.flush().await {
                Err(error) => Some(format!("{error:#}")),
                Ok(()) => {
                    // A timer may fire within the millisecond before; one more makes it due.
                    let due = |at: Time| self.begin + Duration::from_millis(at.0 + 1);
                    let tick_at = self.client.deadline().map(|at| due(at).into());
                    tokio::select! {
                        received = line.receive() => match received {
                            Ok(Some(text)) => {
                                quiet_at = Some(tokio::time::Instant::now() + QUIET);
                                (self.report)(Happening::Received(&text))?;
                                self.client.on_text(self.now(), &text, &mut reactions);
                                if !text.is_empty() {
                                    last = Some(text);
                                }
                                None
                            }
                            Ok(None) => Some(match &last {
                                Some(words) => format!("closed by the server after '{words}'"),
                                None => "closed by the server".to_owned(),
                            }),
                            Err(error) => Some(format!("{error:#}")),
                        },
                        () = until(tick_at) => {
                            self.client.on_tick(self.now(), &mut reactions);
                            None
                        }
                        () = until(quiet_at) => {
                            quiet_at = None;
                            (self.report)(Happening::Quiet(last.as_deref()))?;
                            None
                        }
                    }
                }
            };
            if let Some(why) = lost {
                self.client.closed(self.now(), &mut reactions);
                let before = self.over;
                self.react(&mut reactions, &mut line)?;
                return Ok(match self.over {
                    over if over >= self.errand.games => Parting::Done,
                    over if over > before => Parting::Meant,
                    _ => Parting::Lost { moved, why },
                });
            }
        }
    }

    /// Does what the client wants done; true if this connection is to end.
    fn react(&mut self, reactions: &mut Vec<Reaction>, line: &mut Line) -> Result<bool> {
        let mut hangup = false;
        // A game that is over may lead to another, which leads to more to do.
        while !reactions.is_empty() {
            for reaction in std::mem::take(reactions) {
                match reaction {
                    Reaction::Say(text) | Reaction::Move(text) => {
                        (self.report)(Happening::Sent(&text))?;
                        line.queue(text);
                    }
                    Reaction::Refused(text) => (self.report)(Happening::Refused(&text))?,
                    Reaction::Hangup => hangup = true,
                    Reaction::GiveUp(why) => {
                        return Err(anyhow!(why)).context("cannot join a game");
                    }
                    Reaction::Over(ending) => {
                        self.over += 1;
                        (self.report)(Happening::Over(self.over, &ending))?;
                        if self.over >= self.errand.games {
                            hangup = true;
                        } else {
                            let table = self.errand.table.as_deref();
                            self.client.seek(self.now(), table, reactions);
                        }
                    }
                }
            }
        }
        Ok(hangup)
    }
}

/// Waits for a time; without one, for ever.
async fn until(time: Option<tokio::time::Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}
