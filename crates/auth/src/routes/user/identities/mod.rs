//! `/user/identities`: users link and unlink their identities.

mod authorize;
mod delete;

use crate::error::{AuthError, ExternalError};
use crate::state::State;

pub(crate) use authorize::{__path_authorize_identity, authorize_identity};
pub(crate) use delete::{__path_delete_identity, delete_identity};

/// Checks that manual linking is enabled.
fn allowed(state: &State) -> Result<(), AuthError> {
    let allowed = state.config.security.manual_linking_enabled;
    allowed.then_some(()).ok_or(AuthError::External(ExternalError::ManualLinkingDisabled))
}
