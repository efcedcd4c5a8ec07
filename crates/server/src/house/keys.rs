//! Keys and tickets as they are given out: what is random about them, and nothing else.

use std::collections::BTreeMap;
use std::sync::Mutex;

use anyhow::{Result, anyhow};
use hall::{KeyHash, Time, make_key};
use rules::hex;

/// A ticket is good for so long, and once.
pub const TICKET_MS: u64 = 30_000;

/// So many tickets wait to be used; whoever asks for more has the oldest forgotten.
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

/// What browsers show in place of a key, for they cannot send headers with a WebSocket. Tickets
/// are of this process alone: the page that asks for one connects to where it came from.
#[derive(Debug, Default)]
pub struct Tickets(Mutex<BTreeMap<String, (Time, KeyHash)>>);

impl Tickets {
    /// A ticket that stands for a key, once.
    pub fn issue(&self, now: Time, key: KeyHash) -> Result<String> {
        let ticket = format!("tk_{}", hex(&random::<16>()?));
        let mut tickets = self.0.lock().expect("no holder of this lock panics");
        tickets.retain(|_, (until, _)| *until > now);
        if tickets.len() >= TICKETS {
            let oldest = tickets.iter().min_by_key(|(_, (until, _))| *until);
            if let Some(oldest) = oldest.map(|(ticket, _)| ticket.clone()) {
                tickets.remove(&oldest);
            }
        }
        tickets.insert(ticket.clone(), (now + TICKET_MS, key));
        Ok(ticket)
    }

    /// The key that a ticket stands for. Nobody else can use it after this.
    pub fn redeem(&self, now: Time, ticket: &str) -> Option<KeyHash> {
        let mut tickets = self.0.lock().expect("no holder of this lock panics");
        let (until, key) = tickets.remove(ticket)?;
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
