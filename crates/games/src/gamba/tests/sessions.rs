//! Sessions against anything a client can send, in any order, over a real hall.

use hall::ConnId;
use proptest::prelude::*;
use rules::{Dice, Seed};
use serde_json::json;
use wire::overlay;

use super::referee::{Court, value};
use crate::gamba::{Gamba, TURN_LIMIT};

fn court(changes: serde_json::Value, seed: u64) -> Court {
    let serde_json::Value::Object(changes) = changes else { panic!("options are an object") };
    let options = overlay::<Gamba>(&Default::default(), &changes).unwrap();
    Court::new(&options, seed)
}

fn dice(seed: u64) -> Dice {
    Dice::new(&Seed::from_number(seed), "clients", 0)
}

/// Something to say, mostly to the point.
fn any_line(court: &mut Court, client: ConnId, dice: &mut Dice) -> String {
    const ODD: [&str; 7] = ["hello", "9|||", "7|||", "3|||", "\0|", "106|||", "7|||cards=1S"];
    let referee = court.referee(client);
    let nobody = referee.lines.last().is_none_or(|line| line.ends_with("Must connect first"));
    let any_name = format!("p{}", dice.below(8));
    match dice.below(100) {
        0 => (*dice.pick(&ODD)).to_owned(),
        1..=2 => format!("{}|||name={any_name}", dice.pick(&[0, 6])),
        3..=12 => "4|||".to_owned(),
        _ if referee.name.is_empty() => format!("{}|||name={any_name}", dice.pick(&[0, 6])),
        _ if nobody => format!("{}|||name={}", dice.pick(&[0, 6]), referee.name),
        13..=14 => "5|||".to_owned(),
        15..=16 => "2|||".to_owned(),
        _ => match &referee.state {
            Some(state) => any_play(state, dice),
            None => (*dice.pick(&["2|||", "5|||"])).to_owned(),
        },
    }
}

/// A move of the player who received this state, often a legal one.
fn any_play(state: &str, dice: &mut Dice) -> String {
    let hand: Vec<&str> = value(state, "hand").split(',').collect();
    match (hand[0], dice.below(5)) {
        ("", 0) | (_, 0..=1) => "8|||".to_owned(),
        ("", _) => "7|||cards=RESERVE".to_owned(),
        _ => format!("7|||cards={}", dice.pick(&hand)),
    }
}

/// Bytes arrive in pieces and replies late, connections break, clocks run; the referee of every
/// client objects to anything the protocol does not allow.
fn crowd(options: serde_json::Value, seed: u64) -> usize {
    let mut dice = dice(seed);
    let mut court = court(options, seed);
    let mut open: Vec<ConnId> = (0..6).map(|_| court.stage.admit()).collect();
    for _ in 0..1500 {
        let client = *dice.pick(&open);
        match dice.below(400) {
            0..=1 => court.stage.cut(client),
            2..=9 => court.wait(*dice.pick(&[1, 100, 2500]), &mut dice),
            _ => {
                let line = any_line(&mut court, client, &mut dice) + "\n";
                let (head, tail) = line.as_bytes().split_at(dice.below(line.len()));
                court.stage.send(client, head);
                court.stage.step(&mut dice);
                court.stage.send(client, tail);
            }
        }
        for _ in 0..dice.below(12) {
            court.stage.step(&mut dice);
        }
        open.retain(|client| court.stage.is_open(*client));
        while open.len() < 6 {
            open.push(court.stage.admit());
        }
    }
    for client in court.stage.open_conns() {
        court.stage.cut(client);
    }
    court.wait(10_000, &mut dice);
    assert_eq!(court.stage.hall.open_tables(), 0, "nobody is there, and a room is open");
    assert_eq!(
        (court.stage.hall.visitors(), court.stage.hall.deadline()),
        (0, None),
        "the hall is not at rest"
    );
    court.referees().values().map(|referee| referee.games).sum()
}

#[test]
fn a_crowd_is_told_nothing_the_protocol_does_not_allow() {
    let options = json!({"ping_timeout_s": 2, "reconnect_window_s": 3});
    let games: usize = (0..40).map(|seed| crowd(options.clone(), seed)).sum();
    assert!(games > 100, "only {games} games were heard to end");
}

#[test]
fn a_crowd_among_house_bots_and_clocks_too() {
    let options = json!({
        "ping_timeout_s": 2,
        "reconnect_window_s": 3,
        "turn_timeout_s": 1,
        "deal": "full-deck",
        "house_bots": ["thrifty", "random"],
        "house_bots_after_ms": 400,
    });
    let games: usize = (100..130).map(|seed| crowd(options.clone(), seed)).sum();
    assert!(games > 20, "only {games} games were heard to end");
}

