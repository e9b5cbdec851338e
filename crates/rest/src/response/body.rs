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
}

/// OID of the type `bytea`.
const BYTEA: u32 = 17;

impl Body {
    /// The value of column `index`, the last one of the only row.
    ///
    /// # Errors
    /// A defect: a `bytea` that is not in hexadecimal form.
    pub(crate) fn of(rows: &mut Rows, index: usize) -> Result<Self, Error> {
        // A handler may make bytes instead of text.
        let is_bytea = rows.columns.get(index).is_some_and(|column| column.type_oid == BYTEA);
        if let Some(tail) = rows.tail.take() {
            return Ok(Body::InPieces(Pieces { tail, digits: is_bytea.then(Digits::default) }));
        }
        let value = rows.rows.first().and_then(|row| row.get(index)).unwrap_or_default();
        if !is_bytea {
            return Ok(Body::Whole(value));
        }
        hex::decode(&value).map(Body::Whole).ok_or_else(|| Error::internal("bytea is not in hexadecimal form"))
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
        BodySize::Sized(if self.digits.is_some() { hex::decoded_len(len) } else { len } as u64)
    }

    // The length is announced: an error here ends the client's connection before it, so that nobody takes the part for
    // the whole.
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
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
