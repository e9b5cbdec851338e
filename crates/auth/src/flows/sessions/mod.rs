//! Sessions: created by a sign-in, limited in time, renewed by refresh tokens.

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
