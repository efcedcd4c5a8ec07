//! What is kept for gateways until they confirm it, and for how long.

use super::*;

/// The pages of a journal that are not closed, as players of gateway 2 play on.
#[derive(Default)]
struct Kept(BTreeSet<store::Topic>);

impl Kept {
    /// How many there are after another turn.
    fn play(&mut self, gateways: &mut Gateways, number: u64) -> usize {
        let bytes = link::frame(&number).into();
        let parcels = vec![Parcel { node: 2, number, bytes, replies: Vec::new() }];
        for row in gateways.write_down(Time(number), &parcels) {
            match row.mark {
                store::Mark::Closes(_) => self.0.remove(&row.topic),
                _ => self.0.insert(row.topic),
            };
        }
        gateways.send(parcels);
        self.0.len()
    }
}

/// A gateway has just come, without players. The number of its link.
fn comes(gateways: &mut Gateways, node: u32) -> u64 {
    let who = (node, &Attach::default(), &Outgoing::default());
    gateways.attach(who, 1, None, Vec::new()).0
}

/// Pages were kept for a gateway without players, which had nothing to confirm: the journal grew as
/// long as players of another gateway played.
#[test]
fn an_idle_gateway_does_not_keep_what_was_said_to_another() {
    let mut gateways = Gateways::default();
    for node in [2, 3] {
        gateways.known.insert(node, Gateway::default());
        gateways.hear(node, 0, FromGateway::Heard(0));
    }
    let mut kept = Kept::default();
    for number in 1..=1000 {
        let open = kept.play(&mut gateways, number);
        assert!(open <= 2, "{open} pages after {number} turns");
        gateways.hear(2, 0, FromGateway::Heard(number));
    }
    // What is still on its way is kept, and so is what was made and not sent yet.
    let before = gateways.kept_bytes();
    (1001..=1300).for_each(|number| _ = kept.play(&mut gateways, number));
    assert!(kept.play(&mut gateways, 1301) > 4);
    assert!(gateways.kept_bytes() > 2 * before);
    gateways.hear(2, 0, FromGateway::Heard(1301));
    assert!(kept.play(&mut gateways, 1302) <= 2);
    assert!(gateways.kept_bytes() < 2 * before);
}

/// The same of a gateway that hangs before it has said anything: nothing was ever said to it.
#[test]
fn a_gateway_that_has_said_nothing_yet_does_not_keep_what_was_said_to_another() {
    let mut gateways = Gateways::default();
    let link = comes(&mut gateways, 2);
    comes(&mut gateways, 3);
    let mut kept = Kept::default();
    for number in 1..=1000 {
        let open = kept.play(&mut gateways, number);
        assert!(open <= 2, "{open} pages after {number} turns");
        gateways.hear(2, link, FromGateway::Heard(number));
    }
}

/// A hall without gateways kept the output of its earlier owners forever.
#[test]
fn without_gateways_nothing_is_kept() {
    let cause = store::Cause::Clock;
    let line = store::StoredRecord::after("", 1, cause, "said before".to_owned());
    let found = BTreeMap::from([(7, vec![line])]);
    let pages = Pages::after(2, &found);
    let mut gateways = Gateways { pages, has_news: true, ..Gateways::default() };
    assert!(gateways.kept_bytes() > 0);
    let closes = |row: &Row| matches!(row.mark, store::Mark::Closes(_));
    assert_eq!(gateways.write_down(Time(1), &[]).iter().filter(|row| closes(row)).count(), 1);
    assert_eq!(gateways.kept_bytes(), 0);
}

/// The output of an earlier owner was sent once. A gateway whose link broke just then never
/// received it.
#[test]
fn what_an_earlier_owner_said_is_said_again_until_it_has_arrived() {
    let mut gateways = Gateways::default();
    let said = link::wrap("\"said before\"");
    let mut attach = |inherited, heard| {
        let (attach, outgoing) = (Attach { heard, ..Attach::default() }, Outgoing::default());
        let (link, _) = gateways.attach((2, &attach, &outgoing), 2, inherited, Vec::new());
        if heard.is_some_and(|(epoch, _)| epoch == 2) {
            gateways.hear(2, link, FromGateway::Heard(0));
        }
        outgoing.len()
    };
    let nothing = attach(None, Some((2, 0)));
    let missed = vec!["\"said before\""];
    let inherited = Inherited { missed, is_given_up: false, gap_ms: 0 };
    assert_eq!(attach(Some(inherited), Some((1, 5))), nothing + said.len());
    assert_eq!(attach(None, Some((1, 5))), nothing + said.len(), "the link broke");
    assert_eq!(attach(None, Some((2, 0))), nothing, "it was heard");
}
