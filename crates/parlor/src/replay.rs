//! `parlor replay`: a finished game, played again through the rules and shown.

use std::io::{IsTerminal, Read, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use hall::Eyes;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use store::sqlite::SqliteArchive;
use store::{
    Archive, Filter, Finished, Kind, Replay, Size, StoreError, StoredRecord, Topic, chain,
};
use wire::{AnyGame, Games};

use crate::cli::ReplayArgs;
use crate::printed;
use crate::servers::Embedded;
use crate::terminal::{browser, output};

pub fn run(roster: &Games, args: &ReplayArgs) -> Result<()> {
    let games: &Games = roster;
    if Path::new(&args.game).is_dir() {
        return list(games, Path::new(&args.game));
    }
    let text = read(games, &args.game, &args.data)?;
    let game = Game::read(&text)?;
    let rules = game.rules(games)?;
    let not_verified = |why: String| anyhow!(why).context(format!("{} is not verified", args.game));
    if let Some(Eyes::Seat(seat)) = args.eyes() {
        // Whether the seat exists has nothing to do with whether the game is as it was played.
        let frames = rules.frames(&game.records(), Eyes::Public).map_err(not_verified)?;
        let last = players(&frames)?.len().saturating_sub(1);
        if seat.index() > last {
            bail!("there is no seat {seat}; the seats are 0 to {last}");
        }
    }
    if args.browser {
        let frames = rules.frames(&game.records(), Eyes::Public).map_err(not_verified)?;
        let exhibit = OneGameArchive { players: players(&frames)?, game };
        return tokio::runtime::Runtime::new()?.block_on(show(roster, exhibit, args.eyes()));
    }
    if args.json {
        let eyes = args.eyes().unwrap_or(Eyes::Public);
        return output::text(&rules.frames(&game.records(), eyes).map_err(not_verified)?);
    }
    let hashed = chain::verify(&game.head.game, &game.lines).map_err(not_verified);
    if args.verify {
        let hashed = hashed?;
        rules.verify(&game.records()).map_err(not_verified)?;
        game.check_commitment(args.commitment.as_deref()).map_err(not_verified)?;
        output::line(&game.findings(hashed))?;
        return output::line("verified");
    }
    if args.quiet {
        rules.verify(&game.records()).map_err(not_verified)?;
    } else {
        let shown = rules.story(&game.records(), args.eyes()).map_err(not_verified)?;
        let lines = printed::read(Path::new(&args.game))?;
        let shown = printed::beside(shown, &game.records(), &lines);
        output::line(&format!("{} {}\n", game.head.game, game.head.id))?;
        for part in condensed(shown) {
            output::line(&format!("{part}\n"))?;
        }
    }
    // What the rules say against it says more than that something was changed.
    hashed?;
    output::line("verified")
}

/// The files in a folder that may be replays, in order.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder);
    let entries = entries.with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "jsonl") {
            files.push(path);
        }
    }
    // game-2 comes before game-10.
    files.sort_by_key(|path| (path.as_os_str().len(), path.clone()));
    Ok(files)
}

