//! Scorebook and statistics of baseball: pure functions on values.
//!
//! Text in Retrosheet's notation becomes a [`model::Game`] ([`notation`]); a game is the fold of its records
//! ([`replay`]). [`scoring`] holds the rules about a single play, [`rules`] those that need the inning or the game.
//! Lines and totals are sums over plays ([`stats`]). `README.md` lists every rule with its file and its tests.
//!
//! Invariants:
//! - No I/O, no clock, no panic: every function is total.
//! - The text is the source of truth: printing a parsed value gives the same bytes, and all numbers are computed from
//!   plays.
//! - Unknown is `None`, never 0.

pub mod expectancy;
pub mod model;
pub mod notation;
pub mod ratings;
pub mod replay;
pub mod report;
pub mod rules;
pub mod scorebook;
pub mod scoring;
pub mod stats;
