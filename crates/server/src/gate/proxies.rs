//! Proxies the operator has named, and what only they are believed about where a client is: the
//! PROXY protocol (version 2) on any port, a forwarding header on HTTP.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::http::{HeaderMap, HeaderName, header};
use hall::Name;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt};

use super::peer::{Network, Peer};
use super::share::Party;
use super::{Admission, Gate};

/// Which of the forwarding headers the proxies write. A proxy passes the others on as the client
/// wrote them, so believing two is believing the client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ForwardingHeader {
    #[default]
    #[serde(rename = "x-forwarded-for")]
    XForwardedFor,
    #[serde(rename = "forwarded")]
    Forwarded,
}

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Headers that proxies add; a client that connects directly sends none of them.
const SIGNS: [HeaderName; 4] =
    [X_FORWARDED_FOR, header::FORWARDED, header::VIA, HeaderName::from_static("x-real-ip")];

/// The proxies in front of this server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies {
    pub named: Vec<Network>,
    pub header: ForwardingHeader,
}

impl Proxies {
    pub fn include(&self, address: IpAddr) -> bool {
        self.named.iter().any(|network| network.contains(address))
    }

    /// The sender of this request over a connection of `carrier`.
    pub fn who_asks(&self, carrier: Peer, headers: &HeaderMap) -> Peer {
        let via_proxy = carrier.via_proxy
            || self.include(carrier.address)
            || SIGNS.iter().any(|sign| headers.contains_key(sign));
        let mut address = carrier.address;
        // Each proxy appends the address it got the request from. Walk back as long as the one who
        // says so is a named proxy.
        for said in self.chain(headers).into_iter().rev() {
            let (true, Some(before)) = (self.include(address), said) else { break };
            address = before.to_canonical();
        }
        Peer { address, via_proxy }
    }

    /// The addresses of the header, in its order; none for one that cannot be read.
    fn chain(&self, headers: &HeaderMap) -> Vec<Option<IpAddr>> {
        let (name, read): (_, fn(&str) -> Option<IpAddr>) = match self.header {
            ForwardingHeader::XForwardedFor => (X_FORWARDED_FOR, host),
            ForwardingHeader::Forwarded => (header::FORWARDED, forwarded_for),
        };
        let values = headers.get_all(name);
        let elements = values.iter().flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
        elements
            .map(|element| str::from_utf8(element).ok().and_then(|text| read(text.trim())))
            .collect()
    }
}

impl Gate {
    /// The party a connection is counted for.
    pub(super) fn party(&self, peer: Peer) -> Party {
        let is_unnamed =
            peer.via_proxy && (peer.address.is_loopback() || self.proxies.include(peer.address));
        match is_unnamed {
            true => Party::Unnamed(peer.share()),
            false => Party::Address(peer.share()),
        }
    }
}

impl Admission {
    /// A word for the client's location that is the same for all clients there; `None` for clients
    /// of a proxy that doesn't identify them.
    pub fn origin(&self) -> Option<Name> {
        match self.gate.party(self.peer) {
            Party::Address(address) => Some(address.to_string().into()),
            _ => None,
        }
    }

    /// Whether this place can be used for a request of this client's. That of a proxy or of this machine
    /// is exempt from limits, which no client of a proxy is.
    pub fn is_for(&self, client: Peer) -> bool {
        client.address == self.peer.address && (client == self.peer || !self.exempt)
    }
}

/// The `for=` of one element of a `Forwarded` header.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let (_, node) = pairs.into_iter().find(|(key, _)| key.eq_ignore_ascii_case("for"))?;
    host(node.trim_matches('"'))
}

/// An address, perhaps in brackets, perhaps with a port.
fn host(node: &str) -> Option<IpAddr> {
    if let Ok(address) = node.parse() {
        return Some(address);
    }
    if let Ok(place) = node.parse::<std::net::SocketAddr>() {
        return Some(place.ip());
    }
    node.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// The first bytes of every header of the PROXY protocol, version 2.
const SIGNATURE: [u8; 12] = *b"\r\n\r\n\0\r\nQUIT\n";

/// Addresses and whatever else a proxy may add.
const LONGEST: usize = 4096;

/// Reads the header that a proxy sends before its client's first byte, and nothing more. The
/// client's address; none: the proxy itself connects, to see whether the server is there.
pub async fn read_header(stream: &mut (impl AsyncRead + Unpin)) -> Result<Option<IpAddr>, String> {
    let lost = |error: std::io::Error| format!("the PROXY header ended early: {error}");
    let mut start = [0; 16];
    stream.read_exact(&mut start).await.map_err(lost)?;
    if start[..12] != SIGNATURE {
        return Err("a proxy that must introduce its client sent no PROXY header".to_owned());
    }
    let length = usize::from(u16::from_be_bytes([start[14], start[15]]));
    if length > LONGEST {
        return Err(format!("a PROXY header of {length} bytes"));
    }
    let mut rest = vec![0; length];
    stream.read_exact(&mut rest).await.map_err(lost)?;
    match (start[12], start[13] >> 4) {
        (0x20, _) => Ok(None),
        (0x21, 1) => {
            let octets = rest.first_chunk::<4>().ok_or("a PROXY header without an address")?;
            Ok(Some(Ipv4Addr::from(*octets).into()))
        }
        (0x21, 2) => {
            let octets = rest.first_chunk::<16>().ok_or("a PROXY header without an address")?;
            Ok(Some(Ipv6Addr::from(*octets).to_canonical()))
        }
        (0x21, family) => Err(format!("a PROXY header with addresses of family {family}")),
        (version, _) => Err(format!("a PROXY header of version and command {version:#x}")),
    }
}

#[cfg(test)]
#[path = "proxies_tests.rs"]
mod tests;
