//! Limits of sockets, and what is asked of each.

mod listening;

use std::time::Duration;

use actix_web::rt::net::TcpStream;
use rustix::net::sockopt;
use rustix::process::{Resource, getrlimit, setrlimit};

pub(crate) use listening::{Listening, Sharing, bind_first};

/// How long a connection may be silent between two requests: longer than the proxies that keep some of them keep theirs
/// (nginx 60 seconds), so that they close first.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(75);
/// How long a client may leave what was sent to it unread or unacknowledged before its connection is closed.
const UNREAD: Duration = Duration::from_secs(120);

/// Called with every connection that was accepted.
pub(crate) fn accepted(stream: &TcpStream) {
    #[cfg(target_os = "linux")]
    {
        // Without it a client that stops reading has its connection, and the buffers behind it, for ever.
        let unread = u32::try_from(UNREAD.as_millis()).unwrap_or(u32::MAX);
        let _ = sockopt::set_tcp_user_timeout(stream, unread);
    }
}

/// Enough for every connection that the HTTP server takes; some programs we start visit each file they might have open.
const OPEN_FILES: u64 = 65_536;

/// Allows as many open files, and with them connections, as are of use, where the hard limit allows it. The usual 1,024 is
/// there for programs that cannot count further.
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
