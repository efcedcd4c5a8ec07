//! `parlor match`, as a program.

use std::process::Command;

use serde_json::Value;

use crate::kit::{BINARY, Ended, Running, parlor};

fn asked(arguments: &[&str]) -> (Option<i32>, Value) {
    let mut all = vec!["match", "--json"];
    all.extend(arguments);
    let ended = parlor(&all);
    let mut report = serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{ended:?}"));
    forget_times(&mut report);
    (ended.code, report)
}

/// How long moves took is another matter each time.
fn forget_times(report: &mut Value) {
    for side in ["new", "base"] {
        report["sides"][side]["ms_per_move"] = Value::Null;
    }
}

const STRONGER: [&str; 6] = ["--game", "gamba", "--new", "house:thrifty", "--base", "house:casual"];

#[test]
fn the_exit_code_says_which_is_stronger() {
    let weaker = ["--game", "gamba", "--new", "house:casual", "--base", "house:thrifty"];
    let equal = ["--game", "gamba", "--new", "house:thrifty", "--base", "house:thrifty"];
    let sprt = ["--sprt", "elo0=0", "elo1=60", "--seed", "7"];
    for (bots, code, verdict) in [(STRONGER, 0, "h1"), (weaker, 1, "h0"), (equal, 1, "identical")] {
        let (ended, report) = asked(&[&bots[..], &sprt].concat());
        assert_eq!((ended, &report["sprt"]["verdict"]), (Some(code), &verdict.into()), "{report}");
    }
    let few = ["--sprt", "elo0=0", "elo1=1", "--seed", "7", "--max-games", "64"];
    let (ended, report) = asked(&[&STRONGER[..], &few].concat());
    assert_eq!((ended, &report["sprt"]["verdict"]), (Some(3), &"undecided".into()));
    assert_eq!(report["games"], 64);
    let text = |stop: &[&str]| {
        let ended = parlor(&[&["match"], &STRONGER[..], stop].concat());
        (ended.stdout.contains("lean towards the verdict"), ended.stdout)
    };
    assert!(text(&sprt).0, "who stops because of a result learns what that does to the interval");
    let fixed = text(&["--games", "64", "--seed", "7"]);
    assert!(!fixed.0, "{}", fixed.1);
}

#[test]
fn same_seed_same_report() {
    let arguments = [&STRONGER[..], &["--games", "100", "--seed", "3"]].concat();
    let one = asked(&arguments);
    let several = asked(&[&arguments[..], &["--concurrency", "3"]].concat());
    assert_eq!(one, several, "however many games run at the same time");
    assert_eq!(one.1["games"], 100);
    assert_ne!(
        one.1["scores"],
        asked(&[&STRONGER[..], &["--games", "100", "--seed", "4"]].concat()).1["scores"]
    );
}

/// A match that is killed and continued gives the same result as one that was not, to the last bit.
#[test]
fn kill_and_resume_gives_the_same_llr() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match");
    let kept = ["--out", out.to_str().unwrap(), "--seed", "11"];
    let question = ["--sprt", "elo0=0", "elo1=1", "--max-games"];
    let whole = asked(&[&STRONGER[..], &question, &["400", "--seed", "11"]].concat());
    asked(&[&STRONGER[..], &question, &["100"], &kept].concat());
    // The last line was being written when it was killed.
    let path = out.join("blocks.jsonl");
    let mut text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 51, "what it is about, and fifty blocks");
    text.truncate(text.len() - 10);
    std::fs::write(&path, text).unwrap();
    let refused = parlor(&[&["match"], &STRONGER[..], &kept].concat());
    assert!(refused.stderr.contains("pass --resume"), "{refused:?}");
    let other = ["match", "--game", "gamba", "--new", "house:random", "--base", "house:random"];
    let refused = parlor(&[&other[..], &kept, &["--resume"]].concat());
    assert!(refused.stderr.contains("is another one"), "{refused:?}");
    let resumed = asked(&[&STRONGER[..], &question, &["400"], &kept, &["--resume"]].concat());
    assert_eq!(resumed, whole);
    let counts = std::fs::read_to_string(&path).unwrap().lines().count();
    assert_eq!(counts, 201);
}

/// A program of one's own is started, listened to, and its replays are kept; one that crashes has
/// lost.
#[test]
fn commands_play_and_those_that_crash_lose() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match");
    let bot = format!(
        "mine={BINARY} bot gamba --connect {{host}}:{{port}} --name {{name}} --strategy thrifty --games 1000"
    );
    let bots = ["--game", "gamba", "--new", &bot, "--base", "crashes=exit 3", "--games", "4"];
    let rest = ["--join-timeout", "2000", "--out", out.to_str().unwrap(), "--seed", "5"];
    let (code, report) = asked(&[&bots[..], &rest].concat());
    assert_eq!((code, &report["games"], &report["new"]), (Some(0), &4.into(), &"mine".into()));
    assert_eq!((&report["score"], &report["sides"]["base"]["forfeits"]), (&1.0.into(), &4.into()));
    let bots = ["--game", "gamba", "--new", &bot, "--base", "house:random", "--games", "4"];
    let out = folder.path().join("played");
    let rest = ["--out", out.to_str().unwrap(), "--seed", "5"];
    let (code, report) = asked(&[&bots[..], &rest].concat());
    assert_eq!((code, &report["void"]), (Some(0), &0.into()), "{report}");
    assert_eq!(std::fs::read_dir(out.join("replays")).unwrap().count(), 4);
}

#[test]
fn what_cannot_be_meant_is_refused() {
    for (arguments, words) in [
        (&["--sprt", "elo0=5", "elo1=0"][..], "elo1 must be greater"),
        (&["--sprt", "elo=5", "elo1=0"], "write it as --sprt elo0=0 elo1=20"),
        (&["--sprt", "elo0=0", "elo1=5", "--alpha", "0.7"], "between 0 and 0.5"),
        (&["--seats", "1"], "at least two seats"),
    ] {
        let ended: Ended = parlor(&[&["match"], &STRONGER[..], arguments].concat());
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.stderr.contains(words), "{ended:?}");
    }
}

#[test]
fn an_interrupted_match_says_how_it_stood() {
    let mut command = Command::new(BINARY);
    command.args(["match", "--sprt", "elo0=0", "elo1=0.0001", "--max-games", "100000000"]);
    let running = Running::spawn(command.args(STRONGER), "");
    running.first_line();
    running.signal("INT");
    let ended = running.end();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    assert!(ended.stdout.contains("blocks"), "{ended:?}");
}
