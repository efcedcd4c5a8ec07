//! Versions of bots and repeated deals, from the command line to the export.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::{Value, json};

use crate::kit::{BINARY, Ended, Running, parlor, parlor_reading};

fn read(ended: &Ended) -> Value {
    serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{ended:?}"))
}

/// A round-robin of a program with a version and a house bot, there and back with the same cards.
#[test]
fn a_version_stays_with_its_games_and_both_cycles_have_the_same_cards() {
    let folder = tempfile::tempdir().unwrap();
    let (teams, out) = (folder.path().join("teams.csv"), folder.path().join("out"));
    let bot = format!("{BINARY} bot gamba --connect {{host}}:{{port}} --name {{name}}");
    let rows = format!("name,command,version\nann,{bot},1.0\nben,house:random\n");
    std::fs::write(&teams, rows).unwrap();
    let mut command = Command::new(BINARY);
    command.args(["tournament", "run", "--game", "gamba", "--format", "round-robin"]);
    command.args(["--cycles", "2", "--deals", "repeat", "--entrants"]).arg(&teams);
    let ended = Running::spawn(command.arg("--out").arg(&out), "").end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let data = out.join("data");
    let data = data.to_str().unwrap();

    let exported = parlor(&["export", "gamba", "--data", data, "--replays"]);
    let games: Vec<Value> =
        exported.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.len(), 2, "{exported:?}");
    let mut seats = BTreeMap::new();
    let mut deals = BTreeSet::new();
    for game in &games {
        for (seat, played) in game["seats"].as_array().unwrap().iter().enumerate() {
            let version = if played["name"] == "ann" { json!("1.0") } else { Value::Null };
            assert_eq!(played["version"], version, "{played}");
            *seats.entry((played["name"].to_string(), seat)).or_insert(0) += 1;
        }
        let mut records = game["records"].as_array().unwrap().iter();
        let seed = records.find_map(|record| record[1]["started"]["seed"].as_str());
        deals.insert(seed.expect("a seed").to_owned());
    }
    assert_eq!(deals.len(), 1, "both games have the same cards");
    assert_eq!(seats.len(), 4, "and everybody had both seats: {seats:?}");

    // Rated by version, from the folder and from the export.
    for method in ["running", "likelihood"] {
        let ask = ["ratings", "gamba", "--json", "--per", "version", "--method", method];
        let here = read(&parlor(&[&ask[..], &["--data", data]].concat()));
        let there = parlor_reading(&[&ask[..], &["--from", "-"]].concat(), &exported.stdout);
        assert_eq!(here, read(&there), "{method}");
        let ann = here.as_array().unwrap().iter().find(|rated| rated["name"] == "ann");
        assert_eq!(ann.unwrap()["version"], "1.0", "{here}");
    }
    let shown = parlor(&["ratings", "gamba", "--per", "version", "--data", data]);
    assert!(shown.stdout.lines().any(|line| line.contains("ann  1.0")), "{shown:?}");
}

#[test]
fn a_names_version_is_said_with_the_folder_alone() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    crate::kit::Server::start(folder.path()).terminate();
    let claimed = parlor(&["names", "claim", "ann", "--version", "1.4", "--data", data]);
    assert_eq!(claimed.code, Some(0), "{claimed:?}");
    let said = parlor(&["names", "version", "ANN", "1.5", "--data", data]);
    assert_eq!(said.stdout, "ANN plays as version 1.5 from now on\n", "{said:?}");
    let wrong = parlor(&["names", "version", "bob", "1.5", "--data", data]);
    assert!(wrong.stderr.contains("the name 'bob' is not claimed"), "{wrong:?}");
    let wrong = parlor(&["names", "version", "ann", "", "--data", data]);
    assert!(wrong.stderr.contains("1 to 64 characters on one line"), "{wrong:?}");
    let server = crate::kit::Server::start(folder.path());
    let token = std::fs::read_to_string(folder.path().join("admin-token")).unwrap();
    let url = format!("http://{}/api/v1/names", server.addresses["http"]);
    let request = ureq::get(&url).header("Authorization", format!("Bearer {}", token.trim()));
    let listed = request.call().unwrap().body_mut().read_to_string().unwrap();
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["names"][0]["version"], "1.5", "{listed}");
    server.terminate();
}
