//! `parlor bot` and `parlor play`, as programs.

use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use crate::examples::{EXAMPLES, STARTERS, house, interpreter};
use crate::kit::{BINARY, Ended, PATIENCE, Running, parlor};

/// Every wire, by game and port name, with a strategy.
const WIRES: [(&str, &str); 7] = [
    ("sushi-go", "sushi-go"),
    ("sushi-go", "sushi-go-sdk"),
    ("gamba", "gamba"),
    ("tiger-dragon", "tiger-dragon"),
    ("subsim", "subsim"),
    ("labyrinth", "labyrinth"),
    ("labyrinth", "labyrinth-course"),
];

pub fn example(file: &str) -> String {
    format!("{} {EXAMPLES}/{file} {{host}} {{port}} {{name}}", interpreter(file))
}

/// Options that keep the long games short.
pub fn shortened(game: &str) -> &'static [&'static str] {
    match game {
        "labyrinth" => &["--set", "labyrinth.max_rounds=10"],
        "subsim" => &["--set", "subsim.max_turns=100"],
        _ => &[],
    }
}

/// This program as a bot that plays a number of games and then ends.
pub fn house_command(game: &str, games: u32) -> String {
    format!(
        "{BINARY} bot {game} --connect {{host}}:{{port}} --name {{name}} --table {{table}} --games {games}"
    )
}

pub fn lines(ended: &Ended) -> Vec<Value> {
    let parse = |line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{ended:?}"));
    ended.stdout.lines().map(parse).collect()
}

/// Runs a contest; its games and its summary.
fn play(arguments: &[&str]) -> (Vec<Value>, Vec<Value>) {
    let mut all = vec!["play"];
    all.extend(arguments);
    let ended = parlor(&all);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let mut games = lines(&ended);
    let summary = games.pop().expect("a summary")["summary"].as_array().unwrap().clone();
    games.sort_by_key(|game| game["game"].as_u64());
    (games, summary)
}

#[test]
fn a_bot_plays_on_every_wire() {
    let server = house();
    for (game, wire) in WIRES {
        let address = server.addresses[wire].to_string();
        let ended = parlor(&["bot", game, "--wire", wire, "--connect", &address, "--games", "2"]);
        assert_eq!(ended.code, Some(0), "{wire}: {ended:?}");
        let begins: Vec<&str> = ended.stdout.lines().map(|line| &line[..7]).collect();
        assert_eq!(begins, ["game 1:", "game 2:"], "{wire}: {ended:?}");
    }
    assert_eq!(server.terminate().code, Some(0));
}

