//! The page of each protocol is complete: whatever the code can send or take is on it. The lists come from
//! the code where it has them, and from the rehearsals, which have every message.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;
use wire::{Playable, clause_behind};

use crate::gamba::Gamba;
use crate::labyrinth::Labyrinth;
use crate::subsim::SubSim;
use crate::sushi_go::SushiGo;
use crate::tiger_dragon::TigerDragon;

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src");

fn page<G: Playable>() -> String {
    let path = format!("{SOURCE}/../../../docs/reference/games/{}.md", G::NAME);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// What the server says in the game's own protocols, in all rehearsals.
fn said<G: Playable>() -> Vec<String> {
    let folder = Path::new(SOURCE).join(G::NAME.replace('-', "_")).join("rehearsals");
    let files = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let texts = paths.iter().map(|path| std::fs::read_to_string(path).expect("a readable file"));
    let said: Vec<String> = texts.flat_map(|text| said_in(&text)).collect();
    assert!(said.len() > 100, "{}: only {} lines", G::NAME, said.len());
    said
}

/// Spectators, and players of the JSON protocol, get other texts.
fn said_in(rehearsal: &str) -> Vec<String> {
    let mut others = BTreeSet::new();
    let mut said = Vec::new();
    for line in rehearsal.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["watch", name, ..] | ["connect", name, "house"] => {
                others.insert(name.to_owned());
            }
            _ => {}
        }
        if let Some((name, text)) = line.split_once("< ")
            && !name.contains(' ')
            && !others.contains(name)
        {
            said.push(text.to_owned());
        }
    }
    said
}

/// Panics with the first few that the page does not have.
fn all_on_page<G: Playable>(what: &str, wanted: impl IntoIterator<Item = String>) {
    let page = page::<G>();
    let wanted: BTreeSet<String> = wanted.into_iter().collect();
    assert!(!wanted.is_empty(), "{}: no {what}", G::NAME);
    let missing: Vec<&String> = wanted.iter().filter(|text| !page.contains(*text)).collect();
    assert!(missing.is_empty(), "{}: the page has no {what} {missing:#?}", G::NAME);
}

/// Every one of these errors has its section, and that names it.
fn all_explained<G: Playable>(errors: impl IntoIterator<Item = String>) {
    let sections: BTreeMap<String, String> = wire::sections(&page::<G>()).into_iter().collect();
    for error in errors {
        let clause = clause_behind(G::CLAUSES, &error);
        let clause = clause.unwrap_or_else(|| panic!("{}: nothing explains {error}", G::NAME));
        assert!(sections.contains_key(clause.anchor), "{}: no #{}", G::NAME, clause.anchor);
        let own = clause.anchor.starts_with("error-") || clause.anchor == "keys";
        assert!(own, "{}: {error} is explained by #{}", G::NAME, clause.anchor);
    }
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// The names of all fields, however deep.
fn keys(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| keys(item, into)),
        Value::Object(fields) => {
            for (key, value) in fields {
                into.insert(key.clone());
                keys(value, into);
            }
        }
        _ => {}
    }
}

#[test]
fn every_message_of_sushi_go_is_on_its_page() {
    let said = said::<SushiGo>();
    let first = |line: &String| line.split(' ').next().unwrap_or_default().to_owned();
    all_on_page::<SushiGo>("message", said.iter().map(first).map(|word| format!("`{word}")));
    let commands = crate::sushi_go::COMMANDS.split(' ').map(|word| format!("| `{word}"));
    all_on_page::<SushiGo>("command", commands);
    let mut fields = BTreeSet::new();
    for line in &said {
        if let Some(json) = line.strip_prefix("STATUS ").or(line.strip_prefix("GAMES ")) {
            keys(&serde_json::from_str(json).expect("JSON"), &mut fields);
        }
        // With the later kit's words the scores are objects, by names of players.
        if let Some((_, json)) = line.strip_prefix("ROUND_END ").and_then(|end| end.split_once(' '))
        {
            let scores: BTreeMap<String, Value> = serde_json::from_str(json).expect("JSON");
            scores.values().for_each(|score| keys(score, &mut fields));
        }
    }
    let page = page::<SushiGo>();
    let is_named =
        |key: &&String| page.contains(&code(key)) || page.contains(&format!("\"{key}\""));
    let missing: Vec<&String> = fields.iter().filter(|key| !is_named(key)).collect();
    assert!(missing.is_empty() && fields.len() > 15, "{missing:?}");
    all_explained::<SushiGo>(said.into_iter().filter(|line| line.starts_with("ERROR ")));
}

#[test]
fn every_message_of_gamba_is_on_its_page() {
    let said = said::<Gamba>();
    let kind = |line: &String| format!("| {} |", line.split('|').next().unwrap_or_default());
    all_on_page::<Gamba>("message", said.iter().map(kind));
    let requests = [0, 2, 4, 5, 6, 7, 8].map(|kind| format!("\n| {kind} | "));
    all_on_page::<Gamba>("request", requests);
    let pairs =
        said.iter().flat_map(|line| line.split('|').skip(3)).filter(|pair| !pair.is_empty());
    let mut wanted = BTreeSet::new();
    for (key, value) in pairs.filter_map(|pair| pair.split_once('=')) {
        wanted.insert(key.to_owned());
        if ["status", "result", "reason", "broadcast_type", "disconnect"].contains(&key) {
            wanted.insert(value.to_owned());
        }
    }
    let page = page::<Gamba>();
    let is_named = |word: &&String| {
        page.contains(&code(word))
            || page.contains(&format!("`{word}="))
            || page.contains(&format!("={word}`"))
    };
    let missing: Vec<&String> = wanted.iter().filter(|word| !is_named(word)).collect();
    assert!(missing.is_empty() && wanted.len() > 25, "{missing:?}");
    let lines = crate::gamba::errors().into_iter().map(str::to_owned);
    all_explained::<Gamba>(lines.chain(said.into_iter().filter(|line| line.starts_with("103|"))));
}

