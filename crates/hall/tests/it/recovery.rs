//! Halls that begin where an earlier one ended.

use std::collections::BTreeMap;

use hall::{
    Answer, Closing, Command, ConnId, Credential, Event, Input, Name, NewTable, Opened, Output,
    Phase, Policy, Recorded, Reply, Request, RestoreError, Table, TableNo, TableRecord, Terms,
    Time, WayBack,
};
use rules::Seed;
use trials::stage::Stage;
use trials::sums::{BOTS, Config, Sums};

use super::sitting::policy;

fn terms(change: impl FnOnce(&mut Policy)) -> Terms {
    let mut policy = Policy {
        hold_waiting_ms: 60_000,
        house_bots_after_ms: 1000,
        waiting_expire_ms: 3_600_000,
        always_open: true,
        ..policy()
    };
    change(&mut policy);
    Terms::new::<Sums>(Config { patient: true, turns: 3 }, policy)
}

/// A server that begins with nothing.
fn begun(terms: Terms) -> Stage {
    begun_with(terms, BTreeMap::new()).expect("nothing is plain")
}

/// A server that begins with these tables.
fn begun_with(
    terms: Terms,
    tables: BTreeMap<TableNo, Vec<TableRecord>>,
) -> Result<Stage, RestoreError> {
    let mut stage = Stage::new(terms.clone(), BOTS, 10, Seed::from_number(7));
    let recorded = |(no, records)| (no, Recorded::written_at(Time(0), records));
    stage.written.tables = tables.into_iter().map(recorded).collect();
    stage.now = Time(1000);
    restart(&mut stage, terms)?;
    Ok(stage)
}

/// The server ends, and the next one begins with what this one has written down.
fn restart(stage: &mut Stage, terms: Terms) -> Result<(), RestoreError> {
    stage.terms = terms;
    stage.restart(Seed::from_number(7))
}

fn input(stage: &mut Stage, at: u64, input: Input) {
    stage.now = Time(at);
    stage.handle(input);
}

fn join(stage: &mut Stage, conn: u64, table: Option<&str>) {
    stage.now = Time(2000);
    stage.join(ConnId(conn), &format!("p{conn}"), table);
}

/// The records of a table where two have begun a game.
fn records_of_two(terms: Terms) -> Vec<TableRecord> {
    let mut stage = begun(terms);
    join(&mut stage, 1, None);
    join(&mut stage, 2, None);
    stage.written.records(1)
}

fn open(stage: &Stage) -> Vec<&Table> {
    let tables = stage.hall.tables().map(|(_, table)| table);
    tables.filter(|table| table.phase() != Phase::Closed).collect()
}

/// An empty table that the server had opened kept the settings of the previous start: house bots
/// had been enabled since, but a player who sat down there waited forever.
#[test]
fn empty_permanent_tables_follow_the_settings_of_the_start() {
    let mut stage = begun(terms(|_| {}));
    assert_eq!(open(&stage).len(), 1);
    let with_bots = terms(|policy| policy.house_bots = vec![BOTS[0].name.to_owned()]);
    restart(&mut stage, with_bots.clone()).expect("plain records");
    assert_eq!(open(&stage).len(), 1, "one is listed, not two");
    assert_eq!(open(&stage)[0].opened().terms, with_bots);
    join(&mut stage, 1, None);
    input(&mut stage, 3000, Input::Tick);
    assert_eq!(open(&stage)[0].phase(), Phase::Playing, "a house bot has come");

    // Where nothing has changed, nothing changes.
    let mut stage = begun(with_bots.clone());
    let before = open(&stage)[0].opened().id.clone();
    restart(&mut stage, with_bots).expect("plain records");
    assert_eq!(open(&stage)[0].opened().id, before);
}

