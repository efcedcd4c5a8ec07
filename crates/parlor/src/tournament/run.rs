//! A whole tournament on a server of its own, which can be interrupted and taken up again.

use std::io::{IsTerminal, stderr, stdout};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Map, Value, json};
use server::Roster;
use store::StoreError;
use wire::{AnyDialect, Games};

use super::contestant::Venue;
use super::entrant::{self, Entrant, Row};
use super::field::{Field, Verdict};
use super::orders::ratings;
use super::report;
use super::snapshot::Snapshot;
use crate::cli::RunArgs;
use crate::config;
use crate::embedded::Embedded;
use crate::interrupt::{Interrupt, interrupt};
use crate::output;
use crate::play::confinement::Confinement;
use crate::play::{command, house};
use crate::remote::Remote;
use crate::unreadable::Unreadable;

/// The tournament's name on its server.
const ID: &str = "tournament";

pub fn run(roster: &Roster, args: &RunArgs) -> Result<()> {
    let runtime = tokio::runtime::Runtime::new()?;
    let played = runtime.block_on(play(roster, args));
    match played.as_ref().err().and_then(|error| error.downcast_ref::<Interrupt>()) {
        Some(_) => played.context("the same command goes on where this one stopped"),
        None => played,
    }
}

async fn play(roster: &Roster, args: &RunArgs) -> Result<()> {
    let interrupt = interrupt()?;
    let wire = roster.wire(&args.game, args.wire.as_deref()).map_err(Unreadable)?;
    let entrants = entrants(roster, args, &wire)?;
    let mut wish = json!({
        "game": args.game,
        "id": ID,
        "plan": super::plan(&args.plan, entrants.len())?,
        "entrants": entrants.iter().map(Entrant::json).collect::<Vec<_>>(),
        "options": options(args, &wire)?,
        "no_show_s": args.plan.no_show,
        "starts_when_full": false,
        // Nobody but the bots started here can reach this server.
        "open_names": true,
    });
    try_out(roster, args, &wire, wish.clone()).await?;
    wish["starts_when_full"] = true.into();
    let data = Some(args.out.join("data"));
    let server = Embedded::start(roster, &wire, &args.set, data).await;
    let server = server.map_err(|error| match error.downcast_ref() {
        Some(StoreError::InUse(_)) => anyhow!(
            "another 'parlor tournament run' uses {}: wait for its end, or say another --out",
            args.out.display()
        ),
        _ => error,
    })?;
    let remote = server.remote();
    let (call, out) = (remote.clone(), args.out.clone());
    let games = roster.names();
    let earlier = blocking(move || take_up(&games, &call, &wish, &out)).await?;
    let confinement = Confinement::new(&args.confinement)?;
    let venue = Venue {
        wire: &wire,
        server: &server.address,
        tournament: ID,
        no_show: Duration::from_secs(args.plan.no_show),
        logs: &args.out.join("logs"),
        confinement: &confinement,
    };
    let mut field = Field::new(&entrants, &remote, venue).await?;
    let bar = progress();
    let end = tokio::select! {
        end = follow(&mut field, earlier, &bar) => end,
        interrupt = interrupt => Err(interrupt.into()),
    };
    bar.finish_and_clear();
    let written = match &end {
        Ok(now) => {
            field.dismiss("the tournament is over").await?;
            let (out, game, verdict) = (args.out.clone(), wire.game, field.verdict(now));
            blocking(move || write(&remote, &out, game, verdict)).await
        }
        Err(_) => stop(&mut field).await,
    };
    drop(field);
    server.shutdown().await?;
    end.and(written)
}

/// What is being played is not lost by those whose programs end with this one: it is closed, and
/// played again when the tournament goes on.
async fn stop(field: &mut Field) -> Result<()> {
    field.order("pause").await?;
    field.close_games().await?;
    field.end("the run was stopped");
    Ok(())
}

