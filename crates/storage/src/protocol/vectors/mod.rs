//! The bodies of `/vector`: their shapes, and filters as SQL.

pub(crate) mod bodies;
pub(crate) mod filter;
pub(crate) mod limits;
mod shape;
mod shapes;
