//! How a tournament is written down.

use rules::{Exit, Outcome};
use tournament::{Fact, Format, Tournament, Why};

use crate::kit::plan;

/// A round-robin with a pairing that was played, one to which no player came, and one that ended by
/// a withdrawal.
fn cut_short() -> Tournament {
    let mut tournament = Tournament::new(plan(Format::RoundRobin { cycles: 1 }, 2)).unwrap();
    let mut apply = |fact: Fact| tournament.apply(&fact).unwrap();
    for name in ["Ann", "Ben", "Cid", "Dot"] {
        apply(Fact::Entered { name: name.to_owned(), bot: None });
    }
    apply(Fact::Started);
    let due: Vec<_> = tournament.due().cloned().collect();
    let mut apply = |fact: Fact| tournament.apply(&fact).unwrap();
    let ranks = due[0].seats.iter().map(|entrant| (0, entrant.0, None)).collect();
    let (pairing, attempt, outcome) = (due[0].pairing, 1, Outcome::ranked(ranks));
    apply(Fact::Played { pairing, attempt, outcome });
    let exits = vec![Exit::Crashed, Exit::NeverCame];
    apply(Fact::Forfeited { pairing: due[1].pairing, broken: false, exits });
    apply(Fact::Withdrawn { name: "Cid".to_owned(), why: Some(Why::Missed) });
    tournament
}

/// Ladders are in journals in this form.
#[test]
fn a_tournament_is_written_with_the_names_and_in_the_order_that_journals_have() {
    let tournament = cut_short();
    let text = serde_json::to_string(&tournament).unwrap();
    assert_eq!(text, TEXT);
    assert_eq!(serde_json::from_str::<Tournament>(TEXT).unwrap(), tournament);
}

/// Earlier releases did not record why no player came to a game, and servers that had the
/// tournament from others reported every entrant as never having come.
#[test]
fn why_nobody_came_is_written_down_and_may_be_missing() {
    let exits = r#","exits":["crashed","never-came"]"#;
    let earlier: Tournament = serde_json::from_str(&TEXT.replace(exits, "")).unwrap();
    assert_eq!(earlier.pairings()[1].games[0].causes(), ["never came"; 2]);
    let read: Tournament = serde_json::from_str(TEXT).unwrap();
    assert_eq!(read.pairings()[1].games[0].causes(), ["crashed", "never came"]);
}

/// As releases have written it since there are ladders.
const TEXT: &str = concat!(
    r#"{"plan":{"format":{"round-robin":{"cycles":1}},"table_seats":2,"max_entrants":64,"best_of":1,"draw_replays":2,"rated":true,"seed":"0700000000000000000000000000000000000000000000000000000000000000"},"phase":"running","#,
    r#""entrants":[{"name":"Ann","withdrawn":false},{"name":"Ben","withdrawn":false},{"name":"Cid","withdrawn":true,"why":"missed"},{"name":"Dot","withdrawn":false}],"#,
    r#""names":{"Ann":0,"Ben":1,"Cid":2,"Dot":3},"#,
    r#""lots":[3,2,1,0],"#,
    r#""left_in":{"2":2},"#,
    r#""pairings":[{"id":0,"round":1,"entrants":[0,3],"games":[{"attempt":1,"seats":[0,3],"outcome":[{"points":0,"place":2,"exit":null},{"points":0,"place":1,"exit":null}]}],"decision":{"how":"played","winner":3,"places":[2,1]}},"#,
    r#"{"id":1,"round":1,"entrants":[1,2],"games":[{"attempt":1,"seats":[1,2],"outcome":null,"unattended":true,"exits":["crashed","never-came"]}],"decision":{"how":"forfeit","winner":null,"places":[null,null]}},"#,
    r#"{"id":2,"round":2,"entrants":[2,0],"games":[],"decision":{"how":"withdrawn","winner":0,"places":[null,1]}},"#,
    r#"{"id":3,"round":2,"entrants":[3,1],"games":[],"decision":null},"#,
    r#"{"id":4,"round":3,"entrants":[0,1],"games":[],"decision":null},"#,
    r#"{"id":5,"round":3,"entrants":[2,3],"games":[],"decision":{"how":"withdrawn","winner":3,"places":[null,1]}}],"#,
    r#""undecided":[3,4],"#,
    r#""open":{"3":{"pairing":3,"attempt":1,"seats":[3,1]}},"#,
    r#""ahead":[[4],[4],[],[]],"#,
    r#""busy":[false,true,false,true],"#,
    r#""cut_short":{"2":{"pairing":2,"attempt":1,"seats":[2,0]}},"#,
    r#""missed":{"1":1,"2":1},"#,
    r#""paired":6}"#,
);
