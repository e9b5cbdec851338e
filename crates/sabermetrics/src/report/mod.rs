//! Reports of a game as text and tables.

mod box_score;

pub use box_score::box_score;
