//! Halls that begin where an earlier one ended, with the smallest game.

use std::collections::BTreeMap;

use rules::Seed;

use super::*;
use crate::{
    AfterEnd, Answer, Closing, Command, ConnId, Credential, Event, Ids, Input, Names, NewTable,
    Opened, Policy, Reply, Request, Role, Start, Table, Terms, WayBack,
};
use trials::sums::{BOTS, Config, Sums};

fn terms(change: impl FnOnce(&mut Policy)) -> Terms<Sums> {
    let mut policy = Policy {
        seats: 2,
        names: Names::UniqueAtTable,
        start: Start::WhenFull { ready_grace_ms: 0 },
        hold_waiting_ms: 60_000,
        away_in_play: crate::AwayInPlay::Hold,
        after_end: AfterEnd::Stay,
        way_back: WayBack::Token,
        turn_ms: Some(1000),
        strikes: 0,
        pace_ms: 0,
        broadcast: Default::default(),
        away_stops_clock: false,
        too_slow_for: None,
        heartbeat_ms: None,
        house_bots: Vec::new(),
        house_bots_after_ms: 1000,
        waiting_expire_ms: 3_600_000,
        resume_grace_ms: 0,
        always_open: true,
        single_table: false,
        hides_owed: false,
        hides_legal: false,
        ids: Ids::Numbered("t".to_owned()),
    };
    change(&mut policy);
    Terms { config: Config { patient: true, turns: 3 }, policy }
}

/// A hall, and everything it has written down.
struct Stage {
    hall: Hall<Sums>,
    outputs: Vec<Output<Sums>>,
    journal: BTreeMap<TableNo, Vec<TableRecord<Sums>>>,
}

impl Stage {
    fn new(terms: Terms<Sums>) -> Stage {
        Stage::restored(terms, BTreeMap::new())
    }

    /// The next hall, with what this one has written down.
    fn restarted(self, terms: Terms<Sums>) -> Stage {
        Stage::restored(terms, self.journal)
    }

    fn restored(terms: Terms<Sums>, journal: BTreeMap<TableNo, Vec<TableRecord<Sums>>>) -> Stage {
        let is_open = |records: &[TableRecord<Sums>]| {
            !records.iter().any(|record| matches!(record, TableRecord::Closed(_)))
        };
        let records = journal.iter().map(|(no, records)| (*no, records.clone()));
        let (tables, lately_over): (Vec<_>, _) = records.partition(|(_, records)| is_open(records));
        let recorded = |(no, records)| (no, Recorded::written_at(Time(0), records));
        let tables = tables.into_iter().map(recorded).collect();
        let next_table = journal.last_key_value().map_or(1, |(no, _)| no.0 + 1);
        let hall = Hall::new(terms, BOTS, 10, Seed::from_number(7));
        let mut stage = Stage { hall, outputs: Vec::new(), journal };
        let unfinished = Unfinished { tables, lately_over, next_table, ..Unfinished::default() };
        stage.hall.restore(Time(1000), unfinished, &mut stage.outputs).expect("plain records");
        stage.write_down();
        stage
    }

    fn input(&mut self, at: u64, input: Input<Sums>) {
        self.outputs.clear();
        self.hall.handle(Time(at), input, &mut self.outputs);
        self.write_down();
    }

    fn write_down(&mut self) {
        for output in &self.outputs {
            if let Output::TableRecord(entry) = output {
                let records = self.journal.entry(entry.table).or_default();
                records.push((*entry.record).clone());
            }
        }
    }

    fn join(&mut self, at: u64, conn: u64, table: Option<&str>) {
        let name = format!("p{conn}").as_str().into();
        let table = table.map(Into::into);
        let join = Command::Join { table, name, role: Role::Player, joined_via: None };
        self.input(at, Input::Said(ConnId(conn), join));
    }

    fn open(&self) -> Vec<&Table<Sums>> {
        let tables = self.hall.tables().map(|(_, table)| table);
        tables.filter(|table| table.phase() != Phase::Closed).collect()
    }
}

