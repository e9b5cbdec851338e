//! Access to PostgreSQL: the embedded cluster, the pool and the lane, sessions with a role and claims, SQL fragments with their
//! parameters, the migrations runner and LISTEN.
//!
//! Invariants:
//! - SQL reaches a connection only as [`Snippet`] or `&'static str`; names only as [`Ident`]. The only exceptions are SQL of
//!   the project: scripts that [`migrations`] and [`Script`] run, and scheduled [`Job`]s.
//! - Only [`session`] sets a role or a setting for a request.
//! - Nothing here depends on HTTP or JWT.

pub mod bootstrap;
pub mod budget;
pub mod cluster;
mod connect;
pub mod error;
mod ident;
mod job;
pub mod lane;
pub mod listen;
pub mod migrations;
pub mod pool;
pub mod replication;
mod script;
pub mod session;
mod snippet;
pub mod supervise;
pub mod target;
pub mod tls;

pub use budget::Budget;
pub use connect::{NO_LIBRARY, guarded};
pub use error::{DbError, Error, OnConstraint};
pub use ident::{Ident, QualifiedIdent};
pub use job::Job;
pub use lane::{Cost, Delivery, Lane, LaneConfig, LaneFailure, Lanes, Rows, Work};
pub use listen::Listener;
pub use pool::{Pool, PoolConfig};
pub use script::Script;
pub use session::{Access, Isolation, Session, Verdict};
pub use snippet::{BoundSql, CatalogExpr, Snippet};
pub use target::Target;
