//! Access tokens and the token response.
//!
//! Source: supabase/auth, `internal/tokens/service.go`.

use chrono::{DateTime, Utc};
use pg::pool::Transaction;
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::config::HookTarget;
use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::{hooks, oauth_server};
use crate::model::account::{User, UserBody};
use crate::model::requester::Requester;
use crate::model::scopes::Scopes;
use crate::model::session::{Aal, Session};
use crate::state::State;
use crate::store::sessions;

/// The answer of sign-ins and refreshes (RFC 6749 section 5.1, with additions).
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TokenBody {
    access_token: String,
    /// Always `bearer`.
    token_type: &'static str,
    /// Seconds from now.
    expires_in: i64,
    /// Seconds since 1970.
    expires_at: i64,
    refresh_token: String,
    user: UserBody,
    /// The external provider's own token, if the sign-in used one.
    #[serde(skip_serializing_if = "String::is_empty")]
    provider_token: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    provider_refresh_token: String,
    /// After a password sign-in: `null`, or why the password does not meet the current rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    weak_password: Option<Value>,
}

impl TokenBody {
    /// Access token, lifetime in seconds, refresh token.
    pub(crate) fn into_parts(self) -> (String, i64, String) {
        (self.access_token, self.expires_in, self.refresh_token)
    }

    /// Adds the external provider's tokens.
    pub(crate) fn with_provider_tokens(mut self, access: String, refresh: String) -> Self {
        (self.provider_token, self.provider_refresh_token) = (access, refresh);
        self
    }

    /// The answer as a URL fragment, with additional pairs.
    pub(crate) fn fragment(&self, more: &[(&str, &str)]) -> String {
        let (expires_at, expires_in) = (self.expires_at.to_string(), self.expires_in.to_string());
        let mut pairs = vec![
            ("access_token", self.access_token.as_str()),
            ("token_type", self.token_type),
            ("expires_in", &expires_in),
            ("expires_at", &expires_at),
            ("refresh_token", &self.refresh_token),
            // Marks the answer as Supabase's.
            ("sb", ""),
        ];
        pairs.extend_from_slice(more);
        pairs.sort_unstable();
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
    }

    /// Reports whether the password is weak by now; `null` if it is not.
    pub(crate) fn with_weak_password(mut self, weakness: Value) -> Self {
        self.weak_password = Some(weakness);
        self
    }
}

/// The inputs of a token, besides its user.
pub(crate) struct Making<'a> {
    pub(crate) session: &'a Session,
    /// The session's current refresh token.
    pub(crate) refresh_token: String,
    /// The sign-in method as in `amr`, or `token_refresh`.
    pub(crate) method: &'a str,
    pub(crate) now: DateTime<Utc>,
}

/// A stored session with its tokens, which [`Issued::complete`] finishes.
#[must_use]
pub(crate) enum Issued {
    /// The tokens are made: there is no hook, or it is a database function that ran in the transaction.
    Done(Box<TokenBody>),
    /// An HTTP hook must be called after the commit.
    Open(Box<Open>),
}

/// The parts of [`Making`] that are kept until the commit.
pub(crate) struct Open {
    user: User,
    session: Session,
    refresh_token: String,
    method: String,
    now: DateTime<Utc>,
    claims: Map<String, Value>,
    ends_with_refusal: bool,
}

impl Issued {
    /// The answer. The caller has committed and holds no connection.
    ///
    /// # Errors
    /// The hook's refusal, after ending a new session; or if no key can sign.
    pub(crate) async fn complete(self, state: &State, requester: &Requester) -> Result<TokenBody, AuthError> {
        let open = match self {
            Issued::Done(body) => return Ok(*body),
            Issued::Open(open) => *open,
        };
        let Open { user, session, refresh_token, method, now, claims, ends_with_refusal } = open;
        let made = match hooks::customise_after(state, requester, user.id, &method, claims).await {
            Ok(claims) => {
                let making = Making { session: &session, refresh_token, method: &method, now };
                answer(state, user, making, &claims)
            }
            Err(error) => Err(error),
        };
        if made.is_err() && ends_with_refusal {
            let db = state.pool.get().await.or_fault(UNEXPECTED)?;
            sessions::delete(&db, session.id).await.or_fault(UNEXPECTED)?;
        }
        made
    }

    /// The answer if it is needed before the commit.
    ///
    /// # Errors
    /// The hook's; [`AuthError::TooBusy`] if too many requests wait for hooks already; or if no key can sign.
    pub(crate) async fn complete_in(
        self,
        state: &State,
        db: &Transaction<'_>,
        requester: &Requester,
    ) -> Result<TokenBody, AuthError> {
        let open = match self {
            Issued::Done(body) => return Ok(*body),
            Issued::Open(open) => *open,
        };
        let Open { user, session, refresh_token, method, now, claims, .. } = open;
        let claims = hooks::customise(state, db, requester, user.id, &method, claims).await?;
        answer(state, user, Making { session: &session, refresh_token, method: &method, now }, &claims)
    }

    /// Makes the answer before the commit, so that a new user is only stored together with a token.
    ///
    /// # Errors
    /// Those of [`Issued::complete_in`].
    pub(crate) async fn settle(
        self,
        state: &State,
        db: &Transaction<'_>,
        requester: &Requester,
    ) -> Result<Self, AuthError> {
        self.complete_in(state, db, requester).await.map(|body| Issued::Done(Box::new(body)))
    }

