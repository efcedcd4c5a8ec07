//! Speech on its way to another machine: what is said must be the same when it arrives.

use std::fmt::Debug;

use rules::any::AnyRules;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// How a command, an answer or an event gets to the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Journey {
    /// As the value it is.
    Direct,
    /// Written down as JSON and read back.
    AsText,
    /// The same, and after each line the hall is lost, and another continues from its records and
    /// from what the nodes that serve its connections know.
    TakenOver,
}

impl Journey {
    /// What arrives. A text is parsed, compared with the original and then replaces it, so the
    /// receiver also lacks what a text leaves out, such as shared renderings.
    pub(crate) fn carry<T>(self, rules: &'static dyn AnyRules, said: T) -> T
    where
        T: Serialize + DeserializeOwned + PartialEq + Debug,
    {
        if self == Journey::Direct {
            return said;
        }
        let text = serde_json::to_string(&said)
            .unwrap_or_else(|why| panic!("{said:?} cannot be written: {why}"));
        let read: T = rules
            .reading(|| serde_json::from_str(&text))
            .unwrap_or_else(|why| panic!("{text} cannot be read: {why}"));
        assert_eq!(read, said, "{text}");
        read
    }
}
