//! Taking ports, and accepting connections there, as many as the limits allow.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow};
use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use wire::Games;

use super::peer::Peer;
use super::{Admission, Gate, proxies};
use crate::house::{Settings, clock};

/// The sockets that listen, by the names of their ports.
#[derive(Debug, Default)]
pub struct Sockets {
    pub plain: BTreeMap<&'static str, TcpListener>,
    pub tls: BTreeMap<&'static str, TcpListener>,
    /// The port that is usual for each.
    usual: BTreeMap<&'static str, u16>,
}

impl Sockets {
    /// The number of each named port.
    pub fn ports(&self) -> Result<Ports> {
        let port = |(name, socket): (&&'static str, &TcpListener)| {
            Ok((*name, socket.local_addr()?.port()))
        };
        let numbers = |of: &BTreeMap<_, _>| of.iter().map(port).collect::<Result<_>>();
        let usual = self.usual.clone();
        Ok(Ports { plain: numbers(&self.plain)?, tls: numbers(&self.tls)?, usual })
    }
}

/// The numbers of the ports that listen, by name.
#[derive(Debug)]
pub struct Ports {
    pub plain: BTreeMap<&'static str, u16>,
    pub tls: BTreeMap<&'static str, u16>,
    usual: BTreeMap<&'static str, u16>,
}

impl Ports {
    /// The ports that listen, each by the one that is usual for its protocol.
    pub fn by_usual(&self) -> BTreeMap<u16, u16> {
        let port = |(name, usual): (&&str, &u16)| Some((*usual, *self.plain.get(name)?));
        self.usual.iter().filter_map(port).collect()
    }
}

/// Binds every port that is wanted.
pub async fn bind(settings: &Settings, games: &Games) -> Result<Sockets> {
    let usual = Settings::usual_ports(games).into_iter().collect();
    let mut sockets = Sockets { usual, ..Sockets::default() };
    for (name, port) in settings.listening(games) {
        sockets.plain.insert(name, bind_one(settings, "--port", name, port).await?);
    }
    for name in games.ports() {
        if let Some(port) = settings.network.tls_ports.get(name) {
            sockets.tls.insert(name, bind_one(settings, "--tls-port", name, *port).await?);
        }
    }
    Ok(sockets)
}

async fn bind_one(settings: &Settings, flag: &str, name: &str, port: u16) -> Result<TcpListener> {
    let address = SocketAddr::new(settings.bind, port);
    TcpListener::bind(address).await.map_err(|error| {
        let help = match error.kind() {
            ErrorKind::AddrNotAvailable => "Pass --bind with an address of this machine".to_owned(),
            _ => format!("Pass {flag} {name}=PORT for another port, 0 for any free one"),
        };
        anyhow!("cannot listen on {address}: {error}. {help}")
    })
}

/// A port that accepts connections.
#[derive(Clone, Debug)]
pub struct Entrance {
    pub gate: Arc<Gate>,
    /// Whether named proxies introduce their clients here, by the PROXY protocol.
    pub proxies_introduce: bool,
    /// The message for a banned address before the connection is closed; empty: none.
    pub banned: String,
    /// Cancelled to accept no more.
    pub stop: CancellationToken,
}

/// Time limit for a proxy to introduce its client.
const INTRODUCTION: Duration = Duration::from_secs(5);

