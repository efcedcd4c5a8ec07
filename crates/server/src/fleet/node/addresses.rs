//! Where nodes are: what the names in their addresses resolve to.
//!
//! Looking a name up may take seconds, and the thread that keeps the lease has no time for that, so a thread of
//! its own does it. A name is looked up again when nobody answers where it has led: machines move.

use std::collections::BTreeMap;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::house::{Complaints, clock};

type Resolve = dyn Fn(&str) -> Option<SocketAddr> + Send + Sync;

#[derive(Clone)]
pub struct Addresses(Arc<Known>);

struct Known {
    resolve: Box<Resolve>,
    places: Mutex<BTreeMap<String, Place>>,
    unknown: Complaints,
}

#[derive(Debug, Default)]
struct Place {
    found: Option<SocketAddr>,
    /// Nobody answers there.
    is_doubted: bool,
    /// A thread looks for it.
    is_sought: bool,
}

impl Addresses {
    /// As the system resolves names.
    pub fn of_system() -> Addresses {
        Addresses::new(|address| address.to_socket_addrs().ok()?.next())
    }

    fn new(resolve: impl Fn(&str) -> Option<SocketAddr> + Send + Sync + 'static) -> Addresses {
        let (resolve, places) = (Box::new(resolve), Mutex::default());
        Addresses(Arc::new(Known { resolve, places, unknown: Complaints::default() }))
    }

    fn places(&self) -> MutexGuard<'_, BTreeMap<String, Place>> {
        self.0.places.lock().expect("no holder of this lock panics")
    }

    /// Where an address leads, as far as that is known by now.
    pub fn find(&self, address: &str) -> Option<SocketAddr> {
        if let Ok(found) = address.parse() {
            return Some(found);
        }
        let mut places = self.places();
        let place = places.entry(address.to_owned()).or_default();
        if !place.is_sought && (place.found.is_none() || place.is_doubted) {
            (place.is_sought, place.is_doubted) = (true, false);
            self.seek(address.to_owned());
        }
        place.found
    }

    /// Nobody answers there: whatever leads there is looked up again.
    pub fn doubt(&self, address: SocketAddr) {
        for place in self.places().values_mut().filter(|place| place.found == Some(address)) {
            place.is_doubted = true;
        }
    }

    fn seek(&self, address: String) {
        let this = self.clone();
        let look = move || {
            let found = (this.0.resolve)(&address);
            if let Some(place) = this.places().get_mut(&address) {
                // What was known before is better than nothing.
                (place.found, place.is_sought) = (found.or(place.found), false);
            }
            if found.is_none()
                && let Some(times) = this.0.unknown.hear(clock::now())
            {
                tracing::warn!(address, times, "no node can be reached there: the name is unknown");
            }
        };
        if let Err(error) = std::thread::Builder::new().name("resolve".to_owned()).spawn(look) {
            tracing::warn!(%error, "cannot look a node's name up");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits until a name leads there.
    fn until(addresses: &Addresses, name: &str, there: SocketAddr) {
        while addresses.find(name) != Some(there) {
            std::thread::yield_now();
        }
    }

    /// A node that came back at another address under the same name was never found again.
    #[test]
    fn a_name_is_looked_up_again_when_nobody_answers() {
        let [old, new] = [1, 2].map(|host| SocketAddr::from(([127, 0, 0, host], 7900)));
        let leads = Arc::new(Mutex::new(Some(old)));
        let there = leads.clone();
        let addresses = Addresses::new(move |_| *there.lock().expect("no panics"));
        until(&addresses, "two.example:7900", old);
        *leads.lock().expect("no panics") = Some(new);
        assert_eq!(addresses.find("two.example:7900"), Some(old), "nobody has doubted it");
        addresses.doubt(new);
        assert_eq!(addresses.find("two.example:7900"), Some(old), "that is another");
        addresses.doubt(old);
        until(&addresses, "two.example:7900", new);
        // A name that is unknown for a while leads where it has led before.
        *leads.lock().expect("no panics") = None;
        addresses.doubt(new);
        assert_eq!(addresses.find("two.example:7900"), Some(new));
    }

    #[test]
    fn a_plain_address_needs_no_name() {
        let addresses = Addresses::new(|_| unreachable!("nothing is looked up"));
        let found = addresses.find("10.0.0.1:7900");
        assert_eq!(found, Some(SocketAddr::from(([10, 0, 0, 1], 7900))));
    }
}
