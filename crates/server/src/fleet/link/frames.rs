//! Frames over TCP: four bytes of length, then JSON. An empty one says that its sender is there.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;
use std::time::Duration;

use rules::any::AnyRules;
use serde::Serialize;
use serde::de::DeserializeOwned;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use super::life::BEAT;

/// A frame is no longer than this: a list of all tables of a large hall is some megabytes.
pub const LONGEST: usize = 64 * 1024 * 1024;
/// What is said before hands are shaken is short.
pub const LONGEST_HELLO: usize = 4 * 1024;

/// A machine that loses its power says no farewell: it is asked so often whether it is still there, and its
/// link has ended when it does not answer so many times.
const ALIVE: TcpKeepalive =
    TcpKeepalive::new().with_time(EVERY).with_interval(EVERY).with_retries(5);
const EVERY: Duration = Duration::from_secs(1);

/// While something is on its way, keepalive asks nothing: what is not acknowledged for this long ends the
/// link.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED: Duration = Duration::from_secs(4);

/// Sets up a socket that carries a link.
pub fn watch_over(socket: &TcpStream) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let socket = SockRef::from(socket);
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED))?;
    socket.set_tcp_keepalive(&ALIVE)
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
    read_by(reader, room, longest, |text| serde_json::from_slice(text)).await
}

/// The next message, which contains actions and views of this game.
pub async fn read_of_game<T: DeserializeOwned>(
    rules: &'static dyn AnyRules,
    reader: &mut (impl AsyncRead + Unpin),
    room: &mut Vec<u8>,
    longest: usize,
) -> io::Result<Option<T>> {
    read_by(reader, room, longest, |text| rules.reading(|| serde_json::from_slice(text))).await
}

async fn read_by<T>(
    reader: &mut (impl AsyncRead + Unpin),
    room: &mut Vec<u8>,
    longest: usize,
    parse: impl FnOnce(&[u8]) -> serde_json::Result<T>,
) -> io::Result<Option<T>> {
    let length = loop {
        let mut length = [0; 4];
        match reader.read_exact(&mut length).await {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            read => read?,
        };
        match u32::from_be_bytes(length) as usize {
            // The other side is there, and has nothing to say.
            0 => {}
            length => break length,
        }
    };
    if length > longest {
        return Err(io::Error::other(format!("a frame of {length} bytes is too long")));
    }
    // Room is made as the bytes come, not as they are announced.
    room.clear();
    if reader.take(length as u64).read_to_end(room).await? < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let message = parse(room).map_err(io::Error::other)?;
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

#[derive(Debug)]
struct Waiting {
    bytes: RefCell<Vec<u8>>,
    stirred: Notify,
    answered: Notify,
    closed: Cell<bool>,
    abandoned: Notify,
    /// When something has come over the link last.
    heard: Cell<Instant>,
    /// The link has ended.
    lost: Cell<bool>,
    /// The link lives, but the database has ended the other side.
    doubted: Cell<bool>,
}

impl Default for Waiting {
    fn default() -> Waiting {
        Waiting {
            bytes: RefCell::default(),
            stirred: Notify::new(),
            answered: Notify::new(),
            closed: Cell::default(),
            abandoned: Notify::new(),
            heard: Cell::new(Instant::now()),
            lost: Cell::default(),
            doubted: Cell::default(),
        }
    }
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

    /// Something has come from the other side, if only a sign of life.
    pub fn hear_life(&self) {
        self.0.heard.set(Instant::now());
    }

    /// The link has ended, and may be made again.
    pub fn lose(&self) {
        self.0.lost.set(true);
    }

    /// Whether the database has ended the other side, although its link lives.
    pub fn doubt(&self, is_doubted: bool) {
        self.0.doubted.set(is_doubted);
    }

    /// Whether the other side may be gone: its link has ended, it has missed a sign of life, or others say so.
    pub fn is_unsure(&self) -> bool {
        self.0.lost.get() || self.0.doubted.get() || self.silence() > 2 * BEAT
    }

    /// For how long nothing has come from the other side.
    pub fn silence(&self) -> Duration {
        self.0.heard.get().elapsed()
    }

    /// Writes until the link is closed or breaks, as [`write`](Outgoing::write) does. What is put while the
    /// other side has not answered goes with one write: it is busy with what came before, and would be woken
    /// for nothing.
    pub async fn write_gathered(self, socket: impl AsyncWrite + Unpin) -> io::Result<()> {
        self.write_pausing(socket, async |waiting| {
            // Nobody answers for a while: then it goes all the same.
            let _ = timeout(GATHER, waiting.answered.notified()).await;
        })
        .await
    }

    /// Writes until the link is closed or breaks.
    pub async fn write(self, socket: impl AsyncWrite + Unpin) -> io::Result<()> {
        self.write_pausing(socket, async |_| {}).await
    }

    async fn write_pausing(
        self,
        mut socket: impl AsyncWrite + Unpin,
        pause: impl AsyncFn(&Waiting),
    ) -> io::Result<()> {
        loop {
            let bytes = std::mem::take(&mut *self.0.bytes.borrow_mut());
            if !bytes.is_empty() {
                let write = async {
                    socket.write_all(&bytes).await?;
                    socket.flush().await
                };
                tokio::select! {
                    written = write => written?,
                    () = self.0.abandoned.notified() => {
                        return Err(io::Error::other("the other side does not read"));
                    }
                }
                pause(&self.0).await;
            } else if self.0.closed.get() {
                return socket.shutdown().await;
            } else if timeout(BEAT, self.0.stirred.notified()).await.is_err() {
                self.put(&[0; 4]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a link announces costs nothing before it comes, and what is too long is not read at all.
    #[tokio::test]
    async fn a_frame_takes_room_as_it_comes() {
        let announced = |length: usize, body: &[u8]| {
            [&u32::try_from(length).expect("short enough").to_be_bytes(), body].concat()
        };
        let mut room = Vec::new();
        let cut = announced(LONGEST, b"{\"a\":");
        let read = read::<serde_json::Value>(&mut &cut[..], &mut room, LONGEST).await;
        assert_eq!(read.expect_err("it is cut").kind(), io::ErrorKind::UnexpectedEof);
        assert!(room.capacity() < 64 * 1024, "{} bytes", room.capacity());
        let long = announced(LONGEST + 1, b"{}");
        let refused = super::read::<serde_json::Value>(&mut &long[..], &mut room, LONGEST).await;
        assert!(refused.expect_err("it is too long").to_string().contains("too long"));
        assert!(room.capacity() < 64 * 1024, "{} bytes", room.capacity());
    }

    /// Keepalive asks nothing while something is on its way, so a machine without power was not noticed for a
    /// quarter of an hour.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_system_ends_a_link_to_a_machine_without_power() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("binds");
        let socket = TcpStream::connect(listener.local_addr().expect("bound")).await;
        let socket = socket.expect("connects");
        watch_over(&socket).expect("a socket");
        let socket = SockRef::from(&socket);
        assert_eq!(socket.tcp_user_timeout().expect("a socket"), Some(UNACKNOWLEDGED));
        assert!(socket.keepalive().expect("a socket") && socket.tcp_nodelay().expect("a socket"));
        assert_eq!(socket.tcp_keepalive_time().expect("a socket"), EVERY);
    }
}
