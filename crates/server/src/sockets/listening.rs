//! Listening sockets: TCP or unix.

use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use rustix::net::{AddressFamily, SocketType, sockopt};

use crate::error::StartError;

/// The listen backlog: how many clients may connect at the same moment. The kernel's limit (`net.core.somaxconn`) is usually
/// the same.
const BACKLOG: i32 = 4096;

/// A socket that listens.
pub(crate) enum Listening {
    Tcp(TcpListener),
    Unix(UnixListener, PathBuf),
}

/// Whether another process may listen on the same port (SO_REUSEPORT), to take over from this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sharing {
    Alone,
    Shared,
}

impl Listening {
    /// Listens on `host`, which may be one of PostgREST's special names for all addresses.
    pub(crate) fn tcp(host: &str, port: i64, sharing: Sharing) -> Result<Self, StartError> {
        let refused = |why: String| StartError::Listen(format!("{host}:{port}"), why);
        let number = u16::try_from(port).map_err(|_| refused("a port is a number up to 65535".to_owned()))?;
        // `*` and `*4` prefer IPv4, `*6` prefers IPv6, `!4` and `!6` allow no other.
        let candidates: Vec<SocketAddr> = match host {
            "*" | "*4" => addresses(&["0.0.0.0", "::"], number),
            "!4" => addresses(&["0.0.0.0"], number),
            "*6" => addresses(&["::", "0.0.0.0"], number),
            "!6" => addresses(&["::"], number),
            host => (host, number).to_socket_addrs().map_err(|error| refused(error.to_string()))?.collect(),
        };
        bind_first(&candidates, sharing).map(Listening::Tcp).map_err(|error| refused(error.to_string()))
    }

    /// Listens on a unix socket at `path` with this file mode. An existing file is replaced.
    pub(crate) fn unix(path: &str, mode: u32) -> Result<Self, StartError> {
        let refused = |error: io::Error| StartError::Listen(path.to_owned(), error.to_string());
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(refused(error)),
            _ => {}
        }
        let listener = UnixListener::bind(path).map_err(refused)?;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).map_err(refused)?;
        rustix::net::listen(&listener, BACKLOG).map_err(|error| refused(error.into()))?;
        listener.set_nonblocking(true).map_err(refused)?;
        Ok(Listening::Unix(listener, Path::new(path).to_owned()))
    }

    /// Address and port, or the path of the socket.
    pub(crate) fn address(&self) -> String {
        match self {
            Listening::Tcp(listener) => listener.local_addr().map_or_else(|error| error.to_string(), |a| a.to_string()),
            Listening::Unix(_, path) => path.display().to_string(),
        }
    }
}

fn addresses(hosts: &[&str], port: u16) -> Vec<SocketAddr> {
    hosts.iter().filter_map(|host| Some(SocketAddr::new(host.parse().ok()?, port))).collect()
}

/// Listens on the first address that works.
///
/// # Errors
/// The error of the last address.
pub(crate) fn bind_first(candidates: &[SocketAddr], sharing: Sharing) -> io::Result<TcpListener> {
    let mut failure = io::Error::other("the host has no address");
    for address in candidates {
        match bind(*address, sharing) {
            Ok(listener) => return Ok(listener),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

fn bind(address: SocketAddr, sharing: Sharing) -> io::Result<TcpListener> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let socket = rustix::net::socket(family, SocketType::STREAM, None)?;
    rustix::io::fcntl_setfd(&socket, rustix::io::FdFlags::CLOEXEC)?;
    sockopt::set_socket_reuseaddr(&socket, true)?;
    if sharing == Sharing::Shared {
        sockopt::set_socket_reuseport(&socket, true)?;
    }
    rustix::net::bind(&socket, &address)?;
    rustix::net::listen(&socket, BACKLOG)?;
    let listener = TcpListener::from(socket);
    listener.set_nonblocking(true)?;
    Ok(listener)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port(listening: &Listening) -> i64 {
        let Listening::Tcp(listener) = listening else { panic!("not TCP") };
        listener.local_addr().unwrap().port().into()
    }

    #[test]
    fn special_host_names_listen() {
        for host in ["!4", "*4", "*", "*6", "127.0.0.1", "localhost"] {
            assert!(Listening::tcp(host, 0, Sharing::Alone).is_ok(), "{host}");
        }
        assert!(Listening::tcp("!4", 0, Sharing::Alone).unwrap().address().starts_with("0.0.0.0:"));
        assert!(Listening::tcp("!4", 70_000, Sharing::Alone).is_err());
        assert!(Listening::tcp("no.such.host.invalid", 0, Sharing::Alone).is_err());
    }

    #[test]
    fn a_port_is_shared_only_if_all_listeners_allow_it() {
        let alone = Listening::tcp("127.0.0.1", 0, Sharing::Alone).unwrap();
        assert!(Listening::tcp("127.0.0.1", port(&alone), Sharing::Alone).is_err());
        assert!(Listening::tcp("127.0.0.1", port(&alone), Sharing::Shared).is_err());
        let shared = Listening::tcp("127.0.0.1", 0, Sharing::Shared).unwrap();
        assert!(Listening::tcp("127.0.0.1", port(&shared), Sharing::Shared).is_ok());
    }

    #[test]
    fn a_unix_socket_has_its_mode_and_replaces_an_existing_file() {
        let path = std::env::temp_dir().join(format!("dugout-socket-{}", std::process::id()));
        for mode in [0o660, 0o600] {
            let listening = Listening::unix(path.to_str().unwrap(), mode).unwrap();
            assert_eq!(listening.address(), path.display().to_string());
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
        std::fs::remove_file(&path).unwrap();
        assert!(Listening::unix("/no/such/folder/x.sock", 0o660).is_err());
    }
}
