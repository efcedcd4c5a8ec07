//! Ports for listeners that are opened later, or a second time.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicU16, Ordering};

/// Operating systems hand out ports above these, for port 0 and for outgoing connections.
const FIRST: u16 = 10_000;
const COUNT: u16 = 20_000;

/// The first of `count` consecutive free ports that stay reserved: never one that the system hands
/// out itself, and never the same port twice.
pub fn quiet(count: u16) -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Tests of several processes run at once; each begins elsewhere.
    let own = (std::process::id() % 199) as u16 * 100;
    loop {
        let next = own.wrapping_add(NEXT.fetch_add(count, Ordering::Relaxed));
        let first = FIRST + next % COUNT;
        let is_free = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok();
        if (first..first + count).all(is_free) {
            return first;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_in_use_is_passed_over_and_none_comes_twice() {
        let one = quiet(1);
        let taken: Vec<_> = (1..4)
            .filter_map(|at| TcpListener::bind((Ipv4Addr::LOCALHOST, one + at)).ok())
            .collect();
        let two = quiet(2);
        let listened: Vec<u16> =
            taken.iter().map(|each| each.local_addr().expect("bound").port()).collect();
        assert!(two != one && [two, two + 1].iter().all(|port| !listened.contains(port)));
        assert!([one, two].iter().all(|port| (FIRST..FIRST + COUNT + 2).contains(port)));
    }
}
