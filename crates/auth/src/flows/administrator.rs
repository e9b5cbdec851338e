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
use crate::flows::sessions;
use crate::model::account::User;
use crate::state::State;

/// The guard of the admin routes: a token with an admin role, not yet checked against the database.
///
/// The service's state is private to it, so that an admin handler cannot reach users, sessions or settings before
/// [`AdminToken::enter`] has checked the token.
pub(crate) struct AdminToken {
    caller: Arc<Caller>,
    state: web::Data<State>,
}

impl Guard for AdminToken {
    const NAME: &'static str = "AdminToken";
}

impl FromRequest for AdminToken {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let token = check_role(request).map(|(caller, state)| AdminToken { caller, state: state.clone() });
        ready(token.map_err(|refusal| gateway::wire::refuse(request, refusal)))
    }
}

/// Proof that the caller is an administrator: their token was checked against the database. Functions that only
/// administrators may call take it as an argument.
pub(crate) struct Administrator {
    state: web::Data<State>,
    actor: User,
}

impl Administrator {
    /// The state of the service.
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// The administrator as the audit log names them: by the role in the token.
    pub(crate) fn actor(&self) -> &User {
        &self.actor
    }
}

/// Accepts a token that has one of the admin roles and was not issued to an OAuth client.
///
/// DEVIATION (words): admin routes check the role first; GoTrue first looks up the token's user and session, and
/// reports what is wrong with those.
///
/// # Errors
/// The refusal of the guard.
pub(crate) fn check_role(request: &HttpRequest) -> Result<(Arc<Caller>, &web::Data<State>), Refusal> {
    let caller = gateway::guard::found(request)?;
    let is_first_party = caller.claims.get("client_id").is_none();
    match request.app_data::<web::Data<State>>() {
        Some(state) if is_first_party && state.config.jwt.admin_roles.iter().any(|role| **role == *caller.role) => {
            Ok((caller, state))
        }
        _ if caller.credential == Credential::None => Err(Refusal::NoCredential),
        _ => Err(Refusal::Forbidden),
    }
}

impl AdminToken {
    /// Checks that the token is still valid. Most admin tokens name no session; one that does becomes invalid when the
    /// session ends.
    ///
    /// DEVIATION (safer): a banned user with an admin role is no administrator; GoTrue still lets them in.
    ///
    /// # Errors
    /// Those of [`sessions::current_of_any`], and [`AuthError::SessionOver`].
    pub(crate) async fn enter(self) -> Result<Administrator, AuthError> {
        let AdminToken { caller, state } = self;
        let claims = &caller.claims;
        sessions::check_token(&state, claims)?;
        if claims.string("session_id").is_some_and(|id| id != Uuid::nil().to_string()) {
            let user_id = match claims.string("sub") {
                Some(_) => claims.subject().ok_or(AuthError::SubjectNotUuid)?,
                None => return Err(AuthError::MissingSubject),
            };
            let current = sessions::current_of_any(&state, &Authenticated { user_id, caller: caller.clone() }).await?;
            current.check_session(&state)?;
            current.check_first_party()?;
        }
        let role = caller.role.to_string();
        let actor = User { role: role.clone(), email: role, ..User::default() };
        Ok(Administrator { state, actor })
    }
}
