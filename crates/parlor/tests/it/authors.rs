//! What the author of a bot has from the command line alone: documentation, a bot to start from, and tools
//! that say what is wrong and why.

use std::path::Path;

use serde_json::Value;

use crate::examples::EXAMPLES;
use crate::kit::{Ended, parlor};
use crate::tools::lines;

#[test]
fn parlor_alone_says_how_to_begin() {
    let ended = parlor(&[]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    for line in ["parlor serve --house-bots", "parlor docs", "'parlor help' lists all commands."] {
        assert!(ended.stdout.contains(line), "{ended:?}");
    }
}

#[test]
fn help_has_groups_and_fits_into_a_terminal() {
    let ended = parlor(&["help"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    for heading in ["Play and watch:", "Build a bot:", "Compete:", "New here?"] {
        assert!(ended.stdout.contains(heading), "{ended:?}");
    }
    for command in [&["help"][..], &["serve", "--help"], &["tournament", "run", "--help"]] {
        let ended = parlor(command);
        let wide: Vec<&str> =
            ended.stdout.lines().filter(|line| line.chars().count() > 100).collect();
        assert!(wide.is_empty(), "{command:?}: {wide:#?}");
    }
}

#[test]
fn documentation_is_read_listed_and_searched() {
    let list = parlor(&["docs"]);
    assert!(list.stdout.contains("reference/games/gamba"), "{list:?}");
    let page = parlor(&["docs", "gamba"]);
    assert!(page.stdout.starts_with("Gamba\n=====\n"), "{page:?}");
    let raw = parlor(&["docs", "reference/games/gamba", "--markdown"]);
    assert!(raw.stdout.starts_with("# Gamba\n"), "{raw:?}");
    let found = parlor(&["docs", "json", "protocol", "websocket"]);
    assert!(found.stdout.contains("parlor docs reference/json-protocol"), "{found:?}");
    let nothing = parlor(&["docs", "gambla"]);
    assert_eq!(nothing.code, Some(2), "{nothing:?}");
    assert!(nothing.stderr.contains("did you mean reference/games/gamba"), "{nothing:?}");
}

#[test]
fn a_starter_is_written_once_and_never_over_something() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.mjs");
    let file = file.to_str().unwrap();
    let written =
        parlor(&["starter", "gamba", "--lang", "javascript", "-o", file, "--name", "ann"]);
    assert_eq!(written.code, Some(0), "{written:?}");
    assert!(std::fs::read_to_string(file).unwrap().contains("name = \"ann\""));
    let again = parlor(&["starter", "gamba", "-o", file]);
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(again.stderr.contains("choose a file that does not exist"), "{again:?}");
    let printed = parlor(&["starter", "subsim"]);
    assert!(printed.stdout.starts_with("#!/usr/bin/env python3\n"), "{printed:?}");
    let unknown = parlor(&["starter", "chess"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
}

/// A bot that is a starter with something replaced.
fn changed(folder: &Path, file: &str, old: &str, new: &str) -> String {
    let text = std::fs::read_to_string(format!("{EXAMPLES}/{file}")).unwrap();
    assert!(text.contains(old), "{file} has no {old}");
    let path = folder.join(file);
    std::fs::write(&path, text.replace(old, new)).unwrap();
    format!("python3 {} {{host}} {{port}} {{name}}", path.display())
}

/// What is said of the first test.
fn faults(ended: &Ended) -> String {
    lines(ended)[0]["faults"].to_string()
}

#[test]
fn a_message_without_an_end_is_shown_and_named_and_the_exam_stops_there() {
    let folder = tempfile::tempdir().unwrap();
    let bot = changed(folder.path(), "gamba.py", "CONNECT) + \"\\n\"", "CONNECT)");
    let ended = parlor(&["check", "gamba", "--bot", &bot, "--join-timeout", "2s"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert_eq!(lines(&ended).len(), 1, "one test is enough: {ended:?}");
    assert!(ended.stderr.contains("--all runs the others"), "{ended:?}");
    let faults = faults(&ended);
    assert!(faults.contains("its last message has no end of line: 0|||name="), "{faults}");
    assert!(faults.contains("(no end of line)"), "{faults}");
}

#[test]
fn a_rejected_move_is_explained_with_the_rule_behind_it() {
    let folder = tempfile::tempdir().unwrap();
    // Every card is taken for one that fits.
    let bot = changed(
        folder.path(),
        "gamba.py",
        "def fits(card):\n",
        "def fits(card):\n    return True\n",
    );
    let ended = parlor(&["check", "gamba", "--bot", &bot, "--seed", "3"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let faults = faults(&ended);
    assert!(faults.contains("the server refused: 103|||error=Invalid card play"), "{faults}");
    assert!(faults.contains("why  ") && faults.contains("rule "), "{faults}");
    let two = ["--bot", "house:random", "--games", "3", "--seed", "3"];
    let ended = parlor(&[&["play", "gamba", "--bot", &bot][..], &two].concat());
    let games = lines(&ended);
    let reasons: Vec<&Value> = games
        .iter()
        .flat_map(|game| game["seats"].as_array())
        .flatten()
        .flat_map(|seat| seat["reasons"].as_array())
        .flatten()
        .collect();
    assert!(!reasons.is_empty(), "{ended:?}");
    assert!(
        reasons.iter().all(|reason| !reason["rule"].as_str().unwrap().is_empty()),
        "{reasons:?}"
    );
    let text = parlor(&[&["play", "gamba", "--format", "text", "--bot", &bot][..], &two].concat());
    assert!(text.stdout.contains("refused: 103|||error=Invalid card play ("), "{text:?}");
}

#[test]
fn a_deal_is_played_again_and_replays_have_names_and_what_the_bot_printed() {
    let folder = tempfile::tempdir().unwrap();
    let bot = changed(
        folder.path(),
        "gamba.py",
        "def move():\n",
        "def move():\n    print('I think', file=sys.stderr, flush=True)\n",
    );
    let bot = format!("mine={bot}");
    let replays = folder.path().join("replays");
    let replays = replays.to_str().unwrap();
    let play = |more: &[&str]| {
        let first = ["play", "gamba", "-b", &bot, "-b", "house:random", "-g", "1"];
        let ended = parlor(&[&first[..], more].concat());
        assert_eq!(ended.code, Some(0), "{ended:?}");
        ended
    };
    let seed = lines(&play(&["--seed", "5"]))[0]["seed"].to_string();
    let ended = play(&["--deal", &seed, "-o", replays]);
    assert_eq!(lines(&ended)[0]["seed"].to_string(), seed, "{ended:?}");
    let list = parlor(&["replay", replays]);
    assert_eq!(list.code, Some(0), "{list:?}");
    assert!(
        list.stdout.contains("game-1.jsonl  1. ") && list.stdout.contains(" mine "),
        "{list:?}"
    );
    let shown = parlor(&["replay", &format!("{replays}/game-1.jsonl")]);
    assert!(shown.stdout.contains("mine printed: I think"), "{shown:?}");
    assert!(shown.stdout.ends_with("verified\n"), "{shown:?}");
    let lost = play(&["--deal", &seed, "--format", "text"]);
    assert!(lost.stdout.contains(&format!("--deal {seed}")), "{lost:?}");
}

#[test]
fn options_of_the_one_game_need_no_game_before_them() {
    let bots = ["--bot", "house:random", "--bot", "house:random", "--games", "1"];
    for set in ["deal=guide", "gamba.deal=guide"] {
        let ended = parlor(&[&["play", "gamba", "--set", set][..], &bots].concat());
        assert_eq!(ended.code, Some(0), "{set}: {ended:?}");
    }
    let ended = parlor(&[&["play", "gamba", "--set", "subsim.max_turns=3"][..], &bots].concat());
    assert_eq!(ended.code, Some(2), "{ended:?}");
}

#[test]
fn a_shell_completes_games_and_strategies() {
    let script = parlor(&["completions", "bash"]).stdout;
    for word in ["sushi-go", "gourmet", "house:gourmet", "tournament"] {
        assert!(script.contains(word), "{word}");
    }
}
