//! From a provider's answer to a session.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;
use uuid::Uuid;

use super::answer::Answer;
use super::refusal::{Refusal, provider_tokens};
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, ExternalError};
use crate::flows::external::{self, Attempt, Outcome, SignedIn};
use crate::flows::sessions;
use crate::model::account::User;
use crate::model::authentication_method::AuthenticationMethod;
use crate::model::requester::Requester;
use crate::model::timestamp::{self, after};
use crate::model::trace::Trace;
use crate::outside::providers::{Profile, Provider, Tokens, Unusable};
use crate::routes::verify::redirect::with_code;
use crate::state::State;
use crate::store::flow_state::{self, ExternalFlow};
use crate::store::{oauth_client_states, users};

/// Lifetime of the PKCE verifier of our own flow with a provider.
const VERIFIER_LIFETIME: TimeDelta = TimeDelta::minutes(5);

/// The flow that the state belongs to.
///
/// # Errors
/// The `State…` errors, and [`ExternalError::LinkingTargetGone`].
pub(super) async fn flow(state: &State, answer: &Answer) -> Result<ExternalFlow, AuthError> {
    let id = match answer.get("state") {
        "" => return Err(AuthError::External(ExternalError::StateMissing)),
        text => Uuid::parse_str(text).map_err(|_| AuthError::External(ExternalError::StateInvalid))?,
    };
    let db = state.pool.get().await.or_fault("Error loading flow state")?;
    let found = flow_state::by_id(&db, id).await.or_fault("Error loading flow state")?;
    let flow = found.ok_or(AuthError::External(ExternalError::StateNotFound))?;
    let now = timestamp::now(&state.clock);
    if now > after(flow.created_at, state.config.external.flow_state_expiry) {
        return Err(AuthError::External(ExternalError::StateExpired));
    }
    if flow.auth_code.is_some() && flow.user_id.is_some() {
        return Err(AuthError::External(ExternalError::StateUsed));
    }
    if let Some(target) = flow.linking_target
        && users::by_id(&db, target).await.or_fault("Database error loading user")?.is_none()
    {
        return Err(AuthError::External(ExternalError::LinkingTargetGone));
    }
    Ok(flow)
}

/// Signs in the user and returns the redirect.
pub(super) async fn finish(
    state: &State,
    flow: &ExternalFlow,
    answer: &Answer,
    requester: &Requester,
    trace: &Trace,
    target: &str,
) -> Result<String, Refusal> {
    let now = timestamp::now(&state.clock);
    let (mut profile, tokens) = identify(state, flow, answer, now).await?;
    if profile.emails.is_empty() && !flow.email_optional {
        let message = "Error getting user email from external provider";
        return Err(AuthError::internal(message, "the provider gave no address").into());
    }
    profile.settle_email();
    if profile.claims.subject().is_empty() {
        return Err(AuthError::internal("error missing provider id", "the provider gave no name for the user").into());
    }
    let attempt = Attempt {
        profile: &profile,
        provider: &flow.provider_type,
        email_optional: flow.email_optional,
        redirect_to: target,
        id: Uuid::new_v4(),
        now,
    };
    if flow.linking_target.is_none() && flow.invite_token.is_empty() {
        external::before_user_created(state, attempt, requester).await?;
    }
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    claim(&db, flow).await?;
    let (outcome, dispatch) = match account(state, &db, flow, attempt, requester).await? {
        Outcome::SignedIn(signed_in) => {
            let SignedIn { user, is_new, dispatch } = *signed_in;
            let newcomer = is_new.then(|| user.clone());
            let location = hand_over(state, &db, flow, user, &tokens, (requester, trace), target).await?;
            (Ok((location, newcomer)), dispatch)
        }
        Outcome::Refused(error, dispatch) => (Err(error), dispatch),
    };
    let ready = dispatch.hand_over(state, &db, requester).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    Ok(external::conclude(state, requester, ready, outcome).await?)
}

/// Of two concurrent callbacks with the same state, only one finds the flow unused.
async fn claim(db: &pg::pool::Transaction<'_>, flow: &ExternalFlow) -> Result<(), AuthError> {
    let fresh = flow_state::lock(db, flow.id).await.or_fault(UNEXPECTED)?;
    let fresh = fresh.ok_or(AuthError::External(ExternalError::StateNotFound))?;
    if fresh.user_id.is_some() { Err(AuthError::External(ExternalError::StateUsed)) } else { Ok(()) }
}

async fn account(
    state: &State,
    db: &pg::pool::Transaction<'_>,
    flow: &ExternalFlow,
    attempt: Attempt<'_>,
    requester: &Requester,
) -> Result<Outcome, AuthError> {
    match (flow.linking_target, flow.invite_token.as_str()) {
        (Some(target), _) => external::link_to(state, db, attempt, target).await,
        (None, "") => external::sign_in(state, db, attempt, requester).await,
        (None, token) => external::accept_invitation(state, db, attempt, token).await,
    }
}