    /// Keeps the session if the hook refuses, because it existed before.
    pub(crate) fn of_old_session(mut self) -> Self {
        if let Issued::Open(open) = &mut self {
            open.ends_with_refusal = false;
        }
        self
    }
}

/// The answer for a session. A hook may change the claims.
///
/// # Errors
/// The hook's, and if no key can sign.
pub(crate) async fn body(
    state: &State,
    db: &Transaction<'_>,
    requester: &Requester,
    user: User,
    making: Making<'_>,
) -> Result<Issued, AuthError> {
    let claims = claims(state, &user, &making);
    let hook = state.config.hooks.custom_access_token.as_ref();
    if hook.is_some_and(|hook| matches!(hook.target, HookTarget::Http(_))) {
        let Making { session, refresh_token, method, now } = making;
        let (session, method) = (session.clone(), method.to_owned());
        let open = Open { user, session, refresh_token, method, now, claims, ends_with_refusal: true };
        return Ok(Issued::Open(Box::new(open)));
    }
    let claims = hooks::customise(state, db, requester, user.id, making.method, claims).await?;
    answer(state, user, making, &claims).map(|body| Issued::Done(Box::new(body)))
}

/// The same without a hook.
///
/// # Errors
/// If no key can sign.
pub(crate) fn sign(state: &State, user: User, making: Making<'_>) -> Result<TokenBody, AuthError> {
    let claims = claims(state, &user, &making);
    answer(state, user, making, &claims)
}

fn answer(state: &State, user: User, making: Making<'_>, claims: &Map<String, Value>) -> Result<TokenBody, AuthError> {
    let Making { session, refresh_token, now, .. } = making;
    let expires_at = expiry(state, &user, session, now);
    let access_token =
        state.keys.sign(claims).map_err(|error| AuthError::internal("error generating jwt token", error))?;
    Ok(TokenBody {
        access_token,
        token_type: "bearer",
        expires_in: expires_at - now.timestamp(),
        expires_at,
        refresh_token,
        user: user.into(),
        provider_token: String::new(),
        provider_refresh_token: String::new(),
        weak_password: None,
    })
}

/// `ALLOW_LOW_AAL` limits sessions without the user's second factor, and with them the lifetime of their tokens.
fn expiry(state: &State, user: &User, session: &Session, now: DateTime<Utc>) -> i64 {
    let usual = now.timestamp() + state.config.jwt.exp;
    match state.config.sessions.allow_low_aal {
        Some(limit) if user.has_mfa() && Aal::of(&session.proofs) == Aal::One => {
            let limit = i64::try_from(limit.as_secs()).unwrap_or(i64::MAX);
            usual.min(session.created_at.timestamp().saturating_add(limit))
        }
        _ => usual,
    }
}

/// DEVIATION (safer): the token of an OAuth client carries `email`, `phone` and `user_metadata` only as far as its
/// scopes allow; GoTrue includes everything.
fn claims(state: &State, user: &User, making: &Making<'_>) -> Map<String, Value> {
    let session = making.session;
    let expires_at = expiry(state, user, session, making.now);
    let scopes = Scopes(session.scopes.as_deref().unwrap_or_default());
    let client_view = session.oauth_client_id.map(|_| oauth_server::limited(user.clone(), scopes));
    let shown = client_view.as_ref().unwrap_or(user);
    let mut claims = Map::new();
    let mut claim = |name: &str, value: Value| claims.insert(name.to_owned(), value);
    if !state.config.jwt.issuer.is_empty() {
        claim("iss", json!(state.config.jwt.issuer));
    }
    claim("sub", json!(user.id));
    claim("aud", json!(user.aud));
    claim("exp", json!(expires_at));
    claim("iat", json!(making.now.timestamp()));
    claim("email", json!(shown.email));
    claim("phone", json!(shown.phone));
    claim("app_metadata", json!(user.app_metadata));
    claim("user_metadata", json!(shown.user_metadata));
    claim("role", json!(user.role));
    claim("aal", json!(Aal::of(&session.proofs).as_str()));
    let methods: Vec<Value> = session.proofs.iter().map(|proof| method(user, &proof.method, proof.at)).collect();
    if !methods.is_empty() {
        claim("amr", json!(methods));
    }
    claim("session_id", json!(session.id));
    claim("is_anonymous", json!(user.is_anonymous));
    if let Some(client) = session.oauth_client_id {
        claim("client_id", json!(client));
    }
    if let Some(scopes) = session.scopes.as_ref().filter(|scopes| !scopes.is_empty()) {
        claim("scope", json!(scopes));
    }
    claims
}

fn method(user: &User, name: &str, at: DateTime<Utc>) -> Value {
    let mut entry = json!({ "method": name, "timestamp": at.timestamp() });
    // DEVIATION (behaviour): for a user with two single sign-on identities, `amr` never names a `provider`; GoTrue
    // leaves it out only from the first refresh on.
    if let ("sso/saml", [identity]) = (name, user.identities.as_slice())
        && let Some(provider) = identity.provider.strip_prefix("sso:")
    {
        entry["provider"] = json!(provider);
    }
    entry
}
