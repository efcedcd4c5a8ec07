//! Torn, cut, flipped, stale and missing files. Either the journal is refused, with its files
//! as they were, or it holds exactly what was written.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::*;

/// A journal as it was found, and what had been said when it was left.
struct Specimen {
    name: &'static str,
    files: Files,
    loaded: Loaded,
    games: Vec<String>,
}

/// How a journal is left.
#[derive(Clone, Copy)]
enum Left {
    /// Closed in order: no log.
    Closed,
    /// Everything since the beginning is in the log.
    Logged,
    /// The log has been folded into the database, but is still there.
    Folded,
    /// The log has been folded, and begun again.
    FoldedAndOn,
}

const WAYS: [(&str, Left); 4] = [
    ("closed", Left::Closed),
    ("logged", Left::Logged),
    ("folded", Left::Folded),
    ("folded and on", Left::FoldedAndOn),
];

impl Specimen {
    fn new(name: &'static str, left: Left) -> Specimen {
        let folder = temp();
        let (mut journal, _) = opened(folder.path());
        let fold = |journal: &SqliteJournal| {
            let fold = "PRAGMA wal_checkpoint(PASSIVE)";
            journal.connection.query_row(fold, [], |_| Ok(())).unwrap();
        };
        for table in 1..=20 {
            append(&mut journal, vec![opens(table)]).unwrap();
            for turn in 0..8 {
                append(&mut journal, vec![moves(table, turn), moves(table, turn + 100)]).unwrap();
            }
            if table % 2 == 0 {
                append(&mut journal, vec![closes(table, table * 1000 + 50)]).unwrap();
            }
            if table == 17 && matches!(left, Left::FoldedAndOn) {
                fold(&journal);
            }
        }
        match left {
            Left::Closed => journal.close().unwrap(),
            Left::Folded => fold(&journal),
            Left::Logged | Left::FoldedAndOn => {}
        }
        let loaded = held(&journal);
        let archive = SqliteArchive::open(folder.path()).unwrap();
        let games = archive.finished(&all()).unwrap();
        let games =
            games.iter().map(|game| archive.replay(Kind::Table, "go", &game.id).unwrap().unwrap());
        let games = games.map(|replay| text(&replay)).collect();
        let mut files = files(folder.path());
        if matches!(left, Left::Closed) {
            files.remove("parlor.db-wal");
        }
        Specimen { name, files, loaded, games }
    }

    fn all() -> Vec<Specimen> {
        WAYS.into_iter().map(|(name, left)| Specimen::new(name, left)).collect()
    }

    /// Opens the journal with one file changed; whether it was refused.
    fn try_with(&self, file: &str, what: &str, change: impl FnOnce(&mut Vec<u8>)) -> bool {
        let mut files = self.files.clone();
        change(files.get_mut(file).expect("the specimen has this file"));
        self.judge(&files, &format!("{}: {file}: {what}", self.name))
    }

    fn judge(&self, files: &Files, case: &str) -> bool {
        let judged = catch_unwind(AssertUnwindSafe(|| self.judge_files(files)));
        judged.unwrap_or_else(|_| panic!("the case above was: {case}"))
    }

    fn judge_files(&self, image: &Files) -> bool {
        let folder = temp();
        put(folder.path(), image);
        match open(folder.path()) {
            Err(
                StoreError::Damaged { .. }
                | StoreError::Foreign(_)
                | StoreError::Newer { .. }
                | StoreError::NewerRecords { .. },
            ) => {
                assert_unchanged(folder.path(), image);
                true
            }
            Err(other) => {
                assert_unchanged(folder.path(), image);
                assert!(other.to_string().contains("parlor."), "{other}");
                true
            }
            Ok((mut journal, loaded)) => {
                let loaded = Loaded { epoch: self.loaded.epoch, ..loaded };
                assert_eq!(loaded, self.loaded, "something else was loaded");
                self.judge_games(folder.path());
                append(&mut journal, vec![opens(1000)])
                    .expect("a journal that opens can be written");
                false
            }
        }
    }

    /// A finished game reads as it was written, or is said to be damaged; none is missing.
    fn judge_games(&self, folder: &Path) {
        let archive = SqliteArchive::open(folder).unwrap();
        let honest =
            |error: StoreError| assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        match archive.finished(&all()) {
            Err(error) => honest(error),
            Ok(games) => assert_eq!(games.len(), self.games.len()),
        }
        for (number, game) in (1..=10).rev().zip(&self.games) {
            match archive.replay(Kind::Table, "go", &format!("game-{}", number * 2)) {
                Err(error) => honest(error),
                Ok(replay) => assert_eq!(&text(&replay.expect("no game is missing")), game),
            }
        }
    }
}

