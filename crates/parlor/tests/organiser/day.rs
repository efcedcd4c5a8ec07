//! A day: a server, a tournament, and what must be true of it in the evening.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::entrants::{Habit, Nuisance, Program};

pub struct Day {
    pub game: &'static str,
    pub format: &'static str,
    pub best_of: u32,
}

const ENTRANTS: usize = 30;
const CLOCK_MS: u64 = 300;
const NO_SHOW_S: u64 = 1;
/// How long a player may be gone from a running game.
const WINDOW_MS: u64 = 1000;

/// Never comes; the others do, with their habits.
const ABSENT: &str = "absent";
const BAD: [(&str, Habit); 5] = [
    ("hangs", Habit::Hangs),
    ("crashes", Habit::Crashes),
    ("babbles", Habit::Babbles),
    ("dawdles", Habit::Dawdles),
    ("reconnects", Habit::Reconnects),
];

/// A day that has not ended by then never will.
const PATIENCE: Duration = Duration::from_secs(240);

impl Day {
    pub fn run(&self) {
        let folder = tempfile::tempdir().expect("a folder");
        let server = Server::start(self.game, folder.path());
        let names: Vec<String> = self.names();
        let mut options = json!({ "turn_timeout_ms": CLOCK_MS });
        if let Some((window, unit)) = self.window() {
            options[window] = (WINDOW_MS / unit).into();
        }
        let tournament = server.post(
            "/api/v1/tournaments",
            &json!({
                "game": self.game,
                "id": "day",
                "plan": { "format": self.format, "best_of": self.best_of, "max_entrants": ENTRANTS },
                "entrants": names,
                "open_names": true,
                "no_show_s": NO_SHOW_S,
                "options": options,
            }),
        );
        assert_eq!(tournament["entrants"].as_array().map(Vec::len), Some(ENTRANTS));
        let address = server.address(self.game);
        let _good: Vec<Program> = self.good(&names, address);
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let mut bad = JoinSet::new();
        for (name, habit) in BAD {
            let wire = games::list().wire(self.game, None).expect("a game");
            let (name, clock) = (name.to_owned(), Duration::from_millis(CLOCK_MS));
            let nuisance = Nuisance { habit, wire, address, name, clock };
            bad.spawn_on(nuisance.live(), runtime.handle());
        }
        server.until_present(self.game, ENTRANTS - 1);
        server.post(&format!("/api/v1/tournaments/{}/day/start", self.game), &json!({}));
        let evening = server.until_over(self.game);
        drop(bad);
        Evening { day: self, names, tournament: evening, results: server.results(self.game) }
            .judge();
    }

    /// The option that says how long a player may be gone, and the milliseconds of its unit. In
    /// Sushi Go the clock plays for it meanwhile.
    fn window(&self) -> Option<(&'static str, u64)> {
        match self.game {
            "gamba" => Some(("reconnect_window_s", 1000)),
            "tiger-dragon" => Some(("abandon_after_s", 1000)),
            _ => None,
        }
    }

    fn names(&self) -> Vec<String> {
        let bad = BAD.iter().map(|(name, _)| (*name).to_owned()).chain([ABSENT.to_owned()]);
        let good = (1..).map(|number| format!("good{number}"));
        bad.chain(good).take(ENTRANTS).collect()
    }

    /// The bots that play well: starters first, in both languages.
    fn good(&self, names: &[String], address: SocketAddr) -> Vec<Program> {
        let good = names.iter().filter(|name| name.starts_with("good"));
        let start = |(index, name): (usize, &String)| match index {
            0 | 1 => Program::starter(self.game, "py", address, name),
            2 | 3 => Program::starter(self.game, "mjs", address, name),
            _ => Program::house_bot(self.game, address, name),
        };
        good.enumerate().map(start).collect()
    }
}

/// The program under test.
struct Server {
    child: Child,
    addresses: BTreeMap<String, SocketAddr>,
    token: String,
}

