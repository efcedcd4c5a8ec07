//! Tournaments as tables for spreadsheets. Of a tournament's text only what the table needs is read,
//! on a thread that nobody else waits for.

use std::collections::{BTreeMap, BTreeSet};

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use store::{Archive, Filter, StoreError};
use tournament::Rating;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::super::long_answer::unread;
use super::super::results::{ROWS_PER_REQUEST, in_turn};
use super::super::{ApiError, AppState, Bill, ErrorBody, Path, send_long};
use super::{BYTES_PER_REQUEST, find};
use crate::house::clock;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(standings_csv)).routes(routes!(pairings_csv))
}

/// The standings as CSV.
#[utoipa::path(get, path = "/api/v1/tournaments/{game}/{id}/standings.csv",
    params(("game" = String, Path), ("id" = String, Path)),
    responses((status = OK, body = String, content_type = "text/csv"),
        (status = NOT_FOUND, body = ErrorBody)))]
async fn standings_csv(
    State(app): State<AppState>,
    Extension(bill): Extension<Bill>,
    Path((game, id)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let (ladders, name) = (app.ladders.clone(), app.hosted(&game)?.name());
    make(&app, bill, (&game, &id), move |archive, tournament: Standings| {
        ladders.ask(name, archive, |ladder| {
            let rating = |name: &str| ladder.ratings.get(name);
            standings(&tournament, rating)
        })
    })
    .await
}

/// Every game of every pairing as CSV.
#[utoipa::path(get, path = "/api/v1/tournaments/{game}/{id}/results.csv",
    params(("game" = String, Path), ("id" = String, Path)),
    responses((status = OK, body = String, content_type = "text/csv"),
        (status = NOT_FOUND, body = ErrorBody)))]
async fn pairings_csv(
    State(app): State<AppState>,
    Extension(bill): Extension<Bill>,
    Path((game, id)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let (name, charged) = (app.hosted(&game)?.name(), bill.clone());
    make(&app, bill, (&game, &id), move |archive, tournament: Pairings| {
        let (times, pages) = times(archive, name, &tournament)?;
        charged.charge(pages * PAGE as u64 / ROWS_PER_REQUEST);
        Ok(results(tournament, &times))
    })
    .await
}

/// Sends the table that `table` makes of what `T` has of a tournament. Reading and making it take long,
/// so both wait for their turn.
async fn make<T: DeserializeOwned + 'static>(
    app: &AppState,
    bill: Bill,
    (game, id): (&str, &str),
    table: impl FnOnce(&dyn Archive, T) -> Result<String, StoreError> + Send + 'static,
) -> Result<Response, ApiError> {
    let text = find(app, &bill, game, id).await?.json;
    bill.charge((text.len() / BYTES_PER_REQUEST) as u64);
    let made = in_turn(app, &bill, move |archive, _| {
        let read = serde_json::from_str(&text);
        let read = read.map_err(|error| ApiError::internal(error.into()))?;
        table(archive, read).map_err(|error| unread(&error))
    });
    Ok(send_long(app, bill.clone(), "text/csv; charset=utf-8", made.await?.into()).await)
}

/// When the tables of a tournament were opened and closed, by their ids.
type Times = BTreeMap<String, (u64, u64)>;

/// The archive is asked for this many games at once.
const PAGE: usize = 1000;

/// The times, and how many pages of the archive were read for them. The archive lists games by when they
/// closed, so this reads no further back than the tournament's own beginning, and stops when it has
/// them all.
fn times(
    archive: &dyn Archive,
    game: &str,
    tournament: &Pairings,
) -> Result<(Times, u64), StoreError> {
    let mut wanted: BTreeSet<&str> = tournament.tables().collect();
    let (mut times, mut pages) = (Times::new(), 0);
    let mut filter = Filter {
        game: Some(game.to_owned()),
        tournament: Some(true),
        since: Some(tournament.convened_at),
        limit: PAGE,
        ..Filter::default()
    };
    while !wanted.is_empty() {
        let games = archive.finished(&filter)?;
        pages += 1;
        let Some(last) = games.last() else { break };
        filter.after = Some(last.place);
        for game in games {
            if wanted.remove(game.id.as_str()) {
                times.insert(game.id, (game.opened_at, game.closed_at));
            }
        }
    }
    Ok((times, pages))
}

/// What the standings need of a tournament.
#[derive(Deserialize)]
struct Standings {
    #[serde(default)]
    standings: Vec<Value>,
    #[serde(default)]
    entrants: Vec<Value>,
}

