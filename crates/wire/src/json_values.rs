//! Framing of a stream of JSON values: line by line, one after the other without a gap, or
//! spread over many lines. What is cut out is well-formed; what it means is not looked at.

use crate::frame::{Frame, Framer, Garbage};

/// Cuts a stream into JSON values. Each byte is looked at once.
///
/// Values may be separated by white space or not. A bare number ends at the first byte that can't
/// belong to it; every other value marks its own end. After garbage nothing more comes: such a
/// stream can't be resynchronised.
#[derive(Debug)]
pub struct JsonValues {
    max: usize,
    buffer: Vec<u8>,
    /// The start of the value being read.
    start: usize,
    /// Up to where the buffer has been looked at.
    scanned: usize,
    scanner: Scanner,
    broken: bool,
}

/// How many arrays and objects may be open at once. What is deeper counts as too long.
const MAX_DEPTH: u32 = 32;

impl JsonValues {
    /// `max`: the longest value, in bytes.
    pub fn new(max: usize) -> JsonValues {
        JsonValues {
            max,
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            scanner: Scanner { state: State::Between, depth: 0, objects: 0 },
            broken: false,
        }
    }

    /// Gives the memory of what was read back; an idle connection holds none.
    fn compact(&mut self) {
        self.buffer.drain(..self.start);
        self.scanned -= self.start;
        self.start = 0;
        if self.buffer.is_empty() {
            self.buffer = Vec::new();
        }
    }

    /// `start`: where what is wrong begins.
    fn break_off(&mut self, garbage: Garbage, start: usize) -> Option<Frame<'_>> {
        self.broken = true;
        Some(Frame::Garbage(garbage, &self.buffer[start..]))
    }

    fn cut(&mut self) -> Option<Frame<'_>> {
        let start = std::mem::replace(&mut self.start, self.scanned);
        if std::str::from_utf8(&self.buffer[start..self.scanned]).is_err() {
            return self.break_off(Garbage::NotUtf8, start);
        }
        let text = std::str::from_utf8(&self.buffer[start..self.scanned]);
        text.ok().map(Frame::Text)
    }
}

impl Framer for JsonValues {
    fn feed(&mut self, bytes: &[u8]) {
        if !self.broken {
            self.buffer.extend_from_slice(bytes);
        }
    }

    fn next(&mut self) -> Option<Frame<'_>> {
        if self.broken {
            self.buffer = Vec::new();
            return None;
        }
        while self.scanned < self.buffer.len() {
            let unseen = &self.buffer[self.scanned..];
            let plain = self.scanner.plain(unseen);
            if plain > 0 {
                let room = (self.start + self.max).saturating_sub(self.scanned);
                if plain > room {
                    return self.break_off(Garbage::TooLong, self.start);
                }
                self.scanned += plain;
                continue;
            }
            let byte = unseen[0];
            let progress = self.scanner.take(byte);
            if progress != Progress::EndedBefore {
                self.scanned += 1;
            }
            if self.scanned - self.start > self.max && progress != Progress::Blank {
                return self.break_off(Garbage::TooLong, self.start);
            }
            match progress {
                Progress::Blank => self.start = self.scanned,
                Progress::Inside => {}
                Progress::Ended | Progress::EndedBefore => return self.cut(),
                Progress::Wrong(garbage) => return self.break_off(garbage, self.start),
            }
        }
        self.compact();
        None
    }

    fn is_exhausted(&self) -> bool {
        self.broken || self.scanned == self.buffer.len()
    }

    fn unfinished(&self) -> &[u8] {
        let from = self.start.min(self.buffer.len());
        if self.broken { &[] } else { self.buffer[from..].trim_ascii() }
    }
}

/// What one byte did to the value being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// White space between two values.
    Blank,
    Inside,
    /// The byte is the last one of a value.
    Ended,
    /// The byte follows a value that ended with the one before; it has not been taken.
    EndedBefore,
    Wrong(Garbage),
}

/// The grammar of JSON, byte by byte.
#[derive(Debug)]
struct Scanner {
    state: State,
    depth: u32,
    /// For each open level, the outermost in bit 0: whether it is an object.
    objects: u32,
}

/// What may come next.
#[derive(Clone, Copy, Debug)]
enum State {
    Between,
    Value,
    /// A value, or the end of an empty array.
    FirstItem,
    /// A key, or the end of an empty object.
    FirstKey,
    Key,
    Colon,
    /// A comma, or the end of the innermost array or object.
    Next,
    Text(Text),
    Literal(&'static [u8]),
    Number(Number),
}

#[derive(Clone, Copy, Debug)]
struct Text {
    is_key: bool,
    part: TextPart,
}

#[derive(Clone, Copy, Debug)]
enum TextPart {
    Plain,
    Escape,
    /// Number of hexadecimal digits of `\u` still missing.
    Hex(u8),
}

/// How far a number has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Minus,
    Zero,
    Whole,
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
}

const NOT_JSON: Progress = Progress::Wrong(Garbage::NotJson);

impl Scanner {
    /// How many of these bytes are text and nothing else. Most of JSON is, and these need not be
    /// taken one by one.
    fn plain(&self, bytes: &[u8]) -> usize {
        match self.state {
            State::Text(Text { part: TextPart::Plain, .. }) => {
                let special = |byte: &u8| matches!(byte, b'"' | b'\\' | ..b' ');
                bytes.iter().position(special).unwrap_or(bytes.len())
            }
            _ => 0,
        }
    }

