//! Access tokens, and the answer that carries them with refresh tokens.
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

/// What signing in and refreshing answer (RFC 6749 section 5.1, and more).
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
    /// The external provider's own token, where the sign-in went through one.
    #[serde(skip_serializing_if = "String::is_empty")]
    provider_token: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    provider_refresh_token: String,
    /// After signing in by password: `null`, or why the password would not be taken today.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    weak_password: Option<Value>,
}

impl TokenBody {
    /// Access token, seconds for which it is good, refresh token.
    pub(crate) fn into_parts(self) -> (String, i64, String) {
        (self.access_token, self.expires_in, self.refresh_token)
    }

    /// Adds what the external provider gave out.
    pub(crate) fn with_provider_tokens(mut self, access: String, refresh: String) -> Self {
        (self.provider_token, self.provider_refresh_token) = (access, refresh);
        self
    }

    /// It as the fragment of an address, with more to say.
    pub(crate) fn fragment(&self, more: &[(&str, &str)]) -> String {
        let (expires_at, expires_in) = (self.expires_at.to_string(), self.expires_in.to_string());
        let mut pairs = vec![
            ("access_token", self.access_token.as_str()),
            ("token_type", self.token_type),
            ("expires_in", &expires_in),
            ("expires_at", &expires_at),
            ("refresh_token", &self.refresh_token),
            // Tells our answers from those of others.
            ("sb", ""),
        ];
        pairs.extend_from_slice(more);
        pairs.sort_unstable();
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
    }

    /// Says whether the password is weak by now; `null` says that it is not.
    pub(crate) fn with_weak_password(mut self, weakness: Value) -> Self {
        self.weak_password = Some(weakness);
        self
    }
}

/// What a token is made from, beside its user.
pub(crate) struct Making<'a> {
    pub(crate) session: &'a Session,
    /// The session's current one.
    pub(crate) refresh_token: String,
    /// How the user got here, as in `amr`; or `token_refresh`.
    pub(crate) method: &'a str,
    pub(crate) now: DateTime<Utc>,
}

/// A session that is stored, and its tokens, once [`Issued::complete`] has made them.
#[must_use]
pub(crate) enum Issued {
    /// Nobody else was to be asked, or a function that takes part in the transaction.
    Done(Box<TokenBody>),
    /// An HTTP hook is to be asked after the commit.
    Open(Box<Open>),
}

/// What is kept of [`Making`] until the commit.
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
    /// The hook's, with which a session that was new has ended; and when no key can sign.
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

    /// The answer where it has to be known before the commit.
    ///
    /// # Errors
    /// The hook's, [`AuthError::TooBusy`] when too many wait for hooks already; and when no key can sign.
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

    /// Has the answer made before the commit, so that a user who is new comes to be only with a token.
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

    /// Leaves the session as it is when the hook refuses: it was there before.
    pub(crate) fn of_old_session(mut self) -> Self {
        if let Issued::Open(open) = &mut self {
            open.ends_with_refusal = false;
        }
        self
    }
}

/// The answer for a session. The project's hook may have other claims signed than ours.
///
/// # Errors
/// The hook's, and when no key can sign.
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

/// The same where the project has no such hook.
///
/// # Errors
/// When no key can sign.
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

/// A session without the second factor its user has may be limited: then its tokens are, too.
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

/// DEVIATION: the token of an OAuth client carries `email`, `phone` and `user_metadata` only as far as its scopes allow; GoTrue
/// puts everything in.
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
    // DEVIATION: who has two identities of single sign-on has no `provider` in `amr` from the beginning; GoTrue leaves it out
    // from the first refresh on.
    if let ("sso/saml", [identity]) = (name, user.identities.as_slice())
        && let Some(provider) = identity.provider.strip_prefix("sso:")
    {
        entry["provider"] = json!(provider);
    }
    entry
}
