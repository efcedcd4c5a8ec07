//! Sessions against anything a client can send, and against what they must not tell.

use std::sync::Arc;

use hall::{Company, Joined, Member, Refusal, Status, TableInfo, Update};
use proptest::prelude::*;
use rules::Seat;
use rules::any::AnyView;
use rules::{Determinise, Dice, Exit, Game, Move, Seed, Step, Viewer};
use serde_json::Value;
use trials::rehearsal::Rehearsal;
use trials::stress::{Exchange, stress};
use wire::{AnyGame, Conversation, Frame, Observer, Said, Watch};

use super::super::{Options, SushiGo};
use super::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_bytes_get_one_reply_a_line_and_first(seed: u64) {
        let exchanges = stress::<SushiGo>(seed, 600, speak);
        exchanges.iter().for_each(check_replies);
    }

    #[test]
    fn arrival_order_changes_nothing_after_the_turn(seed: u64, seats in 2..=5usize) {
        let mut dice = Dice::new(&Seed::from_number(seed), "moves", 0);
        let mut rehearsals = [gathered(seats, seed), gathered(seats, seed)];
        let mut order: Vec<usize> = (0..seats).collect();
        for _ in 0..3 * SushiGo::hand_size(seats) {
            let moves: Vec<String> =
                (0..seats).map(|seat| any_move(&mut rehearsals, seat, &mut dice)).collect();
            let before: Vec<[usize; 2]> =
                (0..seats).map(|seat| [0, 1].map(|at| heard(&rehearsals[at], seat).len())).collect();
            moves.iter().for_each(|line| rehearsals[0].perform(line).unwrap());
            dice.shuffle(&mut order);
            order.iter().for_each(|seat| rehearsals[1].perform(&moves[*seat]).unwrap());
            for (seat, from) in before.into_iter().enumerate() {
                let [one, two] =
                    [0, 1].map(|at| resolved(&heard(&rehearsals[at], seat)[from[at]..]));
                prop_assert!(one[0].starts_with("PLAYED "), "{one:?}");
                prop_assert_eq!(one, two, "seat {} of {}", seat, seats);
            }
        }
        prop_assert!(heard(&rehearsals[0], 0).last().unwrap().starts_with("GAME_END "));
    }

    #[test]
    fn no_viewer_hears_of_hidden_cards(
        seed: u64,
        seats in 2..=5usize,
        turns in 0..21usize,
        leaver in proptest::option::of(0..5usize),
    ) {
        let seed = Seed::from_number(seed);
        let mut dice = Dice::new(&seed, "moves", 0);
        let mut game = SushiGo::setup(&Default::default(), seats, seed).unwrap();
        let mut former = game.clone();
        for _ in 0..turns {
            former = game.clone();
            let act = |seat| (seat, Move::Act(game.sample(seat, &mut dice)));
            let moves: Vec<_> = game.to_act().iter().map(act).collect();
            game.advance(Step::Turn(&moves));
        }
        if let Some(leaver) = leaver.filter(|seat| *seat < seats) {
            game.advance(Step::Departure(&[(Seat(leaver as u8), Exit::Left)]));
        }
        for viewer in Viewer::all(seats) {
            let Some(other) = SushiGo::determinise(&game.view(viewer), &mut dice) else { continue };
            let (heard, otherwise) = (told(viewer, &former, &game), told(viewer, &former, &other));
            prop_assert!(!heard.is_empty());
            prop_assert_eq!(heard, otherwise, "{:?}", viewer);
        }
    }
}