/// Who takes part. What cannot work is refused before anything starts.
fn entrants(games: &Games, args: &RunArgs, wire: &AnyDialect) -> Result<Vec<Entrant>> {
    let rows = match &args.entrants {
        Some(path) => Row::read(path)?,
        None => Vec::new(),
    };
    let entrants = entrant::all(&args.bot, &rows, wire)?;
    if entrants.len() < 2 {
        let why =
            "a tournament takes at least two bots: say --bot once for each, or --entrants FILE";
        return Err(Unreadable(why.to_owned()).into());
    }
    house::check_options(games, wire, &args.set, ("--seats", args.plan.seats))?;
    entrants.iter().try_for_each(|entrant| command::check_program(&entrant.bot))?;
    Ok(entrants)
}

/// The options of the game that were asked for: they count more than what tournaments usually
/// have.
fn options(args: &RunArgs, wire: &AnyDialect) -> Result<Map<String, Value>> {
    let own = format!("{}.", wire.game);
    let set: Vec<String> =
        args.set.iter().filter_map(|set| Some(set.trim().strip_prefix(&own)?.to_owned())).collect();
    let mut options = config::options(&set)?;
    if let Some(ms) = args.move_timeout {
        options.extend(crate::play::clock(ms));
    }
    if let Some(ms) = args.pace {
        options.insert("pace_ms".to_owned(), ms.into());
    }
    Ok(options)
}

async fn blocking<T: Send + 'static>(
    call: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(call).await?
}

/// Convenes the tournament where nothing is kept, so that one which is refused leaves nothing
/// behind.
async fn try_out(roster: &Roster, args: &RunArgs, wire: &AnyDialect, wish: Value) -> Result<()> {
    let server = Embedded::start(roster, wire, &args.set, None).await?;
    let remote = server.remote();
    let convened = blocking(move || remote.post_json("/api/v1/tournaments", &wish)).await;
    server.shutdown().await?;
    let refused = |why| Unreadable(format!("the tournament cannot begin: {why:#}"));
    Ok(convened.map(drop).map_err(refused)?)
}

/// Convenes the tournament, unless it is there from an earlier run; then it must be the same, and
/// this is how it stands.
fn take_up(games: &[&str], remote: &Remote, wish: &Value, out: &Path) -> Result<Option<Value>> {
    let mut kept = None;
    for game in games {
        kept = kept.or(remote.look_up(&format!("/api/v1/tournaments/{game}/{ID}"))?);
    }
    let Some(kept) = kept else {
        return remote.post_json("/api/v1/tournaments", wish).map(|_| None);
    };
    let names_and_bots = |tournament: &Value| {
        let entrants = tournament["entrants"].as_array().into_iter().flatten();
        entrants
            .map(|entrant| (entrant["name"].clone(), entrant["bot"].clone()))
            .collect::<Vec<_>>()
    };
    // The seed of a tournament is not told before its end.
    let same_plan = ["format", "table_seats", "best_of", "rated"]
        .into_iter()
        .all(|key| kept["plan"][key] == wish["plan"][key]);
    if kept["game"] != wish["game"] || names_and_bots(&kept) != names_and_bots(wish) || !same_plan {
        bail!(
            "there is another tournament in {}: say another --out, or the same game, bots and format",
            out.display()
        );
    }
    Ok(Some(kept))
}

/// Starts the bots and shows how it goes until it is over. Of an earlier run it says how far that
/// came; what that run left unfinished is played again.
async fn follow(field: &mut Field, earlier: Option<Value>, bar: &ProgressBar) -> Result<Snapshot> {
    let mut decided = match &earlier {
        None => report::Decided::default(),
        Some(earlier) => {
            let decided = report::Decided::since(earlier);
            say_before(decided.count())?;
            decided
        }
    };
    if earlier
        .is_some_and(|earlier| !matches!(earlier["phase"].as_str(), Some("over" | "cancelled")))
    {
        field.close_games().await?;
    }
    loop {
        let now = field.look_up().await?;
        if now.tournament["phase"] == "paused" {
            field.order("resume").await?;
            continue;
        }
        let news = decided.news(&now.tournament);
        show(bar, &now.tournament, &decided, news)?;
        if now.is_over() {
            return Ok(now);
        }
        field.look(&now)?;
        tokio::select! {
            end = field.next_end() => {
                let (index, status) = end?;
                if let Some(text) = field.ended(index, status).await? {
                    bar.suspend(|| output::error(&text));
                }
            }
            () = tokio::time::sleep(Duration::from_millis(100)) => {}
        }
    }
}

