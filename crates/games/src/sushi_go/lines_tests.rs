//! The JSON inside the lines, as a client with a JSON parser reads it.

use rules::Seed;
use serde_json::Value;
use trials::rehearsal::Rehearsal;

use super::super::{Options, SushiGo};

const SEATS: [(&str, &str); 3] =
    [("alice", "sushi-go"), ("bob", "sushi-go-sdk"), ("carol", "sushi-go")];

/// A whole game of three in both dialects; each player asks for STATUS and GAMES in every turn.
fn whole_game() -> Rehearsal<SushiGo> {
    let mut rehearsal = Rehearsal::new(Options::default(), Seed::from_number(1)).unwrap();
    let mut perform = |line: String| rehearsal.perform(&line).unwrap();
    let mut everybody = |format: &dyn Fn(&str) -> String| {
        SEATS.iter().for_each(|(name, _)| perform(format(name)));
    };
    everybody(&|name| format!("connect {name} {}", dialect(name)));
    everybody(&|name| match name {
        "alice" => "table trio players=3".to_owned(),
        name => format!("{name}> GAMES"),
    });
    everybody(&|name| format!("{name}> JOIN trio {name}"));
    everybody(&|name| format!("{name}> STATUS"));
    everybody(&|name| format!("{name}> READY"));
    for _ in 0..27 {
        everybody(&|name| format!("{name}> STATUS"));
        everybody(&|name| format!("{name}> GAMES"));
        everybody(&|name| format!("{name}> PLAY 0"));
    }
    everybody(&|name| format!("{name}> STATUS"));
    rehearsal
}

fn dialect(name: &str) -> &'static str {
    SEATS.iter().find(|(seat, _)| *seat == name).unwrap().1
}

fn lines<'a>(rehearsal: &'a Rehearsal<SushiGo>, name: &str, begin: &'a str) -> Vec<&'a str> {
    let lines = rehearsal.received(name).iter();
    lines.filter_map(|line| line.strip_prefix(begin)?.strip_prefix(' ')).collect()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn games_are_a_bare_array_with_the_fields_clients_read() {
    let rehearsal = whole_game();
    for (name, _) in SEATS {
        let answers = lines(&rehearsal, name, "GAMES");
        assert!(answers.len() >= 27);
        for answer in answers {
            let games = json(answer);
            assert!(!games.as_array().unwrap().is_empty(), "one game can always be joined");
            for game in games.as_array().unwrap() {
                assert_eq!(keys(game), ["id", "player_count", "max_players", "status"]);
                assert_eq!(game["status"], "waiting");
                assert!(game["player_count"].as_u64() < game["max_players"].as_u64());
            }
        }
    }
}

#[test]
fn status_has_its_fields_in_every_phase() {
    let rehearsal = whole_game();
    for (name, _) in SEATS {
        let mut phases = Vec::new();
        let answers = lines(&rehearsal, name, "STATUS");
        for answer in &answers {
            let status = json(answer);
            assert_eq!(
                keys(&status),
                [
                    "game_id",
                    "phase",
                    "round",
                    "turn",
                    "players",
                    "your_hand",
                    "your_played_cards",
                    "your_puddings",
                    "your_chopsticks",
                    "your_wasabi_slots"
                ]
            );
            for player in status["players"].as_array().unwrap() {
                // The first four are those the kit knows.
                assert_eq!(
                    keys(player),
                    ["name", "has_submitted", "puddings", "maki_count", "score", "played_cards"]
                );
                assert!(player["has_submitted"].is_boolean());
            }
            let phase = status["phase"].as_str().unwrap().to_owned();
            let turn = (status["round"].as_u64().unwrap(), status["turn"].as_u64().unwrap());
            assert_eq!(phase == "lobby", turn == (0, 0));
            phases.push(phase);
        }
        phases.dedup();
        assert_eq!(phases, ["lobby", "playing", "ended"]);
        assert_eq!(answers.len(), 29);
    }
}

#[test]
fn round_ends_give_running_totals_or_the_worth_of_the_round() {
    let rehearsal = whole_game();
    let ends = |name: &str| -> Vec<Value> {
        let ends = lines(&rehearsal, name, "ROUND_END");
        assert_eq!(ends.len(), 3);
        (1..).zip(ends).map(|(n, end)| json(end.strip_prefix(&format!("{n} ")).unwrap())).collect()
    };
    let mut totals = [0; 3];
    for (document, kit) in ends("alice").iter().zip(ends("bob")) {
        assert_eq!(keys(document), ["alice", "bob", "carol"]);
        assert_eq!(keys(&kit), ["alice", "bob", "carol"]);
        for ((name, _), total) in SEATS.iter().zip(&mut totals) {
            let worth = &kit[name];
            let parts = [
                "maki_points",
                "tempura_points",
                "sashimi_points",
                "dumpling_points",
                "nigiri_points",
            ];
            assert_eq!(keys(worth), [&parts[..], &["total"]].concat());
            let sum: i64 = parts.iter().map(|part| worth[part].as_i64().unwrap()).sum();
            assert_eq!(worth["total"], sum);
            *total += sum;
            assert_eq!(document[name], *total);
        }
    }
    assert_ne!(totals, [0; 3]);
}

#[test]
fn the_end_has_scores_and_winners_split_as_clients_split_them() {
    let rehearsal = whole_game();
    let [end] = lines(&rehearsal, "alice", "GAME_END")[..] else { panic!("one end") };
    let (scores, winners) = end.split_at(end.find('[').unwrap());
    let (scores, winners) = (json(scores.strip_suffix(' ').unwrap()), json(winners));
    assert_eq!(keys(&scores), ["alice", "bob", "carol"]);
    let best = scores.as_object().unwrap().values().map(|score| score.as_i64().unwrap()).max();
    let [Value::String(winner)] = &winners.as_array().unwrap()[..] else { panic!("{winners}") };
    assert_eq!(scores[winner].as_i64(), best);

    let [end] = lines(&rehearsal, "bob", "GAME_END")[..] else { panic!("one end") };
    let (kit_scores, kit_winners) = end.split_once(' ').unwrap();
    assert_eq!(json(kit_scores), scores);
    assert_eq!(kit_winners, format!("WINNER:{winner}"));
}
