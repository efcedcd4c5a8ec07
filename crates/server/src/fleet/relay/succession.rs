//! What becomes of a gateway's side when the hall comes to its node, or goes from it.

use std::collections::BTreeMap;

use hall::Hall;
use tokio::task::spawn_local;

use super::Relay;
use crate::fleet::link::{FromOwner, Unheard};
use crate::hosting::{HallMessage, SharedConnections};
use crate::house::clock;

impl Relay {
    /// For how long nobody was served.
    pub fn gap_ms(&self) -> u64 {
        self.lost.map_or(0, |lost| clock::now().0.saturating_sub(lost.0))
    }

    /// Reads what an owner of this release or an earlier one has said.
    pub fn read(&self, text: &str) -> serde_json::Result<FromOwner> {
        self.hosted.game.rules().reading(|| serde_json::from_str(text))
    }

    /// Delivers what an owner has said before it was lost.
    pub fn catch_up(&mut self, unheard: &Unheard, connections: &SharedConnections) {
        let now = clock::now();
        self.following.put_off(self.gap_ms());
        let is_given_up = unheard.has_given_up(self.hosted.node, self.heard);
        for text in unheard.missed(self.hosted.node, self.heard) {
            let Ok(FromOwner::Frame(frame)) = self.read(text) else {
                tracing::error!(
                    game = self.hosted.name(),
                    text,
                    "what was said before cannot be read"
                );
                continue;
            };
            self.take(now, frame, connections);
        }
        if is_given_up {
            let unknown = self.attending.keys().copied().collect();
            self.part_from(unknown, connections);
            self.tables.clear();
        }
        self.following.put_off(0);
        while !connections.borrow_mut().attend(now) {}
    }

    /// The hall is here now: what was not answered is asked here.
    pub fn hand_over(&mut self, connections: &SharedConnections) {
        let mut connections = connections.borrow_mut();
        // What was asked since stays behind what was asked before.
        let since = std::mem::take(&mut connections.inputs);
        let (inputs, asked) = self.unanswered.take();
        connections.inputs.extend(inputs);
        connections.inputs.extend(since);
        connections.stirred.notify_one();
        for (request, asker) in asked {
            let handle = self.hosted.handle.clone();
            spawn_local(async move { handle.send(HallMessage::Asked(request, asker)).await });
        }
        (self.heard, self.lost) = (None, None);
        (self.attending, self.tables) = (BTreeMap::new(), BTreeMap::new());
    }

    /// The hall was taken from this node, or the database has lost a part of it. Its next owner continues it,
    /// even if that is this node again. What this node's connections were told last is uncertain.
    pub fn lose_hall(&mut self, epoch: u64, connections: &SharedConnections) {
        self.served = self.served.max(epoch);
        let mut connections = connections.borrow_mut();
        for conn in connections.all() {
            connections.end(conn, "this server does not host the game any more");
        }
    }

    /// The hall goes to another node, which is to know what this one knew.
    pub fn take_over(&mut self, hall: &Hall, epoch: u64, connections: &SharedConnections) {
        for conn in connections.borrow().all() {
            let known = hall.attendance(conn);
            if let Some((no, stands)) =
                known.at.and_then(|(no, _)| Some((no, hall.table_standing(no)?)))
            {
                self.tables.insert(no, stands);
            }
            self.attending.insert(conn, known);
        }
        // What was said until then it has said itself.
        self.heard = Some((epoch, u64::MAX));
        self.lost = Some(clock::now());
    }
}
