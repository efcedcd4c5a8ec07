//! Sessions under fire: any bytes, any valid words in any order, cut anywhere, from several
//! connections to one hall. Whatever comes, what goes out keeps to the protocol.

use hall::ConnId;
use proptest::prelude::*;
use trials::stage::Stage;

use super::super::{Options, SubSim};
use super::{duel_options, join};

#[derive(Clone, Debug)]
enum Shot {
    Connect,
    /// Two players come and join as they should.
    Gather,
    Join(usize, u8),
    Bytes(usize, Vec<u8>),
    /// A line of the protocol, sent in pieces that begin and end anywhere.
    Line(usize, String, Vec<prop::sample::Index>),
    /// Each player gives an order that is right as far as another player can know.
    Orders(String),
    HangUp(usize),
    Wait(u64),
}

/// A command without its turn and submarine: `{}` is where they go.
fn order() -> impl Strategy<Value = String> {
    let equipment = || prop::sample::select(vec!["Sonar", "Torpedo", "Mine", "Sprint", "None"]);
    let direction = || prop::sample::select(vec!["N", "E", "S", "W"]);
    prop_oneof![
        (direction(), equipment()).prop_map(|(to, equip)| format!("M{{}}|{to}|{equip}")),
        (equipment(), equipment()).prop_map(|(one, two)| format!("S{{}}|{one}|{two}")),
        Just("P{}".to_owned()),
        (1..12u8, 1..12u8).prop_map(|(x, y)| format!("F{{}}|{x}|{y}")),
        direction().prop_map(|to| format!("D{{}}|{to}")),
        (direction(), 2..5u8).prop_map(|(to, distance)| format!("R{{}}|{to}|{distance}")),
        Just("U{}".to_owned()),
    ]
}

fn line() -> impl Strategy<Value = String> {
    let odd =
        vec!["", " ", "|", "J", "J|", "J||", "M", "M|1", "X|1|0", "P|1|0|", "P|0|0", "P|+1|1"];
    prop_oneof![
        4 => (order(), 0..4u8, 0..3u8)
            .prop_map(|(order, turn, sub)| order.replace("{}", &format!("|{turn}|{sub}"))),
        1 => prop::sample::select(odd).prop_map(str::to_owned),
        1 => "[JMSPFDRU|0-9A-Za-z +-]{0,20}",
        1 => "[^\n]{0,40}",
    ]
}

fn shot() -> impl Strategy<Value = Shot> {
    prop_oneof![
        1 => Just(Shot::Connect),
        4 => Just(Shot::Gather),
        1 => (0..6usize, 0..8u8).prop_map(|(who, name)| Shot::Join(who, name)),
        1 => (0..6usize, any::<Vec<u8>>()).prop_map(|(who, bytes)| Shot::Bytes(who, bytes)),
        1 => (0..6usize, line(), any::<Vec<prop::sample::Index>>())
            .prop_map(|(who, line, cuts)| Shot::Line(who, line, cuts)),
        24 => order().prop_map(Shot::Orders),
        1 => (0..6usize).prop_map(Shot::HangUp),
        3 => prop::sample::select(vec![1, 600, 3000, 3000, 3000, 10_000]).prop_map(Shot::Wait),
    ]
}

/// What a client can expect to be true of its connection, whatever it sends.
#[derive(Clone, Debug, Default)]
struct Ledger {
    begun: Option<u32>,
    finished: bool,
    refused: bool,
}

