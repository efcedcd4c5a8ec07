//! How much of what was said to a client its socket has taken.

use std::collections::VecDeque;

/// Counts messages, by the bytes that they are.
#[derive(Debug, Default)]
pub struct Sent {
    /// All bytes of all messages.
    bytes: usize,
    /// The end of each message that may not be sent yet.
    ends: VecDeque<usize>,
    /// How many messages are sent.
    messages: u64,
}

impl Sent {
    /// Adds a message of this many bytes.
    pub fn put(&mut self, bytes: usize) {
        self.bytes += bytes;
        self.ends.push_back(self.bytes);
    }

    /// Number of messages sent completely, given the number of unsent bytes.
    pub fn count(&mut self, unsent: usize) -> u64 {
        let sent = self.bytes.saturating_sub(unsent);
        while self.ends.front().is_some_and(|end| *end <= sent) {
            self.ends.pop_front();
            self.messages += 1;
        }
        self.messages
    }
}

#[cfg(test)]
mod tests {
    use super::Sent;

    #[test]
    fn a_message_is_sent_with_its_last_byte() {
        let mut sent = Sent::default();
        sent.put(10);
        sent.put(5);
        assert_eq!(sent.count(15), 0);
        assert_eq!(sent.count(6), 0);
        assert_eq!(sent.count(5), 1);
        assert_eq!(sent.count(1), 1);
        sent.put(1);
        assert_eq!(sent.count(1), 2);
        assert_eq!(sent.count(0), 3);
    }
}
