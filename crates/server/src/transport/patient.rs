//! A socket whose client must accept some data from time to time.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::gate::{Admission, Limit};

/// A socket that fails once its client has taken nothing for `stall_ms` while something waits for it.
/// How long an answer takes as a whole does not matter.
#[derive(Debug)]
pub struct Patient<S> {
    pub socket: S,
    admission: Arc<Admission>,
    /// Runs while the client takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    /// It was given up.
    failed: bool,
}

impl<S> Patient<S> {
    pub fn new(socket: S, admission: Arc<Admission>) -> Patient<S> {
        Patient { socket, admission, stalled: None, failed: false }
    }

    /// Notices whether the client has taken something.
    pub fn notice<T>(
        &mut self,
        cx: &mut Context<'_>,
        taken: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        let patience = self.admission.limits().stall_ms;
        if taken.is_ready() || patience == 0 {
            self.stalled = None;
            return taken;
        }
        let start = || Box::pin(sleep(Duration::from_millis(patience)));
        if !self.failed {
            if self.stalled.get_or_insert_with(start).as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            // The wait is over for a closing message too.
            self.failed = true;
            self.admission.hit(Limit::StallMs);
        }
        Poll::Ready(Err(io::Error::new(
            io::ErrorKind::TimedOut,
            format!("the client does not read: it has taken nothing for {patience} ms"),
        )))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let taken = Pin::new(&mut self.socket).poll_write(cx, bytes);
        self.notice(cx, taken)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let taken = Pin::new(&mut self.socket).poll_write_vectored(cx, parts);
        self.notice(cx, taken)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

    use super::*;
    use crate::gate::{Gate, Peer};
    use crate::house::{Metrics, Settings};

    fn pair(stall_ms: u64) -> (DuplexStream, Patient<DuplexStream>) {
        let mut settings = Settings::default();
        settings.limits.stall_ms = stall_ms;
        let gate = Gate::new(&settings, Metrics::new(), None);
        let admission = gate.admit(Peer::direct([192, 0, 2, 1].into())).expect("there is room");
        let (client, socket) = duplex(10);
        (client, Patient::new(socket, Arc::new(admission)))
    }

    /// In a paused runtime time passes when nothing else can happen.
    #[tokio::test(start_paused = true)]
    async fn who_takes_nothing_for_long_is_given_up() {
        let (client, mut socket) = pair(30_000);
        socket.write_all(b"0123456789").await.expect("there is room");
        let error = socket.write_all(b"more").await.expect_err("nobody reads");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(error.to_string().contains("taken nothing for 30000 ms"), "{error}");
        drop(client);
    }

    #[tokio::test(start_paused = true)]
    async fn who_takes_a_little_now_and_then_may_take_as_long_as_that_takes() {
        let (mut client, mut socket) = pair(30_000);
        let reads = async {
            for _ in 0..100 {
                sleep(Duration::from_secs(29)).await;
                client.read_u8().await.expect("something was sent");
            }
            client
        };
        let writes = async { socket.write_all(&[7; 110]).await.expect("somebody reads") };
        let (_client, ()) = tokio::join!(reads, writes);
    }

    #[tokio::test(start_paused = true)]
    async fn zero_is_no_limit() {
        let (mut client, mut socket) = pair(0);
        let reads = async {
            sleep(Duration::from_secs(100_000)).await;
            client.read_u8().await.expect("something was sent");
            client
        };
        let writes = async { socket.write_all(&[7; 11]).await.expect("somebody reads") };
        let (_client, ()) = tokio::join!(reads, writes);
    }
}
