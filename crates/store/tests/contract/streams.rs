//! What is open: appended, read back, taken over.

use std::collections::BTreeMap;

use store::{AUDIT, Batch, HOUSE, Kind, Mark, StoreError, Topic};

use crate::storage::{
    Hold, Storage, closes, lines, lines_of, moves, of_tournament, opens, row, vanishes,
};

pub fn what_is_appended_is_read_back_in_order(place: &dyn Storage) {
    let mut hold = Hold::on(place);
    assert_eq!(hold.loaded.open, BTreeMap::new());
    assert_eq!((hold.loaded.next_table, hold.loaded.next_tournament), (1, 1));
    for rows in [
        vec![opens(1), opens(2), moves(2, 0)],
        vec![],
        vec![moves(1, 0)],
        vec![moves(2, 1), opens(7), moves(1, 1)],
    ] {
        hold.append(rows);
    }
    drop(hold);
    for _ in 0..3 {
        let loaded = Hold::on(place).loaded;
        let expected = [
            (Topic::Table(1), lines(&[opens(1), moves(1, 0), moves(1, 1)])),
            (Topic::Table(2), lines(&[opens(2), moves(2, 0), moves(2, 1)])),
            (Topic::Table(7), lines(&[opens(7)])),
        ];
        assert_eq!(loaded.open, BTreeMap::from(expected));
        assert_eq!((loaded.next_table, loaded.next_tournament), (8, 1));
    }
}

pub fn what_is_open_can_be_read_by_whoever_does_not_write(place: &dyn Storage) {
    let mut hold = Hold::on(place);
    hold.append(vec![opens(1), opens(2), moves(2, 0)]);
    hold.append(vec![moves(1, 0), moves(2, 1)]);
    let archive = place.archive();
    let so_far = |stream, topic| archive.so_far(stream, topic).unwrap();
    let expected = lines(&[opens(2), moves(2, 0), moves(2, 1)]);
    assert_eq!(so_far("go", Topic::Table(2)), expected);
    for (stream, topic) in [("chess", Topic::Table(2)), ("go", Topic::Tournament(2))] {
        assert_eq!(so_far(stream, topic), []);
    }
    hold.append(vec![closes(2, 100)]);
    assert_eq!(so_far("go", Topic::Table(2)), []);
    hold.append(vec![moves(1, 1)]);
    assert_eq!(so_far("go", Topic::Table(1)).len(), 3);
}

pub fn streams_and_kinds_are_told_apart(place: &dyn Storage) {
    let mut hold = Hold::on(place);
    hold.append(vec![opens(1), of_tournament(opens(1)), moves(1, 0), of_tournament(opens(4))]);
    let chess = hold.journal.load("chess").unwrap();
    let batch = Batch { stream: "chess".into(), epoch: chess.epoch, rows: vec![opens(1)] };
    hold.journal.append(vec![batch]).unwrap();
    drop(hold);
    let mut hold = Hold::on(place);
    assert_eq!(hold.loaded.open[&Topic::Table(1)].len(), 2);
    assert_eq!(hold.loaded.open[&Topic::Tournament(1)].len(), 1);
    assert_eq!((hold.loaded.next_table, hold.loaded.next_tournament), (2, 5));
    let chess = hold.journal.load("chess").unwrap();
    assert_eq!((chess.open.len(), chess.next_table, chess.next_tournament), (1, 2, 1));
    assert_eq!(hold.journal.streams().unwrap(), ["chess", "go"]);
    assert_eq!(hold.journal.load("draughts").unwrap().open, BTreeMap::new());
    assert_eq!(hold.journal.streams().unwrap(), ["chess", "go"]);
}

