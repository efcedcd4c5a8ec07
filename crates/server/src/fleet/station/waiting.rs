//! A game that cannot be taken up at the moment: its connections are let in, and the server may be told
//! to stop.

use tokio::task::spawn_local;
use tokio::time::{Instant, sleep_until};
use tokio_util::task::TaskTracker;

use super::{AGAIN, Next, Station};
use crate::hosting::{HallMessage, SharedConnections};
use crate::house::{Complaints, clock};

/// Why a game could not be taken up. Each reason is said at once, and then once a minute.
#[derive(Debug, Default)]
pub struct Reasons {
    last: String,
    complaints: Complaints,
}

impl Reasons {
    pub fn say(&mut self, game: &str, error: &anyhow::Error) {
        let error = format!("{error:#}");
        if let Some(times) = self.hear(&error) {
            tracing::warn!(game, error, times, "cannot take the game up");
        }
    }

    /// How often it was so since it was last said, if it is to be said now.
    fn hear(&mut self, why: &str) -> Option<u64> {
        if self.last != why {
            *self = Reasons { last: why.to_owned(), ..Reasons::default() };
        }
        self.complaints.hear(clock::now())
    }
}

impl Station {
    /// Lets a moment pass before the hall is taken up again.
    pub(super) async fn wait_a_moment(
        &mut self,
        connections: &SharedConnections,
        sockets: &TaskTracker,
    ) -> Next {
        // Links of before do not count: the hall is out of reach.
        self.hosted.metrics.links.set(0);
        let until = Instant::now() + AGAIN;
        let mut waiting = Vec::new();
        let next = loop {
            tokio::select! {
                message = self.messages.recv() => {
                    let Some(message) = message else { break Next::Stop };
                    match message.admit(connections, sockets) {
                        Some(HallMessage::Stop) => break Next::Stop,
                        // The gateway comes again when the hall is somebody's.
                        Some(HallMessage::Linked(_)) => {}
                        other => waiting.extend(other),
                    }
                }
                () = sleep_until(until) => break Next::GoOn,
            }
        };
        self.put_back(waiting);
        next
    }

    /// Leaves messages for the next owner of the hall.
    pub(super) fn put_back(&self, waiting: Vec<HallMessage>) {
        let handle = self.hosted.handle.clone();
        spawn_local(async move {
            for message in waiting {
                handle.send(message).await;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five lines a second hid everything else.
    #[test]
    fn a_reason_is_said_once_a_minute_and_another_at_once() {
        let mut reasons = Reasons::default();
        let said = ["disk full", "disk full", "too many clients", "too many clients", "disk full"]
            .map(|why| reasons.hear(why));
        assert_eq!(said, [Some(1), None, Some(1), None, Some(1)]);
    }
}
