//! The moves of one turn, arriving in different orders.

use std::sync::Arc;

use rules::any::AnyAction;
use rules::{Dice, Seat, Seed};

use hall::{How, Opened, Table, TableRecord, Terms, Time};

/// Plays random games at bare tables, the moves of each turn arriving in two different orders,
/// and asserts that the tables stay equal.
pub fn arrival_order_does_not_matter(terms: &Terms, seeds: u64) {
    for number in 0..seeds {
        let seed = Seed::from_number(number);
        let mut dice = Dice::new(&seed, "arrival", 0);
        let mut one = seated_table(terms, seed);
        let mut two = one.clone();
        let name = terms.config.rules().name();
        while one.fault().is_none() && !one.owed().is_empty() {
            let game = one.game().expect("just started");
            let act = |seat: Seat| (seat, game.sample(seat, &mut dice));
            let mut moves: Vec<_> = one.owed().iter().map(act).collect();
            let seq = one.seq();
            for (seat, action) in moves.clone() {
                one.apply(&made(seq, seat, action));
            }
            dice.shuffle(&mut moves);
            for (seat, action) in moves {
                two.apply(&made(seq, seat, action));
            }
            assert_eq!(one, two, "{name} seed {number} turn {seq}");
        }
        assert_eq!(one.fault(), None, "{name} seed {number}");
    }
}

fn made(seq: u64, seat: Seat, action: AnyAction) -> TableRecord {
    TableRecord::Moved { seq, seat, action, ms: None, refused: 0, how: How::Made }
}

/// A table full of players, just started.
pub fn seated_table(terms: &Terms, seed: Seed) -> Table {
    let opened = Opened {
        id: "table".into(),
        version: terms.config.rules().version(),
        terms: terms.clone(),
        seed,
        reserved: Vec::new(),
        house: true,
        game_ref: None,
        at: Time(0),
        promise: None,
    };
    let mut table = Table::new(Arc::new(opened));
    let seats: Vec<Seat> = Seat::all(terms.policy.seats).collect();
    for seat in &seats {
        let name = format!("p{seat}").into();
        let (seat, person) = (*seat, false);
        let (token, bot, joined_via, version) = (None, None, None, None);
        table.apply(&TableRecord::Seated { seat, name, token, bot, joined_via, person, version });
    }
    table.apply(&TableRecord::Started { order: seats, settled: None, seed: None });
    table
}
