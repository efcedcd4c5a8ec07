//! Bans, and until when they last.

use std::collections::BTreeMap;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use table::{Name, Time};

use crate::key::KeyHash;

/// The subject of a ban or a kick.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BanSubject {
    /// A name, in small letters: capitals make no difference.
    Name(String),
    /// An IPv4 address, or the first 64 bits of an IPv6 address: what one customer has.
    Address(IpAddr),
    /// Every client that shows this key, under any name.
    Key(KeyHash),
}

impl BanSubject {
    pub fn of_name(name: &str) -> BanSubject {
        BanSubject::Name(name.to_lowercase())
    }

    pub fn of_address(address: IpAddr) -> BanSubject {
        BanSubject::Address(match address.to_canonical() {
            IpAddr::V6(v6) => IpAddr::V6((v6.to_bits() & (u128::MAX << 64)).into()),
            v4 => v4,
        })
    }
}

impl std::fmt::Display for BanSubject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BanSubject::Name(name) => write!(f, "name {name}"),
            BanSubject::Address(IpAddr::V4(address)) => write!(f, "address {address}"),
            BanSubject::Address(IpAddr::V6(address)) => write!(f, "address {address}/64"),
            BanSubject::Key(key) => write!(f, "key {}", key.fingerprint()),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ban {
    pub since: Time,
    /// None: until it is lifted.
    pub until: Option<Time>,
    pub reason: String,
}

impl Ban {
    pub fn holds(&self, now: Time) -> bool {
        self.until.is_none_or(|until| now < until)
    }
}

/// All bans, also those that are over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bans(BTreeMap<BanSubject, Ban>);

impl Bans {
    /// Adds a ban, and forgets those that are over by then.
    pub fn add(&mut self, subject: BanSubject, ban: Ban) {
        self.0.retain(|_, known| known.holds(ban.since));
        self.0.insert(subject, ban);
    }

    pub fn lift(&mut self, subject: &BanSubject) {
        self.0.remove(subject);
    }

    pub fn get(&self, subject: &BanSubject, now: Time) -> Option<&Ban> {
        self.0.get(subject).filter(|ban| ban.holds(now))
    }

    pub fn of_name(&self, name: &Name, now: Time) -> Option<&Ban> {
        // Checked for every new connection, and usually there are none.
        if self.0.is_empty() { None } else { self.get(&BanSubject::of_name(name), now) }
    }

    pub fn of_address(&self, address: IpAddr, now: Time) -> Option<&Ban> {
        if self.0.is_empty() { None } else { self.get(&BanSubject::of_address(address), now) }
    }

    pub fn of_key(&self, key: &KeyHash, now: Time) -> Option<&Ban> {
        if self.0.is_empty() { None } else { self.get(&BanSubject::Key(key.clone()), now) }
    }

    /// The banned key of this fingerprint.
    pub fn key_of(&self, fingerprint: &str) -> Option<&BanSubject> {
        let is_meant = |subject: &&BanSubject| matches!(subject, BanSubject::Key(key) if key.fingerprint() == fingerprint);
        self.0.keys().find(is_meant)
    }

    /// Those that hold.
    pub fn iter(&self, now: Time) -> impl Iterator<Item = (&BanSubject, &Ban)> {
        self.0.iter().filter(move |(_, ban)| ban.holds(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ban_has_an_end_and_ipv6_goes_by_what_one_customer_has() {
        let mut bans = Bans::default();
        let ban = |until| Ban { since: Time(10), until, reason: "floods".to_owned() };
        bans.add(BanSubject::of_name("Eve"), ban(Some(Time(20))));
        bans.add(BanSubject::of_address("2001:db8:0:7:1::1".parse().unwrap()), ban(None));
        assert!(bans.of_name(&"EVE".into(), Time(19)).is_some());
        assert!(bans.of_name(&"EVE".into(), Time(20)).is_none());
        assert!(bans.of_name(&"ann".into(), Time(19)).is_none());
        assert!(bans.of_address("2001:db8:0:7::2".parse().unwrap(), Time(99)).is_some());
        assert!(bans.of_address("2001:db8:0:8::2".parse().unwrap(), Time(99)).is_none());
        bans.lift(&BanSubject::of_address("2001:db8:0:7::9".parse().unwrap()));
        assert!(bans.of_address("2001:db8:0:7::2".parse().unwrap(), Time(99)).is_none());
        assert_eq!(bans.iter(Time(19)).count(), 1);
        assert_eq!(bans.iter(Time(20)).count(), 0);
    }
}
