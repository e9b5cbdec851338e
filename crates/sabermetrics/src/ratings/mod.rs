//! Ratings of teams from results, and the parts of players' ratings.
//!
//! Teams: [`bradley_terry`] with a ridge and a home term is the rating; [`elo`] and [`rpi`] stand beside it. Players:
//! [`standardize`] turns numbers into standard scores within class and position, and [`adjusted_rates`] takes the opponents out
//! of a rate and the luck out of few tries.

mod bradley_terry;
mod cholesky;
mod effects;
mod elo;
mod rpi;
mod schedule;
mod standard;

pub use bradley_terry::{BradleyTerry, RIDGE, bradley_terry};
pub use effects::{AdjustedRate, RateLine, adjusted_rates};
pub use elo::{ELO_HOME, ELO_K, ELO_START, elo};
pub use rpi::rpi;
pub use schedule::{Outcome, Schedule};
pub use standard::{Group, LEAST_GROUP, Reading, Standing, standardize};

/// Points of an Elo-like scale for a unit of log-odds: 400 points are odds of ten to one.
pub const POINTS: f64 = 400.0 / std::f64::consts::LN_10;
