//! The eleven tools: what each does with what it was given.

mod arguments;
mod list;
mod tournaments;

use std::time::Duration;

use http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tokio::time::timeout;

pub use list::list;

use arguments::{
    Act, History, Join, Leave, LegalActions, ListGames, ListTables, Look, Review, Rules, WaitTurn,
};

use crate::seats::{Seat, Seats, Situation, Status};
use crate::words::{self, Position, Reply};
use crate::{House, Refused};

/// Seconds for each move at a table that an agent opens.
const CLOCK_S: u64 = 300;
/// How long one call waits: clients give up after a minute, some after half of that.
const LONGEST_WAIT_S: u64 = 50;
const USUAL_WAIT_S: u64 = 20;
/// How long a move waits for what comes of it.
const AFTER_MOVE_S: u64 = 2;
/// How long an entrant waits in one call for its game.
const FOR_A_SEAT: Duration = Duration::from_secs(20);

/// Calls a tool by name. `None`: there is no such tool.
pub async fn call<H: House>(
    seats: &Seats<H>,
    tool: &str,
    arguments: Map<String, Value>,
    caller: &Parts,
) -> Option<Reply> {
    let given = Given { tool, arguments };
    let call = Call { seats, caller };
    let done = match tool {
        "list_games" => given.read::<ListGames>().map(|_| call.list_games()),
        "rules" => given.read().and_then(|rules: Rules| call.rules(&rules.game)),
        "list_tables" => given.read().and_then(|list: ListTables| call.list_tables(list)),
        "join" => then(given.read(), |join| call.join(join)).await,
        "wait_turn" => then(given.read(), |wait| call.wait_turn(wait)).await,
        "look" => then(given.read(), |look: Look| call.look(look.seat)).await,
        "legal_actions" => then(given.read(), |legal| call.legal_actions(legal)).await,
        "act" => then(given.read(), |act| call.act(act)).await,
        "history" => then(given.read(), |history| call.history(history)).await,
        "review" => then(given.read(), |review| call.review(review)).await,
        "leave" => then(given.read(), |leave: Leave| call.leave(leave.seat)).await,
        _ => return None,
    };
    Some(done.unwrap_or_else(|refused| Reply::refused(&refused)))
}

async fn then<A, F: Future<Output = Result<Reply, Refused>>>(
    read: Result<A, Refused>,
    go_on: impl FnOnce(A) -> F,
) -> Result<Reply, Refused> {
    go_on(read?).await
}

/// The arguments of a call, as they came.
struct Given<'a> {
    tool: &'a str,
    arguments: Map<String, Value>,
}

impl Given<'_> {
    fn read<A: DeserializeOwned>(self) -> Result<A, Refused> {
        serde_json::from_value(Value::Object(self.arguments)).map_err(|error| {
            let message = format!("{} was called wrongly: {error}", self.tool);
            Refused::new("bad-arguments", message, words::example(self.tool))
        })
    }
}

/// One call, and who makes it.
struct Call<'a, H> {
    seats: &'a Seats<H>,
    caller: &'a Parts,
}

