//! Entrants as they are typed, or as a file lists them.

mod csv;

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use wire::AnyDialect;

use crate::play::{Kind, command};
use crate::terminal::Unreadable;

/// `ann`, `ann=red` (plays as red) or `house:random`, which needs a name.
pub fn parse(text: &str, number: usize) -> Value {
    if let Some(strategy) = text.strip_prefix("house:") {
        return json!({"name": hall::bot_name(strategy, number as u64), "bot": strategy});
    }
    match text.split_once('=') {
        Some((name, plays_as)) => json!({"name": name, "plays_as": plays_as}),
        None => json!({"name": text}),
    }
}

/// One line of a file of entrants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Where it stands in the file.
    pub line: usize,
    pub name: String,
    pub display: Option<String>,
    pub plays_as: Option<String>,
    pub command: Option<String>,
    pub version: Option<String>,
}

/// The columns, in their order, by the names a header may have for them; the last is the one we say.
const COLUMNS: [(&str, &[&str]); 5] = [
    ("name", &["name"]),
    ("display", &["display", "display name"]),
    ("plays_as", &["plays as", "plays_as", "plays-as"]),
    ("command", &["bot", "command"]),
    ("version", &["version"]),
];

impl Row {
    /// The entrants of a CSV file: name, display name, plays-as, command, version.
    pub fn read(path: &Path) -> Result<Vec<Row>> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))
            .map_err(|error| Unreadable::new(&error))?;
        let rows = Row::parse(&text);
        Ok(rows.map_err(|why| Unreadable(format!("{}, {why}", path.display())))?)
    }

    fn parse(text: &str) -> Result<Vec<Row>, String> {
        let mut lines = csv::lines(text)?.into_iter().peekable();
        let mut order: Vec<&str> = COLUMNS.iter().map(|(column, _)| *column).collect();
        let is_header =
            |(_, cells): &(usize, Vec<String>)| cells[0].trim().eq_ignore_ascii_case("name");
        if let Some((line, header)) = lines.next_if(is_header) {
            order = header
                .iter()
                .map(|cell| column(cell).ok_or_else(|| unknown(line, cell)))
                .collect::<Result<_, _>>()?;
        }
        let mut rows: Vec<Row> = Vec::new();
        for (line, cells) in lines {
            if cells.len() > order.len() {
                let (most, found) = (order.len(), cells.len());
                return Err(format!(
                    "line {line}: {found} columns, at most {most} are allowed; put a text with a \
                     comma in double quotes"
                ));
            }
            let cell = |column: &str| {
                let at = order.iter().position(|known| *known == column)?;
                cells.get(at).map(|cell| cell.trim().to_owned()).filter(|cell| !cell.is_empty())
            };
            let Some(name) = cell("name") else {
                return Err(format!("line {line}: the name is missing"));
            };
            if let Some(other) = rows.iter().find(|row| row.name == name) {
                return Err(format!("line {line}: line {} has the name '{name}', too", other.line));
            }
            let (display, plays_as) = (cell("display"), cell("plays_as"));
            let (command, version) = (cell("command"), cell("version"));
            rows.push(Row { line, name, display, plays_as, command, version });
        }
        Ok(rows)
    }

    /// As the API wants it. Who has no house strategy comes by itself.
    pub fn json(&self) -> Value {
        let bot = self.command.as_ref().and_then(|command| command.strip_prefix("house:"));
        let Row { name, display, plays_as, version, .. } = self;
        entrant_json(name, [display.as_deref(), plays_as.as_deref(), bot, version.as_deref()])
    }
}

fn column(cell: &str) -> Option<&'static str> {
    let word = cell.trim().to_lowercase();
    COLUMNS.iter().find(|(_, names)| names.contains(&&*word)).map(|(column, _)| *column)
}

fn unknown(line: usize, cell: &str) -> String {
    let known: Vec<&str> = COLUMNS.iter().map(|(_, names)| names[names.len() - 1]).collect();
    format!("line {line}: there is no column '{}'; there are {}", cell.trim(), known.join(", "))
}