fn standings(tournament: &Standings, rating: impl Fn(&str) -> Option<Rating>) -> String {
    let Standings { standings, entrants } = tournament;
    let columns = ["place", "name", "points", "played", "won", "drawn", "lost", "byes"];
    let more = ["display", "withdrawn"];
    let breaks = ["direct", "games_won", "buchholz", "sonneborn_berger", "wins"];
    let row = |standing: &Value| {
        let number = standing["entrant"].as_u64().and_then(|number| usize::try_from(number).ok());
        let entrant = number.and_then(|number| entrants.get(number)).unwrap_or(&Value::Null);
        let own = columns.iter().map(|column| field(&standing[*column]));
        let more = more.iter().map(|column| field(&entrant[*column]));
        let breaks = breaks.iter().map(|column| field(&standing["tie_breaks"][*column]));
        let rating = rating(&field(&standing["name"]));
        let rating = [rating.as_ref().map(|it| it.mean), rating.as_ref().map(|it| it.uncertainty)];
        let rating = rating.map(|it| it.map_or(String::new(), |it| format!("{it:.1}")));
        own.chain(more).chain(breaks).chain(rating).collect()
    };
    let rating = ["rating", "rating_uncertainty"];
    csv(&[&columns[..], &more, &breaks, &rating].concat(), standings.iter().map(row))
}

/// What the results need of a tournament.
#[derive(Deserialize)]
struct Pairings {
    #[serde(default)]
    entrants: Vec<Named>,
    #[serde(default)]
    pairings: Vec<Pairing>,
    #[serde(default)]
    convened_at: u64,
}

impl Pairings {
    /// The ids of the tables on which its games were played.
    fn tables(&self) -> impl Iterator<Item = &str> {
        let games = self.pairings.iter().flat_map(|pairing| &pairing.games);
        games.filter_map(|game| game.table.as_str())
    }
}

#[derive(Deserialize)]
struct Named {
    name: String,
    #[serde(default)]
    display: Value,
}

#[derive(Deserialize)]
struct Pairing {
    #[serde(default)]
    round: Value,
    #[serde(default)]
    id: Value,
    #[serde(default)]
    decision: Value,
    #[serde(default)]
    entrants: Vec<usize>,
    #[serde(default)]
    games: Vec<Played>,
}

#[derive(Deserialize)]
struct Played {
    #[serde(default)]
    attempt: Value,
    #[serde(default)]
    seats: Vec<usize>,
    #[serde(default)]
    outcome: Value,
    #[serde(default)]
    how: Value,
    #[serde(default)]
    causes: Value,
    #[serde(default)]
    table: Value,
}

fn results(tournament: Pairings, times: &Times) -> String {
    let Pairings { entrants, pairings, .. } = tournament;
    let name = |number: usize| {
        entrants.get(number).map_or_else(String::new, |entrant| entrant.name.clone())
    };
    let display = |number: usize| {
        entrants.get(number).map_or_else(String::new, |entrant| field(&entrant.display))
    };
    let rows = pairings.iter().flat_map(|pairing| {
        let how = field(&pairing.decision["how"]);
        let winner = pairing.decision["winner"].as_u64();
        let winner = winner.map_or_else(String::new, |winner| name(winner as usize));
        let head = |attempt: &Value| {
            let [round, id, attempt] = [&pairing.round, &pairing.id, attempt].map(field);
            vec![round, id, attempt, how.clone(), winner.clone()]
        };
        let mut rows = Vec::new();
        for game in &pairing.games {
            let times = game.table.as_str().and_then(|table| times.get(table));
            let times = times.map(|(opened, closed)| [clock::utc(*opened), clock::utc(*closed)]);
            for (seat, entrant) in game.seats.iter().enumerate() {
                let mut row = head(&game.attempt);
                let standing = &game.outcome[seat];
                row.extend([name(*entrant), field(&standing["place"]), field(&standing["points"])]);
                row.extend([field(&game.how), field(&game.causes[seat])]);
                row.extend([display(*entrant), field(&game.table)]);
                row.extend(times.clone().unwrap_or_default());
                rows.push(row);
            }
        }
        let unplayed = pairing.entrants.iter().filter(|_| pairing.games.is_empty());
        rows.extend(unplayed.map(|entrant| {
            let mut row = head(&Value::Null);
            row.push(name(*entrant));
            row.extend([const { String::new() }; 4]);
            row.push(display(*entrant));
            row.extend([const { String::new() }; 3]);
            row
        }));
        rows
    });
    let columns = ["round", "pairing", "game", "how", "winner", "name", "place", "points"];
    let more = ["game_how", "cause", "display", "table", "opened", "closed"];
    csv(&[&columns[..], &more].concat(), rows)
}

fn field(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Rows as RFC 4180 has them. What a spreadsheet would take for a formula begins with an apostrophe.
fn csv(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let quoted = |text: &str| {
        let is_formula =
            text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
        let text = format!("{}{text}", if is_formula { "'" } else { "" });
        match text.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text,
        }
    };
    let mut body = columns.join(",") + "\r\n";
    for row in rows {
        let fields: Vec<String> = row.iter().map(|text| quoted(text)).collect();
        body += &(fields.join(",") + "\r\n");
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_csv_are_not_read_as_formulas() {
        let row = ["=HYPERLINK(\"x\",\"y\")", "@sum", "-3", "+1.5", "-x", "a,b", "Ann"];
        let rows = std::iter::once(row.map(str::to_owned).to_vec());
        let text = csv(&["name"], rows);
        let expected = "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\",'@sum,-3,+1.5,'-x,\"a,b\",Ann";
        assert_eq!(text, format!("name\r\n{expected}\r\n"));
    }
}
