//! Administrators: callers whose token has one of the configured admin roles.
//!
//! Source: supabase/auth, `internal/api/middleware.go` and `auth.go`.

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::{Error, FromRequest, HttpRequest, web};
use gateway::caller::Credential;
use gateway::{Authenticated, Caller, Guard, Refusal};
use uuid::Uuid;

use crate::error::AuthError;
use crate::flows::{audit, sessions};
use crate::model::account::User;
use crate::state::State;

/// The guard of the admin routes. It checks the token's role; [`Administrator::enter`] then checks the token against
/// the database.
#[derive(Clone, Debug)]
pub(crate) struct Administrator(Arc<Caller>);

impl Guard for Administrator {
    const NAME: &'static str = "Administrator";
}

impl FromRequest for Administrator {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(admit(request).map(Administrator).map_err(|refusal| gateway::wire::refuse(request, refusal)))
    }
}

/// Accepts a token that has one of the admin roles and was not issued to an OAuth client.
///
/// DEVIATION (words): admin routes check the role first; GoTrue first looks up the token's user and session, and
/// reports what is wrong with those.
///
/// # Errors
/// The refusal of the guard.
pub(crate) fn admit(request: &HttpRequest) -> Result<Arc<Caller>, Refusal> {
    let caller = gateway::guard::found(request)?;
    let roles = request.app_data::<web::Data<State>>().map(|state| state.config.jwt.admin_roles.as_slice());
    let is_first_party = caller.claims.get("client_id").is_none();
    if is_first_party && roles.unwrap_or_default().iter().any(|role| **role == *caller.role) {
        return Ok(caller);
    }
    Err(if caller.credential == Credential::None { Refusal::NoCredential } else { Refusal::Forbidden })
}

impl Administrator {
    /// Checks that the token is still valid and returns the name of its holder for the audit log. Most admin tokens
    /// name no session; one that does becomes invalid when the session ends.
    ///
    /// DEVIATION (safer): a banned user with an admin role is no administrator; GoTrue still lets them in.
    ///
    /// # Errors
    /// Those of [`sessions::current_of_any`], and [`AuthError::SessionOver`].
    pub(crate) async fn enter(&self, state: &State) -> Result<User, AuthError> {
        let claims = &self.0.claims;
        sessions::check_token(state, claims)?;
        if claims.string("session_id").is_some_and(|id| id != Uuid::nil().to_string()) {
            let user_id = match claims.string("sub") {
                Some(_) => claims.subject().ok_or(AuthError::SubjectNotUuid)?,
                None => return Err(AuthError::MissingSubject),
            };
            let current = sessions::current_of_any(state, &Authenticated { user_id, caller: self.0.clone() }).await?;
            current.check_session(state)?;
            current.check_first_party()?;
        }
        Ok(audit::admin(&self.0.role))
    }
}
