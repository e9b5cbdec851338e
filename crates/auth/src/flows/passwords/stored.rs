//! Stored password hashes, plain or encrypted with a key of the project.

use uuid::Uuid;

use crate::error::AuthError;
use crate::error::fault::UNEXPECTED;
use crate::model::account::User;
use crate::model::encryption::Opened;
use crate::state::State;

/// The hash of a user who has a password.
///
/// # Errors
/// A fault if it is encrypted with an unknown key or was tampered with.
pub(crate) fn open(state: &State, user: &User) -> Result<Option<Opened>, AuthError> {
    let opened = user.password_hash().map(|stored| state.config.encryption.open(user.id, stored));
    opened.transpose().map_err(|error| AuthError::internal(UNEXPECTED, error))
}

/// The hash to store for the user `owner`; empty stays empty.
pub(crate) fn seal(state: &State, owner: Uuid, hash: &str) -> String {
    if hash.is_empty() { String::new() } else { state.config.encryption.seal(owner, hash) }
}
