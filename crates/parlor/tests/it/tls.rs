//! Commands that ask a server over TLS.

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::kit::{BINARY, Ended, Line, Running, Server, parlor};

/// A server whose certificate it has made itself.
struct Secured {
    folder: tempfile::TempDir,
    server: Server,
    certificate: PathBuf,
    url: String,
}

impl Secured {
    fn start() -> Secured {
        Secured::with_certificate(|_| {})
    }

    fn with_certificate(change: impl FnOnce(&mut rcgen::CertificateParams)) -> Secured {
        let folder = tempfile::tempdir().unwrap();
        let mut wanted = rcgen::CertificateParams::new(["localhost".to_owned()]).expect("a name");
        change(&mut wanted);
        let signing_key = rcgen::KeyPair::generate().expect("is made");
        let made = wanted.self_signed(&signing_key).expect("is made");
        let (cert, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
        std::fs::write(&cert, made.pem()).expect("writes");
        std::fs::write(&key, signing_key.serialize_pem()).expect("writes");
        let mut command = Command::new(BINARY);
        command.args(crate::kit::serve(&folder.path().join("data")));
        command.arg("--tls-cert").arg(&cert).arg("--tls-key").arg(&key);
        command.args(["--tls-port", "http=0", "--house-bots"]);
        let server = Server::await_ready(Running::spawn(&mut command, ""));
        let secured = server.addresses.iter().find(|(name, _)| name.contains("tls"));
        let (_, secured) = secured.unwrap_or_else(|| panic!("{:?}", server.addresses));
        let url = format!("https://localhost:{}", secured.port());
        Secured { folder, server, certificate: cert, url }
    }

    fn certificate(&self) -> &str {
        self.certificate.to_str().expect("text")
    }

    fn token(&self) -> String {
        let token = std::fs::read_to_string(self.folder.path().join("data/admin-token"));
        token.expect("reads").trim().to_owned()
    }

    /// A command that asks this server, and trusts its certificate.
    fn ask(&self, command: &[&str]) -> Ended {
        parlor(&[command, &["--url", &self.url, "--ca", self.certificate()]].concat())
    }
}

#[test]
fn every_command_asks_a_server_over_tls() {
    let secured = Secured::start();
    let token = secured.token();
    let claimed = secured.ask(&["names", "claim", "ann"]);
    assert_eq!(claimed.code, Some(0), "{claimed:?}");
    assert!(claimed.stdout.starts_with("pk_"), "{claimed:?}");
    let keys = secured.folder.path().join("keys.txt");
    let made = secured.ask(
        &[
            &["tournament", "create", "--game", "sushi-go", "--id", "cup", "--token", &token][..],
            &["--entrant", "ann", "--entrant", "bob", "--keys", keys.to_str().unwrap()],
        ]
        .concat(),
    );
    assert_eq!(made.code, Some(0), "{made:?}");
    let slips = std::fs::read_to_string(&keys).expect("the keys are written");
    assert!(slips.contains("join as  bob:pk_") && slips.contains("localhost:"), "{slips}");
    let shown = secured.ask(&["tournament", "show", "sushi-go", "cup"]);
    assert!(shown.stdout.contains("bob"), "{shown:?}");
    // Plays over the pages' port, as bots do that know no TLS.
    let wires = ["sushi-go", "sushi-go-sdk", "house"];
    for wire in wires {
        let bot = ["bot", "sushi-go", "--wire", wire, "--name", "bot", "--connect", &secured.url];
        let played = parlor(&[&bot[..], &["--ca", secured.certificate()]].concat());
        assert_eq!(played.code, Some(0), "{wire}: {played:?}");
    }
    let listed = secured.ask(&["tables", "--all", "--json"]);
    let listed: Value = serde_json::from_str(&listed.stdout).expect("JSON");
    let of_bot = |table: &&Value| table["company"][0]["name"] == "bot";
    let over = listed.as_array().expect("a list").iter().filter(of_bot);
    let [.., last] = &over.collect::<Vec<_>>()[..] else { panic!("{listed}") };
    let watched = secured.ask(&["watch", "sushi-go", last["id"].as_str().unwrap()]);
    assert_eq!(watched.code, Some(0), "{watched:?}");
    assert!(watched.stdout.contains("\nover\n"), "{watched:?}");
    let bans = secured.ask(&["bans", "list", "--token", &token]);
    assert_eq!(bans.code, Some(0), "{bans:?}");
}

/// A certificate without a known issuer is refused, with advice.
#[test]
fn a_certificate_that_is_not_trusted_is_refused() {
    let secured = Secured::start();
    let (url, port) = (&secured.url, secured.server.addresses["http"]);
    for command in [&["tables"][..], &["watch", "sushi-go", "t"], &["tournament", "list"]] {
        let ended = parlor(&[command, &["--url", url]].concat());
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert!(ended.stderr.contains("certificate that is not trusted"), "{ended:?}");
        assert!(ended.stderr.contains("--ca FILE"), "{ended:?}");
    }
    // The certificate is for another name.
    let other = url.replace("localhost", "127.0.0.1");
    let ended = parlor(&["tables", "--url", &other, "--ca", secured.certificate()]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    // A port without TLS is none that is asked over TLS.
    let plain = format!("https://localhost:{}", port.port());
    let ended = parlor(&["tables", "--url", &plain, "--ca", secured.certificate()]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    // What is in the surroundings is as good as an option.
    let mut command = Command::new(BINARY);
    command.args(["tables", "--url", url]).env("PARLOR_CA", secured.certificate());
    assert_eq!(Running::spawn(&mut command, "").end().code, Some(0));
}

/// `openssl req -x509` marks what it makes as an authority's, which was refused although it was named.
#[test]
fn a_certificate_as_openssl_makes_it_is_trusted_when_it_is_named() {
    let authority = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let secured = Secured::with_certificate(|wanted| wanted.is_ca = authority);
    let listed = secured.ask(&["tables"]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    let unnamed = parlor(&["tables", "--url", &secured.url]);
    assert!(unnamed.stderr.contains("certificate that is not trusted"), "{unnamed:?}");
    let other = secured.url.replace("localhost", "127.0.0.1");
    let ended = parlor(&["tables", "--url", &other, "--ca", secured.certificate()]);
    assert_eq!(ended.code, Some(1), "it is for another name: {ended:?}");
    // It vouches for itself only, and for no other certificate.
    let stranger = Secured::start();
    let ended = parlor(&["tables", "--url", &stranger.url, "--ca", secured.certificate()]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
}

#[test]
fn a_language_models_client_is_brought_to_a_server_over_tls() {
    let secured = Secured::start();
    let greeting = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let mut command = Command::new(BINARY);
    command.args(["mcp", "--url", &secured.url, "--ca", secured.certificate()]);
    let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
    // It ends when neither side sends anything more.
    let mut says = process.stdin.take().expect("piped");
    writeln!(says, "{greeting}").expect("reads");
    let mut line = String::new();
    BufReader::new(process.stdout.take().expect("piped")).read_line(&mut line).expect("answers");
    drop(says);
    assert!(process.wait().expect("ends").success());
    let answer: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(answer["result"]["protocolVersion"], "2025-06-18", "{answer}");
}

/// Over TLS with a certificate of the server's own, which has to be trusted by name.
#[test]
fn a_bot_that_knows_no_tls_plays_over_wss() {
    let secured = Secured::start();
    let place = secured.url.replace("https", "wss");
    let bridge = |ca: Option<&Path>| {
        let mut command = Command::new(BINARY);
        command.args(["connect", &place, "--game", "sushi-go"]);
        command.args(["--port", "sushi-go=0", "--port", "sushi-go-sdk=off"]);
        ca.map(|ca| command.arg("--ca").arg(ca));
        let process = Running::spawn(&mut command, "");
        let line = process.first_line();
        let (_, address) = line.trim().split_once(" on ").expect("an address");
        (process, address.parse::<SocketAddr>().expect("an address"))
    };
    let (trusting, address) = bridge(Some(&secured.certificate));
    Line::connect(address).expect("connects").ask("GAMES", &["GAMES"]);
    drop(trusting);
    let (wary, address) = bridge(None);
    let _line = Line::connect(address).expect("connects");
    let said = wary.next_error();
    assert!(said.contains("TLS fails (--ca FILE trusts a certificate)"), "{said}");
}
