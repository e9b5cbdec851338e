//! What stands between the socket and the HTTP server: bytes that are not plainly HTTP/1.1 go no further.
//!
//! The server behind it (actix-http) closes the connection on a request that it cannot parse, with an empty answer and in
//! nobody's words. The [`Gate`] sees every request's head first, and
//! - encodes what clients send raw in a URL (`json->>key`), as PostgREST takes it;
//! - refuses what two parsers could read differently: bare LF, two lengths, a length beside chunks, unknown encodings;
//! - waits for a head, and for a body, only as long as it is coming.
//!
//! A refused request is replaced by a [stand-in](stand_in) that asks for the refusal, after which the connection ends: so
//! the answer has the service's own shape, and comes after those to the requests before it.
//!
//! DEVIATION: lines that end with LF alone, and requests whose length two parsers could read differently, are refused with 400;
//! the servers of PostgREST and GoTrue take some of them.
//!
//! Invariants:
//! - What passes is what came, except for the encoded characters of a target.
//! - The gate accepts less than the server does, and finds the same end of every request: `tests/gate.rs` compares both.

mod chunked;
mod fault;
mod framing;
mod head;
mod stand_in;
mod stream;

use std::time::Duration;

pub use fault::{Fault, RETRY_AFTER_SECONDS};
pub use stand_in::reason;
pub use stream::Gate;

use crate::budget::Budget;
use crate::pace::{self, Pace};

/// The longest head, in bytes: as long as the server's own buffer.
pub const MAX_HEAD: usize = 128 * 1024;
/// The longest target, in bytes, once encoded: what the `http` crate can hold.
pub const MAX_TARGET: usize = u16::MAX as usize - 1;

/// The patience of a gate.
#[derive(Clone, Debug)]
pub struct Rules {
    /// How long the first byte of a connection's first request may take.
    pub idle: Duration,
    /// How long a head may take from its first byte.
    pub head: Duration,
    /// How slowly a body may come. The handlers that read one refuse it earlier, in their own words.
    pub body: Pace,
    /// How slowly answers may be taken.
    pub answer: Pace,
    /// What long heads are counted in.
    pub budget: Budget,
}

impl Rules {
    /// The patience of a server that keeps silent connections for `keep_alive`.
    pub fn new(keep_alive: Duration, head: Duration, budget: Budget) -> Self {
        let body = Pace { grace: pace::BODY.grace + Duration::from_secs(5), ..pace::BODY };
        Rules { idle: keep_alive, head, body, answer: pace::ANSWER, budget }
    }
}
