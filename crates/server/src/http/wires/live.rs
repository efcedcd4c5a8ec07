//! One's own wire as it comes, to one watcher.

use std::future::poll_fn;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::super::AppState;
use super::super::unheard::Unheard;
use super::{Owner, WirePage, name_of};
use crate::hosting::Transport;
use crate::house::clock;

/// What has happened meanwhile is said so often at most.
const EVERY: Duration = Duration::from_millis(100);

/// Says what comes until the watcher goes, or its key is none any more. Nothing is kept for a watcher
/// that is slow: it goes on with what the ring still has.
pub async fn show(
    app: &AppState,
    owner: Owner,
    mut transport: impl Transport,
    mut unheard: Unheard,
) {
    let mut news = owner.ring.watch();
    // The first page is said even if there is nothing to say: then it is the right place.
    let mut said = None;
    let reason = loop {
        let deadline = [transport.deadline(), unheard.deadline()].into_iter().flatten().min();
        tokio::select! {
            biased;
            () = app.stopping.cancelled() => break "the server is shutting down".to_owned(),
            // The ring outlives its watchers: nothing else can come of waiting. What comes within a
            // moment is said at once.
            _ = news.changed() => sleep(EVERY).await,
            reason = poll_fn(|cx| match poll(app, &owner, &mut said, &mut transport, cx) {
                Poll::Pending => unheard.poll(&mut transport, cx),
                ended => ended,
            }) => break reason,
            () = clock::sleep_until(deadline) => {
                if let Err(gone) = transport.tick(clock::now()) {
                    break gone;
                }
            }
        }
    };
    let farewell = poll_fn(|cx| transport.poll_close(cx, &reason));
    // Whether or not the farewell arrived, there is nobody left to tell.
    let _ = timeout(Duration::from_secs(1), farewell).await;
}

/// Says the next page once the one before is taken. Ready with the reason once it must end.
fn poll(
    app: &AppState,
    owner: &Owner,
    said: &mut Option<u64>,
    transport: &mut impl Transport,
    cx: &mut Context<'_>,
) -> Poll<String> {
    loop {
        match transport.poll_send(cx) {
            Poll::Ready(Err(error)) => return Poll::Ready(error),
            Poll::Pending => break,
            Poll::Ready(Ok(())) => {}
        }
        let page = WirePage::after(owner, said.unwrap_or(0));
        if page.lines.is_empty() && said.is_some() {
            break;
        }
        // The key may have been replaced since the last page.
        if name_of(app, &owner.key).is_none_or(|(name, _)| name != owner.name) {
            return Poll::Ready("this key is no longer valid".to_owned());
        }
        *said = Some(page.next);
        transport.put(serde_json::to_string(&page).expect("lines are plain data").into());
    }
    Poll::Pending
}
