//! Failures that say how to see them again.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Does something that may fail; its failure then begins with `name`.
pub fn named<T>(name: impl Display, something: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(something)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        match text.or_else(|| payload.downcast_ref::<&str>().copied()) {
            Some(text) => panic!("{name}: {text}"),
            None => resume_unwind(payload),
        }
    })
}
