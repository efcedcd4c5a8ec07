//! `kill -9`, many times over, while players continue. Whatever was acknowledged is in the journal,
//! once, and every game ends as the rules say.

use std::process::Command;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use games::sushi_go::SushiGo;
use hall::TableRecord;
use rules::any::AnyRules;

use crate::checker;
use crate::kit::{BINARY, Chance, Line, PATIENCE, Running, Server, parlor, serve, with_a_seed};
use crate::players::{Player, Signpost};

const PLAYERS: usize = 40;

/// How often the server is killed; `KILLS` in the environment says otherwise.
const KILLS: usize = 24;

#[test]
fn nothing_acknowledged_is_lost() {
    with_a_seed(crash);
}

fn crash(seed: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut chance = Chance(seed);
    let signpost = Arc::new(Signpost::default());
    let (done, diaries) = mpsc::channel();
    for number in 0..PLAYERS {
        let player = Player::new(number, seed, signpost.clone());
        let done = done.clone();
        std::thread::spawn(move || {
            // The test has failed, and no one receives any more.
            let _ = done.send(player.play());
        });
    }
    drop(done);
    let kills = std::env::var("KILLS").map(|kills| kills.parse().expect("a number"));
    for _ in 0..kills.unwrap_or(KILLS) {
        let mut command = Command::new(BINARY);
        command.args(serve(folder.path()));
        let process = Running::spawn(&mut command, "");
        if chance.below(4) == 0 {
            // In the middle of starting.
            std::thread::sleep(Duration::from_millis(chance.below(60)));
            drop(process);
            continue;
        }
        let server = Server::await_ready(process);
        signpost.point_to(server.sushi_go());
        std::thread::sleep(Duration::from_millis(50 + chance.below(500)));
        server.kill();
    }
    let server = Server::start(folder.path());
    signpost.announce_last_games();
    signpost.point_to(server.sushi_go());
    let deadline = Instant::now() + PATIENCE;
    let mut all = Vec::new();
    for _ in 0..PLAYERS {
        let left = deadline.saturating_duration_since(Instant::now());
        all.extend(diaries.recv_timeout(left).expect("every player comes to an end"));
    }
    let games = checker::archive(&server);
    let tally = checker::check(&games, &all);
    #[expect(clippy::print_stderr, reason = "shown when the test fails, or by --nocapture")]
    {
        eprintln!("CRASH_SEED={seed}: {tally:?}");
    }
    // Something has happened; how much depends on the machine.
    assert!(tally.acknowledged > 0 && tally.games > 0 && tally.scored > 0, "{tally:?}");
    assert!(tally.unacknowledged > 0, "{tally:?}");
    for game in games.values() {
        verify(&game.text).unwrap_or_else(|difference| panic!("{}: {difference}", game.id));
    }
    let ended = server.terminate();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let data = folder.path().display().to_string();
    for game in games.values().take(3) {
        let ended = parlor(&["replay", "--quiet", "--data", &data, &game.id]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "verified\n"), "{ended:?}");
    }
}

/// When it was killed between the end of a game and sending it, the server forgot the tokens of
/// that game, and no player learned how it had ended.
#[test]
fn the_end_of_a_game_is_sent_after_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let mut players = [0, 1].map(|_| Line::connect(server.sushi_go()).expect("connects"));
    let list = players[0].ask("GAMES", &["GAMES"]);
    let list: serde_json::Value = serde_json::from_str(&list["GAMES ".len()..]).expect("JSON");
    let id = list[0]["id"].as_str().expect("a game is always open").to_owned();
    let mut tokens = Vec::new();
    for (name, line) in ["Ann", "Ben"].into_iter().zip(&mut players) {
        let welcome = line.ask(&format!("JOIN {id} {name}"), &["WELCOME"]);
        tokens.push(welcome.rsplit_once(' ').expect("a token").1.to_owned());
        line.ask("READY", &["OK"]);
    }
    for _ in 0..30 {
        for line in &mut players {
            line.expect(&["HAND"]);
            assert!(line.say("PLAY 0"));
        }
    }
    let end = players[0].expect(&["GAME_END"]);
    server.kill();
    let server = Server::start(folder.path());
    for (seat, token) in tokens.iter().enumerate() {
        let mut line = Line::connect(server.sushi_go()).expect("connects");
        let back = line.ask(&format!("REJOIN {token}"), &["REJOINED", "ERROR"]);
        assert_eq!(back, format!("REJOINED {id} {seat}"));
        assert_eq!(line.expect(&["GAME_END", "HAND"]), end);
        let again = line.ask(&format!("REJOIN {token}"), &["REJOINED", "ERROR"]);
        assert!(again.starts_with("ERROR E004"), "it is told once: {again}");
    }
}

/// Plays a game of the archive again, as `parlor replay` does.
fn verify(text: &str) -> Result<(), String> {
    #[derive(serde::Deserialize)]
    struct ReplayLine {
        record: TableRecord,
    }
    let read = |line| serde_json::from_str::<ReplayLine>(line).map(|line| line.record);
    let rules = <dyn AnyRules>::of::<SushiGo>();
    let records: Result<Vec<TableRecord>, _> =
        rules.reading(|| text.lines().skip(1).map(read).collect());
    let records = records.map_err(|error| error.to_string())?;
    hall::replay(&records, |_, _| {}).map(|_| ())
}
