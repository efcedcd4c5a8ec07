//! Encryption of links, by TLS 1.3.
//!
//! All nodes of a fleet share one secret, and the key pair that a node shows is derived from it. Both ends
//! show that key and accept no other, so a link exists only between two nodes that know the secret, and
//! nobody else can read or change what crosses it. Keys are shown as they are (RFC 7250): certificates would
//! add names and dates that mean nothing here.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use ring::hmac;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::rustls::client::AlwaysResolvesClientRawPublicKeys;
use tokio_rustls::rustls::client::Resumption;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::ring as provider;
use tokio_rustls::rustls::crypto::{
    WebPkiSupportedAlgorithms, verify_tls13_signature_with_raw_key,
};
use tokio_rustls::rustls::pki_types::{
    CertificateDer, PrivatePkcs8KeyDer, ServerName, SubjectPublicKeyInfoDer, UnixTime,
};
use tokio_rustls::rustls::server::AlwaysResolvesServerRawPublicKeys;
use tokio_rustls::rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::version::TLS13;
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, DistinguishedName, Error, ServerConfig,
    SignatureScheme,
};
use tokio_rustls::{TlsAcceptor, TlsConnector, TlsStream};

/// A link after its handshake.
pub type LinkStream = TlsStream<LinkTcp>;

/// What all nodes of a fleet know, as the two ends of a link use it.
#[derive(Clone)]
pub struct Secret {
    acceptor: TlsAcceptor,
    connector: TlsConnector,
}

impl Secret {
    pub fn new(secret: &[u8]) -> Secret {
        let key = Arc::new(key_pair(secret));
        let algorithms = provider::default_provider().signature_verification_algorithms;
        let same = Arc::new(SameKey { key: key.cert[0].to_vec(), algorithms });
        let provider = Arc::new(provider::default_provider());
        let mut server = ServerConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(&[&TLS13])
            .expect("the provider has TLS 1.3")
            .with_client_cert_verifier(same.clone())
            .with_cert_resolver(Arc::new(AlwaysResolvesServerRawPublicKeys::new(key.clone())));
        // A link that breaks is made anew with a whole handshake.
        server.send_tls13_tickets = 0;
        let mut client = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&TLS13])
            .expect("the provider has TLS 1.3")
            .dangerous()
            .with_custom_certificate_verifier(same)
            .with_client_cert_resolver(Arc::new(AlwaysResolvesClientRawPublicKeys::new(key)));
        client.resumption = Resumption::disabled();
        // Nodes are known by the secret, not by their names.
        client.enable_sni = false;
        let (acceptor, connector) = (Arc::new(server).into(), Arc::new(client).into());
        Secret { acceptor, connector }
    }

    /// The side that was connected to.
    pub async fn accept(&self, socket: TcpStream) -> io::Result<LinkStream> {
        let stream = self.acceptor.accept(LinkTcp(Some(socket))).await.map_err(explain)?;
        Ok(stream.into())
    }

    /// The side that has connected.
    pub async fn connect(&self, socket: TcpStream) -> io::Result<LinkStream> {
        let name = ServerName::try_from("parlor").expect("a name");
        let stream = self.connector.connect(name, LinkTcp(Some(socket))).await.map_err(explain)?;
        Ok(stream.into())
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// The key pair that follows from a secret.
fn key_pair(secret: &[u8]) -> CertifiedKey {
    /// An Ed25519 private key in PKCS #8 is these bytes and the key.
    const PKCS8: [u8; 16] = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];
    let secret = hmac::Key::new(hmac::HMAC_SHA256, secret);
    let seed = hmac::sign(&secret, b"parlor: the key of links between nodes");
    let private = PrivatePkcs8KeyDer::from([&PKCS8, seed.as_ref()].concat());
    let key = provider::sign::any_eddsa_type(&private).expect("any 32 bytes are a key");
    let public = key.public_key().expect("Ed25519 keys have a public part").to_vec();
    CertifiedKey::new(vec![CertificateDer::from(public)], key)
}

/// What a failed handshake means for the operator who reads the log.
fn explain(error: io::Error) -> io::Error {
    let Some(cause) = error.get_ref().and_then(|cause| cause.downcast_ref::<Error>()) else {
        return error;
    };
    let why = match cause {
        Error::InvalidCertificate(_) | Error::AlertReceived(_) | Error::PeerIncompatible(_) => {
            "the other side does not know the fleet's secret"
        }
        Error::InvalidMessage(_) => "the other side is not a node of this release",
        _ => return error,
    };
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}

/// Accepts the key that this node has itself, and no other.
#[derive(Debug)]
struct SameKey {
    key: Vec<u8>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl SameKey {
    fn check(&self, shown: &CertificateDer<'_>) -> Result<(), Error> {
        if shown.as_ref() == self.key {
            return Ok(());
        }
        Err(Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure))
    }

    fn verify(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let key = SubjectPublicKeyInfoDer::from(key.as_ref());
        verify_tls13_signature_with_raw_key(message, &key, signature, &self.algorithms)
    }

    /// TLS 1.2 is not offered.
    fn refuse() -> Result<HandshakeSignatureValid, Error> {
        Err(Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure))
    }
}

impl ServerCertVerifier for SameKey {
    fn verify_server_cert(
        &self,
        key: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.check(key).map(|()| ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        SameKey::refuse()
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.verify(message, key, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ED25519]
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}

impl ClientCertVerifier for SameKey {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        key: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.check(key).map(|()| ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        SameKey::refuse()
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.verify(message, key, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ED25519]
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}

/// The TCP connection under a link. The handshake is done on one thread and the link lives on another, so
/// the connection can move with the TLS state above it.
#[derive(Debug)]
pub struct LinkTcp(Option<TcpStream>);

impl LinkTcp {
    /// Moves the connection to the runtime of this thread.
    pub fn move_here(&mut self) -> io::Result<()> {
        let socket = self.0.take().ok_or(io::ErrorKind::NotConnected)?;
        self.0 = Some(TcpStream::from_std(socket.into_std()?)?);
        Ok(())
    }

    fn socket(self: Pin<&mut Self>) -> io::Result<Pin<&mut TcpStream>> {
        let socket = self.get_mut().0.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        Ok(Pin::new(socket))
    }
}

impl AsyncRead for LinkTcp {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.socket()?.poll_read(cx, buffer)
    }
}

impl AsyncWrite for LinkTcp {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.socket()?.poll_write(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.socket()?.poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.socket()?.poll_shutdown(cx)
    }
}
