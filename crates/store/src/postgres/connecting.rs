//! How a connection to the database comes about, and how it ends.
//!
//! A database may have several hosts, and any of them may be silent: a machine without power answers
//! nothing, not even that it is gone. The host that answered last is asked first, each of the others a
//! moment later. So a silent host costs a moment, and never the time that a lease has left.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;
use tokio_postgres::config::Host;
use tokio_postgres::{Client, Config, Error, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

/// The next host is asked when those before it have said nothing for this long.
const STAGGER: Duration = Duration::from_millis(250);

/// A client and the task that carries its bytes.
pub struct Connection {
    client: Client,
    carrier: Carrier,
}

/// Ends the task when it is no longer needed. A silent database would otherwise keep it and its
/// socket open forever.
struct Carrier(Option<JoinHandle<()>>);

/// The hosts of a database.
pub struct Hosts {
    each: Vec<Config>,
    tls: Option<MakeRustlsConnect>,
    /// The one that answered last.
    good: AtomicUsize,
}

impl Hosts {
    pub fn new(config: &Config, tls: Option<MakeRustlsConnect>) -> Hosts {
        let count = config.get_hosts().len().max(config.get_hostaddrs().len());
        let each = (0..count).map(|at| alone(config, at)).collect();
        Hosts { each, tls, good: AtomicUsize::new(0) }
    }

    /// Any one of the settings: they differ in the host alone.
    pub fn config(&self) -> Config {
        self.each.first().cloned().unwrap_or_default()
    }

    pub fn is_encrypted(&self) -> bool {
        self.tls.is_some()
    }

    /// A connection to the host that takes writes.
    pub async fn connect(self: &Arc<Hosts>) -> Result<Connection, Error> {
        let (first, count) = (self.good.load(Ordering::Relaxed), self.each.len());
        if count <= 1 {
            return self.clone().connect_to(0).await.1;
        }
        let mut waiting = (0..count).map(|at| (first + at) % count);
        let (mut attempts, mut failure) = (JoinSet::new(), None);
        loop {
            let next = waiting.next();
            if let Some(host) = next {
                attempts.spawn(self.clone().connect_to(host));
            }
            let is_last = waiting.len() == 0;
            let answer = match is_last {
                true => attempts.join_next().await,
                false => timeout(STAGGER, attempts.join_next()).await.unwrap_or(None),
            };
            match answer {
                Some(Ok((host, Ok(connection)))) => {
                    self.good.store(host, Ordering::Relaxed);
                    return Ok(connection);
                }
                Some(Ok((_, Err(error)))) => failure = Some(telling(failure, error)),
                Some(Err(panic)) => std::panic::resume_unwind(panic.into_panic()),
                None if is_last => return Err(failure.expect("each host has failed")),
                // No reply yet: try the next host as well.
                None => {}
            }
        }
    }

    async fn connect_to(self: Arc<Hosts>, host: usize) -> (usize, Result<Connection, Error>) {
        (host, self.begin(host).await)
    }

    async fn begin(&self, host: usize) -> Result<Connection, Error> {
        let unnamed = Config::new();
        let config = self.each.get(host).unwrap_or(&unnamed);
        // The client reports the error.
        let (client, carrier) = match &self.tls {
            Some(tls) => {
                let (client, connection) = config.connect(tls.clone()).await?;
                (client, tokio::spawn(async move { drop(connection.await) }))
            }
            None => {
                let (client, connection) = config.connect(NoTls).await?;
                (client, tokio::spawn(async move { drop(connection.await) }))
            }
        };
        let connection = Connection { client, carrier: Carrier(Some(carrier)) };
        // An acknowledged commit is on disk, here and on synchronous standbys, whatever the
        // database's default is. A stricter setting stays in force.
        let set = "SELECT set_config('synchronous_commit', 'on', false)
                   WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')";
        connection.batch_execute(set).await?;
        Ok(connection)
    }
}

/// The settings for one host of several.
fn alone(config: &Config, at: usize) -> Config {
    let mut one = Config::new();
    match config.get_hosts().get(at) {
        Some(Host::Tcp(name)) => _ = one.host(name),
        #[cfg(unix)]
        Some(Host::Unix(path)) => _ = one.host_path(path),
        None => {}
    }
    let ports = config.get_ports();
    ports.get(at).or(ports.first()).into_iter().for_each(|port| _ = one.port(*port));
    config.get_hostaddrs().get(at).into_iter().for_each(|address| _ = one.hostaddr(*address));
    config.get_user().into_iter().for_each(|user| _ = one.user(user));
    config.get_password().into_iter().for_each(|password| _ = one.password(password));
    config.get_dbname().into_iter().for_each(|name| _ = one.dbname(name));
    config.get_options().into_iter().for_each(|options| _ = one.options(options));
    config.get_application_name().into_iter().for_each(|name| _ = one.application_name(name));
    config.get_connect_timeout().into_iter().for_each(|limit| _ = one.connect_timeout(*limit));
    config.get_tcp_user_timeout().into_iter().for_each(|limit| _ = one.tcp_user_timeout(*limit));
    config.get_keepalives_interval().into_iter().for_each(|time| _ = one.keepalives_interval(time));
    config.get_keepalives_retries().into_iter().for_each(|count| _ = one.keepalives_retries(count));
    one.keepalives_idle(config.get_keepalives_idle())
        .keepalives(config.get_keepalives())
        .ssl_mode(config.get_ssl_mode())
        .ssl_negotiation(config.get_ssl_negotiation())
        .target_session_attrs(config.get_target_session_attrs())
        .channel_binding(config.get_channel_binding());
    one
}

/// Of two failures the one that says more: a database that refuses has at least been reached.
fn telling(before: Option<Error>, now: Error) -> Error {
    match before {
        Some(before) if before.code().is_some() && now.code().is_none() => before,
        _ => now,
    }
}

impl Connection {
    /// For callers that end the task themselves.
    pub fn into_parts(mut self) -> (Client, JoinHandle<()>) {
        (self.client, self.carrier.0.take().expect("it is there until somebody has it"))
    }
}

impl Deref for Connection {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl DerefMut for Connection {
    fn deref_mut(&mut self) -> &mut Client {
        &mut self.client
    }
}

impl Drop for Carrier {
    fn drop(&mut self) {
        self.0.iter().for_each(JoinHandle::abort);
    }
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.client.fmt(f)
    }
}
