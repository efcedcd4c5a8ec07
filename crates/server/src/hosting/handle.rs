//! The way into a hall from other threads, and what they say to it.

use std::sync::Arc;

use hall::{BanSubject, ConnId, Refusal, Register, Reply, Request, TableNo, Thought};
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;
use wire::Playable;

use super::SharedConnections;
use super::port::{Listening, accept};
use super::visit::Visit;
use crate::fleet::LinkSocket;
use crate::reading::Recalled;

/// What reaches a hall's thread from others, in order.
pub enum HallMessage<G: Playable> {
    /// Connections come in here.
    Listen(Listening<G>),
    /// Somebody was let in on another thread.
    Came(Box<Visit<G>>),
    Asked(Request<G>, oneshot::Sender<Reply>),
    /// House bots have answered.
    Thought(TableNo, Box<Thought<G>>),
    /// What a connection has asked is told from records.
    Recalled(ConnId, Box<Recalled<G>>),
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

impl<G: Playable> HallMessage<G> {
    /// Lets in who comes, wherever the hall is. Anything else is for the hall.
    pub fn admit(
        self,
        connections: &SharedConnections<G>,
        sockets: &TaskTracker,
    ) -> Option<HallMessage<G>> {
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
pub struct HallHandle<G: Playable>(mpsc::Sender<HallMessage<G>>);

impl<G: Playable> Clone for HallHandle<G> {
    fn clone(&self) -> HallHandle<G> {
        HallHandle(self.0.clone())
    }
}

impl<G: Playable> HallHandle<G> {
    pub fn new() -> (HallHandle<G>, mpsc::Receiver<HallMessage<G>>) {
        let (messages, heard) = mpsc::channel(1024);
        (HallHandle(messages), heard)
    }

    /// An organiser's request. None: the hall is closed.
    pub async fn ask(&self, request: Request<G>) -> Option<Reply> {
        let (sender, reply) = oneshot::channel();
        self.0.send(HallMessage::Asked(request, sender)).await.ok()?;
        reply.await.ok()
    }

    /// The same from a thread that may wait.
    pub fn send_blocking(&self, message: HallMessage<G>) {
        // A closed hall hears nothing more, and needs to hear nothing more.
        let _ = self.0.blocking_send(message);
    }

    pub async fn send(&self, message: HallMessage<G>) {
        // A closed hall hears nothing more, and needs to hear nothing more.
        let _ = self.0.send(message).await;
    }
}
