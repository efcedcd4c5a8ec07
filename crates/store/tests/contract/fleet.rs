//! What servers that share a database are promised: one of them writes, whatever becomes of the others,
//! of the connections and of the database.

use std::time::Duration;

use store::leases::{Fleet, Leases};
use store::postgres::PostgresLeases;
use store::{Filter, Journal, Kind, Mark, StoreError, Topic};

use crate::in_database::{InDatabase, execute, number};
use crate::storage::{Hold, Storage, closes, lines, moves, opens, row};

/// Long enough that no node of a test ends by itself.
const LONG: Duration = Duration::from_secs(600);

/// Does something while a transaction of another client is open.
fn in_a_transaction<T>(url: &str, what: impl FnOnce(i32) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let (client, pid) = runtime.block_on(async {
        let (client, connection) =
            tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ";
        client.batch_execute(begin).await.unwrap();
        let pid = client.query_one("SELECT pg_backend_pid()", &[]).await.unwrap().get(0);
        (client, pid)
    });
    let done = what(pid);
    drop(client);
    done
}

fn hold(journal: impl Journal + 'static) -> Hold {
    let mut journal: Box<dyn Journal> = Box::new(journal);
    let loaded = journal.load("go").expect("it loads");
    Hold { journal, stream: "go", loaded }
}

