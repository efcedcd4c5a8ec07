//! Tournaments with clients that behave as the bots in use do, in virtual time.

use hall::Time;
use rules::Seed;
use trials::rehearsal::Rehearsal;

use super::{Options, SushiGo};

/// How a bot goes about its tournament.
#[derive(Clone, Copy)]
struct Manners {
    dialect: &'static str,
    /// It LEAVEs after each game, and discards everything up to the reply.
    leaves: bool,
    thinks_ms: u64,
    /// It ends in its first game, after this number of moves, and its socket with it.
    crashes_after: Option<usize>,
}

const KIT: Manners =
    Manners { dialect: "sushi-go-sdk", leaves: false, thinks_ms: 0, crashes_after: None };
const DOCUMENT: Manners = Manners { dialect: "sushi-go", leaves: true, ..KIT };

/// The kit's sockets give up after this long without a line, in a tournament and in a game.
const PATIENCE_MS: [u64; 2] = [60_000, 30_000];

struct Bot {
    name: String,
    manners: Manners,
    /// How many of the lines it was sent it has read.
    read: usize,
    last_line: Time,
    in_game: bool,
    leaving: bool,
    moves: usize,
    /// What it says next, and when.
    intends: Option<(Time, String)>,
    /// How it ended.
    end: Option<String>,
}

impl Bot {
    fn new(name: &str, manners: Manners, rehearsal: &mut Rehearsal<SushiGo>) -> Bot {
        rehearsal.perform(&format!("connect {name} {}", manners.dialect)).unwrap();
        rehearsal.perform(&format!("{name}> TOURNEY cup {name}")).unwrap();
        Bot {
            name: name.to_owned(),
            manners,
            read: 0,
            last_line: rehearsal.stage.now,
            in_game: false,
            leaving: false,
            moves: 0,
            intends: None,
            end: None,
        }
    }

    /// Reads what has come, and says what it has to say by now. False: it has nothing to do.
    fn step(&mut self, rehearsal: &mut Rehearsal<SushiGo>) -> bool {
        if self.end.is_some() {
            return false;
        }
        let now = rehearsal.stage.now;
        if let Some(line) = rehearsal.received(&self.name).get(self.read).cloned() {
            self.read += 1;
            self.last_line = now;
            self.hear(now, &line);
            return true;
        }
        if let Some((_, text)) = self.intends.take_if(|(time, _)| *time <= now) {
            if text == "PLAY 0" && self.manners.crashes_after == Some(self.moves) {
                self.end = Some("crashed".to_owned());
                rehearsal.perform(&format!("drop {}", self.name)).unwrap();
                return true;
            }
            self.moves += usize::from(text == "PLAY 0");
            rehearsal.perform(&format!("{}> {text}", self.name)).unwrap();
            return true;
        }
        if self.last_line + PATIENCE_MS[usize::from(self.in_game)] <= now {
            self.end = Some(format!("gave up: no line since {}", self.last_line.0));
        }
        false
    }

    fn hear(&mut self, now: Time, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        if self.leaving {
            self.leaving = !matches!(words[0], "OK" | "ERROR");
            return;
        }
        match words[0] {
            "ERROR" => self.end = Some(format!("died of {line}")),
            "TOURNAMENT_COMPLETE" if !self.in_game => self.end = Some(line.to_owned()),
            // The document's clients know a bye; the kit's take any match for one to join.
            "TOURNAMENT_MATCH" if !self.in_game && words[2] == "BYE" && self.manners.leaves => {}
            "TOURNAMENT_MATCH" if !self.in_game => {
                self.intends = Some((now, format!("TJOIN {}", words[2])));
            }
            "WELCOME" => self.in_game = true,
            "HAND" => self.intends = Some((now + self.manners.thinks_ms, "PLAY 0".to_owned())),
            "GAME_END" => {
                self.in_game = false;
                if self.manners.leaves {
                    self.leaving = true;
                    self.intends = Some((now, "LEAVE".to_owned()));
                }
            }
            "TOURNAMENT_WELCOME" | "TOURNAMENT_JOINED" => {}
            _ if self.in_game => {}
            _ => self.end = Some(format!("died of an unknown {line}")),
        }
    }
}

/// Plays a tournament to its end, and gives how each bot ended and how long it took.
fn play(manners: &[Manners]) -> (Vec<String>, u64) {
    let mut rehearsal =
        Rehearsal::<SushiGo>::new(Options::default(), Seed::from_number(5)).unwrap();
    rehearsal.perform(&format!("tournament cup max_entrants={}", manners.len())).unwrap();
    let start = rehearsal.stage.now;
    let bots = manners.iter().enumerate();
    let mut bots: Vec<Bot> =
        bots.map(|(n, manners)| Bot::new(&format!("bot{n}"), *manners, &mut rehearsal)).collect();
    while bots.iter().any(|bot| bot.end.is_none()) {
        let mut busy = false;
        for bot in &mut bots {
            while bot.step(&mut rehearsal) {
                busy = true;
            }
        }
        if !busy {
            rehearsal.perform("wait 500").unwrap();
        }
    }
    let ends = bots.into_iter().map(|bot| bot.end.unwrap_or_default()).collect();
    (ends, rehearsal.stage.now.0 - start.0)
}

