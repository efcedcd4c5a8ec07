//! Signs of life. Both ends of a link say something at least every half second, an empty frame if there is
//! nothing else, and a link over which nothing has come for two seconds is dead. TCP alone does not notice
//! a process that hangs, and takes minutes for a machine without power.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use super::frames::Outgoing;

/// Each end says something this often.
pub const BEAT: Duration = Duration::from_millis(500);

/// A link is dead when nothing has come over it for this long.
pub const SILENCE: Duration = Duration::from_secs(2);

/// The reading end of a link, which fails when the other side is silent for too long.
#[derive(Debug)]
pub struct Attentive<R> {
    reader: R,
    /// The writing end of the same link, which remembers when something has come.
    link: Outgoing,
    /// Runs while silence counts.
    alarm: Option<Pin<Box<Sleep>>>,
}

impl<R> Attentive<R> {
    /// Silence does not count yet.
    pub fn new(reader: R, link: Outgoing) -> Attentive<R> {
        Attentive { reader, link, alarm: None }
    }

    /// From now on silence counts. An owner that takes a large game up is busy for a while, so a gateway
    /// begins with this when it is attached.
    pub fn expect_life(&mut self) {
        self.link.hear_life();
        self.alarm.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + SILENCE)));
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Attentive<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        // What has come counts, even if this process itself was stopped and the alarm is late.
        if let Poll::Ready(read) = Pin::new(&mut this.reader).poll_read(cx, buffer) {
            this.link.hear_life();
            return Poll::Ready(read);
        }
        let Some(alarm) = &mut this.alarm else { return Poll::Pending };
        while alarm.as_mut().poll(cx).is_ready() {
            if this.link.silence() >= SILENCE {
                let why = format!("the other side was silent for {} ms", SILENCE.as_millis());
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, why)));
            }
            alarm.as_mut().reset(Instant::now() + SILENCE - this.link.silence());
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader, duplex, sink};
    use tokio::time::{advance, timeout};

    use super::super::frames;
    use super::*;

    /// A link whose other side hung was never noticed: its kernel answered for it.
    #[tokio::test(start_paused = true)]
    async fn a_link_over_which_nothing_comes_is_dead() {
        let (near, mut far) = duplex(1024);
        let mut reader = BufReader::new(Attentive::new(near, Outgoing::default()));
        let mut room = Vec::new();
        let mut hear = async |reader: &mut BufReader<_>| {
            frames::read::<String>(reader, &mut room, frames::LONGEST).await
        };
        // Before it counts, any silence is fine.
        assert!(timeout(10 * SILENCE, hear(&mut reader)).await.is_err());
        reader.get_mut().expect_life();
        for _ in 0..10 {
            advance(SILENCE - Duration::from_millis(1)).await;
            far.write_all(&frames::frame(&"something")).await.expect("it is read");
            assert_eq!(hear(&mut reader).await.expect("alive"), Some("something".to_owned()));
        }
        // A sign of life is no message, but it counts.
        let beats = async {
            for _ in 0..10 {
                tokio::time::sleep(BEAT).await;
                far.write_all(&[0; 4]).await.expect("it is read");
            }
            Instant::now()
        };
        let (heard, last) = tokio::join!(hear(&mut reader), beats);
        assert_eq!(heard.expect_err("silence").kind(), io::ErrorKind::TimedOut);
        assert_eq!(Instant::now() - last, SILENCE);
    }

    /// Who has nothing to say says that it is there.
    #[tokio::test(start_paused = true)]
    async fn an_idle_link_says_that_it_is_there() {
        let (near, mut far) = duplex(1024);
        let outgoing = Outgoing::default();
        let hears = async {
            let begin = Instant::now();
            for beat in 1..=20 {
                let mut length = [1; 4];
                far.read_exact(&mut length).await.expect("it is open");
                assert_eq!((length, begin.elapsed()), ([0; 4], beat * BEAT));
            }
        };
        tokio::select! {
            () = hears => {}
            _ = outgoing.write(near) => panic!("it goes on"),
        }
    }

    /// Nothing is written over a link that is closed.
    #[tokio::test(start_paused = true)]
    async fn a_link_that_is_closed_beats_no_more() {
        let outgoing = Outgoing::default();
        outgoing.close();
        outgoing.write(sink()).await.expect("it ends");
    }
}
