//! What stands between a gateway and an owner, and can be cut or stalled.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::Node;

/// Carries links to an owner.
pub struct Cable {
    pub address: SocketAddr,
    carried: Arc<Mutex<Vec<Carried>>>,
    listening: tokio::task::AbortHandle,
}

/// Which way bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    ToOwner,
    ToGateway,
}

struct Carried {
    task: tokio::task::AbortHandle,
    /// Whether bytes stop, on their way to the owner and to the gateway.
    stalled: [watch::Sender<bool>; 2],
}

impl Cable {
    pub async fn to(node: &Node) -> Cable {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
        let address = listener.local_addr().expect("bound");
        let (owner, carried) = (node.links, Arc::new(Mutex::new(Vec::new())));
        let kept = carried.clone();
        let listening = tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let stalled = [watch::Sender::new(false), watch::Sender::new(false)];
                let stalls = stalled.each_ref().map(watch::Sender::subscribe);
                let task = tokio::spawn(carry(near, owner, stalls)).abort_handle();
                kept.lock().expect("no panics").push(Carried { task, stalled });
            }
        });
        Cable { address, carried, listening: listening.abort_handle() }
    }

    /// No further links are made over it.
    pub fn refuse(&self) {
        self.listening.abort();
    }

    /// Ends the links there are.
    pub fn cut(&self) {
        self.carried.lock().expect("no panics").drain(..).for_each(|carried| carried.task.abort());
    }

    /// The links there are stay open, and nothing comes over them any more, not even their end.
    pub fn stall(&self, ways: &[Way]) {
        for carried in &*self.carried.lock().expect("no panics") {
            for way in ways {
                carried.stalled[*way as usize].send_replace(true);
            }
        }
    }
}

async fn carry(near: TcpStream, owner: SocketAddr, stalls: [watch::Receiver<bool>; 2]) {
    if let Ok(far) = TcpStream::connect(owner).await {
        let [up, down] = stalls;
        let ((from_near, to_near), (from_far, to_far)) = (near.into_split(), far.into_split());
        tokio::join!(copy(from_near, to_far, up), copy(from_far, to_near, down));
    }
}

async fn copy(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut stalled: watch::Receiver<bool>) {
    let mut room = vec![0; 64 * 1024];
    loop {
        let count = from.read(&mut room).await.unwrap_or(0);
        if stalled.wait_for(|stalled| !stalled).await.is_err() {
            return;
        }
        if count == 0 || to.write_all(&room[..count]).await.is_err() {
            // The other side may be gone already.
            let _ = to.shutdown().await;
            return;
        }
    }
}
