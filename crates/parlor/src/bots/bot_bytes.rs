//! What a bot sends over a connection of bytes: cut into messages and judged one by one.

use wire::{Frame, Framer, Framing};

use super::browsers::{BrowserFilter, IsBrowser};
use super::relay::{Held, Link, Side, Verdict};

/// The beginning of a line whose end has not come.
struct Tail {
    is_kept: bool,
    text: String,
}

impl Tail {
    /// Letters that are kept of it.
    const KEPT: usize = 200;

    fn of(framing: Framing) -> Tail {
        Tail { is_kept: matches!(framing, Framing::Lines { .. }), text: String::new() }
    }

    fn after(&mut self, bytes: &[u8]) -> &str {
        let last = match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => {
                self.text.clear();
                &bytes[end + 1..]
            }
            None => bytes,
        };
        let jail = Tail::KEPT.saturating_sub(self.text.chars().count());
        if self.is_kept {
            self.text.extend(String::from_utf8_lossy(last).trim_end().chars().take(jail));
        }
        &self.text
    }
}

/// What a bot sends over a connection of bytes, judged message by message.
pub struct BotBytes<'a> {
    link: &'a Link,
    framer: Box<dyn Framer>,
    filter: BrowserFilter,
    tail: Tail,
    /// Messages that wait until the server may have them.
    pub held: Option<Held<Vec<u8>>>,
}

/// What follows from some bytes of a bot, in this order.
#[derive(Default)]
pub struct Judged {
    /// Lines the relay itself sends back to the bot.
    pub answers: Vec<String>,
    /// The connection is cut.
    pub is_cut: bool,
    /// Bytes for the server.
    pub passed: Vec<u8>,
}

impl<'a> BotBytes<'a> {
    pub fn new(link: &'a Link, framer: Box<dyn Framer>) -> BotBytes<'a> {
        let (filter, tail) = (BrowserFilter::default(), Tail::of(link.framing));
        BotBytes { link, framer, filter, tail, held: None }
    }

    /// Judges every message that these bytes complete. A message is judged before its last byte is
    /// passed on.
    pub fn judge(&mut self, bytes: &[u8]) -> Result<Judged, IsBrowser> {
        let bytes = self.filter.pass(bytes)?;
        let (link, intervenes) = (self.link, self.link.observer.intervenes());
        let mut judged = Judged::default();
        link.observer.unfinished(self.tail.after(bytes));
        self.framer.feed(bytes);
        while let Some(frame) = self.framer.next() {
            let (verdict, message) = match frame {
                Frame::Text(text) => (link.judge(text), text.as_bytes()),
                Frame::Garbage(garbage, bytes) => {
                    (link.observer.heard(Side::Bot, &garbage.shown(bytes)), bytes)
                }
            };
            match verdict {
                Verdict::Pass if intervenes => match &mut self.held {
                    Some(held) => held.messages.push(line(message)),
                    None => judged.passed.extend(line(message)),
                },
                Verdict::Pass => {}
                Verdict::Hold(until) => {
                    self.held = Some(Held { until, messages: vec![line(message)] });
                }
                Verdict::Answer(answer) => judged.answers.push(format!("{answer}\n")),
                Verdict::Cut => {
                    judged.is_cut = true;
                    return Ok(judged);
                }
            }
        }
        if !intervenes {
            judged.passed = bytes.to_vec();
        }
        Ok(judged)
    }
}

/// A message as it goes over a connection of lines.
fn line(message: &[u8]) -> Vec<u8> {
    [message, b"\n"].concat()
}
