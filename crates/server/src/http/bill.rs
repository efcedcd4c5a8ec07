//! Who pays for the work that a request causes, beyond the one request that it is.

use std::net::IpAddr;
use std::sync::Arc;

use hall::KeyHash;

use crate::gate::{Admission, Peer};
use crate::reading::Asker;

/// Who pays for a request. Long answers cost as many requests as they are worth.
#[derive(Clone, Debug, Default)]
pub struct Bill(Option<Arc<Payer>>);

#[derive(Debug)]
struct Payer {
    carrier: Arc<Admission>,
    who: Peer,
    key: Option<KeyHash>,
}

impl Bill {
    /// For somebody whose requests are counted.
    pub fn of(carrier: Arc<Admission>, who: Peer, key: Option<KeyHash>) -> Bill {
        Bill(carrier.counts(who).then(|| Arc::new(Payer { carrier, who, key })))
    }

    /// For an organiser, and for whatever else costs nothing.
    pub fn free() -> Bill {
        Bill(None)
    }

    /// Takes so many requests more, whether or not there are so many left: whoever has too few waits
    /// longer until the next.
    pub fn charge(&self, requests: u64) {
        if let Some(Payer { carrier, who, key }) = self.0.as_deref() {
            carrier.charge(*who, key.as_ref(), requests);
        }
    }

    /// For whom long work is done.
    pub fn asker(&self) -> Asker {
        self.address().map_or(Asker::Anybody, Asker::At)
    }

    /// The same for more of an answer that has begun.
    pub fn goes_on(&self) -> Asker {
        self.address().map_or(Asker::Anybody, Asker::GoesOn)
    }

    /// The address that is counted; none for whom nothing is counted.
    pub fn address(&self) -> Option<IpAddr> {
        self.0.as_deref().map(|payer| payer.who.share())
    }
}
