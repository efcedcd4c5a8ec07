//! `parlor data`: what a folder holds, and removing what is old.

use std::path::Path;

use serde_json::Value;

use crate::kit::{Ended, Line, Server, parlor, play_a_game};

fn data(folder: &Path, rest: &[&str]) -> Ended {
    let folder = folder.display().to_string();
    parlor(&[&["data", "--data", &folder], rest].concat())
}

fn said(ended: &Ended) -> &str {
    assert_eq!(ended.code, Some(0), "{ended:?}");
    &ended.stdout
}

/// Two players sit down and one moves; their connections.
fn begin_a_game(server: &Server) -> [Line; 2] {
    let mut players = [0, 1].map(|_| Line::connect(server.sushi_go()).expect("connects"));
    let games = players[0].ask("GAMES", &["GAMES"]);
    let games: Value = serde_json::from_str(&games["GAMES ".len()..]).unwrap();
    let id = games[0]["id"].as_str().unwrap().to_owned();
    for (name, line) in ["Cyd", "Dot"].into_iter().zip(&mut players) {
        line.ask(&format!("JOIN {id} {name}"), &["WELCOME"]);
        line.ask("READY", &["OK"]);
    }
    players.iter_mut().for_each(|line| _ = line.expect(&["HAND"]));
    players[0].ask("PLAY 0", &["OK"]);
    players
}

#[test]
fn a_folder_is_counted_and_pruned_with_and_without_its_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    play_a_game(server.sushi_go());
    play_a_game(server.sushi_go());
    let _players = begin_a_game(&server);
    let shown = data(folder.path(), &[]);
    assert!(said(&shown).contains(" MiB, in use by a server\n"), "{shown:?}");
    assert!(said(&shown).contains("sushi-go: 2 finished games, 0 void\n"), "{shown:?}");
    // The server has the folder, so it removes the games itself, the young ones not.
    assert_eq!(said(&data(folder.path(), &["prune", "--older-than", "1h"])), "0 games removed\n");
    assert_eq!(said(&data(folder.path(), &["prune", "--older-than", "0s"])), "2 games removed\n");
    assert_eq!(server.get_json("/api/v1/results")["results"], serde_json::json!([]));
    let last = play_a_game(server.sushi_go());
    assert_eq!(server.terminate().code, Some(0));
    let shown = data(folder.path(), &[]);
    assert!(!said(&shown).contains("in use"), "{shown:?}");
    assert!(said(&shown).contains("open tables: 2\n"), "one is played, one gathers: {shown:?}");
    assert!(said(&shown).contains("sushi-go: 1 finished game, 0 void\n"), "{shown:?}");
    assert_eq!(said(&data(folder.path(), &["prune", "--older-than", "30d"])), "0 games removed\n");
    assert_eq!(said(&data(folder.path(), &["prune", "--older-than", "0s"])), "1 game removed\n");
    let folder_name = folder.path().display().to_string();
    let gone = parlor(&["replay", &last, "--data", &folder_name]);
    assert!(gone.stderr.contains("neither a file nor a finished game"), "{gone:?}");
    assert_eq!(gone.code, Some(1));
}

#[test]
fn what_is_open_can_be_given_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let _players = begin_a_game(&server);
    let refused = data(folder.path(), &["abandon"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("is already used by another server"), "{refused:?}");
    server.kill();
    assert_eq!(
        said(&data(folder.path(), &["abandon"])),
        "2 open tables and 0 tournaments closed\n"
    );
    let shown = data(folder.path(), &[]);
    assert!(said(&shown).contains("open tables: 0\n"), "{shown:?}");
    assert!(said(&shown).contains("sushi-go: 0 finished games, 1 void\n"), "{shown:?}");
    let server = Server::start(folder.path());
    let results = server.get_json("/api/v1/results?status=void&player=Cyd");
    let result = &results["results"][0];
    assert_eq!(result["players"], serde_json::json!(["Cyd", "Dot"]));
    assert_eq!(result["closing"]["void"], "abandoned by the organiser");
    let id = result["id"].as_str().unwrap();
    let replay = server.get(&format!("/api/v1/results/sushi-go/{id}/replay"));
    let verified = crate::kit::parlor_reading(&["replay", "--quiet", "-"], &replay);
    assert_eq!(said(&verified), "verified\n");
}

#[test]
fn tournaments_are_counted_as_what_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let data_folder = folder.path().to_str().expect("text");
    let tournament = |words: &[&str]| {
        let ended = parlor(&[&["tournament"], words, &["--data", data_folder]].concat());
        assert_eq!(ended.code, Some(0), "{ended:?}");
    };
    let tables = || server.get_json("/api/v1/tables")["tables"].as_array().expect("a list").len();
    for id in ["one", "two"] {
        tournament(&[
            "create",
            "--game",
            "sushi-go",
            "--id",
            id,
            "--entrant",
            &format!("ann-{id}"),
            "--open",
        ]);
    }
    tournament(&["cancel", "sushi-go", "one"]);
    let shown = data(folder.path(), &[]);
    let expected = format!(
        "open tables: {}\nopen tournaments: 1\n\
         sushi-go: 0 finished tournaments, 1 cancelled\n",
        tables()
    );
    assert!(said(&shown).ends_with(&expected), "{shown:?}");
    server.kill();
    let given_up = data(folder.path(), &["abandon"]);
    assert!(said(&given_up).ends_with(" and 1 tournament closed\n"), "{given_up:?}");
}

