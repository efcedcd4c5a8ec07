//! TLS on a client's side: whose certificates are trusted, and HTTP over it.

use std::fmt;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use ureq::config::Config;
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, Either, LazyBuffers, NextTimeout, TcpConnector,
    Transport, TransportAdapter,
};
use ureq::{Agent, Error};

use super::certificates::AcceptedCertificates;

/// What to do about a certificate that is not trusted.
pub const ADVICE: &str = "TLS fails (--ca FILE trusts a certificate)";

/// The usual authorities are trusted, and what is in this file.
pub fn config(ca: Option<&Path>) -> Result<Arc<ClientConfig>> {
    let mut roots = RootCertStore::empty();
    roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    let mut named = Vec::new();
    if let Some(file) = ca {
        let wrong = || format!("cannot read a certificate from {}", file.display());
        for certificate in CertificateDer::pem_file_iter(file).with_context(wrong)? {
            let certificate = certificate.with_context(wrong)?;
            roots.add(certificate.clone()).with_context(wrong)?;
            named.push(certificate);
        }
        if named.is_empty() {
            bail!("there is no certificate in {}", file.display());
        }
    }
    let ring = Arc::new(ring::default_provider());
    let vouched_for =
        WebPkiServerVerifier::builder_with_provider(Arc::new(roots), ring.clone()).build()?;
    let config = ClientConfig::builder_with_provider(ring)
        .with_safe_default_protocol_versions()
        .map_err(|error| anyhow!("no TLS: {error}"))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AcceptedCertificates { vouched_for, named }))
        .with_no_client_auth();
    Ok(Arc::new(config))
}

/// A client for HTTP that trusts these.
pub fn agent(config: Arc<ClientConfig>) -> Agent {
    let connector = ().chain(TcpConnector::default()).chain(Secured(config));
    Agent::with_parts(Config::default(), connector, DefaultResolver::default())
}

/// Puts TLS around what is connected already.
#[derive(Debug)]
struct Secured(Arc<ClientConfig>);

impl<In: Transport> Connector<In> for Secured {
    type Out = Either<In, SecuredTransport>;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        chained: Option<In>,
    ) -> Result<Option<Self::Out>, Error> {
        let Some(plain) = chained else { return Ok(None) };
        if !details.needs_tls() {
            return Ok(Some(Either::A(plain)));
        }
        let host = details.uri.host().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let name = ServerName::try_from(host).map_err(std::io::Error::other)?;
        let mut conn =
            ClientConnection::new(self.0.clone(), name).map_err(std::io::Error::other)?;
        let mut sock = TransportAdapter::new(plain.boxed(), details.current_time.clone());
        sock.set_timeout(details.timeout);
        conn.complete_io(&mut sock)?;
        let config = details.config;
        let buffers = LazyBuffers::new(config.input_buffer_size(), config.output_buffer_size());
        let stream = StreamOwned { conn, sock };
        Ok(Some(Either::B(SecuredTransport { buffers, stream })))
    }
}

struct SecuredTransport {
    buffers: LazyBuffers,
    stream: StreamOwned<ClientConnection, TransportAdapter>,
}

impl Transport for SecuredTransport {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.stream.sock.set_timeout(timeout);
        Ok(self.stream.write_all(&self.buffers.output()[..amount])?)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        self.stream.sock.set_timeout(timeout);
        let count = self.stream.read(self.buffers.input_append_buf())?;
        self.buffers.input_appended(count);
        Ok(count > 0)
    }

    fn is_open(&mut self) -> bool {
        self.stream.sock.get_mut().is_open()
    }

    fn is_tls(&self) -> bool {
        true
    }
}

impl fmt::Debug for SecuredTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecuredTransport").finish_non_exhaustive()
    }
}
