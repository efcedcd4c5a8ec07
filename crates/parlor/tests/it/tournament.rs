//! `parlor tournament` and `parlor ratings`, as programs.

use std::collections::BTreeSet;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::kit::{BINARY, Ended, Running, Server, parlor, parlor_reading};

/// This program as a bot that plays one game and ends.
fn bot(game: &str) -> String {
    format!("{BINARY} bot {game} --connect {{host}}:{{port}} --name {{name}}")
}

fn run(arguments: &[&str]) -> Running {
    let mut command = Command::new(BINARY);
    Running::spawn(command.args(["tournament", "run"]).args(arguments), "")
}

/// What a run has printed: the decided pairings, how many of all were decided before, and the
/// summary.
fn read(ended: &Ended) -> (Vec<String>, Option<u64>, Value) {
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let parse = |line| serde_json::from_str::<Value>(line).unwrap_or_else(|_| panic!("{ended:?}"));
    let mut lines: Vec<Value> = ended.stdout.lines().map(parse).collect();
    let summary = lines.pop().expect("a summary")["summary"].take();
    let before = lines.first().and_then(|line| line["decided_before"].as_u64());
    let lines = lines.iter().skip(usize::from(before.is_some()));
    let decided = lines.map(|line| line["decided"].as_str().expect("a line").to_owned());
    let decided: Vec<String> = decided.collect();
    // Every pairing of a tournament that is over is decided, and said once.
    let numbers: BTreeSet<u64> = decided.iter().map(|line| number(line)).collect();
    assert_eq!(numbers.len(), decided.len(), "{decided:?}");
    let all = summary["tournament"]["pairings"].as_array().expect("a list").len() as u64;
    assert_eq!(before.unwrap_or(0) + decided.len() as u64, all, "{ended:?}");
    (decided, before, summary)
}

/// The number of the pairing that a line is about.
fn number(line: &str) -> u64 {
    line.split([',', ':']).nth(1).expect("a number").trim().parse().expect(line)
}

#[test]
fn a_bye_and_the_pairing_decided_after_it_are_both_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let tournament = |words: &[&str]| {
        let mut command = Command::new(BINARY);
        command.arg("tournament").args(words).arg("--data").arg(folder.path());
        Running::spawn(&mut command, "")
    };
    let create = ["create", "--game", "sushi-go", "--id", "cup", "--format", "swiss", "--rounds"];
    // No player comes, so the game of the round waits until the organiser decides it.
    let rest = ["1", "--no-show", "3600", "--entrant", "ann", "--entrant", "bob"];
    let created = tournament(&[&create[..], &rest, &["--entrant", "carl"]].concat()).end();
    assert_eq!(created.code, Some(0), "{created:?}");
    assert_eq!(tournament(&["start", "sushi-go", "cup"]).end().code, Some(0));
    let watch = tournament(&["watch", "sushi-go", "cup"]);
    let bye = watch.first_line();
    assert!(bye.starts_with("round 1, 1: ") && bye.ends_with("(bye)\n"), "{bye}");
    assert_eq!(tournament(&["adjudicate", "sushi-go", "cup", "0", "1,2"]).end().code, Some(0));
    let ended = watch.end();
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert!(lines[0].starts_with("round 1, 0: "), "{ended:?}");
    assert!(lines[0].ends_with("(adjudicated)"), "{ended:?}");
    // Two points for a win, as everywhere; no rated game has been played.
    assert!(lines[1].starts_with("sushi-go cup: swiss, over, "), "{ended:?}");
    assert_eq!(lines[2], "   name  points  won  drawn  lost", "{ended:?}");
    assert!(lines[3].starts_with("1  ") && lines[3].contains(" 2 "), "{ended:?}");
    assert_eq!(lines.len(), 6, "{ended:?}");
    server.terminate();
}

