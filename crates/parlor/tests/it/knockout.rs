//! A knockout under `kill -9`: sixteen clients who know nothing but the wire document play it to
//! its end, and the bracket is what the journal prescribes.

use std::path::Path;
use std::process::Command;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use games::sushi_go::SushiGo;
use hall::{Closing, TableRecord, TournamentRecord, TournamentState};
use rules::any::AnyRules;
use serde_json::{Value, json};
use store::sqlite::SqliteArchive;
use store::{Archive, Filter, Kind, StoredRecord};

use crate::kit::{BINARY, Chance, Heard, Line, PATIENCE, Running, Server, serve, with_a_seed};
use crate::players::Signpost;

const ENTRANTS: usize = 16;
const KILLS: usize = 24;

#[test]
fn a_knockout_survives_kills() {
    with_a_seed(crash);
}

fn crash(seed: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut chance = Chance(seed);
    let signpost = Arc::new(Signpost::default());
    let mut server = Server::start(folder.path());
    signpost.point_to(server.sushi_go());
    let id = convene(&server);
    let (done, ends) = mpsc::channel();
    for number in 0..ENTRANTS {
        let (entrant, line) = Entrant::enrol(number, seed, &id, &signpost);
        let done = done.clone();
        std::thread::spawn(move || {
            // The test has failed, and no one receives any more.
            let _ = done.send(entrant.play(line));
        });
    }
    drop(done);
    let mut winners: Vec<String> = Vec::new();
    let mut kills = 0;
    while winners.is_empty() && kills < KILLS {
        std::thread::sleep(Duration::from_millis(40 + chance.below(160)));
        server.kill();
        kills += 1;
        if chance.below(4) == 0 {
            // Again, in the middle of starting.
            let process = Running::spawn(Command::new(BINARY).args(serve(folder.path())), "");
            std::thread::sleep(Duration::from_millis(chance.below(60)));
            drop(process);
        }
        server = Server::start(folder.path());
        signpost.point_to(server.sushi_go());
        winners.extend(ends.try_iter());
    }
    assert!(kills > 3, "it was over after {kills} kills");
    let deadline = Instant::now() + PATIENCE;
    while winners.len() < ENTRANTS {
        let left = deadline.saturating_duration_since(Instant::now());
        winners.push(ends.recv_timeout(left).expect("every entrant hears the end"));
    }
    let shown = server.get_json(&format!("/api/v1/tournaments/sushi-go/{id}"));
    assert_eq!(shown["phase"], "over", "{shown}");
    for winner in &winners {
        assert_eq!(shown["winner"], json!(winner), "{winners:?}");
    }
    let ended = server.terminate();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    check_bracket(folder.path(), &id, &shown);
}

fn convene(server: &Server) -> String {
    let url = format!("http://{}/api/tournaments", server.addresses["http"]);
    let body = json!({ "max_players": ENTRANTS, "match_size": 2 });
    let mut created = ureq::post(&url).send_json(body).expect("a tournament");
    let created: Value = created.body_mut().read_json().expect("JSON");
    created["id"].as_str().expect("an id").to_owned()
}

