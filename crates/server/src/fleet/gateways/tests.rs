//! What gateways are told beside what their connections hear.

use games::sushi_go::SushiGo;
use hall::{Command, Name, Role};
use rules::Seed;
use wire::Playable;

use super::*;

/// A turn's clock that had been put off ran out early for whoever took the hall over: gateways were
/// told of it with the next turn only.
#[test]
fn clocks_that_are_put_off_are_told_to_gateways() {
    let terms = SushiGo::terms(&Default::default()).expect("defaults are fine");
    let mut hall = Hall::new(terms, SushiGo::hooks(), 10, Seed::from_number(7));
    let mut gateways = Gateways::default();
    gateways.known.insert(2, Gateway::default());
    let mut outputs = Vec::new();
    for (number, name) in ["ann", "bob"].into_iter().enumerate() {
        let (name, conn) = (Name::from(name), ConnId(2 << 32 | number as u64));
        let join = Command::Join { table: None, name, role: Role::Player, joined_via: None };
        let said = FromGateway::Said(conn, 1 + number as u64, join);
        let input = gateways.hear(2, 0, said).expect("it is new");
        hall.handle(Time(1000), input, &mut outputs);
    }
    assert_eq!(gateways.wrap(&hall, &outputs).len(), 1);
    assert!(gateways.wrap(&hall, &[]).is_empty(), "nothing has changed");
    hall.give_back(5000);
    gateways.put_clocks_off();
    let parcels = gateways.wrap(&hall, &[]);
    let said = parcels.first().expect("something is said");
    let said: FromOwner<SushiGo> = serde_json::from_slice(link::body(&said.bytes)).expect("JSON");
    let FromOwner::Frame(frame) = said else { panic!("{said:?}") };
    let [Spoken::Stands(no, stands)] = &frame.said[..] else { panic!("{frame:?}") };
    let known = |stands: &TableStanding| serde_json::to_value(stands).expect("plain data");
    assert_eq!(hall.table_standing(*no).as_ref().map(known), Some(known(stands)));
    assert!(gateways.wrap(&hall, &[]).is_empty(), "it is said once");
}