#[test]
fn standings_show_what_everybody_is_rated() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let ask = |words: &[&str]| {
        let data = ["--data", folder.path().to_str().unwrap()];
        let ended = parlor(&[&["tournament"], words, &data].concat());
        assert_eq!(ended.code, Some(0), "{ended:?}");
        ended.stdout
    };
    let entrants = ["--entrant", "house:greedy", "--entrant", "house:random"];
    ask(&[&["create", "--game", "sushi-go", "--id", "cup"], &entrants[..]].concat());
    ask(&["start", "sushi-go", "cup"]);
    for shown in [ask(&["watch", "sushi-go", "cup"]), ask(&["show", "sushi-go", "cup"])] {
        assert!(shown.lines().any(|line| line.ends_with("  rating")), "{shown}");
        assert_eq!(shown.matches(" ± ").count(), 2, "{shown}");
    }
    server.terminate();
}

#[test]
fn bots_of_every_game_meet_each_other_over_its_protocol() {
    for (game, house) in [
        ("sushi-go", "house:greedy"),
        ("gamba", "house:random"),
        ("tiger-dragon", "house:random"),
        ("subsim", "house:random"),
        ("labyrinth", "house:euclid"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().to_str().unwrap();
        let bot = bot(game);
        let mut arguments = vec!["--game", game, "--format", "round-robin", "--out", out];
        arguments.extend(["--bot", &bot, "--bot", house, "--bot", &bot]);
        if game == "labyrinth" {
            arguments.extend(["--set", "labyrinth.max_rounds=30"]);
        }
        let ended = run(&arguments).end_within(Duration::from_secs(60));
        let (decided, before, summary) = read(&ended);
        assert_eq!((decided.len(), before), (3, None), "{game}: {ended:?}");
        assert!(decided.iter().all(|line| line.ends_with("(played)")), "{game}: {decided:?}");
        assert_eq!(summary["tournament"]["phase"], "over");
        let exits = summary["tournament"]["pairings"].to_string();
        assert!(!exits.contains("timed-out") && !exits.contains("left"), "{game}: {exits}");
        // Each entrant has met both others, and every game can be replayed.
        assert_eq!(summary["ratings"].as_array().unwrap().len(), 3);
        for entry in std::fs::read_dir(folder.path().join("replays")).unwrap() {
            let path = entry.unwrap().path();
            let replayed = parlor(&["replay", path.to_str().unwrap()]);
            assert_eq!(replayed.code, Some(0), "{replayed:?}");
        }
        let standings = std::fs::read_to_string(folder.path().join("standings.csv")).unwrap();
        assert_eq!(standings.lines().count(), 4, "{standings}");
        let data = folder.path().join("data");
        let ratings = parlor(&["ratings", game, "--json", "--data", data.to_str().unwrap()]);
        let ratings: Value = serde_json::from_str(&ratings.stdout).unwrap();
        assert_eq!(ratings, summary["ratings"], "worked out anew, the ratings are the same");
        recomputable_from_an_export(game, data.to_str().unwrap(), &ratings);
    }
}

#[test]
fn an_interrupted_tournament_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let (out, slow) = (folder.path().to_str().unwrap(), format!("sleep 0.2; {}", bot("gamba")));
    let mut arguments = vec!["--game", "gamba", "--format", "round-robin", "--out", out];
    for _ in 0..3 {
        arguments.extend(["--bot", &slow, "--bot", "house:random"]);
    }
    let first = run(&arguments);
    let mut seen: Vec<String> = (0..4).map(|_| first.first_line()).collect();
    first.signal("INT");
    let ended = first.end();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    assert!(ended.stderr.contains("run the same command again to continue"), "{ended:?}");
    seen.extend(ended.stdout.lines().map(|line| format!("{line}\n")));

    let other =
        run(&["--game", "gamba", "--bot", "house:random", "--bot", "house:random", "--out", out]);
    let refused = other.end();
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains(&format!("another tournament in {out}: ")), "{refused:?}");
    // Neither may one of another game write its results over these.
    let other = run(&["--game", "sushi-go", "--bot", "house:random", "--bot", "house:random"]
        .into_iter()
        .chain(["--out", out])
        .collect::<Vec<_>>());
    let refused = other.end();
    assert!(refused.stderr.contains(&format!("another tournament in {out}: ")), "{refused:?}");

    let ended = run(&arguments).end_within(Duration::from_secs(60));
    let (decided, before, summary) = read(&ended);
    // Nothing is lost, and nothing is said as if it had been decided just now.
    assert!(before.unwrap() >= seen.len() as u64, "{seen:?}, then {ended:?}");
    for line in seen {
        let line: Value = serde_json::from_str(&line).unwrap();
        let seen = number(line["decided"].as_str().unwrap());
        assert!(decided.iter().all(|line| number(line) != seen), "{line} is said again: {ended:?}");
    }
    assert_eq!(summary["tournament"]["phase"], "over");
    // Over, it is only shown again.
    let (decided, before, again) = read(&run(&arguments).end());
    assert_eq!((decided.len(), before), (0, Some(15)));
    assert_eq!(again["tournament"], summary["tournament"]);
}

