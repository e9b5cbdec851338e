//! Whose factors, and which of them.

use uuid::Uuid;

use crate::error::{AuthError, MfaError};
use crate::flows::first_party::FirstParty;
use crate::flows::sessions::current;
use crate::model::account::{Factor, User};
use crate::model::session::{Aal, Session};
use crate::state::State;

/// Somebody who may have factors, in a session of theirs if the token names one.
pub(crate) struct Holder {
    pub(crate) user: User,
    session: Option<Session>,
}

/// The user of the token, who must not be anonymous.
///
/// # Errors
/// Those of [`current`], [`MfaError::AnonymousUser`].
pub(crate) async fn holder(state: &State, who: &FirstParty) -> Result<Holder, AuthError> {
    let current = current(state, who).await?;
    if current.is_anonymous() {
        return Err(MfaError::AnonymousUser.into());
    }
    Ok(Holder { user: current.user, session: current.session })
}

impl Holder {
    /// The session.
    ///
    /// # Errors
    /// A fault without one; `message` is what GoTrue says there.
    pub(crate) fn session(&self, message: &'static str) -> Result<&Session, AuthError> {
        self.session.as_ref().ok_or_else(|| AuthError::internal(message, "the token names no session"))
    }

    /// Whether the session has proven a second factor.
    pub(crate) fn has_proven(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.level() >= Aal::Two)
    }
}

/// The factor of `user` whose id stands in the path.
///
/// # Errors
/// [`MfaError::FactorId`], [`MfaError::FactorNotFound`].
pub(crate) fn factor_of(user: &User, id: &str) -> Result<Factor, AuthError> {
    let id = Uuid::parse_str(id).map_err(|_| MfaError::FactorId)?;
    Ok(user.factors.iter().find(|factor| factor.id == id).cloned().ok_or(MfaError::FactorNotFound)?)
}
