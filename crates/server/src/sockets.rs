//! Options of accepted sockets, and the limit of open files.

mod listening;

use std::time::Duration;

use actix_web::rt::net::TcpStream;
use rustix::net::sockopt;
use rustix::process::{Resource, getrlimit, setrlimit};

pub(crate) use listening::{Listening, Sharing, bind_first};

/// How long a connection may be idle between two requests. Longer than the keep-alive of usual proxies (nginx: 60 s), so that
/// the proxy closes first.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(75);
/// How long sent data may stay unacknowledged, or unsent because the client does not read, until the connection is closed.
const UNREAD: Duration = Duration::from_secs(120);

/// Sets the options of an accepted connection.
pub(crate) fn accepted(stream: &TcpStream) {
    // Turns off Nagle's algorithm. With it, a second short write, such as the body after its head or the next WebSocket message,
    // waits for the client's acknowledgment of the first, which delayed acknowledgments hold back for 40 ms.
    let _ = stream.set_nodelay(true);
    #[cfg(target_os = "linux")]
    {
        // Otherwise a client that stops reading keeps its connection and buffers for ever.
        let unread = u32::try_from(UNREAD.as_millis()).unwrap_or(u32::MAX);
        let _ = sockopt::set_tcp_user_timeout(stream, unread);
    }
}

/// Enough for all connections of the HTTP server. Not more, because some child processes iterate over all possible files.
const OPEN_FILES: u64 = 65_536;

/// Raises the limit of open files, and so of connections, as far as is useful and the hard limit allows. The usual limit of
/// 1,024 only protects programs that use `select`.
pub(crate) fn raise_file_limit() {
    let mut limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.map_or(OPEN_FILES, |maximum| maximum.min(OPEN_FILES));
    let Some(before) = limit.current.filter(|current| *current < wanted) else { return };
    limit.current = Some(wanted);
    match setrlimit(Resource::Nofile, limit) {
        Ok(()) => tracing::debug!(event = "open_files", before, now = wanted),
        Err(error) => tracing::warn!(event = "open_files", limit = before, detail = %error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn short_pieces_are_sent_at_once() {
        let listener = actix_web::rt::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (client, server) = tokio::join!(TcpStream::connect(listener.local_addr().unwrap()), listener.accept());
        let (server, _) = server.unwrap();
        assert!(!server.nodelay().unwrap());
        accepted(&server);
        assert!(server.nodelay().unwrap());
        drop(client);
    }
}
