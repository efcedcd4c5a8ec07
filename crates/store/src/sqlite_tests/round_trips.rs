//! Open tables: appended, read back, written anew.

use super::*;

#[test]
fn what_is_appended_is_read_back_in_order() {
    let folder = temp();
    let (mut journal, unfinished) = opened(folder.path());
    assert_eq!(unfinished, Unfinished::default());
    let batches = [
        vec![opens(1), opens(2), moves(2, 0)],
        vec![],
        vec![moves(1, 0)],
        vec![moves(2, 1), opens(7), moves(1, 1)],
    ];
    for batch in batches {
        journal.append(batch).unwrap();
    }
    drop(journal);
    for _ in 0..3 {
        let (_, unfinished) = opened(folder.path());
        let table = |number, rows: &[Row]| (("go".to_owned(), number), lines(rows));
        let expected = [
            table(1, &[opens(1), moves(1, 0), moves(1, 1)]),
            table(2, &[opens(2), moves(2, 0), moves(2, 1)]),
            table(7, &[opens(7)]),
        ];
        assert_eq!(unfinished.tables, BTreeMap::from(expected));
        assert_eq!(unfinished.next_table, BTreeMap::from([("go".to_owned(), 8)]));
    }
}

#[test]
fn games_are_told_apart() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    let other = Row { game: "chess".into(), ..opens(1) };
    journal.append(vec![opens(1), other, moves(1, 0)]).unwrap();
    drop(journal);
    let (_, unfinished) = opened(folder.path());
    assert_eq!(unfinished.tables[&("chess".to_owned(), 1)].len(), 1);
    assert_eq!(unfinished.tables[&("go".to_owned(), 1)].len(), 2);
}

#[test]
fn a_table_may_open_and_close_in_one_batch() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    journal
        .append(vec![opens(1), moves(1, 0), opens(2), closes(1, 1500), opens(3), vanishes(3)])
        .unwrap();
    journal.append(vec![moves(2, 0), closes(2, 2500)]).unwrap();
    assert_eq!((journal.open.len(), journal.open_bytes), (0, 0));
    drop(journal);
    let (_, unfinished) = opened(folder.path());
    assert_eq!(unfinished.tables, BTreeMap::new());
    assert_eq!(unfinished.next_table["go"], 4);
    let archive = SqliteArchive::open(folder.path()).unwrap();
    let replay = |id| archive.replay("go", id).unwrap().map(|replay| replay.lines);
    assert_eq!(replay("game-1"), Some(lines(&[opens(1), moves(1, 0), closes(1, 1500)])));
    assert_eq!(replay("game-2"), Some(lines(&[opens(2), moves(2, 0), closes(2, 2500)])));
    assert_eq!(replay("game-3"), None);
}

#[test]
fn writing_anew_keeps_exactly_what_is_open() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    journal.rewrite_after = 2000;
    let mut rewritten = 0;
    let mut open: BTreeMap<u64, Vec<Row>> = BTreeMap::new();
    for table in 1..=60 {
        let mut batch = vec![opens(table), moves(table, 0)];
        if table % 7 != 0 {
            batch.extend([moves(table, 1), closes(table, table * 1000 + 9)]);
        } else {
            open.insert(table, batch.clone());
        }
        let before = journal.journal_bytes;
        journal.append(batch).unwrap();
        rewritten += usize::from(journal.journal_bytes < before);
    }
    assert!(rewritten > 2, "written anew {rewritten} times");
    assert!(journal.journal_bytes < 6000);
    let expected: BTreeMap<_, _> =
        open.iter().map(|(table, rows)| (("go".to_owned(), *table), lines(rows))).collect();
    assert_eq!(journal.open, expected);
    let bytes: usize = expected.values().flatten().map(|line| line.record.len()).sum();
    assert_eq!(journal.open_bytes, bytes);
    drop(journal);
    let (mut journal, unfinished) = opened(folder.path());
    assert_eq!(unfinished.tables, expected);
    journal.close().unwrap();
    drop(journal);
    assert_eq!(opened(folder.path()).1.tables, expected);
    let archive = SqliteArchive::open(folder.path()).unwrap();
    assert_eq!(archive.finished(&all()).unwrap().len(), 52);
}

#[test]
fn counters_never_go_back() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    journal.append(vec![opens(9), opens(4)]).unwrap();
    journal.append(vec![opens(5), vanishes(9)]).unwrap();
    journal.close().unwrap();
    drop(journal);
    let (mut journal, unfinished) = opened(folder.path());
    assert_eq!(unfinished.next_table["go"], 10);
    journal.append(vec![opens(6)]).unwrap();
    drop(journal);
    assert_eq!(opened(folder.path()).1.next_table["go"], 10);
}

#[test]
fn an_orderly_end_leaves_one_database() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    journal.append(vec![opens(1)]).unwrap();
    assert!(folder.path().join("parlor.db-wal").exists());
    journal.close().unwrap();
    drop(journal);
    let names: Vec<String> = files(folder.path()).into_keys().collect();
    assert_eq!(names, ["parlor.db", "parlor.tail"]);
}

#[test]
fn a_beginning_that_was_cut_short_is_begun_again() {
    let folder = temp();
    for name in ["parlor.db.new", "parlor.db.new-wal", "parlor.db.new-shm"] {
        std::fs::write(folder.path().join(name), "half of something").unwrap();
    }
    let (_journal, unfinished) = opened(folder.path());
    assert_eq!(unfinished, Unfinished::default());
    assert!(!folder.path().join("parlor.db.new").exists());
}

#[test]
fn the_folder_belongs_to_one() {
    let folder = temp();
    let place = folder.path().join("data/of/parlor");
    let (journal, _) = opened(&place);
    assert!(matches!(refusal(&place), StoreError::InUse(path) if path == place));
    assert!(Folder::is_taken(&place));
    drop(journal);
    assert!(!Folder::is_taken(&place));
    opened(&place);
}

#[test]
fn every_commit_is_synced_to_the_write_ahead_log() {
    let folder = temp();
    let (journal, _) = opened(folder.path());
    let pragma = |name| {
        journal
            .connection
            .pragma_query_value(None, name, |row| row.get::<_, rusqlite::types::Value>(0))
    };
    assert_eq!(pragma("journal_mode").unwrap(), "wal".to_owned().into());
    assert_eq!(pragma("synchronous").unwrap(), 2.into());
}

#[test]
fn a_full_disk_is_an_error_and_the_batch_is_not_there() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    journal.append(vec![opens(1)]).unwrap();
    let pages: i64 =
        journal.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    journal.connection.pragma_update(None, "max_page_count", pages).unwrap();
    let record = format!("{{\"long\":\"{}\"}}", "x".repeat(100_000));
    let long = row(1, 5, &record, Mark::Continues);
    let error = journal.append(vec![moves(1, 0), long]).unwrap_err().to_string();
    assert!(error.contains("parlor.db") && error.contains("full"), "{error}");
    drop(journal);
    let (_, unfinished) = opened(folder.path());
    assert_eq!(unfinished.tables[&("go".to_owned(), 1)], lines(&[opens(1)]));
}
