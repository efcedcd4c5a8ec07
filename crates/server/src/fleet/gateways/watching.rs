//! What an owner looks at while a gateway's link lives: whether the database has ended the gateway, and what
//! the gateway should know of how the owner is.

use std::io;
use std::sync::Arc;

use tokio::time::{Instant, sleep};

use super::super::link::{self, BEAT, FromOwner, Outgoing};
use super::downlink::{GRACE, LOOK};
use crate::fleet::Ownership;
use crate::hosting::SharedConnections;
use crate::house::clock;

/// Waits until the database knows a node that has come. Its own next look may show it.
pub async fn await_member(node: u32, owners: &Arc<dyn Ownership>) -> io::Result<()> {
    let until = Instant::now() + GRACE;
    while owners.has_ended(node) {
        if Instant::now() >= until {
            return Err(ended());
        }
        sleep(LOOK).await;
    }
    Ok(())
}

/// Watches over a live link, and says why it is to end: the database has ended the gateway. The next owner
/// would not wait for such a node, so its players are gone here, too. After an outage of the database all
/// nodes join again, one a little later than the other.
pub async fn watch(
    connections: &SharedConnections,
    node: u32,
    outgoing: &Outgoing,
    owners: &Arc<dyn Ownership>,
) -> io::Error {
    let (mut ended_since, mut was_unsaved) = (None, false);
    loop {
        sleep(BEAT).await;
        let has_ended = owners.has_ended(node);
        // Its players get their seats back over other nodes meanwhile.
        outgoing.doubt(has_ended);
        if !has_ended {
            ended_since = None;
        } else if ended_since.get_or_insert_with(Instant::now).elapsed() >= GRACE {
            return ended();
        }
        let unsaved_ms = unsaved_ms(connections);
        if unsaved_ms > 0 || was_unsaved {
            outgoing.put(&link::frame(&FromOwner::Unsaved(unsaved_ms)));
        }
        was_unsaved = unsaved_ms > 0;
    }
}

/// How long the hall's oldest move has waited to be saved; 0 if that is only a moment.
fn unsaved_ms(connections: &SharedConnections) -> u64 {
    let since = connections.borrow().hosted.metrics.unsaved_since.get();
    let waited = clock::now().0.saturating_sub(since.unsigned_abs());
    if since == 0 || u128::from(waited) < BEAT.as_millis() { 0 } else { waited }
}

fn ended() -> io::Error {
    io::Error::other("the database has ended this node")
}
