//! Why not, as the house wire says it: a code for programs, a sentence for people, and what would
//! be right.

use hall::{Code, Refusal};

/// A refusal as it is said.
pub struct Refused {
    pub code: Code,
    pub message: String,
    /// What to do instead.
    pub hint: String,
}

impl Refused {
    pub fn new(code: Code, message: impl Into<String>, hint: impl Into<String>) -> Refused {
        Refused { code, message: message.into(), hint: hint.into() }
    }
}

impl From<&Refusal> for Refused {
    fn from(refusal: &Refusal) -> Refused {
        let hint = refusal.hint().unwrap_or_default();
        Refused::new(refusal.code(), refusal.cause(), hint)
    }
}