#[test]
fn a_trace_shows_both_directions() {
    let server = house();
    let address = server.addresses["sushi-go"].to_string();
    let ended = parlor(&["bot", "sushi-go", "--connect", &address, "--name", "Ann", "--trace"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    for part in ["> GAMES", "< WELCOME ", "> READY", "< GAME_END "] {
        assert!(ended.stderr.contains(part), "{part}: {ended:?}");
    }
    assert_eq!(server.terminate().code, Some(0));
}

#[test]
fn what_cannot_be_played_is_said_plainly() {
    for (arguments, words) in [
        (&["bot", "chess"][..], "no game 'chess'; there are sushi-go"),
        (
            &["bot", "gamba", "--strategy", "bold"],
            "no strategy 'bold'; there are random, casual, pip, mika, otto, vera, thrifty",
        ),
        (&["bot", "gamba", "--wire", "sushi-go"], "no wire 'sushi-go'; there are gamba"),
        (&["play", "gamba", "--bot", "house:random"], "it takes two"),
        (&["play", "gamba", "--bot", "house:x", "--bot", "y"], "no strategy 'x'"),
        (&["play", "gamba", "--bot", "y", "--bot", "random"], "did you mean house:random?"),
        (&["play", "gamba", "--bot", "y", "--bot", ""], "--bot is empty"),
        (
            &["play", "gamba", "--bot", "house:random", "--bot", "house:random", "--bot", "true"],
            "the table cannot be opened: Gamba has 2 seats, not 3",
        ),
        (&["check", "gamba", "--bot", "true", "--seats", "3"], "Gamba has 2 seats, not 3"),
        (&["play", "gamba", "--bot", "./y {port}", "--bot", "house:random"], "no program ./y"),
        (&["check", "gamba", "--bot", "./y {port}"], "no program ./y"),
        (&["check", "gamba", "--bot", "y {prot}"], "there is no {prot}; there are {host}"),
        (&["check", "gamba", "--bot", "house:random"], "check tests a command"),
        (&["check", "chess", "--bot", "y"], "no game 'chess'; there are sushi-go"),
        (&["check", "gamba", "--bot", "y", "--opponent", "x"], "no strategy 'x'"),
        (&["check", "gamba", "--bot", "true", "--set", "gamba.x=1"], "gamba has no option 'x'"),
        (
            &["play", "sushi-go", "--bot", "x", "--bot", "y", "--set", "gamba.deal=guide"],
            "--set gamba.deal=guide: only sushi-go is played here",
        ),
        (
            &["play", "sushi-go", "--bot", "x", "--bot", "y", "--set", "sushi-go.players=3"],
            "the number of --bot sets the number of players, which is 2",
        ),
        (
            &["check", "subsim", "--bot", "x", "--seats", "3", "--set", "subsim.max_players=4"],
            "--seats sets the number of players, which is 3",
        ),
    ] {
        let ended = parlor(arguments);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.stderr.contains(words), "{words}: {ended:?}");
    }
    assert_eq!(parlor(&["check", "gamba"]).code, Some(2));
    for flag in ["--games", "--concurrency"] {
        assert_eq!(parlor(&["play", "gamba", "--bot", "x", "--bot", "y", flag, "0"]).code, Some(2));
    }
}

/// The same seed gives the same deals and choices, however many games run at once.
#[test]
fn contests_of_house_bots_can_be_repeated() {
    for (game, bots) in [
        ("sushi-go", &["greedy", "random", "random"][..]),
        ("gamba", &["random", "thrifty"]),
        ("tiger-dragon", &["counter", "random"]),
        ("labyrinth", &["euclid", "random"]),
        ("subsim", &["hunter", "random"]),
    ] {
        let run = |concurrency: &str| {
            let bots: Vec<String> = bots.iter().map(|bot| format!("house:{bot}")).collect();
            let mut arguments =
                vec![game, "--games", "4", "--seed", "11", "--concurrency", concurrency];
            arguments.extend(shortened(game));
            bots.iter().for_each(|bot| arguments.extend(["--bot", bot.as_str()]));
            let (games, summary) = play(&arguments);
            let result = |game: &Value| {
                let seats = game["seats"].as_array().unwrap().iter();
                let seats = seats.map(|seat| {
                    (seat["bot"].clone(), seat["points"].clone(), seat["moves"].clone())
                });
                (game["seed"].clone(), seats.collect::<Vec<_>>())
            };
            for bot in &summary {
                assert_eq!((&bot["timeouts"], &bot["refusals"]), (&0.into(), &0.into()), "{bot}");
                assert_eq!((&bot["errors"], &bot["games"]), (&0.into(), &4.into()), "{bot}");
            }
            games.iter().map(result).collect::<Vec<_>>()
        };
        let once = run("1");
        assert_eq!(once.len(), 4, "{game}");
        assert_eq!(once, run("2"), "{game}");
    }
}

/// A name before a strategy was taken for a variable of the shell, and that bot lost silently.
#[test]
fn names_before_bot_commands_appear_in_the_results() {
    let bots = ["--bot", "ann=house:random", "--bot", "bob=house:thrifty"];
    let (games, summary) = play(&[&["gamba", "--games", "1"], &bots[..]].concat());
    assert_eq!((&summary[0]["bot"], &summary[1]["bot"]), (&"ann".into(), &"bob".into()));
    assert_eq!((&summary[0]["errors"], &games[0]["void"]), (&0.into(), &Value::Null));
}

/// Starter bots end after a game, and are started for each.
#[test]
fn starter_bots_in_a_contest() {
    let folder = tempfile::tempdir().unwrap();
    for (game, file, ..) in STARTERS {
        let command = example(file);
        let replays = folder.path().join(file).display().to_string();
        let mut arguments = vec![game, "--bot", &command, "--bot", "house:random", "--games", "3"];
        arguments.extend(["--seed", "3", "--replays", &replays]);
        arguments.extend(shortened(game));
        let (games, summary) = play(&arguments);
        for (number, contest) in games.iter().enumerate() {
            // Each bot moves one seat on.
            let seat =
                contest["seats"].as_array().unwrap().iter().position(|s| s["bot"] == command);
            assert_eq!(seat, Some(number % 2), "{contest}");
            assert_eq!(contest["void"], Value::Null, "{contest}");
        }
        assert_eq!(
            (&summary[0]["games"], &summary[0]["errors"]),
            (&3.into(), &0.into()),
            "{summary:?}"
        );
        assert_eq!(summary[0]["timeouts"], 0, "{summary:?}");
        let kept: Vec<_> = std::fs::read_dir(&replays).unwrap().collect();
        assert_eq!(kept.len(), 3);
        for replay in kept {
            let path = replay.unwrap().path().display().to_string();
            assert_eq!(parlor(&["replay", "--quiet", &path]).stdout, "verified\n");
        }
    }
}

/// A bot that asks for the next game itself is left alone: one process, three games.
#[test]
fn bots_that_stay() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["sushi-go", "gamba", "tiger-dragon", "subsim"] {
        let log = folder.path().join(game);
        // In Sushi Go the table is not named: a player who is expected at one is brought there.
        let bot = house_command(game, 3).replace("--table {table} ", "");
        let command = format!("echo started >> {}; {bot}", log.display());
        let mut arguments = vec![game, "--bot", &command, "--bot", "house:random", "--games", "3"];
        arguments.extend(shortened(game));
        let (games, summary) = play(&arguments);
        assert_eq!(games.len(), 3);
        assert_eq!(summary[0]["errors"], 0, "{game}: {summary:?}");
        let starts = std::fs::read_to_string(&log).unwrap();
        assert_eq!(starts, "started\n", "{game}: {games:?}");
    }
}

