//! What a store holds goes into another one and comes out the same.

use std::time::Duration;

use store::copying::{Copied, Source, copy};
use store::leases::Leases;
use store::postgres::{NewDatabase, PostgresArchive};
use store::sqlite::{NewFolder, SqliteArchive};
use store::{AUDIT, Batch, Filter, HOUSE, Journal, Mark, StoreError, Topic};

use crate::in_database::InDatabase;
use crate::storage::{
    Hold, InFolder, Storage, closes, lines, moves, of_tournament, opens, row, vanishes,
};

/// Tables, tournaments, a register, void and rated games, two games with one id, and gaps.
fn fill(place: &dyn Storage) {
    let mut hold = Hold::on(place);
    for table in 1..=30 {
        hold.append(vec![opens(table), moves(table, 0), closes(table, table * 100)]);
    }
    hold.append(vec![opens(7), moves(7, 3), closes(7, 9000)]);
    hold.journal.prune(1001, 4).unwrap();
    hold.append(vec![opens(60), vanishes(60), opens(50), moves(50, 0)]);
    hold.append([opens(1), closes(1, 5000), opens(4), moves(4, 0)].map(of_tournament).to_vec());
    let house = hold.journal.load(HOUSE).unwrap();
    let claimed = row(Topic::Register, 5, r#"{"claimed":"ann"}"#, Mark::Continues);
    let batch = Batch { stream: HOUSE.into(), epoch: house.epoch, rows: vec![claimed] };
    hold.journal.append(vec![batch]).unwrap();
    hold.journal.close().unwrap();
}

/// Everything a store holds, as text.
fn everything(place: &dyn Storage, source: &dyn Source) -> String {
    let mut text = String::new();
    for stream in ["go", HOUSE, AUDIT] {
        let loaded = place.journal().load(stream).unwrap();
        text += &format!(
            "{stream} {} {}\n{:#?}\n",
            loaded.next_table, loaded.next_tournament, loaded.open
        );
    }
    let kept = source.kept_after(0, 1000).unwrap();
    text + &format!("{kept:#?}")
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_folder_goes_into_a_database_and_comes_out_the_same() {
    let (first, database) = (InFolder::default(), InDatabase::default());
    fill(&first);
    let archive = |folder: &InFolder| SqliteArchive::open(folder.0.path()).unwrap();
    let as_it_was = everything(&first, &archive(&first));
    assert!(as_it_was.contains("claimed") && as_it_was.contains("game-30"), "{as_it_was}");

    let to = NewDatabase::begin(database.database()).unwrap();
    let copied = copy(&["go"], &mut *first.journal(), &archive(&first), to).unwrap();
    assert_eq!(copied, Copied { open: 2, games: 27, tournaments: 1 });
    let kept = PostgresArchive::new(database.database());
    assert_eq!(everything(&database, &kept), as_it_was);
    let again = NewDatabase::begin(database.database()).unwrap_err();
    assert!(matches!(again, StoreError::Unsuitable { .. }), "{again}");

    let second = InFolder::default();
    let to = NewFolder::begin(second.0.path()).unwrap();
    assert_eq!(copy(&["go"], &mut *database.journal(), &kept, to).unwrap(), copied);
    assert_eq!(everything(&second, &archive(&second)), as_it_was);
    assert!(NewFolder::begin(second.0.path()).is_err());

    // Play continues in both, with the same numbers and places.
    for place in [&database as &dyn Storage, &second] {
        let mut hold = Hold::on(place);
        hold.append(vec![moves(50, 1), closes(50, 9500)]);
        let latest = Filter { limit: 1, ..Filter::default() };
        assert_eq!(place.archive().finished(&latest).unwrap()[0].place, 33);
    }
    let player = Filter { player: Some("player-2".into()), limit: 100, ..Filter::default() };
    let games = |place: &dyn Storage| place.archive().finished(&player).unwrap().len();
    assert_eq!(games(&database), games(&second));
}

/// What a copy holds is of one moment, whatever is written while it is made.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_database_is_copied_while_somebody_writes_there() {
    let place = InDatabase::default();
    let node = place.join("one", Duration::from_secs(600));
    let mut journal: Box<dyn Journal> = Box::new(place.journal_of(Some(node.incarnation())));
    let loaded = journal.load("go").unwrap();
    let mut owner = Hold { journal, stream: "go", loaded };
    owner.append(vec![opens(1), moves(1, 0), closes(1, 100)]);
    owner.append(vec![opens(2), moves(2, 0)]);
    let (mut streams, games) = place.database().snapshot().unwrap();
    owner.append(vec![closes(2, 200), opens(3), moves(3, 0), closes(3, 300)]);
    let folder = InFolder::default();
    let to = NewFolder::begin(folder.0.path()).unwrap();
    let copied = copy(&["go"], &mut streams, &games, to).unwrap();
    assert_eq!(copied, Copied { open: 1, games: 1, tournaments: 0 });
    assert_eq!(Hold::on(&folder).loaded.open[&Topic::Table(2)], lines(&[opens(2), moves(2, 0)]));
    assert!(streams.append(Vec::new()).is_err());
    owner.append(vec![opens(4)]);
}
