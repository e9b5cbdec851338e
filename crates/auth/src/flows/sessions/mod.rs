//! Sessions: what a sign-in leaves behind, how long it lasts, and how its tokens are traded.

mod claim_types;
mod current;
mod issue;
mod refresh;
mod reuse;
pub(crate) mod strengthen;
mod validity;

pub(crate) use current::{Current, check_token, current, current_of_any};
pub(crate) use issue::issue;
pub(crate) use refresh::refresh;
