//! Databases of other layouts, and of others.

use super::*;

/// The layouts after two more steps.
const LATER: [&str; 7] = [
    layout::STEPS[0],
    layout::STEPS[1],
    layout::STEPS[2],
    layout::STEPS[3],
    layout::STEPS[4],
    "ALTER TABLE games ADD COLUMN note TEXT NOT NULL DEFAULT 'none'",
    "CREATE TABLE remarks (text TEXT NOT NULL); INSERT INTO remarks VALUES ('hello')",
];

fn open_later(folder: &Path, steps: usize) -> Result<(SqliteJournal, Loaded), StoreError> {
    open_with(folder, &LATER[..steps])
}

#[test]
fn an_older_layout_is_brought_up_to_date() {
    for killed in [false, true] {
        let folder = temp();
        let (mut journal, _) = opened(folder.path());
        append(&mut journal, vec![opens(1), moves(1, 0), closes(1, 1500), opens(2)]).unwrap();
        if !killed {
            journal.close().unwrap();
        }
        drop(journal);
        for _ in 0..2 {
            let (mut journal, unfinished) = open_later(folder.path(), 7).unwrap();
            assert_eq!(unfinished.open.len(), 1);
            let text =
                |query| journal.connection.query_row(query, [], |row| row.get::<_, String>(0));
            assert_eq!(text("SELECT note FROM games").unwrap(), "none");
            assert_eq!(text("SELECT group_concat(text) FROM remarks").unwrap(), "hello");
            append(&mut journal, vec![moves(2, 0)]).unwrap();
        }
        let version = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
        let (journal, _) = open_later(folder.path(), 7).unwrap();
        assert_eq!(journal.connection.pragma_query_value(None, "user_version", version), Ok(7));
    }
}

/// A database as an earlier release wrote it: an open table, and a game that is over.
fn begin_old(folder: &Path, layout: usize) {
    let mut connection = Connection::open(folder.join(FILE)).unwrap();
    let transaction = connection.transaction().unwrap();
    layout::begin(&transaction, &LATER[..layout]).unwrap();
    let body = "[\"go\",7,5,false,{\"opened\":1}]\n";
    let insert = "INSERT INTO journal (batch, body, sum) VALUES (1, ?1, ?2)";
    let sum = old_sum::sum(body) ^ 0x9e37_79b9_7f4a_7c15_u64 as i64;
    transaction.execute(insert, rusqlite::params![body, sum]).unwrap();
    let insert = "INSERT INTO counters (game, next_table, sum) VALUES ('go', 8, ?1)";
    transaction.execute(insert, [old_sum::sum("go 8")]).unwrap();
    let kept = "go\nold\ntrue\n1\n1\n2\n[\"ann\",\"bob\"]\n{}";
    let records = "{\"at\":1,\"record\":{}}\n";
    let insert = "INSERT INTO games (game, number, id, finished, rules_version, opened_at,
            closed_at, names, closing, summary_sum, records, records_sum)
        VALUES ('go', 1, 'old', 1, 1, 1, 2, '[\"ann\",\"bob\"]', '{}', ?1, ?2, ?3)";
    let sums = (old_sum::sum(kept), records, old_sum::sum(records));
    transaction.execute(insert, sums).unwrap();
    transaction.commit().unwrap();
}

fn copy_of(folder: &Path) -> PathBuf {
    opening::beside(folder, concat!(".before-", env!("CARGO_PKG_VERSION")))
}

#[test]
fn what_earlier_releases_wrote_is_read() {
    for layout in 1..=2 {
        let parent = temp();
        let folder = parent.path().join("data");
        std::fs::create_dir(&folder).unwrap();
        begin_old(&folder, layout);
        let before = files(&folder);
        let (journal, loaded) = opened(&folder);
        assert_eq!(loaded.open[&Topic::Table(7)].len(), 1);
        assert_eq!(loaded.next_table, 8);
        let archive = SqliteArchive::open(&folder).unwrap();
        let games = archive.finished(&all()).unwrap();
        assert!(games.len() == 1 && games[0].id == "old" && !games[0].rated);
        assert_eq!(archive.replay(Kind::Table, "go", "old").unwrap().unwrap().lines.len(), 1);
        assert!(archive.rated("go", 0, 10).unwrap().is_empty());
        // The folder as the earlier release left it is next to it, once.
        let copy = copy_of(&folder.canonicalize().unwrap());
        assert_eq!(journal.copy(), Some(&*copy));
        assert_unchanged(&copy, &before);
        drop(journal);
        assert_eq!(opened(&folder).0.copy(), None);
        assert_unchanged(&copy, &before);
    }
}

