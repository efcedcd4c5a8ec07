//! The answers of the JSON protocol, message by message.

use rules::Seed;
use serde_json::{Value, json};
use trials::rehearsal::Rehearsal;
use wire::Playable;

use crate::gamba::Gamba;
use crate::labyrinth::Labyrinth;
use crate::subsim::SubSim;
use crate::sushi_go::SushiGo;
use crate::tiger_dragon::TigerDragon;

/// Players of the JSON protocol on one stage.
pub(super) struct Table<G: Playable> {
    rehearsal: Rehearsal<G>,
    heard: std::collections::BTreeMap<String, usize>,
}

impl<G: Playable> Table<G> {
    pub(super) fn new() -> Table<G> {
        Table::with(G::Options::default())
    }

    fn with(options: G::Options) -> Table<G> {
        let rehearsal = Rehearsal::new(options, Seed::from_number(3)).expect("good options");
        Table { rehearsal, heard: Default::default() }
    }

    fn perform(&mut self, line: &str) {
        self.rehearsal.perform(line).unwrap_or_else(|why| panic!("{line}: {why}"));
    }

    /// Sends a message, and returns what was received since the last time.
    pub(super) fn say(&mut self, name: &str, message: Value) -> Vec<Value> {
        self.say_text(name, &message.to_string())
    }

    fn say_text(&mut self, name: &str, text: &str) -> Vec<Value> {
        if !self.rehearsal.is_connected(name) {
            self.perform(&format!("connect {name} house"));
            self.hear(name);
        }
        self.perform(&format!("{name}> {text}"));
        self.hear(name)
    }

    pub(super) fn hear(&mut self, name: &str) -> Vec<Value> {
        let all = self.rehearsal.received(name);
        let heard = self.heard.entry(name.to_owned()).or_default();
        let news = all[*heard..].iter().map(|text| serde_json::from_str(text).expect("JSON"));
        let news = news.collect();
        *heard = all.len();
        news
    }
}

pub(super) fn types(messages: &[Value]) -> Vec<&str> {
    messages.iter().map(|message| message["type"].as_str().expect("a type")).collect()
}

pub(super) fn code(messages: &[Value]) -> &str {
    let [message] = messages else { panic!("one answer: {messages:?}") };
    assert_eq!(message["type"], "refused", "{message}");
    assert!(message["message"].is_string() && message["hint"].is_string(), "{message}");
    message["code"].as_str().expect("a code")
}

#[test]
fn it_greets_with_what_a_client_has_to_know() {
    let mut table = Table::<SushiGo>::new();
    table.perform("connect ann house");
    let hello = &table.hear("ann")[0];
    assert_eq!(hello["type"], "hello");
    assert_eq!((&hello["game"], &hello["wire"]), (&json!("sushi-go"), &json!(1)));
    assert_eq!(hello["seats"], json!({"min": 2, "max": 5}));
    assert_eq!(hello["action"]["examples"][0], json!({"play": 2}));
    let levels = hello["strategies"].as_array().unwrap().iter().map(|each| each["level"].clone());
    assert_eq!(levels.collect::<Vec<_>>(), [1, 1, 1, 2, 3, 3, 3, 3]);
    // The game's own limit is stricter than the protocol's, which would only confuse.
    assert_eq!(hello["name_rule"], "use 1 to 32 of A-Z a-z 0-9 _ . -, but not BYE");
}

