//! Limits of what a request may ask for.

/// How deep embeds and logic trees may nest: deeper ones could exhaust the stack of the planner.
///
/// DEVIATION: PostgREST has no limit of its own; embeds or logic trees that nest more than 32 deep are refused.
pub(crate) const MAX_DEPTH: usize = 32;
/// What is said of deeper ones.
pub(crate) const TOO_DEEP: &str = "nested more than 32 deep";
/// How long path and query may be together, in bytes. The HTTP layer below us answers past 65,534 with a bare 400.
pub(crate) const MAX_URL: usize = 60_000;
/// How many conditions there may be, in filters and logic trees: each is planned by PostgreSQL.
pub(crate) const MAX_FILTERS: usize = 1_000;
/// How many embeds there may be at all levels: each is a join that PostgreSQL plans.
pub(crate) const MAX_EMBEDS: usize = 250;
