//! The answer to a transaction.

use std::sync::Arc;

use super::rows::{Column, Row};
use super::tail::Tail;

/// The answer to [`Work::query`](super::Work::query).
#[derive(Debug)]
pub struct Rows {
    /// The columns, in order; none when the statement returns no rows.
    pub columns: Arc<[Column]>,
    /// The rows, in order.
    pub rows: Vec<Row>,
    /// The rows of [`Work::ahead`](super::Work::ahead).
    pub ahead: Vec<Row>,
    /// The count of the command's tag: rows selected, inserted, updated, deleted.
    pub affected: u64,
    /// The last value of the only row, which then lacks it, where it is long and comes in pieces; only with
    /// [`Delivery::InPieces`](super::Delivery::InPieces).
    pub tail: Option<Tail>,
}

impl Rows {
    pub(super) fn empty() -> Self {
        Rows { columns: Arc::new([]), rows: Vec::new(), ahead: Vec::new(), affected: 0, tail: None }
    }

    /// About what they took on the wire, in bytes.
    pub(super) fn size(&self) -> usize {
        self.rows.iter().map(|row| row.size()).sum()
    }
}
