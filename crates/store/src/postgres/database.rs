//! A PostgreSQL database that servers share: its address, its guarantees and how to talk to it.
//!
//! Callers are threads that may block, and the driver is asynchronous: one thread drives every
//! connection, and the caller waits for its reply, in any context.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::time::timeout;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Config, Error};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto};

use super::connecting::{Connection, Hosts};
use super::durability::Durability;
use super::layout;
use crate::StoreError;

/// A database that was looked at and brought up to date. Clones share it.
#[derive(Clone)]
pub struct Database(Arc<Inner>);

struct Inner {
    /// None once it is dropped.
    runtime: Option<Runtime>,
    hosts: Arc<Hosts>,
    place: String,
}

/// Session settings: a server that stops in the middle of a transaction blocks no other. The
/// database gives up before the client does.
const OPTIONS: &str = "-c statement_timeout=10s -c lock_timeout=4s \
                       -c idle_in_transaction_session_timeout=5s -c jit=off";

/// A host has this long to answer, and sent bytes may stay this long without an acknowledgement.
const CONNECT_WITHIN: Duration = Duration::from_secs(3);
const ACKNOWLEDGE_WITHIN: Duration = Duration::from_secs(5);

/// The database has this long to answer what it does at once. A process there that was stopped, or a network that swallows
/// what is sent, gives no sign of it: nothing but a deadline here notices that.
pub const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// The same for large reads: the database gives up after ten seconds.
pub const READ_WITHIN: Duration = Duration::from_secs(12);

/// The same for what an administrator has started and watches: copying and bringing tables up to date.
pub const COPY_WITHIN: Duration = Duration::from_secs(3600);

/// Why there is no reply.
#[derive(Debug)]
pub enum Fault {
    Error(Error),
    /// No reply for this long. Whether the statement ran is unknown.
    Silence(Duration),
}

impl Fault {
    /// Whether it goes away by asking again: the connection, or the database as a whole.
    pub fn is_passing(&self) -> bool {
        match self {
            Fault::Error(error) => is_passing(error),
            Fault::Silence(_) => true,
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Error(error)
    }
}

impl Database {
    /// Connects to the database at a `postgres://` address, refuses one that cannot be relied on, and
    /// makes or updates its tables.
    pub fn open(url: &str) -> Result<(Database, Durability), StoreError> {
        let (config, tls) = parse(url)?;
        let place = place(&config);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("postgres")
            .enable_all()
            .build()
            .map_err(|cause| StoreError::Failed { place: place.clone(), cause: cause.into() })?;
        let hosts = Arc::new(Hosts::new(&config, tls));
        let database = Database(Arc::new(Inner { runtime: Some(runtime), hosts, place }));
        let asked = database.clone();
        let looked_at = database.ask(ANSWER_WITHIN, async move {
            let client = asked.connect().await?;
            let durability = Durability::of(&client).await?;
            Ok((client, durability))
        });
        let (mut client, durability) = looked_at.map_err(|fault| database.failed(fault))?;
        durability.check(database.place())?;
        let asked = database.clone();
        let migrated =
            database.wait(COPY_WITHIN, async move { layout::migrate(&mut client, &asked).await });
        migrated.unwrap_or_else(|fault| Err(database.failed(fault)))?;
        Ok((database, durability))
    }

    /// The database's time in milliseconds since 1970, the same for every server that shares it.
    pub fn time(&self) -> Result<u64, StoreError> {
        let database = self.clone();
        let ask = "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000";
        let row = self
            .ask(ANSWER_WITHIN, async move { database.connect().await?.query_one(ask, &[]).await });
        let row = row.map_err(|fault| self.failed(fault))?;
        Ok(row.get::<_, f64>(0).max(0.0) as u64)
    }

    /// Its address, without the password.
    pub fn place(&self) -> &str {
        &self.0.place
    }

    /// Whether what is said to it cannot be read on the way.
    pub fn is_encrypted(&self) -> bool {
        self.0.hosts.is_encrypted()
    }

