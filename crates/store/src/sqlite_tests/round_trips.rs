//! The open records in a folder: rewritten, synced, refused.

use super::*;

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
        append(&mut journal, batch).unwrap();
        rewritten += usize::from(journal.journal_bytes < before);
    }
    assert!(rewritten > 2, "written anew {rewritten} times");
    assert!(journal.journal_bytes < 6000);
    let expected: BTreeMap<_, _> =
        open.iter().map(|(table, rows)| (Topic::Table(*table), lines(rows))).collect();
    let held = journal.open.iter().map(|(_, topic, lines)| (topic, lines.to_vec()));
    assert_eq!(held.collect::<BTreeMap<_, _>>(), expected);
    let bytes: usize = expected.values().flatten().map(|line| line.record.len()).sum();
    assert_eq!(journal.open.bytes(), bytes);
    drop(journal);
    let (mut journal, loaded) = opened(folder.path());
    assert_eq!(loaded.open, expected);
    journal.close().unwrap();
    drop(journal);
    assert_eq!(opened(folder.path()).1.open, expected);
    let archive = SqliteArchive::open(folder.path()).unwrap();
    assert_eq!(archive.finished(&all()).unwrap().len(), 52);
}

#[test]
fn an_orderly_end_leaves_one_database() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    append(&mut journal, vec![opens(1)]).unwrap();
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
    let (_journal, loaded) = opened(folder.path());
    assert_eq!(loaded.open, BTreeMap::new());
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
    append(&mut journal, vec![opens(1)]).unwrap();
    let pages: i64 =
        journal.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    journal.connection.pragma_update(None, "max_page_count", pages).unwrap();
    let record = format!("{{\"long\":\"{}\"}}", "x".repeat(100_000));
    let long = row(1, 5, &record, Mark::Continues);
    let error = append(&mut journal, vec![moves(1, 0), long]).unwrap_err().to_string();
    assert!(error.contains("parlor.db") && error.contains("full"), "{error}");
    drop(journal);
    let (_, loaded) = opened(folder.path());
    assert_eq!(loaded.open[&Topic::Table(1)], lines(&[opens(1)]));
}

#[test]
fn room_that_removed_games_have_left_is_not_taken() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    let long = format!(r#"{{"moved":"{}"}}"#, "x".repeat(20_000));
    for table in 1..=20 {
        let mut closing = closes(table, table * 1000);
        if let Mark::Closes(Some(summary)) = &mut closing.mark {
            summary.rated = table == 20;
        }
        let played = row(table, table * 1000, &long, Mark::Continues);
        append(&mut journal, vec![opens(table), played, closing]).unwrap();
    }
    let archive = SqliteArchive::open(folder.path()).unwrap();
    let before = archive.used().unwrap();
    assert_eq!(before.games, 19, "rated games stay");
    assert!(before.bytes > 400_000, "{before:?}");
    assert_eq!(journal.prune(u64::MAX, 100).unwrap(), 19);
    let after = archive.used().unwrap();
    assert_eq!(after.games, 0);
    assert!(after.bytes < before.bytes - 300_000, "{before:?} {after:?}");
}
