//! Everything that a store holds, moved into another one that is empty: a data folder into a database,
//! and back. Records keep their times, causes and hashes, and finished games their places.

use crate::{AUDIT, HOUSE, Journal, Kind, Loaded, Replay, StoreError};

/// A store to copy from.
pub trait Source {
    /// Finished games and tournaments, the earliest first: those after a place, up to `limit`.
    fn kept_after(&self, place: u64, limit: usize) -> Result<Vec<(Kind, Replay)>, StoreError>;
}

/// A store to copy into. Either the finished copy exists or nothing does.
pub trait Destination {
    /// A stream as it was loaded elsewhere.
    fn put_stream(&mut self, stream: &str, loaded: &Loaded) -> Result<(), StoreError>;

    fn put_kept(&mut self, kept: &[(Kind, Replay)]) -> Result<(), StoreError>;

    fn finish(self) -> Result<(), StoreError>;
}

/// How much was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Tables and tournaments that are not over.
    pub open: u64,
    pub games: u64,
    pub tournaments: u64,
}

/// Number of games read at a time.
const AT_ONCE: usize = 200;

/// Copies the streams of these games, the server's own stream and every kept game. The previous
/// writer of the source can no longer write to it.
pub fn copy(
    games: &[&str],
    journal: &mut dyn Journal,
    source: &dyn Source,
    mut to: impl Destination,
) -> Result<Copied, StoreError> {
    let mut copied = Copied::default();
    let mut streams = journal.streams()?;
    streams.extend(games.iter().chain(&[HOUSE, AUDIT]).map(|name| (*name).to_owned()));
    streams.sort();
    streams.dedup();
    for stream in streams {
        let loaded = journal.load(&stream)?;
        let open = loaded
            .open
            .keys()
            .filter(|topic| matches!(topic.kind(), Kind::Table | Kind::Tournament));
        copied.open += open.count() as u64;
        to.put_stream(&stream, &loaded)?;
    }
    let mut place = 0;
    loop {
        let kept = source.kept_after(place, AT_ONCE)?;
        let Some((_, last)) = kept.last() else { break };
        place = last.summary.place;
        let games = kept.iter().filter(|(kind, _)| *kind == Kind::Table).count() as u64;
        copied.games += games;
        copied.tournaments += kept.len() as u64 - games;
        to.put_kept(&kept)?;
    }
    to.finish()?;
    Ok(copied)
}