fn all_hear_the_end(ends: &[String]) {
    assert!(ends.iter().all(|end| end.starts_with("TOURNAMENT_COMPLETE cup bot")), "{ends:#?}");
}

/// A bye line made the later kit answer `TJOIN BYE` and die of the error: with three or five
/// entrants one always has a bye.
#[test]
fn three_and_five_bots_of_the_later_kit_reach_the_end() {
    for entrants in [2, 3, 4, 5, 7] {
        all_hear_the_end(&play(&vec![KIT; entrants]).0);
    }
}

#[test]
fn bots_of_both_kits_together_reach_the_end() {
    for entrants in [3, 5, 6] {
        let manners: Vec<Manners> = (0..entrants).map(|n| [KIT, DOCUMENT][n % 2]).collect();
        all_hear_the_end(&play(&manners).0);
    }
}

/// A player with a bye, or waiting for a slow match of others, received nothing for minutes, and
/// the later kit's bots give up after one.
#[test]
fn a_player_waiting_for_a_long_match_receives_a_line_every_minute() {
    for entrants in [3, 5] {
        let (ends, took) = play(&vec![Manners { thinks_ms: 9_000, ..KIT }; entrants]);
        all_hear_the_end(&ends);
        assert!(took > 4 * 60_000, "the matches were long: {took} ms");
    }
}

/// One crashed bot stopped its round for six minutes, and the waiting bots gave up.
#[test]
fn a_crashed_bot_does_not_end_the_tournament_for_others() {
    let crashing = Manners { crashes_after: Some(3), ..KIT };
    for (entrants, crashed) in [(3, 0), (3, 1), (3, 2), (5, 0), (5, 4)] {
        let mut manners = vec![KIT; entrants];
        manners[crashed] = crashing;
        let (mut ends, _) = play(&manners);
        assert_eq!(ends.remove(crashed), "crashed");
        all_hear_the_end(&ends);
    }
}

fn rehearsal() -> Rehearsal<SushiGo> {
    Rehearsal::new(Options::default(), Seed::from_number(7)).unwrap()
}

fn perform(rehearsal: &mut Rehearsal<SushiGo>, lines: &[&str]) {
    lines.iter().for_each(|line| rehearsal.perform(line).unwrap());
}

fn last<'a>(rehearsal: &'a Rehearsal<SushiGo>, name: &str) -> &'a str {
    rehearsal.received(name).last().map_or("", String::as_str)
}