#[test]
fn bots_in_trouble_are_named_and_lose() {
    let crash = "echo no such luck >&2; exit 3";
    let (games, summary) = play(&[
        "gamba",
        "--bot",
        crash,
        "--bot",
        "house:random",
        "--games",
        "2",
        "--join-timeout",
        "20000",
    ]);
    assert_eq!(games[0]["void"], "never began");
    assert_eq!((&summary[0]["wins"], &summary[1]["wins"]), (&0.into(), &2.into()), "{summary:?}");
    assert_eq!(summary[0]["errors"], 2);
    let troubles = summary[0]["troubles"].to_string();
    assert!(troubles.contains("no such luck") && troubles.contains("exit status: 3"), "{troubles}");

    let (_, summary) = play(&[
        "sushi-go",
        "--bot",
        "exec sleep 1000",
        "--bot",
        "house:random",
        "--games",
        "1",
        "--join-timeout",
        "300",
    ]);
    let troubles = summary[0]["troubles"].to_string();
    assert!(troubles.contains("did not join within 0.3 s"), "{troubles}");
    assert_eq!(summary[1]["wins"], 1, "{summary:?}");
}

/// The clock played every turn of a bot that had ended.
#[test]
fn a_game_continues_at_once_after_a_bot_ends_in_the_middle_of_it() {
    let quits = "python3 -c \"import socket; s = socket.create_connection(('{host}', {port})); \
                 s.sendall(b'JOIN {table} {name}\\nREADY\\n'); \
                 any(line.startswith('HAND ') for line in s.makefile()); exit(3)\"";
    let bots = ["--bot", quits, "--bot", "house:greedy", "--bot", "house:greedy"];
    let (games, summary) =
        play(&[&["sushi-go"], &bots[..], &["--games", "1", "--move-timeout", "600000"]].concat());
    assert_eq!(games[0]["void"], Value::Null);
    assert_eq!(
        (&summary[0]["wins"], &summary[0]["timeouts"]),
        (&0.into(), &0.into()),
        "{summary:?}"
    );
    let troubles = summary[0]["troubles"].to_string();
    assert!(troubles.contains("in the middle of the game: exit status: 3"), "{troubles}");
}

/// What ended the first game on a connection was taken for the end of the second, too.
#[test]
fn a_bot_that_quits_in_its_second_game_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quits.py");
    let starter = std::fs::read_to_string(format!("{EXAMPLES}/sushi_go.py")).unwrap();
    let quits = starter.replace(
        "if word == \"HAND\":",
        "if word == \"HAND\" and left == -1: sys.exit()\n    if word == \"HAND\":",
    );
    assert_ne!(quits, starter);
    std::fs::write(&path, quits).unwrap();
    let bot = format!("python3 {} {{host}} {{port}} {{name}} --games 0", path.display());
    let rest = ["--bot", "house:greedy", "--games", "2", "--move-timeout", "600000"];
    let (games, summary) = play(&[&["sushi-go", "--bot", &bot], &rest[..]].concat());
    assert_eq!(games.len(), 2);
    assert_eq!(summary[0]["errors"], 1, "{summary:?}");
    let trouble = summary[0]["troubles"][0].as_str().unwrap();
    let expected = "game-2: the bot ended in the middle of the game: exit status: 0";
    assert_eq!(trouble, expected, "{summary:?}");
}