#[test]
fn a_folder_without_a_journal_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    for place in [folder.path().to_owned(), folder.path().join("mistyped")] {
        for command in [&["prune", "--older-than", "1d"][..], &["abandon"], &[]] {
            let ended = data(&place, command);
            assert_eq!(ended.code, Some(1), "{ended:?}");
            assert!(ended.stderr.contains(&place.display().to_string()), "{ended:?}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn an_age_must_be_one() {
    let ended = parlor(&["data", "prune", "--older-than", "long"]);
    assert_ne!(ended.code, Some(0));
    assert!(ended.stderr.contains("'long' is not a time"), "{ended:?}");
}

/// Copying database and tail while the server wrote gave a folder that was refused as damaged.
#[test]
fn a_backup_of_a_running_server_restores_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    let (original, copy, again) = (place("data"), place("monday"), place("again"));
    let name = |path: &Path| path.display().to_string();
    let on = |data: &Path, command: &[&str]| parlor(&[command, &["--data", &name(data)]].concat());
    let server = Server::start(&original);
    let finished = play_a_game(server.sushi_go());
    let _players = begin_a_game(&server);
    let token = on(&original, &["tokens", "add", "ann", "--scope", "organise"]);
    assert!(said(&token).starts_with("pt_"), "{token:?}");
    let claimed = on(&original, &["names", "claim", "ann"]);
    let key = said(&claimed).trim();
    let banned = on(&original, &["bans", "add", "--name", "eve", "--for", "2h"]);
    assert_eq!(said(&banned), "Banned; 0 connections closed.\n");
    let backup = data(&original, &["backup", &name(&copy)]);
    assert!(said(&backup).contains("complete copy"), "{backup:?}");
    let twice = data(&original, &["backup", &name(&copy)]);
    assert_eq!(twice.code, Some(1), "a backup is not overwritten: {twice:?}");
    // What happens after it is not in it.
    let later = play_a_game(server.sushi_go());
    assert_eq!(server.terminate().code, Some(0));
    assert!(said(&data(&again, &["restore", &name(&copy)])).contains("is restored"));
    let refused = data(&original, &["restore", &name(&copy)]);
    assert!(refused.code == Some(1) && refused.stderr.contains("Move it away"), "{refused:?}");
    let server = Server::start(&again);
    let results = server.get_json("/api/v1/results").to_string();
    assert!(results.contains(&finished) && !results.contains(&later), "{results}");
    assert!(said(&data(&again, &[])).contains("open tables: 2\n"));
    assert!(said(&on(&again, &["tokens", "list"])).starts_with("ann "));
    let shown = on(&again, &["names", "show", "ann", "--key", key]);
    assert!(said(&shown).ends_with(", and this is its key\n"), "{shown:?}");
    assert!(said(&on(&again, &["bans", "list"])).starts_with("eve "));
    let audit = on(&again, &["audit"]);
    assert!(said(&audit).contains("POST /api/v1/bans  201"), "{audit:?}");
    assert!(!audit.stdout.contains("pt_"), "{audit:?}");
}

#[cfg(unix)]
#[test]
fn other_users_of_the_machine_cannot_read_the_data_folder() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let mode = |path: &Path| path.metadata().expect("is there").permissions().mode() & 0o777;
    let server = Server::start(&data);
    assert_eq!(server.terminate().code, Some(0));
    assert_eq!(mode(&data), 0o700);
    for entry in data.read_dir().expect("a folder") {
        let path = entry.expect("a file").path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
    // A folder of an earlier release is closed, and that is said.
    for (path, mode) in [(&data, 0o755), (&data.join("parlor.db"), 0o644)] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("ours");
    }
    let server = Server::start(&data);
    let ended = server.terminate();
    assert!(ended.stderr.contains("others on this machine could read"), "{ended:?}");
    assert_eq!(mode(&data), 0o700);
}

/// The folder of a server that shares a database holds no games.
#[test]
fn commands_on_the_folder_of_a_fleets_server_point_to_its_database() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("admin-token"), "0123456789abcdef").expect("written");
    let path = folder.path().display().to_string();
    let backup = folder.path().join("backup").display().to_string();
    for command in
        [&["export", "gamba"][..], &["ratings", "gamba"], &["data", "backup", backup.as_str()]]
    {
        let ended = parlor(&[command, &["--data", &path]].concat());
        assert_eq!(ended.code, Some(1), "{ended:?}");
        let advice = "The games of servers that share a PostgreSQL are there";
        assert!(ended.stderr.contains(advice), "{ended:?}");
    }
}
