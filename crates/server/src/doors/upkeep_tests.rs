//! What is removed when a quota is exceeded.

use serde_json::value::RawValue;
use store::memory::Memory;
use store::{
    Batch, Cause, Filter, Finished, Journal, Kind, Mark, Replay, Row, Size, StoredRecord, Summary,
    Topic, Used, Writing,
};

use super::*;

/// An archive in which every game takes a megabyte.
#[derive(Clone, Debug, Default)]
struct Heavy(Memory);

impl Archive for Heavy {
    fn finished(&self, filter: &Filter) -> Result<Vec<Finished>, StoreError> {
        self.0.finished(filter)
    }

    fn rated(&self, game: &str, after: u64, limit: usize) -> Result<Vec<Finished>, StoreError> {
        self.0.rated(game, after, limit)
    }

    fn replay(&self, kind: Kind, game: &str, id: &str) -> Result<Option<Replay>, StoreError> {
        self.0.replay(kind, game, id)
    }

    fn so_far(&self, stream: &str, topic: Topic) -> Result<Vec<StoredRecord>, StoreError> {
        self.0.so_far(stream, topic)
    }

    fn size(&self) -> Result<Size, StoreError> {
        self.0.size()
    }

    fn used(&self) -> Result<Used, StoreError> {
        let games = self.finished(&Filter { limit: 1000, ..Filter::default() })?;
        let unrated = games.iter().filter(|game| !game.rated).count() as u64;
        Ok(Used { bytes: games.len() as u64 * MEGABYTE, games: unrated })
    }
}

/// Ends a game at this time.
fn game(number: u64, rated: bool) -> [Row; 2] {
    let record: Arc<dyn Writing> = Arc::new(RawValue::from_string("{}".to_owned()).expect("JSON"));
    let summary = Summary {
        id: number.to_string(),
        finished: true,
        rules_version: 1,
        opened_at: number,
        names: Vec::new(),
        versions: Vec::new(),
        closing: "{}".to_owned(),
        rated,
        tournament: None,
    };
    let topic = Topic::Table(number);
    let row = |mark| Row { topic, at: number, cause: Cause::Begun, record: record.clone(), mark };
    [Mark::Opens, Mark::Closes(Some(Box::new(summary)))].map(row)
}

/// The games that are left of twenty, of which every fourth is rated.
async fn left(options: UpkeepOptions) -> Vec<u64> {
    upkept(options).await.0
}

/// The same, and whether that is more than the quota allows.
async fn upkept(options: UpkeepOptions) -> (Vec<u64>, bool) {
    let archive = Heavy::default();
    let mut journal = archive.0.clone();
    let epoch = journal.load("go").expect("loads").epoch;
    let rows = (1..=20).flat_map(|number| game(number, number % 4 == 0)).collect();
    journal.append(vec![Batch { stream: "go".into(), epoch, rows }]).expect("appends");
    let (writer, thread, _failed) = JournalWriter::start(Box::new(journal)).expect("starts");
    let upkeep = Upkeep {
        options,
        data: PathBuf::new(),
        archive: Arc::new(archive.clone()),
        hosted: Arc::default(),
        writer: writer.clone(),
        doors: Arc::new(Doors::new(Vec::new())),
    };
    let is_over_quota = upkeep.remove_old_games().await.expect("reads");
    writer.stop().await;
    thread.join().expect("ends");
    let games = archive.finished(&Filter { limit: 1000, ..Filter::default() }).expect("reads");
    let left = games.iter().rev().map(|game| game.id.parse().expect("a number")).collect();
    (left, is_over_quota)
}

fn none() -> UpkeepOptions {
    UpkeepOptions { free_disk_mb: 0, ..UpkeepOptions::default() }
}

#[tokio::test]
async fn by_default_everything_stays() {
    assert_eq!(left(none()).await, (1..=20).collect::<Vec<u64>>());
}

#[tokio::test]
async fn the_oldest_above_a_quota_go_and_rated_ones_stay() {
    let games = left(UpkeepOptions { disk_quota_mb: 8, ..none() }).await;
    assert_eq!(games, [4, 8, 12, 16, 17, 18, 19, 20]);
    let games = left(UpkeepOptions { disk_quota_mb: 2, ..none() }).await;
    assert_eq!(games, [4, 8, 12, 16, 20], "the ratings are made from these");
}

/// A ladder's games are never removed: without a word from here they would fill the disk.
#[tokio::test]
async fn rated_games_above_the_quota_let_nothing_new_begin() {
    assert!(!upkept(UpkeepOptions { disk_quota_mb: 8, ..none() }).await.1);
    assert!(upkept(UpkeepOptions { disk_quota_mb: 2, ..none() }).await.1);
}

#[tokio::test]
async fn as_many_stay_as_are_to_be_kept() {
    let games = left(UpkeepOptions { keep_games: 2, ..none() }).await;
    assert_eq!(games, [4, 8, 12, 16, 18, 19, 20]);
}

#[tokio::test]
async fn what_is_too_old_goes() {
    let games = left(UpkeepOptions { keep_days: 1, ..none() }).await;
    assert_eq!(games, [4, 8, 12, 16, 20]);
}
