//! A game in words and tables, for people.

mod box_score;

pub use box_score::box_score;