/// Lists the replays in a folder, each with its players in the order of their places.
fn list(games: &Games, folder: &Path) -> Result<()> {
    let mut shown = 0;
    for path in &files(folder)? {
        let text = std::fs::read_to_string(path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        // Other tools keep other things there.
        let Ok(game) = Game::read(&text) else { continue };
        let told = game.rules(games).and_then(|rules| result(rules, &game));
        let told = told.unwrap_or_else(|why| format!("{why:#}"));
        output::line(&format!("{}  {told}", path.display()))?;
        shown += 1;
    }
    if shown == 0 {
        bail!("{} holds no replays", folder.display());
    }
    output::note("'parlor replay FILE' shows one, with --all every hand.");
    Ok(())
}

/// How a game ended, in a line: `1. ann 37, 2. bob 20`.
fn result(rules: &'static dyn AnyGame, game: &Game) -> Result<String> {
    let account = rules.account(&game.records(), &|| true).map_err(anyhow::Error::msg)?;
    if let Some(void) = account.void {
        return Ok(format!("no result: {void}"));
    }
    let mut seats: Vec<_> = account.seats.iter().collect();
    seats.sort_by_key(|seat| seat.standing.as_ref().map(|standing| standing.place));
    let told = seats.into_iter().map(|seat| match &seat.standing {
        Some(standing) => format!("{}. {} {}", standing.place, seat.name, standing.points),
        None => seat.name.to_string(),
    });
    Ok(told.collect::<Vec<_>>().join(", "))
}

/// How long a turn stays on a terminal before the next is shown.
const WATCHING_SPEED: Duration = Duration::from_millis(900);

/// Shows a game with every hand, turn by turn at a speed that people can follow; at once to a program.
pub fn as_if_live(games: &Games, text: &str) -> Result<()> {
    let game = Game::read(text)?;
    let story = game.rules(games)?.story(&game.records(), Some(Eyes::All));
    let is_watched = stdout().is_terminal();
    for part in condensed(story.map_err(|why| anyhow!(why))?) {
        output::line(&format!("{part}\n"))?;
        if is_watched {
            std::thread::sleep(WATCHING_SPEED);
        }
    }
    Ok(())
}

/// Who sits at the table of which frames tell.
fn players(frames: &str) -> Result<Vec<String>> {
    let table: Value = serde_json::from_str(frames.lines().next().unwrap_or_default())?;
    let seats = table["seats"].as_array().map_or(&[][..], Vec::as_slice);
    Ok(seats.iter().map(|seat| seat["name"].as_str().unwrap_or_default().to_owned()).collect())
}

/// Shows one game on a page, on a server that has nothing else.
async fn show(roster: &Games, exhibit: OneGameArchive, eyes: Option<Eyes>) -> Result<()> {
    let Head { game, id } = &exhibit.game.head;
    let viewer = match eyes {
        None | Some(Eyes::All) => String::new(),
        Some(Eyes::Public) => "?viewer=public".to_owned(),
        Some(Eyes::Seat(seat)) => format!("?viewer={seat}"),
    };
    let page = format!("/{game}/games/{id}{viewer}");
    let wire = roster.wire(game, None).map_err(anyhow::Error::msg)?;
    let server = Embedded::showing(roster, &wire, Arc::new(exhibit)).await?;
    browser::show(&format!("http://{}{page}", server.http)).await?;
    server.shutdown().await
}

/// An archive of one game, for its page. It is listed nowhere.
#[derive(Debug)]
struct OneGameArchive {
    game: Game,
    players: Vec<String>,
}

impl Archive for OneGameArchive {
    fn finished(&self, _: &Filter) -> Result<Vec<Finished>, StoreError> {
        Ok(Vec::new())
    }

    fn rated(&self, _: &str, _: u64, _: usize) -> Result<Vec<Finished>, StoreError> {
        Ok(Vec::new())
    }

    fn replay(&self, kind: Kind, game: &str, id: &str) -> Result<Option<Replay>, StoreError> {
        let Game { head, lines } = &self.game;
        let is_shown = (kind, game, id) == (Kind::Table, head.game.as_str(), head.id.as_str());
        Ok(is_shown.then(|| Replay {
            summary: Finished {
                game: head.game.clone(),
                number: 0,
                id: head.id.clone(),
                status: "finished",
                players: self.players.clone(),
                versions: Vec::new(),
                opened_at: 0,
                closed_at: 0,
                rules_version: 0,
                closing: RawValue::NULL.to_owned(),
                rated: false,
                tournament: None,
                place: 0,
            },
            lines: lines.clone(),
        }))
    }

    fn so_far(&self, _: &str, _: Topic) -> Result<Vec<StoredRecord>, StoreError> {
        Ok(Vec::new())
    }

    fn size(&self) -> Result<Size, StoreError> {
        Ok(Size::default())
    }
}

/// Turns that look the same become one part, such as `turns 3 to 11`.
fn condensed(parts: Vec<String>) -> Vec<String> {
    let turn = |part: &str| {
        let (head, told) = part.strip_prefix("turn ")?.split_once('\n')?;
        Some((head.parse::<u64>().ok()?, told.to_owned()))
    };
    let mut shown: Vec<String> = Vec::new();
    // The number of the first turn that the last part tells of.
    let mut since = None;
    let mut before: Option<String> = None;
    for part in parts {
        match turn(&part) {
            Some((number, told)) if before.as_ref() == Some(&told) => {
                let first = *since.get_or_insert(number - 1);
                shown.pop();
                shown.push(format!("turns {first} to {number}\n{told}"));
            }
            told => {
                before = told.map(|(_, told)| told);
                since = None;
                shown.push(part);
            }
        }
    }
    shown
}

/// The text of a replay: from a file, standard input, or the archive.
pub fn read(games: &Games, game: &str, data: &Path) -> Result<String> {
    if game == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        return Ok(text);
    }
    if Path::new(game).is_file() {
        return std::fs::read_to_string(game).with_context(|| format!("cannot read {game}"));
    }
    let archive = SqliteArchive::open(data).with_context(|| format!("'{game}' is not a file"))?;
    for name in games.names() {
        if let Some(replay) = archive.replay(Kind::Table, name, game)? {
            return Ok(replay.to_json_lines());
        }
    }
    bail!("'{game}' is neither a file nor a finished game in {}", data.display())
}