impl<H: House> Call<'_, H> {
    fn list_games(&self) -> Reply {
        let house = &self.seats.house;
        let guides = house.games().into_iter().filter_map(|game| Some((game, house.guide(game)?)));
        words::games(guides.collect())
    }

    fn rules(&self, game: &str) -> Result<Reply, Refused> {
        let guide = self.seats.guide(game)?;
        Ok(words::rules(game, &guide))
    }

    fn list_tables(&self, list: ListTables) -> Result<Reply, Refused> {
        let house = &self.seats.house;
        let games = match &list.game {
            Some(game) => {
                self.seats.guide(game)?;
                house.games().into_iter().filter(|known| known == game).collect()
            }
            None => house.games(),
        };
        let tables = games.into_iter().flat_map(|game| house.tables(game)).collect();
        Ok(words::tables(tables))
    }

    async fn join(&self, join: Join) -> Result<Reply, Refused> {
        let guide = self.seats.guide(&join.game)?;
        if let Some(id) = &join.tournament {
            return self.join_tournament(&join, id, &guide).await;
        }
        let seat = self.seats.connect(&join.game, self.caller).await?;
        Refused::check(seat.ask(join_message(&join)).await.map_err(Refused::line)?)?;
        // An entrant of a tournament waits until its game is there.
        let sits = seat.until(|situation| match &situation.closed {
            Some(why) => Some(Err(Refused::line(why.clone()))),
            None => situation.joined.clone().map(Ok),
        });
        let Ok(joined) = timeout(FOR_A_SEAT, sits).await else {
            let why = format!("{}'s next game has not begun yet", join.name);
            let hint = "Call join again, with the id of the tournament as `tournament`.";
            return Err(Refused::new("not-yet", why, hint));
        };
        let joined = joined?;
        let Some(token) = joined.token else {
            let why = format!("{} has a seat at table {} already", join.name, joined.table);
            let hint = "Play on with the seat that join gave you then.";
            return Err(Refused::new("already-seated", why, hint));
        };
        let handle = self.seats.keep(seat.clone(), &token);
        let position = self.position(&seat, &handle).await?;
        Ok(words::joined(&position, &joined.table, &guide))
    }

    async fn wait_turn(&self, wait: WaitTurn) -> Result<Reply, Refused> {
        let seat = match self.seats.find(&wait.seat, self.caller).await {
            Ok(seat) => seat,
            Err(refused) => return words::gone(&wait.seat, refused),
        };
        let seconds = wait.seconds.unwrap_or(USUAL_WAIT_S).min(LONGEST_WAIT_S);
        self.wait(&seat, wait.after, seconds).await;
        Ok(words::position(&self.position(&seat, &wait.seat).await?))
    }

    async fn look(&self, handle: String) -> Result<Reply, Refused> {
        match self.seats.find(&handle, self.caller).await {
            Ok(seat) => Ok(words::position(&self.position(&seat, &handle).await?)),
            Err(refused) => words::gone(&handle, refused),
        }
    }

    async fn legal_actions(&self, asked: LegalActions) -> Result<Reply, Refused> {
        let seat = self.seats.find(&asked.seat, self.caller).await?;
        let position = self.position(&seat, &asked.seat).await?;
        words::legal(&position, asked.contains.as_deref(), asked.limit)
    }

    async fn act(&self, act: Act) -> Result<Reply, Refused> {
        let seat = self.seats.find(&act.seat, self.caller).await?;
        let message = json!({"do": "act", "seq": act.seq, "action": unquoted(act.action)});
        let answer = seat.ask(message).await.map_err(Refused::line)?;
        if let Err(refused) = Refused::check(answer) {
            let position = self.position(&seat, &act.seat).await?;
            return Ok(words::refused_move(&refused, &position));
        }
        let seconds = act.seconds.unwrap_or(AFTER_MOVE_S).min(LONGEST_WAIT_S);
        self.wait(&seat, Some(act.seq), seconds).await;
        Ok(words::position(&self.position(&seat, &act.seat).await?))
    }

    async fn history(&self, asked: History) -> Result<Reply, Refused> {
        match (asked.seat, asked.table, asked.game) {
            (Some(handle), None, _) => {
                let seat = self.seats.find(&handle, self.caller).await?;
                let over = seat.look(|situation| {
                    let joined = situation.joined.clone()?;
                    situation.over.is_some().then_some(joined.table)
                });
                if let Some(table) = over {
                    return self.story(&seat.game, &table, asked.from).await;
                }
                let message = json!({"do": "history", "from": asked.from.unwrap_or(0)});
                let answer = seat.ask(message).await.map_err(Refused::line)?;
                Ok(words::history(&Refused::check(answer)?))
            }
            (None, Some(table), Some(game)) => {
                self.seats.guide(&game)?;
                self.story(&game, &table, asked.from).await
            }
            _ => {
                let why = "history takes a seat, or a table and its game";
                Err(Refused::new("bad-arguments", why, words::example("history")))
            }
        }
    }

    /// A finished game, for any caller.
    async fn story(&self, game: &str, table: &str, from: Option<u64>) -> Result<Reply, Refused> {
        let story = self.seats.house.story(game, table, self.caller).await;
        let none = |why| Refused::new("unknown-table", why, "list_tables names tables.");
        Ok(words::story(&story.map_err(none)?, from.unwrap_or(0)))
    }

    async fn review(&self, asked: Review) -> Result<Reply, Refused> {
        self.seats.guide(&asked.game)?;
        let review = self.seats.house.review(&asked.game, &asked.table, self.caller).await;
        let none = |why| Refused::new("no-review", why, "Only finished games are reviewed.");
        Ok(words::review(review.map_err(none)?))
    }

    async fn leave(&self, handle: String) -> Result<Reply, Refused> {
        let seat = self.seats.find(&handle, self.caller).await?;
        let over = seat.look(|situation| situation.status(None)) == Status::Over;
        if !over {
            let answer = seat.ask(json!({"do": "leave"})).await.map_err(Refused::line)?;
            Refused::check(answer)?;
        }
        self.seats.forget(&handle);
        Ok(words::left(over))
    }

    /// Waits until there is something to do, or nothing more to wait for.
    async fn wait(&self, seat: &Seat, after: Option<u64>, seconds: u64) {
        let find = |situation: &mut Situation| {
            let status = situation.status(after);
            (status != Status::Waiting).then_some(())
        };
        // Found or timed out: report what is there.
        let _ = timeout(Duration::from_secs(seconds), seat.until(find)).await;
    }

    /// What a seat sees now.
    async fn position(&self, seat: &Seat, handle: &str) -> Result<Position, Refused> {
        // Asked again, because the clock has moved.
        let now = match seat.look(|situation| situation.status(None)) {
            Status::Over => None,
            _ => Some(seat.ask(json!({"do": "look", "words": true})).await.map_err(Refused::line)?),
        };
        let (mut situation, status) =
            seat.look(|situation| (situation.clone(), situation.status(None)));
        if let Some(now) = now.filter(|now| now["type"] == "update") {
            situation.update = Some(now);
        }
        let (house, guide) = (&*self.seats.house, self.seats.guide(&seat.game)?);
        Ok(Position::of(house, (handle, &seat.game), situation, status, guide))
    }
}