impl Server {
    fn start(game: &str, folder: &std::path::Path) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_parlor"));
        command.arg("serve").arg("--data").arg(folder);
        for name in games::list().ports() {
            let port = if name == game || name == "http" { "0" } else { "off" };
            command.args(["--port", &format!("{name}={port}")]);
        }
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("PARLOR_")) {
            command.env_remove(name);
        }
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the server starts");
        let mut line = String::new();
        let said = BufReader::new(child.stdout.as_mut().expect("piped")).read_line(&mut line);
        said.expect("it says something");
        let ready = line.strip_prefix("ready ").expect("a ready line");
        let addresses = serde_json::from_str(ready).expect("addresses");
        let token = std::fs::read_to_string(folder.join("admin-token")).expect("a token");
        Server { child, addresses, token: token.trim().to_owned() }
    }

    fn address(&self, name: &str) -> SocketAddr {
        self.addresses[name]
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let url = format!("http://{}{path}", self.address("http"));
        let call = ureq::post(&url).config().http_status_as_error(false).build();
        let bearer = format!("Bearer {}", self.token);
        let mut response = call.header("Authorization", bearer).send_json(body).expect("an answer");
        let answer: Value = response.body_mut().read_json().expect("JSON");
        assert!(response.status().is_success(), "{path}: {answer}");
        answer
    }

    fn get(&self, path: &str) -> Value {
        let url = format!("http://{}{path}", self.address("http"));
        let mut response = ureq::get(&url).call().unwrap_or_else(|error| panic!("{url}: {error}"));
        response.body_mut().read_json().expect("JSON")
    }

    /// Looks at the tournament until something is true of it.
    fn until(&self, game: &str, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let tournament = self.get(&format!("/api/v1/tournaments/{game}/day"));
            if holds(&tournament) {
                return tournament;
            }
            assert!(Instant::now() < deadline, "{game}: not {what}: {tournament:#}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn until_present(&self, game: &str, count: usize) {
        self.until(game, "all present", |tournament| {
            let entrants = tournament["entrants"].as_array().into_iter().flatten();
            entrants.filter(|entrant| entrant["present"] == true).count() >= count
        });
    }

    fn until_over(&self, game: &str) -> Value {
        self.until(game, "over", |tournament| tournament["phase"] == "over")
    }

    /// How many turns a game had.
    fn turns(&self, game: &str, id: &str) -> u64 {
        let url = format!("http://{}/api/v1/results/{game}/{id}/replay", self.address("http"));
        let mut response = ureq::get(&url).call().unwrap_or_else(|error| panic!("{url}: {error}"));
        let replay = response.body_mut().read_to_string().expect("text");
        let records = replay.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        let seq = |record: Value| {
            let record = &record["record"];
            let moved = record["moved"]["seq"].as_u64();
            moved.or_else(|| record["expired"]["seq"].as_u64()).map(|seq| seq + 1)
        };
        records.filter_map(seq).max().unwrap_or(0)
    }

    /// Every game that is over, with its turns.
    fn results(&self, game: &str) -> Vec<Value> {
        let mut results = Vec::new();
        let mut after = String::new();
        loop {
            let page = self.get(&format!("/api/v1/results?game={game}&limit=1000{after}"));
            results.extend(page["results"].as_array().into_iter().flatten().cloned());
            match page["next"].as_u64() {
                Some(next) => after = format!("&after={next}"),
                None => break,
            }
        }
        for result in &mut results {
            let turns = self.turns(game, result["id"].as_str().expect("an id"));
            result["turns"] = turns.into();
        }
        results
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Its folder goes with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What is left of a day.
struct Evening<'a> {
    day: &'a Day,
    names: Vec<String>,
    tournament: Value,
    results: Vec<Value>,
}

impl Evening<'_> {
    fn judge(&self) {
        let day = self.day;
        let what = format!("{} {}", day.game, day.format);
        let pairings = self.tournament["pairings"].as_array().expect("a list");
        assert!(pairings.len() >= ENTRANTS - 1, "{what}: {} pairings", pairings.len());
        for pairing in pairings {
            self.is_decided_and_says_how(pairing);
        }
        for result in &self.results {
            self.took_no_longer_than_its_clocks(result);
        }
        if day.format != "knockout" {
            self.the_broken_were_withdrawn();
        }
        self.the_day_took_no_longer_than_its_rounds();
    }

    fn is_decided_and_says_how(&self, pairing: &Value) {
        assert!(pairing["how"].is_string(), "{pairing:#}");
        let names: Vec<&str> = self.seats(&pairing["entrants"]);
        for game in pairing["games"].as_array().expect("a list") {
            let seats = self.seats(&game["seats"]);
            let causes: Vec<&str> = strings(&game["causes"]);
            assert_eq!(seats.len(), causes.len(), "every seat has a cause: {game:#}");
            for (name, cause) in seats.iter().zip(&causes) {
                let fits: &[&str] = match *name {
                    ABSENT => &["never came"],
                    // A bot that hangs for good, or answers an earlier game, misses the start of
                    // its next game.
                    "hangs" => &["timed out", "never came"],
                    "dawdles" => &["timed out", "never came", "finished"],
                    "crashes" => &["lost", "never came"],
                    "babbles" => &["timed out", "lost", "disqualified", "never came"],
                    "reconnects" => &["finished", "timed out", "lost", "never came"],
                    _ => &["finished"],
                };
                // A bot whose opponent has gone may have won before it moved.
                let untouched = *cause == "finished" && causes.iter().any(|c| *c != "finished");
                assert!(fits.contains(cause) || untouched, "{name} {cause}: {game:#}");
                let played = causes.iter().all(|cause| *cause == "finished");
                assert_eq!(game["how"] == "played", played, "{game:#}");
            }
        }
        // A good one never loses to one that is broken.
        let is_broken = |name: &&&str| !name.starts_with("good") && **name != "reconnects";
        let good = names.iter().find(|name| name.starts_with("good"));
        if let (Some(good), Some(broken)) = (good, names.iter().find(is_broken)) {
            let winner = pairing["decision"]["winner"].as_u64().map(|id| self.name(id));
            assert_eq!(winner, Some(*good), "{broken}: {pairing:#}");
        }
    }

    /// From the opening of its table to its end, by the journal's own times.
    fn took_no_longer_than_its_clocks(&self, result: &Value) {
        let turns = result["turns"].as_u64().expect("how many turns it had");
        let bound = longest_ms(turns);
        let took = time(result, "closed_at") - time(result, "opened_at");
        assert!(took <= bound, "{took} ms, and {bound} were allowed: {result:#}");
    }

    fn the_broken_were_withdrawn(&self) {
        for entrant in self.tournament["entrants"].as_array().expect("a list") {
            let name = entrant["name"].as_str().expect("a name");
            let broken = ["hangs", "crashes", "babbles", "dawdles", ABSENT].contains(&name);
            if name != "reconnects" {
                assert_eq!(entrant["withdrawn"], broken, "{entrant}");
            }
        }
    }

    fn the_day_took_no_longer_than_its_rounds(&self) {
        let turns = self.results.iter().filter_map(|result| result["turns"].as_u64()).max();
        let game = longest_ms(turns.expect("games were played"));
        let rounds = self.tournament["round"].as_u64().expect("a number");
        let bound = rounds * u64::from(self.day.best_of) * game;
        let begin = self.results.iter().map(|result| time(result, "opened_at")).min();
        let end = self.results.iter().map(|result| time(result, "closed_at")).max();
        let took = end.expect("games were played") - begin.expect("games were played");
        assert!(took <= bound, "{took} ms for {rounds} rounds, and {bound} were allowed");
    }

    fn seats(&self, ids: &Value) -> Vec<&str> {
        let ids = ids.as_array().into_iter().flatten().filter_map(Value::as_u64);
        ids.map(|id| self.name(id)).collect()
    }

    fn name(&self, id: u64) -> &str {
        &self.names[id as usize]
    }
}

/// How long a game of this many turns may take: each player comes at the last moment, and whenever
/// one is to move it is first away and then silent for as long as allowed.
fn longest_ms(turns: u64) -> u64 {
    NO_SHOW_S * 1000 + (turns + 1) * (CLOCK_MS + WINDOW_MS)
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn time(result: &Value, key: &str) -> u64 {
    result[key].as_u64().expect("a time")
}