#[test]
fn the_bytes_reach_every_phase() {
    let exchanges = (0..8).flat_map(|seed| stress::<SushiGo>(seed, 600, speak));
    let heard: Vec<String> = exchanges.flat_map(|exchange| exchange.heard).collect();
    for begin in [
        "WELCOME ",
        "REJOINED ",
        "GAME_START ",
        "ROUND_START 1",
        "HAND ",
        "WAITING ",
        "PLAYED ",
        "ROUND_END 1",
        "ERROR E001 ",
        "ERROR E002 ",
        "ERROR E004 ",
        "ERROR E005 ",
        "ERROR E006 ",
        "ERROR E007 ",
        "ERROR E008 ",
        "ERROR E009 ",
    ] {
        assert!(heard.iter().any(|line| line.starts_with(begin)), "nobody heard {begin}");
    }
}

/// What a client of this protocol may come up with.
fn speak(dice: &mut Dice, heard: &[String]) -> String {
    let last = |begin: &str| heard.iter().rev().find(|line| line.starts_with(begin));
    let word = |begin: &str, number: usize| {
        last(begin).and_then(|line| line.split(' ').nth(number)).unwrap_or("unknown").to_owned()
    };
    let game = || {
        let line = last("GAMES [").map_or("[]", |line| &line[6..]);
        let games: Value = serde_json::from_str(line).unwrap();
        games[0]["id"].as_str().unwrap_or("nowhere").to_owned()
    };
    let hand = last("HAND").map_or(0, |line| line.matches(':').count());
    match dice.below(40) {
        0..=9 => format!("PLAY {}", dice.below(hand + 1)),
        10..=13 => format!("CHOPSTICKS {} {}", dice.below(hand + 1), dice.below(hand + 1)),
        14..=18 => format!("JOIN {} p{}", game(), dice.below(8)),
        19..=22 => "GAMES".to_owned(),
        23..=25 => "READY".to_owned(),
        26..=28 => "STATUS".to_owned(),
        29..=30 => format!("REJOIN {}", word("WELCOME", 3)),
        31 => "LEAVE".to_owned(),
        32 => "HELP".to_owned(),
        33 => format!("TOURNEY spicy-salmon p{}", dice.below(8)),
        34 => format!("TJOIN {}", word("WELCOME", 3)),
        35 => format!("play {}\r\nSTATUS\n\n  \nPLAY -1", dice.below(hand + 1)),
        36 => "JOIN a:b c".to_owned(),
        37 => "x".repeat(dice.below(2050)),
        38 => " \t".repeat(dice.below(3)),
        _ => heard.last().cloned().unwrap_or_default(),
    }
}

fn is_reply(line: &str) -> bool {
    let word = line.split(' ').next().unwrap();
    ["OK", "ERROR", "WELCOME", "REJOINED", "STATUS", "GAMES"].contains(&word)
}

/// As many replies as lines that are not blank, the first of them before anything else; and
/// nothing at all in answer to nothing.
fn check_replies(exchange: &Exchange) {
    let lines = exchange.said.strip_suffix(b"\n").unwrap().split(|byte| *byte == b'\n');
    let speaks = |line: &&[u8]| {
        line.len() > 1024 || std::str::from_utf8(line).map_or(true, |line| !line.trim().is_empty())
    };
    let expected = lines.filter(speaks).count();
    let replies = exchange.heard.iter().filter(|line| is_reply(line)).count();
    assert_eq!(replies, expected, "{exchange:?}");
    assert!(exchange.connected, "nothing one says closes one's connection: {exchange:?}");
    match exchange.heard.first() {
        Some(line) => assert!(is_reply(line), "{exchange:?}"),
        None => assert_eq!(expected, 0, "{exchange:?}"),
    }
    for line in &exchange.heard {
        assert!(!line.contains('\r') && line.trim() == line, "{line:?}");
    }
}

/// A table that has just started; every second player speaks the kit's dialect.
fn gathered(seats: usize, seed: u64) -> Rehearsal<SushiGo> {
    let mut rehearsal = Rehearsal::new(Options::default(), Seed::from_number(seed)).unwrap();
    rehearsal.perform(&format!("table t players={seats}")).unwrap();
    for seat in 0..seats {
        let dialect = ["sushi-go", "sushi-go-sdk"][seat % 2];
        rehearsal.perform(&format!("connect p{seat} {dialect}")).unwrap();
        rehearsal.perform(&format!("p{seat}> JOIN t p{seat}")).unwrap();
        rehearsal.perform(&format!("p{seat}> READY")).unwrap();
    }
    rehearsal
}