/// Tools read a folder that no newer server has been started on.
#[test]
fn games_without_a_column_of_versions_are_read_before_they_are_brought_up_to_date() {
    let folder = temp();
    drop(open_later(folder.path(), 3).unwrap());
    let connection = Connection::open(folder.path().join(FILE)).unwrap();
    let insert =
        "INSERT INTO games (game, number, id, finished, rules_version, opened_at, closed_at,
            names, closing, summary_sum, records, records_sum, rated)
        VALUES ('go', 1, 'old', 1, 1, 1, 2, '[\"ann\",\"bob\"]', '{}', ?1, '', 0, 1)";
    let sum = layout::sum("go\nold\ntrue\n1\n1\n2\n[\"ann\",\"bob\"]\n{}\nrated");
    connection.execute(insert, [sum]).unwrap();
    drop(connection);
    for _ in 0..2 {
        let archive = SqliteArchive::open(folder.path()).unwrap();
        let games = archive.rated("go", 0, 10).unwrap();
        assert!(games.len() == 1 && games[0].id == "old" && games[0].versions.is_empty());
        // Every rated game belonged to a tournament, whose id was not kept.
        let of_tournaments = Filter { tournament: Some(true), ..all() };
        assert_eq!(archive.finished(&of_tournaments).unwrap().len(), 1);
        assert_eq!(games[0].tournament, None);
        drop(opened(folder.path()));
    }
}

#[test]
fn what_is_damaged_is_not_given_a_new_checksum() {
    for damage in ["UPDATE journal SET body = body || ' '", "UPDATE counters SET next_table = 9"] {
        let folder = temp();
        begin_old(folder.path(), 2);
        Connection::open(folder.path().join(FILE)).unwrap().execute(damage, []).unwrap();
        let before = files(folder.path());
        let error = refusal(folder.path()).to_string();
        assert!(error.contains("checksum"), "{error}");
        assert_unchanged(folder.path(), &before);
    }
    // Of games that are over, only the damaged one cannot be read.
    let folder = temp();
    begin_old(folder.path(), 2);
    let connection = Connection::open(folder.path().join(FILE)).unwrap();
    connection.execute("UPDATE games SET records = records || ' '", []).unwrap();
    drop(connection);
    drop(opened(folder.path()));
    let archive = SqliteArchive::open(folder.path()).unwrap();
    assert_eq!(archive.finished(&all()).unwrap().len(), 1);
    let error = archive.replay(Kind::Table, "go", "old").unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
}

#[test]
fn every_number_of_steps_leads_to_the_same_layout() {
    for first in 1..=5 {
        let folder = temp();
        match first {
            1 | 2 => begin_old(folder.path(), first),
            _ => drop(open_later(folder.path(), first).unwrap()),
        }
        for steps in first.max(3)..=6 {
            drop(open_later(folder.path(), steps).unwrap());
        }
        open_later(folder.path(), 7).unwrap();
    }
}

#[test]
fn a_newer_layout_is_refused_and_left_alone() {
    let folder = temp();
    let (mut journal, _) = open_later(folder.path(), 7).unwrap();
    append(&mut journal, vec![opens(1)]).unwrap();
    drop(journal);
    let before = files(folder.path());
    let error = refusal(folder.path());
    assert!(matches!(error, StoreError::Newer { found: 7, known: 5, .. }), "{error}");
    assert!(error.to_string().contains("newer Parlor (layout 7, this one knows up to 5)"));
    let archive = SqliteArchive::open(folder.path()).unwrap_err();
    assert!(matches!(archive, StoreError::Newer { .. }));
    assert_unchanged(folder.path(), &before);
}

