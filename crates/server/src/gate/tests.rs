//! Who is let in, and how much of everything it may take.

use super::*;

fn gate(change: impl FnOnce(&mut Limits)) -> Arc<Gate> {
    let mut limits = Limits::default();
    change(&mut limits);
    Gate::new(&Settings { limits, ..Settings::default() }, Metrics::new(), None)
}

fn peer(text: &str) -> Peer {
    Peer::direct(text.parse().expect("an address"))
}

#[test]
fn one_address_has_its_connections_and_others_have_theirs() {
    let gate = gate(|limits| {
        limits.connections_per_address = 2;
        limits.connections = 3;
    });
    let admit = |text| gate.admit_at(Time(0), peer(text));
    let _one = admit("2001:db8::1").expect("the first");
    let two = admit("2001:db8::2").expect("the second");
    assert_eq!(admit("2001:db8::3").err(), Some(Limit::ConnectionsPerAddress));
    let _other = admit("192.0.2.7").expect("another");
    assert_eq!(admit("192.0.2.8").err(), Some(Limit::Connections));
    drop(two);
    assert!(admit("2001:db8::3").is_ok());
}

#[test]
fn f40_who_is_turned_away_is_logged_once_a_minute() {
    let gate = gate(|limits| limits.connections = 2);
    let admit = || gate.admit_at(Time(0), peer("192.0.2.7"));
    let _open = [admit(), admit()];
    let most = Some((Party::Address(peer("192.0.2.7").address), 2));
    let crowd = |turned_away| Some(Crowd { open: 2, turned_away, most: most.clone() });
    assert_eq!(gate.turn_away(Time(5000)), crowd(1));
    assert!((0..10).all(|_| gate.turn_away(Time(64_999)).is_none()));
    assert_eq!(gate.turn_away(Time(65_000)), crowd(11));
}

#[test]
fn who_comes_and_goes_is_slowed_down() {
    let gate = gate(|limits| limits.connects_per_s_per_address = 5);
    let admit = |ms| gate.admit_at(Time(ms), peer("192.0.2.7")).map(drop);
    assert!((0..10).all(|_| admit(0).is_ok()));
    assert_eq!(admit(0).err(), Some(Limit::ConnectsPerSPerAddress));
    assert!(admit(200).is_ok() && admit(200).is_err());
    assert!((0..1000).all(|_| gate.admit_at(Time(0), peer("127.0.0.1")).is_ok()), "local");
}

#[test]
fn messages_and_requests_of_an_address_outlast_its_connections() {
    let gate = gate(|limits| {
        limits.messages_per_s_per_address = 5;
        limits.requests_per_s_per_address = 1;
    });
    let place = |text| gate.admit_at(Time(0), peer(text)).expect("few");
    assert!((0..10).all(|_| place("192.0.2.7").take_message(Time(0))));
    assert!(!place("192.0.2.7").take_message(Time(0)));
    place("192.0.2.7").give_message_back();
    assert!(place("192.0.2.7").take_message(Time(0)));
    assert!(place("192.0.2.8").take_message(Time(0)));
    let reached = Reached { limit: Limit::RequestsPerSPerAddress, wait_ms: 1000 };
    assert_eq!(gate.take_request(Time(0), peer("192.0.2.7"), None, 2), Ok(()));
    assert_eq!(gate.take_request(Time(0), peer("192.0.2.7"), None, 1), Err(reached));
    assert_eq!(gate.take_request(Time(0), peer("192.0.2.8"), None, 1), Ok(()));
}

#[test]
fn addresses_that_took_nothing_for_a_while_are_forgotten() {
    let gate = gate(|_| {});
    for number in 0..5000_u32 {
        let address = std::net::IpAddr::V4(std::net::Ipv4Addr::from_bits(0x0a00_0000 + number));
        let now = Time(u64::from(number) * 1000);
        gate.admit_at(now, Peer::direct(address)).expect("few at a time");
        assert!(gate.open.lock().unwrap().shares.len() <= 1025);
    }
}

#[test]
fn f39_clients_of_a_proxy_are_counted_by_their_own_addresses() {
    let limits = Limits { connections_per_address: 2, exempt_loopback: true, ..Limits::default() };
    let mut settings = Settings { limits, ..Settings::default() };
    settings.network.proxies = vec!["127.0.0.1".parse().unwrap()];
    let gate = Gate::new(&settings, Metrics::new(), None);
    let proxy = Peer::direct("127.0.0.1".parse().unwrap());
    let client = |text: &str| Peer::behind_a_proxy(text.parse().unwrap());
    let places: Vec<Admission> = (0..5).map(|_| gate.admit(proxy).expect("a proxy")).collect();
    let ann = || gate.admit(proxy).unwrap().handed_to(client("203.0.113.9"));
    let held = (ann().expect("one"), ann().expect("two"));
    assert!(ann().is_none());
    assert!(places[0].beside(client("203.0.113.9")).is_none());
    assert!(places[0].beside(client("203.0.113.10")).is_some());
    // A client that is said to be on this machine is not.
    let faked = [client("127.0.0.1"), client("127.0.0.1")].map(|peer| gate.admit(peer));
    assert!(faked.iter().all(Option::is_none), "the proxy holds five places of that address");
    drop(held);
    assert!(ann().is_some());
}
