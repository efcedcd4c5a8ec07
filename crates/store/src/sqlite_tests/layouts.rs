//! Databases of other layouts, and of others.

use super::*;

/// The layouts after two more steps.
const LATER: [&str; 4] = [
    layout::STEPS[0],
    layout::STEPS[1],
    "ALTER TABLE games ADD COLUMN note TEXT NOT NULL DEFAULT 'none'",
    "CREATE TABLE remarks (text TEXT NOT NULL); INSERT INTO remarks VALUES ('hello')",
];

fn open_later(folder: &Path, steps: usize) -> Result<(SqliteJournal, Unfinished), StoreError> {
    SqliteJournal::open_with(Folder::take(folder)?, &LATER[..steps])
}

#[test]
fn an_older_layout_is_brought_up_to_date() {
    for killed in [false, true] {
        let folder = temp();
        let (mut journal, _) = opened(folder.path());
        journal.append(vec![opens(1), moves(1, 0), closes(1, 1500), opens(2)]).unwrap();
        if !killed {
            journal.close().unwrap();
        }
        drop(journal);
        for _ in 0..2 {
            let (mut journal, unfinished) = open_later(folder.path(), 4).unwrap();
            assert_eq!(unfinished.tables.len(), 1);
            let text =
                |query| journal.connection.query_row(query, [], |row| row.get::<_, String>(0));
            assert_eq!(text("SELECT note FROM games").unwrap(), "none");
            assert_eq!(text("SELECT group_concat(text) FROM remarks").unwrap(), "hello");
            journal.append(vec![moves(2, 0)]).unwrap();
        }
        let version = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
        let (journal, _) = open_later(folder.path(), 4).unwrap();
        assert_eq!(journal.connection.pragma_query_value(None, "user_version", version), Ok(4));
    }
}

#[test]
fn a_game_from_before_there_were_ratings_is_unrated() {
    let folder = temp();
    let (journal, _) = open_later(folder.path(), 1).unwrap();
    let kept = layout::Kept {
        game: "go",
        id: "old",
        finished: true,
        rules_version: 1,
        opened_at: 1,
        closed_at: 2,
        names: r#"["ann","bob"]"#,
        closing: "{}",
        rated: false,
    };
    let insert = "INSERT INTO games (game, number, id, finished, rules_version, opened_at,
            closed_at, names, closing, summary_sum, records, records_sum)
        VALUES ('go', 1, 'old', 1, 1, 1, 2, '[\"ann\",\"bob\"]', '{}', ?1, '', ?2)";
    journal.connection.execute(insert, [kept.sum(), layout::sum("")]).unwrap();
    drop(journal);
    drop(opened(folder.path()));
    let archive = SqliteArchive::open(folder.path()).unwrap();
    let games = archive.finished(&all()).unwrap();
    assert!(games.len() == 1 && games[0].id == "old" && !games[0].rated);
    assert!(archive.rated("go", 0, 10).unwrap().is_empty());
}

#[test]
fn every_number_of_steps_leads_to_the_same_layout() {
    for first in 1..=3 {
        let folder = temp();
        drop(open_later(folder.path(), first).unwrap());
        for steps in first..=4 {
            drop(open_later(folder.path(), steps).unwrap());
        }
        open_later(folder.path(), 4).unwrap();
    }
}

#[test]
fn a_newer_layout_is_refused_and_left_alone() {
    let folder = temp();
    let (mut journal, _) = open_later(folder.path(), 4).unwrap();
    journal.append(vec![opens(1)]).unwrap();
    drop(journal);
    let before = files(folder.path());
    let error = refusal(folder.path());
    assert!(matches!(error, StoreError::Newer { found: 4, known: 2, .. }), "{error}");
    assert!(error.to_string().contains("newer Parlor (layout 4, this one knows up to 2)"));
    let archive = SqliteArchive::open(folder.path()).unwrap_err();
    assert!(matches!(archive, StoreError::Newer { .. }));
    assert_unchanged(folder.path(), &before);
}

#[test]
fn a_migration_that_fails_changes_nothing() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    journal.append(vec![opens(1)]).unwrap();
    drop(journal);
    let before = files(folder.path());
    let steps = [LATER[0], LATER[1], LATER[2], "CREATE TABLE games (place)"];
    SqliteJournal::open_with(Folder::take(folder.path()).unwrap(), &steps).unwrap_err();
    assert_unchanged(folder.path(), &before);
    assert_eq!(opened(folder.path()).1.tables.len(), 1);
}

#[test]
fn a_damaged_older_journal_is_refused_before_it_is_migrated() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    journal.append(vec![opens(1)]).unwrap();
    journal.connection.execute("UPDATE journal SET body = body || ' '", []).unwrap();
    drop(journal);
    let before = files(folder.path());
    let error = open_later(folder.path(), 4).unwrap_err();
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
    assert!(error.contains("'games_by_time' is not as layout 2 has it"), "{error}");
}

#[test]
fn a_journal_that_sqlite_may_not_write_is_refused() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    journal.append(vec![opens(1)]).unwrap();
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
