//! This machine's address as others on its network see it.

use std::net::{IpAddr, Ipv4Addr, UdpSocket};

/// The address by which the machine reaches others, if it reaches any. Nothing is sent: to connect
/// a datagram socket only asks the system which way it would go.
pub fn address() -> Option<IpAddr> {
    // An address reserved for documents: no machine has it.
    let elsewhere = Ipv4Addr::new(192, 0, 2, 1);
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    let asked = socket.connect((elsewhere, 9)).and_then(|()| socket.local_addr());
    asked.ok().map(|own| own.ip()).filter(|ip| !ip.is_loopback()).or_else(from_routes)
}

/// A network without a gateway has no way to elsewhere, but the system lists its own addresses.
fn from_routes() -> Option<IpAddr> {
    let text = std::fs::read_to_string("/proc/net/fib_trie").ok()?;
    own_addresses(&text).find(|ip| !ip.is_loopback()).map(IpAddr::V4)
}

/// An address stands in the line before the one that calls it a local host.
fn own_addresses(text: &str) -> impl Iterator<Item = Ipv4Addr> + '_ {
    let pairs = text.lines().zip(text.lines().skip(1));
    let own = pairs.filter(|(_, kind)| kind.contains("/32 host LOCAL"));
    own.filter_map(|(line, _)| line.trim().strip_prefix("|-- ")?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_addresses_are_read_from_the_routes() {
        let text = "Local:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 0.0.0.0\n        /0 universe UNICAST\n     \
                    +-- 127.0.0.0/8 2 0 2\n           |-- 127.0.0.1\n              /32 host LOCAL\n     \
                    +-- 192.168.7.0/24 2 0 2\n           |-- 192.168.7.20\n              /32 host LOCAL\n           \
                    |-- 192.168.7.255\n              /32 link BROADCAST\n";
        let found: Vec<String> = own_addresses(text).map(|ip| ip.to_string()).collect();
        assert_eq!(found, ["127.0.0.1", "192.168.7.20"]);
    }
}
