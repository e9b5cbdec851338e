//! `grant_type=authorization_code` (RFC 6749 section 4.1.3, RFC 7636 section 4.5)

use chrono::{DateTime, Utc};
use pg::pool::Transaction;
use serde_json::json;

use super::ClientTokenBody;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, OAuthError};
use crate::flows::audit::{self, Action};
use crate::flows::oauth_server::{TokenParams, id_token};
use crate::flows::sessions;
use crate::model::account::User;
use crate::model::authentication_method::AuthenticationMethod;
use crate::model::oauth_authorization::{Authorization, Status};
use crate::model::oauth_client::Client;
use crate::model::requester::Requester;
use crate::model::scopes::Scopes;
use crate::model::session::SignIn;
use crate::model::trace::Trace;
use crate::model::{pkce, timestamp};
use crate::state::State;
use crate::store::{oauth_authorizations, users};

const FAILED: &str = "Error exchanging authorization code";

/// Exchanges a code, once.
///
/// DEVIATION (safer): an authorization code that its client uses a second time ends the session that it started (RFC
/// 6749 section 4.1.2); GoTrue only refuses it.
pub(super) async fn exchange(
    state: &State,
    client: &Client,
    params: &TokenParams,
    requester: &Requester,
    trace: &Trace,
) -> Result<ClientTokenBody, AuthError> {
    if params.code.is_empty() {
        return Err(AuthError::OAuth(OAuthError::CodeMissing));
    }
    let now = timestamp::now(&state.clock);
    let mut connection = state.pool.get().await.or_fault(FAILED)?;
    let db = connection.transaction().await.or_fault(FAILED)?;
    // PostgreSQL cannot store U+0000.
    let found = match params.code.contains('\0') {
        true => None,
        false => {
            oauth_authorizations::lock_by_code(&db, &params.code).await.or_fault("Error finding authorization code")?
        }
    };
    let allowed = found.ok_or(AuthError::OAuth(OAuthError::CodeInvalid))?;
    if allowed.status == Status::Expired && allowed.client_id == client.id {
        end_session(state, &db, &allowed).await?;
        db.commit().await.or_fault(FAILED)?;
        return Err(AuthError::OAuth(OAuthError::CodeInvalid));
    }
    check(&allowed, client, params, now).map_err(AuthError::OAuth)?;
    let user = match allowed.user_id {
        Some(id) => users::by_id(&db, id).await.or_fault("Error finding user")?,
        None => None,
    };
    let user = user.ok_or(AuthError::OAuth(OAuthError::CodeUser))?;
    if user.is_banned(now) {
        return Err(AuthError::OAuth(OAuthError::UserBanned));
    }
    let id_token = sign_id_token(state, &user, &allowed, now)?;
    let traits = json!({ "client_id": client.id, "provider_type": "oauth_provider_authorization_code" });
    audit::record(state, &db, &user, Action::Login, traits).await?;
    oauth_authorizations::set_status(&db, allowed.id, Status::Expired).await.or_fault(FAILED)?;
    let sign_in = SignIn {
        id: allowed.id,
        oauth_client_id: Some(client.id),
        scopes: Some(allowed.scope),
        ..SignIn::from(AuthenticationMethod::AuthorizationCode)
    };
    let issued = sessions::issue(state, &db, user, sign_in, requester, trace).await?;
    db.commit().await.or_fault(FAILED)?;
    drop(connection);
    let body = issued.complete(state, requester).await?;
    Ok(ClientTokenBody::new(body, id_token))
}

/// Checks that this client may exchange the code now.
fn check(allowed: &Authorization, client: &Client, params: &TokenParams, now: DateTime<Utc>) -> Result<(), OAuthError> {
    if allowed.status != Status::Approved {
        return Err(OAuthError::CodeInvalid);
    }
    if allowed.has_expired(now) {
        return Err(OAuthError::CodeExpired);
    }
    if allowed.client_id != client.id {
        return Err(OAuthError::CodeOfOther);
    }
    if !params.resource.is_empty() && params.resource != allowed.resource.as_deref().unwrap_or_default() {
        return Err(OAuthError::CodeResource);
    }
    if !params.redirect_uri.is_empty() && params.redirect_uri != allowed.redirect_uri {
        return Err(OAuthError::CodeRedirectUri);
    }
    check_verifier(allowed, &params.code_verifier)
}

fn check_verifier(allowed: &Authorization, verifier: &str) -> Result<(), OAuthError> {
    if allowed.challenge.is_empty() {
        return Ok(());
    }
    if verifier.is_empty() {
        let reason = "code_verifier is required when PKCE challenge is present";
        return Err(OAuthError::CodeVerifier(reason.to_owned()));
    }
    pkce::check(&allowed.challenge, &allowed.challenge_method, verifier)
        .map_err(|error| OAuthError::CodeVerifier(error.message()))
}

