//! Pings, by which a silent client is found out to be gone.

use axum::body::Bytes;
use hall::Time;

use crate::house::clock;

/// Finds out whether a client that says nothing is still there.
#[derive(Debug)]
pub struct Pings {
    every_ms: u64,
    /// When to look next; none: never.
    pub next: Option<Time>,
    /// Something was received since the last check.
    heard: bool,
    unanswered: u32,
    /// The payload of the expected pong. Only a client that has read the ping can send it.
    asked: Option<Bytes>,
}

/// This many pings in a row may stay unanswered.
const UNANSWERED: u32 = 2;

impl Pings {
    /// 0: never.
    pub fn every(ms: u64) -> Pings {
        let next = (ms > 0).then(|| clock::now() + ms);
        Pings { every_ms: ms, next, heard: false, unanswered: 0, asked: None }
    }

    /// The client has sent a message.
    pub fn heard(&mut self) {
        self.heard = true;
    }

    /// The client sent a pong. An unsolicited one isn't a sign of life.
    pub fn answered(&mut self, pong: &[u8]) -> bool {
        let answers = self.asked.take_if(|asked| asked == pong).is_some();
        self.heard |= answers;
        answers
    }

    /// A ping to send now.
    pub fn ask(&mut self) -> Bytes {
        let mut chance = [0; 8];
        getrandom::fill(&mut chance).expect("the system has random numbers");
        self.asked.insert(Bytes::copy_from_slice(&chance)).clone()
    }

    /// The ping to send now, if it is time for one. The error says that the client is gone.
    pub fn tick(&mut self, now: Time) -> Result<Option<Bytes>, String> {
        if self.next.is_none_or(|next| next > now) {
            return Ok(None);
        }
        self.next = Some(now + self.every_ms);
        if std::mem::take(&mut self.heard) {
            self.unanswered = 0;
            return Ok(None);
        }
        if self.unanswered == UNANSWERED {
            return Err("the client does not answer pings".to_owned());
        }
        self.unanswered += 1;
        Ok(Some(self.ask()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pings a client got, and how often it was asked before it was given up.
    fn pinged(mut answer: impl FnMut(&mut Pings, Option<&Bytes>)) -> usize {
        let mut pings = Pings::every(1000);
        for times in 0..20 {
            let now = pings.next.expect("it looks again");
            match pings.tick(now) {
                Ok(ping) => answer(&mut pings, ping.as_ref()),
                Err(_) => return times,
            }
        }
        20
    }

    #[test]
    fn only_a_message_and_a_pong_that_answers_a_ping_are_signs_of_life() {
        assert_eq!(pinged(|_, _| {}), 2);
        assert_eq!(pinged(|pings, _| _ = pings.answered(b"")), 2, "nobody has asked for that");
        assert_eq!(pinged(|pings, _| _ = pings.answered(b"12345678")), 2);
        let reads = |pings: &mut Pings, ping: Option<&Bytes>| {
            if let Some(ping) = ping {
                pings.answered(ping);
            }
        };
        assert_eq!(pinged(reads), 20);
        assert_eq!(pinged(|pings, _| pings.heard()), 20);
        let mut first = None;
        let repeats = |pings: &mut Pings, ping: Option<&Bytes>| {
            let first = first.get_or_insert_with(|| ping.expect("asked at once").clone());
            pings.answered(first);
        };
        assert_eq!(pinged(repeats), 4, "an answer counts once");
    }
}
