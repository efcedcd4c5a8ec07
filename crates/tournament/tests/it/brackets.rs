//! Small tournaments, written out. Where nothing else is said the first in the alphabet wins.
//!
//! A line of a bracket is the round, who met (in order of the first game's seats) and who won; a
//! line of a table is place, name, points, the tie-breaks (direct encounter, Buchholz,
//! Sonneborn-Berger, wins), and won-drawn-lost.

use tournament::Format;

use crate::kit::{alphabet, bracket, expect, plan, play_on, started, table, winner};

#[test]
fn knockout_of_two() {
    let mut tournament = started(plan(Format::Knockout, 2), 2);
    play_on(&mut tournament, alphabet);
    expect(&bracket(&tournament), "1: Ben Ann -> Ann");
    assert_eq!(winner(&tournament), Some("Ann"));
}

#[test]
fn knockout_of_three() {
    let mut tournament = started(plan(Format::Knockout, 2), 3);
    play_on(&mut tournament, alphabet);
    expect(
        &bracket(&tournament),
        "1: Ben Ann -> Ann
         1: Cid -> Cid (Bye)
         2: Ann Cid -> Ann",
    );
}

#[test]
fn knockout_of_four() {
    let mut tournament = started(plan(Format::Knockout, 2), 4);
    assert_eq!((tournament.round(), tournament.rounds()), (1, 2));
    play_on(&mut tournament, alphabet);
    expect(
        &bracket(&tournament),
        "1: Dot Cid -> Cid
         1: Ben Ann -> Ann
         2: Cid Ann -> Ann",
    );
    expect(
        &table(&tournament),
        "1 Ann: 4 points, 0/2/4/2, 2-0-0
         2 Cid: 2 points, 0/4/0/1, 1-0-1
         3 Ben: 0 points, 0/4/0/0, 0-0-1
         3 Dot: 0 points, 0/2/0/0, 0-0-1",
    );
}

/// No entrant has two byes, though there are two.
#[test]
fn knockout_of_five() {
    let mut tournament = started(plan(Format::Knockout, 2), 5);
    play_on(&mut tournament, alphabet);
    expect(
        &bracket(&tournament),
        "1: Eve Dot -> Dot
         1: Cid Ann -> Ann
         1: Ben -> Ben (Bye)
         2: Dot Ben -> Ben
         2: Ann -> Ann (Bye)
         3: Ben Ann -> Ann",
    );
    assert_eq!(tournament.byes(1), [tournament.find("Ben").unwrap()]);
    assert_eq!(tournament.byes(2), [tournament.find("Ann").unwrap()]);
    assert_eq!(tournament.byes(3), []);
}

/// In the final Ann, who sat second twice, sits first.
#[test]
fn knockout_of_eight() {
    let mut tournament = started(plan(Format::Knockout, 2), 8);
    play_on(&mut tournament, alphabet);
    expect(
        &bracket(&tournament),
        "1: Fay Dot -> Dot
         1: Ben Cid -> Ben
         1: Hal Gus -> Gus
         1: Eve Ann -> Ann
         2: Dot Ben -> Ben
         2: Gus Ann -> Ann
         3: Ann Ben -> Ann",
    );
}

/// Second at a table of three is better than third, and equal to second at a table of two.
#[test]
fn knockout_of_seven_at_tables_of_three() {
    let mut tournament = started(plan(Format::Knockout, 3), 7);
    play_on(&mut tournament, alphabet);
    expect(
        &bracket(&tournament),
        "1: Ben Eve Cid -> Ben
         1: Gus Fay -> Fay
         1: Dot Ann -> Ann
         2: Fay Ben Ann -> Ann",
    );
    expect(
        &table(&tournament),
        "1 Ann: 7 points, 0/10/20/2, 2-0-0
         2 Ben: 6 points, 0/12/10/1, 1-0-1
         3 Fay: 3 points, 0/14/2/1, 1-0-1
         4 Cid: 2 points, 0/6/0/0, 0-0-1
         4 Dot: 1 points, 0/7/0/0, 0-0-1
         4 Gus: 1 points, 0/3/0/0, 0-0-1
         7 Eve: 0 points, 0/8/0/0, 0-0-1",
    );
}

/// Ann and Ben are level, and so are Cid and Dot: the winner of their game is ahead.
#[test]
fn round_robin_of_four() {
    let mut tournament = started(plan(Format::RoundRobin { cycles: 1 }, 2), 4);
    play_on(&mut tournament, |names| match names {
        ["Ann", "Ben"] | ["Ben", "Dot"] | ["Dot", "Cid"] => vec![2, 1],
        ["Ben", "Ann"] | ["Dot", "Ben"] | ["Cid", "Dot"] => vec![1, 2],
        _ => alphabet(names),
    });
    expect(
        &bracket(&tournament),
        "1: Ann Dot -> Ann
         1: Ben Cid -> Ben
         2: Cid Ann -> Ann
         2: Dot Ben -> Dot
         3: Ann Ben -> Ben
         3: Cid Dot -> Cid",
    );
    expect(
        &table(&tournament),
        "1 Ben: 4 points, 2/8/12/2, 2-0-1
         2 Ann: 4 points, 0/8/8/2, 2-0-1
         3 Cid: 2 points, 2/10/4/1, 1-0-2
         4 Dot: 2 points, 0/10/8/1, 1-0-2",
    );
}

