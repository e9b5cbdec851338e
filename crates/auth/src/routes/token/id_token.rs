//! `POST /token?grant_type=id_token`
//!
//! Source: supabase/auth, `internal/api/token_oidc.go`.

mod issuer;

use actix_web::HttpRequest;
use actix_web::http::header::AUTHORIZATION;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use uuid::Uuid;

use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, OAuthError};
use crate::flows::external::{self, Attempt, Outcome, SignedIn};
use crate::flows::first_party::FirstParty;
use crate::flows::hooks;
use crate::flows::sessions::{self, current};
use crate::flows::tokens::TokenBody;
use crate::model::authentication_method::AuthenticationMethod;
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::model::trace::Trace;
use crate::outside::providers::{self, IdToken};
use crate::protocol::body::{Body, params};
use crate::routes::wire;
use crate::state::State;
use issuer::Expected;

/// An ID token that the app got from the provider itself.
#[derive(Default)]
struct IdTokenGrant {
    id_token: String,
    /// Issued together with the ID token; then checked against its `at_hash`.
    access_token: String,
    /// The nonce of the app's request; the ID token contains its hash.
    nonce: String,
    provider: String,
    /// Instead of a provider: the audience and the issuer.
    client_id: String,
    issuer: String,
    /// Whether to link the identity to the user of the access token in the header.
    link_identity: bool,
}
params!(IdTokenGrant as "IdTokenGrantParams" {
    id_token: Text, access_token: Text, nonce: Text, provider: Text, client_id: Text, issuer: Text, link_identity: Flag,
});

/// Signs in the user of a provider's ID token, or links the identity to a user.
///
/// DEVIATION (words): a database failure during `grant_type=id_token` is a 500; GoTrue answers 400 `server_error`.
pub(super) async fn grant(
    state: &State,
    body: &Body,
    request: &HttpRequest,
    requester: &Requester,
    trace: &Trace,
) -> Result<TokenBody, AuthError> {
    let params: IdTokenGrant = body.parse()?;
    if params.id_token.is_empty() {
        return Err(AuthError::OAuth(OAuthError::IdTokenRequired));
    }
    if params.provider.is_empty() && (params.client_id.is_empty() || params.issuer.is_empty()) {
        return Err(AuthError::OAuth(OAuthError::IdTokenProvider));
    }
    let target = if params.link_identity { Some(linking_target(state, request).await?) } else { None };
    let expected = issuer::expected(state, &params).await?;
    let token = verify(state, &params, &expected).await?;
    let profile = providers::profile_of_claims(&token.issuer, &token.claims);
    let mut profile = profile.map_err(|_| AuthError::OAuth(OAuthError::IdTokenBad))?;
    profile.settle_email();
    check(&params, &expected, &token, profile.claims.subject())?;

    let redirect_to = requester.redirect_to(&state.config);
    let attempt = Attempt {
        profile: &profile,
        provider: &expected.provider,
        email_optional: expected.email_optional,
        redirect_to: &redirect_to,
        id: Uuid::new_v4(),
        now: timestamp::now(&state.clock),
    };
    finish(state, attempt, target, requester, trace).await
}

async fn finish(
    state: &State,
    attempt: Attempt<'_>,
    target: Option<Uuid>,
    requester: &Requester,
    trace: &Trace,
) -> Result<TokenBody, AuthError> {
    if target.is_none() {
        external::before_user_created(state, attempt, requester).await?;
    }
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let callback = match target {
        Some(target) => external::link_to(state, &db, attempt, target).await?,
        None => external::sign_in(state, &db, attempt, requester).await?,
    };
    let (outcome, dispatch) = match callback {
        Outcome::SignedIn(signed_in) => {
            let SignedIn { user, is_new, dispatch } = *signed_in;
            let newcomer = is_new.then(|| user.clone());
            let issued = sessions::issue(state, &db, user, AuthenticationMethod::OAuth, requester, trace).await?;
            let issued = if is_new { issued.settle(state, &db, requester).await? } else { issued };
            (Ok((issued, newcomer)), dispatch)
        }
        Outcome::Refused(error, dispatch) => (Err(error), dispatch),
    };
    let ready = dispatch.hand_over(state, &db, requester).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    ready.send(state).await?;
    let (issued, newcomer) = outcome?;
    let body = issued.complete(state, requester).await?;
    if let Some(newcomer) = &newcomer {
        hooks::after_user_created(state, requester, newcomer).await?;
    }
    Ok(body)
}