/// A later release may write rows that mean what this one does not know, in the same layout.
#[test]
fn records_of_a_newer_version_are_refused_and_left_alone() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    append(&mut journal, vec![opens(1), moves(1, 0)]).unwrap();
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?));
    let last = "SELECT batch, body FROM journal ORDER BY batch DESC LIMIT 1";
    let (batch, body) = journal.connection.query_row(last, [], read).unwrap();
    let (this, later) = (chain::VERSION, chain::VERSION + 1);
    let newer = |line: &str| {
        let mut row: Vec<serde_json::Value> = serde_json::from_str(line).unwrap();
        assert_eq!(row[5], this, "a row says which version wrote it");
        row[5] = later.into();
        serde_json::to_string(&row).unwrap() + "\n"
    };
    let newer: String = body.lines().map(newer).collect();
    journal.connection.execute("DELETE FROM journal WHERE batch = ?1", [batch]).unwrap();
    layout::insert_batch(&journal.connection, batch, &newer).unwrap();
    drop(journal);
    let before = files(folder.path());
    let error = refusal(folder.path());
    assert!(
        matches!(error, StoreError::NewerRecords { found, known, .. } if (found, known) == (later, this)),
        "{error}"
    );
    assert!(error.to_string().contains("has records of a newer Parlor"), "{error}");
    assert_unchanged(folder.path(), &before);
}

#[test]
fn a_migration_that_fails_changes_nothing() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    append(&mut journal, vec![opens(1)]).unwrap();
    drop(journal);
    let before = files(folder.path());
    let steps = [LATER[0], LATER[1], LATER[2], LATER[3], "CREATE TABLE games (place)"];
    open_with(folder.path(), &steps).unwrap_err();
    assert_unchanged(folder.path(), &before);
    assert_eq!(opened(folder.path()).1.open.len(), 1);
}

#[test]
fn a_damaged_older_journal_is_refused_before_it_is_migrated() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    append(&mut journal, vec![opens(1)]).unwrap();
    journal.connection.execute("UPDATE journal SET body = body || ' '", []).unwrap();
    drop(journal);
    let before = files(folder.path());
    let error = open_later(folder.path(), 7).unwrap_err();
    assert!(error.to_string().contains("batch 1: the checksum is wrong"), "{error}");
    assert_unchanged(folder.path(), &before);
}

#[test]
fn a_database_of_others_is_refused_and_left_alone() {
    for mode in ["wal", "delete"] {
        let folder = temp();
        let connection = Connection::open(folder.path().join(FILE)).unwrap();
        connection.pragma_update(None, "journal_mode", mode).unwrap();
        connection.execute_batch("CREATE TABLE journal (batch); PRAGMA user_version = 1").unwrap();
        drop(connection);
        let before = files(folder.path());
        assert!(matches!(refusal(folder.path()), StoreError::Foreign(_)));
        assert!(matches!(SqliteArchive::open(folder.path()), Err(StoreError::Foreign(_))));
        let after = files(folder.path());
        assert_eq!(after["parlor.db"], before["parlor.db"]);
    }
}

#[test]
fn tables_that_are_not_of_the_layout_are_refused() {
    let folder = temp();
    let (journal, _) = opened(folder.path());
    journal.connection.execute_batch("DROP INDEX games_by_time").unwrap();
    drop(journal);
    let error = refusal(folder.path()).to_string();
    assert!(error.contains("'games_by_time' is not as layout 5 has it"), "{error}");
}

#[test]
fn a_journal_that_sqlite_may_not_write_is_refused() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    append(&mut journal, vec![opens(1)]).unwrap();
    journal.close().unwrap();
    drop(journal);
    // A number here says that only newer SQLites may write.
    let mut image = files(folder.path());
    image.get_mut(FILE).unwrap()[18] = 3;
    put(folder.path(), &image);
    let error = refusal(folder.path()).to_string();
    assert!(error.contains("parlor.db") && error.contains("read-only"), "{error}");
    assert_unchanged(folder.path(), &image);
}
