//! Counts what arrives over a WebSocket, below it: every byte and every frame.
//!
//! The WebSocket library keeps reading until a message is complete, so empty frames would cost time
//! unnoticed. Here one frame at a time is let through, and a message in too many pieces is refused.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A message may come in this many pieces.
const PIECES: u32 = 64;
/// This many of them may be empty, if more follow.
const EMPTY_PIECES: u32 = 4;

/// A stream of bytes below a WebSocket.
#[derive(Debug)]
pub struct Metered<S> {
    stream: S,
    frames: Frames,
    /// Bytes read beyond the frame that was let through, and how many of them were let through
    /// since.
    ahead: Vec<u8>,
    passed: usize,
    /// Whether a frame may still come through.
    is_open: bool,
    came: Came,
}

/// What has arrived over a WebSocket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Came {
    /// Bytes, with the headers of frames.
    pub bytes: usize,
    /// Frames that are complete.
    pub frames: u64,
}

impl<S> Metered<S> {
    pub fn new(stream: S) -> Metered<S> {
        let frames = Frames::default();
        Metered {
            stream,
            frames,
            ahead: Vec::new(),
            passed: 0,
            is_open: false,
            came: Came::default(),
        }
    }

    /// Lets the next frame through. Until then nothing is delivered and no task is woken.
    pub fn open(&mut self) {
        self.is_open = true;
    }

    /// What has come through since the last call.
    pub fn take(&mut self) -> Came {
        std::mem::take(&mut self.came)
    }
}

impl<S: AsyncRead + Unpin> Metered<S> {
    /// Appends what comes next to the buffer.
    fn poll_fill(
        &mut self,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.passed == self.ahead.len() {
            return Pin::new(&mut self.stream).poll_read(cx, buffer);
        }
        let waits = &self.ahead[self.passed..];
        buffer.put_slice(&waits[..waits.len().min(buffer.remaining())]);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Metered<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.is_open {
            return Poll::Pending;
        }
        let before = buffer.filled().len();
        let was_ahead = self.passed < self.ahead.len();
        ready!(self.poll_fill(cx, buffer))?;
        let fresh = &buffer.filled()[before..];
        let (passes, ends) = self.frames.pass(fresh).map_err(io::Error::other)?;
        if was_ahead {
            self.passed += passes;
        } else {
            self.ahead = fresh[passes..].to_vec();
            self.passed = 0;
        }
        if self.passed == self.ahead.len() {
            (self.ahead, self.passed) = (Vec::new(), 0);
        }
        buffer.set_filled(before + passes);
        self.came.bytes += passes;
        self.came.frames += u64::from(ends);
        self.is_open = !ends;
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Metered<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Finds the ends of frames in the bytes of a WebSocket. What else is wrong with a frame is not looked
/// at here.
#[derive(Debug, Default)]
struct Frames {
    /// The header of the next frame as far as it has come.
    header: [u8; HEADER],
    length: usize,
    /// Remaining bytes of the frame after its header.
    rest: u64,
    /// How many pieces of a message have come, and how many of them were empty.
    pieces: u32,
    empty: u32,
}

/// The longest header: two bytes, eight of length, four of the mask.
const HEADER: usize = 14;

impl Frames {
    /// How many of these bytes belong to the next frame, and whether it ends there.
    fn pass(&mut self, bytes: &[u8]) -> Result<(usize, bool), TooManyPieces> {
        let mut passed = 0;
        while self.rest == 0 {
            let Some(byte) = bytes.get(passed) else { return Ok((passed, false)) };
            passed += 1;
            self.header[self.length] = *byte;
            self.length += 1;
            if let Some(payload) = self.payload() {
                self.length = 0;
                self.count(payload)?;
                self.rest = payload;
                if payload == 0 {
                    return Ok((passed, true));
                }
            }
        }
        let body = (bytes.len() - passed).min(usize::try_from(self.rest).unwrap_or(usize::MAX));
        self.rest -= body as u64;
        Ok((passed + body, self.rest == 0))
    }

    /// The frame's length after its header, once that is complete.
    fn payload(&self) -> Option<u64> {
        let header = &self.header[..self.length];
        let second = *header.get(1)?;
        let mask = if second & 0x80 == 0 { 0 } else { 4 };
        let (size, length) = match second & 0x7f {
            126 => (4, header.get(2..4).map(|two| two.iter().fold(0, shift))),
            127 => (10, header.get(2..10).map(|eight| eight.iter().fold(0, shift))),
            short => (2, Some(u64::from(short))),
        };
        length.filter(|_| header.len() == size + mask)
    }

    fn count(&mut self, payload: u64) -> Result<(), TooManyPieces> {
        let (is_last, opcode) = (self.header[0] & 0x80 != 0, self.header[0] & 0x0f);
        if opcode >= 8 {
            return Ok(());
        }
        if opcode != 0 {
            (self.pieces, self.empty) = (0, 0);
        }
        self.pieces += 1;
        self.empty += u32::from(payload == 0 && !is_last);
        if self.pieces > PIECES || self.empty > EMPTY_PIECES { Err(TooManyPieces) } else { Ok(()) }
    }
}

fn shift(sum: u64, byte: &u8) -> u64 {
    sum << 8 | u64::from(*byte)
}

/// A message comes in more pieces than it may.
#[derive(Debug, PartialEq, Eq)]
pub struct TooManyPieces;

impl fmt::Display for TooManyPieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a message comes in too many pieces: send it in one frame, or in {PIECES} at most, of \
             which {EMPTY_PIECES} may be empty"
        )
    }
}

impl std::error::Error for TooManyPieces {}

#[cfg(test)]
#[path = "metered_tests.rs"]
mod tests;