pub fn the_register_of_the_house_is_kept_and_is_no_table(place: &dyn Storage) {
    let claimed = |at| row(Topic::Register, at, r#"{"claimed":"ann"}"#, Mark::Continues);
    let mut hold = Hold::on(place);
    hold.append(vec![opens(1)]);
    let house = hold.journal.load(HOUSE).unwrap();
    for at in [5, 6] {
        let rows = vec![claimed(at)];
        let batch = Batch { stream: HOUSE.into(), epoch: house.epoch, rows };
        hold.journal.append(vec![batch]).unwrap();
    }
    drop(hold);
    let mut journal = place.journal();
    let house = journal.load(HOUSE).unwrap();
    assert_eq!(
        house.open,
        BTreeMap::from([(Topic::Register, lines_of(HOUSE, &[claimed(5), claimed(6)]))])
    );
    assert_eq!((house.next_table, house.next_tournament), (1, 1));
    drop(journal);
    let size = place.archive().size().unwrap();
    assert_eq!((size.open_tables, size.open_tournaments), (1, 0));
}

pub fn pages_of_a_log_are_kept_until_they_close_and_are_no_tables(place: &dyn Storage) {
    let act = |page, at, mark| row(Topic::Page(page), at, r#"{"who":"ann"}"#, mark);
    let mut hold = Hold::on(place);
    let log = hold.journal.load(AUDIT).unwrap();
    let all = [act(0, 5, Mark::Opens), act(1, 6, Mark::Opens), act(1, 7, Mark::Continues)];
    let closes = act(0, 8, Mark::Closes(None));
    for row in all.iter().chain([&closes]) {
        let batch = Batch { stream: AUDIT.into(), epoch: log.epoch, rows: vec![row.clone()] };
        hold.journal.append(vec![batch]).unwrap();
    }
    drop(hold);
    let log = place.journal().load(AUDIT).unwrap();
    assert_eq!(log.open, BTreeMap::from([(Topic::Page(1), lines_of(AUDIT, &all[1..]))]));
    let size = place.archive().size().unwrap();
    assert_eq!((size.open_tables, size.open_tournaments), (0, 0));
}

pub fn a_table_may_open_and_close_in_one_batch(place: &dyn Storage) {
    let mut hold = Hold::on(place);
    hold.append(vec![opens(1), moves(1, 0), opens(2), closes(1, 1500), opens(3), vanishes(3)]);
    hold.append(vec![moves(2, 0), closes(2, 2500)]);
    drop(hold);
    let loaded = Hold::on(place).loaded;
    assert_eq!((loaded.open, loaded.next_table), (BTreeMap::new(), 4));
    let archive = place.archive();
    let replay = |id| archive.replay(Kind::Table, "go", id).unwrap().map(|replay| replay.lines);
    assert_eq!(replay("game-1"), Some(lines(&[opens(1), moves(1, 0), closes(1, 1500)])));
    assert_eq!(replay("game-2"), Some(lines(&[opens(2), moves(2, 0), closes(2, 2500)])));
    assert_eq!(replay("game-3"), None);
}

pub fn what_is_closed_may_open_again_in_the_same_batch(place: &dyn Storage) {
    let mut hold = Hold::on(place);
    hold.append(vec![opens(1), moves(1, 0), opens(2)]);
    hold.append(vec![moves(1, 1), vanishes(1), opens(1), moves(1, 7)]);
    hold.append(vec![moves(1, 8)]);
    drop(hold);
    let mut hold = Hold::on(place);
    let expected = lines(&[opens(1), moves(1, 7), moves(1, 8)]);
    assert_eq!(hold.loaded.open[&Topic::Table(1)], expected);
    hold.append(vec![closes(1, 1500)]);
    let replay = place.archive().replay(Kind::Table, "go", "game-1").unwrap().unwrap();
    assert_eq!(replay.lines, lines(&[opens(1), moves(1, 7), moves(1, 8), closes(1, 1500)]));
}

pub fn batches_of_several_streams_become_durable_together(place: &dyn Storage) {
    let mut hold = Hold::on(place);
    let epoch = hold.journal.load("chess").unwrap().epoch;
    let chess = |rows| Batch { stream: "chess".into(), epoch, rows };
    let batches = [
        hold.batch(vec![opens(1), moves(1, 0)]),
        chess(vec![opens(1), closes(1, 1500)]),
        hold.batch(vec![moves(1, 1), closes(1, 1600)]),
    ];
    hold.journal.append(batches.to_vec()).unwrap();
    let archive = place.archive();
    let replay = |game| archive.replay(Kind::Table, game, "game-1").unwrap().unwrap().lines;
    assert_eq!(replay("chess"), lines_of("chess", &[opens(1), closes(1, 1500)]));
    assert_eq!(replay("go"), lines(&[opens(1), moves(1, 0), moves(1, 1), closes(1, 1600)]));
}

pub fn counters_never_go_back(place: &dyn Storage) {
    let mut hold = Hold::on(place);
    hold.append(vec![opens(9), opens(4)]);
    hold.append(vec![opens(5), vanishes(9)]);
    hold.journal.close().unwrap();
    drop(hold);
    let mut hold = Hold::on(place);
    assert_eq!(hold.loaded.next_table, 10);
    hold.append(vec![opens(6)]);
    drop(hold);
    assert_eq!(Hold::on(place).loaded.next_table, 10);
}

pub fn whoever_loads_a_stream_takes_it_over(place: &dyn Storage) {
    let mut hold = Hold::on(place);
    hold.append(vec![opens(1)]);
    let later = hold.journal.load("go").unwrap();
    assert!(later.epoch > hold.loaded.epoch);
    let refused = hold.try_append(vec![moves(1, 0)]).unwrap_err();
    assert!(
        matches!(&refused, StoreError::Superseded { stream, epoch }
            if stream == "go" && *epoch == hold.loaded.epoch),
        "{refused}"
    );
    hold.loaded = later;
    hold.append(vec![moves(1, 1)]);
    let epoch = hold.loaded.epoch;
    drop(hold);
    let loaded = Hold::on(place).loaded;
    assert_eq!(loaded.open[&Topic::Table(1)], lines(&[opens(1), moves(1, 1)]));
    assert!(loaded.epoch > epoch, "an epoch outlives its journal");
}

pub fn a_refused_append_leaves_nothing_behind(place: &dyn Storage) {
    let mut hold = Hold::on(place);
    hold.append(vec![opens(1)]);
    let old = hold.journal.load("chess").unwrap().epoch;
    hold.journal.load("chess").unwrap();
    let chess = Batch { stream: "chess".into(), epoch: old, rows: vec![opens(1)] };
    let batches = vec![hold.batch(vec![moves(1, 0), closes(1, 1500)]), chess];
    assert!(matches!(hold.journal.append(batches), Err(StoreError::Superseded { .. })));
    drop(hold);
    let loaded = Hold::on(place).loaded;
    assert_eq!(loaded.open[&Topic::Table(1)], lines(&[opens(1)]));
    assert_eq!(place.archive().size().unwrap().games, []);
}

pub fn nobody_writes_to_a_stream_it_has_not_loaded(place: &dyn Storage) {
    let mut hold = Hold::on(place);
    for epoch in [0, 1] {
        let chess = Batch { stream: "chess".into(), epoch, rows: vec![opens(1)] };
        let refused = hold.journal.append(vec![chess]);
        assert!(matches!(refused, Err(StoreError::Superseded { .. })));
    }
    assert_eq!(hold.journal.streams().unwrap(), Vec::<String>::new());
}
