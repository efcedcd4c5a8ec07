//! The way into a hall from other threads, and what they say to it.

use std::sync::Arc;

use hall::{BanSubject, ConnId, Refusal, Register, Reply, Request, TableNo, Thought};
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use super::SharedConnections;
use super::port::{Listening, accept};
use super::visit::Visit;
use crate::fleet::LinkSocket;
use crate::reading::Recalled;

/// What reaches a hall's thread from others, in order.
pub enum HallMessage {
    /// Connections come in here.
    Listen(Listening),
    /// Somebody was let in on another thread.
    Came(Box<Visit>),
    Asked(Request, oneshot::Sender<Reply>),
    /// House bots have answered.
    Thought(TableNo, Box<Thought>),
    /// What a connection has asked is told from records.
    Recalled(ConnId, Box<Recalled>),
    /// The house's register has changed; told when the hall goes by it.
    Registered(Arc<Register>, oneshot::Sender<()>),
    /// Nothing new begins, for this reason, or it may again; told when the hall goes by it.
    Barred(Option<Refusal>, oneshot::Sender<()>),
    /// A gateway of the fleet has come to the hall.
    Linked(Box<LinkSocket>),
    /// Closes the connections of a name or an address, and says how many.
    Kick(BanSubject, oneshot::Sender<usize>),
    ShuttingDown,
    /// Everything before this has been handled; the thread ends.
    Stop,
}

impl HallMessage {
    /// Lets in who comes, wherever the hall is. Anything else is for the hall.
    pub fn admit(
        self,
        connections: &SharedConnections,
        sockets: &TaskTracker,
    ) -> Option<HallMessage> {
        match self {
            HallMessage::Listen(listening) => {
                sockets.spawn_local(accept(listening, connections.clone(), sockets.clone()));
            }
            HallMessage::Came(visit) => {
                sockets.spawn_local(visit.serve(connections.clone()));
            }
            other => return Some(other),
        }
        None
    }
}

/// The way into a hall from other threads.
pub struct HallHandle(mpsc::Sender<HallMessage>);

impl Clone for HallHandle {
    fn clone(&self) -> HallHandle {
        HallHandle(self.0.clone())
    }
}

impl HallHandle {
    pub fn new() -> (HallHandle, mpsc::Receiver<HallMessage>) {
        let (messages, heard) = mpsc::channel(1024);
        (HallHandle(messages), heard)
    }

    /// An organiser's request. None: the hall is closed.
    pub async fn ask(&self, request: Request) -> Option<Reply> {
        let (sender, reply) = oneshot::channel();
        self.0.send(HallMessage::Asked(request, sender)).await.ok()?;
        reply.await.ok()
    }

    /// The same from a thread that may wait.
    pub fn send_blocking(&self, message: HallMessage) {
        // A closed hall hears nothing more, and needs to hear nothing more.
        let _ = self.0.blocking_send(message);
    }

    pub async fn send(&self, message: HallMessage) {
        // A closed hall hears nothing more, and needs to hear nothing more.
        let _ = self.0.send(message).await;
    }
}

// What the server asks of a hall.
impl HallHandle {
    pub async fn shutting_down(&self) {
        self.send(HallMessage::ShuttingDown).await;
    }

    pub async fn stop(&self) {
        self.send(HallMessage::Stop).await;
    }

    /// Lets the hall know the register; the hall uses it once this is over.
    pub async fn know(&self, register: Arc<Register>) {
        let (known, is_known) = oneshot::channel();
        self.send(HallMessage::Registered(register, known)).await;
        // A closed hall need not know.
        let _ = is_known.await;
    }

    /// Lets nothing new begin, for a reason, or lets it again, once this is over.
    pub async fn bar(&self, why: Option<Refusal>) {
        let (known, is_known) = oneshot::channel();
        self.send(HallMessage::Barred(why, known)).await;
        // In a closed hall nothing begins.
        let _ = is_known.await;
    }

    /// Closes the connections of a name or an address, and returns their number.
    pub async fn kick(&self, subject: BanSubject) -> usize {
        let (kicked, are_kicked) = oneshot::channel();
        self.send(HallMessage::Kick(subject, kicked)).await;
        // No one is connected to a closed hall.
        are_kicked.await.unwrap_or(0)
    }
}