/// Neither a server nor a folder is made for what cannot be played.
#[test]
fn bots_that_cannot_work_are_refused_before_anything_starts() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("cup");
    let out = place.to_str().unwrap();
    for (bot, set, words) in [
        ("random", "gamba.deal=guide", "did you mean house:random?"),
        ("", "gamba.deal=guide", "--bot is empty"),
        ("./bot {prot}", "gamba.deal=guide", "there is no {prot}"),
        ("house:bold", "gamba.deal=guide", "no strategy 'bold'"),
        ("./bot", "subsim.max_turns=9", "only gamba is played here"),
        ("./no-such-bot {port}", "gamba.deal=guide", "there is no program ./no-such-bot"),
    ] {
        let bots = ["--bot", "house:random", "--bot", bot];
        let ended =
            run(&[&bots[..], &["--game", "gamba", "--set", set, "--out", out]].concat()).end();
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.stderr.contains(words), "{words}: {ended:?}");
        assert!(!place.exists(), "{words}");
    }
}

/// The message was about `--bot`, which had not been used, and not about the team.
#[test]
fn a_program_that_is_missing_in_a_list_of_teams_is_named_with_its_team() {
    let folder = tempfile::tempdir().unwrap();
    let (list, out) = (folder.path().join("teams.csv"), folder.path().join("cup"));
    std::fs::write(&list, "red,Red,,house:random\nblue,Blue,,./no-such-bot {port}\n").unwrap();
    let (list, out) = (list.to_str().unwrap(), out.to_str().unwrap());
    let ended = run(&["--game", "gamba", "--entrants", list, "--out", out]).end();
    assert_eq!(ended.code, Some(2), "{ended:?}");
    let said = format!("team 'blue' of {list}: ./no-such-bot {{port}}: there is no program");
    assert!(ended.stderr.contains(&said), "{ended:?}");
}

/// What the shell cannot run will not come, however often it is started.
#[test]
fn a_command_that_does_not_exist_ends_the_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let bots = ["--bot", "true; ./no-such-bot {port}", "--bot", "house:random"];
    let ended = run(&[&bots[..], &["--game", "gamba", "--out", out]].concat()).end();
    let said = "parlor: 'true; ./no-such-bot {port}' cannot be run: the shell ended with exit status: 127\n";
    // Before that it says how bots are isolated.
    assert_eq!((ended.code, ended.stderr.lines().count()), (Some(1), 2), "{ended:?}");
    assert!(ended.stderr.ends_with(said), "{ended:?}");
}

#[test]
fn a_run_that_is_refused_says_why_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("cup");
    let two = ["--bot", "house:random", "--bot", "house:random"];
    let cases: [(&[&str], &str); 7] = [
        (&["--game", "gamba", "--bot", "house:random"], "at least two bots"),
        (&["--game", "chess", "--bot", "house:random"], "no game 'chess'"),
        (&["--game", "chess", two[0], two[1], two[2], two[3]], "no game 'chess'"),
        (&["--game", "gamba", "--bot", "house:random", "--bot", "house:x"], "no strategy 'x'"),
        (&["--game", "gamba", "--best-of", "2", two[0], two[1], two[2], two[3]], "best_of is 2"),
        (
            &["--game", "gamba", "--seats", "9", two[0], two[1], two[2], two[3]],
            "a table of 9 cannot be played: Gamba has 2 seats, not 9",
        ),
        (&["--game", "gamba", "--set", "gamba.x=1", two[0], two[1], two[2], two[3]], "x"),
    ];
    for (arguments, why) in cases {
        let refused = run(&[arguments, &["--out", out.to_str().unwrap()]].concat()).end();
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(why), "{refused:?}");
        assert!(!out.exists(), "{arguments:?}");
    }
}