impl Ledger {
    fn check(&mut self, line: &str) {
        assert!(line.is_ascii() && !line.contains(|c: char| c.is_ascii_control()), "{line:?}");
        assert!(!self.refused, "after the error text: {line}");
        if line.as_bytes().get(1) != Some(&b'|') {
            assert!(line.len() > 1 && !self.finished, "{line}");
            self.refused = true;
            return;
        }
        let fields: Vec<&str> = line.split('|').collect();
        let number = |index: usize| fields[index].parse::<u32>().expect("a number");
        assert_eq!(self.finished, fields[0] == "P", "after F only P: {line}");
        match fields[0] {
            "C" => assert_eq!(fields.len(), 6),
            "V" => assert!(fields.len() >= 3),
            "J" => assert_eq!(fields.len(), 2),
            "B" => {
                assert_eq!(number(1), self.begun.map_or(1, |turn| turn + 1), "B rises by 1");
                self.begun = Some(number(1));
            }
            "D" | "O" | "T" | "M" => assert_eq!((fields.len(), Some(number(1))), (5, self.begun)),
            "S" | "R" => assert_eq!((fields.len(), Some(number(1))), (4, self.begun)),
            "H" => assert_eq!((fields.len(), Some(number(1))), (3, self.begun)),
            "I" => {
                assert_eq!(number(1), self.begun.unwrap_or(0));
                assert!(fields.len() >= 7 && fields[6].starts_with("shields="), "{line}");
            }
            "F" => {
                assert!(number(1) >= 1 && number(2) <= self.begun.unwrap_or(0), "{line}");
                self.finished = true;
            }
            "P" => assert_eq!(fields.len(), 3),
            other => panic!("no message has the type {other}"),
        }
    }
}

fn feed_in_pieces(stage: &mut Stage, conn: ConnId, bytes: &[u8], cuts: &[prop::sample::Index]) {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    cuts.sort_unstable();
    let mut from = 0;
    for cut in cuts {
        stage.send(conn, &bytes[from..cut]);
        stage.settle();
        from = cut;
    }
    stage.send(conn, &bytes[from..]);
    stage.settle();
}

fn check_shots(options: Options, shots: Vec<Shot>) {
    let subs = options.config.subs_per_player;
    let mut stage = Stage::of::<SubSim>(&options, 3, 1);
    let mut gathered = 0;
    let mut ledgers = std::collections::BTreeMap::<ConnId, Ledger>::new();
    for shot in shots {
        let open = stage.open_conns();
        let pick = |who: usize| open.get(who % open.len().max(1)).copied();
        match shot {
            Shot::Connect => _ = stage.connect(),
            Shot::Gather => {
                let squares = ["5|5"; 20][..usize::from(subs)].join("|");
                for name in [gathered, gathered + 1] {
                    join(&mut stage, &format!("g{name}"), &squares);
                }
                gathered += 2;
            }
            Shot::Join(who, name) => {
                if let Some(conn) = pick(who) {
                    stage.say(conn, &format!("J|p{name}{}", "|5|5".repeat(usize::from(subs))));
                }
            }
            Shot::Bytes(who, bytes) => {
                if let Some(conn) = pick(who) {
                    stage.send(conn, &bytes);
                    stage.settle();
                }
            }
            Shot::Line(who, line, cuts) => {
                if let Some(conn) = pick(who) {
                    feed_in_pieces(&mut stage, conn, format!("{line}\n").as_bytes(), &cuts);
                }
            }
            Shot::Orders(order) => {
                for conn in open {
                    let Some(turn) = ledgers.get(&conn).and_then(|ledger| ledger.begun) else {
                        continue;
                    };
                    for sub in 0..subs {
                        stage.say(conn, &order.replace("{}", &format!("|{turn}|{sub}")));
                    }
                }
            }
            Shot::HangUp(who) => pick(who).into_iter().for_each(|conn| stage.hang_up(conn)),
            Shot::Wait(ms) => stage.wait(ms),
        }
        for conn in stage.conns() {
            let ledger = ledgers.entry(conn).or_default();
            stage.heard(conn).iter().for_each(|line| ledger.check(line));
            let last_words = ledger.refused || ledger.finished;
            assert_eq!(!stage.is_open(conn), last_words, "{ledger:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn sessions_survive_anything(shots in prop::collection::vec(shot(), 1..80), subs in 1..3u8) {
        let mut options = duel_options();
        options.config.map_size = [10, 10];
        options.config.subs_per_player = subs;
        check_shots(options, shots);
    }

    #[test]
    fn tables_of_any_size_survive_anything(shots in prop::collection::vec(shot(), 1..80)) {
        check_shots(Options::default(), shots);
    }
}