/// A table that the house had opened and nobody had come to kept the settings of the start before:
/// with house bots asked for now, whoever sat down there waited for ever.
#[test]
fn f01_empty_house_tables_follow_the_settings_of_the_start() {
    let stage = Stage::new(terms(|_| {}));
    assert_eq!(stage.open().len(), 1);
    let with_bots = terms(|policy| policy.house_bots = vec![BOTS[0].name.to_owned()]);
    let mut stage = stage.restarted(with_bots.clone());
    assert_eq!(stage.open().len(), 1, "one is listed, not two");
    assert_eq!(stage.open()[0].opened().terms, with_bots);
    stage.join(2000, 1, None);
    stage.input(3000, Input::Tick);
    assert_eq!(stage.open()[0].phase(), Phase::Playing, "a house bot has come");

    // Where nothing has changed, nothing changes.
    let stage = Stage::new(with_bots.clone());
    let before = stage.open()[0].opened().id.clone();
    assert_eq!(stage.restarted(with_bots).open()[0].opened().id, before);
}

/// Whoever sits at a table keeps it as it is; and what an organiser opened is its own.
#[test]
fn f01_tables_with_players_and_organisers_tables_stay_as_they_are() {
    let mut stage = Stage::new(terms(|_| {}));
    stage.join(2000, 1, None);
    let new = NewTable {
        terms: terms(|_| {}),
        id: Some("own".into()),
        reserved: Vec::new(),
        seed: None,
        bots_at_once: false,
    };
    stage.input(2000, Input::Asked(1, Request::Open(Box::new(new))));
    let before: Vec<Name> = stage.open().iter().map(|table| table.opened().id.clone()).collect();
    assert_eq!(before.len(), 2);
    let stage = stage.restarted(terms(|policy| policy.turn_ms = Some(5000)));
    let after: Vec<Name> = stage.open().iter().map(|table| table.opened().id.clone()).collect();
    assert_eq!(after, before);
}

/// With as many strategies as seats, a table opened by an organiser was filled with house bots and
/// played at once, though they were the server's and nobody had asked for them there.
#[test]
fn f09_house_bots_of_the_server_wait_for_somebody_at_created_tables_too() {
    let name = BOTS[0].name.to_owned();
    let terms = terms(|policy| policy.house_bots = vec![name.clone(), name]);
    for bots_at_once in [false, true] {
        let mut stage = Stage::new(terms.clone());
        let (terms, id) = (terms.clone(), Some("own".into()));
        let new = NewTable { terms, id, reserved: Vec::new(), seed: None, bots_at_once };
        stage.input(2000, Input::Asked(1, Request::Open(Box::new(new))));
        let Some(Output::Reply(1, Reply::Table(info))) =
            stage.outputs.iter().find(|output| matches!(output, Output::Reply(..)))
        else {
            panic!("the table is opened")
        };
        assert_eq!(info.players > 0, bots_at_once, "unless they are asked for by name");
        if !bots_at_once {
            stage.join(2200, 1, Some("own"));
            let players = |stage: &Stage| {
                let own = stage.open().into_iter().find(|table| *table.opened().id == *"own");
                own.expect("it is open").seated().count()
            };
            stage.input(3199, Input::Tick);
            assert_eq!(players(&stage), 1, "people have their second");
            stage.input(3200, Input::Tick);
            assert_eq!(players(&stage), 2);
        }
    }
}

/// A game that nobody can come back to ended without a word when the server was stopped.
#[test]
fn f15_a_stop_closes_tables_without_a_way_back_and_no_others() {
    for (way_back, is_closed) in [(WayBack::None, true), (WayBack::Token, false)] {
        let mut stage = Stage::new(terms(|policy| policy.way_back = way_back));
        stage.join(2000, 1, None);
        stage.join(2000, 2, None);
        stage.input(3000, Input::ShuttingDown);
        let is_told = |output: &&Output<Sums>| matches!(output, Output::Tell(_, Event::Over(_)));
        let told = stage.outputs.iter().filter(is_told).count();
        assert_eq!(told, if is_closed { 2 } else { 0 }, "{way_back:?}");
        let playing = stage.open().iter().any(|table| table.phase() == Phase::Playing);
        assert_eq!(playing, !is_closed, "{way_back:?}");
    }
}