fn heard(rehearsal: &Rehearsal<SushiGo>, seat: usize) -> &[String] {
    rehearsal.received(&format!("p{seat}"))
}

/// A legal move, after a look at STATUS on both stages.
fn any_move(rehearsals: &mut [Rehearsal<SushiGo>; 2], seat: usize, dice: &mut Dice) -> String {
    rehearsals
        .iter_mut()
        .for_each(|rehearsal| rehearsal.perform(&format!("p{seat}> STATUS")).unwrap());
    let line = heard(&rehearsals[0], seat).last().unwrap();
    let status: Value = serde_json::from_str(line.strip_prefix("STATUS ").unwrap()).unwrap();
    let hand = status["your_hand"].as_array().unwrap().len();
    let first = dice.below(hand);
    if status["your_chopsticks"] == 0 || hand == 1 {
        return format!("p{seat}> PLAY {first}");
    }
    format!("p{seat}> CHOPSTICKS {first} {}", (first + 1 + dice.below(hand - 1)) % hand)
}

/// What a turn brings, without the parts that depend on who waits for whom.
fn resolved(lines: &[String]) -> Vec<&str> {
    let waits = |line: &&str| *line != "OK" && !line.starts_with("WAITING ");
    lines.iter().map(String::as_str).filter(waits).collect()
}

/// Everything a viewer can receive in a position that followed another: the turn, a return to it,
/// STATUS, and replies to moves.
fn told(viewer: Viewer, former: &SushiGo, game: &SushiGo) -> Vec<String> {
    match viewer.seat() {
        None => {
            let watch =
                Watch { table: "t".into(), role: Role::Spectator, in_words: false, all: true };
            let observer = Observer::new(<dyn AnyGame>::of::<SushiGo>(), watch);
            let mut observer = Conversation::new(Time(0), Box::new(observer));
            observer.answered(Time(0), joined(game, None, None));
            observer.told(Time(0), update(viewer, former, 0));
            observer.told(Time(0), update(viewer, game, 1));
            said(&mut observer)
        }
        Some(seat) => {
            let words = [Words::Document, Words::Kit];
            let turn = |words| {
                let mut player = seated(words, former, seat);
                player.told(Time(0), update(viewer, former, 0));
                player.told(Time(0), update(viewer, game, 1));
                questions(&mut player, game);
                said(&mut player)
            };
            let comeback = |words| {
                let mut player = seated(words, game, seat);
                let Event::Update(mut update) = update(viewer, game, 1) else { unreachable!() };
                Arc::get_mut(&mut update).unwrap().catch_up = true;
                player.told(Time(0), Event::Update(update));
                questions(&mut player, game);
                said(&mut player)
            };
            words.into_iter().flat_map(turn).chain(words.into_iter().flat_map(comeback)).collect()
        }
    }
}

/// A conversation whose player has just been welcomed.
fn seated(words: Words, game: &SushiGo, seat: Seat) -> Conversation {
    let mut player = Conversation::new(Time(0), Box::new(LineSession::new(words)));
    player.hear(Time(0), Frame::Text("JOIN t me"));
    player.answered(Time(0), joined(game, Some(seat), Some("token".to_owned())));
    player
}

fn questions(player: &mut Conversation, game: &SushiGo) {
    player.hear(Time(0), Frame::Text("STATUS"));
    player.answered(Time(0), Answer::Listed(Arc::new(vec![Arc::new(info(game, 1))].into())));
    for line in ["PLAY 99", "CHOPSTICKS 0 1", "CHOPSTICKS 0 99"] {
        player.hear(Time(0), Frame::Text(line));
        if player.busy() {
            player.answered(Time(0), Answer::Refused(Refusal::Stale));
        }
    }
}

