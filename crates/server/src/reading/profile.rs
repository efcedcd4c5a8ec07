//! What finished games say about one player: results by opponent, speed, and problems. Everything
//! is a count, so the counts of two pages of games add up.

use std::collections::BTreeMap;

use hall::Closing;
use serde::Serialize;
use store::Finished;
use utoipa::ToSchema;
use wire::Account;

/// Results of a player, by games' closings alone.
#[derive(Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Record {
    pub games: u32,
    /// In first place alone.
    pub won: u32,
    /// In first place with others.
    pub shared: u32,
    pub lost: u32,
    /// Without a result.
    pub void: u32,
    /// Those of them that were games of tournaments and ladders, and all others: games of open play.
    pub tournament: Tally,
    pub open: Tally,
    /// Those of them that count for the ratings.
    pub rated: Tally,
    /// How games ended for this player, the most frequent first.
    pub causes: Vec<CauseCount>,
    /// Everybody it met, the most frequent first.
    pub opponents: Vec<Opponent>,
}

/// How many games of one kind, and how many of them were won alone, shared and lost. The rest was void.
#[derive(Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Tally {
    pub games: u32,
    pub won: u32,
    pub shared: u32,
    pub lost: u32,
}

impl Tally {
    fn count(&mut self, won: u32, shared: u32, lost: u32) {
        self.won += won;
        self.shared += shared;
        self.lost += lost;
    }
}

/// How games ended for a player: `finished`, `timed out`, `left`, `lost`, `crashed`, `disqualified` or
/// `never came`.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct CauseCount {
    pub cause: &'static str,
    pub games: u32,
}

/// One it met: games in which it was placed higher, equal, or lower.
#[derive(Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Opponent {
    pub name: String,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
}

impl Record {
    pub fn of(name: &str, games: &[Finished]) -> Record {
        let mut record = Record::default();
        let mut causes: BTreeMap<&'static str, u32> = BTreeMap::new();
        let mut opponents: BTreeMap<&str, Opponent> = BTreeMap::new();
        for game in games {
            record.games += 1;
            let mut tallies = match game.is_of_tournament() {
                true => vec![&mut record.tournament],
                false => vec![&mut record.open],
            };
            tallies.extend(game.rated.then_some(&mut record.rated));
            tallies.iter_mut().for_each(|tally| tally.games += 1);
            let seat = game.players.iter().position(|player| player == name);
            let outcome = match serde_json::from_str(game.closing.get()) {
                Ok(Closing::Over(outcome)) => outcome,
                Ok(Closing::Void(_)) | Err(_) => {
                    record.void += 1;
                    continue;
                }
            };
            let Some(own) = seat.and_then(|seat| outcome.standings.get(seat)) else { continue };
            *causes.entry(own.cause()).or_default() += 1;
            let (won, shared) = match (own.place, outcome.winners().len()) {
                (1, 1) => (1, 0),
                (1, _) => (0, 1),
                _ => (0, 0),
            };
            let lost = 1 - won - shared;
            tallies.into_iter().for_each(|tally| tally.count(won, shared, lost));
            record.won += won;
            record.shared += shared;
            record.lost += lost;
            for (other, standing) in game.players.iter().zip(&outcome.standings) {
                if other == name {
                    continue;
                }
                let met = opponents.entry(other).or_default();
                match own.place.cmp(&standing.place) {
                    std::cmp::Ordering::Less => met.won += 1,
                    std::cmp::Ordering::Equal => met.drawn += 1,
                    std::cmp::Ordering::Greater => met.lost += 1,
                }
            }
        }
        let counted = causes.into_iter().map(|(cause, games)| CauseCount { cause, games });
        record.causes = counted.collect();
        record.causes.sort_by_key(|count| std::cmp::Reverse(count.games));
        let named = |(name, met): (&str, Opponent)| Opponent { name: name.to_owned(), ..met };
        record.opponents = opponents.into_iter().map(named).collect();
        record.opponents.sort_by_key(|met| std::cmp::Reverse(met.won + met.drawn + met.lost));
        record
    }
}