/// Killed between the end of a game and the telling of it: the token was unknown after the start,
/// and nobody ever heard how the game had ended.
#[test]
fn f18_whoever_comes_back_to_a_game_that_ended_before_a_restart_hears_the_end() {
    let mut stage = Stage::new(terms(|_| {}));
    let mut tokens = Vec::new();
    for conn in [1, 2] {
        stage.join(2000, conn, None);
        let token = stage.outputs.iter().find_map(|output| match output {
            Output::Answer(_, Answer::Joined(joined)) => joined.token.clone(),
            _ => None,
        });
        tokens.push(token.expect("everybody has a token"));
    }
    for (seq, at) in [(0, 3000), (1, 4000), (2, 5000)] {
        for conn in [1, 2] {
            let action = conn as u8;
            stage.input(at, Input::Said(ConnId(conn), Command::Act { seq, action }));
        }
    }
    let is_over = |output: &Output<Sums>| matches!(output, Output::Tell(_, Event::Over(_)));
    assert!(stage.outputs.iter().any(is_over), "the game is over");
    let mut stage = stage.restarted(terms(|_| {}));
    let mut resume = |conn: u64, token: &str| {
        let token = Credential::Token(token.to_owned());
        stage.input(6000, Input::Said(ConnId(conn), Command::Resume(token)));
        (format!("{:?}", stage.outputs[0]), stage.outputs.iter().any(is_over))
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
fn f25_a_game_is_kept_of_every_table_that_closes_however_many_do_at_once() {
    let terms = terms(|policy| policy.way_back = WayBack::None);
    let mut stage = Stage::new(terms.clone());
    stage.join(2000, 1, None);
    stage.join(2000, 2, None);
    let (_, begun) = stage.journal.pop_first().expect("a table that has begun");
    let numbered = |no: u64| {
        let mut records = begun.clone();
        let Some(TableRecord::Opened(opened)) = records.first_mut() else { panic!("it begins so") };
        let id = format!("table-{no}").as_str().into();
        *opened = Opened { id, ..(**opened).clone() }.into();
        (TableNo(no), records)
    };
    let stage = Stage::restored(terms, (1..=1500).map(numbered).collect());
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

/// A table begun by other rules kept the server from starting, although nobody could have gone on
/// there.
#[test]
fn f26_a_table_of_other_rules_that_nobody_can_go_on_with_is_closed() {
    let other_rules = |way_back: WayBack| {
        let terms = terms(|policy| policy.way_back = way_back);
        let mut stage = Stage::new(terms.clone());
        stage.join(2000, 1, None);
        stage.join(2000, 2, None);
        let (no, mut records) = stage.journal.pop_first().expect("a table that has begun");
        let Some(TableRecord::Opened(opened)) = records.first_mut() else { panic!("it begins so") };
        *opened = Opened { version: 0, ..(**opened).clone() }.into();
        let mut hall = Hall::new(terms, BOTS, 10, Seed::from_number(7));
        let tables = vec![(no, Recorded::written_at(Time(0), records))];
        let unfinished = Unfinished { tables, ..Unfinished::default() };
        let mut outputs = Vec::new();
        hall.restore(Time(3000), unfinished, &mut outputs).map(|()| outputs)
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
    let mut stage = Stage::new(terms(|_| {}));
    let waiting = stage.journal.values().next().expect("one is always open").clone();
    stage.join(2000, 1, None);
    stage.join(2000, 2, None);
    let begun = stage.journal.values().next().expect("a table that has begun").clone();
    let started = |record: &TableRecord<Sums>| matches!(record, TableRecord::Started { .. });
    let start = begun.iter().position(started).expect("it has begun");
    let seat = rules::Seat(0);
    let nobody: Vec<_> = [&waiting[..], &begun[start..=start]].concat();
    for records in [
        [&waiting[..], &[TableRecord::Ready { seat: rules::Seat(9) }]].concat(),
        [&begun[..], &[TableRecord::Left { seat }]].concat(),
        nobody,
    ] {
        let mut hall = Hall::new(terms(|_| {}), BOTS, 10, Seed::from_number(7));
        let tables = vec![(TableNo(1), Recorded::written_at(Time(0), records.clone()))];
        let unfinished = Unfinished { tables, ..Unfinished::default() };
        let taken_up = hall.restore(Time(1000), unfinished, &mut Vec::new());
        let refused = taken_up.expect_err("nothing of the kind can happen").to_string();
        assert!(refused.starts_with("table 1 cannot be taken up again: "), "{refused}");
    }
}
