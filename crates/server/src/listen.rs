//! Taking ports, and accepting connections there, as many as the limits allow.

use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Result, anyhow};
use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use wire::Games;

use crate::metrics::Metrics;
use crate::settings::{Limits, Settings};

/// The sockets that listen, by the names of their ports.
pub type Sockets = BTreeMap<&'static str, TcpListener>;

/// The number behind each port's name.
pub fn ports(sockets: &Sockets) -> Result<BTreeMap<&'static str, u16>> {
    let port =
        |(name, socket): (&&'static str, &TcpListener)| Ok((*name, socket.local_addr()?.port()));
    sockets.iter().map(port).collect()
}

/// Binds every port that is wanted.
pub async fn bind(settings: &Settings, games: &Games) -> Result<Sockets> {
    let mut sockets = Sockets::new();
    for (name, port) in settings.listening(games) {
        let address = SocketAddr::new(settings.bind, port);
        let socket = TcpListener::bind(address).await.map_err(|error| {
            let help = match error.kind() {
                ErrorKind::AddrNotAvailable => {
                    "Pass --bind with an address of this machine".to_owned()
                }
                _ => format!("Pass --port {name}=PORT for another port, 0 for any free one"),
            };
            anyhow!("cannot listen on {address}: {error}. {help}")
        })?;
        sockets.insert(name, socket);
    }
    Ok(sockets)
}

/// Counts connections. Its lock is held for a map look-up and never across an await.
#[derive(Debug)]
pub struct Gate {
    limits: Limits,
    metrics: Arc<Metrics>,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    total: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// One connection's place; dropping the last share of it gives the place back.
#[derive(Debug)]
pub struct Admission {
    gate: Arc<Gate>,
    address: IpAddr,
}

impl Gate {
    pub fn new(limits: Limits, metrics: Arc<Metrics>) -> Arc<Gate> {
        Arc::new(Gate { limits, metrics, open: Mutex::default() })
    }

    fn admit(self: &Arc<Gate>, address: IpAddr) -> Option<Admission> {
        let address = address.to_canonical();
        let mut open = self.open.lock().expect("no holder of this lock panics");
        let exempt = self.limits.exempt_loopback && address.is_loopback();
        let here = open.by_address.get(&address).copied().unwrap_or(0);
        if open.total >= self.limits.connections
            || (!exempt && here >= self.limits.connections_per_address)
        {
            self.metrics.rejected_connections.inc();
            return None;
        }
        open.total += 1;
        *open.by_address.entry(address).or_default() += 1;
        Some(Admission { gate: self.clone(), address })
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        let mut open = self.gate.open.lock().expect("no holder of this lock panics");
        open.total -= 1;
        if let Some(count) = open.by_address.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.by_address.remove(&self.address);
            }
        }
    }
}

/// Accepts until told to stop, and lets each connection be served.
pub async fn accept(
    listener: std::net::TcpListener,
    gate: Arc<Gate>,
    stop: CancellationToken,
    serve: impl Fn(TcpStream, Arc<Admission>),
) {
    let listener = match TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(error) => return tracing::error!(%error, "cannot listen"),
    };
    loop {
        let accepted = tokio::select! {
            biased;
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((socket, peer)) => {
                let Some(admission) = gate.admit(peer.ip()) else {
                    tracing::debug!(%peer, "too many connections");
                    continue;
                };
                if let Err(error) = prepare(&socket) {
                    tracing::debug!(%error, "TCP_NODELAY, SO_KEEPALIVE");
                }
                serve(socket, Arc::new(admission));
            }
            Err(error) => {
                // Out of descriptors, most likely: give the others time to finish.
                tracing::warn!(%error, "cannot accept");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

/// A peer that has vanished without a word is noticed half a minute after it was last heard of.
const KEEPALIVE: TcpKeepalive = TcpKeepalive::new()
    .with_time(Duration::from_secs(15))
    .with_interval(Duration::from_secs(5))
    .with_retries(3);

/// What is sent never waits for more, and dead peers are found.
fn prepare(socket: &TcpStream) -> std::io::Result<()> {
    socket.set_nodelay(true)?;
    SockRef::from(socket).set_tcp_keepalive(&KEEPALIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn f03_what_is_sent_never_waits_for_more_and_dead_peers_are_found() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
        let address = listener.local_addr().expect("bound");
        let gate = Gate::new(Limits::default(), Metrics::new());
        let (accepted, mut sockets) = tokio::sync::mpsc::unbounded_channel();
        let stop = CancellationToken::new();
        let serve = move |socket, admission| {
            accepted.send((socket, admission)).expect("the test waits");
        };
        let listener = listener.into_std().expect("a listener");
        let accepting = tokio::spawn(accept(listener, gate, stop.clone(), serve));
        let client = TcpStream::connect(address).await.expect("connects");
        let (socket, _admission) = sockets.recv().await.expect("is accepted");
        assert!(socket.nodelay().expect("a socket"), "TCP_NODELAY is set");
        // A peer that had vanished held its table for ever: nothing was sent to it, so nothing
        // ever failed.
        assert!(SockRef::from(&socket).keepalive().expect("a socket"), "SO_KEEPALIVE is set");
        stop.cancel();
        accepting.await.expect("ends");
        drop(client);
    }
}
