//! Framing: bytes in, messages out, incrementally. A message fed byte by byte costs linear time.

/// One thing a client sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    Text(&'a str),
    /// Why it is none, and the bytes themselves, or the first of them.
    Garbage(Garbage, &'a [u8]),
}

impl Frame<'_> {
    /// How many bytes it has.
    pub fn len(&self) -> usize {
        match self {
            Frame::Text(text) => text.len(),
            Frame::Garbage(_, bytes) => bytes.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What can't be a message of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Garbage {
    TooLong,
    NotUtf8,
    NotJson,
    Binary,
}

/// Number of bytes shown of an invalid message.
const SHOWN: usize = 60;

impl Garbage {
    /// Why it isn't a message, and how it begins, for debugging.
    pub fn shown(self, bytes: &[u8]) -> String {
        let why = match self {
            Garbage::TooLong => "too long",
            Garbage::NotUtf8 => "not UTF-8",
            Garbage::NotJson => "not JSON",
            Garbage::Binary => "binary",
        };
        let rest = if bytes.len() > SHOWN { "…" } else { "" };
        format!("({why}) {}{rest}", bytes[..bytes.len().min(SHOWN)].escape_ascii())
    }
}

/// Cuts a stream of bytes into messages.
pub trait Framer: Send {
    /// Takes bytes as they come, whole messages or pieces.
    fn feed(&mut self, bytes: &[u8]);

    /// The next message, if it is complete.
    fn next(&mut self) -> Option<Frame<'_>>;

    /// Whether everything that was fed has been looked at: no message is complete.
    fn is_exhausted(&self) -> bool;

    /// The beginning of a message whose end has not come.
    fn unfinished(&self) -> &[u8];
}

/// Lines ended by `\n` or `\r\n`.
///
/// A line that grows past the limit is reported once, at that moment; what follows up to its
/// end is thrown away, so a sender of megabytes costs no memory.
#[derive(Debug)]
pub struct Lines {
    max: usize,
    buffer: Vec<u8>,
    /// The start of the unread part of the buffer.
    start: usize,
    /// Up to where no line end was found.
    searched: usize,
    skipping: bool,
}

/// Number of bytes an empty buffer keeps: enough for the usual line.
const KEPT: usize = 128;

impl Lines {
    /// `max`: the longest line, in bytes before its `\n`.
    pub fn new(max: usize) -> Lines {
        Lines { max, buffer: Vec::new(), start: 0, searched: 0, skipping: false }
    }

    /// Gives the memory of what was read back; an idle connection holds next to none.
    fn compact(&mut self) {
        if self.start == self.buffer.len() {
            self.buffer.clear();
            self.buffer.shrink_to(KEPT);
        } else {
            self.buffer.drain(..self.start);
        }
        self.searched -= self.start;
        self.start = 0;
    }
}

impl Framer for Lines {
    fn feed(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    fn next(&mut self) -> Option<Frame<'_>> {
        loop {
            let end = self.buffer[self.searched..].iter().position(|byte| *byte == b'\n');
            let Some(end) = end.map(|offset| self.searched + offset) else {
                self.searched = self.buffer.len();
                let too_long = self.searched - self.start > self.max;
                let begin = self.start;
                if self.skipping || too_long {
                    self.start = self.searched;
                }
                if too_long && !self.skipping {
                    self.skipping = true;
                    return Some(Frame::Garbage(Garbage::TooLong, &self.buffer[begin..]));
                }
                self.compact();
                return None;
            };
            let start = std::mem::replace(&mut self.start, end + 1);
            self.searched = end + 1;
            if std::mem::take(&mut self.skipping) {
                continue;
            }
            if end - start > self.max {
                return Some(Frame::Garbage(Garbage::TooLong, &self.buffer[start..end]));
            }
            let line = &self.buffer[start..end];
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            return Some(match std::str::from_utf8(line) {
                Ok(text) => Frame::Text(text),
                Err(_) => Frame::Garbage(Garbage::NotUtf8, line),
            });
        }
    }

    fn is_exhausted(&self) -> bool {
        self.searched == self.buffer.len()
    }

    fn unfinished(&self) -> &[u8] {
        if self.skipping { &[] } else { &self.buffer[self.start..] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_has_no_end_yet_can_be_looked_at() {
        let mut lines = Lines::new(10);
        lines.feed(b"GAMES\nJO");
        assert_eq!(lines.next(), Some(Frame::Text("GAMES")));
        assert_eq!(lines.next(), None);
        assert_eq!(lines.unfinished(), b"JO");
        lines.feed(b"IN\n");
        assert_eq!(lines.next(), Some(Frame::Text("JOIN")));
        assert_eq!(lines.next(), None);
        assert_eq!(lines.unfinished(), b"");
        let mut values = crate::JsonValues::new(100);
        values.feed(br#" ["pass",[]]  {"color":"#);
        assert_eq!(values.next(), Some(Frame::Text(r#"["pass",[]]"#)));
        assert_eq!(values.next(), None);
        assert_eq!(values.unfinished(), br#"{"color":"#);
    }

    fn all(lines: &mut Lines) -> Vec<String> {
        let mut frames = Vec::new();
        while let Some(frame) = lines.next() {
            frames.push(match frame {
                Frame::Text(text) => text.to_owned(),
                Frame::Garbage(garbage, _) => format!("<{garbage:?}>"),
            });
        }
        frames
    }

    fn cut(pieces: &[&[u8]]) -> Vec<String> {
        let mut lines = Lines::new(8);
        let mut frames = Vec::new();
        for piece in pieces {
            lines.feed(piece);
            frames.extend(all(&mut lines));
        }
        frames
    }

    #[test]
    fn part_of_a_line_one_line_and_more_than_one() {
        assert_eq!(cut(&[b"REA"]), Vec::<String>::new());
        assert_eq!(cut(&[b"REA", b"DY\n"]), ["READY"]);
        assert_eq!(cut(&[b"A\r\nB\n\nC"]), ["A", "B", ""]);
    }

    #[test]
    fn a_line_may_be_as_long_as_the_limit_and_no_longer() {
        assert_eq!(cut(&[b"12345678\n"]), ["12345678"]);
        assert_eq!(cut(&[b"123456789\nok\n"]), ["<TooLong>", "ok"]);
        assert_eq!(cut(&[b"12345678", b"9", b"more and more", b"\nok\n"]), ["<TooLong>", "ok"]);
    }

    #[test]
    fn a_line_that_is_not_utf8_is_garbage_alone() {
        assert_eq!(cut(&[b"a\xff\n", b"ok\n"]), ["<NotUtf8>", "ok"]);
    }

    /// The author of a bot saw only `<NotUtf8>` and nothing of what was sent.
    #[test]
    fn a_malformed_message_is_shown_escaped_and_shortened() {
        let mut lines = Lines::new(100);
        lines.feed(b"\x00\xffPLAY\t1\n");
        let Some(Frame::Garbage(garbage, bytes)) = lines.next() else { panic!("not UTF-8") };
        assert_eq!(garbage.shown(bytes), r"(not UTF-8) \x00\xffPLAY\t1");
        lines.feed(&[b'x'; 101]);
        let Some(Frame::Garbage(garbage, bytes)) = lines.next() else { panic!("too long") };
        assert_eq!(garbage.shown(bytes), format!("(too long) {}…", "x".repeat(60)));
    }

    #[test]
    fn an_endless_line_costs_no_memory() {
        let mut lines = Lines::new(1024);
        for _ in 0..1000 {
            lines.feed(&[b'x'; 1024]);
            while lines.next().is_some() {}
            assert!(lines.buffer.capacity() <= 4096);
        }
    }

    proptest! {
        #[test]
        fn splits_do_not_matter(bytes: Vec<u8>, cuts: Vec<prop::sample::Index>) {
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            cuts.sort_unstable();
            let mut pieces = Vec::new();
            let mut from = 0;
            for cut in cuts {
                pieces.push(&bytes[from..cut]);
                from = cut;
            }
            pieces.push(&bytes[from..]);
            prop_assert_eq!(cut(&pieces), cut(&[&bytes]));
        }
    }
}
