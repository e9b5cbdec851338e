//! TLS connections to an external server, with libpq's meaning of `sslmode`, using rustls.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use rustls_pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres_rustls::MakeRustlsConnect;

/// `sslmode`: <https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-PROTECTION>
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TlsMode {
    /// Never encrypt.
    Disable,
    /// Encrypt if the server supports it.
    Prefer,
    /// Encrypt without verifying the server's identity.
    Require,
    /// Encrypt, and check that a known authority signed the certificate.
    VerifyCa,
    /// As `VerifyCa`, and check that the certificate is for the host.
    VerifyFull,
}

impl FromStr for TlsMode {
    type Err = ();

    fn from_str(mode: &str) -> Result<Self, ()> {
        Ok(match mode {
            "disable" => TlsMode::Disable,
            "allow" | "prefer" => TlsMode::Prefer,
            "require" => TlsMode::Require,
            "verify-ca" => TlsMode::VerifyCa,
            "verify-full" => TlsMode::VerifyFull,
            _ => return Err(()),
        })
    }
}

impl TlsMode {
    pub(crate) fn driver_mode(self) -> tokio_postgres::config::SslMode {
        match self {
            TlsMode::Disable => tokio_postgres::config::SslMode::Disable,
            TlsMode::Prefer => tokio_postgres::config::SslMode::Prefer,
            TlsMode::Require | TlsMode::VerifyCa | TlsMode::VerifyFull => tokio_postgres::config::SslMode::Require,
        }
    }
}

/// Connects tokio-postgres with rustls.
///
/// The driver requests a connector even for a unix socket, with an empty host, which `tokio-postgres-rustls` refuses. So an empty
/// host is replaced. The connector is then not used: the driver does no TLS handshake without a host.
#[derive(Clone)]
pub(crate) struct Connector(MakeRustlsConnect);

impl Connector {
    pub(crate) fn new(config: ClientConfig) -> Self {
        Connector(MakeRustlsConnect::new(config))
    }
}

impl<S> MakeTlsConnect<S> for Connector
where
    MakeRustlsConnect: MakeTlsConnect<S>,
{
    type Stream = <MakeRustlsConnect as MakeTlsConnect<S>>::Stream;
    type TlsConnect = <MakeRustlsConnect as MakeTlsConnect<S>>::TlsConnect;
    type Error = <MakeRustlsConnect as MakeTlsConnect<S>>::Error;

    fn make_tls_connect(&mut self, host: &str) -> Result<Self::TlsConnect, Self::Error> {
        self.0.make_tls_connect(if host.is_empty() { "localhost" } else { host })
    }
}

/// The client configuration for a mode. `authorities` (PEM) replaces the system's certificate authorities.
pub(crate) fn client_config(mode: TlsMode, authorities: Option<&Path>) -> Result<ClientConfig, String> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .dangerous();
    // As in libpq, `require` also checks the authority if a root certificate is given.
    let checked =
        matches!(mode, TlsMode::VerifyCa | TlsMode::VerifyFull) || (mode == TlsMode::Require && authorities.is_some());
    let verifier: Arc<dyn ServerCertVerifier> = if checked {
        let roots = Arc::new(roots(authorities)?);
        let webpki = WebPkiServerVerifier::builder_with_provider(roots, provider)
            .build()
            .map_err(|error| format!("no usable certificate authority: {error}"))?;
        if mode == TlsMode::VerifyFull { webpki } else { Arc::new(AuthorityOnly(webpki)) }
    } else {
        Arc::new(Unchecked(provider))
    };
    Ok(builder.with_custom_certificate_verifier(verifier).with_no_client_auth())
}

fn roots(authorities: Option<&Path>) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    match authorities {
        Some(path) => {
            let unreadable = |error| format!("sslrootcert {} cannot be read: {error}", path.display());
            for certificate in CertificateDer::pem_file_iter(path).map_err(unreadable)? {
                roots.add(certificate.map_err(unreadable)?).map_err(|error| error.to_string())?;
            }
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    Ok(roots)
}

/// For `require`: accepts any certificate, but verifies that the server has its private key.
#[derive(Debug)]
struct Unchecked(Arc<CryptoProvider>);

/// For `verify-ca`: requires a known authority and ignores the name.
#[derive(Debug)]
struct AuthorityOnly(Arc<WebPkiServerVerifier>);

impl ServerCertVerifier for Unchecked {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

impl ServerCertVerifier for AuthorityOnly {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match self.0.verify_server_cert(certificate, intermediates, name, ocsp, now) {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            result => result,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unix_socket_gets_an_unused_connector() {
        let mut connector = Connector::new(client_config(TlsMode::Prefer, None).unwrap());
        assert!(MakeTlsConnect::<tokio::net::UnixStream>::make_tls_connect(&mut connector, "").is_ok());
        assert!(MakeTlsConnect::<tokio::net::TcpStream>::make_tls_connect(&mut connector, "db.test").is_ok());
    }
}
