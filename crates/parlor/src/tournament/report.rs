//! A tournament as text.

use std::collections::BTreeSet;

use serde_json::Value;

/// One line with the tournament's name and state.
pub fn head(tournament: &Value) -> String {
    let entrants = tournament["entrants"].as_array().map_or(&[][..], Vec::as_slice);
    let gone = entrants.iter().filter(|entrant| entrant["withdrawn"] == true).count();
    // Lists count entrants; a tournament alone names them.
    let count = |count: &Value, named| count.as_u64().unwrap_or(named as u64);
    let entered = count(&tournament["entered"], entrants.len());
    let withdrawn = match count(&tournament["withdrawn"], gone) {
        0 => String::new(),
        count => format!(" ({count} withdrawn)"),
    };
    let format = match &tournament["plan"]["format"] {
        Value::String(name) => name.clone(),
        Value::Object(format) => format.keys().next().cloned().unwrap_or_default(),
        _ => String::new(),
    };
    let winner = match tournament["winner"].as_str() {
        Some(winner) => {
            let won = entrants.iter().find(|entrant| entrant["name"] == winner).map(shown);
            let display = tournament["winner_display"].as_str().map(str::to_owned);
            format!(", won by {}", won.or(display).unwrap_or_else(|| winner.to_owned()))
        }
        None => String::new(),
    };
    // A ladder has no places to fill and no rounds: it counts the bots that are on it.
    let entrants = match format.as_str() {
        "ladder" => {
            let here = entered.saturating_sub(count(&tournament["withdrawn"], gone));
            format!("{here} {}{withdrawn}", if here == 1 { "entrant" } else { "entrants" })
        }
        _ => {
            let most = word(&tournament["plan"]["max_entrants"]);
            format!("{entered} of {most} entrants{withdrawn}")
        }
    };
    format!(
        "{} {}: {format}, {}, {entrants}{}{winner}",
        word(&tournament["game"]),
        word(&tournament["id"]),
        word(&tournament["phase"]),
        round(tournament).map_or_else(String::new, |round| format!(", {round}")),
    )
}

/// `round 2 of 5`. None before the start, and on a ladder, which has no rounds.
fn round(tournament: &Value) -> Option<String> {
    let round = tournament["round"].as_u64().filter(|round| *round > 0)?;
    match tournament["rounds"].as_u64() {
        // Tournaments that an earlier release kept do not say how many there were.
        None => Some(format!("round {round}")),
        Some(0) => None,
        Some(rounds) => Some(format!("round {round} of {rounds}")),
    }
}

/// The standings, with ratings if any entrant has one.
pub fn standings(tournament: &Value, ratings: &[Value]) -> String {
    const RATING: usize = 6;
    let mut rows =
        vec![["", "name", "points", "won", "drawn", "lost", "rating"].map(str::to_owned)];
    for standing in tournament["standings"].as_array().into_iter().flatten() {
        let entrant = entrant(tournament, &standing["entrant"]);
        let withdrawn = match (&entrant["withdrawn"], &entrant["withdrawn_because"]) {
            (Value::Bool(true), Value::String(why)) => format!(" (withdrawn: {why})"),
            (Value::Bool(true), _) => " (withdrawn)".to_owned(),
            _ => String::new(),
        };
        let rating = ratings.iter().find(|rated| rated["name"] == standing["name"]);
        rows.push([
            word(&standing["place"]),
            shown(entrant) + &withdrawn,
            word(&standing["points"]),
            word(&standing["won"]),
            word(&standing["drawn"]),
            word(&standing["lost"]),
            rating.map_or_else(String::new, |rated| {
                let number = |key: &str| rated[key].as_f64().unwrap_or(0.0);
                format!("{:.1} ± {:.1}", number("mean"), number("uncertainty"))
            }),
        ]);
    }
    if rows.iter().skip(1).all(|row| row[RATING].is_empty()) {
        rows[0][RATING].clear();
    }
    aligned(&rows) + &seats_given(tournament)
}

