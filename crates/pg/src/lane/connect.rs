//! Opens sockets, with or without TLS, to the addresses of a [`Target`].

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use postgres_protocol::message::frontend;
use rustix::net::sockopt;
use rustls_pki_types::ServerName;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpStream, UnixStream};
use tokio_postgres::Config;
use tokio_postgres::config::Host;
use tokio_rustls::TlsConnector;

use super::channel_binding;
use super::wire::Duplex;
use crate::error::{Error, source_chain};
use crate::target::Target;
use crate::tls::TlsMode;

/// What is needed to connect.
pub(super) struct Endpoint {
    pub(super) config: Config,
    mode: TlsMode,
    tls: TlsConnector,
}

/// An address of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Address {
    Unix(PathBuf),
    /// If `ip` is given, `host` is not looked up but still checked against the certificate.
    Tcp {
        host: String,
        ip: Option<IpAddr>,
        port: u16,
    },
}

/// A stream that is ready for the start-up message.
pub(super) struct Opened {
    pub(super) stream: Box<dyn Duplex>,
    /// The channel binding data of the TLS session, if any.
    pub(super) end_point: Option<Vec<u8>>,
}

/// The key that authorises a CancelRequest.
#[derive(Clone, Copy)]
pub(super) struct CancelKey {
    pub(super) process: i32,
    pub(super) secret: i32,
}

/// Why a connection failed.
#[derive(Debug)]
pub(super) struct ConnectError {
    pub(super) reason: String,
    pub(super) retry: Retry,
}

/// Whether to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Retry {
    /// The server is starting, stopping or has no free connection.
    Soon,
    /// Another attempt would fail in the same way.
    Never,
}

impl Endpoint {
    pub(super) fn new(target: &Target) -> Result<Self, Error> {
        let tls = TlsConnector::from(Arc::new(target.tls_client_config()?));
        Ok(Endpoint { config: target.driver_config(), mode: target.tls(), tls })
    }

    /// All addresses in the order to try them. As in libpq, a single port applies to all hosts.
    pub(super) fn addresses(&self) -> Vec<Address> {
        let (hosts, ips, ports) = (self.config.get_hosts(), self.config.get_hostaddrs(), self.config.get_ports());
        (0..hosts.len().max(ips.len()))
            .map(|index| {
                let port = ports.get(index).or(ports.first()).copied().unwrap_or(5432);
                let ip = ips.get(index).copied();
                match (hosts.get(index), ip) {
                    (Some(Host::Unix(folder)), None) => Address::Unix(folder.join(format!(".s.PGSQL.{port}"))),
                    (Some(Host::Tcp(host)), ip) => Address::Tcp { host: host.clone(), ip, port },
                    (_, ip) => {
                        let ip = ip.unwrap_or(IpAddr::from([127, 0, 0, 1]));
                        Address::Tcp { host: ip.to_string(), ip: Some(ip), port }
                    }
                }
            })
            .collect()
    }

    /// Connects to `address`, with TLS if configured.
    pub(super) async fn open(&self, address: &Address) -> Result<Opened, ConnectError> {
        let patience = self.config.get_connect_timeout().copied().unwrap_or(Duration::from_secs(5));
        match tokio::time::timeout(patience, self.open_patiently(address)).await {
            Ok(result) => result,
            Err(_) => Err(ConnectError::never(format!("{address} did not answer within {patience:?}"))),
        }
    }

    /// Asks the server to cancel the query of the connection with `key`. Best effort: errors are only logged.
    pub(super) async fn cancel(&self, address: &Address, key: CancelKey) {
        let mut request = BytesMut::new();
        frontend::cancel_request(key.process, key.secret, &mut request);
        let sent = async {
            let mut stream = self.open(address).await?.stream;
            stream.write_all(&request).await.map_err(|error| ConnectError::io(address, &error))?;
            // The server closes the connection when it has handled the request. Waiting prevents an early close of a TLS stream.
            let _ = stream.shutdown().await;
            let _ = tokio::time::timeout(Duration::from_secs(5), stream.read_u8()).await;
            Ok::<(), ConnectError>(())
        };
        if let Err(error) = sent.await {
            tracing::debug!(target: "pg::lane", reason = error.reason, "a query could not be cancelled");
        }
    }

    /// Probes the server at `address`. Returns when it reacts in any way, including a refused connection.
    pub(super) async fn ask(&self, address: &Address) {
        let Ok(Opened { mut stream, .. }) = self.open_patiently(address).await else { return };
        // With TLS, the server has already answered an SSLRequest.
        if self.mode == TlsMode::Disable || matches!(address, Address::Unix(_)) {
            let mut request = BytesMut::new();
            frontend::ssl_request(&mut request);
            let _ = stream.write_all(&request).await;
            let _ = stream.read_u8().await;
        }
    }

