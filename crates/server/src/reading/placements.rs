//! Which places a player had in tournaments that are over, and under which name people know it there.

use serde::{Deserialize, Serialize};
use store::{Archive, Filter, Finished, Kind, StoreError};
use utoipa::ToSchema;

/// How many tournaments of a player are listed, from the latest on.
const LATEST: usize = 20;

/// The place of a player in a tournament that is over.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Placement {
    pub game: String,
    pub tournament: String,
    /// 1 is best.
    pub place: u32,
    /// How many took part.
    pub entrants: usize,
    /// When the tournament ended, in milliseconds since 1970.
    pub closed_at: u64,
    #[serde(skip)]
    pub display: Option<String>,
}

/// The fields read from a tournament.
#[derive(Deserialize)]
struct Told {
    phase: String,
    #[serde(default)]
    entrants: Vec<Entrant>,
    #[serde(default)]
    standings: Vec<Standing>,
}

#[derive(Deserialize)]
struct Entrant {
    name: String,
    display: Option<String>,
}

#[derive(Deserialize)]
struct Standing {
    name: String,
    place: u32,
}

impl Placement {
    /// Those of a player in one game, the latest first.
    pub fn all(
        archive: &dyn Archive,
        game: &str,
        name: &str,
    ) -> Result<Vec<Placement>, StoreError> {
        let filter = Filter {
            kind: Kind::Tournament,
            game: Some(game.to_owned()),
            player: Some(name.to_owned()),
            limit: LATEST,
            ..Filter::default()
        };
        let over = archive.finished(&filter)?;
        Ok(over.iter().filter_map(|tournament| Placement::of(tournament, name)).collect())
    }

    /// None: it was cancelled, or an earlier release wrote it down in another way.
    fn of(tournament: &Finished, name: &str) -> Option<Placement> {
        let told: Told = serde_json::from_str(tournament.closing.get()).ok()?;
        let standing = told.standings.iter().find(|standing| standing.name == name)?;
        let entrant = told.entrants.iter().find(|entrant| entrant.name == name);
        (told.phase == "over").then(|| Placement {
            game: tournament.game.clone(),
            tournament: tournament.id.clone(),
            place: standing.place,
            entrants: told.entrants.len(),
            closed_at: tournament.closed_at,
            display: entrant.and_then(|entrant| entrant.display.clone()),
        })
    }
}
