//! The clocks of every game, as docs/reference/time-limits.md has them.

use hall::{
    AwayInPlay, Broadcast, Command, ConnId, Hall, Input, Output, Phase, Policy, Role, TableNo,
    Terms, Time,
};
use rules::Seed;
use serde_json::{Map, Value, json};
use wire::{Playable, overlay, tournament_terms};

use crate::gamba::Gamba;
use crate::labyrinth::{Action, Labyrinth};
use crate::subsim::SubSim;
use crate::sushi_go::SushiGo;
use crate::tiger_dragon::TigerDragon;

fn object(value: Value) -> Map<String, Value> {
    value.as_object().expect("options are an object").clone()
}

/// What open tables and tournaments are played by.
fn policies<G: Playable>() -> (Policy, Policy) {
    let open = G::terms(&G::Options::default()).expect("the defaults are valid");
    let cup = tournament_terms::<G>(&G::Options::default(), &Map::new()).expect("these too");
    (open.policy, cup.policy)
}

/// Two games had no clock by default, and a silent bot stopped a tournament forever.
#[test]
fn every_game_has_a_clock_by_default() {
    use AwayInPlay::{BotAfter, Hold, Retire, RetireAfter, RetireAfterMove};
    let turn = |(open, cup): &(Policy, Policy)| (open.turn_ms, cup.turn_ms);
    let away = |(open, cup): &(Policy, Policy)| (open.away_in_play, cup.away_in_play);
    let sushi_go = policies::<SushiGo>();
    assert_eq!(turn(&sushi_go), (Some(12_000), Some(10_000)));
    assert_eq!(away(&sushi_go), (Hold, Hold));
    let subsim = policies::<SubSim>();
    assert_eq!(turn(&subsim), (Some(10_000), Some(10_000)));
    assert_eq!(away(&subsim), (Retire, Retire));
    let labyrinth = policies::<Labyrinth>();
    assert_eq!(turn(&labyrinth), (Some(10_000), Some(10_000)));
    assert_eq!(away(&labyrinth), (RetireAfterMove, RetireAfterMove));
    let gamba = policies::<Gamba>();
    assert_eq!(turn(&gamba), (Some(60_000), Some(10_000)));
    assert_eq!(away(&gamba), (RetireAfter { ms: 120_000 }, RetireAfter { ms: 30_000 }));
    assert!(gamba.0.away_stops_clock && gamba.1.away_stops_clock);
    let tiger_dragon = policies::<TigerDragon>();
    assert_eq!(turn(&tiger_dragon), (Some(60_000), Some(10_000)));
    assert_eq!(away(&tiger_dragon), (BotAfter { ms: 300_000 }, RetireAfter { ms: 30_000 }));
    for (open, cup) in [sushi_go, subsim, labyrinth, gamba, tiger_dragon] {
        assert_eq!((open.strikes, cup.strikes, open.pace_ms, cup.pace_ms), (3, 3, 0, 0));
        assert_eq!((open.strikes_in_all, cup.strikes_in_all), (10, 10));
        assert_eq!((open.game_ms, cup.game_ms), (None, Some(3_600_000)));
    }
}

#[test]
fn a_tournament_is_played_as_the_server_or_the_organiser_says() {
    let turn_ms = |server: Value, organiser: Value| {
        let server = overlay::<Gamba>(&Default::default(), &object(server))?;
        let terms = tournament_terms::<Gamba>(&server, &object(organiser))?;
        Ok::<_, String>(terms.policy.turn_ms)
    };
    assert_eq!(turn_ms(json!({}), json!({})), Ok(Some(10_000)));
    assert_eq!(turn_ms(json!({"turn_timeout_ms": 20_000}), json!({})), Ok(Some(20_000)));
    assert_eq!(turn_ms(json!({}), json!({"turn_timeout_ms": 60_000})), Ok(Some(60_000)));
    assert_eq!(turn_ms(json!({}), json!({"turn_timeout_s": 5})), Ok(Some(5000)));
    assert_eq!(turn_ms(json!({}), json!({"turn_timeout_ms": 0})), Ok(None));
    let both = turn_ms(json!({}), json!({"turn_timeout_s": 5, "turn_timeout_ms": 5000}));
    assert!(both.unwrap_err().contains("older name"));
}

