//! `parlor tournament run` with bots that end, stay, crash and never play.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::kit::{BINARY, Ended, Running};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

fn run(out: &Path, arguments: &[&str]) -> Running {
    let mut command = Command::new(BINARY);
    command.args(["tournament", "run"]).args(arguments).arg("--out").arg(out);
    Running::spawn(&mut command, "")
}

/// The decided pairings, as they were said, and the summary.
fn read(ended: &Ended) -> (Vec<String>, Value) {
    let parse = |line| serde_json::from_str::<Value>(line).unwrap_or_else(|_| panic!("{ended:?}"));
    let mut lines: Vec<Value> = ended.stdout.lines().map(parse).collect();
    let summary = lines.pop().expect("a summary")["summary"].take();
    let decided = lines.iter().filter_map(|line| line["decided"].as_str().map(str::to_owned));
    (decided.collect(), summary)
}

fn page(out: &Path, bot: &str, file: &str) -> String {
    let path = out.join("logs").join(bot).join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn script(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    format!("python3 {} {{host}} {{port}} {{name}}", path.display())
}

/// A bot of Sushi Go that follows the protocol: TOURNEY, then TJOIN for each match.
const TOURNEY: &str = r#"
import socket, sys
host, port, name, tournament = sys.argv[1:]
s = socket.create_connection((host, int(port)))
def say(line): s.sendall((line + "\n").encode())
say(f"TOURNEY {tournament} {name}")
for line in s.makefile():
    words = line.split()
    if words[0] == "ERROR": sys.exit(line)
    if words[0] == "TOURNAMENT_MATCH" and words[2] != "BYE": say(f"TJOIN {words[2]}")
    if words[0] == "WELCOME": say("READY")
    if words[0] == "HAND": say("PLAY 0")
    if words[0] == "TOURNAMENT_COMPLETE": break
"#;

/// No existing bot could take part in a Sushi Go tournament: `{name}` was not the entrant's name,
/// and there was no `{table}`.
#[test]
fn older_sushi_go_bots_play_a_whole_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("cup");
    let starter =
        format!("ann=python3 {EXAMPLES}/sushi_go.py {{host}} {{port}} {{name}} {{table}}");
    let tourney = script(folder.path(), "tourney.py", TOURNEY) + " {tournament}";
    let bots = ["--bot", &starter, "--bot", &tourney, "--bot", "carl=house:greedy"];
    let ended =
        run(&out, &[&["--game", "sushi-go", "--format", "round-robin"], &bots[..]].concat());
    let ended = ended.end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let (decided, summary) = read(&ended);
    assert_eq!(decided.len(), 3, "{ended:?}");
    assert!(decided.iter().all(|line| line.ends_with("(played)")), "{decided:?}");
    for bot in summary["bots"].as_array().unwrap() {
        assert_eq!(bot["moves"], 60, "30 in each of two games: {bot}");
        assert_eq!(bot["crashes"], 0, "{bot}");
    }
    // The same names everywhere.
    let names: Vec<&str> = summary["tournament"]["standings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|standing| standing["name"].as_str().unwrap())
        .collect();
    assert!(["ann", "bot2", "carl"].iter().all(|name| names.contains(name)), "{names:?}");
    let standings = std::fs::read_to_string(out.join("standings.csv")).unwrap();
    assert!(names.iter().all(|name| standings.contains(name)), "{standings}");
    // Told its table, it is started for each game.
    let starts = page(&out, "ann", "runs.txt");
    assert_eq!(starts.matches("started for table ").count(), 2, "{starts}");
    let said = page(&out, "bot2", "messages.txt");
    assert!(said.contains("bot    > TOURNEY tournament bot2"), "{said}");
    assert!(said.contains("server < TOURNAMENT_COMPLETE tournament "), "{said}");
    assert!(page(&out, "ann", "printed.txt").contains("GAME_END"));
}

/// A bot that never played was started 147 times in 25 seconds and the run ended well.
#[test]
fn a_bot_that_never_plays_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("cup");
    let broken = "ann=echo no module named numpy >&2; exit 3";
    let bots = ["--bot", broken, "--bot", "house:random", "--bot", "house:random"];
    let ended = run(&out, &[&["--game", "gamba", "--format", "round-robin"], &bots[..]].concat());
    let ended = ended.end();
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let (decided, summary) = read(&ended);
    let why = format!("parlor: ann never made a move. See {}.", out.join("logs").display());
    assert!(ended.stderr.contains(&why), "{ended:?}");
    assert!(ended.stderr.contains("(exit status: 3): no module named numpy"), "{ended:?}");
    let hers: Vec<&String> = decided.iter().filter(|line| line.contains("ann")).collect();
    assert!(hers.iter().all(|line| line.contains("ann crashed")), "{decided:?}");
    let bot = &summary["bots"][0];
    assert_eq!((&bot["name"], &bot["crashes"]), (&"ann".into(), &2.into()), "{bot}");
    assert_eq!(bot["last_words"][0], "no module named numpy", "{bot}");
    assert!(bot["starts"].as_u64().unwrap() < 20, "{bot}");
}

/// Joins, and breaks at its first turn.
const BREAKS: &str = r#"
import socket, sys
host, port, name = sys.argv[1:]
s = socket.create_connection((host, int(port)))
s.sendall(f"JOIN x {name}\nREADY\n".encode())
for line in s.makefile():
    if line.startswith("HAND "):
        raise RuntimeError("out of ideas")
"#;

