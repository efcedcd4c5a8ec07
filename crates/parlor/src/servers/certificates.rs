//! Which servers a client believes: those that the usual authorities vouch for, those that a file
//! vouches for, and the one whose own certificate is in that file.

use std::sync::Arc;

use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::client::{WebPkiServerVerifier, verify_server_name};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{CertificateError, DigitallySignedStruct, Error, SignatureScheme};

/// Believes who is vouched for, and who shows a certificate that was named. Most programs that make
/// one mark it as an authority's (`openssl req -x509` does), and authorities are no servers.
#[derive(Debug)]
pub struct AcceptedCertificates {
    pub vouched_for: Arc<WebPkiServerVerifier>,
    pub named: Vec<CertificateDer<'static>>,
}

impl ServerCertVerifier for AcceptedCertificates {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match self.vouched_for.verify_server_cert(shown, between, name, ocsp, now) {
            // One that is too old, or for another name, has another error.
            Err(Error::InvalidCertificate(CertificateError::Other(_)))
                if self.named.contains(shown) =>
            {
                verify_server_name(&ParsedCertificate::try_from(shown)?, name)?;
                Ok(ServerCertVerified::assertion())
            }
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.vouched_for.verify_tls12_signature(message, shown, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.vouched_for.verify_tls13_signature(message, shown, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.vouched_for.supported_verify_schemes()
    }
}