#[test]
fn a_pace_has_its_limits() {
    let paced = |ms: u64| {
        let options = overlay::<SushiGo>(&Default::default(), &object(json!({"pace_ms": ms})))?;
        SushiGo::terms(&options)
    };
    assert_eq!(paced(10_000).unwrap().policy.pace_ms, 10_000);
    assert_eq!(paced(10_001).unwrap_err(), "pace_ms is 10001; allowed are 0 to 10000");
}

/// The end of a game is acknowledged, and a player who did not do it could hold a table forever.
#[test]
fn waiting_for_the_end_of_a_game_has_a_limit() {
    let options = overlay::<Labyrinth>(
        &Default::default(),
        &object(json!({"turn_timeout_ms": 0, "gather_ms": 0})),
    );
    let terms: Terms = Labyrinth::terms(&options.unwrap()).unwrap();
    let mut hall = Hall::new(terms, Labyrinth::hooks(), 10, Seed::from_number(1));
    let said = |hall: &mut Hall, conn, command| {
        let mut outputs: Vec<Output> = Vec::new();
        hall.handle(Time(1000), Input::Said(conn, command), &mut outputs);
    };
    let players = [(ConnId(1), "ann"), (ConnId(2), "bob")];
    for (conn, name) in players {
        let (name, role) = (name.into(), Role::Player);
        said(&mut hall, conn, Command::Join { table: None, name, role, joined_via: None });
    }
    for (seq, (conn, _)) in (0..).zip(players.into_iter().rev()) {
        said(&mut hall, conn, Command::act::<Labyrinth>(seq, Action::Pass));
    }
    let phase = |hall: &Hall| hall.table(TableNo(1)).map(|table| table.phase());
    assert_eq!(phase(&hall), Some(Phase::Playing));
    assert_eq!(hall.deadline(), Some(Time(9000)));
    hall.handle(Time(9000), Input::Tick, &mut Vec::new());
    assert_eq!(phase(&hall), Some(Phase::Closed));
}

/// A player who has not placed its submarines in time is not removed for it; later silence removes.
#[test]
fn silence_places_submarines_at_random_and_removes_nobody() {
    let options = overlay::<SubSim>(&Default::default(), &object(json!({"gather_ms": 0})));
    let terms = SubSim::terms(&options.unwrap()).unwrap();
    let mut hall = Hall::new(terms, SubSim::hooks(), 10, Seed::from_number(1));
    for (conn, name) in [(ConnId(1), "ann"), (ConnId(2), "bob")] {
        let (name, role) = (name.into(), Role::Player);
        let join = Command::Join { table: None, name, role, joined_via: None };
        hall.handle(Time(1000), Input::Said(conn, join), &mut Vec::new());
    }
    hall.handle(Time(1000), Input::Tick, &mut Vec::new());
    let retired = |hall: &Hall| {
        let table = hall.table(TableNo(1)).expect("the first table");
        (table.seq(), table.seated().filter(|(_, chair)| chair.retired).count())
    };
    assert_eq!(retired(&hall), (0, 0));
    hall.handle(Time(11_000), Input::Tick, &mut Vec::new());
    assert_eq!(retired(&hall), (1, 0));
    hall.handle(Time(21_000), Input::Tick, &mut Vec::new());
    assert_eq!(retired(&hall), (2, 2));
}

/// An organiser decides what spectators see, and all at the table are informed.
#[test]
fn a_table_says_what_is_broadcast() {
    let told = |word: &str| {
        let options = overlay::<SushiGo>(&Default::default(), &object(json!({"broadcast": word})))?;
        SushiGo::terms(&options).map(|terms| terms.policy.broadcast)
    };
    assert_eq!(told("public"), Ok(Broadcast::Public));
    assert_eq!(told("delayed"), Ok(Broadcast::Delayed));
    assert_eq!(told("full"), Ok(Broadcast::Full));
    assert!(told("loud").unwrap_err().contains("broadcast"), "{:?}", told("loud"));
}