/// The user to link the identity to.
async fn linking_target(state: &State, request: &HttpRequest) -> Result<Uuid, AuthError> {
    if request.headers().get(AUTHORIZATION).is_none_or(|value| value.is_empty()) {
        return Err(AuthError::OAuth(OAuthError::IdTokenLinking));
    }
    let who = FirstParty::check(wire::authenticated(request)?)?;
    Ok(current(state, &who).await?.user.id)
}

async fn verify(state: &State, params: &IdTokenGrant, expected: &Expected) -> Result<IdToken, AuthError> {
    // Refuse malformed tokens before any request to the issuer.
    if providers::issuer_of(&params.id_token).is_none() {
        return Err(AuthError::OAuth(OAuthError::IdTokenBad));
    }
    let network = &state.network;
    let now = timestamp::now(&state.clock);
    let http = if expected.is_custom {
        network.for_custom(state.config.custom_oauth.allow_private_addresses)
    } else {
        &network.own
    };
    let found = network.issuers.find(http, expected.whereabouts(), now).await;
    let issuer = found.map_err(|failure| AuthError::internal(UNEXPECTED, failure))?;
    let access_token = (!params.access_token.is_empty()).then_some(params.access_token.as_str());
    let token = providers::verify_id_token(http, &issuer, &params.id_token, access_token, now).await;
    token.map_err(|_| AuthError::OAuth(OAuthError::IdTokenBad))
}

/// Checks subject, audience and nonce.
fn check(params: &IdTokenGrant, expected: &Expected, token: &IdToken, subject: &str) -> Result<(), AuthError> {
    if subject.is_empty() {
        return Err(AuthError::OAuth(OAuthError::IdTokenSubject));
    }
    let ours = |one: &String| !one.is_empty() && expected.client_ids.contains(one);
    if !token.audience.iter().any(ours) {
        let found = format!("[{}]", token.audience.join(" "));
        return Err(AuthError::OAuth(OAuthError::IdTokenAudience(found)));
    }
    if expected.skip_nonce_check {
        return Ok(());
    }
    match (token.nonce.as_str(), params.nonce.as_str()) {
        ("", "") => Ok(()),
        ("", _) | (_, "") => Err(AuthError::OAuth(OAuthError::NonceOnOneSide)),
        (hash, nonce) => {
            let made: String = Sha256::digest(nonce).iter().map(|byte| format!("{byte:02x}")).collect();
            let same = bool::from(made.as_bytes().ct_eq(hash.as_bytes()));
            same.then_some(()).ok_or(AuthError::OAuth(OAuthError::NonceWrong))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(audience: &[&str], token_nonce: &str, nonce: &str, skip_nonce_check: bool) -> String {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let expected = Expected {
            provider: "google".to_owned(),
            issuer: "https://id.test".to_owned(),
            discovery_url: None,
            client_ids: owned(&["web", "ios", ""]),
            skip_nonce_check,
            email_optional: false,
            is_custom: false,
        };
        let token = IdToken {
            issuer: "https://id.test".to_owned(),
            audience: owned(audience),
            nonce: token_nonce.to_owned(),
            claims: serde_json::Map::new(),
        };
        let params = IdTokenGrant { nonce: nonce.to_owned(), ..IdTokenGrant::default() };
        check(&params, &expected, &token, "1").err().map(|error| error.message()).unwrap_or_default()
    }

    #[test]
    fn tokens_must_be_for_us() {
        for (audience, refusal) in [
            (&["web"][..], ""),
            (&["other", "ios"], ""),
            (&["other", "third"], "Unacceptable audience in id_token: [other third]"),
            (&[""], "Unacceptable audience in id_token: []"),
            (&[], "Unacceptable audience in id_token: []"),
        ] {
            assert_eq!(verdict(audience, "", "", false), refusal, "{audience:?}");
        }
    }

    /// The hash is that of "n".
    #[test]
    fn nonces_are_hashed_and_on_both_sides() {
        let hash = "1b16b1df538ba12dc3f97edbb85caa7050d46c148134290feba80f8236c83db9";
        let one_side = "Passed nonce and nonce in id_token should either both exist or not.";
        for (in_token, given, skip, refusal) in [
            (hash, "n", false, ""),
            (hash, "m", false, "Nonces mismatch"),
            ("n", "n", false, "Nonces mismatch"),
            (hash, "", false, one_side),
            ("", "n", false, one_side),
            (hash, "m", true, ""),
        ] {
            assert_eq!(verdict(&["web"], in_token, given, skip), refusal, "{in_token} {given}");
        }
    }
}