#[test]
fn what_cannot_be_read_is_refused_and_the_connection_stays() {
    let mut table = Table::<SushiGo>::new();
    let mut refused = |text: &str| {
        let answer = table.say_text("ann", text);
        assert_eq!(code(&answer), "bad-message", "{text}");
        format!(
            "{} {}",
            answer[0]["message"].as_str().unwrap(),
            answer[0]["hint"].as_str().unwrap()
        )
    };
    assert!(refused("{").contains("not JSON"));
    assert!(refused("[1]").contains("one JSON object"));
    assert!(refused("{}").contains("no \"do\""));
    let all = refused(r#"{"do":"dance"}"#);
    assert!(all.contains("dance") && all.contains("join, resume, watch"), "{all}");
    assert!(refused(r#"{"do":"ping","nmae":1}"#).contains("nmae"));
    assert!(refused(r#"{"do":"join","nmae":"Ann"}"#).contains("name, table, key, version"));
    assert!(refused(r#"{"do":"join"}"#).contains("no \"name\""));
    assert!(refused(r#"{"do":"act","seq":-1,"action":1}"#).contains("seq"));
    assert!(
        refused(r#"{"do":"join","name":"Ann","table":"t","bots":["greedy"]}"#).contains("bots")
    );
    assert_eq!(
        table.say("ann", json!({"do": "ping", "id": 7})),
        [json!({"type": "pong", "id": 7})]
    );
}

#[test]
fn a_table_of_ones_own_begins_at_once_with_bots() {
    let mut table = Table::<SushiGo>::new();
    let join = json!({"do": "join", "name": "Ann", "bots": ["greedy", "random"], "id": "a",
        "options": {"clock_s": 30, "pass_direction": "alternate"}});
    let heard = table.say("ann", join);
    assert_eq!(types(&heard)[..2], ["joined", "table"], "{heard:?}");
    assert_eq!((&heard[0]["seat"], &heard[0]["id"]), (&json!(0), &json!("a")));
    assert!(heard[0]["token"].is_string());
    let update = heard.iter().find(|message| message["type"] == "update").expect("it has begun");
    assert_eq!(update["your_move"], true);
    assert_eq!((&update["clock_ms"], &update["seq"]), (&json!(30_000), &json!(0)));
    assert_eq!(update["legal"].as_array().unwrap().len(), 9);
    let last = heard.iter().rfind(|message| message["type"] == "table").unwrap();
    assert_eq!((&last["status"], &last["seats"][1]["bot"]), (&json!("playing"), &json!("greedy")));
    // The next player is brought elsewhere.
    let other = table.say("ben", json!({"do": "join", "name": "Ben"}));
    assert_ne!(other[0]["table"], heard[0]["table"]);
}

#[test]
fn strangers_choose_within_limits() {
    let mut table = Table::<SubSim>::new();
    let mut refused = |options: Value| {
        let answer = table.say("ann", json!({"do": "join", "name": "Ann", "options": options}));
        assert_eq!(code(&answer), "bad-request", "{answer:?}");
        answer[0]["hint"].as_str().unwrap().to_owned()
    };
    assert!(refused(json!({"map_size": [200, 200]})).contains("10 to 40"));
    assert!(refused(json!({"clock_s": 4})).contains("5 to 600"));
    assert!(refused(json!({"pace_ms": 5})).contains("subs_per_player"));
    assert!(refused(json!({"house_bots": ["hunter"]})).contains("clock_s"));
    assert!(refused(json!({"seats": 65})).contains("64"));
    let heard = table.say("ann", json!({"do": "join", "name": "Ann", "options": {}}));
    assert_eq!(heard[1]["seats"], json!([heard[1]["seats"][0], null]), "two seats, for a friend");
    let id = heard[0]["table"].clone();
    let ben = table.say("ben", json!({"do": "join", "name": "Ben", "table": id}));
    assert_eq!(types(&ben), ["joined", "table", "table", "update"]);
    assert_eq!(ben[3]["view"]["phase"], "placing");
}

#[test]
fn a_move_may_be_said_again_and_an_older_one_is_stale() {
    let mut table = Table::<TigerDragon>::new();
    let heard = table.say("ann", json!({"do": "join", "name": "Ann", "bots": ["random"]}));
    let update = heard.last().unwrap();
    let token = heard[0]["token"].clone();
    let act = json!({"do": "act", "seq": 0, "action": update["legal"][0]});
    let answer = table.say("ann", act.clone());
    assert_eq!(answer[0], json!({"type": "accepted", "seq": 0}));
    let seq = answer.last().unwrap()["seq"].as_u64().unwrap();
    assert!(seq > 0, "the turn is resolved");
    let other = update["legal"][1].clone();
    assert_eq!(table.say("ann", act.clone()), [json!({"type": "accepted", "seq": 0})]);
    // Also over another connection, which does not remember it.
    let back = table.say("ann2", json!({"do": "resume", "token": token}));
    assert_eq!((&back[0]["type"], &back[0]["resumed"]), (&json!("joined"), &json!(true)));
    assert_eq!(table.hear("ann")[0]["type"], "closed");
    assert_eq!(table.say("ann2", act), [json!({"type": "accepted", "seq": 0})]);
    let stale = table.say("ann2", json!({"do": "act", "seq": 0, "action": other}));
    assert_eq!(code(&stale), "stale");
    assert!(stale[0]["seq"].as_u64().unwrap() >= seq);
    assert!(stale[0]["message"].as_str().unwrap().contains("is over"), "{stale:?}");
    let early = table.say("ann2", json!({"do": "act", "seq": seq + 90, "action": "pass"}));
    assert_eq!(code(&early), "stale");
    let message = early[0]["message"].as_str().unwrap();
    assert!(message.contains(&format!("there is no turn {} yet", seq + 90)), "{message}");
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut table = Table::<SubSim>::new();
    let heard = table.say("ann", json!({"do": "join", "name": "Ann", "bots": ["random"]}));
    assert_eq!(heard.last().unwrap()["legal"], Value::Null);
    let refused = table.say("ann", json!({"do": "act", "seq": 0, "action": {"place": [[500, 5]]}}));
    assert_eq!((code(&refused), &refused[0]["seq"]), ("illegal", &json!(0)));
    let unreadable = table.say("ann", json!({"do": "act", "seq": 0, "action": {"plaice": 1}}));
    assert_eq!(code(&unreadable), "bad-message");
    let placed = table.say("ann", json!({"do": "act", "seq": 0, "action": {"place": [[5, 5]]}}));
    assert_eq!(placed[0], json!({"type": "accepted", "seq": 0}));
    table.perform("wait 1");
    let update = table.hear("ann").pop().unwrap_or_else(|| placed.last().unwrap().clone());
    assert_eq!(update["view"]["choices"][0]["sub"], 0);
    assert_eq!(update["moves"][0]["refused"], 2, "what cannot be read counts too: {update}");
}

#[test]
fn who_watches_is_told_what_is_public_and_no_more_than_thirty_times_a_second() {
    let mut table = Table::<Gamba>::new();
    table.say("wim", json!({"do": "watch"}));
    let heard = table.say("ann", json!({"do": "join", "name": "Ann", "bots": ["random"]}));
    let mut seq = 0;
    let mut legal = heard.last().unwrap()["legal"][0].clone();
    for _ in 0..4 {
        table.say("ann", json!({"do": "act", "seq": seq, "action": legal}));
        let heard = table.rehearsal.received("ann").last().unwrap();
        let update: Value = serde_json::from_str(heard).unwrap();
        let Some(next) = update["seq"].as_u64().filter(|_| update["your_move"] == true) else {
            break;
        };
        (seq, legal) = (next, update["legal"][0].clone());
    }
    let told = table.hear("wim");
    let updates = |told: &[Value]| -> Vec<Value> {
        told.iter().filter(|message| message["type"] == "update").cloned().collect()
    };
    assert_eq!(updates(&told).len(), 1, "{told:?}");
    assert!(updates(&told)[0]["moves"].as_array().unwrap().is_empty());
    table.perform("wait 40");
    let later = updates(&table.hear("wim"));
    assert_eq!(later.len(), 1, "the newest");
    assert!(later[0]["skipped"].as_u64().unwrap() > 0);
    assert_eq!(later[0]["view"]["seats"][0]["hand"], Value::Null);
}

#[test]
fn history_is_told_with_the_askers_own_eyes() {
    let mut table = Table::<SushiGo>::new();
    let heard = table.say("ann", json!({"do": "join", "name": "Ann", "bots": ["random"]}));
    let mut update = heard.last().unwrap().clone();
    while update["seq"].as_u64().unwrap() < 12 {
        let act = json!({"do": "act", "seq": update["seq"], "action": update["legal"][0]});
        table.say("ann", act);
        table.perform("wait 1");
        table.hear("ann");
        update = table.say("ann", json!({"do": "look"})).remove(0);
    }
    let pages = table.say("ann", json!({"do": "history", "from": 3, "id": 1}));
    let [page] = &pages[..] else { panic!("{pages:?}") };
    assert_eq!(
        (&page["type"], &page["id"], &page["next"]),
        (&json!("history"), &json!(1), &Value::Null)
    );
    let updates = page["updates"].as_array().unwrap();
    let seqs: Vec<u64> = updates.iter().map(|update| update["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (3..=12).collect::<Vec<_>>());
    assert!(updates.iter().all(|update| update["view"]["hand"].is_array()));
    assert_eq!(updates[0]["moves"][0]["seat"], 0);
}

#[test]
fn words_are_told_to_who_asks_for_them() {
    let mut table = Table::<Labyrinth>::new();
    let join =
        json!({"do": "join", "name": "Ann", "bots": ["euclid"], "words": true, "legal": false});
    let heard = table.say("ann", join);
    let update = heard.last().unwrap();
    assert!(update["words"].as_str().unwrap().starts_with("turn 1, Ann to move"), "{update}");
    assert_eq!((&update["legal"], &update["your_move"]), (&Value::Null, &json!(true)));
    let look = table.say("ann", json!({"do": "look", "words": false, "id": "x"}));
    assert_eq!((&look[0]["id"], look[0].get("words")), (&json!("x"), None));
}

#[test]
fn a_list_of_tables_goes_on_where_it_ended() {
    let mut table = Table::<Labyrinth>::new();
    for name in ["ann", "ben", "cid"] {
        table.say(name, json!({"do": "join", "name": name, "options": {}}));
    }
    let first = table.say("wim", json!({"do": "tables", "status": "waiting", "limit": 2}));
    assert_eq!(first[0]["tables"].as_array().unwrap().len(), 2);
    let next = table.say("wim", json!({"do": "tables", "after": first[0]["next"], "limit": 2}));
    assert_eq!(next[0]["tables"].as_array().unwrap().len(), 1, "{next:?}");
    assert_eq!(
        (&next[0]["tables"][0]["players"], &next[0]["next"]),
        (&json!(["cid"]), &Value::Null)
    );
}

#[test]
fn leaving_gives_up_the_seat_and_playing_again_is_possible() {
    let mut table = Table::<Gamba>::new();
    let join = json!({"do": "join", "name": "Ann", "bots": ["random"]});
    table.say("ann", join.clone());
    let left = table.say("ann", json!({"do": "leave"}));
    assert_eq!(left[0], json!({"type": "accepted", "seq": null}));
    let again = table.say("ann", join);
    assert_eq!(again[0]["type"], "joined", "{again:?}");
    let other = table.say("ann", json!({"do": "join", "name": "Bea"}));
    assert_eq!(code(&other), "already-seated");
}

#[test]
fn names_are_unique_at_a_table_in_every_game() {
    let mut table = Table::<TigerDragon>::new();
    let heard = table.say("ann", json!({"do": "join", "name": "Ann", "options": {"seats": 3}}));
    let same = json!({"do": "join", "name": "Ann", "table": heard[0]["table"]});
    assert_eq!(code(&table.say("other", same)), "name-taken");
    assert_eq!(code(&table.say("other", json!({"do": "join", "name": ""}))), "bad-name");
}
