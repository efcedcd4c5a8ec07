//! A data folder that is made of what another store holds.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::layout::{self, Closed};
use super::{FILE, SqliteJournal, column, database_error, journal_line};
use crate::copying::Destination;
use crate::folder::Folder;
use crate::{Journal, Kind, Loaded, Replay, StoreError, Topic};

/// A folder that had no journal. One transaction makes it whole.
#[derive(Debug)]
pub struct NewFolder {
    connection: Connection,
    path: PathBuf,
    body: String,
    _folder: Folder,
}

impl NewFolder {
    /// Begins a journal in a folder that has none.
    pub fn begin(path: &Path) -> Result<NewFolder, StoreError> {
        let folder = Folder::take(path)?;
        let path = path.join(FILE);
        if path.exists() {
            let cause = std::io::ErrorKind::AlreadyExists.into();
            return Err(StoreError::Io { verb: "make", path, cause });
        }
        let SqliteJournal { connection, _folder, .. } = SqliteJournal::open(folder)?;
        let begun = connection.execute_batch("BEGIN IMMEDIATE");
        begun.map_err(|cause| database_error(&path, cause))?;
        Ok(NewFolder { connection, path, body: String::new(), _folder })
    }

    fn failed(&self, cause: rusqlite::Error) -> StoreError {
        database_error(&self.path, cause)
    }
}

impl Destination for NewFolder {
    fn put_stream(&mut self, stream: &str, loaded: &Loaded) -> Result<(), StoreError> {
        let next = [(Kind::Table, loaded.next_table), (Kind::Tournament, loaded.next_tournament)];
        let put = || {
            layout::set_epoch(&self.connection, stream, loaded.epoch)?;
            for (kind, next) in next.into_iter().filter(|(_, next)| *next > 1) {
                layout::set_next(&self.connection, &column(stream, kind), next)?;
            }
            Ok(())
        };
        put().map_err(|cause| self.failed(cause))?;
        for (topic, lines) in &loaded.open {
            for line in lines {
                self.body += &journal_line(stream, *topic, false, line);
            }
        }
        Ok(())
    }

    fn put_kept(&mut self, kept: &[(Kind, Replay)]) -> Result<(), StoreError> {
        for (kind, replay) in kept {
            let (game, summary, records) = (&replay.summary, replay.kept(), replay.records());
            let closed = Closed {
                topic: Topic::new(*kind, game.number),
                closed_at: game.closed_at,
                summary: &summary,
                records: &records,
                place: Some(game.place),
            };
            let put = layout::insert_kept(&self.connection, &game.game, &closed);
            put.map_err(|cause| self.failed(cause))?;
        }
        Ok(())
    }

    fn finish(self) -> Result<(), StoreError> {
        let NewFolder { connection, path, body, _folder: folder } = self;
        let put = layout::insert_batch(&connection, 1, &body)
            .and_then(|()| connection.execute_batch("COMMIT"));
        put.map_err(|cause| database_error(&path, cause))?;
        connection.close().map_err(|(_, cause)| database_error(&path, cause))?;
        // Read as a server would, and left in order.
        SqliteJournal::open(folder)?.close()
    }
}
