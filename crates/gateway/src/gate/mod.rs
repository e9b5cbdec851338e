//! A filter between socket and HTTP server: only well-formed HTTP/1.1 passes.
//!
//! The server behind it (actix-http) answers a request that it cannot parse with an empty response and closes the
//! connection. The [`Gate`] sees every request's head first, and
//! - encodes characters that clients send raw in a URL (`json->>key`), as PostgREST accepts them;
//! - refuses what two parsers could interpret differently: bare LF, two lengths, a length beside chunks, unknown
//!   encodings;
//! - limits the time for a head, and the speed of a body.
//!
//! A refused request is replaced by a [stand-in](stand_in) that asks for the refusal, after which the connection ends.
//! So the response has the service's own shape, and follows those to earlier requests.
//!
//! DEVIATION (stricter): requests with bare LF line ends, or whose length two parsers could interpret differently, are
//! refused with 400; the servers of PostgREST and GoTrue accept some of them.
//!
//! Invariants:
//! - Bytes pass unchanged, except for encoded characters of a target and the fields of an upgrade that no route offers.
//! - The gate accepts less than the server does, and finds the same end of every request: `tests/gate.rs` compares
//!   both.

mod chunked;
mod fault;
mod framing;
mod gone;
mod head;
mod limits;
mod stand_in;
mod stream;
mod timer;

use std::time::Duration;

pub use fault::{Fault, RETRY_AFTER_SECONDS};
pub use gone::Gone;
pub use limits::{MAX_HEAD, MAX_TARGET};
pub use stand_in::reason;
pub use stream::Gate;

use crate::budget::Budget;
use crate::pace::{self, Pace};

/// The time limits of a gate.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Time limit for the first byte of a connection's first request.
    pub idle: Duration,
    /// Time limit for a head from its first byte.
    pub head: Duration,
    /// Minimum speed of a body. Handlers that read a body refuse it earlier, in their own words.
    pub body: Pace,
    /// Minimum speed at which clients must take responses.
    pub answer: Pace,
    /// The budget that counts long heads.
    pub budget: Budget,
    /// The paths of GET routes that continue in another protocol, over which the gate then has no rules; a path that ends in a
    /// slash stands for all that begin with it. Any other
    /// request is passed as one without `Upgrade`, as RFC 9110 section 7.8 permits: otherwise everything after its head
    /// would be a body without end and without a pace.
    pub upgrades: Vec<String>,
}

impl Rules {
    /// The limits of a server that keeps silent connections for `keep_alive`.
    pub fn new(keep_alive: Duration, head: Duration, budget: Budget) -> Self {
        let body = Pace { grace: pace::BODY.grace + Duration::from_secs(5), ..pace::BODY };
        Rules { idle: keep_alive, head, body, answer: pace::ANSWER, budget, upgrades: Vec::new() }
    }
}