/// The display name, the name at the tables, the house strategy and the version follow the name.
fn entrant_json(name: &str, more: [Option<&str>; 4]) -> Value {
    let mut entrant = json!({ "name": name });
    for (key, text) in ["display", "plays_as", "bot", "version"].into_iter().zip(more) {
        if let Some(text) = text {
            entrant[key] = text.into();
        }
    }
    entrant
}

/// One who takes part in a tournament that is played here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    pub name: String,
    pub display: Option<String>,
    pub plays_as: Option<String>,
    pub version: Option<String>,
    pub bot: Kind,
}

impl Entrant {
    /// Its name at the tables: the one its protocol knows.
    pub fn table_name(&self) -> &str {
        self.plays_as.as_deref().unwrap_or(&self.name)
    }

    /// The command that plays for it, unless a house bot does.
    pub fn command(&self) -> Option<&str> {
        match &self.bot {
            Kind::Command(command) => Some(command),
            Kind::House(_) | Kind::Running(_) => None,
        }
    }

    /// As the API wants it.
    pub fn json(&self) -> Value {
        let bot = match &self.bot {
            Kind::House(strategy) => Some(strategy.as_str()),
            Kind::Command(_) | Kind::Running(_) => None,
        };
        let Entrant { name, display, plays_as, version, .. } = self;
        entrant_json(name, [display.as_deref(), plays_as.as_deref(), bot, version.as_deref()])
    }
}

/// The bots of a command line, then those of a file. A bot without a name gets one: `bot3`,
/// `greedy4`.
pub fn all(bots: &[String], rows: &[Row], wire: &AnyDialect) -> Result<Vec<Entrant>, Unreadable> {
    let mut entrants: Vec<Entrant> = Vec::new();
    let mut unnamed = Vec::new();
    for text in bots {
        let (name, command) = command::split(text, wire)?;
        let bot = command::parse(command, wire)?;
        let name = name.unwrap_or_default().to_owned();
        if name.is_empty() {
            unnamed.push(entrants.len());
        }
        entrants.push(Entrant { name, display: None, plays_as: None, version: None, bot });
    }
    for row in rows {
        let Some(command) = &row.command else {
            let (line, name) = (row.line, &row.name);
            let why = format!("line {line} of --entrants: '{name}' has no command");
            return Err(Unreadable(why));
        };
        let bot = command::parse(command, wire)?;
        let Row { name, display, plays_as, version, .. } = row.clone();
        entrants.push(Entrant { name, display, plays_as, version, bot });
    }
    for index in unnamed {
        let stem = match &entrants[index].bot {
            Kind::House(strategy) => strategy.clone(),
            Kind::Command(_) | Kind::Running(_) => "bot".to_owned(),
        };
        let is_free = |name: &String| entrants.iter().all(|entrant| entrant.name != *name);
        let names = (index + 1..).map(|number| hall::bot_name(&stem, number as u64));
        entrants[index].name = names.clone().find(is_free).expect("numbers do not end");
    }
    for (index, entrant) in entrants.iter().enumerate() {
        if entrants[..index].iter().any(|other| other.name == entrant.name) {
            return Err(Unreadable(format!("two bots are called '{}'", entrant.name)));
        }
    }
    if wire.signs.given_names {
        give_names(&mut entrants, wire);
    }
    Ok(entrants)
}

