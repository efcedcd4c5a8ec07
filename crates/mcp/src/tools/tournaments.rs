//! An entrant of a tournament: it waits for its games, call by call, and plays them.

use std::time::Duration;

use http::header::AUTHORIZATION;
use serde_json::json;
use tokio::time::timeout;

use super::arguments::Join;
use super::{Call, LONGEST_WAIT_S, USUAL_WAIT_S, join_message};
use crate::seats::Entry;
use crate::words::{self, Cup, Reply};
use crate::{Guide, House, Refused};

impl<H: House> Call<'_, H> {
    /// Waits for the next game. The line is kept between the calls, so that an entrant is there when
    /// its table opens, however long it thinks before it calls again.
    pub(super) async fn join_tournament(
        &self,
        join: &Join,
        id: &str,
        guide: &Guide,
    ) -> Result<Reply, Refused> {
        check(join)?;
        let info = self.tournament(&join.game, id).await?;
        let cup = Cup { info: &info, name: &join.name };
        if cup.is_over() {
            return Ok(cup.reply());
        }
        let name = cup.table_name()?;
        let entry = self.entry(join, id);
        let seat = match self.seats.entered(&entry) {
            Some(seat) => seat,
            None => {
                let seat = self.seats.connect(&join.game, self.caller).await?;
                let mut message = join_message(join);
                message["name"] = json!(name);
                Refused::check(seat.ask(message).await.map_err(Refused::line)?)?;
                self.seats.enter(entry, seat.clone());
                seat
            }
        };
        let seconds = join.seconds.unwrap_or(USUAL_WAIT_S).min(LONGEST_WAIT_S);
        let sits = seat.until(|situation| match &situation.closed {
            Some(why) => Some(Err(Refused::line(why.clone()))),
            None => situation.joined.clone().map(Ok),
        });
        let sits = timeout(Duration::from_secs(seconds), sits).await;
        let info = self.tournament(&join.game, id).await?;
        let cup = Cup { info: &info, name: &join.name };
        let Ok(joined) = sits else { return Ok(cup.reply()) };
        let joined = joined?;
        if !cup.has_table(&joined.table) && cup.is_over() {
            // It came to its end while the entrant asked: what it was given is a seat like any other.
            seat.ask(json!({"do": "leave"})).await.map_err(Refused::line)?;
            return Ok(cup.reply());
        }
        let Some(token) = joined.token else {
            let why = format!("{} has a seat at table {} already", join.name, joined.table);
            let hint = "Play on with the seat that join gave you then.";
            return Err(Refused::new("already-seated", why, hint));
        };
        let handle = self.seats.keep(seat.clone(), &token);
        let position = self.position(&seat, &handle).await?;
        Ok(words::joined(&position, &joined.table, guide))
    }

    async fn tournament(&self, game: &str, id: &str) -> Result<serde_json::Value, Refused> {
        let found = self.seats.house.tournament(game, id, self.caller).await;
        let hint = "Ask the organiser for the tournament's id.";
        found.map_err(|why| Refused::new("unknown-tournament", why, hint))
    }

    fn entry(&self, join: &Join, id: &str) -> Entry {
        let header = self.caller.headers.get(AUTHORIZATION);
        let header = header.and_then(|header| Some(header.to_str().ok()?.to_owned()));
        Entry {
            game: join.game.clone(),
            tournament: id.to_owned(),
            name: join.name.clone(),
            shown: [join.key.clone(), header],
        }
    }
}

/// A tournament opens its own tables.
fn check(join: &Join) -> Result<(), Refused> {
    let own = [
        join.table.is_some(),
        join.opponents.is_some(),
        join.seats.is_some(),
        join.clock_s.is_some(),
        join.legal.is_some(),
        join.options.is_some(),
    ];
    if !own.contains(&true) {
        return Ok(());
    }
    let why = "a tournament opens its own tables";
    let hint = "Leave out table, opponents, seats, clock_s, legal and options.";
    Err(Refused::new("bad-arguments", why, hint))
}
