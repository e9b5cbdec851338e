//! One transaction on a lane.

use crate::error::Error;
use crate::session::{Access, Isolation, Session};
use crate::snippet::{BoundSql, Snippet};

/// What is known beforehand of how long a query takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cost {
    /// It must not share a connection: it has effects outside its transaction, or may take any time.
    #[default]
    Alone,
    /// Nothing; its last runs will tell.
    Unknown,
    /// It looks rows up by a unique key.
    ByKey,
}

/// One transaction: what a request wants done, and as whom.
#[derive(Clone, Debug)]
pub struct Work {
    /// Role and settings.
    pub session: Session,
    /// Whether it may write.
    pub access: Access,
    /// The isolation level.
    pub isolation: Isolation,
    /// Statements to run between the settings and the query, such as a pre-request function; their rows are ignored.
    pub before: Vec<Snippet>,
    /// A statement to run after those and before the query, whose rows are wanted too: [`Rows::ahead`].
    pub ahead: Option<Snippet>,
    /// The statement whose rows are the answer.
    pub query: BoundSql,
    /// What is known of the query, for [`Lane::read`].
    pub cost: Cost,
    /// How the rows are handed over.
    pub delivery: Delivery,
    /// Whether only a part of the connections is for it: [`LaneConfig::guests`].
    pub is_guest: bool,
}

/// How the rows of a transaction are handed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delivery {
    /// When they are all there and the transaction has ended.
    #[default]
    Whole,
    /// For a query of one row: where its last value is long and nothing of the transaction can still fail, that value
    /// comes as a [`Tail`]. What writes is handed over whole all the same, for it counts only when it is committed; and so
    /// is what is serializable, which may be refused when it ends.
    InPieces,
}

/// Why [`Lane::run`] kept nothing.
#[derive(Debug)]
pub enum LaneFailure<E> {
    /// The database refused or could not be reached.
    Database(Error),
    /// The caller's own decision about the rows; the transaction was rolled back.
    Judged(E),
}

/// How the first write ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// With the transaction open, to be judged.
    Open,
    /// With `COMMIT`.
    Commit,
}

impl Work {
    /// A read-write transaction of `session` at PostgreSQL's default isolation, without anything before the query.
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

    /// How its rows can be handed over.
    pub(super) fn delivery(&self) -> Delivery {
        match (self.access, self.isolation) {
            (Access::ReadWrite, _) | (_, Isolation::Serializable) => Delivery::Whole,
            _ => self.delivery,
        }
    }

    /// Whether it may run beside others in an implicit transaction.
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
