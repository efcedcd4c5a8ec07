//! TLS, by rustls: the certificate, and the handshake.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_util::sync::CancellationToken;

use super::patient::Patient;
use crate::gate::Admission;
use crate::house::NetworkOptions;

/// A client's connection, once the handshake is done.
pub type TlsStream = tokio_rustls::server::TlsStream<Patient<TcpStream>>;

/// Time limit for a handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Interval at which the files are checked: certificates are renewed while the server runs.
const LOOK: Duration = Duration::from_secs(60);

/// State shared by TLS ports.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    certificate: Arc<Certificate>,
}

impl Tls {
    /// The TLS setup the settings ask for; `None` if no port uses TLS.
    pub fn load(options: &NetworkOptions) -> Result<Option<Tls>> {
        if options.tls_ports.is_empty() {
            return Ok(None);
        }
        let (Some(chain), Some(key)) = (&options.tls_cert, &options.tls_key) else {
            bail!("a TLS port needs a certificate: pass --tls-cert FILE and --tls-key FILE");
        };
        let provider = Arc::new(ring::default_provider());
        let certificate = Arc::new(Certificate::load(chain, key, provider.clone())?);
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .context("cannot set up TLS")?
            .with_no_client_auth()
            .with_cert_resolver(certificate.clone());
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Some(Tls { acceptor: TlsAcceptor::from(Arc::new(config)), certificate }))
    }

    /// Shakes hands.
    pub async fn accept(
        &self,
        socket: TcpStream,
        admission: Arc<Admission>,
    ) -> io::Result<TlsStream> {
        timeout(HANDSHAKE, self.acceptor.accept(Patient::new(socket, admission))).await?
    }

    /// Reads the certificate again whenever its files have changed, until the server closes.
    pub async fn renew(self, closing: CancellationToken) {
        let mut looks = tokio::time::interval(LOOK);
        loop {
            tokio::select! {
                _ = looks.tick() => {}
                () = closing.cancelled() => return,
            }
            match self.certificate.renew() {
                Ok(false) => {}
                Ok(true) => tracing::info!("the renewed TLS certificate is in use"),
                Err(error) => {
                    tracing::warn!(error = format!("{error:#}"), "the old TLS certificate stays");
                }
            }
        }
    }
}

/// A certificate and its key, as their files were read last.
#[derive(Debug)]
struct Certificate {
    chain: PathBuf,
    key: PathBuf,
    provider: Arc<CryptoProvider>,
    current: RwLock<(Arc<CertifiedKey>, Stamp)>,
}

/// When the files were written.
type Stamp = [SystemTime; 2];

impl Certificate {
    fn load(chain: &Path, key: &Path, provider: Arc<CryptoProvider>) -> Result<Certificate> {
        let current = read(chain, key, &provider)?;
        let (chain, key) = (chain.to_owned(), key.to_owned());
        Ok(Certificate { chain, key, provider, current: RwLock::new(current) })
    }

    /// Whether the files have changed.
    fn renew(&self) -> Result<bool> {
        let known = self.current.read().expect("no holder of this lock panics").1;
        if stamp(&self.chain, &self.key)? == known {
            return Ok(false);
        }
        let renewed = read(&self.chain, &self.key, &self.provider)?;
        *self.current.write().expect("no holder of this lock panics") = renewed;
        Ok(true)
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current.read().expect("no holder of this lock panics").0.clone())
    }
}

fn read(chain: &Path, key: &Path, provider: &CryptoProvider) -> Result<(Arc<CertifiedKey>, Stamp)> {
    let stamp = stamp(chain, key)?;
    let certificates: Vec<_> = CertificateDer::pem_file_iter(chain)
        .and_then(Iterator::collect)
        .with_context(|| format!("{} is not a certificate in PEM form", chain.display()))?;
    let private = PrivateKeyDer::from_pem_file(key)
        .with_context(|| format!("{} is not a private key in PEM form", key.display()))?;
    let fits = CertifiedKey::from_der(certificates, private, provider).with_context(|| {
        format!("{} and {} do not belong together", chain.display(), key.display())
    })?;
    Ok((Arc::new(fits), stamp))
}

fn stamp(chain: &Path, key: &Path) -> Result<Stamp> {
    let written = |path: &Path| {
        let written = std::fs::metadata(path).and_then(|file| file.modified());
        written.with_context(|| format!("cannot read {}", path.display()))
    };
    Ok([written(chain)?, written(key)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, name: &str) -> NetworkOptions {
        let made = rcgen::generate_simple_self_signed([name.to_owned()]).expect("a certificate");
        let (chain, key) = (folder.join("cert.pem"), folder.join("key.pem"));
        std::fs::write(&chain, made.cert.pem()).unwrap();
        std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
        NetworkOptions {
            tls_cert: Some(chain),
            tls_key: Some(key),
            tls_ports: [("http".to_owned(), 0)].into(),
            ..NetworkOptions::default()
        }
    }

    #[test]
    fn a_renewed_certificate_is_taken_and_a_wrong_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let options = write(folder.path(), "one.example");
        let tls = Tls::load(&options).unwrap().expect("TLS");
        let used = || tls.certificate.current.read().unwrap().0.cert[0].clone();
        let first = used();
        assert!(!tls.certificate.renew().unwrap());
        write(folder.path(), "two.example");
        assert!(tls.certificate.renew().unwrap());
        let second = used();
        assert_ne!(first, second);
        std::fs::write(folder.path().join("cert.pem"), "rubbish").unwrap();
        assert!(tls.certificate.renew().is_err());
        assert_eq!(used(), second);
    }

    #[test]
    fn what_is_no_certificate_is_said_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let good = write(folder.path(), "one.example");
        let complaint =
            |options: &NetworkOptions| format!("{:#}", Tls::load(options).err().unwrap());
        let nothing = NetworkOptions { tls_cert: None, ..good.clone() };
        assert!(complaint(&nothing).contains("--tls-cert FILE"));
        let missing = NetworkOptions { tls_key: Some("/nowhere/key.pem".into()), ..good.clone() };
        assert!(complaint(&missing).contains("cannot read /nowhere/key.pem"));
        let elsewhere = tempfile::tempdir().unwrap();
        let mixed = write(elsewhere.path(), "two.example");
        let mixed = NetworkOptions { tls_cert: good.tls_cert, ..mixed };
        assert!(complaint(&mixed).contains("do not belong together"), "{}", complaint(&mixed));
        assert!(Tls::load(&NetworkOptions::default()).unwrap().is_none());
    }
}
