//! `parlor bot` where it cannot play.

use std::process::Command;

use crate::kit::{BINARY, Running, Server, parlor};

#[test]
fn what_cannot_be_is_said_at_once() {
    for (arguments, code, words) in [
        (
            &["sushi-go", "--name", "a b"][..],
            2,
            "'a b' cannot be a player's name in sushi-go: use 1 to 32 of A-Z a-z 0-9 _ . -",
        ),
        (
            &["gamba", "--name", "é"],
            2,
            "'é' cannot be a player's name in gamba: use 1 to 32 of A-Z a-z 0-9 _ -",
        ),
        (&["gamba", "--connect", "127.0.0.1"], 2, "write HOST:PORT, as in 127.0.0.1:8080"),
        (
            &["gamba", "--name", "ann", "--key", "pk_2qk3v0a9x7mbnd81r5ty4cwzue"],
            2,
            "a key needs the address of the server's pages: pass it with --connect",
        ),
        (&["gamba", "--connect", "127.0.0.1:1"], 1, "refused (os error 111). Start the server"),
    ] {
        let ended = parlor(&[&["bot"], arguments].concat());
        assert_eq!(ended.code, Some(code), "{ended:?}");
        assert!(ended.stderr.contains(words), "{ended:?}");
    }
}

/// A server that speaks another protocol either waits for more or hangs up.
#[test]
fn on_the_wrong_port_the_servers_words_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let http = server.addresses["http"].to_string();
    let bot = |game: &str, address: &str| {
        let mut command = Command::new(BINARY);
        command.args(["bot", game, "--connect", address]);
        Running::spawn(&mut command, "")
    };
    let waiting = bot("gamba", &server.sushi_go().to_string());
    let hung_up = bot("gamba", &http);
    let said = waiting.next_error();
    assert!(said.contains("- waiting; the server's last: ERROR E001 Unknown command"), "{said}");
    let said = hung_up.next_error();
    assert!(said.contains("! the connection was lost: closed by the server after"), "{said}");
    waiting.signal("INT");
    assert_eq!(waiting.end().code, Some(130));
    let ended = hung_up.end();
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains(" closes every connection"), "{ended:?}");
}

/// One unreachable address among several ended the program. `fleet.rs` checks that a bot continues
/// at another server.
#[test]
fn of_several_addresses_a_dead_one_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let one = server.sushi_go().to_string();
    let bot = |name: &str, addresses: &[&str]| {
        let mut command = Command::new(BINARY);
        command.args(["bot", "sushi-go", "--name", name]).args(addresses);
        Running::spawn(&mut command, "")
    };
    let ann = bot("Ann", &["--connect", &format!("127.0.0.1:1,{one}")]);
    let bob = bot("Bob", &["--connect", "127.0.0.1:1", "--connect", &one]);
    for ended in [ann.end(), bob.end()] {
        assert_eq!(ended.code, Some(0), "{ended:?}");
    }
    let nowhere = bot("Eve", &["--connect", "127.0.0.1:1,127.0.0.1:2"]).end();
    assert_eq!(nowhere.code, Some(1), "{nowhere:?}");
}

/// Sushi Go has many tables, but the only one with a free seat knows the name already.
#[test]
fn a_name_that_is_taken_for_good_ends_the_bot() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let address = server.sushi_go().to_string();
    let bot = || {
        let mut command = Command::new(BINARY);
        command.args(["bot", "sushi-go", "--name", "Same", "--trace", "--connect", &address]);
        Running::spawn(&mut command, "")
    };
    let first = bot();
    while !first.next_error().contains("WELCOME") {}
    let ended = bot().end();
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("cannot join a game: ERROR E010 "), "{ended:?}");
}