/// Ann, Ben and Cid beat each other in a circle and draw with the rest: more wins count, and then
/// there is nothing but the lot.
#[test]
fn round_robin_of_five() {
    let mut tournament = started(plan(Format::RoundRobin { cycles: 1 }, 2), 5);
    play_on(&mut tournament, |names| match names {
        ["Ann", "Ben"] | ["Ben", "Cid"] | ["Cid", "Ann"] => vec![1, 2],
        ["Ben", "Ann"] | ["Cid", "Ben"] | ["Ann", "Cid"] => vec![2, 1],
        _ => vec![1, 1],
    });
    expect(
        &bracket(&tournament),
        "1: Ann Eve -> nobody
         1: Dot Cid -> nobody
         2: Ben Dot -> nobody
         2: Cid Ann -> Cid
         3: Eve Cid -> nobody
         3: Ann Ben -> Ann
         4: Dot Ann -> nobody
         4: Ben Eve -> nobody
         5: Cid Ben -> Ben
         5: Eve Dot -> nobody",
    );
    expect(
        &table(&tournament),
        "1 Ben: 4 points, 4/16/16/1, 1-2-1
         2 Cid: 4 points, 4/16/16/1, 1-2-1
         3 Ann: 4 points, 4/16/16/1, 1-2-1
         4 Eve: 4 points, 4/16/16/0, 0-4-0
         5 Dot: 4 points, 4/16/16/0, 0-4-0",
    );
}

/// In round 2 three have won: Ben and Eve meet, and Ann meets an entrant that has lost.
#[test]
fn swiss_of_six_in_three_rounds() {
    let mut tournament = started(plan(Format::Swiss { rounds: 3 }, 2), 6);
    play_on(&mut tournament, alphabet);
    expect(
        &bracket(&tournament),
        "1: Cid Ben -> Ben
         1: Fay Eve -> Eve
         1: Dot Ann -> Ann
         2: Ben Eve -> Ben
         2: Ann Cid -> Ann
         2: Fay Dot -> Dot
         3: Ben Ann -> Ann
         3: Eve Dot -> Dot
         3: Cid Fay -> Cid",
    );
    expect(
        &table(&tournament),
        "1 Ann: 6 points, 0/10/20/3, 3-0-0
         2 Ben: 4 points, 0/10/8/2, 2-0-1
         3 Dot: 4 points, 0/8/4/2, 2-0-1
         4 Cid: 2 points, 0/10/0/1, 1-0-2
         5 Eve: 2 points, 0/8/0/1, 1-0-2
         6 Fay: 0 points, 0/8/0/0, 0-0-3",
    );
}

/// Byes go to the lowest. In round 3 Ben and Ann would meet, but then only Dot and Cid would be
/// left, who have met.
#[test]
fn swiss_of_five() {
    let mut tournament = started(plan(Format::Swiss { rounds: 0 }, 2), 5);
    play_on(&mut tournament, alphabet);
    expect(
        &bracket(&tournament),
        "1: Ben Eve -> Ben
         1: Dot Cid -> Cid
         1: Ann -> Ann (Bye)
         2: Cid Ben -> Ben
         2: Eve Ann -> Ann
         2: Dot -> Dot (Bye)
         3: Ben Dot -> Ben
         3: Ann Cid -> Ann
         3: Eve -> Eve (Bye)",
    );
}

#[test]
fn gauntlet_of_one_challenger_twice() {
    let mut tournament = started(plan(Format::Gauntlet { challengers: 1, cycles: 2 }, 2), 4);
    play_on(&mut tournament, alphabet);
    expect(
        &bracket(&tournament),
        "1: Ann Dot -> Ann
         2: Cid Ann -> Ann
         3: Ann Ben -> Ann
         4: Dot Ann -> Ann
         5: Ann Cid -> Ann
         6: Ben Ann -> Ann",
    );
    assert_eq!(winner(&tournament), Some("Ann"));
}

#[test]
fn gauntlet_of_two_challengers() {
    let mut tournament = started(plan(Format::Gauntlet { challengers: 2, cycles: 1 }, 2), 5);
    play_on(&mut tournament, alphabet);
    expect(
        &bracket(&tournament),
        "1: Ann Eve -> Ann
         1: Ben Dot -> Ben
         2: Dot Ann -> Ann
         2: Cid Ben -> Ben
         3: Ann Cid -> Ann
         3: Eve Ben -> Ben",
    );
}

/// Seven at tables of three: seven tables, and each entrant meets every other exactly once.
#[test]
fn round_robin_of_seven_at_tables_of_three() {
    let mut tournament = started(plan(Format::RoundRobin { cycles: 1 }, 3), 7);
    play_on(&mut tournament, alphabet);
    expect(
        &bracket(&tournament),
        "1: Ben Eve Gus -> Ben
         2: Eve Cid Fay -> Cid
         3: Cid Gus Dot -> Cid
         4: Gus Fay Ann -> Ann
         5: Fay Dot Ben -> Ben
         6: Dot Ann Eve -> Ann
         7: Ann Ben Cid -> Ann",
    );
}
