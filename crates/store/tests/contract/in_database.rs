//! A database for a test: a separate schema in the one that `PARLOR_TEST_DATABASE` names.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use store::postgres::{Database, PostgresArchive, PostgresJournal, PostgresLeases};
use store::{Archive, Journal};

use crate::storage::Storage;

/// A schema that no other test uses.
pub struct InDatabase(pub String);

impl Default for InDatabase {
    fn default() -> InDatabase {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let url = std::env::var("PARLOR_TEST_DATABASE")
            .expect("PARLOR_TEST_DATABASE is the address of a database; ./test fleet starts one");
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let schema = format!("test_{}_{number}", std::process::id());
        execute(&url, &format!("CREATE SCHEMA {schema}"));
        InDatabase(format!("{url}?application_name={schema}&options=-c%20search_path%3D{schema}"))
    }
}

/// Does something to the database behind the store's back.
pub fn execute(url: &str, statement: &str) {
    with_client(url, async |client| client.batch_execute(statement).await.unwrap());
}

/// What a query says, if that is one number.
pub fn number(url: &str, query: &str) -> i64 {
    with_client(url, async |client| client.query_one(query, &[]).await.unwrap().get(0))
}

/// The same of a number in each row.
pub fn numbers(url: &str, query: &str) -> Vec<i64> {
    with_client(url, async |client| {
        client.query(query, &[]).await.unwrap().iter().map(|row| row.get(0)).collect()
    })
}

fn with_client<T>(url: &str, ask: impl AsyncFnOnce(&tokio_postgres::Client) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (client, connection) =
            tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
        let driver = tokio::spawn(connection);
        let answer = ask(&client).await;
        drop(client);
        driver.await.unwrap().unwrap();
        answer
    })
}

impl InDatabase {
    pub fn database(&self) -> Database {
        Database::open(&self.0).expect("the database opens").0
    }

    pub fn journal_of(&self, node: Option<u64>) -> PostgresJournal {
        PostgresJournal::new(self.database(), node, Duration::from_secs(20))
    }

    pub fn join(&self, name: &str, time_to_live: Duration) -> PostgresLeases {
        let address = format!("{name}:7800");
        PostgresLeases::join(self.database(), name, &address, time_to_live).expect("it joins")
    }
}

impl Storage for InDatabase {
    fn journal(&self) -> Box<dyn Journal> {
        Box::new(self.journal_of(None))
    }

    fn archive(&self) -> Box<dyn Archive> {
        Box::new(PostgresArchive::new(self.database()))
    }
}
