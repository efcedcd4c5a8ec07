//! A client and its connection: the one way in which players of any wire are driven over sockets.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::time::{Duration, Instant};

use anyhow::Result;
use hall::Time;
use tokio::time::{Sleep, sleep};
use wire::{Client, Ending, Framing, Reaction};

use crate::line::Line;

/// Plays game after game. Callers ask [`next`](Driver::next) what happens and call
/// [`connect`](Driver::connect) again when a connection has ended.
pub struct Driver {
    client: Box<dyn Client>,
    address: String,
    framing: Framing,
    line: Option<Line>,
    begin: Instant,
    /// The client's pending reactions.
    reactions: VecDeque<Reaction>,
    made: Vec<Reaction>,
    /// The client wants another connection.
    hangs_up: bool,
    /// Why the connection is gone.
    lost: String,
    heard: String,
    /// The client's own clock, and when it rings.
    alarm: Pin<Box<Sleep>>,
    alarm_at: Option<Time>,
}

/// What a client does, and what happens to it.
#[derive(Debug)]
pub enum Happening {
    /// A message goes out; whether it is the last piece of a move.
    Sends(String, bool),
    /// A message arrived: [`Driver::heard`].
    Hears,
    Refused(String),
    Over(Ending),
    GiveUp(String),
    /// The client has hung up: the next game needs another connection.
    HungUp,
    /// The connection is gone, and why.
    Lost(String),
}

/// Why a connection is gone that the server has closed.
pub const CLOSED: &str = "closed by the server";

impl Driver {
    /// A client of the server at `HOST:PORT`, or `HOST:PORT/PATH`; it is not connected.
    pub fn new(client: Box<dyn Client>, address: &str, framing: Framing) -> Driver {
        Driver {
            client,
            address: address.to_owned(),
            framing,
            line: None,
            begin: Instant::now(),
            reactions: VecDeque::new(),
            made: Vec::new(),
            hangs_up: false,
            lost: String::new(),
            heard: String::new(),
            alarm: Box::pin(sleep(Duration::ZERO)),
            alarm_at: None,
        }
    }

    /// One more game is wanted.
    pub fn seek(&mut self, table: Option<&str>) {
        self.ask(|client, now, out| client.seek(now, table, out));
    }

    /// The next connection is to another place.
    pub fn redirect(&mut self, address: &str) {
        address.clone_into(&mut self.address);
    }

    pub async fn connect(&mut self) -> Result<()> {
        self.line = Some(Line::connect(&self.address, self.framing).await?);
        self.hangs_up = false;
        self.ask(|client, now, out| client.open(now, out));
        Ok(())
    }

    pub fn is_connected(&self) -> bool {
        self.line.is_some()
    }

    /// The last message that has come.
    pub fn heard(&self) -> &str {
        &self.heard
    }

    /// The next event. Without a connection it reports the consequences of that, then that the
    /// connection is gone. Cancelling it loses nothing.
    pub async fn next(&mut self) -> Happening {
        loop {
            if let Some(reaction) = self.reactions.pop_front() {
                match reaction {
                    Reaction::Say(text) => return self.send(text, false),
                    Reaction::Move(text) => return self.send(text, true),
                    Reaction::Refused(text) => return Happening::Refused(text),
                    Reaction::Over(ending) => return Happening::Over(ending),
                    Reaction::GiveUp(why) => return Happening::GiveUp(why),
                    Reaction::Hangup => self.hangs_up = true,
                }
            } else if self.line.is_none() {
                return match std::mem::take(&mut self.hangs_up) {
                    true => Happening::HungUp,
                    false => Happening::Lost(std::mem::take(&mut self.lost)),
                };
            } else if self.hangs_up {
                self.leave().await;
            } else if let Some(happening) = self.converse().await {
                return happening;
            }
        }
    }

    /// Says something that the client does not want to say.
    pub fn interject(&mut self, text: String) {
        if let Some(line) = &mut self.line {
            line.queue(text);
        }
    }

    /// Ends the connection once everything is said that the client wants to say.
    pub async fn leave(&mut self) {
        while let Some(reaction) = self.reactions.pop_front() {
            if let Reaction::Say(text) | Reaction::Move(text) = reaction {
                self.interject(text);
            }
        }
        if let Some(line) = &mut self.line {
            // Try to deliver the last message; failure doesn't matter here.
            let _ = line.flush().await;
        }
        self.line = None;
        self.ask(|client, now, out| client.closed(now, out));
        self.reactions.clear();
    }

    /// Ends the connection as it is; the other side sees a farewell, or a reset.
    pub fn cut(&mut self, reset: bool) -> Result<()> {
        let cut = match &mut self.line {
            Some(line) if reset => line.reset_on_close(),
            _ => Ok(()),
        };
        self.part("cut off".to_owned());
        cut
    }

    fn part(&mut self, why: String) {
        self.line = None;
        self.lost = why;
        self.ask(|client, now, out| client.closed(now, out));
    }

    fn send(&mut self, text: String, is_move: bool) -> Happening {
        self.interject(text.clone());
        Happening::Sends(text, is_move)
    }

    fn ask(&mut self, question: impl FnOnce(&mut dyn Client, Time, &mut Vec<Reaction>)) {
        let now = Time(self.begin.elapsed().as_millis() as u64);
        question(&mut *self.client, now, &mut self.made);
        self.reactions.extend(self.made.drain(..));
    }

    /// Sends what is to be sent, and waits for a message or the client's own clock.
    async fn converse(&mut self) -> Option<Happening> {
        // Most messages do not move the clock, and setting it costs more than reading them.
        let deadline = self.client.deadline();
        if self.alarm_at != deadline {
            self.alarm_at = deadline;
            // A timer may fire within the millisecond before; one more makes it come in time.
            let at = Duration::from_millis(deadline.map_or(0, |at| at.0 + 1));
            self.alarm.as_mut().reset((self.begin + at).into());
        }
        let line = self.line.as_mut()?;
        if let Err(error) = line.flush().await {
            self.part(format!("{error:#}"));
            return None;
        }
        let heard = &mut self.heard;
        let hear = |text: &str| {
            heard.clear();
            heard.push_str(text);
        };
        tokio::select! {
            biased;
            received = line.hear(hear) => match received {
                Ok(Some(())) => {
                    let heard = std::mem::take(&mut self.heard);
                    self.ask(|client, now, out| client.on_text(now, &heard, out));
                    self.heard = heard;
                    return Some(Happening::Hears);
                }
                Ok(None) => self.part(CLOSED.to_owned()),
                Err(error) => self.part(format!("{error:#}")),
            },
            () = &mut self.alarm, if deadline.is_some() => {
                self.alarm_at = None;
                self.ask(|client, now, out| client.on_tick(now, out));
            }
        }
        None
    }
}

impl fmt::Debug for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Driver({}, connected: {})", self.address, self.is_connected())
    }
}