/// A code if the flow has a PKCE challenge, else a session.
async fn hand_over(
    state: &State,
    db: &pg::pool::Transaction<'_>,
    flow: &ExternalFlow,
    user: User,
    tokens: &Tokens,
    (requester, trace): (&Requester, &Trace),
    target: &str,
) -> Result<String, AuthError> {
    if let Some(code) = &flow.auth_code {
        let now = timestamp::now(&state.clock);
        let given = (tokens.access_token.as_str(), tokens.refresh_token.as_str());
        flow_state::complete(db, flow.id, user.id, given, now).await.or_fault(UNEXPECTED)?;
        return Ok(with_code(target, code));
    }
    flow_state::delete(db, flow.id).await.or_fault(UNEXPECTED)?;
    let issued = sessions::issue(state, db, user, AuthenticationMethod::OAuth, requester, trace).await?;
    let session = issued.complete_in(state, db, requester).await?;
    let fragment = session.fragment(&provider_tokens(&tokens.access_token, &tokens.refresh_token));
    Ok(format!("{target}#{fragment}"))
}

/// The user's profile, fetched from the provider.
async fn identify(
    state: &State,
    flow: &ExternalFlow,
    answer: &Answer,
    now: DateTime<Utc>,
) -> Result<(Profile, Tokens), Refusal> {
    const NO_PROFILE: &str = "Error getting user profile from external provider";
    let error = answer.get("error");
    if !error.is_empty() {
        let description = answer.get("error_description").to_owned();
        return Err(Refusal::Theirs { error: error.to_owned(), description });
    }
    if flow.provider_type == "twitter" {
        return identify_oauth1(state, flow, answer, now).await;
    }
    let code = answer.get("code");
    if code.is_empty() {
        return Err(AuthError::External(ExternalError::CodeMissing).into());
    }
    let provider = find(state, flow).await?;
    // DEVIATION (safer): an answer at `/callback` whose `iss` differs from the provider's issuer is refused (RFC 9207).
    let said = answer.get("iss");
    if !said.is_empty() && provider.expected_issuer().is_some_and(|issuer| issuer != said) {
        return Err(AuthError::External(ExternalError::IssuerMismatch).into());
    }
    let verifier = verifier(state, flow, &provider, now).await?;
    // DEVIATION (safer): the error about a code that cannot be exchanged does not contain any of it; GoTrue shows its
    // first four characters.
    let tokens = provider.exchange(code, verifier.as_deref()).await;
    let tokens = tokens.map_err(|failure| AuthError::internal("Unable to exchange external code", failure))?;
    let profile = provider.identify(&state.network, &tokens, now).await;
    let mut profile = profile.map_err(|failure| AuthError::internal(NO_PROFILE, failure))?;
    if provider.is_apple() && !answer.get("user").is_empty() {
        let name = name_of(answer.get("user"));
        let name = name.ok_or_else(|| AuthError::internal(NO_PROFILE, "the field user cannot be read"))?;
        profile.claims.set("name", &name);
        profile.claims.set("full_name", &name);
    }
    Ok((profile, tokens))
}

async fn identify_oauth1(
    state: &State,
    flow: &ExternalFlow,
    answer: &Answer,
    now: DateTime<Utc>,
) -> Result<(Profile, Tokens), Refusal> {
    let provider = find(state, flow).await?;
    let (token, verifier) = (answer.get("oauth_token"), answer.get("oauth_verifier"));
    let identified = provider.identify_oauth1(token, verifier, now).await;
    identified.map_err(|failure| AuthError::internal("Unable to retrieve access token", failure).into())
}

async fn find(state: &State, flow: &ExternalFlow) -> Result<Provider, AuthError> {
    external::find(state, &flow.provider_type, "").await.map_err(|unusable| match unusable {
        Unusable::Unsupported(reason) => AuthError::External(ExternalError::NoLongerSupported(reason)),
        Unusable::Fault(error) => error,
    })
}

/// The verifier of our own PKCE challenge. It can be used once.
async fn verifier(
    state: &State,
    flow: &ExternalFlow,
    provider: &Provider,
    now: DateTime<Utc>,
) -> Result<Option<String>, AuthError> {
    let Some(id) = flow.client_state else {
        let missing = provider.requires_pkce().then_some(ExternalError::VerifierMissing);
        return missing.map_or(Ok(None), |error| Err(AuthError::External(error)));
    };
    let db = state.pool.get().await.or_fault("Failed to find OAuth state")?;
    let taken = oauth_client_states::take(&db, id).await.or_fault("Failed to find OAuth state")?;
    let taken = taken.ok_or(AuthError::External(ExternalError::VerifierNotFound))?;
    if taken.provider_type != flow.provider_type {
        return Err(AuthError::External(ExternalError::VerifierOfAnother));
    }
    if now > taken.created_at + VERIFIER_LIFETIME {
        return Err(AuthError::External(ExternalError::VerifierExpired));
    }
    Ok(Some(taken.code_verifier))
}

/// Apple sends the user's name only at the first sign-in (developer.apple.com, "Configuring your webpage").
fn name_of(user: &str) -> Option<String> {
    let user: Value = serde_json::from_str(user).ok()?;
    let part = |name: &str| user["name"][name].as_str().unwrap_or_default().to_owned();
    Some(format!("{} {}", part("firstName"), part("lastName")).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apples_names() {
        let user = r#"{"name":{"firstName":"Ana","lastName":"Sol"},"email":"ana@x.test"}"#;
        assert_eq!(name_of(user).as_deref(), Some("Ana Sol"));
        assert_eq!(name_of("{}").as_deref(), Some(""));
        assert_eq!(name_of("x"), None);
    }
}
