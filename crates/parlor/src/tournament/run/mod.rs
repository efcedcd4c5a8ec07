//! A whole tournament on a private server, which can be interrupted and continued.

use wire::Games;
mod beginning;
mod contestant;
mod field;
mod following;
mod results;
mod secret;
mod snapshot;
mod wish;

use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use store::StoreError;

use crate::bots::{Confinement, PrivateFolder};
use crate::cli::{Isolate, RunArgs};
use crate::servers::Embedded;
use crate::terminal::{Interrupt, Unreadable, interrupt};

use contestant::Venue;
use field::Field;
use secret::Secret;

/// The tournament's name on its server.
const ID: &str = "tournament";

pub fn run(roster: &Games, args: &RunArgs) -> Result<()> {
    let runtime = tokio::runtime::Runtime::new()?;
    let played = runtime.block_on(play(roster, args));
    match played.as_ref().err().and_then(|error| error.downcast_ref::<Interrupt>()) {
        Some(_) => played.context("run the same command again to continue"),
        None => played,
    }
}

async fn play(roster: &Games, args: &RunArgs) -> Result<()> {
    let interrupt = interrupt()?;
    let wire = roster.wire(&args.game, args.wire.as_deref()).map_err(Unreadable)?;
    let entrants = wish::entrants(roster, args, &wire)?;
    let mut wish = wish::wish(args, &wire, &entrants)?;
    let secret = match args.plan.seed.filter(|_| !args.open_seed) {
        Some(number) => Secret::read_or_create(&args.out, number)?,
        None => None,
    };
    if let Some(secret) = &secret {
        wish["plan"]["seed"] = serde_json::to_value(secret.seed())?;
    }
    beginning::try_out(roster, args, &wire, wish.clone()).await?;
    let commands = wish::commands(&entrants);
    let hidden = [&*args.out];
    let confinement = Confinement::new(&args.confinement, Isolate::Auto, &commands, &hidden)?;
    let folder = PrivateFolder::close(&args.out)?;
    secret.iter().try_for_each(Secret::keep)?;
    wish["starts_when_full"] = true.into();
    let data = Some(args.out.join("data"));
    let server = Embedded::start(roster, &wire, &args.set, data).await;
    let server = server.map_err(|error| match error.downcast_ref() {
        Some(StoreError::InUse(_)) => anyhow!(
            "another 'parlor tournament run' uses {}: wait until it ends, or pass another --out",
            args.out.display()
        ),
        _ => error,
    })?;
    let remote = server.remote();
    let (call, out) = (remote.clone(), args.out.clone());
    let games = roster.names();
    let begun = blocking(move || beginning::create_or_resume(&games, &call, &wish, &out)).await?;
    let venue = Venue {
        wire: &wire,
        http: &server.http,
        keys: &begun.keys,
        tournament: ID,
        no_show: Duration::from_secs(args.plan.no_show),
        logs: &args.out.join("logs"),
        confinement: &confinement,
    };
    let mut field = Field::new(&entrants, &remote, venue).await?;
    let bar = following::progress();
    let end = tokio::select! {
        end = following::follow(&mut field, begun.earlier, &bar) => end,
        interrupt = interrupt => Err(interrupt.into()),
    };
    bar.finish_and_clear();
    let written = match &end {
        Ok(now) => {
            field.dismiss("the tournament is over").await?;
            let (out, game, verdict) = (args.out.clone(), wire.game, field.verdict(now));
            let told = secret.as_ref().map(Secret::json);
            let end = results::End { game, verdict, secret: told };
            let written = blocking(move || results::write(&remote, &out, end)).await;
            secret.iter().try_for_each(Secret::reveal)?;
            folder.open()?;
            written
        }
        Err(_) => stop(&mut field).await,
    };
    drop(field);
    server.shutdown().await?;
    end.and(written)
}

/// Games in progress are not lost by bots whose programs end with this one: they are closed, and
/// replayed when the tournament continues.
async fn stop(field: &mut Field) -> Result<()> {
    field.order("pause").await?;
    field.close_games().await?;
    field.end("the run was stopped");
    Ok(())
}

async fn blocking<T: Send + 'static>(
    call: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(call).await?
}