/// How a player moves, by games' records.
#[derive(Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Moves {
    /// So many games were read.
    pub games: u32,
    /// Other rules have written these: they cannot be read any more.
    pub unreadable: u32,
    pub moves: u64,
    /// Half of its moves were at least so fast, in milliseconds; null without a move.
    pub half_ms: Option<u64>,
    /// One in a hundred was slower.
    pub hundredth_ms: Option<u64>,
    pub slowest_ms: Option<u64>,
    /// How many moves took how long.
    pub times: Vec<TimeCount>,
    /// The time limit of a move in the latest game; null without one.
    pub clock_ms: Option<u64>,
    /// Turns the clock has played for it.
    pub timeouts: u32,
    /// Moves that were refused.
    pub refused: u32,
    /// What it called itself, the latest first.
    pub versions: Vec<Version>,
}

#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct TimeCount {
    /// Up to so many milliseconds, and more than the one before; null: any longer time.
    pub up_to_ms: Option<u64>,
    pub moves: u64,
}

/// The games in which a program gave one and the same version; null: it gave none.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct Version {
    pub version: Option<String>,
    pub games: u32,
    pub won: u32,
    /// When its first and its last game closed, in milliseconds since 1970.
    pub first_at: u64,
    pub last_at: u64,
}

/// Each a bit more than twice the one before, from below any network's latency to longer than
/// anyone waits.
const TIMES: [u64; 15] =
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000];

impl Moves {
    /// Of games with their accounts, the latest first. None: it cannot be read.
    pub fn of(name: &str, games: &[(Finished, Option<Account>)]) -> Moves {
        let mut moves = Moves::default();
        let mut thoughts: Vec<u64> = Vec::new();
        for (game, account) in games {
            let Some(account) = account else {
                moves.unreadable += 1;
                continue;
            };
            moves.games += 1;
            if moves.games == 1 {
                moves.clock_ms = account.clock_ms;
            }
            // At the tables of a tournament it may have had another name: by its seat.
            let seat = game.players.iter().position(|player| player == name);
            let Some(seat) = seat.and_then(|seat| account.seats.get(seat)) else { continue };
            thoughts.extend(&seat.thoughts_ms);
            moves.timeouts += seat.timeouts;
            moves.refused += seat.refused;
            let won = seat.standing.as_ref().is_some_and(|standing| standing.place == 1);
            moves.count(seat.version.as_deref(), won, game.closed_at);
        }
        thoughts.sort_unstable();
        moves.moves = thoughts.len() as u64;
        moves.half_ms = thoughts.get(thoughts.len() / 2).copied();
        moves.hundredth_ms = thoughts.get(thoughts.len() * 99 / 100).copied();
        moves.slowest_ms = thoughts.last().copied();
        moves.times = counted(&thoughts);
        moves
    }

    fn count(&mut self, version: Option<&str>, won: bool, at: u64) {
        let known = self.versions.iter().position(|known| known.version.as_deref() == version);
        let known = known.unwrap_or_else(|| {
            let version = version.map(str::to_owned);
            self.versions.push(Version { version, games: 0, won: 0, first_at: at, last_at: at });
            self.versions.len() - 1
        });
        let version = &mut self.versions[known];
        version.games += 1;
        version.won += u32::from(won);
        version.first_at = version.first_at.min(at);
        version.last_at = version.last_at.max(at);
    }
}