fn text(replay: &crate::Replay) -> String {
    let summary = serde_json::to_string(&replay.summary).unwrap();
    format!("{summary}\n{}", replay.to_json_lines())
}

/// Offsets all over a file: its header, the head of every page, and a scatter of others.
fn offsets(length: usize, apart: usize) -> impl Iterator<Item = usize> {
    let header = (0..100).filter(move |offset| offset % 5 == 0 || apart < 1000);
    let heads = (0..length).step_by(4096).flat_map(|page| [page + 3, page + 6, page + 20]);
    let heads = heads.filter(move |_| apart < 1000);
    let scatter = (0..length).step_by(apart);
    let mut offsets: Vec<usize> = header.chain(heads).chain(scatter).collect();
    offsets.retain(|offset| *offset < length);
    offsets.sort_unstable();
    offsets.dedup();
    offsets.into_iter()
}

#[test]
fn specimens_are_as_they_should_be() {
    for specimen in Specimen::all() {
        assert!(!specimen.judge(&specimen.files, specimen.name));
        assert_eq!((specimen.games.len(), specimen.loaded.open.len()), (10, 10));
        let log = specimen.files.get("parlor.db-wal").map_or(0, Vec::len);
        assert_eq!(log == 0, specimen.name == "closed", "{}: {log}", specimen.name);
    }
}

#[test]
fn flipped_bytes_in_the_database_are_found_or_do_not_matter() {
    for specimen in Specimen::all() {
        let length = specimen.files[FILE].len();
        let mut refused = 0;
        let mut tried = 0;
        for (number, offset) in offsets(length, 331).enumerate() {
            let bit = 1 << (number % 8);
            let what = format!("byte {offset} ^ {bit}");
            tried += 1;
            refused += usize::from(specimen.try_with(FILE, &what, |file| file[offset] ^= bit));
        }
        // If the log has every page, the database file doesn't matter; much of the rest is free
        // space.
        let expected = if matches!(specimen.name, "logged" | "folded") { 0 } else { 50 };
        assert!(refused >= expected, "{}: {refused} of {tried} refused", specimen.name);
    }
}

#[test]
fn flipped_bytes_in_the_log_are_found_or_do_not_matter() {
    for specimen in Specimen::all().iter().filter(|specimen| specimen.name != "closed") {
        let length = specimen.files["parlor.db-wal"].len();
        let mut refused = 0;
        for (number, offset) in offsets(length, 19_997).enumerate() {
            let bit = 1 << (number % 8);
            let what = format!("byte {offset} ^ {bit}");
            let found = specimen.try_with("parlor.db-wal", &what, |file| file[offset] ^= bit);
            refused += usize::from(found);
        }
        assert!(refused > 0, "{}: none was refused", specimen.name);
    }
}

#[test]
fn a_cut_database_is_refused() {
    for specimen in Specimen::all() {
        let length = specimen.files[FILE].len();
        let cuts = [0, 1, 99, 100, 511, 512, 4095, 4096, 4097, length - 4096, length - 1];
        for cut in cuts.into_iter().chain((0..length).step_by(2999)) {
            let what = format!("cut to {cut}");
            let refused = specimen.try_with(FILE, &what, |file| file.truncate(cut));
            let covered = matches!(specimen.name, "logged" | "folded");
            // The missing part may be free space at the end, or be in the log.
            let harmless = if covered { cut >= 100 } else { cut > length / 2 };
            assert!(refused || harmless, "{}: {what}", specimen.name);
        }
    }
}

#[test]
fn a_cut_log_is_refused_unless_it_was_folded() {
    for specimen in Specimen::all().iter().filter(|specimen| specimen.name != "closed") {
        let length = specimen.files["parlor.db-wal"].len();
        let cuts = [0, 1, 31, 32, 33, 55, 56, 4152, length / 2, length - 4120];
        for cut in cuts.into_iter().chain((0..length).step_by(length / 40)) {
            let what = format!("cut to {cut}");
            let refused = specimen.try_with("parlor.db-wal", &what, |file| file.truncate(cut));
            assert!(refused || specimen.name != "logged", "{what}");
        }
    }
}

