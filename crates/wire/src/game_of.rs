//! A game's types as one value.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

use hall::{GameHooks, Terms};
use review::trial::Trial as ReviewTrial;
use rules::any::{AnyAction, AnyRules, AnyView};
use rules::{BotKind, Dice, Move, Seat, Seed, Step};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::any_dialect::{AnyDialect, HTTP_PORT, HouseStrategy};
use crate::any_game::{AnyGame, Records};
use crate::house::HouseSession;
use crate::reviewing::{self, ReviewWish, Reviewing};
use crate::{
    Clause, Dialect, Framing, Playable, Player, Session, Trial, house, option_help, overlay,
};

impl dyn AnyGame {
    /// The game with these types.
    pub fn of<G: Playable>() -> &'static dyn AnyGame {
        &GameOf::<G>(PhantomData)
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
