//! The bytes of an answer: all there, or on their way from PostgreSQL.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_web::body::{BodySize, MessageBody};
use bytes::Bytes;
use pg::lane::{Rows, Tail};

use super::hex::{self, Digits};
use crate::error::Error;

/// A body.
#[derive(Debug)]
pub enum Body {
    /// All of it.
    Whole(Bytes),
    /// As PostgreSQL sends it, at the pace of the client.
    InPieces(Pieces),
}

/// A long body: one value of one row, handed on while it arrives, its length known from the start.
#[derive(Debug)]
pub struct Pieces {
    tail: Tail,
    /// Where the value is a `bytea`.
    digits: Option<Digits>,
    /// Sent before the value.
    lead: Option<Bytes>,
}

/// OID of the type `bytea`.
const BYTEA: u32 = 17;
/// OID of the type `jsonb`.
const JSONB: u32 = 3802;
/// PostgREST sends the binary form of what a handler makes. For most types that is the text, but a `jsonb` begins with
/// the version of its format.
const JSONB_VERSION: &[u8] = &[1];

impl Body {
    /// The value of column `index`, the last one of the only row.
    ///
    /// # Errors
    /// A defect: a `bytea` that is not in hexadecimal form.
    pub(crate) fn of(rows: &mut Rows, index: usize) -> Result<Self, Error> {
        // A handler may make bytes instead of text.
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

    // The length is announced: an error here ends the client's connection before it, so that nobody takes the part for
    // the whole.
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if let Some(lead) = self.lead.take() {
            return Poll::Ready(Some(Ok(lead)));
        }
        loop {
            let Some(piece) = ready!(self.tail.poll_next(cx)) else { return Poll::Ready(None) };
            let piece = piece.inspect_err(|error| tracing::warn!(event = "answer_broken", %error))?;
            let Some(digits) = &mut self.digits else { return Poll::Ready(Some(Ok(piece))) };
            let decoded = digits.decode(&piece).ok_or("bytea is not in hexadecimal form")?;
            // The first digits may come alone.
            if !decoded.is_empty() {
                return Poll::Ready(Some(Ok(decoded)));
            }
        }
    }
}
