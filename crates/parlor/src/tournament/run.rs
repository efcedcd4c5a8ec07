//! A whole tournament on a server of its own, which can be interrupted and taken up again.

use std::io::{IsTerminal, stderr, stdout};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use games::wires::Wire;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};
use server::Server;
use store::StoreError;
use tokio::task::JoinSet;

use super::orders::ratings;
use super::report;
use super::supervisor::supervise;
use crate::cli::{Flags, RunArgs};
use crate::config;
use crate::interrupt::{Interrupt, interrupt};
use crate::output;
use crate::play::program::Place;
use crate::play::{command, house};
use crate::remote::Remote;
use crate::unreadable::Unreadable;

/// The tournament's name on its server.
const ID: &str = "tournament";

pub fn run(args: &RunArgs) -> Result<()> {
    if args.bot.len() < 2 {
        let why = "a tournament takes at least two bots: say --bot once for each";
        return Err(Unreadable(why.to_owned()).into());
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let played = runtime.block_on(play(args));
    match played.as_ref().err().and_then(|error| error.downcast_ref::<Interrupt>()) {
        Some(_) => played.context("the same command goes on where this one stopped"),
        None => played,
    }
}

async fn play(args: &RunArgs) -> Result<()> {
    let interrupt = interrupt()?;
    let wire = Wire::find(&args.game, args.wire.as_deref()).map_err(Unreadable)?;
    let bots = args.bot.iter().map(|bot| command::parse(bot, &wire));
    let bots = bots.collect::<Result<Vec<_>, _>>()?;
    house::check_options(&wire, &args.set, ("--seats", args.plan.seats))?;
    bots.iter().try_for_each(command::check_program)?;
    let entrants = entrants(args, &wire);
    let mut wish = json!({
        "game": args.game,
        "id": ID,
        "plan": super::plan(&args.plan, args.bot.len())?,
        "entrants": entrants,
        "no_show_s": args.plan.no_show,
        "starts_when_full": false,
    });
    try_out(args, &wire, wish.clone()).await?;
    wish["starts_when_full"] = true.into();
    let server = start(args, &wire, Some(args.out.join("data"))).await;
    let server = server.map_err(|error| match error.downcast_ref() {
        Some(StoreError::InUse(_)) => anyhow!(
            "another 'parlor tournament run' uses {}: wait for its end, or say another --out",
            args.out.display()
        ),
        _ => error,
    })?;
    let port = address(&server, wire.name)?;
    let remote = remote(&server)?;
    let (call, out) = (remote.clone(), args.out.clone());
    let earlier = blocking(move || take_up(&call, &wish, &out)).await?;
    let mut programs = JoinSet::new();
    for (bot, entrant) in args.bot.iter().zip(&entrants) {
        if entrant["bot"].is_null() {
            let name = entrant["plays_as"].as_str().or(entrant["name"].as_str());
            let place = Place {
                host: port.ip().to_string(),
                port: port.port(),
                game: wire.game,
                name: name.unwrap_or_default().to_owned(),
                table: String::new(),
                tournament: ID.to_owned(),
            };
            programs.spawn(supervise(bot.clone(), place));
        }
    }
    let end = tokio::select! {
        end = follow(args, &remote, earlier) => end,
        interrupt = interrupt => Err(interrupt.into()),
        Some(stopped) = programs.join_next() => match stopped {
            Ok(Err(error)) => Err(error),
            Err(panic) => Err(panic.into()),
            Ok(Ok(never)) => match never {},
        },
    };
    drop(programs);
    let written = match &end {
        Ok(()) => {
            let (out, game) = (args.out.clone(), args.game.clone());
            blocking(move || write(&remote, &out, &game)).await
        }
        Err(_) => Ok(()),
    };
    server.shutdown().await?;
    written?;
    end
}

async fn blocking<T: Send + 'static>(
    call: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(call).await?
}

/// Convenes the tournament where nothing is kept, so that one which is refused leaves nothing
/// behind.
async fn try_out(args: &RunArgs, wire: &Wire, wish: Value) -> Result<()> {
    let server = start(args, wire, None).await?;
    let remote = remote(&server)?;
    let convened = blocking(move || remote.post_json("/api/v1/tournaments", &wish)).await;
    server.shutdown().await?;
    let refused = |why| Unreadable(format!("the tournament cannot begin: {why:#}"));
    Ok(convened.map(drop).map_err(refused)?)
}

