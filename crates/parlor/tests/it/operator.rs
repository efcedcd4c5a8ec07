//! The operator reaches the server, whatever clients do at its ports.

use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use crate::kit::{BINARY, Ended, Line, Running, Server, parlor, serve};

fn start(data: &Path, more: &[&str]) -> Server {
    let mut command = Command::new(BINARY);
    command.args(serve(data)).args(more);
    Server::await_ready(Running::spawn(&mut command, ""))
}

fn tokens(data: &Path) -> Ended {
    parlor(&["tokens", "list", "--data", &data.display().to_string()])
}

/// A client that was let in, and receives nothing until it sends something.
fn is_let_in(server: &Server) -> Option<Line> {
    let mut line = Line::connect(server.sushi_go()).ok()?;
    let answered = line.say("GAMES") && matches!(line.hear(), crate::kit::Heard::Line(_));
    answered.then_some(line)
}

/// At the limit of connections the operator was rejected like any client.
#[test]
fn commands_are_answered_when_every_connection_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), &["--set", "limits.connections=2"]);
    let _crowd = [is_let_in(&server).expect("the first"), is_let_in(&server).expect("the second")];
    assert!(is_let_in(&server).is_none(), "there is no room");
    let added = parlor(&[
        "tokens",
        "add",
        "ann",
        "--scope",
        "organise",
        "--data",
        &folder.path().display().to_string(),
    ]);
    assert_eq!(added.code, Some(0), "{added:?}");
    let listed = tokens(folder.path());
    assert!(listed.stdout.starts_with("ann "), "{listed:?}");
    let ended = server.terminate();
    let warned = ended.stderr.lines().filter(|line| line.contains("are turned away"));
    assert_eq!(warned.count(), 1, "{}", ended.stderr);
    assert!(!folder.path().join("operator.sock").exists());
}

/// With an address the folder was ignored, and the command asked for the token that lies in it.
#[test]
fn a_data_folder_beside_an_address_holds_the_token() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), &[]);
    let (url, data) = (server.addresses["http"].to_string(), folder.path().display().to_string());
    let listed = parlor(&["tokens", "list", "--url", &url, "--data", &data]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    let refused = parlor(&["tokens", "list", "--url", &url]);
    assert_ne!(refused.code, Some(0), "the usual folder's token is for its own server");
    let missing = parlor(&["tokens", "list", "--url", &url, "--data", "./no-such-folder"]);
    assert!(missing.stderr.contains("there is no folder ./no-such-folder"), "{missing:?}");
    server.terminate();
}

/// Without descriptors nothing could be accepted, the operator's connection included.
#[test]
fn commands_are_answered_when_clients_use_up_all_their_file_descriptors() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 192 && exec \"$0\" \"$@\"", BINARY]).args(serve(folder.path()));
    let server = Server::await_ready(Running::spawn(&mut command, ""));
    let crowd: Vec<_> =
        (0..300).map(|_| TcpStream::connect(server.sushi_go()).expect("connects")).collect();
    while is_let_in(&server).is_some() {}
    assert_eq!(tokens(folder.path()).code, Some(0));
    drop(crowd);
    let ended = server.terminate();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stderr.contains("the system allows fewer open files"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("cannot accept connections"), "{}", ended.stderr);
}

#[test]
fn a_server_without_http_is_asked_through_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), &["--port", "http=off"]);
    let tables = parlor(&["tables", "--data", &folder.path().display().to_string()]);
    assert_eq!(tables.code, Some(0), "{tables:?}");
    assert!(tables.stdout.contains("sushi-go"), "{tables:?}");
    drop(server);
}

/// A server that was killed leaves its socket behind. Commands say that no server answers, and the
/// next server makes a new socket.
#[test]
fn a_socket_that_was_left_behind_is_nobodys() {
    let folder = tempfile::tempdir().unwrap();
    start(folder.path(), &[]).kill();
    assert!(folder.path().join("operator.sock").exists());
    let asked = tokens(folder.path());
    assert!(asked.stderr.contains("no server answers"), "{asked:?}");
    let server = start(folder.path(), &[]);
    assert_eq!(tokens(folder.path()).code, Some(0));
    drop(server);
}
