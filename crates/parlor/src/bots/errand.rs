//! A client that plays some games, and returns to its seat when its connection is lost.

use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use trials::driver::{CLOSED, Driver, Happening};
use wire::{Client, Ending, Framing};

use crate::terminal::Advice;

/// What a client is sent out for.
pub struct Errand {
    /// Where the game is played: at any of these. When one does not answer, the next is tried.
    pub addresses: Vec<String>,
    pub framing: Framing,
    pub games: u64,
    /// Where to sit, if the protocol lets one choose.
    pub table: Option<String>,
    /// Whether a lost connection is opened again.
    pub comes_back: bool,
}

/// Progress, for printing.
pub enum News<'a> {
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
/// Failed attempts in a row before giving up: about two minutes.
const ATTEMPTS: u32 = 30;
/// Of several servers each has this long to answer.
const CONNECT_WITHIN: Duration = Duration::from_secs(3);
/// A server that hangs up this often before there was a move does not play the game.
const HANGUPS: u32 = 5;
/// After this much silence a line is printed.
const QUIET: Duration = Duration::from_secs(5);

impl Errand {
    /// Plays the games. An error: they cannot be played, or the server does not answer.
    pub async fn run(
        &self,
        client: Box<dyn Client>,
        report: impl FnMut(News<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut addresses = self.addresses.iter().cycle();
        let mut address = addresses.next().context("there is nowhere to connect to")?;
        let mut driver = Driver::new(client, address, self.framing);
        driver.seek(self.table.as_deref());
        let mut run = Run { errand: self, driver, report, over: 0 };
        let (mut failures, mut hangups, mut tried) = (0, 0, 0);
        while run.over < self.games {
            match run.connect().await {
                Ok(()) => tried = 0,
                Err(error)
                    if run.over == 0 && failures == 0 && tried + 1 == self.addresses.len() =>
                {
                    let advice = "Start the server, or pass its address with --connect HOST:PORT.";
                    return Err(error.context(Advice(advice.to_owned())));
                }
                Err(error) if failures == ATTEMPTS => return Err(error),
                Err(_) => {
                    tried += 1;
                    address = addresses.next().unwrap_or(address);
                    run.driver.redirect(address);
                    // Waiting helps only when the server does not answer.
                    if tried.is_multiple_of(self.addresses.len()) {
                        sleep(pause(failures)).await;
                        failures += 1;
                    }
                    continue;
                }
            }
            (run.report)(News::Connected)?;
            match run.converse().await? {
                ConnectionEnd::Done => return Ok(()),
                ConnectionEnd::Meant => failures = 0,
                ConnectionEnd::Lost { moved, why } => {
                    (run.report)(News::Lost(why))?;
                    if !self.comes_back {
                        return Err(anyhow!("the connection was lost"));
                    }
                    hangups = if moved || run.over > 0 { 0 } else { hangups + 1 };
                    if failures == ATTEMPTS || hangups == HANGUPS {
                        return Err(anyhow!(
                            "{address} closes every connection. Check that it is the port of this game"
                        ));
                    }
                    address = addresses.next().unwrap_or(address);
                    run.driver.redirect(address);
                    failures = if moved { 1 } else { failures + 1 };
                    sleep(pause(failures - 1)).await;
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
    driver: Driver,
    report: R,
    over: u64,
}

/// How a connection ended.
enum ConnectionEnd {
    /// Every game is played.
    Done,
    /// The client wanted another one, or its game ended with this one.
    Meant,
    /// `moved`: the client was playing.
    Lost { moved: bool, why: String },
}

impl<R: FnMut(News<'_>) -> Result<()>> Run<'_, R> {
    async fn connect(&mut self) -> Result<()> {
        if self.errand.addresses.len() == 1 {
            return self.driver.connect().await;
        }
        // A machine without power says nothing, and another one may be there.
        timeout(CONNECT_WITHIN, self.driver.connect()).await.context("it does not answer")?
    }

    async fn converse(&mut self) -> Result<ConnectionEnd> {
        let (mut moved, mut last) = (false, None);
        let mut quiet_at = Some(Instant::now() + QUIET);
        let mut over_when_lost = false;
        loop {
            let happening = tokio::select! {
                happening = self.driver.next() => happening,
                () = until(quiet_at) => {
                    quiet_at = None;
                    (self.report)(News::Quiet(last.as_deref()))?;
                    continue;
                }
            };
            match happening {
                Happening::Sends(text, is_move) => {
                    moved |= is_move;
                    (self.report)(News::Sent(&text))?;
                }
                Happening::Hears => {
                    quiet_at = Some(Instant::now() + QUIET);
                    let text = self.driver.heard();
                    (self.report)(News::Received(text))?;
                    if !text.is_empty() {
                        last = Some(text.to_owned());
                    }
                }
                Happening::Refused(text) => (self.report)(News::Refused(&text))?,
                Happening::GiveUp(why) => return Err(anyhow!(why)).context("cannot join a game"),
                Happening::Over(ending) => {
                    self.over += 1;
                    (self.report)(News::Over(self.over, &ending))?;
                    if self.over >= self.errand.games {
                        self.driver.leave().await;
                        return Ok(ConnectionEnd::Done);
                    }
                    over_when_lost = !self.driver.is_connected();
                    self.driver.seek(self.errand.table.as_deref());
                }
                Happening::HungUp => return Ok(ConnectionEnd::Meant),
                Happening::Lost(_) if over_when_lost => {
                    return Ok(ConnectionEnd::Meant);
                }
                Happening::Lost(why) => {
                    let why = match &last {
                        Some(words) if why == CLOSED => format!("{why} after '{words}'"),
                        _ => why,
                    };
                    return Ok(ConnectionEnd::Lost { moved, why });
                }
            }
        }
    }
}

/// Waits for a time; without one, forever.
async fn until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}
