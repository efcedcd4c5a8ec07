use super::super::{Options, SushiGo};
use trials::sparring::Sparring;

fn sparring(players: usize, dialect: &'static str, seed: u64) -> Sparring<SushiGo> {
    Sparring::new(Options { players, ..Options::default() }, dialect, seed)
}

#[test]
fn the_wire_tells_all_a_seat_may_know() {
    for dialect in ["sushi-go", "sushi-go-sdk"] {
        for players in 2..=5 {
            let mut sparring = sparring(players, dialect, players as u64);
            for (seat, name) in ["ann", "ben", "cat", "dov", "eli"].iter().take(players).enumerate()
            {
                let strategy = ["random", "greedy"][seat % 2];
                sparring.add(name, strategy, 2, |seen, truth| assert_eq!(seen, truth));
            }
            let endings = sparring.play();
            for game in 0..2 {
                let won = endings.iter().filter(|endings| endings[game].won == Some(true)).count();
                assert!(won >= 1, "{sparring:?}");
                assert!(endings.iter().all(|endings| endings[game].points.is_some()));
            }
        }
    }
}

/// Nothing says what others laid meanwhile; the rest is as before the drop.
#[test]
fn whoever_is_cut_off_comes_back_and_plays_on() {
    for seed in 0..20 {
        let mut sparring = sparring(2, "sushi-go", seed);
        for name in ["ann", "ben"] {
            sparring.add(name, "random", 1, |seen, truth| {
                assert_eq!(seen.hand, truth.hand);
                assert_eq!((seen.round, seen.turn), (truth.round, truth.turn));
                assert_eq!(seen.own().unwrap().table, truth.own().unwrap().table);
                let puddings =
                    |view: &super::View| view.seats.iter().map(|s| s.puddings).sum::<u32>();
                assert_eq!(puddings(seen), puddings(truth));
            });
        }
        for cut in 1..6u64 {
            let turn = cut * 5 + seed % 5;
            sparring.play_until(|stage| stage.hall.tables().any(|(_, table)| table.seq() >= turn));
            sparring.cut(["ann", "ben"][(turn % 2) as usize]);
        }
        let endings = sparring.play();
        assert!(endings.iter().all(|endings| endings[0].won.is_some()), "{sparring:?}");
    }
}

#[test]
fn hands_are_read_whatever_the_names() {
    use super::super::rules::Card;
    let cards: Vec<Card> = Card::DECK.iter().map(|(card, _)| *card).collect();
    let line = super::super::lines::hand(&cards);
    assert_eq!(super::hand(line.strip_prefix("HAND ").unwrap()), cards);
    assert_eq!(super::hand(""), []);
    assert_eq!(super::hand("0:Soup 1:Egg Nigiri"), []);
}

/// A bot that was restarted after its server had died sat down in its old game, did not know that,
/// and left every move to the clock.
#[test]
fn a_player_brought_back_to_a_game_it_does_not_know_plays_on() {
    use hall::Time;
    use rules::Seed;
    use wire::{Playable, Player, Reaction};
    let mut client = super::client(Player::new("ann", SushiGo::bots()[0], Seed::from_number(1)));
    let mut out = Vec::new();
    client.open(Time(0), &mut out);
    client.seek(Time(0), None, &mut out);
    client.on_text(Time(0), r#"GAMES [{"id":"g","status":"waiting"}]"#, &mut out);
    client.on_text(Time(0), "REJOINED old 1", &mut out);
    let said = |out: &mut Vec<Reaction>| -> Vec<String> {
        let said = out.drain(..).map(|each| match each {
            Reaction::Say(text) | Reaction::Move(text) => text,
            other => format!("{other:?}"),
        });
        said.collect()
    };
    assert_eq!(said(&mut out), ["GAMES", "JOIN g ann", "STATUS", "READY"]);
    client.on_text(Time(0), "HAND 0:Tempura", &mut out);
    assert!(said(&mut out).is_empty(), "STATUS says first what it has laid");
    client.on_text(Time(0), "STATUS {}", &mut out);
    assert_eq!(said(&mut out), ["PLAY 0"]);
    client.closed(Time(0), &mut out);
    client.open(Time(0), &mut out);
    assert_eq!(said(&mut out), ["JOIN old ann"]);
    client.on_text(Time(0), "REJOINED old 1", &mut out);
    assert_eq!(said(&mut out), ["STATUS", "READY"]);
}

/// A player whose connection was cut while the game began was dealt cards before it knew how many
/// play, and broke down.
#[test]
fn cards_are_played_though_nobody_said_that_the_game_has_begun() {
    use hall::Time;
    use rules::Seed;
    use wire::{Playable, Player, Reaction};
    for (kind, seat) in SushiGo::bots().iter().zip([0, 1].into_iter().cycle()) {
        let mut client = super::client(Player::new("ann", *kind, Seed::from_number(1)));
        let mut out = Vec::new();
        client.seek(Time(0), None, &mut out);
        client.open(Time(0), &mut out);
        client.on_text(Time(0), r#"GAMES [{"id":"g","status":"waiting"}]"#, &mut out);
        client.on_text(Time(0), &format!("WELCOME g {seat} token"), &mut out);
        client.on_text(Time(0), "HAND 0:Tempura 1:Sashimi", &mut out);
        assert!(matches!(out.last(), Some(Reaction::Move(_))), "{}: {out:?}", kind.name);
    }
}
