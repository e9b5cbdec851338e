//! The result of a transaction.

use std::sync::Arc;

use super::rows::{Column, Row};
use super::tail::Tail;

/// The result of [`Work::query`](super::Work::query).
#[derive(Debug)]
pub struct Rows {
    /// The columns, in order; none if the statement returns no rows.
    pub columns: Arc<[Column]>,
    /// The rows, in order.
    pub rows: Vec<Row>,
    /// The rows of [`Work::ahead`](super::Work::ahead).
    pub ahead: Vec<Row>,
    /// The count in the command tag: rows selected, inserted, updated or deleted.
    pub affected: u64,
    /// The last value of the only row, if it is long and streamed; the row then lacks it. Only with
    /// [`Delivery::InPieces`](super::Delivery::InPieces).
    pub tail: Option<Tail>,
}

impl Rows {
    pub(super) fn empty() -> Self {
        Rows { columns: Arc::new([]), rows: Vec::new(), ahead: Vec::new(), affected: 0, tail: None }
    }

    /// The approximate size on the wire, in bytes.
    pub(super) fn size(&self) -> usize {
        self.rows.iter().map(|row| row.size()).sum()
    }
}
