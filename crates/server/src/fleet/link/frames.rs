//! Frames over TCP: four bytes of length, then JSON.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::sync::Notify;
use tokio::time::timeout;

/// A frame is no longer than this: a list of all tables of a large hall is some megabytes.
pub const LONGEST: usize = 256 * 1024 * 1024;
/// What is said before hands are shaken is short.
pub const LONGEST_HELLO: usize = 4 * 1024;

/// A machine that loses its power says no farewell: it is asked so often whether it is still there, and its
/// link has ended when it does not answer so many times.
const ALIVE: TcpKeepalive =
    TcpKeepalive::new().with_time(EVERY).with_interval(EVERY).with_retries(5);
const EVERY: Duration = Duration::from_secs(1);

/// Sets up a socket that carries a link.
pub fn watch_over(socket: &TcpStream) -> io::Result<()> {
    socket.set_nodelay(true)?;
    SockRef::from(socket).set_tcp_keepalive(&ALIVE)
}

/// A message as a frame.
pub fn frame(message: &impl Serialize) -> Vec<u8> {
    // Most are short; it grows for those that are not.
    let mut bytes = Vec::with_capacity(1024);
    bytes.resize(4, 0);
    serde_json::to_writer(&mut bytes, message).expect("what is said is plain data");
    let length = u32::try_from(bytes.len() - 4).expect("no frame is that long");
    bytes[..4].copy_from_slice(&length.to_be_bytes());
    bytes
}

/// The message of a frame.
pub fn body(frame: &[u8]) -> &[u8] {
    &frame[4..]
}

/// A frame of a message that is JSON already.
pub fn wrap(body: &str) -> Vec<u8> {
    let length = u32::try_from(body.len()).expect("no frame is that long");
    [&length.to_be_bytes(), body.as_bytes()].concat()
}

/// The next message. None: the other side has closed the link.
pub async fn read<T: DeserializeOwned>(
    reader: &mut (impl AsyncRead + Unpin),
    room: &mut Vec<u8>,
    longest: usize,
) -> io::Result<Option<T>> {
    let mut length = [0; 4];
    match reader.read_exact(&mut length).await {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    };
    let length = u32::from_be_bytes(length) as usize;
    if length > longest {
        return Err(io::Error::other(format!("a frame of {length} bytes is too long")));
    }
    room.resize(length, 0);
    reader.read_exact(room).await?;
    let message = serde_json::from_slice(room).map_err(io::Error::other)?;
    // A long frame is rare; its room is not kept.
    if room.capacity() > 1024 * 1024 {
        *room = Vec::new();
    }
    Ok(Some(message))
}

/// What is to be written to a link. Whoever puts something there never waits; the link's task
/// writes it.
#[derive(Clone, Debug, Default)]
pub struct Outgoing(Rc<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    bytes: RefCell<Vec<u8>>,
    stirred: Notify,
    answered: Notify,
    closed: Cell<bool>,
    abandoned: Notify,
}

/// After a write, more is gathered until the other side says something, but no longer than this.
const GATHER: Duration = Duration::from_millis(1);

impl Outgoing {
    pub fn put(&self, frame: &[u8]) {
        self.0.bytes.borrow_mut().extend_from_slice(frame);
        self.0.stirred.notify_one();
    }

    /// How much is not written yet.
    pub fn len(&self) -> usize {
        self.0.bytes.borrow().len()
    }

    /// Ends the link once everything before is written.
    pub fn close(&self) {
        self.0.closed.set(true);
        self.0.stirred.notify_one();
    }

    /// Ends the link at once: the other side does not read.
    pub fn abandon(&self) {
        self.0.abandoned.notify_one();
    }

    /// The other side has said something.
    pub fn answered(&self) {
        self.0.answered.notify_one();
    }

    /// Writes until the link is closed or breaks, as [`write`](Outgoing::write) does. What is put while the
    /// other side has not answered goes with one write: it is busy with what came before, and would be woken
    /// for nothing.
    pub async fn write_gathered(self, socket: OwnedWriteHalf) -> io::Result<()> {
        self.write_pausing(socket, async |waiting| {
            // Nobody answers for a while: then it goes all the same.
            let _ = timeout(GATHER, waiting.answered.notified()).await;
        })
        .await
    }

    /// Writes until the link is closed or breaks.
    pub async fn write(self, socket: OwnedWriteHalf) -> io::Result<()> {
        self.write_pausing(socket, async |_| {}).await
    }

    async fn write_pausing(
        self,
        mut socket: OwnedWriteHalf,
        pause: impl AsyncFn(&Waiting),
    ) -> io::Result<()> {
        loop {
            let bytes = std::mem::take(&mut *self.0.bytes.borrow_mut());
            if !bytes.is_empty() {
                tokio::select! {
                    written = socket.write_all(&bytes) => written?,
                    () = self.0.abandoned.notified() => {
                        return Err(io::Error::other("the other side does not read"));
                    }
                }
                pause(&self.0).await;
            } else if self.0.closed.get() {
                return socket.shutdown().await;
            } else {
                self.0.stirred.notified().await;
            }
        }
    }
}