/// A table with players keeps its settings; and what an organiser opened is the organiser's.
#[test]
fn tables_with_players_and_organisers_tables_keep_their_settings_after_a_restart() {
    let mut stage = begun(terms(|_| {}));
    join(&mut stage, 1, None);
    let new = NewTable {
        terms: terms(|_| {}),
        id: Some("own".into()),
        reserved: Vec::new(),
        seed: None,
        bots_at_once: false,
    };
    input(&mut stage, 2000, Input::Asked(1, Request::Open(Box::new(new))));
    let before: Vec<Name> = open(&stage).iter().map(|table| table.opened().id.clone()).collect();
    assert_eq!(before.len(), 2);
    restart(&mut stage, terms(|policy| policy.turn_ms = Some(5000))).expect("plain records");
    let after: Vec<Name> = open(&stage).iter().map(|table| table.opened().id.clone()).collect();
    assert_eq!(after, before);
}

/// With as many strategies as seats, a table opened by an organiser was filled with house bots and
/// played at once, though they were meant for the server's own tables.
#[test]
fn house_bots_wait_for_a_player_at_created_tables_too() {
    let name = BOTS[0].name.to_owned();
    let terms = terms(|policy| policy.house_bots = vec![name.clone(), name]);
    for bots_at_once in [false, true] {
        let mut stage = begun(terms.clone());
        let (terms, id) = (terms.clone(), Some("own".into()));
        let new = NewTable { terms, id, reserved: Vec::new(), seed: None, bots_at_once };
        input(&mut stage, 2000, Input::Asked(1, Request::Open(Box::new(new))));
        let Some(Output::Reply(1, Reply::Table(info))) =
            stage.outputs.iter().find(|output| matches!(output, Output::Reply(..)))
        else {
            panic!("the table is opened")
        };
        assert_eq!(info.players > 0, bots_at_once, "unless they are asked for by name");
        if !bots_at_once {
            stage.now = Time(2200);
            stage.join(ConnId(1), "p1", Some("own"));
            let players = |stage: &Stage| {
                let own = open(stage).into_iter().find(|table| *table.opened().id == *"own");
                own.expect("it is open").seated().count()
            };
            input(&mut stage, 3199, Input::Tick);
            assert_eq!(players(&stage), 1, "people have their second");
            input(&mut stage, 3200, Input::Tick);
            assert_eq!(players(&stage), 2);
        }
    }
}

/// A game that cannot be rejoined ended without a message when the server was stopped.
#[test]
fn a_stop_closes_only_tables_that_cannot_be_rejoined() {
    for (way_back, is_closed) in [(WayBack::None, true), (WayBack::Token, false)] {
        let mut stage = begun(terms(|policy| policy.way_back = way_back));
        join(&mut stage, 1, None);
        join(&mut stage, 2, None);
        input(&mut stage, 3000, Input::ShuttingDown);
        let is_told = |(_, event): &(_, Event)| matches!(event, Event::Over(_));
        let told = stage.events().filter(is_told).count();
        assert_eq!(told, if is_closed { 2 } else { 0 }, "{way_back:?}");
        let playing = open(&stage).iter().any(|table| table.phase() == Phase::Playing);
        assert_eq!(playing, !is_closed, "{way_back:?}");
    }
}

/// Killed between the end of a game and sending it: the token was unknown after the start, and no
/// player ever learned how the game had ended.
#[test]
fn a_player_who_returns_after_a_restart_receives_the_end_of_the_game() {
    let mut stage = begun(terms(|_| {}));
    let mut tokens = Vec::new();
    for conn in [1, 2] {
        join(&mut stage, conn, None);
        let token = stage.outputs.iter().find_map(|output| match output.answer()? {
            (_, Answer::Joined(joined)) => joined.token.clone(),
            _ => None,
        });
        tokens.push(token.expect("everybody has a token"));
    }
    for (seq, at) in [(0, 3000), (1, 4000), (2, 5000)] {
        for conn in [1, 2] {
            let action = conn as u8;
            input(&mut stage, at, Input::Said(ConnId(conn), Command::act::<Sums>(seq, action)));
        }
    }
    let is_over = |(_, event): (_, Event)| matches!(event, Event::Over(_));
    assert!(stage.events().any(is_over), "the game is over");
    restart(&mut stage, terms(|_| {})).expect("plain records");
    let mut resume = |conn: u64, token: &str| {
        let token = Credential::Token(token.to_owned());
        input(&mut stage, 6000, Input::Said(ConnId(conn), Command::Resume(token)));
        (format!("{:?}", stage.outputs[0]), stage.events().any(is_over))
    };
    for (conn, token) in [3, 4].into_iter().zip(&tokens) {
        let (answer, told) = resume(conn, token);
        assert!(answer.contains("Joined") && told, "{answer}");
    }
    let (answer, told) = resume(5, &tokens[0]);
    assert!(answer.contains("Refused(AlreadyOver)") && !told, "it is told once: {answer}");
}