/// `tournament run` starts its bots under the name they play by, which TOURNEY did not know.
#[test]
fn tourney_lists_entrants_by_the_name_they_play_under() {
    let mut rehearsal = rehearsal();
    perform(
        &mut rehearsal,
        &[
            "tournament cup max_entrants=2 entrants=bot-1=bot1,bot-2=bot2",
            "one> TOURNEY cup bot1",
            "two> TOURNEY cup bot-2",
        ],
    );
    for (name, opponent) in [("one", "bot2"), ("two", "bot1")] {
        let line = last(&rehearsal, name);
        assert!(line.starts_with("TOURNAMENT_MATCH cup "), "{line}");
        assert!(line.ends_with(opponent), "{line}");
    }
    perform(
        &mut rehearsal,
        &[
            "one> TJOIN ${one TOURNAMENT_MATCH 2}",
            "two> TJOIN ${two TOURNAMENT_MATCH 2}",
            "wait 200",
            "two> LEAVE",
        ],
    );
    assert_eq!(last(&rehearsal, "one"), r#"GAME_END {"bot1":0,"bot2":0} ["bot1"]"#);
    assert_eq!(last(&rehearsal, "two"), "TOURNAMENT_COMPLETE cup bot1");
}

/// A JOIN with the tournament's id, or with any other that is no open table, was E005.
#[test]
fn join_with_any_id_seats_an_entrant_at_its_game() {
    for id in ["cup", "nowhere", "over", "full"] {
        let mut rehearsal = rehearsal();
        perform(
            &mut rehearsal,
            &[
                "table over",
                "close over",
                "table full for=x,y",
                "tournament cup max_entrants=3 entrants=ann,bob starts_when_full=false",
                &format!("ann> JOIN {id} ann"),
                "order cup start",
                &format!("bob> JOIN {id} bob"),
            ],
        );
        for name in ["ann", "bob"] {
            let welcomed = rehearsal.received(name).iter().any(|line| line.starts_with("WELCOME "));
            assert!(welcomed, "JOIN {id} {name}: {:?}", rehearsal.received(name));
        }
        perform(&mut rehearsal, &[&format!("eve> JOIN {id} eve")]);
        assert!(last(&rehearsal, "eve").starts_with("ERROR "), "{}", last(&rehearsal, "eve"));
    }
}

/// Bots take the line after their JOIN for its reply, whatever it says. So a player who waits for
/// its match by a plain JOIN can be sent nothing: neither who joins meanwhile nor that time passes.
#[test]
fn a_player_waiting_by_join_receives_its_welcome_first() {
    for dialect in ["sushi-go", "sushi-go-sdk"] {
        let mut rehearsal = rehearsal();
        let lines = [
            "tournament cup max_entrants=3 entrants=ann,bob starts_when_full=false",
            &format!("connect ann {dialect}"),
            "ann> JOIN cup ann",
            "wait 90000",
            "eve> TOURNEY cup eve",
            "bob> TOURNEY cup bob",
            "wait 90000",
        ];
        perform(&mut rehearsal, &lines);
        assert!(last(&rehearsal, "eve").starts_with("TOURNAMENT_"), "others come in the meantime");
        assert_eq!(rehearsal.received("ann"), [""; 0], "{dialect}");
        perform(&mut rehearsal, &["order cup start", "wait 90000"]);
        let first =
            rehearsal.received("ann").first().expect("it has a match, or a bye and then one");
        assert!(first.starts_with("WELCOME "), "{dialect}: {first}");
    }
}

/// A player sits down as asked at a table that another has opened and that admits it.
#[test]
fn an_entrant_may_still_play_elsewhere() {
    let mut rehearsal = rehearsal();
    perform(
        &mut rehearsal,
        &[
            "table duel",
            "tournament cup max_entrants=2 entrants=ann,bob starts_when_full=false",
            "ann> JOIN duel ann",
        ],
    );
    assert!(last(&rehearsal, "ann").starts_with("WELCOME duel 0 "), "{}", last(&rehearsal, "ann"));
}

/// The token of a match, used after the tournament, was answered with a bare E004: its bot waits
/// for the TOURNAMENT_COMPLETE that was said while it was away.
#[test]
fn a_match_token_used_after_the_tournament_reports_its_end() {
    let mut rehearsal = rehearsal();
    perform(
        &mut rehearsal,
        &[
            "tournament cup max_entrants=2",
            "ann> TOURNEY cup ann",
            "bob> TOURNEY cup bob",
            "ann> TJOIN ${ann TOURNAMENT_MATCH 2}",
            "bob> TJOIN ${bob TOURNAMENT_MATCH 2}",
            "wait 200",
            "drop ann",
            "bob> LEAVE",
        ],
    );
    for token in ["TJOIN ${ann TOURNAMENT_MATCH 2}", "REJOIN ${ann WELCOME 3}"] {
        perform(&mut rehearsal, &["connect ann", &format!("ann> {token}")]);
        let heard = rehearsal.received("ann");
        let [.., refused, complete] = heard else { panic!("{heard:?}") };
        assert!(refused.starts_with("ERROR E004 "), "{refused}");
        assert_eq!(complete, "TOURNAMENT_COMPLETE cup ann");
    }
}

/// TOURNEY under one's own name after the start answered E010, as if another player had the name.
#[test]
fn tourney_after_the_start_points_to_rejoin() {
    let mut rehearsal = rehearsal();
    perform(
        &mut rehearsal,
        &[
            "tournament cup max_entrants=2",
            "ann> TOURNEY cup ann",
            "bob> TOURNEY cup bob",
            "drop ann",
            "connect ann",
            "ann> TOURNEY cup ann",
        ],
    );
    let line = last(&rehearsal, "ann");
    assert!(line.starts_with("ERROR E003 ") && line.contains("REJOIN"), "{line}");
}

/// LEAVE before the start was E005, and its entrant stayed in.
#[test]
fn leave_before_the_start_withdraws() {
    let mut rehearsal = rehearsal();
    perform(
        &mut rehearsal,
        &[
            "tournament cup max_entrants=2",
            "ann> TOURNEY cup ann",
            "ann> LEAVE",
            "bob> TOURNEY cup bob",
        ],
    );
    assert_eq!(last(&rehearsal, "ann"), "OK");
    assert!(last(&rehearsal, "bob").starts_with("TOURNAMENT_WELCOME cup 1/2 "));
    perform(&mut rehearsal, &["ann> LEAVE"]);
    assert!(last(&rehearsal, "ann").starts_with("ERROR E005 "), "{}", last(&rehearsal, "ann"));
    // Back again, under the same name.
    perform(&mut rehearsal, &["ann> TOURNEY cup ann"]);
    assert!(
        last(&rehearsal, "ann").starts_with("TOURNAMENT_MATCH cup "),
        "{}",
        last(&rehearsal, "ann")
    );
    // From then on LEAVE is about games: who is in none stays in.
    perform(&mut rehearsal, &["bob> LEAVE"]);
    assert!(last(&rehearsal, "bob").starts_with("ERROR E005 "), "{}", last(&rehearsal, "bob"));
}
