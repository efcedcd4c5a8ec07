//! A refusal as an agent gets it: in the result of its call, never as a protocol error, because
//! clients hide those from their models.

use serde_json::Value;

/// A refusal: a code for programs, the reason, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub code: String,
    pub message: String,
    pub hint: String,
    /// The number of the current position, for seated agents.
    pub seq: Option<u64>,
}

impl Refused {
    pub fn new(
        code: impl Into<String>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Refused {
        let (code, message, hint) = (code.into(), message.into(), hint.into());
        Refused { code, message, hint, seq: None }
    }

    /// The line to the table broke.
    pub fn line(why: String) -> Refused {
        Refused::new("connection-lost", why, "Your seat is kept. Call the same tool again.")
    }

    /// The server's answer, unless it is a refusal.
    pub fn check(answer: Value) -> Result<Value, Refused> {
        if answer["type"] != "refused" {
            return Ok(answer);
        }
        let text = |key: &str| answer[key].as_str().unwrap_or_default();
        let mut refused = Refused::new(text("code"), text("message"), text("hint"));
        refused.seq = answer["seq"].as_u64();
        Err(refused)
    }
}