    /// Waits for something that is done with the database, but not longer than that.
    pub(super) fn wait<T: Send + 'static>(
        &self,
        within: Duration,
        answer: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Fault> {
        let (done, is_done) = std::sync::mpsc::sync_channel(1);
        let runtime = self.0.runtime.as_ref().expect("there until it is dropped");
        runtime.spawn(async move {
            // The caller waits below.
            let _ = done.send(timeout(within, answer).await);
        });
        let answer = is_done.recv().expect("what is asked of the database does not panic");
        answer.map_err(|_| Fault::Silence(within))
    }

    /// Waits for an answer of the database, but not longer than that.
    pub(super) fn ask<T: Send + 'static>(
        &self,
        within: Duration,
        answer: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Fault> {
        self.wait(within, answer)?.map_err(Fault::Error)
    }

    /// A new connection. Call it inside a future passed to [`wait`](Database::wait).
    pub(super) async fn connect(&self) -> Result<Connection, Error> {
        self.0.hosts.connect().await
    }

    pub(super) fn config(&self) -> Config {
        self.0.hosts.config()
    }

    pub(super) fn failed(&self, fault: impl Into<Fault>) -> StoreError {
        let (fault, place) = (fault.into(), self.0.place.clone());
        let is_passing = fault.is_passing();
        let cause = match fault {
            Fault::Error(error) => explained(error),
            Fault::Silence(waited) => format!("nothing was heard for {waited:?}").into(),
        };
        match is_passing {
            true => StoreError::Away { place, cause },
            false => StoreError::Failed { place, cause },
        }
    }

    pub(super) fn damaged(&self, what: String) -> StoreError {
        StoreError::Damaged { place: self.0.place.clone(), what }
    }
}

/// The driver's message names only the side at fault; the source has the cause.
fn explained(cause: Error) -> Box<dyn std::error::Error + Send + Sync> {
    let mut text = match cause.as_db_error() {
        Some(error) => return error.message().to_owned().into(),
        None => cause.to_string(),
    };
    let mut source = std::error::Error::source(&cause);
    while let Some(error) = source {
        text += &format!(": {error}");
        source = error.source();
    }
    text.into()
}

/// Whether an error goes away by asking again: the connection, or the database as a whole.
fn is_passing(error: &Error) -> bool {
    let Some(state) = error.code() else {
        // Only the driver's text says what is wrong with the address or the password.
        let text = error.to_string();
        return !["invalid configuration", "authentication error"]
            .iter()
            .any(|it| text.starts_with(it));
    };
    let passing = [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::READ_ONLY_SQL_TRANSACTION,
        SqlState::LOCK_NOT_AVAILABLE,
    ];
    // Connections, resources, and an operator's intervention.
    let classes = ["08", "53", "57"];
    passing.contains(state) || classes.iter().any(|class| state.code().starts_with(class))
}

impl Drop for Inner {
    fn drop(&mut self) {
        // The last to go may be a task: waiting there is not allowed.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Database").field(&self.0.place).finish()
    }
}

/// Reads an address. `sslmode` and `sslrootcert` mean what they mean elsewhere, except that TLS is
/// never without a certificate that was looked at.
fn parse(url: &str) -> Result<(Config, Option<MakeRustlsConnect>), StoreError> {
    let unsuitable = |what: String| StoreError::Unsuitable { place: shown(url), what };
    let (base, query) = url.split_once('?').unwrap_or((url, ""));
    let (mut mode, mut roots, mut rest) = ("disable", None, Vec::new());
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        match pair.split_once('=') {
            Some(("sslmode", value)) => mode = value,
            Some(("sslrootcert", value)) => roots = Some(Path::new(value)),
            _ => rest.push(pair),
        }
    }
    let url = if rest.is_empty() { base.to_owned() } else { format!("{base}?{}", rest.join("&")) };
    let mut config: Config =
        url.parse().map_err(|error: Error| unsuitable(explained(error).to_string()))?;
    let tls = match mode {
        "disable" => None,
        "require" | "verify-ca" | "verify-full" => Some(tls(roots).map_err(unsuitable)?),
        other => {
            return Err(unsuitable(format!(
                "sslmode={other} is not known; say sslmode=verify-full, or sslmode=disable"
            )));
        }
    };
    config.ssl_mode(if tls.is_some() { SslMode::Require } else { SslMode::Disable });
    let options = config.get_options().map_or(OPTIONS.to_owned(), |own| format!("{OPTIONS} {own}"));
    config.options(options);
    config.target_session_attrs(TargetSessionAttrs::ReadWrite);
    if config.get_application_name().is_none() {
        config.application_name("parlor");
    }
    config.connect_timeout(CONNECT_WITHIN).tcp_user_timeout(ACKNOWLEDGE_WITHIN);
    config.keepalives_idle(ACKNOWLEDGE_WITHIN).keepalives_interval(Duration::from_secs(1));
    config.keepalives_retries(3);
    Ok((config, tls))
}