#[test]
fn a_folder_is_for_one_run_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let _taken = store::folder::Folder::take(&folder.path().join("data")).unwrap();
    let two = ["--bot", "house:random", "--bot", "house:random"];
    let refused = run(&[&["--game", "gamba", "--out", out], &two[..]].concat()).end();
    assert_eq!(refused.code, Some(1));
    let why = format!("another 'parlor tournament run' uses {out}: ");
    assert!(refused.stderr.contains(&why), "{refused:?}");
}

/// Exit code, and what was printed: the results, or the error.
type Printed = (Option<i32>, String);

#[test]
fn organisers_give_orders_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let data = folder.path().to_str().unwrap();
    let ask = |words: &[&str]| {
        let mut arguments = vec!["tournament"];
        arguments.extend(words);
        arguments.extend(["--data", data]);
        let ended = parlor(&arguments);
        (ended.code, if ended.code == Some(0) { ended.stdout } else { ended.stderr })
    };
    runs_a_tournament(&ask);
    refuses_impossible_orders(&ask);
    needs_the_token_of_the_server_it_names(&server.addresses["http"].to_string());
    server.terminate();
}

fn runs_a_tournament(ask: &dyn Fn(&[&str]) -> Printed) {
    let create = [
        "create", "--game", "sushi-go", "--id", "cup", "--format", "swiss", "--rounds", "4",
        "--max", "5",
    ];
    let mut entrants = create.to_vec();
    entrants.extend(["--entrant", "ann", "--entrant", "bob", "--entrant", "house:greedy"]);
    entrants.push("--open-names");
    let created = "sushi-go cup: swiss, entering, 3 of 5 entrants\n";
    assert_eq!(ask(&entrants), (Some(0), created.to_owned()));
    assert!(ask(&entrants).1.contains("there is a tournament 'cup' already"));
    assert_eq!(ask(&["enter", "sushi-go", "cup", "house:random"]).0, Some(0));
    assert_eq!(ask(&["enter", "sushi-go", "cup", "carl"]).0, Some(0));
    assert_eq!(ask(&["withdraw", "sushi-go", "cup", "carl"]).0, Some(0));
    assert!(ask(&["start", "sushi-go", "cup"]).1.contains("swiss, running, 4 of 5"));
    assert!(ask(&["start", "sushi-go", "cup"]).1.contains("has begun"));
    assert!(ask(&["pause", "sushi-go", "cup"]).1.contains("paused"));
    assert!(ask(&["resume", "sushi-go", "cup"]).1.contains("running"));
    let (_, shown) = ask(&["show", "sushi-go", "cup"]);
    // Ann is not there, so her pairing waits.
    let hers = |line: &&str| line.contains("ann") && line.contains("at table");
    let pairing = shown.lines().find(hers).expect("a pairing of hers");
    let number = pairing.split([',', ':']).nth(1).unwrap().trim();
    assert_eq!(ask(&["adjudicate", "sushi-go", "cup", number, "1,2"]).0, Some(0));
    let (_, shown) = ask(&["show", "sushi-go", "cup"]);
    assert!(shown.contains("(adjudicated)"), "{shown}");
    assert_eq!(ask(&["withdraw", "sushi-go", "cup", "bob"]).0, Some(0));
    let (_, shown) = ask(&["show", "sushi-go", "cup"]);
    assert!(shown.contains("4 of 5 entrants (1 withdrawn)"), "{shown}");
    assert!(shown.contains("bob (withdrawn)"), "{shown}");
    assert!(ask(&["show", "sushi-go", "cup", "--csv"]).1.starts_with("place,name,points"));
    assert!(ask(&["list"]).1.starts_with("sushi-go cup: swiss"));
    let (_, cancelled) = ask(&["cancel", "sushi-go", "cup"]);
    assert!(cancelled.contains("cancelled"), "{cancelled}");
    assert!(ask(&["watch", "sushi-go", "cup"]).1.contains("ann"));
}