/// The bracket that was shown is the fold of the notes, and what it says of each game is what the
/// archive has of it.
fn check_bracket(folder: &Path, id: &str, shown: &Value) {
    let archive = SqliteArchive::open(folder).expect("the archive");
    let notes = archive.replay(Kind::Tournament, "sushi-go", id);
    let notes = notes.expect("reads").expect("a tournament that is over");
    let notes: Vec<TournamentRecord> = read(&notes.lines);
    let state = TournamentState::fold(&notes).expect("begins with its plan");
    let entrants = state.tournament.entrants();
    let winner = state.tournament.winner().map(|winner| &entrants[winner.index()].name);
    assert_eq!(shown["winner"], json!(winner));
    let pairings = state.tournament.pairings();
    assert_eq!(pairings.len(), ENTRANTS - 1);
    for (pairing, shown) in pairings.iter().zip(shown["pairings"].as_array().expect("a list")) {
        let Value::Object(prescribed) = json!(pairing) else { panic!("a map") };
        for (key, value) in prescribed.into_iter().filter(|(key, _)| key != "games") {
            assert_eq!(shown[&key], value, "{key} of pairing {}", pairing.id);
        }
        let games = shown["games"].as_array().expect("a list");
        assert_eq!(games.len(), pairing.games.len());
        for (game, shown) in pairing.games.iter().zip(games) {
            let seen = (&shown["attempt"], &shown["seats"], &shown["outcome"], &shown["how"]);
            let (attempt, seats) = (json!(game.attempt), json!(game.seats));
            let (outcome, how) = (json!(game.outcome), json!(game.how()));
            assert_eq!(seen, (&attempt, &seats, &outcome, &how), "pairing {}", pairing.id);
        }
    }
    let standings = json!(state.tournament.standings());
    for (standing, shown) in standings
        .as_array()
        .expect("a list")
        .iter()
        .zip(shown["standings"].as_array().expect("a list"))
    {
        assert_eq!(
            (&standing["entrant"], &standing["place"]),
            (&shown["entrant"], &shown["place"])
        );
    }
    let mut played = 0;
    let filter = Filter { game: Some("sushi-go".to_owned()), limit: 1000, ..Filter::default() };
    for game in archive.finished(&filter).expect("reads") {
        let replay = archive.replay(Kind::Table, "sushi-go", &game.id);
        let replay = replay.expect("reads").expect("just listed");
        let records: Vec<TableRecord> = read(&replay.lines);
        hall::replay(&records, |_, _| {}).unwrap_or_else(|why| panic!("{}: {why}", game.id));
        let Some(TableRecord::Opened(opened)) = records.first() else {
            panic!("a table is opened")
        };
        let game_ref = opened.game_ref.as_ref().expect("nobody plays anything else");
        let pairing = &pairings[game_ref.pairing as usize];
        let told = &pairing.games[game_ref.attempt as usize - 1];
        let closing = serde_json::from_str(game.closing.get()).expect("a closing");
        let Closing::Over(outcome) = closing else {
            assert_eq!(told.outcome, None, "{}", game.id);
            continue;
        };
        assert_eq!(told.outcome.as_ref(), Some(&outcome), "{}", game.id);
        played += 1;
        let names: Vec<_> = told.seats.iter().map(|id| &entrants[id.index()].name).collect();
        assert_eq!(names, game.players.iter().collect::<Vec<_>>(), "{}", game.id);
        // A draw is played again, or decided by lot; anything else decides.
        let first: Vec<_> = outcome.winners().iter().map(|seat| told.seats[seat.index()]).collect();
        let decision = pairing.decision.as_ref().expect("it is over");
        if let [first] = first[..] {
            assert_eq!(decision.winner, Some(first), "{}", game.id);
        }
    }
    assert!(played >= ENTRANTS - 1, "{played} games for {} pairings", ENTRANTS - 1);
}

fn read<T: serde::de::DeserializeOwned>(lines: &[StoredRecord]) -> Vec<T> {
    let read = |line: &StoredRecord| serde_json::from_str(&line.record).expect("reads back");
    <dyn AnyRules>::of::<SushiGo>().reading(|| lines.iter().map(read).collect())
}

/// One entrant, over as many connections as it takes.
struct Entrant {
    tournament: String,
    name: String,
    /// The tokens for returning to the tournament and to the game.
    token: String,
    seat_token: Option<String>,
    /// Some clients LEAVE after each match, and receive nothing until the reply.
    leaves: bool,
    chance: Chance,
    signpost: Arc<Signpost>,
}

/// The connection is gone.
struct Lost;