fn tls(roots: Option<&Path>) -> Result<MakeRustlsConnect, String> {
    let mut trusted = RootCertStore::empty();
    match roots {
        None => trusted.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
        Some(file) => {
            let unreadable = |why: &dyn fmt::Display| format!("{}: {why}", file.display());
            for certificate in CertificateDer::pem_file_iter(file).map_err(|e| unreadable(&e))? {
                let certificate = certificate.map_err(|e| unreadable(&e))?;
                trusted.add(certificate).map_err(|e| unreadable(&e))?;
            }
        }
    }
    let provider = Arc::new(crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(trusted)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn place(config: &Config) -> String {
    let host = |(at, host): (usize, &Host)| {
        let ports = config.get_ports();
        let port = ports.get(at).or(ports.first()).copied().unwrap_or(5432);
        match host {
            Host::Tcp(name) => format!("{name}:{port}"),
            #[cfg(unix)]
            Host::Unix(path) => path.display().to_string(),
        }
    };
    let hosts: Vec<String> = config.get_hosts().iter().enumerate().map(host).collect();
    let name = config.get_dbname().or(config.get_user()).unwrap_or_default();
    format!("postgres://{}/{name}", hosts.join(","))
}

/// An address that could not be read, without what may be a password.
fn shown(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let rest = rest.rsplit_once('@').map_or(rest, |(_, place)| place);
    format!("{scheme}://{}", rest.split('?').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(url: &str) -> String {
        parse(url).map(|(config, _)| config).unwrap_err().to_string()
    }

    #[test]
    fn an_address_may_have_several_hosts_and_shows_no_password() {
        let (config, tls) =
            parse("postgres://ann:secret@one:5433,two:5434/games?connect_timeout=1").unwrap();
        assert!(tls.is_none());
        assert_eq!(place(&config), "postgres://one:5433,two:5434/games");
        assert_eq!(config.get_target_session_attrs(), TargetSessionAttrs::ReadWrite);
        let error = refusal("postgres://ann:secret@one/games?sslmode=prefer");
        assert!(error.contains("postgres://one/games") && error.contains("verify-full"), "{error}");
        assert!(!error.contains("secret"), "{error}");
        let error = refusal("postgres://ann:secret@one:x/games");
        assert!(!error.contains("secret"), "{error}");
    }

    #[tokio::test]
    async fn what_is_wrong_with_an_address_does_not_pass() {
        let nowhere = Config::new().connect(tokio_postgres::NoTls).await;
        let error = nowhere.map(|(client, _)| client).unwrap_err();
        assert!(!is_passing(&error), "{error}");
        let closed = Config::new().host("127.0.0.1").port(1).connect(tokio_postgres::NoTls).await;
        assert!(is_passing(&closed.map(|(client, _)| client).unwrap_err()));
    }

    #[test]
    fn certificates_are_always_looked_at() {
        let (config, tls) = parse("postgres://one/games?sslmode=require").unwrap();
        assert!(tls.is_some() && config.get_ssl_mode() == SslMode::Require);
        let missing = "postgres://one/games?sslmode=verify-full&sslrootcert=/nowhere.pem";
        assert!(refusal(missing).contains("/nowhere.pem"));
    }
}