fn refuses_impossible_orders(ask: &dyn Fn(&[&str]) -> Printed) {
    for words in [
        &["show", "sushi-go", "nothing"][..],
        &["show", "sushi-go", "nothing", "--csv"],
        &["watch", "sushi-go", "nothing"],
        &["start", "sushi-go", "nothing"],
        &["enter", "sushi-go", "nothing", "ann"],
        &["withdraw", "sushi-go", "nothing", "ann"],
    ] {
        let (code, said) = ask(words);
        let why = "no tournament 'nothing'; 'parlor tournament list' lists them\n";
        assert!(said.ends_with(why), "{words:?}: {said}");
        assert_eq!(code, Some(1));
    }
    let (_, said) = ask(&["show", "chess", "nothing"]);
    assert!(said.contains("no game 'chess'; there are ") && !said.contains("list"), "{said}");
    let twice = ["create", "--game", "sushi-go", "--entrant", "ann", "--entrant", "ann"];
    assert!(ask(&twice).1.contains("the name 'ann' is taken already"));
    let (code, said) = ask(&["create", "--game", "sushi-go", "--entrant", "ann"]);
    assert!(said.contains("needs at least 2 entrants, and this one has 1"), "{said}");
    assert_eq!(code, Some(1));
    let (_, said) = ask(&["adjudicate", "sushi-go", "cup", "1", "x"]);
    assert!(said.contains("'x'") && said.contains("such as 1,2"), "{said}");
    let (_, said) = ask(&["adjudicate", "sushi-go", "cup", "x", "1,2"]);
    assert!(said.contains("'x'") && said.contains("parlor tournament show"), "{said}");
}

/// A server that was named has its own token, and the folder's is not sent to it.
fn needs_the_token_of_the_server_it_names(url: &str) {
    let refused = parlor(&["tournament", "cancel", "sushi-go", "cup", "--url", url]);
    assert_eq!(refused.code, Some(1));
    let why = "parlor: this needs the admin token: set PARLOR_TOKEN or pass --data\n";
    assert_eq!(refused.stderr, why);
    let wrong = ["tournament", "cancel", "sushi-go", "cup", "--url", url, "--token", "wrong"];
    let refused = parlor(&wrong);
    let why =
        "parlor: this is not the admin token: set PARLOR_TOKEN to another one, or pass --data\n";
    assert!(refused.stderr.ends_with(why), "{refused:?}");
    assert!(refused.stderr.contains("in the process list. Use PARLOR_TOKEN."), "{refused:?}");
}

/// The exported games give the same ratings again, by both methods.
fn recomputable_from_an_export(game: &str, data: &str, ratings: &Value) {
    let exported = parlor(&["export", game, "--data", data, "--replays"]);
    assert_eq!(exported.code, Some(0), "{exported:?}");
    let games: Vec<Value> =
        exported.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(games.iter().all(|game| game["records"].as_array().is_some_and(|r| r.len() > 2)));
    assert!(games.is_sorted_by_key(|game| game["closed_at"].as_u64()), "the earliest first");
    let from_export = |method: &str| {
        let arguments = ["ratings", game, "--json", "--method", method, "--from", "-"];
        let ended = parlor_reading(&arguments, &exported.stdout);
        serde_json::from_str::<Value>(&ended.stdout).unwrap_or_else(|_| panic!("{ended:?}"))
    };
    assert_eq!(from_export("running"), *ratings);
    let here = parlor(&["ratings", game, "--json", "--method", "likelihood", "--data", data]);
    let here: Value = serde_json::from_str(&here.stdout).unwrap();
    assert_eq!(from_export("likelihood"), here);
    let best = &here[0];
    assert!(
        best["low"].as_f64() <= best["elo"].as_f64()
            && best["elo"].as_f64() <= best["high"].as_f64()
    );
    let unknown = parlor(&[
        "ratings",
        game,
        "--method",
        "likelihood",
        "--anchor",
        "nobody=1",
        "--data",
        data,
    ]);
    assert!(unknown.stderr.contains("nobody has played no rated game"), "{unknown:?}");
}