    fn take(&mut self, byte: u8) -> Progress {
        let blank = matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        match (self.state, byte) {
            (State::Text(text), _) => self.take_in_text(text, byte),
            (State::Literal(rest), _) => self.take_in_literal(rest, byte),
            (State::Number(number), _) => self.take_in_number(number, byte),
            (State::Between, _) if blank => Progress::Blank,
            (_, _) if blank => Progress::Inside,
            (State::FirstItem, b']') | (State::FirstKey, b'}') => self.close(),
            (State::Between | State::Value | State::FirstItem, _) => self.begin(byte),
            (State::FirstKey | State::Key, b'"') => self.expect(text(true)),
            (State::Colon, b':') => self.expect(State::Value),
            (State::Next, b',') if self.in_object() => self.expect(State::Key),
            (State::Next, b',') => self.expect(State::Value),
            (State::Next, b'}') if self.in_object() => self.close(),
            (State::Next, b']') if !self.in_object() => self.close(),
            (State::FirstKey | State::Key | State::Colon | State::Next, _) => NOT_JSON,
        }
    }

    fn expect(&mut self, state: State) -> Progress {
        self.state = state;
        Progress::Inside
    }

    fn begin(&mut self, byte: u8) -> Progress {
        match byte {
            b'"' => self.expect(text(false)),
            b'[' => self.open(false),
            b'{' => self.open(true),
            b't' => self.expect(State::Literal(b"rue")),
            b'f' => self.expect(State::Literal(b"alse")),
            b'n' => self.expect(State::Literal(b"ull")),
            b'-' => self.expect(State::Number(Number::Minus)),
            b'0' => self.expect(State::Number(Number::Zero)),
            b'1'..=b'9' => self.expect(State::Number(Number::Whole)),
            _ => NOT_JSON,
        }
    }

    fn open(&mut self, object: bool) -> Progress {
        if self.depth == MAX_DEPTH {
            return Progress::Wrong(Garbage::TooLong);
        }
        let level = 1 << self.depth;
        self.objects = if object { self.objects | level } else { self.objects & !level };
        self.depth += 1;
        self.expect(if object { State::FirstKey } else { State::FirstItem })
    }

    fn in_object(&self) -> bool {
        self.objects >> (self.depth - 1) & 1 == 1
    }

    fn close(&mut self) -> Progress {
        self.depth -= 1;
        self.end()
    }

    /// A value has ended: the outermost, or one inside another.
    fn end(&mut self) -> Progress {
        if self.depth > 0 {
            return self.expect(State::Next);
        }
        self.state = State::Between;
        Progress::Ended
    }

    fn take_in_text(&mut self, Text { is_key, part }: Text, byte: u8) -> Progress {
        let part = match (part, byte) {
            (TextPart::Plain, b'"') if is_key => return self.expect(State::Colon),
            (TextPart::Plain, b'"') => return self.end(),
            (TextPart::Plain, b'\\') => TextPart::Escape,
            (TextPart::Plain, 0x20..) => TextPart::Plain,
            (TextPart::Escape, b'u') => TextPart::Hex(4),
            (TextPart::Escape, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                TextPart::Plain
            }
            (TextPart::Hex(1), _) if byte.is_ascii_hexdigit() => TextPart::Plain,
            (TextPart::Hex(left), _) if byte.is_ascii_hexdigit() => TextPart::Hex(left - 1),
            _ => return NOT_JSON,
        };
        self.expect(State::Text(Text { is_key, part }))
    }

    fn take_in_literal(&mut self, rest: &'static [u8], byte: u8) -> Progress {
        match rest {
            [last] if *last == byte => self.end(),
            [first, rest @ ..] if *first == byte => self.expect(State::Literal(rest)),
            _ => NOT_JSON,
        }
    }

    fn take_in_number(&mut self, number: Number, byte: u8) -> Progress {
        if let Some(longer) = number.with(byte) {
            return self.expect(State::Number(longer));
        }
        if !number.is_whole() {
            return NOT_JSON;
        }
        match self.end() {
            Progress::Ended => Progress::EndedBefore,
            _ => self.take(byte),
        }
    }
}

fn text(is_key: bool) -> State {
    State::Text(Text { is_key, part: TextPart::Plain })
}

impl Number {
    /// The number with one byte more, if that byte belongs to it.
    fn with(self, byte: u8) -> Option<Number> {
        use Number::*;
        match (self, byte) {
            (Minus, b'0') => Some(Zero),
            (Minus, b'1'..=b'9') | (Whole, b'0'..=b'9') => Some(Whole),
            (Zero | Whole, b'.') => Some(Point),
            (Point | Fraction, b'0'..=b'9') => Some(Fraction),
            (Zero | Whole | Fraction, b'e' | b'E') => Some(Exponent),
            (Exponent, b'+' | b'-') => Some(ExponentSign),
            (Exponent | ExponentSign | ExponentDigits, b'0'..=b'9') => Some(ExponentDigits),
            _ => None,
        }
    }

    /// Whether it may end here.
    fn is_whole(self) -> bool {
        matches!(self, Number::Zero | Number::Whole | Number::Fraction | Number::ExponentDigits)
    }
}

#[cfg(test)]
#[path = "json_values_tests.rs"]
mod tests;
