//! `parlor review`, and reviews on a server.

use serde_json::Value;

use crate::kit::{Server, parlor, parlor_reading, play_a_game};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|why| panic!("{why}: {text}"))
}

#[test]
fn a_game_is_reviewed_by_a_server_and_from_its_data_folder_and_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let id = play_a_game(server.sushi_go());
    let address = format!("/api/v1/results/sushi-go/{id}");
    let replay = server.get(&format!("{address}/replay"));
    let made = server.get(&format!("{address}/review"));
    let lines: Vec<Value> = made.lines().map(json).collect();
    let (last, steps) = lines.split_last().expect("there is a review");
    assert!(!steps.is_empty());
    for (step, line) in (1..).zip(steps) {
        let told = (&line["type"], &line["done"], &line["all"]);
        assert_eq!(told, (&"progress".into(), &step.into(), &steps.len().into()));
    }
    assert_eq!((&last["type"], &last["review"]["id"]), (&"review".into(), &id.as_str().into()));
    let again = server.get(&format!("{address}/review"));
    let kept: Vec<Value> = again.lines().map(json).collect();
    assert_eq!(kept, std::slice::from_ref(last), "it is kept");
    assert_eq!(server.terminate().code, Some(0));

    let data = folder.path().display().to_string();
    let found = parlor(&["review", &id, "--data", &data, "--json"]);
    assert_eq!(json(&found.stdout), last["review"], "the same game, the same review");
    let quick = |more: &[&str]| {
        let ended = parlor_reading(&[&["review", "-", "--budget", "8"], more].concat(), &replay);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        ended.stdout
    };
    let text = quick(&[]);
    for part in ["reviewed with 8 deals", "Ada", "regret by kind", "standard error"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let few = parlor_reading(&["review", "-", "--budget", "1"], &replay);
    assert!(few.stderr.contains("1 deals: choose 8 to 100000"), "{few:?}");
    let own = json(&quick(&["--seat", "1", "--json"]));
    let seats = own["decisions"].as_array().expect("decisions").iter().map(|one| &one["seat"]);
    assert!(seats.clone().count() > 5 && seats.clone().all(|seat| *seat == 1), "{own}");

    let player = ["review", "--player", "Ada", "--data", &data, "--budget", "8"];
    let losses = parlor(&player);
    assert!(losses.stdout.starts_with("Ada: 1 game, beat "), "{losses:?}");
    std::fs::write(folder.path().join("game.jsonl"), &replay).expect("a file");
    let of_folder = ["review", &data, "--player", "Ada", "--budget", "8", "--json"];
    let of_folder = json(&parlor(&of_folder).stdout);
    assert_eq!((&of_folder["games"], &of_folder["player"]), (&1.into(), &"Ada".into()));
}

#[test]
fn what_cannot_be_reviewed_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().display().to_string();
    let refused = |arguments: &[&str], input: &str, why: &str| {
        let ended = parlor_reading(arguments, input);
        assert_ne!(ended.code, Some(0), "{ended:?}");
        assert!(ended.stderr.contains(why), "{why} is not in {ended:?}");
    };
    refused(&["review", "-"], "nothing\n", "the first line does not say which game this is");
    refused(&["review", &data], "", "say whose games to review");
    refused(&["review", "--player", "Ada", "--data", &data], "", "there is no data folder");
    let unfinished = "{\"game\":\"gamba\",\"id\":\"x\"}\n";
    refused(&["review", "-"], unfinished, "there are no records");
}
