//! Plans as they are read, and what is refused.

use tournament::{Fact, Format, Plan, Tournament};

fn read(text: &str) -> Result<Plan, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

#[test]
fn everything_has_a_default() {
    assert_eq!(read("{}"), Ok(Plan::default()));
    assert_eq!(Plan::default().format, Format::Knockout);
}

#[test]
fn a_format_is_a_name_alone_or_with_its_numbers() {
    let format = |text: &str| read(&format!(r#"{{"format": {text}}}"#)).map(|plan| plan.format);
    assert_eq!(format(r#""knockout""#), Ok(Format::Knockout));
    assert_eq!(format(r#""swiss""#), Ok(Format::Swiss { rounds: 0 }));
    assert_eq!(format(r#"{"swiss": {"rounds": 5}}"#), Ok(Format::Swiss { rounds: 5 }));
    assert_eq!(format(r#"{"round-robin": {}}"#), Ok(Format::RoundRobin { cycles: 1 }));
    assert_eq!(
        format(r#"{"gauntlet": {"cycles": 3}}"#),
        Ok(Format::Gauntlet { challengers: 1, cycles: 3 })
    );
    for wrong in [r#""swizz""#, r#"{"swiss": {"round": 5}}"#, "7", r#"{"swiss": {}, "x": {}}"#] {
        assert!(format(wrong).is_err(), "{wrong}");
    }
    let error = format(r#""swizz""#).unwrap_err();
    assert!(error.contains("swizz") && error.contains("round-robin"), "{error}");
}

#[test]
fn what_is_written_is_read_again() {
    for name in Format::NAMES {
        let plan = Plan { format: name.parse().unwrap(), ..Plan::default() };
        assert_eq!(plan.format.name(), name);
        assert_eq!(read(&serde_json::to_string(&plan).unwrap()), Ok(plan));
    }
}

#[test]
fn unknown_keys_are_refused() {
    let error = read(r#"{"seats": 3}"#).unwrap_err();
    assert!(error.contains("seats") && error.contains("table_seats"), "{error}");
}

#[test]
fn a_plan_that_cannot_be_played_is_refused_with_the_value_and_what_is_allowed() {
    let refused = |plan: Plan, why: &str| {
        assert_eq!(Tournament::new(plan).unwrap_err().to_string(), why);
    };
    let plan = Plan::default;
    let round_robin = Format::RoundRobin { cycles: 2 };
    refused(Plan { table_seats: 1, ..plan() }, "table_seats is 1: 2 to 64 is allowed");
    refused(Plan { max_entrants: 1, ..plan() }, "max_entrants is 1: 2 to 65536 is allowed");
    refused(Plan { draw_replays: 101, ..plan() }, "draw_replays is 101: 0 to 100 is allowed");
    refused(Plan { best_of: 4, ..plan() }, "best_of is 4: an odd number is needed for a majority");
    refused(
        Plan { format: Format::Swiss { rounds: 101 }, ..plan() },
        "rounds is 101: 0 to 100 is allowed",
    );
    refused(
        Plan { format: Format::RoundRobin { cycles: 0 }, ..plan() },
        "cycles is 0: 1 to 1000 is allowed",
    );
    refused(
        Plan { format: Format::Gauntlet { challengers: 64, cycles: 1 }, ..plan() },
        "challengers is 64: 1 to 63 is allowed",
    );
    refused(
        Plan { format: round_robin, max_entrants: 1000, ..plan() },
        "max_entrants is 1000: this round-robin could have 999000 pairings, at most 600000 are \
         allowed",
    );
}

#[test]
fn facts_are_written_plainly() {
    let fact = Fact::Entered { name: "Ann".to_owned(), bot: Some("greedy".to_owned()) };
    let text = r#"{"entered":{"name":"Ann","bot":"greedy"}}"#;
    assert_eq!(serde_json::to_string(&fact).unwrap(), text);
    assert_eq!(serde_json::from_str::<Fact>(text).unwrap(), fact);
    assert_eq!(serde_json::to_string(&Fact::Started).unwrap(), r#""started""#);
}