/// Two bots that keep reading after the end of a game and do not ask for another were started again
/// one after the other, each time at a new table that threw the other one out, without an end.
#[test]
fn bots_that_cannot_rejoin_are_restarted_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stays.py");
    let starter = std::fs::read_to_string(format!("{EXAMPLES}/gamba.py")).unwrap();
    // At 102, back in the lobby, it sits and reads on.
    let stays = starter.replace("if kind == \"102\":", "if kind == \"never\":");
    assert_ne!(stays, starter);
    std::fs::write(&path, stays).unwrap();
    let starts = folder.path().join("starts");
    let bot = format!(
        "echo started >> {}; python3 {} {{host}} {{port}} {{name}}",
        starts.display(),
        path.display()
    );
    let (games, summary) =
        play(&["gamba", "--bot", &bot, "--bot", &bot, "--games", "2", "--seed", "5"]);
    assert_eq!(games.len(), 2);
    for game in &games {
        assert_eq!(game["void"], Value::Null, "{game}");
    }
    assert_eq!(summary[0]["errors"], 0, "{summary:?}");
    let starts = std::fs::read_to_string(&starts).unwrap();
    assert_eq!(starts.lines().count(), 4, "each once for each game");
}

/// However its bots behave, a game that does not begin is given up in time, and the chain of new
/// tables ends.
#[test]
fn the_join_timeout_bounds_restarts() {
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts");
    // It plays in its first process, and only sits there in all others.
    let bot = format!(
        "echo {{name}} >> {0}; [ $(wc -l < {0}) -gt 2 ] && exec sleep 1000; exec {1}",
        starts.display(),
        house_command("gamba", 1)
    );
    let (games, summary) =
        play(&["gamba", "--bot", &bot, "--bot", &bot, "--games", "2", "--join-timeout", "2500"]);
    assert_eq!(games[0]["void"], Value::Null, "{games:?}");
    assert_eq!(games[1]["void"], "never began", "{games:?}");
    assert_eq!(summary[0]["errors"], 1, "{summary:?}");
    let starts = std::fs::read_to_string(&starts).unwrap();
    // Once for each game; and once more if the other one ended a little later.
    assert!(starts.lines().count() <= 5, "{starts}");
}

/// One that sits down and says nothing more is played by the clock, and out after three turns.
#[test]
fn a_silent_bot_is_played_by_the_clock() {
    let silent = "python3 -c \"import socket, time; s = socket.create_connection(('{host}', {port})); \
                  s.sendall(b'JOIN {table} {name}\\nREADY\\n'); time.sleep(1000)\"";
    let (games, summary) = play(&[
        "sushi-go",
        "--bot",
        silent,
        "--bot",
        "house:greedy",
        "--games",
        "1",
        "--move-timeout",
        "200",
    ]);
    assert_eq!(games[0]["void"], Value::Null);
    assert_eq!(summary[0]["timeouts"], 3, "{summary:?}");
    assert_eq!(summary[1]["timeouts"], 0, "{summary:?}");
}

/// A program that is asked to stop ends everything that it has started.
#[test]
fn nobody_is_left_behind_by_a_command_that_is_told_to_stop() {
    let bot = "sleep 1000 & echo $$ $! > \"$NOTE\"; exec sleep 1000";
    let rivals = ["--bot", bot, "--bot", "house:random"];
    // The bot writes a note, with numbers that its processes have out here.
    let run = ["tournament", "run", "--game", "gamba", "--isolate", "none"];
    let commands: [&[&str]; 3] = [
        &[&["play", "gamba"], &rivals[..]].concat(),
        &["check", "gamba", "--bot", bot],
        &[&run[..], &rivals].concat(),
    ];
    for (arguments, signal, code) in
        commands.into_iter().flat_map(|each| [(each, "INT", 130), (each, "TERM", 143)])
    {
        let folder = tempfile::tempdir().unwrap();
        let note = folder.path().join("note");
        let mut command = Command::new(BINARY);
        command.args(arguments).env("NOTE", &note).current_dir(folder.path());
        let running = Running::spawn(&mut command, "");
        let started = || std::fs::read_to_string(&note).unwrap_or_default();
        wait_until(|| started().ends_with('\n'));
        running.signal(signal);
        let ended = running.end();
        assert_eq!(ended.code, Some(code), "{arguments:?}: {ended:?}");
        assert!(ended.stderr.contains(&format!("interrupted by SIG{signal}")), "{ended:?}");
        wait_until(|| !started().split_whitespace().any(is_alive));
    }
}

/// Whether a process runs. One that has ended may still wait for its parent to collect it.
fn is_alive(id: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat"));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

pub fn wait_until(holds: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "it never comes about");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}
