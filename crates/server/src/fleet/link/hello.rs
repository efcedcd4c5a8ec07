//! The first words on a link: which game it is for, and which node speaks.
//!
//! ```text
//! both:    TLS 1.3; each side proves that it knows the fleet's secret
//! gateway: version, fleet, game, node
//! owner:   welcome, or why not
//! ```

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::super::Fleet;
use super::frames::{self, LONGEST_HELLO};
use super::tls::LinkStream;

/// Grows when nodes of two releases could not understand each other.
const VERSION: u32 = 6;

/// Handshake and hello together may take this long.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, Serialize, Deserialize)]
struct Hello {
    version: u32,
    fleet: String,
    game: String,
    node: u32,
}

/// The owner's answer.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Greeting {
    Welcome,
    Refused(String),
}

/// A link that a node has made to this one.
#[derive(Debug)]
pub struct LinkSocket {
    pub stream: LinkStream,
    pub game: String,
    /// The gateway's node.
    pub node: u32,
}

fn wrong(why: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why.into())
}

async fn send(to: &mut (impl AsyncWrite + Unpin), message: &impl Serialize) -> io::Result<()> {
    to.write_all(&frames::frame(message)).await?;
    to.flush().await
}

impl Fleet {
    /// Links this node to the owner of a game's hall.
    pub(in crate::fleet) async fn connect(
        &self,
        address: SocketAddr,
        game: &str,
        node: u32,
    ) -> io::Result<LinkStream> {
        let shake = async {
            let socket = TcpStream::connect(address).await?;
            frames::watch_over(&socket)?;
            let mut stream = self.secret.connect(socket).await?;
            let (fleet, game) = (self.name.to_string(), game.to_owned());
            send(&mut stream, &Hello { version: VERSION, fleet, game, node }).await?;
            match frames::read(&mut stream, &mut Vec::new(), LONGEST_HELLO).await? {
                Some(Greeting::Welcome) => Ok(stream),
                Some(Greeting::Refused(why)) => Err(wrong(why)),
                None => Err(wrong("the other node closed the link")),
            }
        };
        timeout(PATIENCE, shake).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }

    /// Why a node that knows the secret cannot be linked all the same.
    fn objection(&self, hello: &Hello) -> Option<String> {
        if hello.version != VERSION {
            let theirs = hello.version;
            return Some(format!(
                "the nodes are of two releases: one speaks version {theirs} of links, the other {VERSION}"
            ));
        }
        (hello.fleet != *self.name)
            .then(|| format!("the nodes are of two fleets: '{}' and '{}'", hello.fleet, self.name))
    }
}

