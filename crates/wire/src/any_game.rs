//! A game of any type: its rules, options and protocols as one value. Servers, tools, pages and
//! readers of old games know a game only as this. Errors are free text, for the person who chose
//! the options or asked for the game.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use hall::{GameHooks, Terms};
use review::trial::Trial as ReviewTrial;
use rules::any::{AnyAction, AnyRules, AnyView};
use rules::{BotKind, Dice, Move, Seat, Seed, Step};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::any_dialect::{AnyDialect, HTTP_PORT, HouseStrategy};
use crate::house::HouseSession;
use crate::reviewing::{self, ReviewWish, Reviewing};
use crate::{
    Clause, Dialect, Framing, Playable, Player, Session, Trial, house, option_help, overlay,
};

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
    fn manual(&self) -> house::Manual;

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
    /// The game with these types.
    pub fn of<G: Playable>() -> &'static dyn AnyGame {
        &GameOf::<G>(PhantomData)
    }

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

    /// The JSON protocol's greeting: seats, the form of an action, house strategies.
    pub fn greeting(&'static self) -> Value {
        house::greeting(self)
    }

    /// The rules in words, for language models.
    pub fn rules_in_words(&self) -> String {
        let file = self.file("rules.md");
        let file = file.and_then(|text| String::from_utf8(text.into_owned()).ok());
        file.unwrap_or_else(|| format!("An action: {}", self.manual().action))
    }

    /// The options of a private table, in words.
    pub fn choices(&'static self) -> Vec<String> {
        house::choices(self)
    }
}

impl fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

struct GameOf<G>(PhantomData<fn() -> G>);

/// Reads options that this game has written.
fn read<G: Playable>(options: &Value) -> Result<G::Options, String> {
    G::Options::deserialize(options).map_err(|error| format!("{}: {error}", G::NAME))
}

fn written<G: Playable>(options: &G::Options) -> Value {
    serde_json::to_value(options).expect("options are plain data")
}

impl<G: Playable> AnyGame for GameOf<G> {
    fn rules(&self) -> &'static dyn AnyRules {
        <dyn AnyRules>::of::<G>()
    }

    fn wires(&self) -> Vec<AnyDialect> {
        G::dialects().iter().map(wire_of).chain([house_wire::<G>()]).collect()
    }

    fn hooks(&self) -> GameHooks {
        G::hooks()
    }

    fn manual(&self) -> house::Manual {
        G::MANUAL
    }

    fn clauses(&self) -> &'static [Clause] {
        G::CLAUSES
    }

    fn file(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        G::file(name)
    }

    fn option_help(&self) -> Vec<(&'static str, &'static str)> {
        option_help::<G>().collect()
    }

    fn default_options(&self) -> Value {
        written::<G>(&G::Options::default())
    }

    fn changed(&self, options: &Value, changes: &Map<String, Value>) -> Result<Value, String> {
        Ok(written::<G>(&overlay::<G>(&read::<G>(options)?, changes)?))
    }

    fn terms(&self, options: &Value) -> Result<Terms, String> {
        G::terms(&read::<G>(options)?)
    }

    fn tournament_terms(
        &self,
        options: &Value,
        changes: &Map<String, Value>,
    ) -> Result<Terms, String> {
        crate::tournament_terms::<G>(&read::<G>(options)?, changes)
    }

    fn trial(&self) -> Trial {
        G::TRIAL
    }

    fn formality(&self, view: &AnyView) -> Option<AnyAction> {
        G::formality(view.of::<G>()?).map(AnyAction::new::<G>)
    }

    fn action_words(&self, view: &Value, actions: &[Value]) -> Option<Vec<String>> {
        let view = G::View::deserialize(view).ok()?;
        let words = |action| Some(G::action_words(&view, &G::Action::deserialize(action).ok()?));
        actions.iter().map(words).collect()
    }

    fn choice_words(&self, view: &Value) -> Option<String> {
        Some(G::choice_words(&G::View::deserialize(view).ok()?))
    }

    fn examples(&self, view: &Value) -> Vec<Value> {
        let examples = G::View::deserialize(view).map(|view| G::examples(&view));
        let written = |action: &G::Action| serde_json::to_value(action).ok();
        examples.unwrap_or_default().iter().filter_map(written).collect()
    }

    fn review(&self, records: Records<'_>, wish: ReviewWish) -> Result<Reviewing, String> {
        reviewing::review::<G>(records, wish)
    }

    fn review_trial(
        &self,
        seats: usize,
        games: u64,
        deals: Option<u32>,
        goes_on: &mut dyn FnMut(&ReviewTrial) -> bool,
    ) -> Result<ReviewTrial, String> {
        reviewing::trial::<G>(seats, games, deals, goes_on)
    }

    fn play_at_random(&self, seats: usize, seed: Seed) -> u64 {
        let terms = G::terms(&G::Options::default()).expect("the defaults are valid");
        let config = terms.config.of::<G>().expect("a game's terms are its own");
        let mut dice = Dice::new(&seed, "bench", 0);
        let mut game = G::setup(config, seats, seed).expect("the defaults can be played");
        let mut turn: Vec<(Seat, Move<G::Action>)> = Vec::new();
        let mut moves = 0;
        while !game.to_act().is_empty() {
            turn.clear();
            let act = |seat| (seat, Move::Act(game.sample(seat, &mut dice)));
            turn.extend(game.to_act().iter().map(act));
            game.advance(Step::Turn(&turn));
            moves += turn.len() as u64;
        }
        moves
    }
}

/// The house wire of a game: whatever its own protocols have, it has.
fn house_wire<G: Playable>() -> AnyDialect {
    AnyDialect {
        name: hall::HOUSE_WIRE,
        port: HTTP_PORT.0,
        path: format!("/house/{}", G::NAME),
        default_port: HTTP_PORT.1,
        framing: Framing::WebSocket { max: house::MAX_MESSAGE },
        signs: house::SIGNS,
        way_back: true,
        yields_to_http: false,
        banned: "",
        session: house_session::<G>,
        make: Box::new(|strategy, name, seed, _| {
            house::client(Player::new(name, G::bots()[strategy], seed))
        }),
        ..wire_of(&G::dialects()[0])
    }
}

fn house_session<G: Playable>(terms: &Terms) -> Box<dyn Session> {
    let game = <dyn AnyGame>::of::<G>();
    let options = Arc::new(game.default_options());
    Box::new(HouseSession::new(game, options, terms, false))
}

fn wire_of<G: Playable>(dialect: &'static Dialect<G>) -> AnyDialect {
    let terms = G::terms(&G::Options::default()).expect("the defaults are valid");
    let strategy =
        |kind: &BotKind<G>| HouseStrategy { name: kind.name, about: kind.about, grade: kind.grade };
    AnyDialect {
        game: G::NAME,
        name: dialect.name,
        port: dialect.name,
        path: String::new(),
        default_port: dialect.default_port,
        framing: dialect.framing,
        first_message_ms: dialect.first_message_ms,
        yields_to_http: dialect.yields_to_http,
        banned: dialect.banned,
        try_it: dialect.try_it,
        session: dialect.session,
        signs: dialect.signs,
        way_back: terms.policy.way_back != hall::WayBack::None,
        keeps_names: terms.policy.names == hall::Names::UniqueInHall,
        is_name: G::is_name,
        names: G::NAMES,
        strategies: G::bots().iter().map(strategy).collect(),
        make: Box::new(move |strategy, name, seed, thorough| {
            let mut player = Player::new(name, G::bots()[strategy], seed);
            player.thorough = thorough;
            (dialect.client)(player)
        }),
    }
}
