//! The first words on a link: who speaks, and that both know the fleet's secret.
//!
//! ```text
//! gateway: version, fleet, game, node, nonce
//! owner:   nonce, proof of both nonces
//! gateway: proof of both nonces
//! ```
//!
//! A proof is an HMAC over all that was said before and a word for the side that gives it, so
//! neither can be played back, to the same node or to another.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use ring::hmac;
use serde::{Deserialize, Serialize};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::super::Fleet;
use super::frames::{self, LONGEST_HELLO};

/// Grows when nodes of two releases could not understand each other.
const VERSION: u32 = 3;

/// Whoever takes longer to say hello is not of the fleet.
const PATIENCE: Duration = Duration::from_secs(5);

/// What all nodes of a fleet know. Proofs are compared in constant time.
#[derive(Clone)]
pub struct Secret(hmac::Key);

impl Secret {
    pub fn new(bytes: &[u8]) -> Secret {
        Secret(hmac::Key::new(hmac::HMAC_SHA256, bytes))
    }

    fn proof(&self, side: Side, said: &Said<'_>) -> String {
        rules::hex(hmac::sign(&self.0, &said.bytes(side)).as_ref())
    }

    fn is_proven(&self, side: Side, said: &Said<'_>, proof: &str) -> bool {
        let bytes: Option<Vec<u8>> = (0..proof.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(proof.get(at..at + 2)?, 16).ok())
            .collect();
        bytes.is_some_and(|proof| hmac::verify(&self.0, &said.bytes(side), &proof).is_ok())
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

#[derive(Clone, Copy)]
enum Side {
    Gateway,
    Owner,
}

/// What was said before a proof.
struct Said<'a> {
    hello: &'a Hello,
    nonce: &'a str,
}

impl Said<'_> {
    fn bytes(&self, side: Side) -> Vec<u8> {
        let side = match side {
            Side::Gateway => "gateway",
            Side::Owner => "owner",
        };
        serde_json::to_vec(&(side, self.hello, self.nonce)).expect("plain data")
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Hello {
    version: u32,
    fleet: String,
    game: String,
    node: u32,
    nonce: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Challenge {
    nonce: String,
    proof: String,
}

/// A link on which hands are shaken.
#[derive(Debug)]
pub struct LinkSocket {
    pub socket: std::net::TcpStream,
    pub game: String,
    /// The gateway's node.
    pub node: u32,
}

fn nonce() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(rules::hex(&bytes))
}

fn wrong(why: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why.into())
}

impl Fleet {
    /// Links this node to the owner of a game's hall.
    pub(in crate::fleet) async fn connect(
        &self,
        address: SocketAddr,
        game: &str,
        node: u32,
    ) -> io::Result<TcpStream> {
        let shake = async {
            let mut socket = TcpStream::connect(address).await?;
            frames::watch_over(&socket)?;
            let (fleet, game) = (self.name.to_string(), game.to_owned());
            let hello = Hello { version: VERSION, fleet, game, node, nonce: nonce()? };
            socket.write_all(&frames::frame(&hello)).await?;
            let challenge: Option<Challenge> =
                frames::read(&mut socket, &mut Vec::new(), LONGEST_HELLO).await?;
            let Challenge { nonce, proof } =
                challenge.ok_or_else(|| wrong("the other node refuses this one"))?;
            let said = Said { hello: &hello, nonce: &nonce };
            if !self.secret.is_proven(Side::Owner, &said, &proof) {
                return Err(wrong("the other node does not know the fleet's secret"));
            }
            let proof = self.secret.proof(Side::Gateway, &said);
            socket.write_all(&frames::frame(&proof)).await?;
            Ok(socket)
        };
        timeout(PATIENCE, shake).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }
}

/// Shakes hands with a node that has connected.
pub async fn greet(fleet: &Fleet, mut socket: TcpStream) -> io::Result<LinkSocket> {
    let shake = async {
        frames::watch_over(&socket)?;
        let mut room = Vec::new();
        let hello: Option<Hello> = frames::read(&mut socket, &mut room, LONGEST_HELLO).await?;
        let hello = hello.ok_or(io::ErrorKind::UnexpectedEof)?;
        if hello.version != VERSION {
            let theirs = hello.version;
            return Err(wrong(format!("it speaks version {theirs} of links, this is {VERSION}")));
        }
        if hello.fleet != *fleet.name {
            return Err(wrong(format!("it is of the fleet '{}'", hello.fleet)));
        }
        let nonce = nonce()?;
        let said = Said { hello: &hello, nonce: &nonce };
        let proof = fleet.secret.proof(Side::Owner, &said);
        let challenge = Challenge { nonce: nonce.clone(), proof };
        socket.write_all(&frames::frame(&challenge)).await?;
        let proof: Option<String> = frames::read(&mut socket, &mut room, LONGEST_HELLO).await?;
        if !proof.is_some_and(|proof| fleet.secret.is_proven(Side::Gateway, &said, &proof)) {
            return Err(wrong("it does not know the fleet's secret"));
        }
        Ok((hello.game, hello.node))
    };
    let (game, node) = timeout(PATIENCE, shake).await.map_err(|_| io::ErrorKind::TimedOut)??;
    // It goes on at the game's thread.
    Ok(LinkSocket { socket: socket.into_std()?, game, node })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::net::TcpListener;
    use tokio::sync::watch;

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

    #[tokio::test]
    async fn a_long_hello_is_not_read() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
        let address = listener.local_addr().expect("bound");
        let fleet = fleet("a", "secret");
        let greets = async { greet(&fleet, listener.accept().await.expect("comes").0).await };
        let shouts = async {
            let mut socket = TcpStream::connect(address).await.expect("connects");
            socket.write_all(&u32::MAX.to_be_bytes()).await.expect("writes");
            socket
        };
        let (greeted, _socket) = tokio::join!(greets, shouts);
        assert!(greeted.expect_err("too long").to_string().contains("too long"));
    }
}
