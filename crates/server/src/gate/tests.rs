//! Who is admitted, and how much of everything a client may take.

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
fn rejected_connections_are_logged_once_a_minute() {
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
fn clients_behind_a_proxy_are_counted_by_their_own_addresses() {
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
    // A client that is said to be on this machine is not: it is counted, apart from the proxy itself.
    let faked = [0; 3].map(|_| gate.admit(client("127.0.0.1")));
    assert_eq!(faked.map(|place| place.is_some()), [true, true, false]);
    drop(held);
    assert!(ann().is_some());
}

#[test]
fn what_its_tables_write_keeps_an_address_from_opening_more_of_them() {
    let gate = gate(|limits| limits.records_per_min_per_address = 60);
    let place = |text| gate.admit_at(Time(0), peer(text)).expect("few");
    let bill = place("192.0.2.7").table_bill().expect("it is counted");
    // Its connection is gone, and house bots play on.
    (0..70).for_each(|_| bill.charge());
    let may_sit_down = |text, ms| place(text).may_sit_down(Time(ms), 1);
    assert_eq!(may_sit_down("192.0.2.7", 0), Err(Limit::RecordsPerMinPerAddress));
    assert_eq!(may_sit_down("192.0.2.8", 0), Ok(()));
    assert_eq!(may_sit_down("192.0.2.7", 11_000), Ok(()), "one comes each second");
    assert!(place("127.0.0.1").table_bill().is_none(), "nobody counts this machine");
}

/// A customer with a network of 48 bits has 65,536 addresses, as they are counted.
#[test]
fn larger_networks_have_limits_of_their_own() {
    let gate = gate(|limits| {
        limits.connections_per_network_56 = 2;
        limits.connections_per_network_48 = 3;
    });
    let admit = |text| gate.admit_at(Time(0), peer(text));
    let _first = admit("2001:db8:0:100::1").expect("the first");
    let second = admit("2001:db8:0:1ff::1").expect("the second of 56 bits");
    assert_eq!(admit("2001:db8:0:180::1").err(), Some(Limit::ConnectionsPerNetwork56));
    let _third = admit("2001:db8:0:200::1").expect("the third of 48 bits");
    assert_eq!(admit("2001:db8:0:300::1").err(), Some(Limit::ConnectionsPerNetwork48));
    assert!(admit("2001:db8:1::1").is_ok(), "another network");
    assert!(admit("192.0.2.7").is_ok());
    drop(second);
    assert!(admit("2001:db8:0:180::1").is_ok(), "who was turned away is counted nowhere");
}

#[test]
fn the_last_tenth_is_for_addresses_with_few_connections() {
    let gate = gate(|limits| limits.connections = 20);
    let admit = |text| gate.admit_at(Time(0), peer(text));
    let crowd: Vec<_> = (0..18).map(|_| admit("192.0.2.7").expect("there is room")).collect();
    assert_eq!(admit("192.0.2.7").err(), Some(Limit::Connections));
    let _few = [admit("192.0.2.8").expect("few"), admit("192.0.2.9").expect("few")];
    assert_eq!(admit("192.0.2.10").err(), Some(Limit::Connections), "now it is full");
    drop(crowd);
}

/// Nine claimed names had nine times the limits of their address.
#[test]
fn a_name_counts_for_itself_when_it_is_a_day_old_and_has_played() {
    use hall::{HouseEntry, HouseRecord, Register};
    const DAY: u64 = 24 * HOUR_MS;
    let claim = |name: &str| HouseRecord::Claimed { name: name.into(), key: KeyHash::of(name) };
    let records = [claim("old"), HouseRecord::Proven { name: "old".into() }, claim("idle")];
    let entries: Vec<HouseEntry> = records.into_iter().map(HouseEntry::new).collect();
    let register = Register::fold(entries.iter().map(|entry| (Time(0), entry))).expect("records");
    let gate = |name_age_h| {
        let limits = Limits { name_age_h, ..Limits::default() };
        let settings = Settings { limits, ..Settings::default() };
        Gate::new(&settings, Metrics::new(), Some(RegisterHandle::fixed(register.clone())))
    };
    let owner = |hours, now, name: &str| gate(hours).owner(Time(now), &KeyHash::of(name));
    assert_eq!(owner(24, DAY - 1, "old"), None, "it is of today");
    assert_eq!(owner(24, DAY, "old"), Some(Party::Name("old".into())));
    assert_eq!(owner(24, 9 * DAY, "idle"), None, "nobody has finished a game under it");
    assert_eq!(owner(24, 9 * DAY, "nobody"), None);
    assert_eq!(owner(0, 0, "idle"), Some(Party::Name("idle".into())));
}

/// The owner of a network of 48 bits could claim all the names a server knows, 64 from each address.
#[test]
fn larger_networks_claim_and_ask_only_so_much() {
    let gate = gate(|limits| {
        limits.claims_per_day_per_address = 1;
        limits.requests_per_s_per_address = 1;
    });
    let claim = |text: &str| gate.take_new_name(Time(0), peer(text)).is_ok();
    let address = |number: usize| format!("2001:db8:0:{:x}::1", number << 8);
    let neighbour = |number: usize| format!("2001:db8:0:{number:x}::1");
    assert_eq!((0..10).filter(|number| claim(&neighbour(*number))).count(), 4, "of 56 bits");
    assert_eq!((1..99).filter(|number| claim(&address(*number))).count(), 12, "16 of 48 bits");
    assert!(claim("2001:db8:1::1") && claim("192.0.2.7"), "others are not among them");
    let ask = |text: &str| gate.take_request(Time(0), peer(text), None, 1).is_ok();
    assert_eq!(
        (0..99).filter(|number| ask(&neighbour(*number))).count(),
        8,
        "twice as many at once"
    );
}

/// After a game with house bots, a rematch seated as many of them again and counted one seat.
#[test]
fn house_bots_of_a_rematch_take_seats() {
    use hall::{Answer, Command, Event, Joined, Refusal};
    let gate = gate(|limits| limits.seats_per_address = 6);
    let place = || Arc::new(gate.admit_at(Time(0), peer("192.0.2.7")).expect("few"));
    let member = |name: &str, bot: Option<&str>| serde_json::json!({"name": name, "present": true, "bot": bot, "strikes": 0});
    let bots = ["b1", "b2", "b3"].map(|name| member(name, Some("random")));
    let seats = [&[member("eve", None)][..], &bots].concat();
    let company = serde_json::json!({"table": "t", "seats": seats});
    let company = Arc::new(serde_json::from_value(company).expect("a company"));
    let seat = Some(rules::Seat(0));
    let joined = Box::new(Joined { company, seat, token: None, resumed: false });
    let again = Command::Rematch { table: "t".into(), token: "".into(), wants: true };
    let mut eve = [(); 2].map(|()| Holdings::new(place(), Default::default()));
    for holdings in &mut eve {
        // A game with three bots, which is over.
        holdings.answered(&Answer::Joined(joined.clone()));
        holdings.stood_up();
    }
    let [one, two] = &mut eve;
    assert_eq!(one.check(Time(0), &again), Ok(()));
    one.told(&Event::Seated(joined));
    assert_eq!(two.check(Time(0), &again), Err(Refusal::TooMany), "four of six seats are taken");
    one.stood_up();
    assert_eq!(two.check(Time(0), &again), Ok(()));
}
