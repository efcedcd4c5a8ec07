//! What strangers cannot take: the last tables are for organisers.

use super::sitting::{Sitting, policy};
use hall::*;

fn new_table(stage: &Sitting) -> Box<NewTable> {
    let (terms, reserved) = (stage.terms.clone(), Vec::new());
    Box::new(NewTable { terms, id: None, reserved, seed: None, bots_at_once: false })
}

#[test]
fn a_tenth_of_the_tables_is_kept_for_organisers() {
    let mut stage = Sitting::new(policy());
    let refused = |stage: &Sitting| {
        stage.outputs.iter().any(|output| {
            matches!(output.answer(), Some((_, Answer::Refused(Refusal::HallFull))))
                || matches!(output, Output::Reply(_, Reply::Refused(Refusal::HallFull)))
        })
    };
    for number in 1..=10 {
        let (table, name) = (new_table(&stage), format!("p{number}").into());
        let open = Command::Open { table, bots: Vec::new(), name, joined_via: None };
        stage.handle(Input::Said(ConnId(number), open));
        assert_eq!(refused(&stage), number == 10, "{number}: {:?}", stage.outputs);
    }
    stage.handle(Input::Said(
        ConnId(11),
        Command::Join { table: None, name: "eve".into(), role: Role::Player, joined_via: None },
    ));
    assert!(refused(&stage), "{:?}", stage.outputs);
    let table = new_table(&stage);
    stage.ask(Request::Open(table));
    assert!(!refused(&stage), "{:?}", stage.outputs);
    let table = new_table(&stage);
    stage.ask(Request::Open(table));
    assert!(refused(&stage), "{:?}", stage.outputs);
}
