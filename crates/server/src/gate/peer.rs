//! The other end of a connection or request: one address, as far as it can be trusted.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    /// The client's own address, IPv4 where it is one.
    pub address: IpAddr,
    /// It came through a proxy, so an address of this machine says nothing about where it is.
    pub via_proxy: bool,
}

impl Peer {
    pub fn direct(address: IpAddr) -> Peer {
        Peer { address: address.to_canonical(), via_proxy: false }
    }

    pub fn behind_a_proxy(address: IpAddr) -> Peer {
        Peer { address: address.to_canonical(), via_proxy: true }
    }

    /// Whether it is a program on this machine.
    pub fn is_here(self) -> bool {
        self.address.is_loopback() && !self.via_proxy
    }

    /// What its limits are counted by: the address, or the network a provider gives to one
    /// customer.
    pub fn share(self) -> IpAddr {
        self.network(64).map_or(self.address, |network| network.address)
    }

    /// The IPv6 network that it belongs to by this many bits.
    pub fn network(self, bits: u8) -> Option<Network> {
        let IpAddr::V6(address) = self.address else { return None };
        let mask = u128::MAX.checked_shl(128 - u32::from(bits)).unwrap_or(0);
        Some(Network { address: Ipv6Addr::from_bits(address.to_bits() & mask).into(), bits })
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address.fmt(f)
    }
}

/// Addresses that begin alike, written `10.0.0.0/8`, or one alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Network {
    address: IpAddr,
    /// Number of its bits that count.
    bits: u8,
}

impl Network {
    pub fn bits(self) -> u8 {
        self.bits
    }

    pub fn contains(self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.bits)).unwrap_or(0);
                own.to_bits() & mask == other.to_bits() & mask
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.bits)).unwrap_or(0);
                own.to_bits() & mask == other.to_bits() & mask
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Network, String> {
        let wrong =
            || format!("'{text}' is not an address. Use for example 10.0.0.7 or 10.0.0.0/8");
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u8>().map_err(|_| wrong())?)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let all = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(all);
        if bits > all {
            return Err(wrong());
        }
        // An IPv4 address in IPv6 clothes is meant as one.
        match address.to_canonical() {
            IpAddr::V4(v4) if all == 128 && bits >= 96 => {
                Ok(Network { address: v4.into(), bits: bits - 96 })
            }
            _ => Ok(Network { address, bits }),
        }
    }
}

impl TryFrom<String> for Network {
    type Error = String;

    fn try_from(text: String) -> Result<Network, String> {
        text.parse()
    }
}

impl From<Network> for String {
    fn from(network: Network) -> String {
        network.to_string()
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = if self.address.is_ipv4() { 32 } else { 128 };
        match self.bits {
            bits if bits == all => self.address.fmt(f),
            bits => write!(f, "{}/{bits}", self.address),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn networks_hold_addresses_that_begin_alike() {
        for (network, inside, outside) in [
            ("10.0.0.0/8", "10.255.1.2", "11.0.0.1"),
            ("127.0.0.1", "127.0.0.1", "127.0.0.2"),
            ("127.0.0.1", "::ffff:127.0.0.1", "::1"),
            ("::ffff:10.0.0.0/104", "10.1.2.3", "11.0.0.1"),
            ("2001:db8::/32", "2001:db8:1::1", "2001:db9::1"),
            ("192.168.1.128/25", "192.168.1.200", "192.168.1.1"),
        ] {
            let network: Network = network.parse().unwrap();
            assert!(network.contains(address(inside)), "{network} {inside}");
            assert!(!network.contains(address(outside)), "{network} {outside}");
        }
        let everybody: Network = "0.0.0.0/0".parse().unwrap();
        assert!(everybody.contains(address("8.8.8.8")));
        for wrong in ["", "ten", "10.0.0.0/33", "10.0.0.0/", "::/129", "10.0.0.0/8/9"] {
            assert!(wrong.parse::<Network>().unwrap_err().contains("10.0.0.0/8"), "{wrong}");
        }
        assert_eq!("10.0.0.0/8".parse::<Network>().unwrap().to_string(), "10.0.0.0/8");
        assert_eq!("10.0.0.7".parse::<Network>().unwrap().to_string(), "10.0.0.7");
    }

    #[test]
    fn ipv6_addresses_are_counted_by_customer_prefix() {
        let share = |text| Peer::direct(address(text)).share();
        assert_eq!(share("2001:db8:0:7:1::1"), share("2001:db8:0:7:ffff::2"));
        assert_ne!(share("2001:db8:0:7::1"), share("2001:db8:0:8::1"));
        assert_ne!(share("10.0.0.1"), share("10.0.0.2"));
        assert_eq!(share("::ffff:10.0.0.1"), share("10.0.0.1"));
    }

    #[test]
    fn only_a_direct_loopback_address_is_here() {
        assert!(Peer::direct(address("127.0.0.1")).is_here());
        assert!(Peer::direct(address("::1")).is_here());
        assert!(Peer::direct(address("::ffff:127.0.0.1")).is_here());
        assert!(!Peer::behind_a_proxy(address("127.0.0.1")).is_here());
        assert!(!Peer::direct(address("192.168.0.2")).is_here());
    }
}