/// The node has not said for too long that it is alive.
fn silence(place: &InDatabase, name: &str) {
    let late = format!("UPDATE nodes SET expires = clock_timestamp() WHERE name = '{name}'");
    execute(&place.0, &late);
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn zombie_append_is_refused() {
    let place = InDatabase::default();
    let (one, mut two) = (place.join("one", LONG), place.join("two", LONG));
    let mut zombie = hold(place.journal_of(Some(one.incarnation())));
    zombie.append(vec![opens(1), moves(1, 0)]);
    let mut successor = place.journal_of(Some(two.incarnation()));
    let refused = successor.load("go").unwrap_err();
    assert!(matches!(&refused, StoreError::Held { by, .. } if by == "one"), "{refused}");
    silence(&place, "one");
    assert!(successor.load("go").is_err(), "nobody has said so yet");
    two.beat().unwrap();
    let mut successor = hold(successor);
    assert_eq!(successor.loaded.open[&Topic::Table(1)], lines(&[opens(1), moves(1, 0)]));
    let refused = zombie.try_append(vec![moves(1, 1)]).unwrap_err();
    assert!(matches!(refused, StoreError::Superseded { .. }), "{refused}");
    let refused = zombie.try_append(vec![moves(1, 1), closes(1, 1500)]).unwrap_err();
    assert!(matches!(refused, StoreError::Superseded { .. }), "{refused}");
    successor.append(vec![moves(1, 2)]);
    let loaded = hold(place.journal_of(Some(two.incarnation()))).loaded;
    assert_eq!(loaded.open[&Topic::Table(1)], lines(&[opens(1), moves(1, 0), moves(1, 2)]));
    assert_eq!(place.archive().size().unwrap().games, []);
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_node_that_was_silent_for_too_long_gets_back_what_nobody_has_taken() {
    let place = InDatabase::default();
    let (mut one, mut two) = (place.join("one", LONG), place.join("two", LONG));
    let mut held = hold(place.journal_of(Some(one.incarnation())));
    let first = held.loaded.epoch;
    assert_eq!(one.beat().unwrap().owner("go").unwrap().name, "one");
    silence(&place, "one");
    assert_eq!(two.beat().unwrap().nodes.len(), 1);
    assert!(matches!(one.beat(), Err(StoreError::Expired(name)) if name == "one"));
    let before = one.incarnation();
    one.rejoin().unwrap();
    assert!(one.incarnation() > before);
    let fleet = one.beat().unwrap();
    assert_eq!(fleet.node(one.incarnation()).unwrap().number, before, "it is the same process");
    assert_eq!(fleet.owner("go").unwrap().name, "one");
    assert_eq!(fleet.holding("go").unwrap().epoch, first, "it goes on as it was");
    held.append(vec![opens(1)]);
    // What another has taken meanwhile is gone.
    silence(&place, "one");
    two.beat().unwrap();
    let taken = hold(place.journal_of(Some(two.incarnation())));
    assert!(taken.loaded.epoch > first);
    assert!(matches!(one.beat(), Err(StoreError::Expired(_))));
    one.rejoin().unwrap();
    assert_eq!(one.beat().unwrap().owner("go").unwrap().name, "two");
    assert!(held.try_append(vec![moves(1, 0)]).is_err());
    // And it stays gone, however its taker ends.
    two.leave().unwrap();
    silence(&place, "one");
    one.rejoin().unwrap();
    assert_eq!(one.beat().unwrap().owner("go"), None);
}

/// If the clock was set back, a node that has just ended looks alive for as long as the step was.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_database_whose_clock_was_set_back_keeps_no_dead_node_alive() {
    let place = InDatabase::default();
    let (one, mut two) =
        (place.join("one", Duration::from_secs(1)), place.join("two", Duration::from_secs(1)));
    drop(hold(place.journal_of(Some(one.incarnation()))));
    execute(
        &place.0,
        "UPDATE nodes SET expires = clock_timestamp() + interval '1 hour' WHERE name = 'one'",
    );
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    loop {
        let fleet = two.beat().unwrap();
        if fleet.nodes.len() == 1 {
            break;
        }
        assert!(std::time::Instant::now() < deadline, "it is still alive: {fleet:?}");
    }
    hold(place.journal_of(Some(two.incarnation())));
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_transaction_that_somebody_leaves_open_is_found() {
    let place = InDatabase::default();
    let mut hold = Hold::on(&place);
    hold.append(vec![opens(1)]);
    let mine = in_a_transaction(&place.0, |pid| {
        for turn in 0..50 {
            hold.append(vec![moves(1, turn)]);
        }
        let found = place.database().oldest_transaction().unwrap().expect("there is one");
        (found.pid == pid, found.later >= 50, found)
    });
    // Others of this cluster may have an older one, as other tests do.
    assert!(mine.0 || mine.2.later > 50, "{mine:?}");
    assert!(mine.1, "{mine:?}");
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn resigning_leaves_the_epoch_and_lets_others_load_at_once() {
    let place = InDatabase::default();
    let (mut one, mut two) = (place.join("one", LONG), place.join("two", LONG));
    let mut held = hold(place.journal_of(Some(one.incarnation())));
    held.append(vec![opens(1)]);
    assert!(!two.resign("go").unwrap(), "it is not its own");
    assert!(one.resign("go").unwrap());
    let fleet = two.beat().unwrap();
    let holding = fleet.holding("go").unwrap();
    assert_eq!((holding.owner, holding.epoch, holding.batch), (None, held.loaded.epoch, 1));
    let successor = hold(place.journal_of(Some(two.incarnation())));
    assert_eq!(successor.loaded.epoch, held.loaded.epoch + 1);
    assert!(held.try_append(vec![moves(1, 0)]).is_err());
    two.leave().unwrap();
    assert_eq!(one.beat().unwrap().nodes.len(), 1);
    hold(place.journal_of(Some(one.incarnation())));
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_node_that_is_about_to_leave_says_so() {
    let place = InDatabase::default();
    let (mut one, mut two) = (place.join("one", LONG), place.join("two", LONG));
    one.retire().unwrap();
    let leaving =
        |fleet: Fleet| fleet.nodes.into_iter().map(|node| node.leaving).collect::<Vec<_>>();
    assert_eq!(leaving(two.beat().unwrap()), [true, false]);
    assert_eq!(leaving(one.beat().unwrap()), [true, false]);
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_server_that_is_started_again_replaces_itself() {
    let place = InDatabase::default();
    let mut first = place.join("one", LONG);
    let mut second = place.join("one", LONG);
    assert!(matches!(first.beat(), Err(StoreError::Replaced(name)) if name == "one"));
    let fleet = second.beat().unwrap();
    assert_eq!(fleet.nodes.len(), 1);
    assert_eq!(fleet.nodes[0].address, "one:7800");
    assert_eq!(first.secret("link").unwrap(), second.secret("link").unwrap());
    assert_eq!(second.secret("link").unwrap().len(), 64);
}

/// Two servers with one name kept ending each other as long as both were restarted.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_name_is_not_given_to_a_second_server_while_the_first_is_alive() {
    let place = InDatabase::default();
    let mut first = place.join("one", LONG);
    let elsewhere = || PostgresLeases::join(place.database(), "one", "elsewhere:7800", LONG);
    std::thread::scope(|scope| {
        let second = scope.spawn(elsewhere);
        while !second.is_finished() {
            first.beat().expect("it is alive");
        }
        let refused = second.join().expect("no panics").expect_err("the first is alive");
        assert!(
            matches!(&refused, StoreError::NameInUse { name, address }
            if name == "one" && address == "one:7800"),
            "{refused}"
        );
    });
    // One that is silent ends after its lease, and the second has waited for that.
    std::thread::scope(|scope| {
        let second = scope.spawn(elsewhere);
        silence(&place, "one");
        let mut second = second.join().expect("no panics").expect("nobody has the name");
        assert_eq!(second.beat().expect("it has joined").nodes.len(), 1);
        assert!(matches!(first.beat(), Err(StoreError::Replaced(_))));
    });
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn takeover_waits_for_an_append_in_flight() {
    let place = InDatabase::default();
    let mut owner = Hold::on(&place);
    owner.append(vec![opens(1)]);
    // An append that has passed the fence and is not committed yet.
    let (url, schema) = (place.0.clone(), std::sync::mpsc::channel::<()>());
    let (locked, is_locked) = schema;
    let slow = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (mut client, connection) =
                tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
            tokio::spawn(connection);
            let append = client.transaction().await.unwrap();
            let raise = "UPDATE streams SET batch = 2 WHERE stream = 'go' AND batch = 1";
            assert_eq!(append.execute(raise, &[]).await.unwrap(), 1);
            locked.send(()).unwrap();
            // Until another transaction waits for the row.
            loop {
                let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted
                               AND pg_backend_pid() = ANY (pg_blocking_pids(pid))";
                if append.query_one(waiting, &[]).await.unwrap().get::<_, i64>(0) > 0 {
                    break;
                }
            }
            let line = r#"0 9 {"at":1000,"record":{"moved":{"seq":0,"seat":0}}}"#;
            let insert = "INSERT INTO journal VALUES ('go', 2, 0, $1)";
            append.execute(insert, &[&line]).await.unwrap();
            append.commit().await.unwrap();
        });
    });
    is_locked.recv().unwrap();
    let loaded = Hold::on(&place).loaded;
    slow.join().unwrap();
    assert!(loaded.open.contains_key(&Topic::Table(9)), "what was committed first is there");
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn lost_commit_reply_is_applied_once() {
    let place = InDatabase::default();
    let mut hold = Hold::on(&place);
    hold.append(vec![opens(1)]);
    // Connections are cut behind the journal's back, again and again, while it writes.
    let (stop, stopped) = std::sync::mpsc::channel::<()>();
    let url = place.0.clone();
    let cutter = std::thread::spawn(move || {
        let mut cuts = 0;
        while stopped.try_recv().is_err() {
            let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                       WHERE pid <> pg_backend_pid() AND query LIKE '%WITH fence%'
                         AND application_name = current_setting('application_name')
                         AND query NOT LIKE '%pg_stat_activity%'";
            execute(&url, cut);
            cuts += 1;
        }
        cuts
    });
    for turn in 0..150 {
        hold.append(vec![moves(1, turn)]);
    }
    hold.append(vec![closes(1, 9000)]);
    stop.send(()).unwrap();
    assert!(cutter.join().unwrap() > 5);
    let replay = place.archive().replay(Kind::Table, "go", "game-1").unwrap().unwrap();
    let rows: Vec<_> = [opens(1)]
        .into_iter()
        .chain((0..150).map(|turn| moves(1, turn)))
        .chain([closes(1, 9000)])
        .collect();
    assert_eq!(replay.lines, lines(&rows));
    let games = place.archive().finished(&Filter { limit: 10, ..Filter::default() }).unwrap();
    assert_eq!(games.len(), 1);
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn servers_that_start_together_make_the_tables_once() {
    let place = InDatabase::default();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| Hold::on(&place).append(vec![]));
        }
    });
    assert_eq!(Hold::on(&place).loaded.epoch, 9);
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn names_with_zero_bytes_stop_nobody() {
    let place = InDatabase::default();
    let mut hold = Hold::on(&place);
    let mut row = closes(1, 1500);
    let store::Mark::Closes(Some(summary)) = &mut row.mark else { unreachable!() };
    summary.names = vec!["a\0b".to_owned(), "a\0b".to_owned()];
    hold.append(vec![opens(1), row]);
    let of = |player: &str| {
        let filter = Filter { player: Some(player.to_owned()), limit: 10, ..Filter::default() };
        place.archive().finished(&filter).unwrap()
    };
    assert_eq!(of("a\0b")[0].players, ["a\0b", "a\0b"]);
    assert_eq!(of("ab").len(), 0);
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_database_of_somebody_else_or_of_a_later_release_is_refused() {
    use store::postgres::Database;
    let place = InDatabase::default();
    execute(&place.0, "CREATE TABLE games (id int)");
    assert!(matches!(Database::open(&place.0), Err(StoreError::Foreign(_))));
    let place = InDatabase::default();
    place.database();
    execute(&place.0, "UPDATE parlor_layout SET version = 99");
    let refused = Database::open(&place.0).unwrap_err();
    assert!(matches!(refused, StoreError::Newer { found: 99, .. }), "{refused}");
    let nobody = Database::open("postgres://127.0.0.1:1/games").unwrap_err();
    assert!(nobody.to_string().contains("127.0.0.1:1"), "{nobody}");
}

/// What earlier releases have left open is still open.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_journal_with_a_row_for_each_topic_is_brought_up_to_date() {
    let place = InDatabase::default();
    place.database();
    execute(
        &place.0,
        "DROP TABLE journal;
         CREATE TABLE journal (stream text NOT NULL, kind smallint NOT NULL, number bigint NOT NULL,
             batch bigint NOT NULL, lines text NOT NULL, PRIMARY KEY (stream, kind, number, batch));
         INSERT INTO journal
         SELECT 'go', kind, number, batch,
                E'{\"at\":' || batch || E',\"record\":\"a^b\"}\\n{\"at\":9,\"record\":\"\"}\\n'
         FROM generate_series(0, 1) AS kind, generate_series(7, 8) AS number,
              generate_series(1, 2) AS batch;
         INSERT INTO streams (stream, epoch, batch) VALUES ('go', 3, 2);
         ALTER TABLE games DROP COLUMN tournament;
         UPDATE parlor_layout SET version = 4",
    );
    let loaded = Hold::on(&place).loaded;
    let topics = [7, 8].map(Topic::Table).into_iter().chain([7, 8].map(Topic::Tournament));
    assert!(loaded.open.keys().copied().eq(topics));
    for lines in loaded.open.values() {
        let read: Vec<_> = lines.iter().map(|line| (line.at, line.record.as_str())).collect();
        assert_eq!(read, [(1, "\"a^b\""), (9, "\"\""), (2, "\"a^b\""), (9, "\"\"")]);
    }
}