#[test]
fn every_message_of_subsim_is_on_its_page() {
    let said = said::<SubSim>();
    let is_message = |line: &&String| line.as_bytes().get(1) == Some(&b'|');
    let (messages, errors): (Vec<&String>, Vec<&String>) = said.iter().partition(is_message);
    let letter = |line: &&String| format!("| `{}\\|", &line[..1]);
    all_on_page::<SubSim>("message", messages.iter().map(letter));
    all_on_page::<SubSim>("command", "JMSPFDRU".chars().map(|letter| format!("| `{letter}\\|")));
    let setting = |line: &&&String| line.starts_with("V|");
    let name = |line: &&String| format!("| `V\\|{}\\|", line.split('|').nth(1).unwrap_or_default());
    all_on_page::<SubSim>("setting", messages.iter().filter(setting).map(name));
    let info = messages.iter().filter(|line| line.starts_with("I|"));
    let variables = info.flat_map(|line| line.split('|').skip(6));
    let variables = variables.map(|pair| pair.split('=').next().unwrap_or_default());
    all_on_page::<SubSim>("variable", variables.map(|name| format!("| `{name}` |")));
    all_explained::<SubSim>(errors.into_iter().cloned());
}

#[test]
fn every_message_of_tiger_and_dragon_is_on_its_page() {
    let said: Vec<Value> = said::<TigerDragon>()
        .iter()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}")))
        .collect();
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    all_on_page::<TigerDragon>(
        "message",
        said.iter().map(|it| format!("| `{}` |", text(it, "type"))),
    );
    let commands = ["join", "action", "discards_request"].map(|kind| format!("### {kind}\n"));
    all_on_page::<TigerDragon>("command", commands);
    let mut fields = BTreeSet::new();
    said.iter().for_each(|it| keys(it, &mut fields));
    // Of those that are counted by seats the page names the first.
    fields.retain(|key| {
        !key.ends_with("_discards")
            || ["bonus", "winner", "player0"].iter().any(|b| key.starts_with(b))
    });
    fields.remove("type");
    fields.remove("message");
    all_on_page::<TigerDragon>("field", fields.iter().map(|key| code(key)));
    let phases = said.iter().filter(|it| it["type"] == "state").map(|it| text(it, "phase"));
    all_on_page::<TigerDragon>("phase", phases.map(|phase| format!("`\"{phase}\"`")));
    let errors = said.iter().filter(|it| it["type"] == "error").map(|it| text(it, "message"));
    let known = crate::tiger_dragon::errors().into_iter().map(str::to_owned);
    all_explained::<TigerDragon>(known.chain(errors));
}

#[test]
fn every_message_of_labyrinth_is_on_its_page() {
    let said: Vec<Value> = said::<Labyrinth>()
        .iter()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}")))
        .collect();
    let mut fields = BTreeSet::new();
    said.iter().for_each(|value| keys(value, &mut fields));
    all_on_page::<Labyrinth>("field", fields.iter().map(|key| format!("\"{key}\":")));
    let words = said.iter().filter_map(|value| match value {
        Value::String(word) => Some(format!("`\"{word}\"`")),
        // A call or an answer; two gems are a treasure.
        Value::Array(items) if !items[1].is_string() => Some(format!("[{},", items[0])),
        _ => None,
    });
    all_on_page::<Labyrinth>("message", words);
    let errors = said.iter().filter_map(|value| value[1]["error"].as_str());
    all_on_page::<Labyrinth>("error", errors.map(|error| format!("### Error: {error}\n")));
    let calls = crate::labyrinth::CALLS.iter().map(|name| format!("| `[\"{name}\",["));
    all_on_page::<Labyrinth>("call", calls);
    let colors = crate::labyrinth::COLORS.iter().map(|color| format!("`\"{color}\"`"));
    all_on_page::<Labyrinth>("color", colors);
    let gems = said.iter().filter_map(|value| value["board"]["treasures"].as_array());
    let gems = gems.flatten().flat_map(|row| row.as_array().into_iter().flatten());
    let gems = gems.flat_map(|pair| [&pair[0], &pair[1]]).filter_map(Value::as_str);
    all_on_page::<Labyrinth>("gem", gems.map(code));
    all_explained::<Labyrinth>(why_hung_up::<Labyrinth>());
}

/// Why the server ends connections in the rehearsals, where that is the client's fault.
fn why_hung_up<G: Playable>() -> Vec<String> {
    let folder = Path::new(SOURCE).join(G::NAME.replace('-', "_")).join("rehearsals");
    let files = std::fs::read_dir(folder).expect("there are rehearsals");
    let texts =
        files.map(|file| std::fs::read_to_string(file.expect("a file").path()).expect("text"));
    let mut reasons = BTreeSet::new();
    for text in texts {
        let ends = text.lines().filter_map(|line| line.split_once("! "));
        reasons.extend(ends.filter(|(name, _)| !name.contains(' ')).map(|(_, why)| why.to_owned()));
    }
    let innocent = [
        "the game is over",
        "closed by the organiser",
        "removed",
        "the table waited",
        "the seat was",
        "no such table",
    ];
    reasons.retain(|why| !innocent.iter().any(|end| why.starts_with(end)));
    assert!(reasons.len() > 10, "{reasons:?}");
    reasons.into_iter().collect()
}