fn said(conversation: &mut Conversation) -> Vec<String> {
    let texts = |said| match said {
        Said::Text(text) => Some(text.as_str().to_owned()),
        Said::Show(_) | Said::Probe(_) | Said::Ask(_) | Said::Because(_) | Said::Hangup(_) => None,
    };
    conversation.filter_map(texts).collect()
}

fn company(game: &SushiGo) -> Arc<Company> {
    let member = |seat: Seat| {
        let name = format!("p{seat}").into();
        Some(Member { name, present: true, ..Member::default() })
    };
    let seats = game.view(Viewer::Public).seats.len();
    let seats = Seat::all(seats).map(member).collect();
    Arc::new(Company { table: "t".into(), seats, ..Company::default() })
}

fn joined(game: &SushiGo, seat: Option<Seat>, token: Option<String>) -> Answer {
    Answer::Joined(Box::new(Joined { company: company(game), seat, token, resumed: false }))
}

fn update(viewer: Viewer, game: &SushiGo, seq: u64) -> Event {
    let mut update = Update::new(seq, AnyView::new::<SushiGo>(game.view(viewer)), company(game));
    update.owed = game.to_act();
    Event::Update(Arc::new(update))
}

fn info(game: &SushiGo, seq: u64) -> TableInfo {
    let company = company(game);
    TableInfo {
        id: company.table.clone(),
        status: Status::Playing,
        players: company.count(),
        seats: company.count(),
        company: company.clone(),
        reserved: Vec::new(),
        turn: hall::ShownTurn { seq, owed: game.to_act() },
        spectators: 0,
        opened_at: Time(0),
        closing: None,
        house: true,
        game_ref: None,
        rendering: hall::Rendering::default(),
    }
}

/// A game of two after no turn and after one.
fn two_positions() -> [SushiGo; 2] {
    let before = SushiGo::setup(&Default::default(), 2, Seed::from_number(1)).unwrap();
    let mut after = before.clone();
    let moves: Vec<_> = Seat::all(2).map(|seat| (seat, Move::Act(Action::Play(0)))).collect();
    after.advance(Step::Turn(&moves));
    [before, after]
}

#[test]
fn a_move_the_clock_overtakes_is_too_late_and_the_next_one_is_not() {
    let [before, after] = two_positions();
    let viewer = Viewer::Seat(Seat(0));
    let mut player = seated(Words::Document, &before, Seat(0));
    player.told(Time(0), update(viewer, &before, 0));
    said(&mut player);
    player.hear(Time(0), Frame::Text("PLAY 3"));
    // The turn expires while the move is on its way: the reply still comes first.
    player.told(Time(0), update(viewer, &after, 1));
    player.answered(Time(0), Answer::Refused(Refusal::Stale));
    let heard = said(&mut player);
    let words: Vec<&str> = heard.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(words, ["ERROR", "PLAYED", "HAND"]);
    assert!(heard[0].starts_with("ERROR E008 "), "{heard:?}");
    player.hear(Time(0), Frame::Text("PLAY 3"));
    assert!(player.busy(), "a move of the new turn is asked of the hall");
    player.answered(Time(0), Answer::Accepted);
    assert_eq!(said(&mut player), ["OK"]);
}

#[test]
fn status_overtaken_by_the_turn_says_that_all_had_moved() {
    let [before, after] = two_positions();
    let mut player = seated(Words::Document, &before, Seat(0));
    player.told(Time(0), update(Viewer::Seat(Seat(0)), &before, 0));
    said(&mut player);
    player.hear(Time(0), Frame::Text("STATUS"));
    player.answered(Time(0), Answer::Listed(Arc::new(vec![Arc::new(info(&after, 1))].into())));
    let status = said(&mut player).pop().unwrap();
    assert!(status.contains(r#""turn":1"#), "{status}");
    assert!(!status.contains(r#""has_submitted":false"#), "{status}");
}