/// Whatever was ever written would be read at every takeover.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn what_is_closed_is_dropped_before_long() {
    let place = InDatabase::default();
    let mut hold = Hold::on(&place);
    hold.append(vec![opens(1), moves(1, 0)]);
    let long = format!("\"{}\"", "é".repeat(50_000));
    for table in 2..=200 {
        let moved = row(Topic::Table(table), 5, &long, Mark::Continues);
        hold.append(vec![opens(table), moved]);
        hold.append(vec![closes(table, 100), moves(1, table)]);
    }
    drop(hold);
    let held = number(&place.0, "SELECT sum(length(lines))::int8 FROM journal");
    assert!((1..6 << 20).contains(&held), "{held}");
    let loaded = Hold::on(&place).loaded;
    assert_eq!(loaded.open.len(), 1);
    assert_eq!(loaded.open[&Topic::Table(1)].len(), 201);
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn records_that_were_changed_behind_the_stores_back_are_refused() {
    let place = InDatabase::default();
    Hold::on(&place).append(vec![opens(1), moves(1, 0)]);
    execute(&place.0, r#"UPDATE journal SET lines = replace(lines, '"seat":0', '"seat":1')"#);
    let refused = place.journal().load("go").unwrap_err();
    assert!(
        matches!(&refused, StoreError::Damaged { what, .. } if what.contains("record 2")),
        "{refused}"
    );
}
