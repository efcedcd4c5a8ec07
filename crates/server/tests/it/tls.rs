//! The same games over TLS.

use std::sync::Arc;

use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;

use crate::kit::{House, PATIENCE};

/// A house with a certificate for `localhost`, and who trusts it.
struct SecuredHouse {
    house: House,
    connector: TlsConnector,
    _files: tempfile::TempDir,
}

impl SecuredHouse {
    async fn open() -> SecuredHouse {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("is made");
        let files = tempfile::tempdir().expect("a folder");
        let (cert, key) = (files.path().join("cert.pem"), files.path().join("key.pem"));
        std::fs::write(&cert, made.cert.pem()).expect("writes");
        std::fs::write(&key, made.signing_key.serialize_pem()).expect("writes");
        let house = House::open_with(|settings| {
            settings.network.tls_cert = Some(cert);
            settings.network.tls_key = Some(key);
            for port in ["sushi-go", "http", "tiger-dragon"] {
                settings.network.tls_ports.insert(port.to_owned(), 0);
            }
        })
        .await;
        let mut roots = RootCertStore::empty();
        let trusted: CertificateDer<'static> = made.cert.der().clone();
        roots.add(trusted).expect("a certificate");
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        SecuredHouse { house, connector: TlsConnector::from(Arc::new(config)), _files: files }
    }

    async fn connect(&self, port: &str) -> TlsStream<TcpStream> {
        let socket = TcpStream::connect(self.house.address(port)).await.expect("connects");
        let name = ServerName::try_from("localhost").expect("a name");
        self.connector.connect(name, socket).await.expect("shakes hands")
    }
}

/// Plays the first card of every hand; the last line.
async fn play(stream: TlsStream<TcpStream>, name: &str) -> String {
    let mut stream = BufReader::new(stream);
    let mut said = format!("JOIN cup {name}\n");
    loop {
        stream.write_all(said.as_bytes()).await.expect("writes");
        stream.flush().await.expect("writes");
        loop {
            let mut line = String::new();
            let read = timeout(PATIENCE, stream.read_line(&mut line)).await.expect("in time");
            assert!(read.expect("reads") > 0, "the connection is open");
            assert!(!line.starts_with("ERROR"), "{line}");
            if line.starts_with("GAME_END ") {
                return line;
            }
            if line.starts_with("HAND ") {
                said = "PLAY 0\n".to_owned();
                break;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_is_played_over_tls_beside_somebody_who_speaks_plainly_there() {
    let secured = SecuredHouse::open().await;
    secured.house.table("cup", 2).await;
    let mut plain =
        TcpStream::connect(secured.house.address("sushi-go-tls")).await.expect("connects");
    plain.write_all(b"JOIN cup eve\n").await.expect("writes");
    let mut heard = Vec::new();
    timeout(PATIENCE, plain.read_to_end(&mut heard)).await.expect("is hung up on").expect("reads");
    assert!(!String::from_utf8_lossy(&heard).contains("WELCOME"));
    let (ann, bob) = (secured.connect("sushi-go-tls").await, secured.connect("sushi-go-tls").await);
    let (one, two) = tokio::join!(play(ann, "Ann"), play(bob, "Bob"));
    assert_eq!(one, two);
    secured.house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn http_and_websockets_are_served_over_tls() {
    let secured = SecuredHouse::open().await;
    let mut page = secured.connect("http-tls").await;
    let asked = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    page.write_all(asked.as_bytes()).await.expect("writes");
    let mut answer = String::new();
    timeout(PATIENCE, page.read_to_string(&mut answer)).await.expect("in time").expect("reads");
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.ends_with("ok\n"), "{answer}");
    assert!(answer.contains("strict-transport-security: max-age="), "{answer}");
    let (_, games) = secured.house.http("GET", "/api/v1/games", "").await;
    let port = secured.house.address("tiger-dragon-tls").port();
    assert!(games.contains(&format!(r#""tls_ports":{{"tiger-dragon":{port}}}"#)), "{games}");
    let stream = secured.connect("tiger-dragon-tls").await;
    let (mut socket, _) = client_async("wss://localhost/", stream).await.expect("upgrades");
    let join = r#"{"type":"join","room_id":"room1","player_id":"ann","role":"player"}"#;
    socket.send(Message::text(join)).await.expect("sends");
    let heard = timeout(PATIENCE, socket.next()).await.expect("in time").expect("a message");
    assert!(heard.expect("a message").to_text().expect("text").contains("join_ack"));
    secured.house.close().await;
}
