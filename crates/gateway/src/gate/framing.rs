//! Where on a connection each request begins and ends.

use std::ops::Range;

use super::Fault;
use super::chunked::Chunks;
use super::head::{self, Kind, Parsed};

/// The place on the connection.
#[derive(Debug)]
pub(super) enum Framing {
    /// Between two requests, or within a head.
    Head,
    /// Within a body of which so many bytes are left.
    Length(u64),
    /// Within a body in chunks.
    Chunks(Chunks),
    /// Within another protocol.
    Upgraded,
}

/// What is to be done with the next bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// So many pass as they are, at least one.
    Pass(usize),
    /// A head of `len` bytes passes when its target is encoded.
    Encode {
        /// The length of the head, in bytes.
        len: usize,
        /// Where its target is.
        target: Range<usize>,
    },
    /// A head is not there as a whole: more bytes are needed.
    Wait,
    /// They go no further.
    Refuse(Fault),
}

impl Framing {
    /// Whether the next byte belongs to a head.
    pub(super) fn is_at_head(&self) -> bool {
        matches!(self, Framing::Head)
    }

    /// Whether the next byte belongs to a body.
    pub(super) fn is_in_body(&self) -> bool {
        matches!(self, Framing::Length(_) | Framing::Chunks(_))
    }

    /// Decides on `bytes`, of which there is at least one, and moves on behind those that pass.
    pub(super) fn step(&mut self, bytes: &[u8]) -> Step {
        match self {
            Framing::Head => match head::parse(bytes) {
                Parsed::Partial => Step::Wait,
                Parsed::Refused(fault) => Step::Refuse(fault),
                Parsed::Whole { len, body, encode } => {
                    *self = match body {
                        Kind::Nothing => Framing::Head,
                        Kind::Length(length) => Framing::Length(length),
                        Kind::Chunks => Framing::Chunks(Chunks::new()),
                        Kind::Upgraded => Framing::Upgraded,
                    };
                    encode.map_or(Step::Pass(len), |target| Step::Encode { len, target })
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
