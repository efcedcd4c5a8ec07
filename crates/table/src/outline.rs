//! What can be said about a table whose records this release can't read, because another wrote
//! them.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::Time;
use crate::record::{Closing, Summary};

impl Summary {
    /// The summary of a started table, from its records' texts alone; `None` if it never started.
    pub fn outlined<'a>(texts: impl Iterator<Item = &'a str>, closing: Closing) -> Option<Summary> {
        let records: Vec<Value> =
            texts.filter_map(|text| serde_json::from_str(text).ok()).collect();
        let find =
            |key: &str| records.iter().map(|record| &record[key]).find(|value| !value.is_null());
        let (opened, started) = (find("opened")?, find("started")?);
        let mut seats = BTreeMap::new();
        for record in &records {
            let (seated, left) = (&record["seated"], &record["left"]);
            if let (Some(seat), Some(name)) = (seated["seat"].as_u64(), seated["name"].as_str()) {
                seats.insert(seat, (name, seated["version"].as_str()));
            } else if let Some(seat) = left["seat"].as_u64() {
                seats.remove(&seat);
            }
        }
        let order = started["order"].as_array().into_iter().flatten().filter_map(Value::as_u64);
        let seated: Vec<(&str, Option<&str>)> =
            order.filter_map(|seat| seats.get(&seat).copied()).collect();
        Some(Summary {
            id: opened["id"].as_str().unwrap_or_default().into(),
            rules_version: opened["version"].as_u64().unwrap_or(0) as u32,
            opened_at: Time(opened["at"].as_u64().unwrap_or(0)),
            names: seated.iter().map(|(name, _)| (*name).into()).collect(),
            versions: seated.iter().map(|(_, version)| version.map(Into::into)).collect(),
            closing,
            rated: false,
            tournament: None,
        })
    }
}