    async fn open_patiently(&self, address: &Address) -> Result<Opened, ConnectError> {
        let failed = |error: io::Error| ConnectError::io(address, &error);
        match address {
            Address::Unix(path) => Ok(Opened::plain(UnixStream::connect(path).await.map_err(failed)?)),
            Address::Tcp { host, ip, port } => {
                let stream = match ip {
                    Some(ip) => TcpStream::connect(SocketAddr::new(*ip, *port)).await,
                    None => TcpStream::connect((host.as_str(), *port)).await,
                }
                .map_err(failed)?;
                self.tune(&stream).map_err(failed)?;
                self.encrypt(stream, address, host).await
            }
        }
    }

    fn tune(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        if self.config.get_keepalives() {
            sockopt::set_socket_keepalive(stream, true)?;
            sockopt::set_tcp_keepidle(stream, self.config.get_keepalives_idle())?;
        }
        Ok(())
    }

    /// Sends SSLRequest and handles the reply of one byte:
    /// <https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-SSL>
    async fn encrypt(&self, mut stream: TcpStream, address: &Address, host: &str) -> Result<Opened, ConnectError> {
        if self.mode == TlsMode::Disable {
            return Ok(Opened::plain(stream));
        }
        let mut request = BytesMut::new();
        frontend::ssl_request(&mut request);
        let failed = |error: io::Error| ConnectError::io(address, &error);
        stream.write_all(&request).await.map_err(failed)?;
        match stream.read_u8().await.map_err(failed)? {
            b'S' => {
                let name = ServerName::try_from(host.to_owned())
                    .map_err(|error| ConnectError::never(format!("{host} cannot be a certificate's name: {error}")))?;
                let stream = self.tls.connect(name, stream).await.map_err(failed)?;
                let certificate = stream.get_ref().1.peer_certificates().and_then(<[_]>::first);
                let end_point = certificate.and_then(|der| channel_binding::tls_server_end_point(der));
                Ok(Opened { stream: Box::new(stream), end_point })
            }
            b'N' if self.mode == TlsMode::Prefer => Ok(Opened::plain(stream)),
            b'N' => Err(ConnectError::never(format!("{address} does not offer TLS, but sslmode requires it"))),
            _ => Err(ConnectError::never(format!("{address} does not speak PostgreSQL's protocol"))),
        }
    }
}

impl Opened {
    fn plain(stream: impl Duplex + 'static) -> Self {
        Opened { stream: Box::new(stream), end_point: None }
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Address::Unix(path) => write!(f, "{}", path.display()),
            Address::Tcp { host, port, .. } => write!(f, "{host}:{port}"),
        }
    }
}

impl ConnectError {
    pub(super) fn never(reason: impl Into<String>) -> Self {
        ConnectError { reason: reason.into(), retry: Retry::Never }
    }

    /// These errors occur while a server restarts: refused, missing or interrupted sockets.
    pub(super) fn io(address: &Address, error: &io::Error) -> Self {
        use io::ErrorKind::*;
        let passing = matches!(
            error.kind(),
            ConnectionRefused
                | ConnectionReset
                | ConnectionAborted
                | BrokenPipe
                | NotFound
                | UnexpectedEof
                | WouldBlock
        );
        let retry = if passing { Retry::Soon } else { Retry::Never };
        ConnectError { reason: format!("{address}: {}", source_chain(error)), retry }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_addresses_and_ports_are_combined_as_in_libpq() {
        let tcp = |host: &str, ip: Option<&str>, port| Address::Tcp {
            host: host.to_owned(),
            ip: ip.map(|ip| ip.parse().unwrap()),
            port,
        };
        for (query, addresses) in [
            ("host=db.test", vec![tcp("db.test", None, 5432)]),
            ("host=a&host=b&port=6000", vec![tcp("a", None, 6000), tcp("b", None, 6000)]),
            ("host=a&host=b&port=6000,6001", vec![tcp("a", None, 6000), tcp("b", None, 6001)]),
            ("host=a&hostaddr=10.0.0.1", vec![tcp("a", Some("10.0.0.1"), 5432)]),
            ("hostaddr=10.0.0.1", vec![tcp("10.0.0.1", Some("10.0.0.1"), 5432)]),
            ("host=/run/pg&port=6002", vec![Address::Unix("/run/pg/.s.PGSQL.6002".into())]),
        ] {
            let target = Target::parse(&format!("postgres:///app?user=ana&{query}")).unwrap();
            assert_eq!(Endpoint::new(&target).unwrap().addresses(), addresses, "{query}");
        }
    }
}
