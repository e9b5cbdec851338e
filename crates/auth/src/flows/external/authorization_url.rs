//! Starts a provider flow: stores the flow state and returns the provider's authorization URL.
//!
//! Source: supabase/auth, `internal/api/external.go`.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rand::Rng;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::find;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, ExternalError};
use crate::model::authentication_method::AuthenticationMethod;
use crate::model::pkce::Challenge;
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::outside::providers::{RESERVED, Unusable};
use crate::state::State;
use crate::store::flow_state::{self, NewFlow};
use crate::store::one_time_tokens::Kind;
use crate::store::{oauth_client_states, users};

/// Parameters that are not passed on to the provider.
const OURS: [&str; 2] = ["provider", "scopes"];

/// Stores a flow and returns the provider's authorization URL. With `linking_target`, the resulting identity is linked
/// to that user.
///
/// # Errors
/// [`ExternalError::Unsupported`], [`ExternalError::InviteTokenUnknown`], [`ExternalError::ChallengeMethod`], and those
/// of [`Challenge::read`].
pub(crate) async fn authorization_url(
    state: &State,
    requester: &Requester,
    linking_target: Option<Uuid>,
) -> Result<String, AuthError> {
    let name = requester.parameter("provider");
    let provider = find(state, &name, &requester.parameter("scopes")).await.map_err(|unusable| match unusable {
        Unusable::Unsupported(reason) => AuthError::External(ExternalError::Unsupported(reason)),
        Unusable::Fault(error) => error,
    })?;
    let now = timestamp::now(&state.clock);
    let invite_token = requester.parameter("invite_token");
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    if !invite_token.is_empty() {
        if !state.codes.is_keyed(&invite_token) {
            return Err(AuthError::External(ExternalError::InviteTokenUnknown));
        }
        let invited = users::by_one_time_token(&db, std::slice::from_ref(&invite_token), &[Kind::Confirmation]).await;
        if invited.or_fault("Database error finding user")?.is_none() {
            return Err(AuthError::External(ExternalError::InviteTokenUnknown));
        }
    }
    let challenge = challenge(&requester.parameter("code_challenge"), &requester.parameter("code_challenge_method"))?;
    let flow = Uuid::new_v4();
    let verifier = provider.requires_pkce().then(new_verifier);
    let client_state = match &verifier {
        None => None,
        Some(verifier) => {
            let id = Uuid::new_v4();
            oauth_client_states::insert(&db, id, &provider.name, verifier, now).await.or_fault(UNEXPECTED)?;
            Some(id)
        }
    };
    let new = NewFlow {
        id: flow,
        provider_type: &provider.name,
        method: AuthenticationMethod::OAuth,
        challenge: challenge.as_ref(),
        invite_token: &invite_token,
        referrer: &requester.redirect_to(&state.config),
        client_state,
        linking_target,
        email_optional: provider.email_optional,
    };
    flow_state::insert_external(&db, new, now).await.or_fault("Error creating flow state")?;
    // Release the connection first: the provider may be slow.
    drop(db);
    let ours = verifier.as_deref().map(|verifier| BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)));
    let url = provider
        .authorization_url(timestamp::now(&state.clock), flow, passed_on(requester.pairs()), ours.as_deref())
        .await;
    url.map_err(|failure| AuthError::internal(UNEXPECTED, failure))
}

/// The parameters that the client sends to the provider through us: the first value of each name, without the
/// parameters that we set ourselves.
fn passed_on(pairs: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut passed: Vec<(String, String)> = Vec::new();
    for (name, value) in pairs {
        let lower = name.to_ascii_lowercase();
        let is_ours = OURS.contains(&name.as_str()) || lower != "nonce" && RESERVED.contains(&lower.as_str());
        // WorkOS has a parameter named `provider` of its own.
        let name = if name == "workos_provider" { "provider".to_owned() } else { name };
        if !is_ours && !passed.iter().any(|(known, _)| *known == name) {
            passed.push((name, value));
        }
    }
    passed
}

/// The app's PKCE challenge.
pub(crate) fn challenge(text: &str, method: &str) -> Result<Option<Challenge>, AuthError> {
    match Challenge::read(text, method) {
        Err(AuthError::ChallengeIncomplete) if !text.is_empty() && !method.is_empty() => {
            Err(AuthError::External(ExternalError::ChallengeMethod))
        }
        read => read,
    }
}

/// 256 random bits (RFC 7636 section 4.1).
fn new_verifier() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(rand::rng().random::<[u8; 32]>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ours_to_say_is_not_passed_on() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let passed = passed_on(vec![
            pair("provider", "google"),
            pair("scopes", "a"),
            pair("State", "evil"),
            pair("redirect_uri", "https://evil.test"),
            pair("CODE_CHALLENGE", "x"),
            pair("client_id", "x"),
            pair("nonce", "n"),
            pair("prompt", "consent"),
            pair("prompt", "none"),
            pair("redirect_to", "https://app.test"),
            pair("workos_provider", "GoogleOAuth"),
        ]);
        let expected = [
            pair("nonce", "n"),
            pair("prompt", "consent"),
            pair("redirect_to", "https://app.test"),
            pair("provider", "GoogleOAuth"),
        ];
        assert_eq!(passed, expected);
    }

    #[test]
    fn unknown_methods_are_named() {
        let text = "a".repeat(43);
        assert_eq!(challenge(&text, "md5").unwrap_err().message(), "Invalid code_challenge_method");
        assert!(matches!(challenge(&text, ""), Err(AuthError::ChallengeIncomplete)));
        assert!(challenge("", "").unwrap().is_none() && challenge(&text, "S256").unwrap().is_some());
        assert_eq!(new_verifier().len(), 43);
    }
}
