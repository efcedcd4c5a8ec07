//! What to do about an error. It is attached as context, and said after the cause.

use std::fmt;

use anyhow::Error;

/// A whole sentence, such as "'parlor tables' lists what can be watched."
#[derive(Debug)]
pub struct Advice(pub String);

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What went wrong, what caused it, and then what to do about it.
pub fn describe(error: &Error) -> String {
    let Some(Advice(advice)) = error.downcast_ref() else { return format!("{error:#}") };
    let causes = error.chain().map(ToString::to_string).filter(|cause| cause != advice);
    let causes = causes.collect::<Vec<_>>().join(": ");
    format!("{}. {advice}", causes.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use anyhow::{Context, anyhow};

    use super::*;

    #[test]
    fn the_cause_comes_before_the_advice() {
        let error = Err::<(), _>(anyhow!("connection refused")).context("cannot play on :1");
        let error = error.context(Advice("Is the server running?".to_owned())).unwrap_err();
        assert_eq!(
            describe(&error),
            "cannot play on :1: connection refused. Is the server running?"
        );
        assert_eq!(describe(&anyhow!("no").context("oh")), "oh: no");
    }
}
