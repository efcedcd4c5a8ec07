//! What finished games mean for the ratings.

use std::collections::BTreeMap;

use hall::Closing;
use rules::Exit;
use store::{Archive, Finished, StoreError};
use tournament::Ratings;
use tournament::rating::as_version;
use tournament::seats::SeatTally;

use super::trail::Trail;

/// What is rated: each name, or each version of a name as a separate player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Per {
    Bot,
    Version,
}

/// The places in a rated game. A no-show says nothing about anyone's strength and is left out.
/// `None` if it has no result, or fewer than two players came.
pub fn placing(game: &Finished, per: Per) -> Option<Vec<(String, u32)>> {
    let Ok(Closing::Over(outcome)) = serde_json::from_str(game.closing.get()) else { return None };
    let version = |seat: usize| match per {
        Per::Bot => None,
        Per::Version => game.versions.get(seat)?.as_deref(),
    };
    let rated = |(seat, name): (usize, &String)| as_version(name, version(seat));
    let all = game.players.iter().enumerate().map(rated).zip(&outcome.standings);
    let came = all.filter(|(_, standing)| !matches!(standing.exit, Some(Exit::NeverCame)));
    let placed: Vec<_> = came.map(|(name, standing)| (name, standing.place)).collect();
    (placed.len() > 1).then_some(placed)
}

/// The places of a game that all players finished: a player who left says nothing about the seat.
fn played_out(game: &Finished) -> Option<Vec<u32>> {
    let Ok(Closing::Over(outcome)) = serde_json::from_str(game.closing.get()) else { return None };
    let all_stayed = outcome.standings.iter().all(|standing| standing.exit.is_none());
    all_stayed.then(|| outcome.standings.iter().map(|standing| standing.place).collect())
}

/// Counts one rated game; one without a result counts nothing. Returns the players it counts for.
fn rate(ratings: &mut Ratings, game: &Finished, per: Per) -> Vec<String> {
    let placing = placing(game, per).unwrap_or_default();
    let places: Vec<_> = placing.iter().map(|(name, place)| (name.as_str(), *place)).collect();
    ratings.apply(&places);
    placing.into_iter().map(|(name, _)| name).collect()
}

/// The rated games of the archive after a place, the earliest first.
pub fn each_rated(
    archive: &dyn Archive,
    game: &str,
    mut after: u64,
    mut tell: impl FnMut(&Finished),
) -> Result<(), StoreError> {
    loop {
        let games = archive.rated(game, after, AT_ONCE)?;
        for game in &games {
            tell(game);
            after = game.place;
        }
        if games.len() < AT_ONCE {
            return Ok(());
        }
    }
}

/// The ratings of one game, up to a place in the archive.
#[derive(Debug, Default)]
pub struct Ladder {
    pub ratings: Ratings,
    /// The same with every version as a separate player.
    pub versions: Ratings,
    /// The value of each seat in them.
    pub seats: SeatTally,
    /// How each came to its rating.
    trails: BTreeMap<String, Trail>,
    pub place: u64,
}

/// Number of games read at a time.
const AT_ONCE: usize = 1000;

impl Ladder {
    pub fn trail(&self, name: &str) -> Option<&Trail> {
        self.trails.get(name)
    }

    /// How many are rated higher, by the strength that is almost certain; and one.
    pub fn rank(&self, name: &str) -> Option<usize> {
        let own = self.ratings.get(name)?.certain();
        let above =
            |name: &&String| self.ratings.get(name).is_some_and(|rating| rating.certain() > own);
        Some(1 + self.trails.keys().filter(above).count())
    }

    /// Counts the games that have come since.
    pub fn catch_up(&mut self, game: &str, archive: &dyn Archive) -> Result<(), StoreError> {
        each_rated(archive, game, self.place, |game| {
            let players = rate(&mut self.ratings, game, Per::Bot);
            rate(&mut self.versions, game, Per::Version);
            if let Some(places) = played_out(game) {
                self.seats.add(&places);
            }
            for name in players {
                if let Some(rating) = self.ratings.get(&name) {
                    let trail = self.trails.entry(name).or_default();
                    trail.note(game.closed_at, rating);
                }
            }
            self.place = game.place;
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;

    fn game(players: &[&str], closing: &str) -> Finished {
        Finished {
            game: "gamba".to_owned(),
            number: 1,
            id: "g".to_owned(),
            status: "finished",
            players: players.iter().map(|&name| name.to_owned()).collect(),
            versions: Vec::new(),
            opened_at: 0,
            closed_at: 1,
            rules_version: 1,
            closing: RawValue::from_string(closing.to_owned()).expect("JSON"),
            rated: true,
            tournament: None,
            place: 1,
        }
    }

    /// A team that never connected had a rating, and a place on the page of those who had played.
    #[test]
    fn who_never_came_is_not_rated_and_nobody_is_rated_against_it() {
        let seat =
            |place: u32, exit: &str| format!(r#"{{"points":0,"place":{place},"exit":{exit}}}"#);
        let over = |seats: &[String]| format!(r#"{{"over":[{}]}}"#, seats.join(","));
        let two = over(&[seat(1, "null"), seat(2, r#""never-came""#)]);
        let mut ratings = Ratings::new();
        assert!(rate(&mut ratings, &game(&["ann", "bob"], &two), Per::Bot).is_empty());
        assert_eq!((ratings.get("ann"), ratings.get("bob")), (None, None));
        let three = over(&[seat(1, "null"), seat(3, r#""never-came""#), seat(2, r#""left""#)]);
        let rated = rate(&mut ratings, &game(&["ann", "bob", "cy"], &three), Per::Bot);
        assert_eq!(rated, ["ann", "cy"]);
        assert_eq!((ratings.get("bob"), ratings.get("cy").map(|it| it.games)), (None, Some(1)));
    }
}
