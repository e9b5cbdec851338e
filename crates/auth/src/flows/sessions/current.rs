//! Checks the user and session of a valid access token against the database: the user may be deleted or banned, and the
//! session may have ended.
//!
//! Source: supabase/auth, `internal/api/auth.go`.

use gateway::{Authenticated, Claims};
use serde_json::Value;
use uuid::Uuid;

use super::claim_types;
use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::first_party::FirstParty;
use crate::flows::oauth_server;
use crate::model::account::User;
use crate::model::requester::Requester;
use crate::model::scopes::Scopes;
use crate::model::session::{Aal, Session};
use crate::model::timestamp;
use crate::state::State;
use crate::store::users;

/// The user of a request, and the session of their token.
pub(crate) struct Current {
    pub(crate) user: User,
    /// Absent if the token names no session, such as a token that the project's own server signed.
    pub(crate) session: Option<Session>,
    /// The scopes of the OAuth client that holds the token; `None` if the app itself holds it.
    client_scopes: Option<String>,
    claims: Claims,
}

/// Looks up the user of a token that belongs to the app itself, in one round trip.
///
/// # Errors
/// Those of [`current_of_any`], [`AuthError::ClientNotAllowed`].
pub(crate) async fn current(state: &State, who: &FirstParty) -> Result<Current, AuthError> {
    let current = current_of_any(state, who.who()).await?;
    current.check_first_party()?;
    Ok(current)
}

/// Looks up the user of any token, including tokens of OAuth clients. Answers must show the user through
/// [`Current::visible_user`].
///
/// # Errors
/// Those of [`check_token`], [`AuthError::UserNotFound`], [`AuthError::SessionNotFound`], [`AuthError::Banned`].
pub(crate) async fn current_of_any(state: &State, who: &Authenticated) -> Result<Current, AuthError> {
    let claims = who.caller.claims.clone();
    check_token(state, &claims)?;
    let now = timestamp::now(&state.clock);
    let session_claim = claims.string("session_id").filter(|text| *text != Uuid::nil().to_string());
    let session_id = session_claim.map(Uuid::parse_str);
    let known_id = session_id.as_ref().and_then(|id| id.as_ref().ok()).copied();

    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    let found = users::with_session(&db, who.user_id, known_id).await.or_fault(UNEXPECTED)?;
    let (user, session) = found.ok_or(AuthError::UserNotFound)?;
    match session_id {
        Some(Err(_)) => return Err(AuthError::SessionIdNotUuid),
        Some(Ok(_)) if session.is_none() => return Err(AuthError::SessionNotFound),
        _ => {}
    }
    if user.is_banned(now) {
        return Err(AuthError::Banned);
    }
    let of_client = session.as_ref().is_some_and(|session| session.oauth_client_id.is_some());
    let client_scopes = (of_client || claims.get("client_id").is_some())
        .then(|| session.as_ref().and_then(|session| session.scopes.clone()).unwrap_or_default());
    Ok(Current { user, session, client_scopes, claims })
}

/// Checks that a token is not expired, without the leeway for clock skew that other services allow, and that its claims
/// have the right types, which other services ignore.
///
/// # Errors
/// [`AuthError::BadJwt`].
pub(crate) fn check_token(state: &State, claims: &Claims) -> Result<(), AuthError> {
    let now = timestamp::now(&state.clock);
    let expires = claims.get("exp").and_then(Value::as_f64);
    if expires.is_some_and(|expires| now.timestamp_micros() as f64 >= expires * 1e6) {
        return Err(AuthError::BadJwt("token has invalid claims: token is expired".to_owned()));
    }
    claim_types::wrong(claims).map_or(Ok(()), |reason| Err(AuthError::BadJwt(reason)))
}

impl Current {
    /// Checks that the session is still valid, with the rules of a refresh.
    ///
    /// # Errors
    /// [`AuthError::SessionOver`].
    pub(crate) fn check_session(&self, state: &State) -> Result<(), AuthError> {
        let now = timestamp::now(&state.clock);
        let highest = if self.user.has_mfa() { Aal::Two } else { Aal::One };
        let good = |session: &Session| session.check(&state.config.sessions, now, None, highest).is_ok();
        if self.session.as_ref().is_none_or(good) { Ok(()) } else { Err(AuthError::SessionOver) }
    }

    /// The level of the session, or of a token without a session.
    pub(crate) fn level(&self) -> Aal {
        match &self.session {
            Some(session) => session.level(),
            None if matches!(self.claims.string("aal"), Some("aal2" | "aal3")) => Aal::Two,
            None => Aal::One,
        }
    }

    /// Refuses tokens of OAuth clients.
    ///
    /// # Errors
    /// [`AuthError::ClientNotAllowed`].
    pub(crate) fn check_first_party(&self) -> Result<(), AuthError> {
        if self.client_scopes.is_none() { Ok(()) } else { Err(AuthError::ClientNotAllowed) }
    }

    /// The user as the holder of the token may see them. Scopes limit what an OAuth client sees.
    pub(crate) fn visible_user(self) -> User {
        match self.client_scopes {
            None => self.user,
            Some(scopes) => oauth_server::limited(self.user, Scopes(&scopes)),
        }
    }

    /// True if the token is of an anonymous user.
    pub(crate) fn is_anonymous(&self) -> bool {
        self.claims.get("is_anonymous").and_then(Value::as_bool).unwrap_or_default()
    }

    /// The audience of the request: the header's, else the token's unless it is an administrator's, else the configured
    /// one.
    pub(crate) fn audience<'a>(&'a self, state: &'a State, requester: &'a Requester) -> &'a str {
        if let Some(named) = requester.named_audience() {
            return named;
        }
        let is_admin = self.claims.string("role").is_some_and(|role| {
            let roles = &state.config.jwt.admin_roles;
            roles.iter().any(|admin| admin == role)
        });
        let of_token = if is_admin { None } else { self.token_audience() };
        of_token.filter(|audience| !audience.is_empty()).unwrap_or(&state.config.jwt.aud)
    }

    /// The first audience of the token.
    pub(crate) fn token_audience(&self) -> Option<&str> {
        match self.claims.get("aud")? {
            Value::String(one) => Some(one),
            Value::Array(many) => many.first().and_then(Value::as_str),
            _ => None,
        }
    }
}
