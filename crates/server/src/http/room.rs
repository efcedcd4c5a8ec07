//! How much memory long answers may take that clients have not read to the end.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The room for long answers, in kilobytes: of all, and of each address.
#[derive(Clone, Debug)]
pub struct Room {
    all: Arc<Semaphore>,
    /// What one address may take.
    share: u32,
    addresses: Arc<Mutex<HashMap<IpAddr, Arc<Semaphore>>>>,
}

/// One address may take so small a part of the room.
const SHARE: usize = 8;

/// Addresses without an answer are forgotten when there are so many.
const FORGET_AT: usize = 1024;

/// A part of the room, until it is dropped.
#[derive(Debug, Default)]
pub struct Held {
    kilobytes: u32,
    _room: Vec<OwnedSemaphorePermit>,
}

impl Room {
    /// 0 means any number.
    pub fn new(megabytes: usize) -> Room {
        let most = u32::MAX as usize / 2;
        let all = if megabytes == 0 { most } else { megabytes.saturating_mul(1000).min(most) };
        let share = u32::try_from((all / SHARE).max(1)).unwrap_or(u32::MAX);
        Room { all: Arc::new(Semaphore::new(all)), share, addresses: Arc::default() }
    }

    /// Room for so many bytes, if there is some now or it is held already.
    pub fn try_hold(&self, bytes: usize, address: IpAddr, held: Held) -> Option<Held> {
        let kilobytes = self.worth(bytes);
        if held.kilobytes >= kilobytes {
            return Some(held);
        }
        let own = self.of(address).try_acquire_many_owned(kilobytes).ok()?;
        let all = self.all.clone().try_acquire_many_owned(kilobytes).ok()?;
        Some(Held { kilobytes, _room: vec![own, all] })
    }

    /// The same when there is some.
    pub async fn hold(&self, bytes: usize, address: IpAddr) -> Held {
        let kilobytes = self.worth(bytes);
        let open = "nobody closes it";
        let own = self.of(address).acquire_many_owned(kilobytes).await.expect(open);
        let all = self.all.clone().acquire_many_owned(kilobytes).await.expect(open);
        Held { kilobytes, _room: vec![own, all] }
    }

    /// What is larger than an address's share takes all of that.
    fn worth(&self, bytes: usize) -> u32 {
        u32::try_from(bytes / 1000 + 1).unwrap_or(u32::MAX).min(self.share)
    }

    fn of(&self, address: IpAddr) -> Arc<Semaphore> {
        let mut addresses = self.addresses.lock().expect("no holder of this lock panics");
        if addresses.len() >= FORGET_AT {
            addresses.retain(|_, room| Arc::strong_count(room) > 1);
        }
        let fresh = || Arc::new(Semaphore::new(self.share as usize));
        addresses.entry(address).or_insert_with(fresh).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_share_and_all_of_them_together_have_the_room() {
        let room = Room::new(8);
        let address = |last| IpAddr::from([192, 0, 2, last]);
        let hold = |last| room.try_hold(999_000, address(last), Held::default());
        let first = hold(1);
        assert!(first.is_some());
        assert!(hold(1).is_none(), "one address has a megabyte");
        let others: Vec<Option<Held>> = (2..=8).map(hold).collect();
        assert!(others.iter().all(Option::is_some));
        assert!(hold(9).is_none(), "all of them have eight");
        drop(first);
        assert!(hold(9).is_some());
        let huge = room.try_hold(usize::MAX, address(1), Held::default());
        assert_eq!(huge.map(|held| held.kilobytes), Some(1000), "an answer can be larger");
    }
}
