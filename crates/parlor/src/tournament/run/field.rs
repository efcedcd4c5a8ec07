//! All bots of a tournament that are commands: started, watched and ended as it continues.

use std::process::ExitStatus;
use std::time::Duration;

use anyhow::{Result, bail};
use futures_util::future::select_all;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::super::entrant::Entrant;
use super::contestant::{Contestant, Crash, Venue};
use super::snapshot::Snapshot;
use crate::servers::{Refused, Remote};

/// Time that programs have to end by themselves when the tournament is over.
const FAREWELL: Duration = Duration::from_secs(1);

pub struct Field {
    remote: Remote,
    game: &'static str,
    id: &'static str,
    contestants: Vec<Contestant>,
    /// How many games each had behind it when this run began.
    games_before: Vec<usize>,
}

/// What the field has come to.
pub struct Verdict {
    /// One for each bot that is a command.
    pub bots: Vec<Value>,
    /// What people should know of them.
    pub worries: Vec<String>,
    /// The bots that had games and never made a move.
    pub never_played: Vec<String>,
}

impl Field {
    pub async fn new(entrants: &[Entrant], remote: &Remote, venue: Venue<'_>) -> Result<Field> {
        let mut contestants = Vec::new();
        for (number, entrant) in entrants.iter().enumerate() {
            if let Some(command) = entrant.command() {
                contestants.push(Contestant::new(number, entrant, command, venue).await?);
            }
        }
        let mut field = Field {
            remote: remote.clone(),
            game: venue.wire.game,
            id: venue.tournament,
            contestants,
            games_before: vec![],
        };
        let now = field.look_up().await?;
        field.games_before = field.contestants.iter().map(|each| each.games_ended(&now)).collect();
        Ok(field)
    }

    /// How the tournament stands now.
    pub async fn look_up(&self) -> Result<Snapshot> {
        let (remote, game, id) = (self.remote.clone(), self.game, self.id);
        tokio::task::spawn_blocking(move || Snapshot::take(&remote, game, id)).await?
    }

    /// Starts every program that should run and does not.
    pub fn look(&mut self, now: &Snapshot) -> Result<()> {
        self.contestants.iter_mut().try_for_each(|contestant| contestant.look(now))
    }

    /// Waits for the next program that ends; forever, if none runs.
    pub async fn next_end(&mut self) -> Result<(usize, ExitStatus)> {
        let mut programs = Vec::new();
        for (index, contestant) in self.contestants.iter_mut().enumerate() {
            let program = contestant.program();
            if program.is_running() {
                programs.push(Box::pin(async move { (index, program.ended().await) }));
            }
        }
        if programs.is_empty() {
            return std::future::pending().await;
        }
        let ((index, status), ..) = select_all(programs).await;
        Ok((index, status?))
    }

    /// A program has ended: if a game is to continue without it, this reports it to the server and
    /// prints a line.
    pub async fn ended(&mut self, index: usize, status: ExitStatus) -> Result<Option<String>> {
        if let Some(why) = self.contestants[index].cannot_run(status) {
            bail!(why);
        }
        let now = self.look_up().await?;
        let Some(crash) = self.contestants[index].ended(status, &now).await else {
            return Ok(None);
        };
        self.report(&crash).await?;
        Ok(Some(crash.text))
    }

    async fn report(&self, crash: &Crash) -> Result<()> {
        let path = format!("/api/v1/tables/{}/{}/crashed", self.game, crash.table);
        let (remote, body) = (self.remote.clone(), json!({ "seat": crash.seat }));
        let told = tokio::task::spawn_blocking(move || remote.post_json(&path, &body)).await?;
        match told {
            // The game may have ended just now, or even be forgotten.
            Err(error) if Refused::is_conflict(&error) || Refused::is_missing(&error) => Ok(()),
            told => told.map(drop),
        }
    }

    /// Closes the games of these bots without a result, so that they are played again. While the
    /// tournament is paused no others begin.
    pub async fn close_games(&self) -> Result<()> {
        let now = self.look_up().await?;
        let names: Vec<String> = self.contestants.iter().map(|each| each.table_name()).collect();
        for table in now.tables_of(|name| names.iter().any(|known| known == name)) {
            let path = format!("/api/v1/tables/{}/{table}", self.game);
            let remote = self.remote.clone();
            let closed = tokio::task::spawn_blocking(move || remote.delete(&path)).await?;
            match closed {
                Err(error) if Refused::is_conflict(&error) => {}
                closed => drop(closed?),
            }
        }
        Ok(())
    }

    /// Lets no other game begin, or lets games begin again.
    pub async fn order(&self, order: &'static str) -> Result<()> {
        let path = format!("/api/v1/tournaments/{}/{}/{order}", self.game, self.id);
        let remote = self.remote.clone();
        tokio::task::spawn_blocking(move || remote.post(&path)).await?.map(drop)
    }

    /// Lets every program end by itself, for a moment, and ends those that do not.
    pub async fn dismiss(&mut self, why: &str) -> Result<()> {
        let until = Instant::now() + FAREWELL;
        while self.contestants.iter_mut().any(|each| each.program().is_running()) {
            let Ok(end) = timeout_at(until, self.next_end()).await else { break };
            let (index, status) = end?;
            self.contestants[index].note(&format!("ended: {status}"));
        }
        self.end(why);
        Ok(())
    }

    /// Ends every program.
    pub fn end(&mut self, why: &str) {
        self.contestants.iter_mut().for_each(|contestant| contestant.dismiss(why));
    }

    pub fn verdict(&self, end: &Snapshot) -> Verdict {
        let mut verdict = Verdict { bots: vec![], worries: vec![], never_played: vec![] };
        for (contestant, before) in self.contestants.iter().zip(&self.games_before) {
            let never_played = contestant.never_played(*before, end);
            verdict.bots.push(contestant.json());
            verdict.worries.extend(contestant.worries(never_played));
            if never_played {
                verdict.never_played.push(contestant.name.clone());
            }
        }
        verdict
    }
}
