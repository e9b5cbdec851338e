//! The users and factors of MFA requests.

use uuid::Uuid;

use crate::error::{AuthError, MfaError};
use crate::flows::first_party::FirstParty;
use crate::flows::sessions::current;
use crate::model::account::{Factor, User};
use crate::model::session::{Aal, Session};
use crate::state::State;

/// A user who may have factors, with the session that the token names, if any.
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
    /// A fault if there is none; `message` is GoTrue's message at this place.
    pub(crate) fn session(&self, message: &'static str) -> Result<&Session, AuthError> {
        self.session.as_ref().ok_or_else(|| AuthError::internal(message, "the token names no session"))
    }

    /// True if a second factor was verified in this session.
    pub(crate) fn is_aal2(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.level() >= Aal::Two)
    }
}

/// The factor of `user` with the id from the path.
///
/// # Errors
/// [`MfaError::FactorId`], [`MfaError::FactorNotFound`].
pub(crate) fn factor_of(user: &User, id: &str) -> Result<Factor, AuthError> {
    let id = Uuid::parse_str(id).map_err(|_| MfaError::FactorId)?;
    Ok(user.factors.iter().find(|factor| factor.id == id).cloned().ok_or(MfaError::FactorNotFound)?)
}
