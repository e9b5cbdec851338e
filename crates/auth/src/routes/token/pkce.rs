//! `POST /token?grant_type=pkce`
//!
//! Source: supabase/auth, `internal/api/token.go` and RFC 7636 section 4.6.

use chrono::{DateTime, Utc};
use serde_json::json;

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::audit::{self, Action};
use crate::flows::sessions;
use crate::flows::tokens::TokenBody;
use crate::model::authentication_method::AuthenticationMethod;
use crate::model::pkce;
use crate::model::requester::Requester;
use crate::model::session::SignIn;
use crate::model::timestamp::{self, after};
use crate::model::trace::Trace;
use crate::protocol::body::params;
use crate::state::State;
use crate::store::flow_state::{self, FlowState};
use crate::store::users;

/// The code from the redirect, and the verifier of the challenge.
#[derive(Default)]
pub(super) struct PkceGrant {
    auth_code: String,
    code_verifier: String,
}
params!(PkceGrant as "PKCEGrantParams" { auth_code: Text, code_verifier: Text });

/// Exchanges a code for a session, once. A wrong verifier does not use up the code.
pub(super) async fn grant(
    state: &State,
    params: PkceGrant,
    requester: &Requester,
    trace: &Trace,
) -> Result<TokenBody, AuthError> {
    if params.auth_code.is_empty() || params.code_verifier.is_empty() {
        return Err(AuthError::CodeAndVerifier);
    }
    let now = timestamp::now(&state.clock);
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let found = flow_state::by_code(&connection, &params.auth_code).await.or_fault(UNEXPECTED)?;
    let flow = found.ok_or(AuthError::FlowStateNotFound)?;
    let user_id = flow.user_id.ok_or(AuthError::FlowStateNotFound)?;
    if now > after(begun(&flow), state.config.external.flow_state_expiry) {
        return Err(AuthError::FlowStateExpired);
    }
    let found = users::by_id(&connection, user_id).await.or_fault(UNEXPECTED)?;
    let user = found.ok_or(AuthError::FlowStateNotFound)?;
    pkce::check(&flow.challenge, &flow.challenge_method, &params.code_verifier)?;
    if user.is_banned(now) {
        return Err(AuthError::LoginBanned);
    }
    let method = AuthenticationMethod::of_flow(&flow.authentication_method).ok_or(AuthError::FlowStateNotFound)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    // Of two concurrent exchanges only one deletes the flow.
    if !flow_state::delete(&db, flow.id).await.or_fault(UNEXPECTED)? {
        return Err(AuthError::FlowStateNotFound);
    }
    audit::record(state, &db, &user, Action::Login, json!({ "provider_type": flow.provider_type })).await?;
    // For SAML this column holds the end of the session instead of a provider token.
    let is_saml = method == AuthenticationMethod::Saml;
    let not_after = flow.provider_access_token.parse().ok().filter(|_| is_saml);
    let sign_in = SignIn { not_after, ..method.into() };
    let issued = sessions::issue(state, &db, user, sign_in, requester, trace).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    let body = issued.complete(state, requester).await?;
    if is_saml {
        return Ok(body);
    }
    Ok(body.with_provider_tokens(flow.provider_access_token, flow.provider_refresh_token))
}

/// The start of the code's lifetime. A mailed link may be followed late.
///
/// DEVIATION (behaviour): the lifetime of a link's code starts when the link is followed; GoTrue starts it at the
/// request, except for magic links, and so refuses a confirmation mail that is opened after five minutes. A user who is
/// banned in between gets no session.
fn begun(flow: &FlowState) -> DateTime<Utc> {
    flow.code_issued_at.unwrap_or(flow.created_at)
}