/// Where the protocol has fixed names, such as colours, every entrant plays under one of those.
fn give_names(entrants: &mut [Entrant], wire: &AnyDialect) {
    let mut number = 0;
    for index in 0..entrants.len() {
        while entrants[index].plays_as.is_none() {
            let name = (wire.signs.nth_name)(number);
            number += 1;
            if entrants.iter().all(|other| other.plays_as.as_ref() != Some(&name)) {
                entrants[index].plays_as = Some(name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_aliases_and_house_bots() {
        assert_eq!(parse("ann", 1), json!({"name": "ann"}));
        assert_eq!(parse("ann=red", 1), json!({"name": "ann", "plays_as": "red"}));
        assert_eq!(parse("house:random", 3), json!({"name": "random3", "bot": "random"}));
    }

    fn typed(game: &str, bots: &[&str]) -> Result<Vec<Entrant>, String> {
        let bots: Vec<String> = bots.iter().map(|bot| (*bot).to_owned()).collect();
        let wire = games::list().wire(game, None).unwrap();
        all(&bots, &[], &wire).map_err(|error| error.to_string())
    }

    /// A name before the command was taken for a variable of the shell, and standings said
    /// `bot-3` where the tables said `bot3`.
    #[test]
    fn a_bot_is_named_by_the_prefix_of_its_command() {
        let bots =
            ["ann=house:random", "./a --x=1", "env A=b ./c", "house:greedy", "b.2=./b {name}"];
        let entrants = typed("sushi-go", &bots).unwrap();
        let names: Vec<&str> = entrants.iter().map(Entrant::table_name).collect();
        assert_eq!(names, ["ann", "bot2", "bot3", "greedy4", "b.2"]);
        assert_eq!(entrants[0].bot, Kind::House("random".to_owned()));
        assert_eq!(entrants[1].bot, Kind::Command("./a --x=1".to_owned()));
        assert_eq!(entrants[4].bot, Kind::Command("./b {name}".to_owned()));
        assert_eq!(entrants[0].json(), json!({"name": "ann", "bot": "random"}));
    }

    #[test]
    fn a_protocols_own_name_can_be_given_as_well() {
        let entrants = typed("labyrinth", &["ann=./a", "house:euclid"]).unwrap();
        assert_eq!(entrants[0].json(), json!({"name": "ann", "plays_as": "purple"}));
        assert_eq!(entrants[1].name, "euclid2");
        assert_ne!(entrants[1].plays_as, entrants[0].plays_as);
    }

    #[test]
    fn impossible_names_are_refused() {
        let said = typed("sushi-go", &["ann=./a", "ann=./b"]).unwrap_err();
        assert_eq!(said, "two bots are called 'ann'");
        let long = format!("{}=./a", "x".repeat(200));
        let said = typed("gamba", &[&long, "./b"]).unwrap_err();
        assert!(said.contains("no player of gamba can be called 'xxx"), "{said}");
        assert!(said.contains("or write 'env xxx"), "{said}");
        // A name that is taken is not given to another entrant.
        let entrants = typed("sushi-go", &["./a", "bot1=./b"]).unwrap();
        assert_eq!(entrants[0].name, "bot2");
    }

    #[test]
    fn a_file_lists_entrants_with_or_without_a_header() {
        let rows = Row::parse("ann,\"Ann's, the bot\",,house:random\nbob,,red,\"./b \"\"x\"\"\"\n");
        let rows = rows.unwrap();
        assert_eq!(rows[0].display.as_deref(), Some("Ann's, the bot"));
        assert_eq!(rows[1].command.as_deref(), Some("./b \"x\""));
        assert_eq!(rows[1].json(), json!({"name": "bob", "plays_as": "red"}));
        assert_eq!(rows[0].json()["bot"], "random");
        let versioned = Row::parse("ann,,,./a,1.4\nbob,,,./b\n").unwrap();
        assert_eq!(versioned[0].json(), json!({"name": "ann", "version": "1.4"}));
        assert_eq!(versioned[1].version, None);
        let headed = Row::parse("Name,Command,Display Name\r\nann,./a,Ann\r\n\r\nbob,./b\r\n");
        let headed = headed.unwrap();
        assert_eq!(headed[0].display.as_deref(), Some("Ann"));
        assert_eq!((headed[1].line, headed[1].command.as_deref()), (4, Some("./b")));
        for (text, why) in [
            ("name,colour\n", "line 1: there is no column 'colour'; there are name, display name"),
            ("ann\n,x\n", "line 2: the name is missing"),
            ("ann\nann\n", "line 2: line 1 has the name 'ann', too"),
            ("ann,a,b,c,d,e\n", "line 1: 6 columns, at most 5 are allowed"),
            ("ann,\"a\n", "line 1: a double quote is opened and not closed"),
        ] {
            let said = Row::parse(text).unwrap_err();
            assert!(said.starts_with(why), "{text:?}: {said}");
        }
    }
}
