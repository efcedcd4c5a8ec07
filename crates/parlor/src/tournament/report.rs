//! A tournament as text.

use serde_json::Value;

/// One line that says which it is and how it stands.
pub fn head(tournament: &Value) -> String {
    let count = tournament["entrants"].as_array().map_or(0, Vec::len);
    let format = match &tournament["plan"]["format"] {
        Value::String(name) => name.clone(),
        Value::Object(format) => format.keys().next().cloned().unwrap_or_default(),
        _ => String::new(),
    };
    let winner = match tournament["winner"].as_str() {
        Some(winner) => format!(", won by {winner}"),
        None => String::new(),
    };
    format!(
        "{} {}: {format}, {}, {count} of {} entrants, round {}{winner}",
        word(&tournament["game"]),
        word(&tournament["id"]),
        word(&tournament["phase"]),
        word(&tournament["plan"]["max_entrants"]),
        word(&tournament["round"]),
    )
}

/// The standings, with a rating where one is known.
pub fn standings(tournament: &Value, ratings: &[Value]) -> String {
    let mut rows =
        vec![["", "name", "points", "won", "drawn", "lost", "rating"].map(str::to_owned)];
    for standing in tournament["standings"].as_array().into_iter().flatten() {
        let rating = ratings.iter().find(|rated| rated["name"] == standing["name"]);
        // Two for a win, as the standings count, is one for a person.
        let points = standing["points"].as_f64().unwrap_or(0.0) / 2.0;
        rows.push([
            word(&standing["place"]),
            word(&standing["name"]),
            points.to_string(),
            word(&standing["won"]),
            word(&standing["drawn"]),
            word(&standing["lost"]),
            rating.map_or_else(String::new, |rated| {
                let number = |key: &str| rated[key].as_f64().unwrap_or(0.0);
                format!("{:.1} ± {:.1}", number("mean"), number("uncertainty"))
            }),
        ]);
    }
    aligned(&rows)
}

/// Every pairing on a line.
pub fn pairings(tournament: &Value) -> String {
    let all = tournament["pairings"].as_array().into_iter().flatten();
    all.map(|pairing| pairing_line(tournament, pairing)).collect::<Vec<_>>().join("\n")
}

/// The pairings that are decided, in order.
pub fn decided(tournament: &Value) -> Vec<String> {
    let all = tournament["pairings"].as_array().into_iter().flatten();
    let decided = all.filter(|pairing| !pairing["decision"].is_null());
    decided.map(|pairing| pairing_line(tournament, pairing)).collect()
}

fn pairing_line(tournament: &Value, pairing: &Value) -> String {
    let names: Vec<String> = pairing["names"].as_array().into_iter().flatten().map(word).collect();
    let names = names.join(" - ");
    let state = match (&pairing["decision"], &pairing["table"]) {
        (Value::Null, Value::String(table)) => format!("at table {table}"),
        (Value::Null, _) => "to come".to_owned(),
        (decision, _) => {
            let winner = decision["winner"].as_u64().map(|number| number as usize);
            let winner = winner.map(|number| word(&tournament["entrants"][number]["name"]));
            let winner = winner.unwrap_or_else(|| "nobody".to_owned());
            format!("{winner} ({})", word(&decision["how"]))
        }
    };
    format!("round {}, {}: {names}: {state}", word(&pairing["round"]), word(&pairing["id"]))
}

fn word(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn aligned<const N: usize>(rows: &[[String; N]]) -> String {
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

    #[test]
    fn a_tournament_reads_well() {
        let tournament = json!({
            "game": "gamba", "id": "cup", "phase": "over", "round": 1, "winner": "bob",
            "plan": {"format": {"swiss": {"rounds": 1}}, "max_entrants": 2},
            "entrants": [{"name": "ann"}, {"name": "bob"}],
            "pairings": [{"id": 0, "round": 1, "names": ["ann", "bob"],
                "decision": {"how": "played", "winner": 1}}],
            "standings": [
                {"place": 1, "name": "bob", "points": 2, "won": 1, "drawn": 0, "lost": 0},
                {"place": 2, "name": "ann", "points": 0, "won": 0, "drawn": 0, "lost": 1}],
        });
        assert_eq!(
            head(&tournament),
            "gamba cup: swiss, over, 2 of 2 entrants, round 1, won by bob"
        );
        let ratings = [json!({"name": "bob", "mean": 27.64, "uncertainty": 8.06, "games": 1})];
        let expected = "   name  points  won  drawn  lost      rating\n\
                        1  bob        1    1      0     0  27.6 ± 8.1\n\
                        2  ann        0    0      0     1";
        assert_eq!(standings(&tournament, &ratings), expected);
        assert_eq!(pairings(&tournament), "round 1, 0: ann - bob: bob (played)");
        assert_eq!(decided(&tournament).len(), 1);
    }
}
