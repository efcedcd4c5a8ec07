//! Keys and tickets as they are given out: what is random about them, and nothing else.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;

use anyhow::{Result, anyhow};
use hall::{KeyHash, Time, make_key};
use rules::hex;

/// Lifetime of a ticket, which works once.
pub const TICKET_MS: u64 = 30_000;

/// Maximum number of unused tickets; the oldest are dropped.
const TICKETS: usize = 10_000;

/// A new key.
pub fn fresh_key() -> Result<String> {
    loop {
        // Nearly always the first bytes will do.
        if let Some(key) = make_key(&random()?) {
            return Ok(key);
        }
    }
}

fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| anyhow!("the system gives no random numbers: {error}"))?;
    Ok(bytes)
}

/// What browsers show in place of a key, because they can't send headers with a WebSocket. Tickets
/// belong to this process: the page that asks for one connects to the server it came from.
#[derive(Debug, Default)]
pub struct Tickets(Mutex<Issued>);

#[derive(Debug, Default)]
struct Issued {
    keys: BTreeMap<String, (Time, KeyHash)>,
    /// Every ticket and until when it is good, in the order in which they were issued.
    in_order: VecDeque<(Time, String)>,
}

impl Tickets {
    /// A single-use ticket for a key.
    pub fn issue(&self, now: Time, key: KeyHash) -> Result<String> {
        let ticket = format!("tk_{}", hex(&random::<16>()?));
        let mut issued = self.0.lock().expect("no holder of this lock panics");
        let Issued { keys, in_order } = &mut *issued;
        while let Some((until, oldest)) = in_order.front()
            && (*until <= now || keys.len() >= TICKETS)
        {
            keys.remove(oldest);
            in_order.pop_front();
        }
        // Those that were used are still in the queue.
        if in_order.len() >= 2 * TICKETS {
            in_order.retain(|(_, ticket)| keys.contains_key(ticket));
        }
        keys.insert(ticket.clone(), (now + TICKET_MS, key));
        in_order.push_back((now + TICKET_MS, ticket.clone()));
        Ok(ticket)
    }

    /// The key of a ticket, which can't be used again.
    pub fn redeem(&self, now: Time, ticket: &str) -> Option<KeyHash> {
        let mut issued = self.0.lock().expect("no holder of this lock panics");
        let (until, key) = issued.keys.remove(ticket)?;
        (until > now).then_some(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_keys_and_differ() {
        let (one, two) = (fresh_key().unwrap(), fresh_key().unwrap());
        assert!(hall::is_key(&one) && hall::is_key(&two));
        assert_ne!(one, two);
    }

    #[test]
    fn a_ticket_is_good_once_and_not_for_long() {
        let tickets = Tickets::default();
        let key = KeyHash::of("pk_x");
        let [one, two] = [0, 1].map(|_| tickets.issue(Time(1), key.clone()).unwrap());
        assert_eq!(tickets.redeem(Time(2), &one), Some(key.clone()));
        assert_eq!(tickets.redeem(Time(2), &one), None);
        assert_eq!(tickets.redeem(Time(1 + TICKET_MS), &two), None);
        assert_eq!(tickets.redeem(Time(2), "tk_0"), None);
        let first = tickets.issue(Time(1), key.clone()).unwrap();
        (0..TICKETS).for_each(|_| _ = tickets.issue(Time(2), key.clone()).unwrap());
        assert_eq!(tickets.redeem(Time(2), &first), None, "only so many wait");
    }
}
