//! A review, as agents read it.

use serde_json::Value;

use super::Reply;

/// How many decisions are shown.
const WORST: usize = 8;

pub fn review(review: Value) -> Reply {
    let percent = |share: &Value| format!("{:.0} %", 100.0 * share.as_f64().unwrap_or_default());
    let name = |seat: &Value| {
        let player = &review["players"][seat.as_u64().unwrap_or_default() as usize];
        player["name"].as_str().unwrap_or("a player").to_owned()
    };
    let mut words = "Values are shares of opponents beaten, played out by house bots.".to_owned();
    for player in review["players"].as_array().into_iter().flatten() {
        words += &format!(
            "\n{}: result {}, mean regret {} in {} decisions, luck {}",
            name(&player["seat"]),
            percent(&player["result"]),
            percent(&player["regret"]),
            player["decisions"],
            percent(&player["luck"])
        );
    }
    let decisions = review["decisions"].as_array().into_iter().flatten();
    let regret = |decision: &Value| decision["regret"].as_f64().unwrap_or_default();
    let mut worst: Vec<&Value> = decisions.filter(|decision| regret(decision) > 0.0).collect();
    worst.sort_by(|one, two| regret(two).total_cmp(&regret(one)));
    for decision in worst.into_iter().take(WORST) {
        let (chosen, better) = (&decision["chosen"], &decision["better"]);
        words += &format!(
            "\nseq {}, {}, {}: {}, {}; {} was {}",
            decision["seq"],
            name(&decision["seat"]),
            decision["mark"].as_str().unwrap_or_default(),
            chosen["words"].as_str().unwrap_or_default(),
            percent(&chosen["value"]),
            better["words"].as_str().unwrap_or_default(),
            percent(&better["value"])
        );
    }
    Reply::new(words, review)
}
