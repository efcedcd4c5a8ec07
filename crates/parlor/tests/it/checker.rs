//! The independent checker: what players remember against what the journal says. It knows the
//! card game from its rule book, and the journal as text.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::kit::Server;
use crate::players::Diary;

/// A game as the server's archive has it.
pub struct Archived {
    pub id: String,
    pub finished: bool,
    players: Vec<String>,
    closing: Value,
    /// The file, as `parlor replay` takes it.
    pub text: String,
    records: Vec<Value>,
}

/// Every game of the archive, page by page.
pub fn archive(server: &Server) -> BTreeMap<String, Archived> {
    let mut games = BTreeMap::new();
    let mut after = String::new();
    loop {
        let page = server.get_json(&format!("/api/v1/results?game=sushi-go&limit=50{after}"));
        for result in page["results"].as_array().expect("a list") {
            let id = result["id"].as_str().expect("an id").to_owned();
            let text = server.get(&format!("/api/v1/results/sushi-go/{id}/replay"));
            let lines = text.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON"));
            let records = lines.map(|line: Value| line["record"].clone()).collect();
            let names = result["players"].as_array().expect("a list").iter();
            let game = Archived {
                id: id.clone(),
                finished: result["status"] == "finished",
                players: names.map(|name| name.as_str().expect("text").to_owned()).collect(),
                closing: result["closing"].clone(),
                text,
                records,
            };
            assert!(games.insert(id, game).is_none(), "a game is there twice");
        }
        match page["next"].as_u64() {
            Some(next) => after = format!("&after={next}"),
            None => return games,
        }
    }
}

/// What was looked at, so that a test can tell that it was enough.
#[derive(Debug, Default)]
pub struct Coverage {
    pub acknowledged: usize,
    pub unacknowledged: usize,
    /// Moves that were sent, not acknowledged, and are in the journal all the same.
    pub applied_unheard: usize,
    pub games: usize,
    pub scored: usize,
    pub ends_heard: usize,
}

/// Compares all diaries with all games.
pub fn check(games: &BTreeMap<String, Archived>, diaries: &[Diary]) -> Coverage {
    let mut tally = Coverage::default();
    let mut by_game: BTreeMap<&str, Vec<&Diary>> = BTreeMap::new();
    for diary in diaries {
        by_game.entry(&diary.game).or_default().push(diary);
    }
    for (id, diaries) in &by_game {
        match games.get(*id) {
            Some(game) => check_game(game, diaries, &mut tally),
            None => diaries.iter().for_each(|diary| {
                let quiet = diary.moves.is_empty() && diary.end.is_none();
                assert!(quiet, "{id} is not in the archive, but {} played it", diary.name);
                assert!(!diary.refused || diary.left.is_some(), "{} lost its seat", diary.name);
            }),
        }
    }
    tally
}

fn check_game(game: &Archived, diaries: &[&Diary], tally: &mut Coverage) {
    let id = &game.id;
    tally.games += 1;
    let started = game.records.iter().find_map(|record| record.get("started"));
    assert_eq!(started.expect("it began")["order"], serde_json::json!([0, 1]), "{id}");
    let mut moves: BTreeMap<(u64, usize), usize> = BTreeMap::new();
    for moved in game.records.iter().filter_map(|record| record.get("moved")) {
        let number = |key: &str| moved[key].as_u64().expect("a number");
        let place = (number("seq"), number("seat") as usize);
        let index = moved["action"]["play"].as_u64().expect("nobody uses chopsticks") as usize;
        assert!(moves.insert(place, index).is_none(), "{id}: {place:?} was applied twice");
    }
    let mut hands: BTreeMap<(u64, usize), &Vec<String>> = BTreeMap::new();
    for diary in diaries {
        let who = format!("{id} {}", diary.name);
        assert_eq!(game.players[diary.seat], diary.name, "{id}");
        check_moves(diary, &moves, tally);
        for sent in &diary.moves {
            let hand = hands.entry((sent.turn, diary.seat)).or_insert(&sent.hand);
            assert_eq!(*hand, &sent.hand, "{who}: another hand in turn {}", sent.turn);
        }
        if let Some((scores, winners)) = &diary.end {
            tally.ends_heard += 1;
            check_end(game, scores, winners);
        }
        if diary.left == Some(true) {
            let left = game.records.iter().any(|record| match record.get("retired") {
                Some(retired) => retired["seats"][0][0] == diary.seat,
                None => record["left"]["seat"] == diary.seat || record.get("closed").is_some(),
            });
            assert!(left, "{who}: an acknowledged LEAVE is not in the journal");
        }
    }
    // Everything in the journal was sent by a client.
    for ((turn, seat), index) in &moves {
        let sent = |diary: &&&Diary| diary.seat == *seat && has_sent(diary, *turn, *index);
        assert!(diaries.iter().any(|diary| sent(&diary)), "{id}: who moved {seat} in {turn}?");
    }
    if moves.len() == 60 && hands.len() == 60 && game.finished {
        tally.scored += 1;
        let cards = moves.iter().map(|(place, index)| (*place, hands[place][*index].as_str()));
        assert_eq!(score(&cards.collect()).as_slice(), points(game), "{id}");
    }
}

