//! Who may do what, and what bad input comes to.

mod input;
mod isolation;
mod secrets;
mod tokens;
