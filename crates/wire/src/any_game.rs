//! A game of any type: what tools, pages and readers of old games need. Errors are free text, for
//! the person who chose the options or asked for the game.

use std::fmt;
use std::marker::PhantomData;

use hall::{Eyes, Frame, Recorded, Retelling, SeatTurn, SeatTurns, Time};
use rules::{Bot, Dice, Move, Outcome, Seat, Seed, Step, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::account::Account;
use crate::any_dialect::{AnyDialect, house_wire, wire_of};
use crate::{Playable, Trial, house, option_help, overlay, words};

/// A game of whatever type.
pub trait AnyGame: Send + Sync {
    fn name(&self) -> &'static str;

    /// Its own wires, the main one first, and then the house wire.
    fn wires(&self) -> Vec<AnyDialect>;

    /// The meaning of each option, by key.
    fn option_help(&self) -> Vec<(&'static str, &'static str)>;

    /// All options, with some changed; refused if nothing could be played by them.
    fn options(&self, changes: &Map<String, Value>) -> Result<Value, String>;

    /// How it is tried out.
    fn trial(&self) -> Trial;

    /// A finished game as these eyes would have seen it, as JSON Lines.
    fn retell(&self, records: Records<'_>, eyes: Eyes) -> Result<Retold, String>;

    /// The same in one text.
    fn frames(&self, records: Records<'_>, eyes: Eyes) -> Result<String, String> {
        self.retell(records, eyes)?.collect()
    }

    /// The same in words, an item for each message. Without eyes it is what the public saw, and at
    /// the end everything.
    fn retell_in_words(&self, records: Records<'_>, eyes: Option<Eyes>) -> Result<Retold, String>;

    /// All that it is in words.
    fn story(&self, records: Records<'_>, eyes: Option<Eyes>) -> Result<Vec<String>, String> {
        let parts = self.retell_in_words(records, eyes)?;
        parts.filter(|part| part.as_ref().map_or(true, |part| !part.is_empty())).collect()
    }

    /// What every seat of a finished game knew, could do and did, turn by turn.
    fn seat_turns(&self, records: Records<'_>) -> Result<AnySeatTurns, String>;

    /// The JSON protocol's greeting: seats, the form of an action, house strategies.
    fn greeting(&self) -> Value;

    /// The rules in words, for language models.
    fn rules(&self) -> String;

    /// The options of a private table, in words.
    fn choices(&self) -> Vec<String>;

    /// What each of these actions does in a position, in words. `None`: they can't be parsed.
    fn action_words(&self, view: &Value, actions: &[Value]) -> Option<Vec<String>>;

    /// The choices in a position whose actions aren't listed, in words.
    fn choice_words(&self, view: &Value) -> Option<String>;

    /// Legal actions that show best what the viewer may do now, the most telling first.
    fn examples(&self, view: &Value) -> Vec<Value>;

    /// Plays a finished game again. An error: it is not what its records say.
    fn verify(&self, records: Records<'_>) -> Result<(), String>;

    /// What a finished game says about each seat. Stops with an error as soon as `goes_on` returns
    /// false.
    fn account(&self, records: Records<'_>, goes_on: &dyn Fn() -> bool) -> Result<Account, String>;

    /// Plays a game at random, by the default options and without a hall; how many moves that took.
    fn play_at_random(&self, seats: usize, seed: Seed) -> u64;

    /// Lets house strategies play, one for each seat, without a hall. `thinking` carries each
    /// choice out, so that it can look at a clock before and after.
    fn let_play(
        &self,
        strategies: &[&str],
        seed: Seed,
        thinking: &mut dyn FnMut(Seat, &mut dyn FnMut()),
    ) -> Result<Outcome, String>;
}

/// A game as its seats had it, turn by turn.
#[derive(Clone, Debug, PartialEq)]
pub struct AnySeatTurns {
    /// Its configuration.
    pub config: Value,
    /// Its seed.
    pub seed: Seed,
    /// A line of JSON for every turn of every seat, which also names the game and the table.
    pub lines: String,
}

/// A game replayed step by step. Many steps produce an empty text; an error is the last item. Each
/// step is computed only when requested.
pub type Retold = Box<dyn Iterator<Item = Result<String, String>> + Send>;

/// The records of a table, as text, each with its time in milliseconds.
pub type Records<'a> = &'a [(u64, &'a str)];

impl fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A game as a value.
pub struct GameOf<G>(PhantomData<fn() -> G>);

impl<G> GameOf<G> {
    pub const fn new() -> GameOf<G> {
        GameOf(PhantomData)
    }
}

impl<G> Default for GameOf<G> {
    fn default() -> GameOf<G> {
        GameOf::new()
    }
}

impl<G: Playable> fmt::Debug for GameOf<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(G::NAME)
    }
}

impl<G: Playable> AnyGame for GameOf<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn wires(&self) -> Vec<AnyDialect> {
        G::dialects().iter().map(wire_of).chain([house_wire::<G>()]).collect()
    }

    fn option_help(&self) -> Vec<(&'static str, &'static str)> {
        option_help::<G>().collect()
    }

    fn options(&self, changes: &Map<String, Value>) -> Result<Value, String> {
        let options = overlay::<G>(&G::Options::default(), changes)?;
        G::terms(&options).map_err(|why| format!("{}: {why}", G::NAME))?;
        Ok(serde_json::to_value(options).expect("options are plain data"))
    }

    fn trial(&self) -> Trial {
        G::TRIAL
    }

    fn retell(&self, records: Records<'_>, eyes: Eyes) -> Result<Retold, String> {
        Ok(json_lines(Retelling::new(recorded::<G>(records)?, eyes)?))
    }

    fn retell_in_words(&self, records: Records<'_>, eyes: Option<Eyes>) -> Result<Retold, String> {
        let recorded = recorded::<G>(records)?;
        let frames = Retelling::new(recorded.clone(), eyes.unwrap_or(Eyes::Public))?;
        // The public's latest view is held back until it is clear whether it was the last.
        let mut last: Option<(u64, String)> = None;
        let told = move |step: Result<Option<Frame<'static, G>>, String>| {
            let Some(frame) = step? else { return Ok(Vec::new()) };
            let part = words::frame(&frame);
            Ok(match &frame {
                Frame::Update(update) if eyes.is_none() => {
                    last.replace((update.seq, part)).map(|(_, part)| part).into_iter().collect()
                }
                Frame::Over(_) => {
                    let whole = last.take().map(|(seq, _)| whole(&recorded, seq)).transpose()?;
                    whole.into_iter().chain([part]).collect()
                }
                _ => vec![part],
            })
        };
        Ok(Box::new(frames.map(told).flat_map(parted)))
    }

    fn seat_turns(&self, records: Records<'_>) -> Result<AnySeatTurns, String> {
        let SeatTurns { table, config, seed, turns } = recorded::<G>(records)?.seat_turns()?;
        let config = serde_json::to_value(config).expect("settings are plain data");
        let line = |turn| {
            let line = SeatTurnLine::<G> { game: G::NAME, id: &table, turn };
            serde_json::to_string(&line).expect("turns are plain data") + "\n"
        };
        Ok(AnySeatTurns { config, seed, lines: turns.iter().map(line).collect() })
    }

    fn greeting(&self) -> Value {
        house::greeting::<G>()
    }

    fn rules(&self) -> String {
        let file = G::file("rules.md").and_then(|text| String::from_utf8(text.into_owned()).ok());
        file.unwrap_or_else(|| format!("An action: {}", G::MANUAL.action))
    }

    fn choices(&self) -> Vec<String> {
        house::choices::<G>()
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

    fn verify(&self, records: Records<'_>) -> Result<(), String> {
        recorded::<G>(records)?.verify()
    }

    fn account(&self, records: Records<'_>, goes_on: &dyn Fn() -> bool) -> Result<Account, String> {
        Account::of::<G>(records, goes_on)
    }

    fn play_at_random(&self, seats: usize, seed: Seed) -> u64 {
        let terms = G::terms(&G::Options::default()).expect("the defaults are valid");
        let mut dice = Dice::new(&seed, "bench", 0);
        let mut game = G::setup(&terms.config, seats, seed).expect("the defaults can be played");
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

    fn let_play(
        &self,
        strategies: &[&str],
        seed: Seed,
        thinking: &mut dyn FnMut(Seat, &mut dyn FnMut()),
    ) -> Result<Outcome, String> {
        let terms = G::terms(&G::Options::default())?;
        let mut dice = Dice::new(&seed, "bots", 0);
        let mut game =
            G::setup(&terms.config, strategies.len(), seed).map_err(|why| why.to_string())?;
        let make = |name: &&str| {
            let kind = G::bots().iter().find(|kind| kind.name == *name);
            Ok((kind.ok_or_else(|| format!("{} has no strategy '{name}'", G::NAME))?.make)())
        };
        let bots: Result<Vec<Box<dyn Bot<G>>>, String> = strategies.iter().map(make).collect();
        let mut bots = bots?;
        let mut turn: Vec<(Seat, Move<G::Action>)> = Vec::new();
        loop {
            if let Some(outcome) = game.outcome() {
                return Ok(outcome.clone());
            }
            turn.clear();
            for seat in game.to_act().iter() {
                let (view, mut chosen) = (game.view(Viewer::Seat(seat)), None);
                thinking(seat, &mut || {
                    chosen = Some(bots[seat.index()].choose(&view, &mut dice));
                });
                let action = chosen.ok_or("a strategy was not asked")?;
                if let Err(why) = game.check(seat, &action) {
                    let name = strategies[seat.index()];
                    return Err(format!("{name} plays {action:?} at {}: {why}", G::NAME));
                }
                turn.push((seat, Move::Act(action)));
            }
            game.advance(Step::Turn(&turn));
        }
    }
}

#[derive(Serialize)]
#[serde(bound = "")]
struct SeatTurnLine<'a, G: Playable> {
    game: &'static str,
    id: &'a str,
    #[serde(flatten)]
    turn: &'a SeatTurn<G>,
}

/// A game replayed as JSON Lines.
pub fn json_lines<G: Playable>(retelling: Retelling<G>) -> Retold {
    let line = |frame| serde_json::to_string(&frame).expect("frames are plain data") + "\n";
    Box::new(retelling.map(move |step| Ok(step?.map_or_else(String::new, line))))
}

/// The position after a turn as all eyes together saw it, in words.
fn whole<G: Playable>(recorded: &Recorded<G>, seq: u64) -> Result<String, String> {
    let update = recorded.updates(Eyes::All, seq..=seq, usize::MAX)?.pop();
    Ok(update.map_or_else(String::new, |update| words::frame(&Frame::Update(Box::new(update)))))
}

/// Each part of a step; a step without any is an empty text.
fn parted(step: Result<Vec<String>, String>) -> Vec<Result<String, String>> {
    match step {
        Ok(parts) if parts.is_empty() => vec![Ok(String::new())],
        Ok(parts) => parts.into_iter().map(Ok).collect(),
        Err(why) => vec![Err(why)],
    }
}

fn recorded<G: Playable>(records: Records<'_>) -> Result<Recorded<G>, String> {
    Recorded::read(records.iter().map(|(at, text)| (Time(*at), *text)))
}
