//! Where a player loses: reviews of many of its games, the worst decisions first.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use rules::Seat;
use serde_json::{Value, json};
use store::sqlite::SqliteArchive;
use store::{Archive, Filter, Kind};
use wire::{Decision, Games, Marks, Review, ReviewWish};

use super::text::{in_words, percent, worst_first};
use crate::cli::ReviewArgs;
use crate::replay::{Game, files};
use crate::terminal::output;
use crate::terminal::output::count;

/// How many decisions are shown.
const DECISIONS: usize = 20;

pub fn run(games: &Games, args: &ReviewArgs, player: &str) -> Result<()> {
    let most = args.last as usize;
    let (place, found) = match &args.game {
        Some(folder) => (folder.clone(), in_folder(Path::new(folder), player, most)?),
        None => (args.data.display().to_string(), in_archive(games, &args.data, player, most)?),
    };
    if found.is_empty() {
        bail!("{player} has finished no game in {place}");
    }
    let bar = super::progress(found.len() as u64, "games");
    let mut losses = Losses::new(player);
    for (link, game) in &found {
        let wish = ReviewWish { deals: args.budget, seat: None };
        match super::of(games, game, wish, &mut |_, _| ()) {
            Ok(review) => losses.add(link, &review, &|name, _| name == player),
            // Rules of an earlier release would play another game, and some games have no result.
            Err(why) => output::note(&format!("{why:#}")),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    match args.json {
        true => output::line(&losses.json().to_string()),
        false => output::text(&losses.told()),
    }
}

/// The latest replays of a folder in which the player has a seat.
fn in_folder(folder: &Path, player: &str, most: usize) -> Result<Vec<(String, Game)>> {
    if !folder.is_dir() {
        bail!("{} is no folder: with --player, name a folder of replays", folder.display());
    }
    let mut found = Vec::new();
    for path in files(folder)?.into_iter().rev() {
        let text = std::fs::read_to_string(&path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        // Other tools keep other things there.
        let Ok(game) = Game::read(&text) else { continue };
        if game.has_player(player) {
            found.push((path.display().to_string(), game));
        }
        if found.len() == most {
            break;
        }
    }
    Ok(found)
}

fn in_archive(
    games: &Games,
    data: &Path,
    player: &str,
    most: usize,
) -> Result<Vec<(String, Game)>> {
    let archive = SqliteArchive::open(data)
        .with_context(|| format!("there is no data folder {}", data.display()))?;
    let filter = Filter {
        kind: Kind::Table,
        player: Some(player.to_owned()),
        finished: Some(true),
        limit: most,
        ..Filter::default()
    };
    let mut found = Vec::new();
    for finished in archive.finished(&filter)? {
        if games.find(&finished.game).is_err() {
            continue;
        }
        let replay = archive.replay(Kind::Table, &finished.game, &finished.id)?;
        let replay = replay.ok_or_else(|| anyhow!("game {} has no records", finished.id))?;
        found.push((finished.id.clone(), Game::read(&replay.to_json_lines())?));
    }
    Ok(found)
}

/// What reviews of many games say about one side.
pub struct Losses {
    player: String,
    games: u64,
    decisions: u64,
    regret: f64,
    luck: f64,
    result: f64,
    marks: Marks,
    /// By kind: how many decisions, and their regret.
    kinds: Vec<(String, u64, f64)>,
    /// Where it was, and the decision.
    worst: Vec<(String, Decision)>,
}

impl Losses {
    pub fn new(player: &str) -> Losses {
        Losses {
            player: player.to_owned(),
            games: 0,
            decisions: 0,
            regret: 0.0,
            luck: 0.0,
            result: 0.0,
            marks: Marks::default(),
            kinds: Vec::new(),
            worst: Vec::new(),
        }
    }

    /// Counts the seats of one more game that belong to the side. `link` is where the game is.
    pub fn add(&mut self, link: &str, review: &Review, is_own: &dyn Fn(&str, Seat) -> bool) {
        for player in review.players.iter().filter(|one| is_own(&one.name, one.seat)) {
            self.games += 1;
            self.luck += player.luck;
            self.result += player.result;
            let own = review.decisions.iter().filter(|decision| decision.seat == player.seat);
            for decision in own.clone() {
                self.count(decision);
            }
            let found = worst_first(own);
            self.worst.extend(found.into_iter().map(|one| (link.to_owned(), one.clone())));
        }
        self.worst.sort_by(|one, two| two.1.regret.total_cmp(&one.1.regret));
    }

    fn count(&mut self, decision: &Decision) {
        self.decisions += 1;
        self.regret += decision.regret;
        self.marks.count(decision.mark);
        match self.kinds.iter_mut().find(|(kind, ..)| *kind == decision.kind) {
            Some((_, decisions, regret)) => {
                *decisions += 1;
                *regret += decision.regret;
            }
            None => self.kinds.push((decision.kind.clone(), 1, decision.regret)),
        }
    }

    fn mean_regret(&self) -> f64 {
        self.regret / self.decisions.max(1) as f64
    }

    /// Kinds with their decisions and mean regret, the costliest in all first.
    fn by_kind(&self) -> Vec<(&str, u64, f64)> {
        let mut kinds: Vec<&(String, u64, f64)> = self.kinds.iter().collect();
        kinds.sort_by(|one, two| two.2.total_cmp(&one.2));
        let mean = |kind: &&(String, u64, f64)| kind.2 / kind.1 as f64;
        kinds.iter().map(|kind| (kind.0.as_str(), kind.1, mean(kind))).collect()
    }

    pub fn told(&self) -> String {
        let Losses { player, games, decisions, marks, worst, .. } = self;
        let per_game = |sum: f64| sum / (*games).max(1) as f64;
        let mut text = format!(
            "{player}: {}, beat {} of its opponents, luck {:+.1} % a game\n{}, mean regret {}: \
             {} best, {} fine, {}, {}, {}\n",
            count(*games, "game"),
            percent(per_game(self.result)),
            100.0 * per_game(self.luck),
            count(*decisions, "decision"),
            percent(self.mean_regret()),
            marks.best,
            marks.fine,
            count(u64::from(marks.slip), "slip"),
            count(u64::from(marks.mistake), "mistake"),
            count(u64::from(marks.blunder), "blunder"),
        );
        for (kind, decisions, regret) in self.by_kind() {
            text += &format!("  {kind:<16} {decisions:>6}   regret {}\n", percent(regret));
        }
        if !worst.is_empty() {
            text += "\nThe costliest decisions:\n";
        }
        for (link, decision) in worst.iter().take(DECISIONS) {
            text += &format!("  {link} turn {}: {}\n", decision.seq + 1, in_words(decision));
        }
        text
    }

    pub fn json(&self) -> Value {
        let kind = |(kind, decisions, regret): (&str, u64, f64)| json!({"kind": kind, "decisions": decisions, "regret": regret});
        let worst =
            |(link, decision): &(String, Decision)| json!({"game": link, "decision": decision});
        json!({
            "player": self.player,
            "games": self.games,
            "decisions": self.decisions,
            "regret": self.mean_regret(),
            "result": self.result / self.games.max(1) as f64,
            "luck": self.luck / self.games.max(1) as f64,
            "marks": self.marks,
            "kinds": self.by_kind().into_iter().map(kind).collect::<Vec<Value>>(),
            "worst": self.worst.iter().take(200).map(worst).collect::<Vec<Value>>(),
        })
    }
}
