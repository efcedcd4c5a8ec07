//! A replay file: a line that names the game, then a line for each record.

use serde::Deserialize;
use serde_json::value::RawValue;

/// The game of a replay file, and its records as text.
#[derive(Clone, Debug)]
pub struct ReplayFile {
    pub game: String,
    pub id: String,
    records: Vec<String>,
}

impl ReplayFile {
    pub fn read(text: &str) -> Result<ReplayFile, String> {
        #[derive(Deserialize)]
        struct Head {
            game: String,
            id: String,
        }
        #[derive(Deserialize)]
        struct Line {
            record: Box<RawValue>,
        }
        let mut lines = text.lines();
        let head = serde_json::from_str(lines.next().unwrap_or_default());
        let Head { game, id } =
            head.map_err(|_| "the first line does not say which game this is".to_owned())?;
        let record = |(index, line): (usize, &str)| {
            let line: Result<Line, _> = serde_json::from_str(line);
            let line = line.map_err(|why| format!("line {} is no record: {why}", index + 2))?;
            Ok(line.record.get().to_owned())
        };
        let records = lines.enumerate().map(record).collect::<Result<_, String>>()?;
        Ok(ReplayFile { game, id, records })
    }

    pub fn records(&self) -> impl Iterator<Item = &str> {
        self.records.iter().map(String::as_str)
    }
}