/// A server for this tournament alone, in a folder or in memory.
async fn start(args: &RunArgs, wire: &Wire, data: Option<PathBuf>) -> Result<Server> {
    let port = |name: &str| {
        let used = name == wire.name || name == "http";
        format!("{name}={}", if used { "0" } else { "off" })
    };
    let flags = Flags {
        ephemeral: data.is_none(),
        data,
        port: games::roster::PORTS.iter().map(|name| port(name)).collect(),
        set: args.set.clone(),
        ..Flags::default()
    };
    Server::start(config::embedded(&flags)?).await
}

fn address(server: &Server, name: &str) -> Result<SocketAddr> {
    let address = server.addresses.get(name).copied();
    address.with_context(|| format!("nothing listens for {name}"))
}

fn remote(server: &Server) -> Result<Remote> {
    let address = address(server, "http")?.to_string();
    Ok(Remote { address, token: Some(server.admin_token.clone()) })
}

/// The bots as entrants, in the order in which they were given.
fn entrants(args: &RunArgs, wire: &Wire) -> Vec<Value> {
    let entrant = |(index, bot): (usize, &String)| match bot.strip_prefix("house:") {
        Some(strategy) => {
            let name = format!("{strategy}-{}", index + 1);
            json!({"name": name, "plays_as": (wire.signs.nth_name)(index), "bot": strategy})
        }
        None => {
            let name = format!("bot-{}", index + 1);
            json!({"name": name, "plays_as": (wire.signs.nth_name)(index)})
        }
    };
    args.bot.iter().enumerate().map(entrant).collect()
}

/// Convenes the tournament, unless it is there from an earlier run; then it must be the same, and
/// this is how it stands.
fn take_up(remote: &Remote, wish: &Value, out: &Path) -> Result<Option<Value>> {
    let mut kept = None;
    for game in games::roster::GAMES {
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

/// Shows how it goes until it is over. Of an earlier run it says how far that came.
async fn follow(args: &RunArgs, remote: &Remote, earlier: Option<Value>) -> Result<()> {
    let mut decided = match earlier {
        None => report::Decided::default(),
        Some(earlier) => {
            let decided = report::Decided::since(&earlier);
            say_before(decided.count())?;
            decided
        }
    };
    let bar = progress();
    loop {
        let (remote, path) = (remote.clone(), format!("/api/v1/tournaments/{}/{ID}", args.game));
        let tournament = blocking(move || remote.get(&path)).await?;
        let news = decided.news(&tournament);
        let all = tournament["pairings"].as_array().map_or(0, Vec::len);
        bar.set_message(report::progress(&tournament, decided.count()));
        bar.set_length(all as u64);
        bar.set_position(decided.count() as u64);
        if !stdout().is_terminal() {
            for line in news {
                output::line(&json!({ "decided": line }).to_string())?;
            }
        }
        if matches!(tournament["phase"].as_str(), Some("over" | "cancelled")) {
            bar.finish_and_clear();
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
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
fn write(remote: &Remote, out: &Path, game: &str) -> Result<()> {
    let place = format!("/api/v1/tournaments/{game}/{ID}");
    let tournament = remote.get(&place)?;
    let ratings = ratings(remote, game)?;
    let keep = |name: &str, text: String| {
        let path = out.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    let results = json!({ "tournament": tournament, "ratings": ratings });
    keep("tournament.json", serde_json::to_string_pretty(&results)?)?;
    keep("standings.csv", remote.get_text(&format!("{place}/standings.csv"))?)?;
    keep("results.csv", remote.get_text(&format!("{place}/results.csv"))?)?;
    let games = replays(remote, out, game)?;
    if !stdout().is_terminal() {
        return output::line(&json!({ "summary": results }).to_string());
    }
    output::line(&report::standings(&tournament, &ratings))?;
    let games = output::count(games as u64, "game");
    output::line(&format!("\n{games}. Results and replays: {}", out.display()))
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
