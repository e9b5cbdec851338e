//! One transaction on a lane.

use crate::error::Error;
use crate::session::{Access, Isolation, Session};
use crate::snippet::{BoundSql, Snippet};

/// The expected cost of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cost {
    /// It must not share a connection: it has effects outside its transaction, or can take any time.
    #[default]
    Alone,
    /// Unknown; recent runs of the same query decide.
    Unknown,
    /// A look-up by a unique key.
    ByKey,
}

/// One transaction: what to execute, as which role.
#[derive(Clone, Debug)]
pub struct Work {
    /// Role and settings.
    pub session: Session,
    /// Whether it may write.
    pub access: Access,
    /// The isolation level.
    pub isolation: Isolation,
    /// Statements between the settings and the query, such as a pre-request function; their rows are ignored.
    pub before: Vec<Snippet>,
    /// A statement after those and before the query, whose rows are returned as
    /// [`Rows::ahead`](super::Rows::ahead).
    pub ahead: Option<Snippet>,
    /// The statement whose rows are the result.
    pub query: BoundSql,
    /// The expected cost of the query, for [`Lane::read`](super::Lane::read).
    pub cost: Cost,
    /// How the rows are delivered.
    pub delivery: Delivery,
    /// Whether it may use only a part of the connections: [`LaneConfig::guests`](super::LaneConfig::guests).
    pub is_guest: bool,
}

/// How the rows of a transaction are delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delivery {
    /// All at once, after the end of the transaction.
    #[default]
    Whole,
    /// For a query with one row: if its last value is long and the transaction can no longer fail, that value is
    /// streamed as a [`Tail`](super::Tail). Writes are still delivered whole, because they are not final before the
    /// commit, and so are serializable transactions, which can fail at the end.
    InPieces,
}

/// Why [`Lane::run`](super::Lane::run) rolled back.
#[derive(Debug)]
pub enum LaneFailure<E> {
    /// An error of the database or the connection.
    Database(Error),
    /// The caller's refusal of the rows.
    Judged(E),
}

/// How the first write ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// With the transaction open, for a decision about the rows.
    Open,
    /// With `COMMIT`.
    Commit,
}

impl Work {
    /// A read-write transaction of `session` at PostgreSQL's default isolation level, with only the query.
    pub fn new(session: Session, query: impl Into<BoundSql>) -> Self {
        Work {
            session,
            access: Access::default(),
            isolation: Isolation::default(),
            before: Vec::new(),
            ahead: None,
            query: query.into(),
            cost: Cost::default(),
            delivery: Delivery::default(),
            is_guest: false,
        }
    }

    /// How its rows can be delivered.
    pub(super) fn delivery(&self) -> Delivery {
        match (self.access, self.isolation) {
            (Access::ReadWrite, _) | (_, Isolation::Serializable) => Delivery::Whole,
            _ => self.delivery,
        }
    }

    /// Whether it may run in an implicit transaction among others.
    pub(super) fn may_share(&self) -> bool {
        let is_plain = self.before.is_empty() && self.ahead.is_none();
        let reads = self.access == Access::ReadOnly && self.isolation == Isolation::ReadCommitted;
        is_plain && reads && self.cost != Cost::Alone
    }
}

impl<E: std::fmt::Display> std::fmt::Display for LaneFailure<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LaneFailure::Database(error) => error.fmt(f),
            LaneFailure::Judged(verdict) => verdict.fmt(f),
        }
    }
}

impl<E: std::error::Error> std::error::Error for LaneFailure<E> {}
