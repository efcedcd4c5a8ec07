//! Games that are over: found, paged through, removed.

use store::{Archive, Filter, Finished, Kind, Mark};

use crate::storage::{Hold, Storage, closes, lines, moves, of_tournament, opens, vanishes};

/// Forty games, closed at 100, 200, ... 4000.
fn forty(place: &dyn Storage) -> (Hold, Box<dyn Archive>) {
    let mut hold = Hold::on(place);
    for table in 1..=40 {
        hold.append(vec![opens(table), closes(table, table * 100)]);
    }
    (hold, place.archive())
}

fn all() -> Filter {
    Filter { limit: 1000, ..Filter::default() }
}

fn ids(archive: &dyn Archive, filter: &Filter) -> Vec<u64> {
    let games = archive.finished(filter).unwrap();
    games.iter().map(|game| game.id["game-".len()..].parse().unwrap()).collect()
}

pub fn the_latest_come_first_with_everything_that_is_kept(place: &dyn Storage) {
    let (_hold, archive) = forty(place);
    assert_eq!(ids(&*archive, &all()), (1..=40).rev().collect::<Vec<_>>());
    let game = &archive.finished(&all()).unwrap()[1];
    assert_eq!((game.game.as_str(), game.id.as_str(), game.status), ("go", "game-39", "void"));
    assert_eq!((game.opened_at, game.closed_at, game.rules_version), (39_000, 3900, 1));
    assert_eq!(game.players, ["player-4", "everybody"]);
    assert_eq!(game.closing.get(), r#"{"over":[39,0]}"#);
    assert!(game.versions.is_empty());
    let versions = [Some("1.40 \"β\"".to_owned()), None];
    let games = archive.finished(&all()).unwrap();
    assert_eq!(games[0].versions, versions);
    assert_eq!(
        (games[0].tournament.as_deref(), games[5].tournament.as_deref()),
        (None, Some("cup-35 \"β\""))
    );
}

pub fn every_filter_leaves_what_fits(place: &dyn Storage) {
    let (_hold, archive) = forty(place);
    let of = |change: &dyn Fn(&mut Filter)| {
        let mut filter = all();
        change(&mut filter);
        ids(&*archive, &filter)
    };
    let numbers = |fits: &dyn Fn(&u64) -> bool| (1..=40).rev().filter(fits).collect::<Vec<u64>>();
    assert_eq!(of(&|f| f.game = Some("go".into())).len(), 40);
    assert_eq!(of(&|f| f.game = Some("chess".into())), Vec::<u64>::new());
    assert_eq!(of(&|f| f.player = Some("player-2".into())), numbers(&|n| n % 5 == 2));
    assert_eq!(of(&|f| f.player = Some("everybody".into())).len(), 40);
    assert_eq!(of(&|f| f.player = Some("' OR 1 --".into())), Vec::<u64>::new());
    assert_eq!(of(&|f| f.finished = Some(false)), numbers(&|n| n % 3 == 0));
    assert_eq!(of(&|f| f.finished = Some(true)), numbers(&|n| n % 3 != 0));
    assert_eq!(of(&|f| f.tournament = Some(true)), numbers(&|n| n % 7 == 0));
    assert_eq!(of(&|f| f.tournament = Some(false)), numbers(&|n| n % 7 != 0));
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

pub fn pages_join_without_gap_or_repetition_while_games_go_on_closing(place: &dyn Storage) {
    let (mut hold, archive) = forty(place);
    let mut filter = Filter { limit: 7, finished: Some(true), ..Filter::default() };
    let mut seen = Vec::new();
    loop {
        let page = archive.finished(&filter).unwrap();
        seen.extend(ids(&*archive, &filter));
        let table = 100 + seen.len() as u64;
        hold.append(vec![opens(table), closes(table, 5000)]);
        match page.last() {
            Some(last) => filter.after = Some(last.place),
            None => break,
        }
    }
    assert_eq!(seen, (1..=40).rev().filter(|n| n % 3 != 0).collect::<Vec<u64>>());
}

pub fn of_games_with_one_id_the_latest_is_replayed(place: &dyn Storage) {
    let (mut hold, archive) = forty(place);
    hold.append(vec![opens(7), moves(7, 3), closes(7, 9000)]);
    let replay = archive.replay(Kind::Table, "go", "game-7").unwrap().unwrap();
    assert_eq!(replay.lines, lines(&[opens(7), moves(7, 3), closes(7, 9000)]));
    assert!(archive.replay(Kind::Table, "chess", "game-7").unwrap().is_none());
    let text = replay.to_json_lines();
    assert_eq!(text.lines().next(), Some(r#"{"game":"go","id":"game-7"}"#));
    let begins = r#"{"at":7003,"by":2,"cause":"1.2.7003","hash":""#;
    let ends = r#"","record":{"moved":{"seq":3,"seat":0}}}"#;
    let line = text.lines().nth(2).expect("a line for every record");
    assert!(line.starts_with(begins) && line.ends_with(ends), "{line}");
    assert_eq!(store::chain::verify("go", &replay.lines), Ok(3));
}

pub fn pruning_removes_the_oldest_and_nothing_else(place: &dyn Storage) {
    let (mut hold, archive) = forty(place);
    hold.append(vec![opens(50), moves(50, 0)]);
    assert_eq!(hold.journal.prune(100, 100).unwrap(), 0);
    assert_eq!(hold.journal.prune(1001, 4).unwrap(), 4);
    assert_eq!(ids(&*archive, &all()), (5..=40).rev().collect::<Vec<_>>());
    assert_eq!(hold.journal.prune(1001, 100).unwrap(), 6);
    assert_eq!(hold.journal.prune(1001, 100).unwrap(), 0);
    assert!(archive.replay(Kind::Table, "go", "game-10").unwrap().is_none());
    let player = Filter { player: Some("player-0".into()), ..all() };
    assert_eq!(ids(&*archive, &player), [40, 35, 30, 25, 20, 15]);
    assert_eq!(hold.journal.prune(u64::MAX, 100).unwrap(), 30);
    let size = archive.size().unwrap();
    assert_eq!((size.open_tables, size.games), (1, vec![]));
    // A page's place is never given to another game, even once all are gone.
    hold.append(vec![opens(51), closes(51, 6000)]);
    assert_eq!(archive.finished(&all()).unwrap()[0].place, 41);
    drop(hold);
    let loaded = Hold::on(place).loaded;
    assert_eq!((loaded.open.len(), loaded.next_table), (1, 52));
}

pub fn the_size_counts_games_and_open_tables(place: &dyn Storage) {
    let (mut hold, archive) = forty(place);
    hold.append(vec![opens(50), opens(51), vanishes(51)]);
    let size = archive.size().unwrap();
    assert_eq!(size.games, [("go".to_owned(), 27, 13)]);
    assert_eq!(size.open_tables, 1);
    // Tournaments are kept like tables, and are none.
    let rows = [opens(1), closes(1, 5000), opens(3), closes(3, 5000), opens(4), moves(4, 0)];
    hold.append(rows.map(of_tournament).to_vec());
    let size = archive.size().unwrap();
    assert_eq!((size.open_tables, size.open_tournaments), (1, 1));
    assert_eq!(size.games, [("go".to_owned(), 27, 13)]);
    assert_eq!(size.tournaments, [("go".to_owned(), 1, 1)]);
}

pub fn rated_games_are_listed_in_order_and_outlive_pruning(place: &dyn Storage) {
    let mut hold = Hold::on(place);
    let rated = |table: u64| {
        let mut row = closes(table, table * 1000 + 2);
        let Mark::Closes(Some(summary)) = &mut row.mark else { unreachable!() };
        summary.rated = table.is_multiple_of(2);
        row
    };
    for table in 1..=9 {
        hold.append(vec![opens(table), rated(table)]);
    }
    hold.append(vec![of_tournament(opens(1)), of_tournament(closes(1, 5))]);
    let archive = place.archive();
    let ids = |games: Vec<Finished>| games.into_iter().map(|game| game.id).collect::<Vec<_>>();
    // Of the even ones, 6 is void.
    assert_eq!(ids(archive.rated("go", 0, 10).unwrap()), ["game-2", "game-4", "game-8"]);
    let second = archive.rated("go", 0, 1).unwrap()[0].place;
    assert_eq!(ids(archive.rated("go", second, 1).unwrap()), ["game-4"]);
    assert_eq!(ids(archive.rated("chess", 0, 10).unwrap()), [""; 0]);
    // Game 7 names its tournament. Of the others, earlier releases kept only that they are rated.
    let of_tournaments = Filter { tournament: Some(true), ..all() };
    assert_eq!(ids(archive.finished(&of_tournaments).unwrap()).len(), 5);

    assert_eq!(archive.finished(&all()).unwrap().len(), 9);
    let tournaments = Filter { kind: Kind::Tournament, game: Some("go".into()), ..all() };
    assert_eq!(archive.finished(&tournaments).unwrap().len(), 1);
    assert_eq!(hold.journal.prune(u64::MAX, 100).unwrap(), 5);
    assert_eq!(ids(archive.rated("go", 0, 10).unwrap()).len(), 3);
    assert_eq!(archive.finished(&tournaments).unwrap().len(), 1);
}