/// A game in the form of its text.
#[derive(Debug)]
pub struct Game {
    head: Head,
    lines: Vec<StoredRecord>,
}

#[derive(Debug, Deserialize)]
struct Head {
    game: String,
    id: String,
}

impl Game {
    pub fn read(text: &str) -> Result<Game> {
        let mut lines = text.lines();
        let head = serde_json::from_str(lines.next().unwrap_or_default())
            .context("the first line does not say which game this is")?;
        let lines = lines.enumerate().map(|(index, line)| {
            StoredRecord::read(line).with_context(|| format!("line {} is not a record", index + 2))
        });
        Ok(Game { head, lines: lines.collect::<Result<_>>()? })
    }

    pub fn id(&self) -> &str {
        &self.head.id
    }

    /// Whether a player of this name sat down.
    pub fn has_player(&self, name: &str) -> bool {
        let seated = |line: &StoredRecord| {
            let record: Value = serde_json::from_str(&line.record).ok()?;
            record["seated"]["name"].as_str().map(|seated| seated == name)
        };
        self.lines.iter().any(|line| seated(line) == Some(true))
    }

    pub fn rules(&self, games: &Games) -> Result<&'static dyn AnyGame> {
        let name = &self.head.game;
        games.find(name).map_err(|_| anyhow!("this build does not know the game '{name}'"))
    }

    /// What was found right with it.
    fn findings(&self, hashed: usize) -> String {
        let deal = match self.commitment() {
            Some(commitment) => format!("the one committed to as {commitment}"),
            None => "no commitment: an earlier release opened the table".to_owned(),
        };
        let count = self.lines.len();
        let records = match count - hashed {
            0 => format!("{count}, none of them changed, removed or reordered"),
            _ if hashed == 0 => {
                format!("{count}, without hashes: an earlier release wrote them")
            }
            old => {
                format!("{count}, the first {old} by an earlier release; none was changed since")
            }
        };
        format!("deal: {deal}\nmoves and result: what the rules say\nrecords: {records}")
    }

    /// What was promised of the deal when the table was opened.
    fn commitment(&self) -> Option<String> {
        let opened: Value = serde_json::from_str(&self.lines.first()?.record).ok()?;
        opened["opened"]["promise"]["commitment"].as_str().map(str::to_owned)
    }

    /// Whether it is the commitment that was noted before the game.
    fn check_commitment(&self, noted: Option<&str>) -> Result<(), String> {
        match (noted, self.commitment()) {
            (None, _) => Ok(()),
            (Some(noted), Some(found)) if noted.eq_ignore_ascii_case(&found) => Ok(()),
            (Some(noted), _) => Err(format!("its commitment is not {noted}")),
        }
    }

    pub fn records(&self) -> Vec<(u64, &str)> {
        self.lines.iter().map(|line| (line.at, &*line.record)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A replay of SubSim showed one empty sea for every turn.
    #[test]
    fn turns_without_news_are_shown_together() {
        let parts = ["table t", "turn 1\nplacing", "turn 2\nsea", "turn 3\nsea", "turn 4\nsea"];
        let more = ["turn 5, Ann to move\nsea", "turn 6\nsea", "over"];
        let parts = parts.into_iter().chain(more).map(str::to_owned).collect();
        assert_eq!(
            condensed(parts),
            [
                "table t",
                "turn 1\nplacing",
                "turns 2 to 4\nsea",
                "turn 5, Ann to move\nsea",
                "turn 6\nsea",
                "over"
            ]
        );
    }
}