/// The code has leaked: the first exchange may have been the attacker's.
async fn end_session(state: &State, db: &Transaction<'_>, allowed: &Authorization) -> Result<(), AuthError> {
    let Some(user) = allowed.user_id else { return Ok(()) };
    if !crate::store::sessions::delete_of_grant(db, allowed.id, allowed.client_id).await.or_fault(UNEXPECTED)? {
        return Ok(());
    }
    let user = users::by_id(db, user).await.or_fault(UNEXPECTED)?;
    let Some(user) = user else { return Ok(()) };
    let traits = json!({ "action": "authorization_code_reuse", "oauth_client_id": allowed.client_id });
    audit::record(state, db, &user, Action::TokenRevoked, traits).await
}

/// The ID token for the scope `openid`. A client cannot verify one that is signed with a secret of this server.
///
/// DEVIATION (behaviour): an authorization code is not used up if the server cannot sign an ID token; GoTrue uses it
/// up.
fn sign_id_token(
    state: &State,
    user: &User,
    allowed: &Authorization,
    now: DateTime<Utc>,
) -> Result<Option<String>, AuthError> {
    const FAILED: &str = "Error generating ID token";
    if !Scopes(&allowed.scope).has("openid") {
        return Ok(None);
    }
    if !state.keys.signs_for_the_public() {
        return Err(AuthError::internal(FAILED, "the signing key is a secret: HS256 is no algorithm for ID tokens"));
    }
    // The sign-in happens now.
    let user = User { last_sign_in_at: Some(now), updated_at: now, ..user.clone() };
    let claims = id_token(&state.config.jwt.issuer, &user, allowed, now);
    state.keys.sign(&claims).map(Some).map_err(|error| AuthError::internal(FAILED, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::oauth_client::{AuthMethod, ClientType};
    use uuid::Uuid;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    fn client() -> Client {
        Client {
            id: Uuid::from_u128(1),
            secret_hash: None,
            registration_type: "manual".to_owned(),
            client_type: ClientType::Public,
            auth_method: AuthMethod::None,
            redirect_uris: Vec::new(),
            grant_types: Vec::new(),
            name: None,
            uri: None,
            logo_uri: None,
            created_at: at(0),
            updated_at: at(0),
        }
    }

    fn allowed() -> Authorization {
        Authorization {
            id: Uuid::nil(),
            authorization_id: String::new(),
            client_id: Uuid::from_u128(1),
            user_id: None,
            redirect_uri: "https://app.test/cb".to_owned(),
            scope: "email".to_owned(),
            state: None,
            resource: Some("https://api.test".to_owned()),
            challenge: "verifier".to_owned(),
            challenge_method: "plain".to_owned(),
            nonce: None,
            status: Status::Approved,
            expires_at: at(100),
        }
    }

    #[test]
    fn a_code_is_good_for_one_client_one_address_one_verifier_and_a_while() {
        let params = |redirect_uri: &str, verifier: &str, resource: &str| TokenParams {
            redirect_uri: redirect_uri.to_owned(),
            code_verifier: verifier.to_owned(),
            resource: resource.to_owned(),
            ..TokenParams::default()
        };
        let good = params("https://app.test/cb", "verifier", "https://api.test");
        assert!(check(&allowed(), &client(), &good, at(100)).is_ok());
        assert!(check(&allowed(), &client(), &params("", "verifier", ""), at(100)).is_ok());
        let other = Client { id: Uuid::from_u128(2), ..client() };
        let spent = Authorization { status: Status::Expired, ..allowed() };
        let pending = Authorization { status: Status::Pending, ..allowed() };
        let verifier = "PKCE verification failed: code challenge does not match previously saved code verifier";
        for (allowed, client, params, now, problem) in [
            (allowed(), client(), good.clone(), 101, "Authorization code has expired"),
            (spent, client(), good.clone(), 100, "Invalid authorization code"),
            (pending, client(), good.clone(), 100, "Invalid authorization code"),
            (allowed(), other, good, 100, "Authorization code was not issued for this client"),
            (allowed(), client(), params("https://app.test/", "verifier", ""), 100, "Invalid redirect_uri"),
            (
                allowed(),
                client(),
                params("", "verifier", "https://other.test"),
                100,
                "Authorization code resource does not match the resource parameter",
            ),
            (allowed(), client(), params("", "other", ""), 100, verifier),
            (
                allowed(),
                client(),
                params("", "", ""),
                100,
                "PKCE verification failed: code_verifier is required when PKCE challenge is present",
            ),
        ] {
            assert_eq!(check(&allowed, &client, &params, at(now)).unwrap_err().message(), problem);
        }
    }
}
