//! Which statements about a client's address are trusted.

use super::*;

fn address(text: &str) -> IpAddr {
    text.parse().unwrap()
}

fn proxies(header: ForwardingHeader) -> Proxies {
    let named = ["10.0.0.0/8", "::1"].map(|network| network.parse().unwrap());
    Proxies { named: named.to_vec(), header }
}

fn who(header: ForwardingHeader, carrier: &str, lines: &[(&'static str, &str)]) -> (String, bool) {
    let mut headers = HeaderMap::new();
    for (name, value) in lines {
        headers.append(*name, value.parse().unwrap());
    }
    let peer = proxies(header).who_asks(Peer::direct(address(carrier)), &headers);
    (peer.to_string(), peer.via_proxy)
}

#[test]
fn a_header_counts_as_far_as_named_proxies_wrote_it() {
    use ForwardingHeader::{Forwarded, XForwardedFor};
    let xff = |carrier, value| who(XForwardedFor, carrier, &[("x-forwarded-for", value)]);
    let via = |address: &str| (address.to_owned(), true);
    assert_eq!(who(XForwardedFor, "192.0.2.1", &[]), ("192.0.2.1".to_owned(), false));
    // A client may claim anything.
    assert_eq!(xff("192.0.2.1", "127.0.0.1"), via("192.0.2.1"));
    assert_eq!(xff("10.0.0.1", "203.0.113.9"), via("203.0.113.9"));
    // The client wrote the first one itself.
    assert_eq!(xff("10.0.0.1", "127.0.0.1, 203.0.113.9"), via("203.0.113.9"));
    assert_eq!(xff("10.0.0.1", "127.0.0.1, 203.0.113.9, 10.0.0.2"), via("203.0.113.9"));
    let twice = [("x-forwarded-for", "127.0.0.1"), ("x-forwarded-for", "203.0.113.9")];
    assert_eq!(who(XForwardedFor, "10.0.0.1", &twice), via("203.0.113.9"));
    // An unreadable entry hides all entries before it.
    assert_eq!(xff("10.0.0.1", "203.0.113.9, unknown"), via("10.0.0.1"));
    assert_eq!(xff("10.0.0.1", "203.0.113.9:4711"), via("203.0.113.9"));
    assert_eq!(xff("::1", "[2001:db8::1]"), via("2001:db8::1"));
    assert_eq!(xff("10.0.0.1", "::ffff:203.0.113.9"), via("203.0.113.9"));
    // All of them are proxies.
    assert_eq!(xff("10.0.0.1", "10.0.0.3, 10.0.0.2"), via("10.0.0.3"));
    assert_eq!(who(XForwardedFor, "10.0.0.1", &[]), via("10.0.0.1"));
    // The other header is the client's own.
    let other = [("forwarded", "for=127.0.0.1"), ("x-forwarded-for", "203.0.113.9")];
    assert_eq!(who(XForwardedFor, "10.0.0.1", &other), via("203.0.113.9"));
    assert_eq!(who(Forwarded, "10.0.0.1", &other), via("127.0.0.1"));
    let long = [("forwarded", "for=127.0.0.1, For=\"[2001:db8::1]:80\";proto=https")];
    assert_eq!(who(Forwarded, "10.0.0.1", &long), via("2001:db8::1"));
}

#[test]
fn an_unconfigured_proxy_does_not_make_its_clients_local() {
    for sign in ["x-forwarded-for", "forwarded", "via", "x-real-ip"] {
        let mut headers = HeaderMap::new();
        headers.insert(sign, "203.0.113.9".parse().unwrap());
        let here = Peer::direct(address("127.0.0.1"));
        let peer = Proxies::default().who_asks(here, &headers);
        assert!(!peer.is_here(), "{sign}");
        assert_eq!(peer.address, here.address, "{sign}");
    }
}

fn header(command: u8, family: u8, rest: &[u8]) -> Vec<u8> {
    let mut bytes = SIGNATURE.to_vec();
    bytes.extend([command, family]);
    bytes.extend((rest.len() as u16).to_be_bytes());
    bytes.extend(rest);
    bytes
}

#[tokio::test]
async fn the_proxy_protocol_is_read_to_its_last_byte_and_no_further() {
    let four = [203, 0, 113, 9, 10, 0, 0, 1, 0x12, 0x34, 0x1e, 0xc6];
    let mut with_extras = four.to_vec();
    with_extras.extend([0x04, 0, 2, 0, 0]);
    let mut six = address("2001:db8::1").to_string().parse::<Ipv6Addr>().unwrap().octets().to_vec();
    six.extend([0; 20]);
    for (bytes, expected) in [
        (header(0x21, 0x11, &four), Some("203.0.113.9")),
        (header(0x21, 0x11, &with_extras), Some("203.0.113.9")),
        (header(0x21, 0x21, &six), Some("2001:db8::1")),
        (header(0x20, 0, &[]), None),
    ] {
        let mut all = bytes.clone();
        all.extend(b"JOIN cup ann\n");
        let mut stream = all.as_slice();
        let read = read_header(&mut stream).await;
        assert_eq!(read, Ok(expected.map(address)));
        assert_eq!(stream, b"JOIN cup ann\n");
        // Every part of it is only a part of it.
        for length in 0..bytes.len() {
            let cut = read_header(&mut &bytes[..length]).await;
            assert!(cut.is_err(), "{length}");
        }
    }
    for wrong in [
        b"JOIN cup ann and then some\n".to_vec(),
        b"PROXY TCP4 203.0.113.9 10.0.0.1 1 2\r\n".to_vec(),
        header(0x11, 0x11, &four),
        header(0x21, 0x31, &[0; 216]),
        header(0x21, 0x11, &[1, 2, 3]),
        header(0x21, 0x11, &[0; 5000]),
    ] {
        assert!(read_header(&mut wrong.as_slice()).await.is_err());
    }
}
