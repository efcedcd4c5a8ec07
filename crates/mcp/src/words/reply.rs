//! A call's result: words for the model, and the same as JSON for programs.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use crate::Refused;

/// The result of a call.
#[derive(Debug)]
pub struct Reply {
    pub words: String,
    pub json: Value,
    pub is_refused: bool,
}

impl Reply {
    pub fn new(words: String, json: Value) -> Reply {
        Reply { words, json, is_refused: false }
    }

    pub fn refused(refused: &Refused) -> Reply {
        let Refused { code, message, hint, seq } = refused;
        let mut words = format!("Refused: {message}.");
        if !hint.is_empty() {
            words += &format!("\n{hint}");
        }
        if let Some(seq) = seq {
            words += &format!("\nThe current seq is {seq}.");
        }
        let json = json!({"refused": code, "message": message, "hint": hint, "seq": seq});
        Reply { words, json, is_refused: true }
    }
}

impl From<Reply> for CallToolResult {
    fn from(reply: Reply) -> CallToolResult {
        let content = vec![ContentBlock::text(reply.words)];
        let mut result = match reply.is_refused {
            true => CallToolResult::error(content),
            false => CallToolResult::success(content),
        };
        result.structured_content = Some(reply.json);
        result
    }
}
