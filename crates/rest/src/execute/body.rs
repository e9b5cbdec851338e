//! The body of a response: complete, or streamed from PostgreSQL.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_web::body::{BodySize, MessageBody};
use bytes::Bytes;
use pg::lane::{Rows, Tail};

use super::hex::{self, Digits};
use crate::error::Error;

/// The body of a response.
#[derive(Debug)]
pub enum Body {
    /// A complete body.
    Whole(Bytes),
    /// A body that is passed on as PostgreSQL sends it, at the client's pace.
    InPieces(Pieces),
}

/// A long body: one value of one row, streamed. Its length is known from the start.
#[derive(Debug)]
pub struct Pieces {
    tail: Tail,
    /// Set if the value is a `bytea`.
    digits: Option<Digits>,
    /// Bytes to send before the value.
    lead: Option<Bytes>,
}

/// OID of the type `bytea`.
const BYTEA: u32 = 17;
/// OID of the type `jsonb`.
const JSONB: u32 = 3802;
/// PostgREST sends the binary format of a handler's result. For most types that equals the text format, but the binary
/// format of `jsonb` begins with a version byte.
const JSONB_VERSION: &[u8] = &[1];

impl Body {
    /// The value of column `index`, which is the last column of the only row.
    ///
    /// # Errors
    /// An internal error if a `bytea` is not in hexadecimal format.
    pub(crate) fn of(rows: &mut Rows, index: usize) -> Result<Self, Error> {
        // A handler may return `bytea` instead of text.
        let type_oid = rows.columns.get(index).map(|column| column.type_oid);
        if let Some(tail) = rows.tail.take() {
            let digits = (type_oid == Some(BYTEA)).then(Digits::default);
            let lead = (type_oid == Some(JSONB)).then(|| Bytes::from_static(JSONB_VERSION));
            return Ok(Body::InPieces(Pieces { tail, digits, lead }));
        }
        let Some(value) = rows.rows.first().and_then(|row| row.get(index)) else { return Ok(Body::default()) };
        match type_oid {
            Some(BYTEA) => hex::decode(&value).ok_or_else(|| Error::internal("bytea is not in hexadecimal form")),
            Some(JSONB) => Ok([JSONB_VERSION, &value].concat().into()),
            _ => Ok(value),
        }
        .map(Body::Whole)
    }
}

impl Default for Body {
    fn default() -> Self {
        Body::Whole(Bytes::new())
    }
}

impl From<Bytes> for Body {
    fn from(bytes: Bytes) -> Self {
        Body::Whole(bytes)
    }
}

impl From<String> for Body {
    fn from(text: String) -> Self {
        Body::Whole(text.into())
    }
}

impl MessageBody for Pieces {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        let len = self.tail.len();
        let lead = self.lead.as_ref().map_or(0, Bytes::len);
        BodySize::Sized((lead + if self.digits.is_some() { hex::decoded_len(len) } else { len }) as u64)
    }

    // The length was announced. An error here closes the client's connection early, so that the client does not take
    // a part for the whole.
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if let Some(lead) = self.lead.take() {
            return Poll::Ready(Some(Ok(lead)));
        }
        loop {
            let Some(piece) = ready!(self.tail.poll_next(cx)) else { return Poll::Ready(None) };
            let piece = piece.inspect_err(|error| tracing::warn!(event = "answer_broken", %error))?;
            let Some(digits) = &mut self.digits else { return Poll::Ready(Some(Ok(piece))) };
            let decoded = digits.decode(&piece).ok_or("bytea is not in hexadecimal form")?;
            // The first piece may contain nothing but the prefix.
            if !decoded.is_empty() {
                return Poll::Ready(Some(Ok(decoded)));
            }
        }
    }
}