/// What the archive keeps of a game was asked of the hall as it was after the batch: a table that
/// was forgotten in the batch that closed it left no finished game.
#[test]
fn every_table_that_closes_is_archived_however_many_close_at_once() {
    let terms = terms(|policy| policy.way_back = WayBack::None);
    let begun = records_of_two(terms.clone());
    let numbered = |no: u64| {
        let mut records = begun.clone();
        let Some(TableRecord::Opened(opened)) = records.first_mut() else { panic!("it begins so") };
        let id = format!("table-{no}").as_str().into();
        *opened = Opened { id, ..(**opened).clone() }.into();
        (TableNo(no), records)
    };
    let tables = (1..=1500).map(numbered).collect();
    let stage = begun_with(terms, tables).expect("plain records");
    let summaries = stage.outputs.iter().filter_map(|output| match output {
        Output::TableRecord(entry) => entry.summary.as_deref(),
        _ => None,
    });
    let summaries: Vec<_> = summaries.collect();
    assert_eq!(summaries.len(), 1500);
    for (no, summary) in (1..).zip(summaries) {
        assert_eq!(*summary.id, *format!("table-{no}"));
        assert_eq!(summary.names.iter().map(|name| &**name).collect::<Vec<_>>(), ["p1", "p2"]);
        assert!(matches!(summary.closing, Closing::Void(_)));
    }
}

/// A table begun by other rules kept the server from starting, although no one could have continued
/// there.
#[test]
fn a_table_that_current_rules_cannot_continue_is_closed() {
    let other_rules = |way_back: WayBack| {
        let terms = terms(|policy| policy.way_back = way_back);
        let mut records = records_of_two(terms.clone());
        let Some(TableRecord::Opened(opened)) = records.first_mut() else { panic!("it begins so") };
        *opened = Opened { version: 0, ..(**opened).clone() }.into();
        begun_with(terms, BTreeMap::from([(TableNo(1), records)])).map(|stage| stage.outputs)
    };
    let refused = other_rules(WayBack::Token).expect_err("it could go on by its own rules");
    assert!(refused.to_string().contains("under version 0 of the rules"), "{refused}");
    let outputs = other_rules(WayBack::None).expect("nobody could go on");
    let summary = outputs.iter().find_map(|output| match output {
        Output::TableRecord(entry) => entry.summary.clone(),
        _ => None,
    });
    let summary = summary.expect("the game stays listed");
    assert_eq!(summary.rules_version, 0);
    assert!(matches!(summary.closing, Closing::Void(_)));
}

/// A journal with such a record ended the server with a panic, at once or at the next clock.
#[test]
fn a_table_whose_records_cannot_have_happened_is_refused_with_a_message() {
    let waiting = begun(terms(|_| {})).written.records(1);
    let begun = records_of_two(terms(|_| {}));
    let started = |record: &TableRecord| matches!(record, TableRecord::Started { .. });
    let start = begun.iter().position(started).expect("it has begun");
    let seat = rules::Seat(0);
    let nobody: Vec<_> = [&waiting[..], &begun[start..=start]].concat();
    for records in [
        [&waiting[..], &[TableRecord::Ready { seat: rules::Seat(9) }]].concat(),
        [&begun[..], &[TableRecord::Left { seat }]].concat(),
        nobody,
    ] {
        let taken_up = begun_with(terms(|_| {}), BTreeMap::from([(TableNo(1), records)]));
        let refused = taken_up.expect_err("nothing of the kind can happen").to_string();
        assert!(refused.starts_with("table 1 cannot be continued: "), "{refused}");
    }
}
