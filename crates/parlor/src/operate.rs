//! `parlor tokens`, `audit`, `bans` and `kick`: what an operator asks of a running server.

use std::fs::File;
use std::io::Write;

use anyhow::{Context, Result};
use clap::ValueEnum;
use hall::KeyHash;
use serde_json::{Map, Value, json};

use crate::cli::{
    AuditArgs, BansArgs, BansCommand, KickArgs, RemoteArgs, Target, TokensArgs, TokensCommand,
};
use crate::servers::Remote;
use crate::terminal::output::{self, count};

pub fn tokens(args: &TokensArgs) -> Result<()> {
    match &args.command {
        TokensCommand::Add { name, scope, remote } => {
            let scope = scope.to_possible_value().map(|value| value.get_name().to_owned());
            let body = json!({ "name": name, "scope": scope });
            let made = Remote::find(remote)?.post_json("/api/v1/tokens", &body)?;
            output::line(text(&made["token"]))
        }
        TokensCommand::List { remote } => {
            let list = Remote::find(remote)?.get("/api/v1/tokens")?;
            for token in list["tokens"].as_array().into_iter().flatten() {
                let (name, scope) = (text(&token["name"]), text(&token["scope"]));
                output::line(&format!("{name:<24}{scope:<10}{}", time(&token["since"])))?;
            }
            Ok(())
        }
        TokensCommand::Revoke { name, remote } => {
            Remote::find(remote)?.delete(&format!("/api/v1/tokens/{name}"))?;
            output::line(&format!("The token '{name}' is revoked."))
        }
    }
}

pub fn audit(args: &AuditArgs) -> Result<()> {
    let remote = Remote::find(&args.remote)?;
    let mut file = match &args.out {
        Some(path) => Some(File::create(path).with_context(|| path.display().to_string())?),
        None => None,
    };
    let (mut left, mut after) = (args.limit, String::new());
    while file.is_some() || left > 0 {
        let most = if file.is_some() { 1000 } else { left.min(1000) };
        let page = remote.get(&format!("/api/v1/audit?limit={most}{after}"))?;
        for act in page["acts"].as_array().into_iter().flatten() {
            if let Some(file) = &mut file {
                writeln!(file, "{act}")?;
                continue;
            }
            left -= 1;
            output::line(&if args.json { act.to_string() } else { told(act) })?;
        }
        let Some(next) = page["next"].as_str() else { break };
        after = format!("&after={next}");
    }
    Ok(())
}

fn told(act: &Value) -> String {
    let (who, from) = (text(&act["who"]), text(&act["from"]));
    let (what, outcome) = (text(&act["what"]), text(&act["outcome"]));
    let (what, who) = (output::printable(what), output::printable(who));
    let mut line = format!("{}  {who:<16}{from:<18}{what}  {outcome}", time(&act["at"]));
    if let Some(times) = act["times"].as_u64() {
        line += &format!("  {times} times, last {}", time(&act["last_at"]));
    }
    if let Some(about) = act["about"].as_str() {
        line += &format!("  {}", output::printable(about));
    }
    line
}

pub fn bans(args: &BansArgs) -> Result<()> {
    match &args.command {
        BansCommand::Add { whom, lasts, reason, remote } => {
            let mut body = whom.body();
            body.insert("reason".to_owned(), reason.as_str().into());
            body.extend(lasts.map(|lasts| ("for_s".to_owned(), lasts.as_secs().into())));
            let answer = Remote::find(remote)?.post_json("/api/v1/bans", &body.into())?;
            output::line(&format!("Banned; {}.", closed(&answer)))
        }
        BansCommand::List { remote } => {
            let list = Remote::find(remote)?.get("/api/v1/bans")?;
            for ban in list["bans"].as_array().into_iter().flatten() {
                let whom = ["name", "address"].map(|kind| text(&ban[kind])).concat();
                let whom = match ban["key"].as_str() {
                    Some(key) => format!("key {key}"),
                    None => whom,
                };
                let until = match &ban["until"] {
                    Value::Null => "until it is lifted".to_owned(),
                    until => format!("until {}", time(until)),
                };
                let reason = output::printable(text(&ban["reason"]));
                output::line(format!("{whom:<24}{until:<28}{reason}").trim_end())?;
            }
            Ok(())
        }
        BansCommand::Lift { whom, remote } => {
            let path = match (&whom.name, whom.address, &whom.key) {
                (Some(name), ..) => format!("name/{name}"),
                (_, Some(address), _) => format!("address/{address}"),
                (_, _, Some(key)) => format!("key/{}", KeyHash::of(key).fingerprint()),
                (None, None, None) => unreachable!("clap demands one of them"),
            };
            Remote::find(remote)?.delete(&format!("/api/v1/bans/{path}"))?;
            output::line("The ban is lifted.")
        }
    }
}

pub fn kick(args: &KickArgs) -> Result<()> {
    let body = Value::Object(args.whom.body());
    let answer = Remote::find(&args.remote)?.post_json("/api/v1/kicks", &body)?;
    output::line(&format!("{}.", closed(&answer)))
}

pub fn drain(remote: &RemoteArgs) -> Result<()> {
    let answer = Remote::find(remote)?.post("/api/v1/drain")?;
    let running = answer["running"].as_u64().unwrap_or(0);
    if answer["fleet"] == true {
        let stops = match running {
            0 => "It stops now: no one connected to it is playing.".to_owned(),
            1 => "It stops when the game of the one player connected to it is over.".to_owned(),
            players => {
                format!(
                    "It stops when the games of the {players} players connected to it are over."
                )
            }
        };
        return output::line(&format!(
            "The other servers continue this server's games and take new players. {stops}"
        ));
    }
    output::line(&match running {
        0 => "No game is running. The server stops now.".to_owned(),
        games => format!(
            "No new games start. The server stops when {} over.",
            if games == 1 { "the running one is".to_owned() } else { format!("{games} games are") }
        ),
    })
}

impl Target {
    fn body(&self) -> Map<String, Value> {
        let mut body = Map::new();
        body.extend(self.name.as_ref().map(|name| ("name".to_owned(), name.as_str().into())));
        let address = self.address.map(|address| address.to_string().into());
        body.extend(address.map(|address| ("address".to_owned(), address)));
        body.extend(self.key.as_ref().map(|key| ("key".to_owned(), key.as_str().into())));
        body
    }
}

fn closed(answer: &Value) -> String {
    format!("{} closed", count(answer["closed"].as_u64().unwrap_or(0), "connection"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Milliseconds since 1970 as a date and a time, in UTC.
pub fn time(value: &Value) -> String {
    let seconds = value.as_u64().unwrap_or(0) / 1000;
    let (days, rest) = ((seconds / 86_400) as i64, seconds % 86_400);
    // The calendar, counted in eras of 400 years that begin on a first of March.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (ms, text) in [
            (0_u64, "1970-01-01 00:00:00Z"),
            (951_782_400_000, "2000-02-29 00:00:00Z"),
            (1_794_847_509_123, "2026-11-16 16:45:09Z"),
            (4_107_542_399_000, "2100-02-28 23:59:59Z"),
        ] {
            assert_eq!(time(&ms.into()), text);
        }
    }
}