/// How evenly seats were given, once a game was played.
fn seats_given(tournament: &Value) -> String {
    let standings = tournament["standings"].as_array().into_iter().flatten();
    let counts = standings.filter_map(|standing| {
        let counts = standing["seats"].as_array()?.iter().filter_map(Value::as_u64);
        let counts: Vec<u64> = counts.collect();
        Some(counts.iter().max()? - counts.iter().min()?).filter(|_| counts.iter().any(|n| *n > 0))
    });
    match counts.max() {
        None => String::new(),
        Some(0) => "\nall entrants had each seat equally often".to_owned(),
        Some(uneven) => {
            format!("\nall entrants had each seat equally often, give or take {uneven}")
        }
    }
}

/// Every pairing on a line.
pub fn pairings(tournament: &Value) -> String {
    let all = tournament["pairings"].as_array().into_iter().flatten();
    all.map(|pairing| pairing_line(tournament, pairing)).collect::<Vec<_>>().join("\n")
}

/// How far it is.
pub fn progress(tournament: &Value, decided: usize) -> String {
    let all = tournament["pairings"].as_array().map_or(0, Vec::len);
    match round(tournament) {
        None => "not begun".to_owned(),
        Some(round) => format!("{decided}/{all} pairings, {round}"),
    }
}

/// Says every decided pairing once, whichever of them is decided first.
#[derive(Default)]
pub struct Decided {
    /// Where they are in the list of pairings, which only grows.
    told: BTreeSet<usize>,
}

impl Decided {
    /// Whatever is decided by now is not said any more.
    pub fn since(tournament: &Value) -> Decided {
        let mut decided = Decided::default();
        decided.news(tournament);
        decided
    }

    /// The pairings that were not known to be decided.
    pub fn news(&mut self, tournament: &Value) -> Vec<String> {
        let all = tournament["pairings"].as_array().into_iter().flatten().enumerate();
        all.filter(|(_, pairing)| !pairing["decision"].is_null())
            .filter(|(place, _)| self.told.insert(*place))
            .map(|(_, pairing)| pairing_line(tournament, pairing))
            .collect()
    }

    pub fn count(&self) -> usize {
        self.told.len()
    }
}

fn pairing_line(tournament: &Value, pairing: &Value) -> String {
    let (round, id) = (word(&pairing["round"]), word(&pairing["id"]));
    format!("round {round}, {id}: {}", result_line(tournament, pairing))
}

/// Who met, and how it ended or where it is played.
pub fn result_line(tournament: &Value, pairing: &Value) -> String {
    let numbers = pairing["entrants"].as_array().into_iter().flatten();
    let names: Vec<String> = numbers.map(|number| shown(entrant(tournament, number))).collect();
    let meeting = names.join(" - ");
    let names = format!("{meeting}{}", score(pairing));
    let state = match (&pairing["decision"], &pairing["table"]) {
        (Value::Null, Value::String(table)) => format!("at table {table}"),
        (Value::Null, _) if names.len() > meeting.len() => "next game to come".to_owned(),
        (Value::Null, _) => "to come".to_owned(),
        (decision, _) => {
            let winner = match &decision["winner"] {
                Value::Null => "nobody".to_owned(),
                number => shown(entrant(tournament, number)),
            };
            format!("{winner} ({}{})", word(&decision["how"]), early(tournament, pairing))
        }
    };
    format!("{names}: {state}")
}

/// The games won by each, where there is more than one game, or will be. A void one is played again
/// and does not count; it has no causes.
fn score(pairing: &Value) -> String {
    let games = pairing["games"].as_array().into_iter().flatten();
    let counts = |game: &&Value| game["causes"].as_array().is_some_and(|all| !all.is_empty());
    let least = if pairing["decision"].is_null() { 1 } else { 2 };
    if games.filter(counts).count() < least {
        return String::new();
    }
    let won: Vec<String> =
        pairing["games_won"].as_array().into_iter().flatten().map(word).collect();
    format!(" {}", won.join(":"))
}

/// Who did not play a game to its end, and why.
fn early(tournament: &Value, pairing: &Value) -> String {
    let mut all: Vec<String> = Vec::new();
    for game in pairing["games"].as_array().into_iter().flatten() {
        let seats = game["seats"].as_array().into_iter().flatten();
        let causes = game["causes"].as_array().into_iter().flatten();
        for (number, cause) in seats.zip(causes).filter(|(_, cause)| *cause != "finished") {
            let said = format!("{} {}", shown(entrant(tournament, number)), word(cause));
            if !all.contains(&said) {
                all.push(said);
            }
        }
    }
    if all.is_empty() { String::new() } else { format!(": {}", all.join(", ")) }
}