/// How many of these take how long; they are sorted.
fn counted(thoughts: &[u64]) -> Vec<TimeCount> {
    let mut before = 0;
    let bounds = TIMES.iter().copied().map(Some).chain([None]);
    let counts = bounds.map(|up_to_ms| {
        let end =
            up_to_ms.map_or(thoughts.len(), |most| thoughts.partition_point(|ms| *ms <= most));
        let moves = (end - before) as u64;
        before = end;
        TimeCount { up_to_ms, moves }
    });
    counts.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;
    use wire::SeatAccount;

    use super::*;

    fn game(closed_at: u64, players: &[&str], closing: &str) -> Finished {
        Finished {
            game: "gamba".to_owned(),
            number: closed_at,
            id: format!("g{closed_at}"),
            status: "finished",
            players: players.iter().map(|&name| name.to_owned()).collect(),
            versions: Vec::new(),
            opened_at: 0,
            closed_at,
            rules_version: 1,
            closing: RawValue::from_string(closing.to_owned()).expect("JSON"),
            rated: true,
            tournament: Some("cup".to_owned()),
            place: closed_at,
        }
    }

    fn over(places: &[(u32, &str)]) -> String {
        let standings = places
            .iter()
            .map(|(place, exit)| format!("{{\"points\":0,\"place\":{place},\"exit\":{exit}}}"));
        format!("{{\"over\":[{}]}}", standings.collect::<Vec<_>>().join(","))
    }

    #[test]
    fn a_record_counts_results_causes_and_everybody_met() {
        let games = [
            game(4, &["ann", "bob"], &over(&[(1, "null"), (2, "\"timed-out\"")])),
            game(3, &["bob", "ann", "cy"], &over(&[(1, "null"), (3, "\"left\""), (2, "null")])),
            game(2, &["ann", "bob"], &over(&[(1, "null"), (1, "null")])),
            game(1, &["ann", "bob"], "{\"void\":\"the server\"}"),
        ];
        let record = Record::of("ann", &games);
        assert_eq!(
            (record.games, record.won, record.shared, record.lost, record.void),
            (4, 1, 1, 1, 1)
        );
        let mut games = games;
        // One of open play, and one of a tournament that does not count for the ratings.
        (games[2].rated, games[2].tournament) = (false, None);
        games[1].rated = false;
        // `14 rated games, 61 % won` were 14 of one kind and a share of all.
        let apart = Record::of("ann", &games);
        let tally = |games, won, shared, lost| Tally { games, won, shared, lost };
        assert_eq!((apart.tournament, apart.open), (tally(3, 1, 0, 1), tally(1, 0, 1, 0)));
        assert_eq!(apart.rated, tally(2, 1, 0, 0));
        assert_eq!(record.causes[0], CauseCount { cause: "finished", games: 2 });
        assert_eq!(record.causes[1], CauseCount { cause: "left", games: 1 });
        let opponent =
            |name: &str, won, drawn, lost| Opponent { name: name.into(), won, drawn, lost };
        assert_eq!(record.opponents, [opponent("bob", 1, 1, 1), opponent("cy", 0, 0, 1)]);
    }

    #[test]
    fn moves_are_sorted_by_their_times_and_versions_by_their_latest_game() {
        let account = |thoughts: &[u64], version: Option<&str>| {
            let seat = |name: &str, thoughts_ms: Vec<u64>| SeatAccount {
                name: name.to_owned(),
                standing: None,
                thoughts_ms,
                timeouts: 1,
                refused: 2,
                version: version.map(str::to_owned),
            };
            // Its name at this table is another one.
            let seats = vec![seat("red", thoughts.to_vec()), seat("blue", vec![9_999; 7])];
            Some(Account { seats, void: None, clock_ms: Some(10_000) })
        };
        let game = |at| game(at, &["ann", "bob"], &over(&[(1, "null"), (2, "null")]));
        let games = [
            (game(3), account(&[1, 30, 70_000], Some("2"))),
            (game(2), None),
            (game(1), account(&[2, 31], None)),
        ];
        let moves = Moves::of("ann", &games);
        assert_eq!((moves.games, moves.unreadable, moves.moves), (2, 1, 5));
        assert_eq!((moves.half_ms, moves.slowest_ms), (Some(30), Some(70_000)));
        assert_eq!((moves.timeouts, moves.refused, moves.clock_ms), (2, 4, Some(10_000)));
        let some: Vec<(Option<u64>, u64)> = moves
            .times
            .iter()
            .filter(|time| time.moves > 0)
            .map(|t| (t.up_to_ms, t.moves))
            .collect();
        assert_eq!(some, [(Some(1), 1), (Some(2), 1), (Some(50), 2), (None, 1)]);
        let versions: Vec<_> =
            moves.versions.iter().map(|v| (v.version.as_deref(), v.games)).collect();
        assert_eq!(versions, [(Some("2"), 1), (None, 1)]);
        assert_eq!(Moves::of("ann", &[]).half_ms, None);
    }
}