/// Shakes hands with a node that has connected.
pub async fn greet(fleet: &Fleet, socket: TcpStream) -> io::Result<LinkSocket> {
    let shake = async {
        frames::watch_over(&socket)?;
        let mut stream = fleet.secret.accept(socket).await?;
        let hello: Option<Hello> =
            frames::read(&mut stream, &mut Vec::new(), LONGEST_HELLO).await?;
        let hello = hello.ok_or(io::ErrorKind::UnexpectedEof)?;
        if let Some(why) = fleet.objection(&hello) {
            send(&mut stream, &Greeting::Refused(why.clone())).await?;
            return Err(wrong(why));
        }
        send(&mut stream, &Greeting::Welcome).await?;
        Ok(LinkSocket { stream, game: hello.game, node: hello.node })
    };
    timeout(PATIENCE, shake).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;
    use tokio::sync::watch;

    use super::super::Secret;
    use super::*;
    use crate::fleet::{Owner, Ownership};

    struct Nobody;

    impl Ownership for Nobody {
        fn owner_of(&self, _: &str) -> watch::Receiver<Owner> {
            watch::channel(Owner::Nobody).1
        }

        fn others(&self) -> Vec<u32> {
            Vec::new()
        }

        fn let_go(&self, _: &str) {}
    }

    fn fleet(name: &str, secret: &str) -> Fleet {
        let (name, secret) = (name.into(), Secret::new(secret.as_bytes()));
        Fleet { name, secret, owners: Arc::new(Nobody) }
    }

    /// What both sides come to when they shake hands.
    async fn shake(here: Fleet, there: Fleet) -> (bool, io::Result<LinkSocket>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
        let address = listener.local_addr().expect("bound");
        let greets = async {
            let (socket, _) = listener.accept().await.expect("comes");
            greet(&there, socket).await
        };
        let (connected, greeted) = tokio::join!(here.connect(address, "gamba", 7), greets);
        (connected.is_ok(), greeted)
    }

    #[tokio::test]
    async fn nodes_of_one_fleet_are_linked() {
        let (connected, greeted) = shake(fleet("a", "secret"), fleet("a", "secret")).await;
        let greeted = greeted.expect("it knows the secret");
        assert_eq!((connected, &*greeted.game, greeted.node), (true, "gamba", 7));
    }

    #[tokio::test]
    async fn nobody_else_is() {
        let (connected, greeted) = shake(fleet("a", "guess"), fleet("a", "secret")).await;
        assert!(!connected && greeted.is_err());
        let (connected, greeted) = shake(fleet("b", "secret"), fleet("a", "secret")).await;
        assert!(!connected);
        assert!(greeted.expect_err("another fleet").to_string().contains("'b'"));
    }

    /// What a stranger without the secret gets for these bytes.
    async fn refusal(bytes: &'static [u8]) -> io::Error {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
        let address = listener.local_addr().expect("bound");
        let fleet = fleet("a", "secret");
        let greets = async { greet(&fleet, listener.accept().await.expect("comes").0).await };
        let shouts = async {
            let mut socket = TcpStream::connect(address).await.expect("connects");
            socket.write_all(bytes).await.expect("writes");
            socket
        };
        let (greeted, _socket) = tokio::join!(greets, shouts);
        greeted.expect_err("a stranger")
    }

    #[tokio::test]
    async fn a_peer_without_tls_is_refused_at_once() {
        let plain = refusal(b"\0\0\0\x20{\"version\":3,\"fleet\":\"a\"}........").await;
        assert_eq!(plain.to_string(), "the other side is not a node of this release");
        refusal(&[255; 64]).await;
    }

    /// Relays bytes between a node and an owner, and keeps a copy.
    async fn eavesdrop(between: TcpListener, owner: SocketAddr) -> Vec<u8> {
        let (near, _) = between.accept().await.expect("comes");
        let far = TcpStream::connect(owner).await.expect("connects");
        let ((mut near_in, mut near_out), (mut far_in, mut far_out)) =
            (near.into_split(), far.into_split());
        let copy = async |from: &mut tokio::net::tcp::OwnedReadHalf,
                          to: &mut tokio::net::tcp::OwnedWriteHalf| {
            let (mut room, mut seen) = ([0; 1024], Vec::new());
            while let Ok(count @ 1..) = from.read(&mut room).await {
                seen.extend_from_slice(&room[..count]);
                if to.write_all(&room[..count]).await.is_err() {
                    break;
                }
            }
            // The other side may be gone already.
            let _ = to.shutdown().await;
            seen
        };
        let (up, down) =
            tokio::join!(copy(&mut near_in, &mut far_out), copy(&mut far_in, &mut near_out));
        [up, down].concat()
    }

    #[tokio::test]
    async fn somebody_on_the_path_reads_nothing() {
        let (owner, between) = (
            TcpListener::bind("127.0.0.1:0").await.expect("binds"),
            TcpListener::bind("127.0.0.1:0").await.expect("binds"),
        );
        let (behind, before) =
            (owner.local_addr().expect("bound"), between.local_addr().expect("bound"));
        let (here, there) = (fleet("a", "secret"), fleet("a", "secret"));
        let spoken = "the seed of a game";
        let owns = async {
            let link = greet(&there, owner.accept().await.expect("comes").0).await;
            let mut link = link.expect("it knows the secret");
            send(&mut link.stream, &spoken).await.expect("sent");
        };
        let asks = async {
            let mut link = here.connect(before, "gamba", 7).await.expect("linked");
            let heard = frames::read(&mut link, &mut Vec::new(), LONGEST_HELLO).await;
            assert_eq!(heard.expect("reads"), Some(spoken.to_owned()));
        };
        let (seen, (), ()) = tokio::join!(eavesdrop(between, behind), owns, asks);
        for word in [spoken, "gamba", "fleet"] {
            let found = seen.windows(word.len()).any(|bytes| bytes == word.as_bytes());
            assert!(!found, "{word:?} crossed in clear");
        }
    }
}
