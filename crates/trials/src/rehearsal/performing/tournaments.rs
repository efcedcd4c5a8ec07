//! Organisers' actions on tournaments, in a rehearsal.

use hall::{EntrantKey, Entry, KeyHash, Name, NewEntrant, NewTournament, Order, Request};
use tournament::{PairingId, Plan};
use wire::{Playable, tournament_terms};

use super::Rehearsal;
use crate::rehearsal::script::key_and_value;

impl<G: Playable> Rehearsal<G> {
    pub(super) fn convene(&mut self, id: &str, changes: &[&str]) -> Result<(), String> {
        let mut options = serde_json::Map::new();
        let mut plan = serde_json::Map::new();
        let mut new = NewTournament {
            id: Some(id.into()),
            plan: Plan::default(),
            terms: G::terms(&self.options)?,
            no_show_ms: 25_000,
            starts_when_full: true,
            open: true,
            open_names: true,
            entry: Entry::Open,
            entrants: Vec::new(),
        };
        for change in changes {
            let (key, value) = change.split_once('=').ok_or("a change is key=value")?;
            match key {
                "entrants" => new.entrants = value.split(',').map(entrant).collect(),
                "no_show_ms" => new.no_show_ms = number(value)?,
                "open_names" => new.open_names = value == "true",
                "entry" if value == "claimed" => new.entry = Entry::Claimed,
                "open" => new.open = value == "true",
                "starts_when_full" => new.starts_when_full = value == "true",
                "format" | "table_seats" | "max_entrants" | "best_of" | "draw_replays" => {
                    let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
                    plan.insert(key.to_owned(), value);
                }
                _ => {
                    let (key, value) = key_and_value(change)?;
                    options.insert(key, value);
                }
            }
        }
        new.terms = tournament_terms::<G>(&self.options, &options)?;
        new.plan = serde_json::from_value(plan.into()).map_err(|why| why.to_string())?;
        self.ask(Request::Convene(Box::new(new)));
        Ok(())
    }

    pub(super) fn order(&mut self, id: &str, words: &[&str]) -> Result<(), String> {
        let order = match *words {
            ["start"] => Order::Start,
            ["pause"] => Order::Pause,
            ["resume"] => Order::Resume,
            ["cancel"] => Order::Cancel,
            ["enter", name] => Order::Enter(entrant(name)),
            ["leave", name] => Order::Leave(name.into()),
            ["withdraw", name] => Order::Withdraw(name.into()),
            ["reinstate", name] => Order::Reinstate(name.into()),
            ["adjudicate", pairing, places] => Order::Adjudicate {
                pairing: PairingId(number(pairing)?),
                places: places.split(',').map(number).collect::<Result<_, _>>()?,
            },
            _ => return Err(format!("no order: {}", words.join(" "))),
        };
        self.ask(Request::Order { id: id.into(), order });
        Ok(())
    }
}

/// `ann`, `ann:greedy` for a bot, `ann=red` for another name at the tables; `ann@pk_…` has a key
/// for this tournament, `ann@house` the one of its name.
fn entrant(text: &str) -> NewEntrant {
    let (text, key) = text.split_once('@').map_or((text, None), |(text, key)| (text, Some(key)));
    let key = key.map(|key| match key {
        "house" => EntrantKey::House,
        key => EntrantKey::Own(KeyHash::of(key)),
    });
    let part = |mark: char| text.split_once(mark).map(|(_, value)| Name::from(value));
    let name = text.split([':', '=']).next().unwrap_or(text).into();
    NewEntrant { name, display: None, plays_as: part('='), bot: part(':'), version: None, key }
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("'{text}' is no number"))
}