fn show(
    bar: &ProgressBar,
    tournament: &Value,
    decided: &report::Decided,
    news: Vec<String>,
) -> Result<()> {
    let all = tournament["pairings"].as_array().map_or(0, Vec::len);
    bar.set_message(report::progress(tournament, decided.count()));
    bar.set_length(all as u64);
    bar.set_position(decided.count() as u64);
    for line in news {
        match stdout().is_terminal() {
            true => bar.suspend(|| output::line(&line))?,
            false => output::line(&json!({ "decided": line }).to_string())?,
        }
    }
    Ok(())
}

fn say_before(count: usize) -> Result<()> {
    if !stdout().is_terminal() {
        return output::line(&json!({ "decided_before": count }).to_string());
    }
    let pairings = output::count(count as u64, "pairing");
    output::line(&format!("taken up again: {pairings} decided before"))
}

fn progress() -> ProgressBar {
    let target = match stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let style = ProgressStyle::with_template("{bar:40} {msg}, {elapsed}");
    let style = style.expect("the template is well formed");
    ProgressBar::with_draw_target(None, target).with_style(style)
}

/// Writes everything down and shows the result.
fn write(remote: &Remote, out: &Path, game: &str, verdict: Verdict) -> Result<()> {
    let place = format!("/api/v1/tournaments/{game}/{ID}");
    let tournament = remote.get(&place)?;
    let ratings = ratings(remote, game)?;
    let keep = |name: &str, text: String| {
        let path = out.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    let results = json!({ "tournament": tournament, "ratings": ratings, "bots": verdict.bots });
    keep("tournament.json", serde_json::to_string_pretty(&results)?)?;
    keep("standings.csv", remote.get_text(&format!("{place}/standings.csv"))?)?;
    keep("results.csv", remote.get_text(&format!("{place}/results.csv"))?)?;
    let games = replays(remote, out, game)?;
    if stdout().is_terminal() {
        output::line(&format!("\n{}", report::standings(&tournament, &ratings)))?;
        for worry in &verdict.worries {
            output::line(&format!("\n{worry}"))?;
        }
        let games = output::count(games as u64, "game");
        output::line(&format!("\n{games}. Results, replays and logs: {}", out.display()))?;
    } else {
        output::line(&json!({ "summary": results }).to_string())?;
    }
    match &verdict.never_played[..] {
        [] => Ok(()),
        names => {
            bail!("{} never made a move. See {}.", names.join(", "), out.join("logs").display())
        }
    }
}

/// Writes every game as `parlor replay` reads it; says how many there are.
fn replays(remote: &Remote, out: &Path, game: &str) -> Result<usize> {
    let folder = out.join("replays");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    let mut count = 0;
    let mut after = String::new();
    loop {
        let page = remote.get(&format!("/api/v1/results?game={game}&limit=1000{after}"))?;
        for result in page["results"].as_array().into_iter().flatten() {
            let id = result["id"].as_str().context("a game without an id")?;
            let replay = remote.get_text(&format!("/api/v1/results/{game}/{id}/replay"))?;
            let path = folder.join(format!("{id}.jsonl"));
            std::fs::write(&path, replay)
                .with_context(|| format!("cannot write {}", path.display()))?;
            count += 1;
        }
        match page["next"].as_u64() {
            Some(next) => after = format!("&after={next}"),
            None => return Ok(count),
        }
    }
}
