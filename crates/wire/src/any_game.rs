//! A game of any type: its rules, options and protocols as one value. Servers, tools, pages and
//! readers of old games know a game only as this. Errors are free text, for the person who chose
//! the options or asked for the game.

use std::borrow::Cow;
use std::fmt;

use hall::{GameHooks, Terms};
use review::trial::Trial as ReviewTrial;
use rules::Seed;
use rules::any::{AnyAction, AnyRules, AnyView};
use serde_json::{Map, Value};

use crate::any_dialect::AnyDialect;
use crate::manual::Manual;
use crate::reviewing::{ReviewWish, Reviewing};
use crate::{Clause, Trial};

/// The records of a table, as text, each with its time in milliseconds.
pub type Records<'a> = &'a [(u64, &'a str)];

/// A game of any type.
pub trait AnyGame: Send + Sync {
    fn rules(&self) -> &'static dyn AnyRules;

    /// Its own wires, the main one first, and then the house wire.
    fn wires(&self) -> Vec<AnyDialect>;

    /// What a hall needs besides the terms.
    fn hooks(&self) -> GameHooks;

    /// What the JSON protocol says about the game.
    fn manual(&self) -> Manual;

    /// The sentences of the game's page that explain its refusals.
    fn clauses(&self) -> &'static [Clause];

    /// A file that the game brings for the pages.
    fn file(&self, name: &str) -> Option<Cow<'static, [u8]>>;

    /// The meaning of each option, by key.
    fn option_help(&self) -> Vec<(&'static str, &'static str)>;

    /// All options with the game's own values.
    fn default_options(&self) -> Value;

    /// All options, with some changed. The error names the key.
    fn changed(&self, options: &Value, changes: &Map<String, Value>) -> Result<Value, String>;

    /// What tables are played by; refused if nothing could be played by these options.
    fn terms(&self, options: &Value) -> Result<Terms, String>;

    /// The terms of a tournament's tables: `options` are the server's, `changes` the organiser's.
    fn tournament_terms(
        &self,
        options: &Value,
        changes: &Map<String, Value>,
    ) -> Result<Terms, String>;

    /// How it is tried out.
    fn trial(&self) -> Trial;

    /// An action that a rule requires and that isn't a choice.
    fn formality(&self, view: &AnyView) -> Option<AnyAction>;

    /// What each of these actions does in a position, in words. `None`: they can't be parsed.
    fn action_words(&self, view: &Value, actions: &[Value]) -> Option<Vec<String>>;

    /// The choices in a position whose actions aren't listed, in words.
    fn choice_words(&self, view: &Value) -> Option<String>;

    /// Legal actions that show best what the viewer may do now, the most telling first.
    fn examples(&self, view: &Value) -> Vec<Value>;

    /// Judges the decisions of a finished game, step by step.
    fn review(&self, records: Records<'_>, wish: ReviewWish) -> Result<Reviewing, String>;

    /// Plays games between the house's strategies and reviews them, to see what reviews are worth.
    /// Calls `goes_on` after each game with the result so far, and stops once it returns false.
    fn review_trial(
        &self,
        seats: usize,
        games: u64,
        deals: Option<u32>,
        goes_on: &mut dyn FnMut(&ReviewTrial) -> bool,
    ) -> Result<ReviewTrial, String>;

    /// Plays a game at random, by the default options and without a hall; how many moves that took.
    fn play_at_random(&self, seats: usize, seed: Seed) -> u64;
}

impl dyn AnyGame {
    /// The name used in URLs, options and journals.
    pub fn name(&self) -> &'static str {
        self.rules().name()
    }

    /// Its own wires, the main one first.
    pub fn own_wires(&self) -> Vec<AnyDialect> {
        self.wires().into_iter().filter(|wire| !wire.is_house()).collect()
    }

    /// The defaults, with some changed; refused if nothing could be played by them.
    pub fn options(&self, changes: &Map<String, Value>) -> Result<Value, String> {
        let options = self.changed(&self.default_options(), changes)?;
        self.terms(&options).map_err(|why| format!("{}: {why}", self.name()))?;
        Ok(options)
    }

    /// The rules in words, for language models.
    pub fn rules_in_words(&self) -> String {
        let file = self.file("rules.md");
        let file = file.and_then(|text| String::from_utf8(text.into_owned()).ok());
        file.unwrap_or_else(|| format!("An action: {}", self.manual().action))
    }
}

impl fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