/// Every pairing of a dead bot waited for the whole time there is to come, although its program
/// was seen to end. Here that would be an hour.
#[test]
fn a_game_does_not_wait_for_a_program_that_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("cup");
    let breaks = format!("ann={}", script(folder.path(), "breaks.py", BREAKS));
    let bots = ["--bot", &breaks, "--bot", "bob=false", "--bot", "carl=house:greedy"];
    let clocks = ["--no-show", "3600", "--move-timeout", "3600000"];
    let game = ["--game", "sushi-go", "--format", "round-robin"];
    let ended = run(&out, &[&game[..], &clocks, &bots].concat()).end();
    let (decided, summary) = read(&ended);
    assert_eq!(decided.len(), 3, "{ended:?}");
    let line = |names: [&str; 2]| {
        let found = decided.iter().find(|line| names.iter().all(|name| line.contains(name)));
        found.unwrap_or_else(|| panic!("{names:?}: {decided:?}"))
    };
    assert!(line(["ann", "carl"]).contains("ann crashed"), "{decided:?}");
    assert!(line(["bob", "carl"]).contains("bob crashed"), "{decided:?}");
    let words = summary["bots"][0]["last_words"].as_array().unwrap();
    assert_eq!(words.last().unwrap(), "RuntimeError: out of ideas", "{summary}");
    assert!(page(&out, "ann", "runs.txt").contains("crashed in the middle of its game"));
    assert!(page(&out, "bob", "runs.txt").contains("crashed before its game began"));
}

/// Of a run that was stopped, the games it cut short were lost, and their names locked for a
/// minute. They are played again at once.
#[test]
fn games_cut_short_by_a_stop_are_replayed_without_waiting() {
    for signal in ["INT", "KILL"] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("cup");
        let slow = std::fs::read_to_string(format!("{EXAMPLES}/gamba.py")).unwrap();
        let slow = slow.replace("    hand = [", "    time.sleep(0.1)\n    hand = [");
        assert!(slow.contains("time.sleep(0.1)"));
        let slow = script(folder.path(), "slow.py", &slow);
        let (ann, bob) = (format!("ann={slow}"), format!("bob={slow}"));
        let game = ["--game", "gamba", "--best-of", "3", "--no-show", "3600"];
        let arguments = [&game[..], &["--bot", &ann, "--bot", &bob]].concat();
        let first = run(&out, &arguments);
        let said = out.join("logs").join("ann").join("messages.txt");
        // In the middle of a game: a card has been played.
        crate::tools::wait_until(|| {
            std::fs::read_to_string(&said).is_ok_and(|said| said.contains("bot    > 7|||"))
        });
        first.signal(signal);
        first.end();
        let ended = run(&out, &arguments).end_within(Duration::from_secs(60));
        assert_eq!(ended.code, Some(0), "{signal}: {ended:?}");
        let (_, summary) = read(&ended);
        let games = summary["tournament"]["pairings"][0]["games"].as_array().unwrap().clone();
        let void = games.iter().filter(|game| game["outcome"].is_null()).count();
        assert!(void >= 1, "{signal}: nothing was cut short: {games:?}");
        for game in games.iter().filter(|game| !game["outcome"].is_null()) {
            let exits: Vec<&Value> =
                game["outcome"].as_array().unwrap().iter().map(|seat| &seat["exit"]).collect();
            assert_eq!(exits, [&Value::Null; 2], "{signal}: {games:?}");
        }
    }
}

/// Thirty flags and no file; standings said `bot-3`.
#[test]
fn a_file_of_entrants_gives_names_and_display_names() {
    let folder = tempfile::tempdir().unwrap();
    let (out, file) = (folder.path().join("cup"), folder.path().join("teams.csv"));
    let bot = format!("{BINARY} bot labyrinth --connect {{host}}:{{port}} --name {{name}}");
    let text = format!(
        "name,display name,plays as,command\nann,\"Ann, of course\",red,{bot}\nbob,,,house:euclid\n"
    );
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let set = ["--set", "labyrinth.max_rounds=10"];
    let ended = run(&out, &[&["--game", "labyrinth", "--entrants", file], &set[..]].concat());
    let ended = ended.end_within(Duration::from_secs(60));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let (decided, summary) = read(&ended);
    assert!(decided[0].contains("Ann, of course"), "{decided:?}");
    let entrant = &summary["tournament"]["entrants"][0];
    assert_eq!((&entrant["name"], &entrant["plays_as"]), (&"ann".into(), &"red".into()));
    assert!(page(&out, "ann", "messages.txt").contains("\"red\""), "the name its protocol knows");
    let missing = run(&out, &["--game", "gamba", "--entrants", "no-such-file.csv"]).end();
    assert_eq!(missing.code, Some(2), "{missing:?}");
    assert!(missing.stderr.contains("cannot read no-such-file.csv"), "{missing:?}");
}

/// Other people's bots ran as the user who ran the tournament, and could read that user's files.
#[test]
fn bots_run_as_another_user_within_limits() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("cup");
    let tells =
        "ann=id -un; ulimit -d; ulimit -t; echo token=$PARLOR_TOKEN name=$PARLOR_NAME; exit 1";
    let limits = ["--bot-memory", "512", "--bot-cpu", "7", "--bot-processes", "200"];
    let bots = ["--game", "sushi-go", "--bot", tells, "--bot", "bob=house:greedy"];
    let ended = run(&out, &[&bots[..], &["--as", "nobody"], &limits].concat()).end();
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        assert!(ended.stderr.contains("only root can start programs as another"), "{ended:?}");
        return;
    }
    let printed = page(&out, "ann", "printed.txt");
    for told in ["nobody", "524288", "7", "token= name=ann"] {
        assert!(printed.lines().any(|line| line.ends_with(told)), "{told}: {printed}");
    }
    let nobody = run(&out, &[&bots[..], &["--as", "no-such-user"]].concat()).end();
    assert!(nobody.stderr.contains("there is no such user"), "{nobody:?}");
}
