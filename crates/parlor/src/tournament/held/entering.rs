//! Who takes part: named when a tournament is created, or entered later.

use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::super::{entrant, plan};
use super::{Held, keys};
use crate::cli::{CreateArgs, CreateLadderArgs, EntryName, options};
use crate::servers::Remote;

/// The server's answer, with the keys of those it has let in.
pub struct Entered {
    pub tournament: Value,
    /// Who organises is shown the keys; who entered alone has the key of its name already.
    organised: Option<Remote>,
}

impl Entered {
    /// Shows the keys that the answer brings, or writes them to a file.
    pub fn show_keys(&self, file: Option<&Path>) -> Result<()> {
        match &self.organised {
            Some(remote) => keys::show(remote, &self.tournament, file),
            None => Ok(()),
        }
    }

    fn create(remote: Remote, body: &Value) -> Result<Entered> {
        let tournament = remote.post_json("/api/v1/tournaments", body)?;
        Ok(Entered { tournament, organised: Some(remote) })
    }
}

pub fn create(args: &CreateArgs) -> Result<Entered> {
    let remote = Remote::find(&args.remote)?;
    let mut entrants: Vec<Value> =
        (1..).zip(&args.entrant).map(|(n, e)| entrant::parse(e, n)).collect();
    if let Some(file) = &args.entrants {
        entrants.extend(entrant::Row::read(file)?.iter().map(entrant::Row::json));
    }
    let most = args.max.unwrap_or(if entrants.is_empty() { 4 } else { entrants.len().max(2) });
    let mut body = json!({
        "game": args.game,
        "plan": plan(&args.plan, most)?,
        "entrants": entrants,
        "no_show_s": args.plan.no_show,
        "options": options(&args.set, &args.game)?,
    });
    if args.open {
        body["open"] = true.into();
    }
    body["open_names"] = args.open_names.into();
    if args.entry == EntryName::Claimed {
        body["entry"] = "claimed".into();
    }
    if let Some(id) = &args.id {
        body["id"] = id.as_str().into();
    }
    Entered::create(remote, &body)
}

pub fn create_ladder(args: &CreateLadderArgs) -> Result<Entered> {
    let remote = Remote::find(&args.remote)?;
    let entrants = (1..).zip(&args.entrant).map(|(number, text)| entrant::parse(text, number));
    let mut body = json!({
        "game": args.game,
        "plan": {
            "format": {"ladder": {"wait_s": args.wait}},
            "table_seats": args.seats,
            "max_entrants": args.max,
            "concurrency": args.concurrency,
            "rated": !args.unrated,
        },
        "entrants": entrants.collect::<Vec<Value>>(),
        "no_show_s": args.no_show,
        "options": options(&args.set, &args.game)?,
    });
    if let Some(id) = &args.id {
        body["id"] = id.as_str().into();
    }
    Entered::create(remote, &body)
}

impl Held<'_> {
    /// With a key, entrants enter themselves; without one, the organiser enters others.
    pub fn enter(
        self,
        text: &str,
        more: [(&str, &Option<String>); 2],
        key: Option<String>,
    ) -> Result<Entered> {
        if let Some(key) = key {
            let tournament = self.enter_own(text, more, key)?;
            return Ok(Entered { tournament, organised: None });
        }
        let count = self.get()?["entrants"].as_array().map_or(0, Vec::len);
        let mut entrant = entrant::parse(text, count + 1);
        for (key, text) in more {
            if let Some(text) = text {
                entrant[key] = text.as_str().into();
            }
        }
        let tournament = self.post("entrants", Some(&entrant))?;
        Ok(Entered { tournament, organised: Some(self.remote) })
    }
}
