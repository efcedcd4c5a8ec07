//! Where a server is, and how it is reached: plainly, or over TLS with its certificate checked.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, http};
use tokio_tungstenite::{WebSocketStream, client_async};
use ureq::Agent;

use super::tls;
use crate::terminal::Unreadable;

/// The HTTP port of a server.
#[derive(Clone, Debug)]
pub struct Address {
    pub host: String,
    pub port: u16,
    /// None: it is reached plainly.
    tls: Option<Arc<ClientConfig>>,
}

/// What carries a connection, with or without TLS.
pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

pub type Socket = WebSocketStream<Box<dyn Stream>>;

impl Address {
    /// `HOST:PORT`, or an address with a scheme. `ca` is a certificate to trust besides the usual.
    pub fn read(text: &str, ca: Option<&Path>) -> Result<Address> {
        let (scheme, rest) = text.split_once("://").unwrap_or(("http", text));
        let secure = match scheme {
            "ws" | "http" => false,
            "wss" | "https" => true,
            other => {
                let why =
                    format!("{other}:// is not supported: write HOST:PORT, http:// or https://");
                return Err(Unreadable(why).into());
            }
        };
        let rest = rest.trim_end_matches('/');
        let usual = if secure { 443 } else { wire::HTTP_PORT.1 };
        let wrong = || Unreadable(format!("'{text}' is not an address: write HOST:PORT"));
        // A bare IPv6 address contains colons.
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if !host.contains(':') || host.ends_with(']') => {
                (host, port.parse().map_err(|_| wrong())?)
            }
            _ => (rest, usual),
        };
        if host.is_empty() || host.contains('/') {
            return Err(wrong().into());
        }
        let tls = if secure { Some(tls::config(ca)?) } else { None };
        Ok(Address { host: host.to_owned(), port, tls })
    }

    /// A path there, for HTTP.
    pub fn url(&self, path: &str) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}:{}{path}", self.host, self.port)
    }

    /// A path there, for WebSocket.
    pub fn socket_url(&self, path: &str) -> String {
        let scheme = if self.tls.is_some() { "wss" } else { "ws" };
        format!("{scheme}://{}:{}{path}", self.host, self.port)
    }

    /// A client for HTTP.
    pub fn agent(&self) -> Agent {
        self.tls.clone().map_or_else(Agent::new_with_defaults, tls::agent)
    }

    /// A WebSocket to this path, which shows a key or a token.
    pub async fn socket(&self, path: &str, bearer: Option<&str>) -> Result<Socket> {
        let host = self.host.trim_start_matches('[').trim_end_matches(']');
        let stream = TcpStream::connect((host, self.port)).await?;
        stream.set_nodelay(true)?;
        let stream: Box<dyn Stream> = match &self.tls {
            None => Box::new(stream),
            Some(config) => {
                let name = ServerName::try_from(host.to_owned())?;
                let secured = TlsConnector::from(config.clone()).connect(name, stream).await;
                Box::new(secured.context(tls::ADVICE)?)
            }
        };
        let mut request = self.socket_url(path).into_client_request().context("no request")?;
        if let Some(bearer) = bearer {
            let mut bearer: http::HeaderValue = format!("Bearer {bearer}").parse()?;
            bearer.set_sensitive(true);
            request.headers_mut().insert(http::header::AUTHORIZATION, bearer);
        }
        let (socket, _) = client_async(request, stream).await.map_err(NoSocket::of)?;
        Ok(socket)
    }
}

/// `HOST:PORT`, and that it is reached over TLS if it is.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls.is_some() { "https://" } else { "" };
        write!(f, "{scheme}{}:{}", self.host, self.port)
    }
}

/// The server answers, but not with a WebSocket: its own words say why.
#[derive(Debug)]
pub struct NoSocket {
    pub status: u16,
    why: String,
}

impl NoSocket {
    fn of(error: tungstenite::Error) -> anyhow::Error {
        let tungstenite::Error::Http(response) = error else { return error.into() };
        let body = response.body().clone().unwrap_or_default();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
        let why = body["error"].as_str().map(str::to_owned);
        let why = why.unwrap_or_else(|| format!("it answered {}", response.status()));
        NoSocket { status: response.status().as_u16(), why }.into()
    }
}

impl fmt::Display for NoSocket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for NoSocket {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        let shown = |text: &str| Address::read(text, None).map(|address| address.socket_url(""));
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
        let address = Address::read("https://games.example.org", None).unwrap();
        assert_eq!(address.to_string(), "https://games.example.org:443");
        assert_eq!(address.url("/mcp"), "https://games.example.org:443/mcp");
    }
}