/// What people read for an entrant.
pub fn shown(entrant: &Value) -> String {
    match &entrant["display"] {
        Value::Null => word(&entrant["name"]),
        display => word(display),
    }
}

/// An entrant by its number.
fn entrant<'a>(tournament: &'a Value, number: &Value) -> &'a Value {
    match number.as_u64() {
        Some(number) => &tournament["entrants"][number as usize],
        None => &Value::Null,
    }
}

pub fn word(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

pub fn aligned<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..N).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            let width = *width;
            if column == 1 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn cup() -> Value {
        json!({
            "game": "gamba", "id": "cup", "phase": "over", "round": 1, "winner": "bob",
            "plan": {"format": {"swiss": {"rounds": 1}}, "max_entrants": 2},
            "entrants": [{"name": "ann", "withdrawn": false}, {"name": "bob", "withdrawn": false}],
            "pairings": [{"id": 0, "round": 1, "names": ["ann", "bob"], "entrants": [0, 1],
                "decision": {"how": "played", "winner": 1}}],
            "standings": [
                {"place": 1, "entrant": 1, "name": "bob", "points": 2, "won": 1, "drawn": 0, "lost": 0},
                {"place": 2, "entrant": 0, "name": "ann", "points": 0, "won": 0, "drawn": 0, "lost": 1}],
        })
    }

    #[test]
    fn a_tournament_reads_well() {
        let tournament = cup();
        assert_eq!(
            head(&tournament),
            "gamba cup: swiss, over, 2 of 2 entrants, round 1, won by bob"
        );
        let ratings = [json!({"name": "bob", "mean": 27.64, "uncertainty": 8.06, "games": 1})];
        let expected = "   name  points  won  drawn  lost      rating\n\
                        1  bob        2    1      0     0  27.6 ± 8.1\n\
                        2  ann        0    0      0     1";
        assert_eq!(standings(&tournament, &ratings), expected);
        assert_eq!(pairings(&tournament), "round 1, 0: ann - bob: bob (played)");
    }

    /// A no-show read `played`, like everything else.
    #[test]
    fn a_pairing_names_the_players_that_did_not_finish() {
        let mut tournament = cup();
        let game = |causes: [&str; 2]| json!({"seats": [0, 1], "causes": causes});
        let pairing = &mut tournament["pairings"][0];
        pairing["decision"]["how"] = "forfeit".into();
        pairing["games"] = json!([game(["never came", "finished"])]);
        assert_eq!(pairings(&tournament), "round 1, 0: ann - bob: bob (forfeit: ann never came)");
        tournament["entrants"][0]["display"] = "Ann's bot".into();
        let pairing = &mut tournament["pairings"][0];
        let missed = || game(["crashed", "finished"]);
        pairing["games"] = json!([missed(), game(["finished", "finished"]), missed()]);
        pairing["games_won"] = json!([1, 2]);
        let expected = "round 1, 0: Ann's bot - bob 1:2: bob (forfeit: Ann's bot crashed)";
        assert_eq!(pairings(&tournament), expected);
    }

    /// One game after a void one read `0:1`, like a match of several games.
    #[test]
    fn a_game_that_was_played_again_is_one_game() {
        let mut tournament = cup();
        let game = |causes: &[&str]| json!({"seats": [0, 1], "causes": causes});
        let pairing = &mut tournament["pairings"][0];
        pairing["games"] = json!([game(&[]), game(&["finished", "finished"])]);
        pairing["games_won"] = json!([0, 1]);
        assert_eq!(pairings(&tournament), "round 1, 0: ann - bob: bob (played)");
    }

    #[test]
    fn who_has_withdrawn_is_marked_and_a_column_without_ratings_is_left_out() {
        let mut tournament = cup();
        tournament["entrants"][0]["withdrawn"] = true.into();
        assert_eq!(
            head(&tournament),
            "gamba cup: swiss, over, 2 of 2 entrants (1 withdrawn), round 1, won by bob"
        );
        let expected = "   name             points  won  drawn  lost\n\
                        1  bob                   2    1      0     0\n\
                        2  ann (withdrawn)       0    0      0     1";
        assert_eq!(standings(&tournament, &[]), expected);
    }

    #[test]
    fn a_decided_pairing_is_said_once_whichever_is_decided_first() {
        let seen = |decisions: [Value; 3]| {
            let pairing =
                |(id, decision)| json!({"id": id, "round": 1, "names": [], "decision": decision});
            let pairings: Vec<Value> = (0..).zip(decisions).map(pairing).collect();
            json!({"entrants": [{"name": "ann"}], "pairings": pairings})
        };
        let by = |how: &str| json!({"how": how, "winner": 0});
        let mut decided = Decided::default();
        let none = || Value::Null;
        assert!(decided.news(&seen([none(), none(), none()])).is_empty());
        assert_eq!(decided.news(&seen([none(), none(), by("bye")])), ["round 1, 2: : ann (bye)"]);
        assert!(decided.news(&seen([none(), none(), by("bye")])).is_empty());
        assert_eq!(
            decided.news(&seen([by("played"), by("lot"), by("bye")])),
            ["round 1, 0: : ann (played)", "round 1, 1: : ann (lot)"]
        );
        assert_eq!(decided.count(), 3);
        let mut decided = Decided::since(&seen([none(), none(), by("bye")]));
        assert_eq!(decided.count(), 1);
        assert_eq!(
            decided.news(&seen([by("lot"), none(), by("bye")])),
            ["round 1, 0: : ann (lot)"]
        );
    }

    #[test]
    fn a_tournament_says_which_round_of_how_many_it_is_in() {
        let mut tournament = cup();
        tournament["phase"] = "paused".into();
        tournament["winner"] = Value::Null;
        (tournament["round"], tournament["rounds"]) = (2.into(), 5.into());
        assert_eq!(head(&tournament), "gamba cup: swiss, paused, 2 of 2 entrants, round 2 of 5");
        assert_eq!(progress(&tournament, 1), "1/1 pairings, round 2 of 5");
        (tournament["round"], tournament["rounds"]) = (0.into(), 0.into());
        tournament["phase"] = "entering".into();
        assert_eq!(head(&tournament), "gamba cup: swiss, entering, 2 of 2 entrants");
    }

    /// `3 of 1000 entrants (2 withdrawn)` and `1 entrant` were the same ladder.
    #[test]
    fn a_ladder_counts_those_who_are_on_it() {
        let mut tournament = cup();
        tournament["plan"] = json!({"format": {"ladder": {"wait_s": 20}}, "max_entrants": 1000});
        tournament["phase"] = "running".into();
        (tournament["winner"], tournament["rounds"]) = (Value::Null, 0.into());
        tournament["entrants"][0]["withdrawn"] = true.into();
        assert_eq!(head(&tournament), "gamba cup: ladder, running, 1 entrant (1 withdrawn)");
    }

    /// A pairing that stood 1:0 read `to come`, as if nothing had been played.
    #[test]
    fn a_pairing_between_two_games_says_how_it_stands() {
        let mut tournament = cup();
        let pairing = &mut tournament["pairings"][0];
        pairing["decision"] = Value::Null;
        assert_eq!(result_line(&cup_with(pairing.clone()), pairing), "ann - bob: to come");
        pairing["games"] = json!([{"seats": [0, 1], "causes": ["finished", "finished"]}]);
        pairing["games_won"] = json!([1, 0]);
        let line = result_line(&cup_with(pairing.clone()), pairing);
        assert_eq!(line, "ann - bob 1:0: next game to come");
    }

    fn cup_with(pairing: Value) -> Value {
        let mut tournament = cup();
        tournament["pairings"][0] = pairing;
        tournament
    }

    #[test]
    fn before_the_first_round_there_is_something_to_say_too() {
        assert_eq!(progress(&json!({"round": 0, "pairings": []}), 0), "not begun");
        let begun = json!({"round": 1, "pairings": [{}, {}, {}]});
        assert_eq!(progress(&begun, 1), "1/3 pairings, round 1");
    }
}
