//! Finished games, told again from their records.

use hall::{Eyes, Frame, Recorded, Retelling, SeatTurn, SeatTurns, Time};
use rules::any::{AnyBot, AnyRules};
use rules::{Dice, Move, Outcome, Seat, Seed, Step, Viewer};
use serde::Serialize;
use serde_json::Value;

use crate::account::Account;
use crate::any_game::{AnyGame, Records};
use crate::words;

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

impl dyn AnyGame {
    /// A finished game as these eyes would have seen it, as JSON Lines.
    pub fn retell(&self, records: Records<'_>, eyes: Eyes) -> Result<Retold, String> {
        Ok(json_lines(Retelling::new(self.recorded(records)?, eyes)?))
    }

    /// The same in one text.
    pub fn frames(&self, records: Records<'_>, eyes: Eyes) -> Result<String, String> {
        self.retell(records, eyes)?.collect()
    }

    /// The same in words, an item for each message. Without eyes it is what the public saw, and at
    /// the end everything.
    pub fn retell_in_words(
        &self,
        records: Records<'_>,
        eyes: Option<Eyes>,
    ) -> Result<Retold, String> {
        let (rules, recorded) = (self.rules(), self.recorded(records)?);
        let frames = Retelling::new(recorded.clone(), eyes.unwrap_or(Eyes::Public))?;
        // The public's latest view is held back until it is clear whether it was the last.
        let mut last: Option<(u64, String)> = None;
        let told = move |step: Result<Option<Frame<'static>>, String>| {
            let Some(frame) = step? else { return Ok(Vec::new()) };
            let part = words::frame(rules, &frame);
            Ok(match &frame {
                Frame::Update(update) if eyes.is_none() => {
                    last.replace((update.seq, part)).map(|(_, part)| part).into_iter().collect()
                }
                Frame::Over(_) => {
                    let whole = last.take().map(|(seq, _)| whole(rules, &recorded, seq));
                    whole.transpose()?.into_iter().chain([part]).collect()
                }
                _ => vec![part],
            })
        };
        Ok(Box::new(frames.map(told).flat_map(parted)))
    }

    /// All that it is in words.
    pub fn story(&self, records: Records<'_>, eyes: Option<Eyes>) -> Result<Vec<String>, String> {
        let parts = self.retell_in_words(records, eyes)?;
        parts.filter(|part| part.as_ref().map_or(true, |part| !part.is_empty())).collect()
    }

    /// What every seat of a finished game knew, could do and did, turn by turn.
    pub fn seat_turns(&self, records: Records<'_>) -> Result<AnySeatTurns, String> {
        let SeatTurns { table, config, seed, turns } = self.recorded(records)?.seat_turns()?;
        let config = serde_json::to_value(config).expect("settings are plain data");
        let line = |turn| {
            let line = SeatTurnLine { game: self.name(), id: &table, turn };
            serde_json::to_string(&line).expect("turns are plain data") + "\n"
        };
        Ok(AnySeatTurns { config, seed, lines: turns.iter().map(line).collect() })
    }

    /// Plays a finished game again. An error: it is not what its records say.
    pub fn verify(&self, records: Records<'_>) -> Result<(), String> {
        self.recorded(records)?.verify()
    }

    /// What a finished game says about each seat. Stops with an error as soon as `goes_on` returns
    /// false.
    pub fn account(
        &self,
        records: Records<'_>,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Account, String> {
        Account::of(self.rules(), records, goes_on)
    }

    /// Lets house strategies play, one for each seat, without a hall. `thinking` carries each
    /// choice out, so that it can look at a clock before and after.
    pub fn let_play(
        &self,
        strategies: &[&str],
        seed: Seed,
        thinking: &mut dyn FnMut(Seat, &mut dyn FnMut()),
    ) -> Result<Outcome, String> {
        let terms = self.terms(&self.default_options())?;
        let mut dice = Dice::new(&seed, "bots", 0);
        let game = terms.config.setup(strategies.len(), seed);
        let mut game = game.map_err(|why| why.to_string())?;
        let known = self.hooks().bots;
        let make = |name: &&str| {
            let strategy = known.iter().find(|strategy| strategy.name == *name);
            let missing = || format!("{} has no strategy '{name}'", self.name());
            Ok(strategy.ok_or_else(missing)?.make())
        };
        let bots: Result<Vec<Box<dyn AnyBot>>, String> = strategies.iter().map(make).collect();
        let mut bots = bots?;
        let mut turn = Vec::new();
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
                let chosen = chosen.ok_or("a strategy was not asked")?;
                let action = chosen.map_err(|why| why.to_string())?;
                if let Err(why) = game.check(seat, &action) {
                    let (name, game) = (strategies[seat.index()], self.name());
                    return Err(format!("{name} plays {action:?} at {game}: {why}"));
                }
                turn.push((seat, Move::Act(action)));
            }
            game.advance(Step::Turn(&turn)).map_err(|why| why.to_string())?;
        }
    }

    fn recorded(&self, records: Records<'_>) -> Result<Recorded, String> {
        let records = records.iter().map(|(at, text)| (Time(*at), *text));
        Recorded::read(self.rules(), records)
    }
}

#[derive(Serialize)]
struct SeatTurnLine<'a> {
    game: &'static str,
    id: &'a str,
    #[serde(flatten)]
    turn: &'a SeatTurn,
}

/// A game replayed as JSON Lines.
pub fn json_lines(retelling: Retelling) -> Retold {
    let line = |frame| serde_json::to_string(&frame).expect("frames are plain data") + "\n";
    Box::new(retelling.map(move |step| Ok(step?.map_or_else(String::new, line))))
}

/// The position after a turn as all eyes together saw it, in words.
fn whole(rules: &dyn AnyRules, recorded: &Recorded, seq: u64) -> Result<String, String> {
    let update = recorded.updates(Eyes::All, seq..=seq, usize::MAX)?.pop();
    let words = |update| words::frame(rules, &Frame::Update(Box::new(update)));
    Ok(update.map_or_else(String::new, words))
}

/// Each part of a step; a step without any is an empty text.
fn parted(step: Result<Vec<String>, String>) -> Vec<Result<String, String>> {
    match step {
        Ok(parts) if parts.is_empty() => vec![Ok(String::new())],
        Ok(parts) => parts.into_iter().map(Ok).collect(),
        Err(why) => vec![Err(why)],
    }
}
