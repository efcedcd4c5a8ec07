//! Finds transactions that another program left open. Every append updates one row, and the row's
//! old versions stay as long as an open transaction might read them. So while one is open, each
//! append takes longer than the one before.

use super::Database;
use super::database::ANSWER_WITHIN;
use crate::StoreError;

/// A transaction that keeps old rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTransaction {
    /// The process of the database that serves it.
    pub pid: i32,
    /// The program's name, if it gives one.
    pub program: String,
    /// How long it has been open. 0: another user of the database has it, and this one may not see that.
    pub seconds: u64,
    /// How many transactions have begun since.
    pub later: u64,
}

impl Database {
    /// The transaction that keeps the oldest rows, if there is any.
    pub fn oldest_transaction(&self) -> Result<Option<OpenTransaction>, StoreError> {
        // Vacuum processes don't hold old versions.
        let ask = "SELECT pid, coalesce(application_name, ''),
                          coalesce(extract(epoch FROM clock_timestamp() - xact_start), 0)::float8,
                          greatest(age(backend_xmin), age(backend_xid))::int8 AS later
                   FROM pg_stat_activity
                   WHERE greatest(age(backend_xmin), age(backend_xid)) IS NOT NULL
                     AND pid <> pg_backend_pid()
                     AND coalesce(backend_type, '') <> 'autovacuum worker'
                   ORDER BY later DESC, pid LIMIT 1";
        let database = self.clone();
        let found = self
            .ask(ANSWER_WITHIN, async move { database.connect().await?.query_opt(ask, &[]).await });
        let found = found.map_err(|fault| self.failed(fault))?;
        Ok(found.map(|row| OpenTransaction {
            pid: row.get(0),
            program: row.get(1),
            seconds: row.get::<_, f64>(2).max(0.0) as u64,
            later: row.get::<_, i64>(3).unsigned_abs(),
        }))
    }
}