impl Entrant {
    fn enrol(number: usize, seed: u64, id: &str, signpost: &Arc<Signpost>) -> (Entrant, Line) {
        let name = format!("entrant-{number}");
        let mut line = signpost.connect();
        let welcome = line.ask(&format!("TOURNEY {id} {name}"), &["TOURNAMENT_WELCOME"]);
        let words: Vec<&str> = welcome.split(' ').collect();
        let count = format!("{}/{ENTRANTS}", number + 1);
        assert_eq!(words[..3], ["TOURNAMENT_WELCOME", id, &count], "{welcome}");
        let entrant = Entrant {
            tournament: id.to_owned(),
            name,
            token: words[3].to_owned(),
            seat_token: None,
            leaves: number.is_multiple_of(2),
            chance: Chance(seed ^ (number as u64 + 1) << 32),
            signpost: signpost.clone(),
        };
        (entrant, line)
    }

    /// Plays until the end; who has won.
    fn play(mut self, mut line: Line) -> String {
        let mut followed = self.follow(&mut line);
        loop {
            if let Ok(winner) = followed {
                return winner;
            }
            line = self.signpost.connect();
            followed = self.come_back(&mut line).and_then(|()| self.follow(&mut line));
        }
    }

    /// By the token of its seat or, if that fails, by that of its place.
    fn come_back(&mut self, line: &mut Line) -> Result<(), Lost> {
        if let Some(token) = self.seat_token.take_if(|_| self.chance.below(2) == 0) {
            say(line, &format!("REJOIN {token}"))?;
            let reply = self.hear(line)?;
            if !reply.starts_with("ERROR") {
                let known = ["REJOINED ", "TOURNAMENT_REJOINED "];
                assert!(known.iter().any(|word| reply.starts_with(word)), "{reply}");
                if reply.starts_with("REJOINED") {
                    self.seat_token = Some(token);
                }
                return Ok(());
            }
            // Its game has ended while it was away.
            assert!(reply.starts_with("ERROR E005") || reply.starts_with("ERROR E004"), "{reply}");
        }
        say(line, &format!("REJOIN {}", self.token))?;
        let reply = self.hear(line)?;
        assert_eq!(reply, format!("TOURNAMENT_REJOINED {} {}", self.tournament, self.name));
        Ok(())
    }

    fn follow(&mut self, line: &mut Line) -> Result<String, Lost> {
        loop {
            let text = self.hear(line)?;
            let words: Vec<&str> = text.split(' ').collect();
            match words[..] {
                ["TOURNAMENT_MATCH", _, "BYE", _] => {}
                ["TOURNAMENT_MATCH", tournament, token, _, _] => {
                    assert_eq!(tournament, self.tournament);
                    say(line, &format!("TJOIN {token}"))?;
                }
                ["WELCOME", _, _, token] => {
                    self.seat_token = Some(token.to_owned());
                    say(line, "READY")?;
                }
                ["HAND", ..] => {
                    let cards = text.matches(':').count() as u64;
                    // So that a match lasts long enough to be interrupted.
                    std::thread::sleep(Duration::from_millis(self.chance.below(16)));
                    say(line, &format!("PLAY {}", self.chance.below(cards)))?;
                }
                ["GAME_END", ..] => {
                    self.seat_token = None;
                    if self.leaves {
                        say(line, "LEAVE")?;
                        while !matches!(self.hear(line)?.split(' ').next(), Some("OK" | "ERROR")) {}
                    }
                }
                ["TOURNAMENT_COMPLETE", tournament, winner] => {
                    assert_eq!(tournament, self.tournament);
                    return Ok(winner.to_owned());
                }
                ["ERROR", code, ..] => {
                    // The match that was called is over, or the move was in before the crash.
                    let known = ["E001", "E003", "E004", "E005", "E008"];
                    assert!(known.contains(&code), "{}: {text}", self.name);
                }
                _ => {}
            }
        }
    }

    fn hear(&mut self, line: &mut Line) -> Result<String, Lost> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            match line.hear() {
                Heard::Line(text) => return Ok(text),
                Heard::Silence => {}
                Heard::Gone => return Err(Lost),
            }
        }
        panic!("{} hears nothing any more", self.name);
    }
}

fn say(line: &mut Line, text: &str) -> Result<(), Lost> {
    if line.say(text) { Ok(()) } else { Err(Lost) }
}
