//! Clients of the protocol see what it tells, and play legally.

use hall::Time;
use rules::Seed;
use trials::sparring::Sparring;
use wire::{Client, Playable, Player, Reaction};

use crate::tiger_dragon::{Config, Options, Ruleset, TigerDragon, View};

fn sparring(players: usize, rules: Ruleset, seed: u64) -> Sparring<TigerDragon> {
    let config = Config { rules, ..Config::default() };
    Sparring::new(Options { players, config, ..Options::default() }, "tiger-dragon", seed)
}

/// All but the news, and the rules and who began the round, which are on no wire.
fn compare(seen: &View, truth: &View) {
    let View { ruleset, start, answered, .. } = *truth;
    let news = truth.news.clone();
    assert_eq!(View { news, ruleset, start, answered, ..seen.clone() }, *truth);
}

#[test]
fn every_table_size_and_both_rules() {
    for rules in [Ruleset::Official, Ruleset::Original] {
        for players in 2..=5 {
            let mut sparring = sparring(players, rules, players as u64);
            for (seat, name) in ["ann", "ben", "cat", "dov", "eli"].iter().take(players).enumerate()
            {
                sparring.add(name, ["counter", "random"][seat % 2], 2, compare);
            }
            let endings = sparring.play();
            for game in 0..2 {
                let won = endings.iter().filter(|endings| endings[game].won == Some(true)).count();
                assert_eq!(won, 1, "{sparring:?}");
            }
        }
    }
}

#[test]
fn whoever_is_cut_off_comes_back_by_its_player_id() {
    for seed in 0..10 {
        let mut sparring = sparring(3, Ruleset::Official, seed);
        for name in ["ann", "ben", "cat"] {
            sparring.add(name, "counter", 1, |seen, truth| {
                assert_eq!((seen.hand, seen.legal), (truth.hand, truth.legal));
                assert_eq!((seen.phase, seen.scores), (truth.phase, truth.scores));
            });
        }
        for turn in [1, 4, 8, 17] {
            sparring.play_until(|stage| {
                stage.hall.tables().any(|(_, table)| table.game().is_some() && table.seq() >= turn)
            });
            sparring.cut(["ann", "ben", "cat"][(turn % 3) as usize]);
        }
        let endings = sparring.play();
        assert!(endings.iter().all(|endings| endings[0].won.is_some()), "{sparring:?}");
    }
}

#[test]
fn the_clock_is_faster_than_a_look_at_the_table() {
    let player = Player::new("ann", TigerDragon::bots()[0], Seed::from_number(1));
    let mut client = (TigerDragon::dialects()[0].client)(player);
    let mut hear = |text: &str| {
        let mut out = Vec::new();
        client.on_text(Time(0), text, &mut out);
        out
    };
    hear(r#"{"type":"join_ack","room_id":"room1","player_id":"ann","seat":0,"players":2}"#);
    let state = |legal: &str, current: u8| {
        format!(
            r#"{{"type":"state","room_id":"room1","turn":3,"phase":"Attack","current_player":{current},"attack_tile":"","hand":"6,7,7","hand_sizes":"3,3","bonus_discards":"0,0","legal":"{legal}","scores":"0,0"}}"#
        )
    };
    let discards =
        r#"{"type":"discards","room_id":"room1","player0_discards":"8A","player1_discards":"8D"}"#;
    assert!(matches!(hear(&state("6,7", 0))[..], [Reaction::Say(_)]), "it looks");
    assert_eq!(hear(&state("", 1)), [], "the clock has moved for it");
    assert_eq!(hear(discards), [], "and what it asked for comes too late");
    hear(&state("6,7", 0));
    assert!(matches!(hear(discards)[..], [Reaction::Move(_)]));
}

/// A client that sat in seat 0, was cut off, and has asked for its seat again.
fn returning() -> Box<dyn Client> {
    let player = Player::new("ann", TigerDragon::bots()[0], Seed::from_number(1));
    let mut client = (TigerDragon::dialects()[0].client)(player);
    let mut out = Vec::new();
    client.seek(Time(0), None, &mut out);
    client.open(Time(0), &mut out);
    assert_eq!(hear(&mut client, &ack(0)), []);
    client.closed(Time(0), &mut out);
    out.clear();
    client.open(Time(0), &mut out);
    assert!(matches!(&out[..], [Reaction::Say(join)] if join.contains(r#""type":"join""#)));
    client
}

fn hear(client: &mut Box<dyn Client>, text: &str) -> Vec<Reaction> {
    let mut out = Vec::new();
    client.on_text(Time(0), text, &mut out);
    out
}

fn ack(seat: u8) -> String {
    format!(
        r#"{{"type":"join_ack","room_id":"room1","player_id":"ann","seat":{seat},"players":2}}"#
    )
}

/// All clients receive the messages of the match in play. A player who returned and did not know
/// its seat yet took the end of another match for the end of its match, and itself for the winner
/// if the seat was the same.
#[test]
fn who_comes_back_takes_nothing_for_its_own_before_it_has_a_seat() {
    let mut client = returning();
    let state = r#"{"type":"state","room_id":"room2","turn":3,"phase":"Attack","current_player":0,"attack_tile":"","hand":"","hand_sizes":"3,3","bonus_discards":"0,0","legal":"","scores":"0,0"}"#;
    let over = r#"{"type":"game_over","winner":0,"scores":"10,3"}"#;
    assert_eq!(hear(&mut client, state), []);
    assert_eq!(hear(&mut client, r#"{"type":"round_result","round":1}"#), []);
    assert_eq!(hear(&mut client, over), [], "it waits for its seat");
    // Its table was given up meanwhile, and it has come to another.
    assert_eq!(hear(&mut client, &ack(1)), []);
    let ended = hear(&mut client, over);
    let [Reaction::Over(ending)] = &ended[..] else { panic!("{ended:?}") };
    assert_eq!((ending.won, ending.points), (Some(false), Some(3)));
}

/// Its join was refused because all tables are full: it wants a seat as before, and does not move at a table
/// that it may not have any more.
#[test]
fn who_comes_back_and_is_refused_asks_again() {
    let mut client = returning();
    assert_eq!(hear(&mut client, r#"{"type":"error","message":"room full"}"#), []);
    assert!(client.deadline().is_some());
}
