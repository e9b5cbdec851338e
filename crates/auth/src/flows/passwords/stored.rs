//! The hash of a password as it lies in the database: as it is, or encrypted under a key of the project.

use uuid::Uuid;

use crate::error::AuthError;
use crate::error::fault::UNEXPECTED;
use crate::model::account::User;
use crate::model::encryption::Opened;
use crate::state::State;

/// The hash of a user who has a password.
///
/// # Errors
/// A fault when it is encrypted with a key that is not configured, or was changed.
pub(crate) fn open(state: &State, user: &User) -> Result<Option<Opened>, AuthError> {
    let opened = user.password_hash().map(|stored| state.config.encryption.open(user.id, stored));
    opened.transpose().map_err(|error| AuthError::internal(UNEXPECTED, error))
}

/// A hash as it is to be stored for the user `owner`; who has no password has no hash.
pub(crate) fn seal(state: &State, owner: Uuid, hash: &str) -> String {
    if hash.is_empty() { String::new() } else { state.config.encryption.seal(owner, hash) }
}
