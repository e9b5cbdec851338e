//! Limits of what a request may ask for.

/// How deep embeds and logic trees may nest: the planner is recursive, and deeper nesting could exhaust its stack.
///
/// DEVIATION (stricter): PostgREST has no limit of its own; embeds or logic trees that nest more than 32 deep are refused.
pub(crate) const MAX_DEPTH: usize = 32;
/// The message for deeper nesting.
pub(crate) const TOO_DEEP: &str = "nested more than 32 deep";
/// The maximum length of path and query together, in bytes. Beyond 65,534 the HTTP layer answers with a bare 400.
pub(crate) const MAX_URL: usize = 60_000;
/// The maximum number of conditions in filters and logic trees: PostgreSQL has to plan each.
pub(crate) const MAX_FILTERS: usize = 1_000;
/// The maximum number of embeds at all levels: each is a join that PostgreSQL has to plan.
pub(crate) const MAX_EMBEDS: usize = 250;
