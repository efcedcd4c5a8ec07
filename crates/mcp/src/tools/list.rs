//! The list of tools. Many clients cache it, so it never changes with the state of games.

use std::sync::Arc;

use rmcp::handler::server::tool::schema_for_input;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;

use super::arguments::{
    Act, History, Join, Leave, LegalActions, ListGames, ListTables, Look, Review, Rules, WaitTurn,
};

/// All eleven tools.
pub fn list() -> Vec<Tool> {
    vec![
        reads::<ListGames>(
            "list_games",
            "List the games: players, house bots, what an action looks like, options of a table.",
        ),
        reads::<Rules>("rules", "Explain the rules of a game and its actions."),
        reads::<ListTables>("list_tables", "List tables where a player waits or plays."),
        writes::<Join>(
            "join",
            "Take a seat in a game. With `opponents` you play against house bots. With `seats` you \
             open a table for others and give them its id. With `table` you sit down where somebody \
             waits. With `tournament` you wait for your next game there. With none of them you sit down at the game's open table, where the clock may be \
             short. Returns your seat: keep it and show it with every call.",
        ),
        reads::<WaitTurn>(
            "wait_turn",
            "Wait until it is your turn or the game is over. Returns at once if it is. If the status \
             is still waiting, call it again.",
        ),
        reads::<Look>("look", "Show the position as your seat sees it, without waiting."),
        reads::<LegalActions>("legal_actions", "List your legal moves, or find some by a text."),
        writes::<Act>(
            "act",
            "Make your move. Repeating the same move with the same seq is harmless. A move that is \
             refused changes nothing: choose another.",
        ),
        reads::<History>("history", "Show what has happened in a game."),
        reads::<Review>(
            "review",
            "Judge the decisions of a finished game: the worst ones, and what would have been better. \
             Takes some seconds.",
        ),
        writes::<Leave>("leave", "Give up your seat. A running game continues without you."),
    ]
}

fn reads<A: JsonSchema + 'static>(name: &'static str, about: &'static str) -> Tool {
    tool::<A>(name, about).with_annotations(ToolAnnotations::new().read_only(true))
}

fn writes<A: JsonSchema + 'static>(name: &'static str, about: &'static str) -> Tool {
    let repeatable = name == "act";
    let hints = ToolAnnotations::new().read_only(false).destructive(name == "leave");
    tool::<A>(name, about).with_annotations(hints.idempotent(repeatable))
}

fn tool<A: JsonSchema + 'static>(name: &'static str, about: &'static str) -> Tool {
    let schema: Arc<JsonObject> = schema_for_input::<A>().expect("arguments are an object");
    Tool::new(name, about, schema)
}