fn has_sent(diary: &Diary, turn: u64, index: usize) -> bool {
    diary.moves.iter().any(|sent| (sent.turn, sent.index) == (turn, index))
}

fn check_moves(diary: &Diary, moves: &BTreeMap<(u64, usize), usize>, tally: &mut Coverage) {
    for sent in &diary.moves {
        let found = moves.get(&(sent.turn, diary.seat));
        if sent.acknowledged {
            tally.acknowledged += 1;
            let (game, name, turn) = (&diary.game, &diary.name, sent.turn);
            assert_eq!(found, Some(&sent.index), "{game} {name}: turn {turn} was acknowledged");
        } else {
            tally.unacknowledged += 1;
            tally.applied_unheard += usize::from(found == Some(&sent.index));
        }
    }
}

fn points(game: &Archived) -> Vec<i64> {
    let standings = game.closing["over"].as_array().expect("a result");
    standings.iter().map(|standing| standing["points"].as_i64().expect("a number")).collect()
}

/// GAME_END, as a client received it, is the closing in the archive.
fn check_end(game: &Archived, scores: &Value, winners: &Value) {
    let id = &game.id;
    assert!(game.finished, "{id}: its end was told, but it is void");
    let told = game.players.iter().map(|name| scores[name].as_i64().expect("a score"));
    assert_eq!(told.collect::<Vec<_>>(), points(game), "{id}");
    let standings = game.closing["over"].as_array().expect("a result");
    let first = game.players.iter().zip(standings).filter(|(_, standing)| standing["place"] == 1);
    let first: Vec<&String> = first.map(|(name, _)| name).collect();
    assert_eq!(*winners, serde_json::json!(first), "{id}");
}

/// The rule book, for two players who lay one card a turn; fewest puddings cost 6.
fn score(cards: &BTreeMap<(u64, usize), &str>) -> [i64; 2] {
    let mut total = [0; 2];
    let mut puddings = [0; 2];
    for round in 0..3 {
        let mut maki = [0; 2];
        for seat in 0..2 {
            let laid: Vec<&str> = (0..10).map(|turn| cards[&(round * 10 + turn, seat)]).collect();
            let count = |name: &str| laid.iter().filter(|card| **card == name).count();
            total[seat] += 5 * (count("Tempura") / 2) as i64;
            total[seat] += 10 * (count("Sashimi") / 3) as i64;
            total[seat] += [0, 1, 3, 6, 10, 15][count("Dumpling").min(5)];
            total[seat] += nigiri(&laid);
            maki[seat] = (1..=3).map(|n| n * count(&format!("Maki Roll ({n})"))).sum();
            puddings[seat] += count("Pudding");
        }
        for (seat, other) in [(0, 1), (1, 0)] {
            total[seat] += match maki[seat].cmp(&maki[other]) {
                _ if maki[seat] == 0 => 0,
                std::cmp::Ordering::Greater => 6,
                std::cmp::Ordering::Equal | std::cmp::Ordering::Less => 3,
            };
        }
    }
    for (seat, other) in [(0, 1), (1, 0)] {
        total[seat] += 6 * (puddings[seat].cmp(&puddings[other]) as i64);
    }
    total
}

fn nigiri(laid: &[&str]) -> i64 {
    let mut wasabi = 0;
    let mut points = 0;
    for card in laid {
        let worth = match *card {
            "Egg Nigiri" => 1,
            "Salmon Nigiri" => 2,
            "Squid Nigiri" => 3,
            "Wasabi" => {
                wasabi += 1;
                continue;
            }
            _ => continue,
        };
        points += if wasabi > 0 { 3 * worth } else { worth };
        wasabi -= i64::from(wasabi > 0);
    }
    points
}