impl Entrance {
    /// Accepts connections until stopped, and has each served.
    pub async fn accept(
        self,
        listener: std::net::TcpListener,
        serve: impl Fn(TcpStream, Arc<Admission>),
    ) {
        let listener = match TcpListener::from_std(listener) {
            Ok(listener) => listener,
            Err(error) => return tracing::error!(%error, "cannot listen"),
        };
        let mut introductions = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                biased;
                () = self.stop.cancelled() => return,
                Some(introduced) = introductions.join_next() => {
                    if let Ok(Some((socket, admission))) = introduced {
                        serve(socket, admission);
                    }
                    continue;
                }
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((socket, peer)) => {
                    let peer = Peer::direct(peer.ip());
                    let Some(admission) = self.gate.admit(peer) else {
                        self.gate.tell_banned(peer, &socket, &self.banned);
                        continue;
                    };
                    if let Err(error) = prepare(&socket) {
                        tracing::debug!(%error, "TCP_NODELAY, SO_KEEPALIVE");
                    }
                    if self.proxies_introduce && self.gate.proxies.include(peer.address) {
                        introductions.spawn(introduce(socket, admission, self.banned.clone()));
                    } else {
                        serve(socket, Arc::new(admission));
                    }
                }
                Err(error) => {
                    // Out of descriptors, most likely: give the others time to finish.
                    if let Some(times) = self.gate.complaints.hear(clock::now()) {
                        tracing::warn!(%error, times, "cannot accept connections");
                    }
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }
}

/// Reads the client's address from a proxy. `None`: the client is turned away.
async fn introduce(
    mut socket: TcpStream,
    admission: Admission,
    banned: String,
) -> Option<(TcpStream, Arc<Admission>)> {
    let proxy = admission.peer();
    let refuse = |why: &str| tracing::debug!(%proxy, why, "not introduced");
    let client = match timeout(INTRODUCTION, proxies::read_header(&mut socket)).await {
        Ok(Ok(Some(address))) => Peer::behind_a_proxy(address),
        // The proxy looks whether the server is there.
        Ok(Ok(None)) => Peer::behind_a_proxy(proxy.address),
        Ok(Err(why)) => {
            refuse(&why);
            return None;
        }
        Err(_) => {
            refuse("no PROXY header came");
            return None;
        }
    };
    let gate = admission.gate.clone();
    let Some(admission) = admission.handed_to(client) else {
        gate.tell_banned(client, &socket, &banned);
        return None;
    };
    Some((socket, Arc::new(admission)))
}

impl Gate {
    /// Sends the ban message to a rejected client, if a ban is the reason. The client gets what its
    /// socket takes at once; the server doesn't wait.
    fn tell_banned(&self, peer: Peer, socket: &TcpStream, words: &str) {
        if !words.is_empty()
            && self.bans(peer)
            && let Err(error) = SockRef::from(socket).send(words.as_bytes())
        {
            tracing::debug!(%peer, %error, "banned, and cannot be told");
        }
    }
}

/// A vanished peer is noticed half a minute after its last sign of life.
const KEEPALIVE: TcpKeepalive = TcpKeepalive::new()
    .with_time(Duration::from_secs(15))
    .with_interval(Duration::from_secs(5))
    .with_retries(3);

/// Sends without delay, and detects dead peers.
fn prepare(socket: &TcpStream) -> std::io::Result<()> {
    socket.set_nodelay(true)?;
    SockRef::from(socket).set_tcp_keepalive(&KEEPALIVE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::Metrics;

    #[tokio::test]
    async fn sockets_send_at_once_and_detect_dead_peers() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
        let address = listener.local_addr().expect("bound");
        let gate = Gate::new(&Settings::default(), Metrics::new(), None);
        let (accepted, mut sockets) = tokio::sync::mpsc::unbounded_channel();
        let stop = CancellationToken::new();
        let serve = move |socket, admission| {
            accepted.send((socket, admission)).expect("the test waits");
        };
        let listener = listener.into_std().expect("a listener");
        let entrance =
            Entrance { gate, proxies_introduce: false, banned: String::new(), stop: stop.clone() };
        let accepting = tokio::spawn(entrance.accept(listener, serve));
        let client = TcpStream::connect(address).await.expect("connects");
        let (socket, _admission) = sockets.recv().await.expect("is accepted");
        assert!(socket.nodelay().expect("a socket"), "TCP_NODELAY is set");
        // A vanished peer held its table forever: nothing was sent to it, so nothing ever failed.
        assert!(SockRef::from(&socket).keepalive().expect("a socket"), "SO_KEEPALIVE is set");
        stop.cancel();
        accepting.await.expect("ends");
        drop(client);
    }
}
