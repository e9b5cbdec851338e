//! Finds the start and end of each request on a connection.

use super::Fault;
use super::chunked::Chunks;
use super::head::{self, Changes, Kind, Parsed};

/// The position on the connection.
#[derive(Debug)]
pub(super) enum Framing {
    /// Between two requests, or in a head.
    Head,
    /// In a body with this many bytes left.
    Length(u64),
    /// In a chunked body.
    Chunks(Chunks),
    /// In another protocol.
    Upgraded,
}

/// What to do with the next bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Pass this many bytes unchanged, at least one.
    Pass(usize),
    /// Pass a head of `len` bytes with changes.
    Rewrite {
        /// The length of the head, in bytes.
        len: usize,
        /// What to change.
        changes: Changes,
    },
    /// Wait for more bytes: the head is incomplete.
    Wait,
    /// Refuse the request.
    Refuse(Fault),
}

impl Framing {
    /// True if the next byte belongs to a head.
    pub(super) fn is_at_head(&self) -> bool {
        matches!(self, Framing::Head)
    }

    /// True if the next byte belongs to a body.
    pub(super) fn is_in_body(&self) -> bool {
        matches!(self, Framing::Length(_) | Framing::Chunks(_))
    }

    /// Decides about `bytes`, which are not empty, and advances past those that pass. `upgrades` are those of
    /// [`Rules`](super::Rules).
    pub(super) fn step(&mut self, bytes: &[u8], upgrades: &[String]) -> Step {
        match self {
            Framing::Head => match head::parse(bytes, upgrades) {
                Parsed::Partial => Step::Wait,
                Parsed::Refused(fault) => Step::Refuse(fault),
                Parsed::Whole { len, body, changes } => {
                    *self = match body {
                        Kind::Nothing => Framing::Head,
                        Kind::Length(length) => Framing::Length(length),
                        Kind::Chunks => Framing::Chunks(Chunks::new()),
                        Kind::Upgraded => Framing::Upgraded,
                    };
                    if changes.is_empty() { Step::Pass(len) } else { Step::Rewrite { len, changes } }
                }
            },
            Framing::Length(left) => {
                let taken = usize::try_from(*left).unwrap_or(usize::MAX).min(bytes.len());
                *left -= taken as u64;
                if *left == 0 {
                    *self = Framing::Head;
                }
                Step::Pass(taken)
            }
            Framing::Chunks(chunks) => match chunks.pass(bytes) {
                Ok((taken, ended)) => {
                    if ended {
                        *self = Framing::Head;
                    }
                    Step::Pass(taken)
                }
                Err(fault) => Step::Refuse(fault),
            },
            Framing::Upgraded => Step::Pass(bytes.len()),
        }
    }
}
