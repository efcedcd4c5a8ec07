//! Games that are over: found, paged through, removed.

use super::*;
use crate::TOURNAMENTS;
use crate::memory::Memory;

/// Forty games, closed at 100, 200, ... 4000.
fn forty(folder: &Path) -> (SqliteJournal, SqliteArchive) {
    let (mut journal, _) = opened(folder);
    for table in 1..=40 {
        journal.append(vec![opens(table), closes(table, table * 100)]).unwrap();
    }
    (journal, SqliteArchive::open(folder).unwrap())
}

fn ids(archive: &SqliteArchive, filter: &Filter) -> Vec<u64> {
    let games = archive.finished(filter).unwrap();
    games.iter().map(|game| game.id["game-".len()..].parse().unwrap()).collect()
}

#[test]
fn the_latest_come_first_with_everything_that_is_kept() {
    let folder = temp();
    let (_journal, archive) = forty(folder.path());
    assert_eq!(ids(&archive, &all()), (1..=40).rev().collect::<Vec<_>>());
    let game = &archive.finished(&all()).unwrap()[1];
    assert_eq!((game.game.as_str(), game.id.as_str(), game.status), ("go", "game-39", "void"));
    assert_eq!((game.opened_at, game.closed_at, game.rules_version), (39_000, 3900, 1));
    assert_eq!(game.players, ["player-4", "everybody"]);
    assert_eq!(game.closing.get(), r#"{"over":[39,0]}"#);
}

#[test]
fn every_filter_leaves_what_fits() {
    let folder = temp();
    let (_journal, archive) = forty(folder.path());
    let of = |change: &dyn Fn(&mut Filter)| {
        let mut filter = all();
        change(&mut filter);
        ids(&archive, &filter)
    };
    let numbers = |fits: &dyn Fn(&u64) -> bool| (1..=40).rev().filter(fits).collect::<Vec<u64>>();
    assert_eq!(of(&|f| f.game = Some("go".into())).len(), 40);
    assert_eq!(of(&|f| f.game = Some("chess".into())), Vec::<u64>::new());
    assert_eq!(of(&|f| f.player = Some("player-2".into())), numbers(&|n| n % 5 == 2));
    assert_eq!(of(&|f| f.player = Some("everybody".into())).len(), 40);
    assert_eq!(of(&|f| f.player = Some("' OR 1 --".into())), Vec::<u64>::new());
    assert_eq!(of(&|f| f.finished = Some(false)), numbers(&|n| n % 3 == 0));
    assert_eq!(of(&|f| f.finished = Some(true)), numbers(&|n| n % 3 != 0));
    assert_eq!(of(&|f| f.since = Some(3800)), [40, 39, 38]);
    assert_eq!(of(&|f| f.until = Some(300)), [2, 1]);
    assert_eq!(of(&|f| f.since = Some(u64::MAX)), Vec::<u64>::new());
    assert_eq!(of(&|f| f.limit = 3), [40, 39, 38]);
    let both = of(&|f| {
        f.player = Some("player-1".into());
        f.finished = Some(true);
        f.until = Some(2000);
    });
    assert_eq!(both, numbers(&|n| n % 5 == 1 && n % 3 != 0 && *n < 20));
}

#[test]
fn pages_join_without_gap_or_repetition_while_games_go_on_closing() {
    let folder = temp();
    let (mut journal, archive) = forty(folder.path());
    let mut filter = Filter { limit: 7, finished: Some(true), ..Filter::default() };
    let mut seen = Vec::new();
    loop {
        let page = archive.finished(&filter).unwrap();
        seen.extend(ids(&archive, &filter));
        let table = 100 + seen.len() as u64;
        journal.append(vec![opens(table), closes(table, 5000)]).unwrap();
        match page.last() {
            Some(last) => filter.after = Some(last.place),
            None => break,
        }
    }
    assert_eq!(seen, (1..=40).rev().filter(|n| n % 3 != 0).collect::<Vec<u64>>());
}

#[test]
fn of_games_with_one_id_the_latest_is_replayed() {
    let folder = temp();
    let (mut journal, archive) = forty(folder.path());
    journal.append(vec![opens(7), moves(7, 3), closes(7, 9000)]).unwrap();
    let replay = archive.replay("go", "game-7").unwrap().unwrap();
    assert_eq!(replay.lines, lines(&[opens(7), moves(7, 3), closes(7, 9000)]));
    assert!(archive.replay("chess", "game-7").unwrap().is_none());
    let text = replay.to_json_lines();
    assert_eq!(text.lines().next(), Some(r#"{"game":"go","id":"game-7"}"#));
    assert_eq!(text.lines().nth(2), Some(r#"{"at":7003,"record":{"moved":{"seq":3,"seat":0}}}"#));
}

#[test]
fn pruning_removes_the_oldest_and_nothing_else() {
    let folder = temp();
    let (mut journal, archive) = forty(folder.path());
    journal.append(vec![opens(50), moves(50, 0)]).unwrap();
    assert_eq!(journal.prune(100, 100).unwrap(), 0);
    assert_eq!(journal.prune(1001, 4).unwrap(), 4);
    assert_eq!(ids(&archive, &all()), (5..=40).rev().collect::<Vec<_>>());
    assert_eq!(journal.prune(1001, 100).unwrap(), 6);
    assert_eq!(journal.prune(1001, 100).unwrap(), 0);
    assert!(archive.replay("go", "game-10").unwrap().is_none());
    let player = Filter { player: Some("player-0".into()), ..all() };
    assert_eq!(ids(&archive, &player), [40, 35, 30, 25, 20, 15]);
    assert_eq!(journal.prune(u64::MAX, 100).unwrap(), 30);
    let size = archive.size().unwrap();
    assert_eq!((size.open_tables, size.games), (1, vec![]));
    // A page's place is never given to another game, even once all are gone.
    journal.append(vec![opens(51), closes(51, 6000)]).unwrap();
    assert_eq!(archive.finished(&all()).unwrap()[0].place, 41);
    drop(journal);
    let (_, unfinished) = opened(folder.path());
    assert_eq!(unfinished.tables.len(), 1);
    assert_eq!(unfinished.next_table["go"], 52);
}

#[test]
fn the_size_counts_games_and_open_tables() {
    let folder = temp();
    let (mut journal, archive) = forty(folder.path());
    journal.append(vec![opens(50), opens(51), vanishes(51)]).unwrap();
    let size = archive.size().unwrap();
    assert_eq!(size.games, [("go".to_owned(), 27, 13)]);
    assert_eq!(size.open_tables, 1);
    assert!(size.bytes > 4096);
    // Tournaments are kept like tables, and are none.
    let of_tournament = |row: Row| Row { game: format!("go{TOURNAMENTS}").into(), ..row };
    let rows = [opens(1), closes(1, 5000), opens(3), closes(3, 5000), opens(4), moves(4, 0)];
    journal.append(rows.map(of_tournament).to_vec()).unwrap();
    let size = archive.size().unwrap();
    assert_eq!((size.open_tables, size.open_tournaments), (1, 1));
    assert_eq!(size.games, [("go".to_owned(), 27, 13)]);
    assert_eq!(size.tournaments, [("go".to_owned(), 1, 1)]);
}

#[test]
fn rated_games_are_listed_in_order_and_outlive_pruning() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    let rated = |table: u64| {
        let mut row = closes(table, table * 1000 + 2);
        let Mark::Closes(Some(summary)) = &mut row.mark else { unreachable!() };
        summary.rated = table.is_multiple_of(2);
        row
    };
    for table in 1..=9 {
        journal.append(vec![opens(table), rated(table)]).unwrap();
    }
    let on_shelf = |row: Row| Row { game: "go/tournaments".into(), ..row };
    journal.append(vec![on_shelf(opens(1)), on_shelf(closes(1, 5))]).unwrap();
    let archive = SqliteArchive::open(folder.path()).unwrap();
    let ids =
        |games: Vec<crate::Finished>| games.into_iter().map(|game| game.id).collect::<Vec<_>>();
    // Of the even ones, 6 is void.
    assert_eq!(ids(archive.rated("go", 0, 10).unwrap()), ["game-2", "game-4", "game-8"]);
    let second = archive.rated("go", 0, 1).unwrap()[0].place;
    assert_eq!(ids(archive.rated("go", second, 1).unwrap()), ["game-4"]);
    assert_eq!(ids(archive.rated("chess", 0, 10).unwrap()), [""; 0]);

    assert_eq!(archive.finished(&all()).unwrap().len(), 9);
    let shelf = Filter { game: Some("go/tournaments".into()), ..all() };
    assert_eq!(archive.finished(&shelf).unwrap().len(), 1);
    assert_eq!(journal.prune(u64::MAX, 100).unwrap(), 5);
    assert_eq!(ids(archive.rated("go", 0, 10).unwrap()).len(), 3);
    assert_eq!(archive.finished(&shelf).unwrap().len(), 1);
}

/// Everything an archive can be asked about [`batch`]es.
fn answers(archive: &dyn Archive) -> String {
    let filters = [
        all(),
        Filter { game: Some("go".into()), ..all() },
        Filter { game: Some(format!("go{TOURNAMENTS}")), ..all() },
        Filter { game: Some("chess".into()), ..all() },
        Filter { player: Some("player-2".into()), ..all() },
        Filter { finished: Some(false), ..all() },
        Filter { finished: Some(true), ..all() },
        Filter { since: Some(900), ..all() },
        Filter { until: Some(900), ..all() },
        Filter { after: Some(5), ..all() },
        Filter { limit: 3, ..all() },
    ];
    let lists: Vec<_> = filters.iter().map(|filter| archive.finished(filter).unwrap()).collect();
    let rated = [archive.rated("go", 0, 100).unwrap(), archive.rated("go", 3, 2).unwrap()];
    let replays =
        ["game-1", "game-2", "game-8", "game-99"].map(|id| archive.replay("go", id).unwrap());
    let size = crate::Size { bytes: 0, ..archive.size().unwrap() };
    format!("{lists:#?} {rated:#?} {replays:#?} {size:#?}")
}

/// A table opens, the one before plays, the one before that closes; some are rated, some never
/// begin, some are tournaments.
fn batch(number: u64) -> Vec<Row> {
    let mut rows = vec![opens(number), moves(number, 0)];
    if number > 1 {
        rows.push(moves(number - 1, 1));
    }
    if number > 2 {
        let mut row = closes(number - 2, number * 100);
        if let Mark::Closes(Some(summary)) = &mut row.mark {
            summary.rated = number.is_multiple_of(4);
        }
        rows.push(if number.is_multiple_of(7) { vanishes(number - 2) } else { row });
    }
    let shelf = if number.is_multiple_of(5) { TOURNAMENTS } else { "" };
    let game = format!("go{shelf}");
    rows.into_iter().map(|row| Row { game: game.clone().into(), ..row }).collect()
}

#[test]
fn a_journal_in_memory_answers_like_one_in_a_folder() {
    let folder = temp();
    let (mut journal, _) = opened(folder.path());
    let archive = SqliteArchive::open(folder.path()).unwrap();
    let mut memory = Memory::default();
    for number in 1..=20 {
        journal.append(batch(number)).unwrap();
        memory.append(batch(number)).unwrap();
        assert_same_lines(&answers(&memory), &answers(&archive));
    }
    for (closed_before, at_most) in [(0, 10), (1200, 2), (1200, 10), (u64::MAX, 100)] {
        let pruned = journal.prune(closed_before, at_most).unwrap();
        assert_eq!(memory.prune(closed_before, at_most).unwrap(), pruned);
        assert_same_lines(&answers(&memory), &answers(&archive));
    }
}

/// The first line that differs is enough.
fn assert_same_lines(one: &str, other: &str) {
    for (number, (one, other)) in one.lines().zip(other.lines()).enumerate() {
        assert_eq!(one, other, "line {number}");
    }
    assert_eq!(one.len(), other.len());
}
