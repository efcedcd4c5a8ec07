//! Promises that hold when the database is silent: one of its processes was stopped, a machine has
//! no power, a network swallows what is sent. No error says so, and everything continues all the
//! same, or gives up in time.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use store::leases::Leases;
use store::postgres::{Database, PostgresArchive, PostgresJournal};
use store::{Archive, Filter, Journal, StoreError};

use crate::in_database::{InDatabase, execute, numbers};
use crate::storage::{Hold, Storage, closes, moves, opens};

/// Nothing takes this long, unless it would never end.
const PATIENCE: Duration = Duration::from_secs(60);

/// Does something that must come to an end.
fn in_time<T: Send + 'static>(what: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, is_done) = channel();
    std::thread::spawn(move || done.send(what()));
    is_done.recv_timeout(PATIENCE).expect("it ends")
}

/// Processes of the database that stand still while this is held.
struct Stopped(Vec<i64>);

impl Stopped {
    /// All that serve a store at a place.
    fn all(place: &InDatabase) -> Stopped {
        let ask = "SELECT pid::int8 FROM pg_stat_activity
                   WHERE application_name = current_setting('application_name')
                     AND pid <> pg_backend_pid()";
        let stopped = Stopped(numbers(&place.0, ask));
        assert!(!stopped.0.is_empty(), "there are connections");
        stopped.signal("STOP");
        stopped
    }

    fn signal(&self, signal: &str) {
        for pid in &self.0 {
            let pid = pid.to_string();
            assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
        }
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        self.signal("CONT");
    }
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn an_append_goes_on_when_its_connection_hangs() {
    let place = InDatabase::default();
    let mut hold = Hold::on(&place);
    hold.append(vec![opens(1)]);
    let stopped = Stopped::all(&place);
    in_time(move || {
        hold.append(vec![moves(1, 0)]);
        hold.append(vec![moves(1, 1)]);
    });
    drop(stopped);
    assert_eq!(Hold::on(&place).loaded.open.values().next().unwrap().len(), 3);
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn a_lease_outlasts_a_connection_that_hangs() {
    let place = InDatabase::default();
    let mut leases = place.join("one", Duration::from_secs(15));
    leases.beat().unwrap();
    let stopped = Stopped::all(&place);
    in_time(move || leases.beat()).expect("it is in time");
    drop(stopped);
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn readers_go_on_when_their_connections_hang() {
    let place = InDatabase::default();
    Hold::on(&place).append(vec![opens(1), closes(1, 5)]);
    let archive = Arc::new(PostgresArchive::new(place.database()));
    let all = Filter { limit: 10, ..Filter::default() };
    assert_eq!(archive.finished(&all).unwrap().len(), 1);
    let stopped = Stopped::all(&place);
    let found = in_time(move || archive.finished(&all).or_else(|_| archive.finished(&all)));
    drop(stopped);
    assert_eq!(found.unwrap().len(), 1);
}

/// The way to a database, which may be cut without a sign.
struct Way {
    address: SocketAddr,
    is_silent: Arc<AtomicBool>,
}

impl Way {
    fn to(database: SocketAddr) -> Way {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, is_silent) =
            (listener.local_addr().unwrap(), Arc::new(AtomicBool::default()));
        let flag = is_silent.clone();
        std::thread::spawn(move || {
            for here in listener.incoming().flatten() {
                let there = TcpStream::connect(database).unwrap();
                for (from, to) in [(&here, &there), (&there, &here)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let flag = flag.clone();
                    std::thread::spawn(move || carry(from, to, &flag));
                }
            }
        });
        Way { address, is_silent }
    }
}

fn carry(mut from: TcpStream, mut to: TcpStream, is_silent: &AtomicBool) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if !is_silent.load(Ordering::SeqCst) && to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    // The other side may have hung up first.
    let _ = to.shutdown(Shutdown::Both);
}

/// An address of a test, with other hosts.
fn with_hosts(place: &InDatabase, hosts: &str) -> String {
    let (scheme, rest) = place.0.split_once('@').unwrap();
    format!("{scheme}@{hosts}/{}", rest.split_once('/').unwrap().1)
}

fn host_of(place: &InDatabase) -> SocketAddr {
    let rest = place.0.split_once('@').unwrap().1;
    rest.split_once('/').unwrap().0.parse().unwrap()
}

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn an_append_that_cannot_be_made_gives_up() {
    let place = InDatabase::default();
    let way = Way::to(host_of(&place));
    let (database, _) = Database::open(&with_hosts(&place, &way.address.to_string())).unwrap();
    let mut journal = PostgresJournal::new(database, None, Duration::from_secs(6));
    let loaded = journal.load("go").unwrap();
    let mut hold = Hold { journal: Box::new(journal), stream: "go", loaded };
    hold.append(vec![opens(1)]);
    way.is_silent.store(true, Ordering::SeqCst);
    let (hold, given_up) = in_time(move || {
        let given_up = hold.try_append(vec![moves(1, 0)]).unwrap_err();
        (hold, given_up)
    });
    assert!(matches!(given_up, StoreError::Away { .. }), "{given_up}");
    drop(hold);
    assert_eq!(place.journal().load("go").unwrap().open.len(), 1);
}

/// A host without power: an address that nothing answers at.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn silent_hosts_do_not_use_up_a_lease() {
    let place = InDatabase::default();
    // Full from the start, so that no connection is answered.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let hosts = format!("{0},{0},{1}", silent.local_addr().unwrap(), host_of(&place));
    let url = with_hosts(&place, &hosts);
    let (database, _) = in_time(move || Database::open(&url)).expect("one of them answers");
    let lease = Duration::from_secs(2);
    let mut leases =
        store::postgres::PostgresLeases::join(database, "one", "one:7800", lease).unwrap();
    leases.beat().expect("in time");
}

/// What the database has answered is gone, as after a switch to a standby that was behind.
#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn an_append_after_lost_commits_is_given_up() {
    let place = InDatabase::default();
    let mut hold = Hold::on(&place);
    hold.append(vec![opens(1)]);
    hold.append(vec![moves(1, 0)]);
    hold.append(vec![moves(1, 1)]);
    execute(
        &place.0,
        "DELETE FROM journal WHERE batch > 1; UPDATE streams SET batch = 1 WHERE stream = 'go'",
    );
    let (mut hold, given_up) = in_time(move || {
        let given_up = hold.try_append(vec![moves(1, 2)]).unwrap_err();
        (hold, given_up)
    });
    let is_told = matches!(given_up, StoreError::Rewound { saved: 3, found: 1, .. });
    assert!(is_told, "{given_up}");
    assert!(hold.try_append(vec![moves(1, 3)]).is_err(), "it is not its own any more");
    drop(hold);
    // The next owner continues from what is there.
    let mut next = Hold::on(&place);
    assert_eq!(next.loaded.open.values().next().unwrap().len(), 1);
    next.append(vec![moves(1, 0)]);
}