/// The join message for a seat.
fn join_message(join: &Join) -> Value {
    let mut message = json!({"do": "join", "name": join.name, "words": true});
    let mut say = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            message[key] = value;
        }
    };
    say("table", join.table.clone().map(Value::from));
    say("key", join.key.clone().map(Value::from));
    say("version", join.version.clone().map(Value::from));
    say("bots", join.opponents.clone().map(Value::from));
    let Join { seats, clock_s, legal, .. } = join;
    let is_own = join.opponents.is_some()
        || [seats.is_some(), clock_s.is_some(), legal.is_some(), join.options.is_some()]
            .contains(&true);
    if is_own {
        let mut options = join.options.clone().unwrap_or_default();
        options.insert("clock_s".to_owned(), clock_s.unwrap_or(CLOCK_S).into());
        if let Some(seats) = seats {
            options.insert("seats".to_owned(), (*seats).into());
        }
        if let Some(legal) = legal {
            options.insert("legal".to_owned(), (*legal).into());
        }
        message["options"] = Value::Object(options);
    }
    message
}

/// Models write an action as text now and then; what is a whole object or list in there is meant.
fn unquoted(action: Value) -> Value {
    let read = action.as_str().and_then(|text| serde_json::from_str(text).ok());
    read.filter(|read: &Value| read.is_object() || read.is_array()).unwrap_or(action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_in_quotes_is_read_and_a_word_stays_a_word() {
        assert_eq!(unquoted(json!(r#"{"play":2}"#)), json!({"play": 2}));
        assert_eq!(unquoted(json!({"play": 2})), json!({"play": 2}));
        assert_eq!(unquoted(json!("4")), json!("4"));
        assert_eq!(unquoted(json!("PASS")), json!("PASS"));
    }

    #[test]
    fn a_table_of_ones_own_has_minutes_for_each_move() {
        let join = |given: Value| join_message(&serde_json::from_value(given).expect("arguments"));
        let own = join(json!({"game": "gamba", "name": "Ann", "opponents": ["random"]}));
        assert_eq!(own["options"], json!({"clock_s": 300}));
        let open = join(json!({"game": "gamba", "name": "Ann"}));
        assert_eq!(open, json!({"do": "join", "name": "Ann", "words": true}));
    }
}