#[test]
fn missing_files_are_missed() {
    for specimen in Specimen::all() {
        let without = |gone: &[&str]| {
            let mut files = specimen.files.clone();
            files.retain(|name, _| !gone.contains(&name.as_str()));
            specimen.judge(&files, &format!("{} without {gone:?}", specimen.name))
        };
        assert!(without(&[FILE]), "the database is gone");
        assert!(without(&[FILE, "parlor.db-wal"]), "only the tail is there");
        if specimen.name != "closed" {
            assert!(without(&[FILE, "parlor.tail"]), "only the log is there");
            assert_eq!(without(&["parlor.db-wal"]), specimen.name != "folded", "the log is gone");
        }
        // A copy of the database alone, as a backup makes it, is a journal.
        assert!(!without(&["parlor.tail"]), "the tail is gone");
    }
}

#[test]
fn an_empty_file_is_not_a_fresh_start() {
    let folder = temp();
    std::fs::write(folder.path().join(FILE), "").unwrap();
    let error = refusal(folder.path()).to_string();
    assert!(error.ends_with("is damaged: the file is empty; nothing was changed"), "{error}");
    assert_eq!(files(folder.path())[FILE], b"");
}

#[test]
fn text_is_no_journal() {
    let folder = temp();
    let notes = Files::from([(FILE.to_owned(), b"shopping: rice, nori, tuna\n".repeat(400))]);
    put(folder.path(), &notes);
    let error = refusal(folder.path()).to_string();
    assert!(error.contains("not a database"), "{error}");
    assert_unchanged(folder.path(), &notes);
}

#[test]
fn a_stale_copy_is_refused() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    append(&mut journal, vec![opens(1)]).unwrap();
    let old = files(folder.path());
    append(&mut journal, vec![moves(1, 0)]).unwrap();
    let new = files(folder.path());
    drop(journal);
    let mixed = |tail: &Files, log: &Files, database: &Files| {
        let folder = temp();
        let pick = |name: &str, from: &Files| (name.to_owned(), from[name].clone());
        let image = Files::from([
            pick("parlor.tail", tail),
            pick("parlor.db-wal", log),
            pick(FILE, database),
        ]);
        put(folder.path(), &image);
        let opened = open(folder.path()).map(|(_, loaded)| loaded.open);
        if opened.is_err() {
            assert_unchanged(folder.path(), &image);
        }
        opened.map_err(|error| error.to_string())
    };
    let error = mixed(&new, &old, &old).unwrap_err();
    assert!(error.contains("it ends with batch 1, but batch 2 was committed"), "{error}");
    assert_eq!(mixed(&new, &new, &new).unwrap().values().map(Vec::len).sum::<usize>(), 2);
    // An older tail proves nothing: it is not synced.
    assert!(mixed(&old, &new, &new).is_ok());
}

#[test]
fn the_log_of_another_time_is_refused() {
    let [_, logged, folded, on] = Specimen::all().try_into().ok().unwrap();
    for (database, log) in [(&logged, &on), (&on, &logged), (&folded, &on), (&on, &folded)] {
        let mut files = database.files.clone();
        files.insert("parlor.db-wal".to_owned(), log.files["parlor.db-wal"].clone());
        // The specimens hold the same, so whatever opens must be whole.
        database.judge(&files, &format!("{} with the log of {}", database.name, log.name));
    }
}

#[test]
fn a_damaged_tail_is_refused() {
    let specimen = Specimen::new("logged", Left::Logged);
    for offset in 0..16 {
        let what = format!("byte {offset}");
        assert!(specimen.try_with("parlor.tail", &what, |tail| tail[offset] ^= 4), "{what}");
        let short = |tail: &mut Vec<u8>| tail.truncate(offset);
        assert_eq!(specimen.try_with("parlor.tail", "cut", short), offset > 0);
    }
}

#[test]
fn batches_are_gapless() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    for turn in 0..5 {
        let first = if turn == 0 { vec![opens(1)] } else { vec![] };
        append(&mut journal, [first, vec![moves(1, turn)]].concat()).unwrap();
    }
    journal.connection.execute("DELETE FROM journal WHERE batch = 3", []).unwrap();
    drop(journal);
    let error = refusal(folder.path()).to_string();
    assert!(error.contains("batch 4 comes after batch 2"), "{error}");
}
