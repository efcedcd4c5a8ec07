//! What a database guarantees about an acknowledged commit.

use tokio_postgres::Client;

use crate::StoreError;

/// The oldest major version that is known to work.
const OLDEST: i32 = 14;

/// The settings that decide what an acknowledged commit is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Durability {
    /// Such as `15.14 (Debian 15.14-0+deb12u1)`.
    pub version: String,
    pub major: i32,
    pub is_standby: bool,
    pub is_utf8: bool,
    pub fsync: bool,
    pub full_page_writes: bool,
    /// Standbys that have a commit before it is answered.
    pub synchronous_standbys: bool,
}

impl Durability {
    pub(super) async fn of(client: &Client) -> Result<Durability, tokio_postgres::Error> {
        let query = "SELECT current_setting('server_version'),
                            current_setting('server_version_num')::int4 / 10000,
                            pg_is_in_recovery(),
                            current_setting('server_encoding') = 'UTF8',
                            current_setting('fsync')::bool,
                            current_setting('full_page_writes')::bool,
                            current_setting('synchronous_standby_names') <> ''";
        let row = client.query_one(query, &[]).await?;
        Ok(Durability {
            version: row.get(0),
            major: row.get(1),
            is_standby: row.get(2),
            is_utf8: row.get(3),
            fsync: row.get(4),
            full_page_writes: row.get(5),
            synchronous_standbys: row.get(6),
        })
    }

    /// Refuses what no promise can be built on.
    pub(super) fn check(&self, place: &str) -> Result<(), StoreError> {
        let what = if self.major < OLDEST {
            format!("it is PostgreSQL {}; at least {OLDEST} is needed", self.version)
        } else if self.is_standby {
            "it is a standby, which only reads; name the primary, or all hosts".to_owned()
        } else if !self.is_utf8 {
            "its encoding is not UTF8; create the database with ENCODING 'UTF8'".to_owned()
        } else {
            return Ok(());
        };
        Err(StoreError::Unsuitable { place: place.to_owned(), what })
    }

    /// What survives a failure, in a sentence or two for the operator.
    pub fn promise(&self) -> &'static str {
        match self {
            Durability { fsync: false, .. } => {
                "fsync is off: a power cut or a crash of the machine can lose moves that players \
                 were told of, and damage the database"
            }
            Durability { full_page_writes: false, .. } => {
                "full_page_writes is off: a power cut can damage the database"
            }
            Durability { synchronous_standbys: true, .. } => {
                "every answered move is on the disks of the primary and of a synchronous standby: \
                 losing one machine loses nothing"
            }
            _ => {
                "every answered move is on the primary's disk; there is no synchronous standby, so \
                 losing that disk loses games"
            }
        }
    }

    /// Whether a promise is given that a power cut cannot break.
    pub fn is_sound(&self) -> bool {
        self.fsync && self.full_page_writes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sound() -> Durability {
        Durability {
            version: "15.1".to_owned(),
            major: 15,
            is_standby: false,
            is_utf8: true,
            fsync: true,
            full_page_writes: true,
            synchronous_standbys: true,
        }
    }

    #[test]
    fn what_cannot_be_relied_on_is_refused_and_what_is_weak_is_said() {
        assert!(sound().check("here").is_ok());
        for (spoilt, word) in [
            (Durability { major: 13, ..sound() }, "at least 14"),
            (Durability { is_standby: true, ..sound() }, "standby"),
            (Durability { is_utf8: false, ..sound() }, "UTF8"),
        ] {
            let error = spoilt.check("here").unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
        assert!(sound().promise().contains("loses nothing"));
        let alone = Durability { synchronous_standbys: false, ..sound() };
        assert!(alone.is_sound() && alone.promise().contains("losing that disk"));
        let weak = Durability { fsync: false, ..sound() };
        assert!(!weak.is_sound() && weak.promise().contains("fsync is off"));
    }
}