#[test]
fn a_lone_player_plays_a_house_bot_to_the_end_and_again() {
    let mut dice = dice(1);
    let mut court = court(json!({"house_bots": ["thrifty"], "ping_timeout_s": 0}), 1);
    let alice = court.stage.admit();
    court.send(alice, "0|||name=Alice");
    for games in 1..=20 {
        court.send(alice, "2|||");
        court.wait(1000, &mut dice);
        court.send(alice, "5|||");
        court.settle(&mut dice);
        while let Some(state) = court.referee(alice).state.clone() {
            court.send(alice, &any_play(&state, &mut dice));
            court.settle(&mut dice);
        }
        assert_eq!(court.referee(alice).games, games);
    }
}

/// The player with fewer cards picks up, and tens are kept back: a game that neither tries to win.
fn reluctant_play(state: &str) -> String {
    let hand: Vec<&str> = value(state, "hand").split(',').filter(|card| !card.is_empty()).collect();
    let rival: usize = value(state, "opponent_hand").parse().unwrap();
    let pile: usize = value(state, "discard_pile_size").parse().unwrap();
    let worth = |card: &str| "..234567891JQKA".find(&card[..1]).unwrap();
    let top = value(state, "top_card");
    let low = value(state, "must_play_low") == "true";
    let fits = |card: &&&str| {
        let rank = worth(card);
        rank != worth("10D")
            && (pile == 0 || rank == 2 || if low { rank <= 7 } else { rank >= worth(top) })
    };
    let choice = hand.iter().filter(fits).min_by_key(|card| worth(card));
    match choice {
        _ if pile > 0 && hand.len() <= rival => "8|||".to_owned(),
        Some(card) => format!("7|||cards={card}"),
        None if pile > 0 => "8|||".to_owned(),
        None => hand.first().map_or("7|||cards=RESERVE".into(), |card| format!("7|||cards={card}")),
    }
}

#[test]
fn a_game_without_end_is_drawn_and_both_are_told() {
    let mut dice = dice(1);
    let mut court = court(json!({"ping_timeout_s": 0}), 1);
    let players = [court.stage.admit(), court.stage.admit()];
    for (player, name) in players.into_iter().zip(["Alice", "Bob"]) {
        court.send(player, &format!("0|||name={name}"));
        court.send(player, "2|||");
        court.settle(&mut dice);
    }
    court.send(players[0], "5|||");
    court.settle(&mut dice);
    for turn in 0..TURN_LIMIT {
        let player = players[turn as usize % 2];
        let state = court.referee(player).state.clone().expect("the game goes on");
        court.send(player, &reluctant_play(&state));
        court.settle(&mut dice);
    }
    for (player, name) in players.into_iter().zip(["Alice", "Bob"]) {
        let over = format!("112|{name}|ROOM_1|winner=|reason=turn_limit|status=game_over");
        let left = format!("102|{name}||status=left");
        assert_eq!(court.lines(player).iter().rev().take(2).collect::<Vec<_>>(), [&left, &over]);
    }
}

/// One connection, alone in the hall, receives this for these bytes.
fn alone(pieces: &[&[u8]]) -> (Vec<String>, bool) {
    let mut dice = dice(0);
    let mut court = court(json!({}), 0);
    let client = court.stage.admit();
    for piece in pieces {
        court.stage.send(client, piece);
        court.settle(&mut dice);
    }
    (court.lines(client), court.stage.is_open(client))
}

fn a_piece() -> impl Strategy<Value = Vec<u8>> {
    let line = prop::sample::select(vec![
        "0|||name=Alice\n",
        "2|||\n",
        "4|||\r\n",
        "5|||\n",
        "6|||name=Alice\n",
        "7|||cards=2H\n",
        "7|||\n",
        "8|||\n",
        "\n",
        "0|||name=",
        "|",
        "4",
        "=",
        "1|||\n",
        "99|||\n",
        "\r",
        "name=\u{e9}\n",
    ]);
    prop_oneof![
        8 => line.prop_map(|line| line.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..12),
        1 => (any::<u8>(), 0..9000usize).prop_map(|(byte, count)| vec![byte; count]),
    ]
}

proptest! {
    #[test]
    fn any_bytes_get_an_answer_and_how_they_are_cut_does_not_matter(
        bytes in prop::collection::vec(a_piece(), 0..30).prop_map(|pieces| pieces.concat()),
        cuts: Vec<prop::sample::Index>,
    ) {
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut from = 0;
        for cut in cuts {
            pieces.push(&bytes[from..cut]);
            from = cut;
        }
        pieces.push(&bytes[from..]);
        prop_assert_eq!(alone(&pieces), alone(&[&bytes]));
    }
}
