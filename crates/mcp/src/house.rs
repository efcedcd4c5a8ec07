//! What this crate needs from the server that it opens to agents.

use std::future::Future;

use http::request::Parts;
use serde::Serialize;
use serde_json::Value;

use crate::line::AgentEnd;

/// The server. Callers are identified by their request.
pub trait House: Send + Sync + 'static {
    /// Every game, in order.
    fn games(&self) -> Vec<&'static str>;

    fn guide(&self, game: &str) -> Option<Guide>;

    /// Tables that are open, the newest last.
    fn tables(&self, game: &str) -> Vec<TableCard>;

    /// A line to a game's hall that speaks the JSON protocol. The error says why there is none.
    fn connect(
        &self,
        game: &str,
        caller: &Parts,
    ) -> impl Future<Output = Result<AgentEnd, String>> + Send;

    /// Everything about a tournament that is public. The error says why there is nothing.
    fn tournament(
        &self,
        game: &str,
        id: &str,
        caller: &Parts,
    ) -> impl Future<Output = Result<Value, String>> + Send;

    /// What each of these actions does in a position, in words.
    fn action_words(&self, game: &str, view: &Value, actions: &[Value]) -> Option<Vec<String>>;

    /// The choices in a position with too many actions to list, in words.
    fn choice_words(&self, game: &str, view: &Value) -> Option<String>;

    /// Legal actions that show best what the viewer may do now, the most telling first.
    fn examples(&self, game: &str, view: &Value) -> Vec<Value>;

    /// What happened at a finished table, in words, one part per position.
    fn story(
        &self,
        game: &str,
        table: &str,
        caller: &Parts,
    ) -> impl Future<Output = Result<Vec<String>, String>> + Send;

    /// The review of a finished game. The error says why there is none.
    fn review(
        &self,
        game: &str,
        table: &str,
        caller: &Parts,
    ) -> impl Future<Output = Result<Value, String>> + Send;
}

/// What to know about a game before playing it.
#[derive(Clone, Debug)]
pub struct Guide {
    /// The greeting of the JSON protocol: seats, what an action looks like, the house strategies.
    pub hello: Value,
    /// The rules, in words.
    pub rules: String,
    /// The options of a private table, in words.
    pub options: Vec<String>,
}

/// A table as a list shows it.
#[derive(Clone, Debug, Serialize)]
pub struct TableCard {
    pub game: &'static str,
    pub table: String,
    pub status: &'static str,
    pub seats: usize,
    pub players: Vec<String>,
    /// Whether any player may join.
    pub open: bool,
    /// Seconds for each move; none: any time.
    pub clock_s: Option<u64>,
}
