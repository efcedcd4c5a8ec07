//! The server that bots are brought to: where it is, and how a WebSocket to it is made.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, http};
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::unreadable::Unreadable;

/// So long a bot's connection waits for a server that does not answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// The first pause before another attempt; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

pub struct Server {
    host: String,
    port: u16,
    tls: Option<TlsConnector>,
    key: Option<String>,
}

/// What carries a connection, with or without TLS.
pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

pub type Socket = WebSocketStream<Box<dyn Stream>>;

impl Server {
    /// `HOST:PORT`, or an address with a scheme.
    pub fn read(text: &str, key: Option<String>, ca: Option<&Path>) -> Result<Server> {
        let (scheme, rest) = text.split_once("://").unwrap_or(("ws", text));
        let secure = match scheme {
            "ws" | "http" => false,
            "wss" | "https" => true,
            other => {
                let why = format!("{other}:// is not known: say HOST:PORT, ws:// or wss://");
                return Err(Unreadable(why).into());
            }
        };
        let rest = rest.trim_end_matches('/');
        let usual = if secure { 443 } else { wire::HTTP_PORT.1 };
        let wrong = || Unreadable(format!("'{text}' is no address: say HOST:PORT"));
        // A bare IPv6 address has colons of its own.
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if !host.contains(':') || host.ends_with(']') => {
                (host, port.parse().map_err(|_| wrong())?)
            }
            _ => (rest, usual),
        };
        if host.is_empty() || host.contains('/') {
            return Err(wrong().into());
        }
        let tls = if secure { Some(connector(ca)?) } else { None };
        Ok(Server { host: host.to_owned(), port, tls, key })
    }

    pub fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// A WebSocket to this path. While nobody answers there it tries again for a while.
    pub async fn connect(&self, path: &str) -> Result<Socket> {
        let until = tokio::time::Instant::now() + PATIENCE;
        let mut pause = FIRST_PAUSE;
        loop {
            match self.try_connect(path).await {
                Err(error) if is_final(&error) => return Err(error),
                Err(error) if tokio::time::Instant::now() + pause > until => return Err(error),
                Err(_) => {}
                connected => return connected,
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    async fn try_connect(&self, path: &str) -> Result<Socket> {
        let host = self.host.trim_start_matches('[').trim_end_matches(']');
        let stream = TcpStream::connect((host, self.port)).await?;
        stream.set_nodelay(true)?;
        let stream: Box<dyn Stream> = match &self.tls {
            None => Box::new(stream),
            Some(tls) => {
                let name = ServerName::try_from(host.to_owned())?;
                Box::new(
                    tls.connect(name, stream)
                        .await
                        .context("TLS fails (--ca FILE trusts a certificate)")?,
                )
            }
        };
        let scheme = if self.tls.is_some() { "wss" } else { "ws" };
        let mut request = format!("{scheme}://{}:{}{path}", self.host, self.port)
            .into_client_request()
            .context("no request")?;
        if let Some(key) = &self.key {
            let mut bearer: http::HeaderValue = format!("Bearer {key}").parse()?;
            bearer.set_sensitive(true);
            request.headers_mut().insert(http::header::AUTHORIZATION, bearer);
        }
        let (socket, _) = client_async(request, stream).await.map_err(refused)?;
        Ok(socket)
    }
}

/// The server answers, but not with a WebSocket: its own words say why.
#[derive(Debug)]
struct Refused(String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

fn refused(error: tungstenite::Error) -> anyhow::Error {
    match error {
        tungstenite::Error::Http(response) => {
            let body = response.body().clone().unwrap_or_default();
            let body: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
            let why = body["error"].as_str().map(str::to_owned);
            let why = why.unwrap_or_else(|| format!("it answered {}", response.status()));
            Refused(why).into()
        }
        other => other.into(),
    }
}

/// Whether another attempt would end the same way.
fn is_final(error: &anyhow::Error) -> bool {
    let is_wrong = |cause: &(dyn std::error::Error + 'static)| {
        // A certificate that is not trusted, or no TLS at all.
        let io: Option<&std::io::Error> = cause.downcast_ref();
        io.is_some_and(|error| error.kind() == std::io::ErrorKind::InvalidData)
    };
    error.is::<Refused>() || error.chain().any(is_wrong)
}

/// TLS with the usual authorities, and one more if there is one.
fn connector(ca: Option<&Path>) -> Result<TlsConnector> {
    let mut roots = RootCertStore::empty();
    roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    if let Some(file) = ca {
        let wrong = || format!("cannot read a certificate from {}", file.display());
        let certificates = CertificateDer::pem_file_iter(file).with_context(wrong)?;
        let before = roots.len();
        for certificate in certificates {
            roots.add(certificate.with_context(wrong)?).with_context(wrong)?;
        }
        if roots.len() == before {
            bail!("there is no certificate in {}", file.display());
        }
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| anyhow!("no TLS: {error}"))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls.is_some() { "wss" } else { "ws" };
        write!(f, "{scheme}://{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        let shown = |text: &str| Server::read(text, None, None).map(|server| server.to_string());
        for (text, expected) in [
            ("192.168.1.20:7800", "ws://192.168.1.20:7800"),
            ("localhost", "ws://localhost:7800"),
            ("http://localhost:80/", "ws://localhost:80"),
            ("wss://games.example.org", "wss://games.example.org:443"),
            ("https://games.example.org:8443", "wss://games.example.org:8443"),
            ("ws://[::1]:7800", "ws://[::1]:7800"),
            ("[::1]", "ws://[::1]:7800"),
        ] {
            assert_eq!(shown(text).unwrap(), expected, "{text}");
        }
        for wrong in ["", "ftp://x", "host:port", "ws://host/path", "host:99999"] {
            assert!(shown(wrong).is_err(), "{wrong}");
        }
    }
}
