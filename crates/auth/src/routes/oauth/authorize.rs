//! `GET /oauth/authorize`
//!
//! Source: RFC 6749 section 4.1.1 as OAuth 2.1 has it, RFC 7636, RFC 8707.

use actix_web::http::header::LOCATION;
use actix_web::{HttpResponse, web};
use chrono::{DateTime, Utc};
use gateway::Anyone;
use url::Url;
use uuid::Uuid;

use crate::config::OAuthServerConfig;
use crate::error::fault::OrFault;
use crate::error::{AuthError, OAuthServerError};
use crate::flows::fault_log;
use crate::flows::oauth_server::{WhileOn, with_query};
use crate::model::oauth_authorization::NewAuthorization;
use crate::model::oauth_client::Client;
use crate::model::pkce::{Challenge, Method};
use crate::model::requester::Requester;
use crate::model::scopes::Scopes;
use crate::model::timestamp::{self, after};
use crate::state::State;
use crate::store::{oauth_authorizations, oauth_clients};

/// Maximum lengths of parameters in characters: the columns' own limits.
const MAX_SCOPE: usize = 4096;
const MAX_STATE: usize = 4096;
const MAX_RESOURCE: usize = 2048;
const MAX_NONCE: usize = 255;

/// An OAuth error that ends a request (RFC 6749 section 4.1.2.1).
type Refusal = (&'static str, String);

/// Accepts a client's authorization request and redirects to the app's consent page.
///
/// A wrong client or redirect URI is refused here; any other error is sent to the client by redirect.
#[utoipa::path(get, path = "/oauth/authorize", tag = "oauth", params(
        ("client_id" = String, Query), ("redirect_uri" = String, Query),
        ("response_type" = Option<String>, Query, description = "`code`, also when absent"),
        ("scope" = Option<String>, Query), ("state" = Option<String>, Query), ("nonce" = Option<String>, Query),
        ("resource" = Option<String>, Query), ("code_challenge" = String, Query),
        ("code_challenge_method" = String, Query, description = "`S256` or `plain`")),
    responses((status = 302, description = "To the consent page, or back with an error"), (status = 400), (status = 404)))]
pub(crate) async fn authorize(
    _: WhileOn<Anyone>,
    state: web::Data<State>,
    requester: Requester,
) -> Result<HttpResponse, AuthError> {
    let redirect_uri = requester.parameter("redirect_uri");
    let client = client(&state, &requester.parameter("client_id"), &redirect_uri).await?;
    let now = timestamp::now(&state.clock);
    let location = match accept(&state, &requester, &client, redirect_uri.clone(), now).await {
        Ok(location) => location,
        Err((error, description)) => {
            let given = requester.parameter("state");
            let mut pairs = vec![("error", error), ("error_description", description.as_str())];
            pairs.extend((!given.is_empty()).then_some(("state", given.as_str())));
            with_query(&redirect_uri, &pairs)
        }
    };
    Ok(HttpResponse::Found().insert_header((LOCATION, location)).finish())
}

/// The client, which must have registered the redirect URI.
async fn client(state: &State, id: &str, redirect_uri: &str) -> Result<Client, AuthError> {
    let refused = |error| Err(AuthError::OAuthServer(error));
    if id.is_empty() {
        return refused(OAuthServerError::ClientIdMissing);
    }
    if redirect_uri.is_empty() {
        return refused(OAuthServerError::RedirectUriMissing);
    }
    let Ok(id) = Uuid::parse_str(id) else { return refused(OAuthServerError::AuthorizeClientFormat) };
    let db = state.pool.get().await.or_fault("error validating client")?;
    match oauth_clients::by_id(&db, id).await.or_fault("error validating client")? {
        None => refused(OAuthServerError::AuthorizeClient),
        // Exact string comparison (OAuth 2.1 section 2.3.1).
        Some(client) if client.redirect_uris.iter().any(|known| known == redirect_uri) => Ok(client),
        Some(_) => refused(OAuthServerError::RedirectUri),
    }
}

/// Stores the request; returns the address of the consent page.
async fn accept(
    state: &State,
    requester: &Requester,
    client: &Client,
    redirect_uri: String,
    now: DateTime<Utc>,
) -> Result<String, Refusal> {
    let config = &state.config.oauth_server;
    let read = read(requester, config).map_err(|description| ("invalid_request", description))?;
    check_openid(&read.scope, state.keys.signs_for_the_public())?;
    let new = NewAuthorization {
        authorization_id: Uuid::new_v4().simple().to_string(),
        client_id: client.id,
        redirect_uri,
        expires_at: after(now, config.authorization_ttl),
        ..read
    };
    if config.authorization_path.is_empty() {
        return Err(("server_error", "oauth authorization path not configured".to_owned()));
    }
    if !fits(&new) {
        return Err(("server_error", "error creating authorization".to_owned()));
    }
    if let Err(fault) = keep(state, &new, now).await {
        fault_log::log(state, &fault, &requester.request_id);
        return Err(("server_error", "error creating authorization".to_owned()));
    }
    let (site, path) = (state.config.site_url.trim_end_matches('/'), config.authorization_path.trim_start_matches('/'));
    Ok(format!("{site}/{path}?authorization_id={}", new.authorization_id))
}

/// A client cannot verify an ID token that is signed with the server's secret.
///
/// DEVIATION (words): without an asymmetric signing key the scope `openid` is refused here with `invalid_scope`; GoTrue
/// lets the user consent, and then answers the token request with 500.
fn check_openid(scope: &str, signs_for_the_public: bool) -> Result<(), Refusal> {
    if signs_for_the_public || !Scopes(scope).has("openid") {
        return Ok(());
    }
    let reason = "scope openid is not available: this server signs with HS256 and can issue no ID tokens";
    Err(("invalid_scope", reason.to_owned()))
}

async fn keep(state: &State, new: &NewAuthorization, now: DateTime<Utc>) -> Result<(), AuthError> {
    let db = state.pool.get().await.or_fault("error creating authorization")?;
    oauth_authorizations::insert(&db, new, now).await.or_fault("error creating authorization")
}

/// Checks all parameters except for the client.
fn read(requester: &Requester, config: &OAuthServerConfig) -> Result<NewAuthorization, String> {
    let optional = |name: &str| Some(requester.parameter(name)).filter(|text| !text.is_empty());
    if optional("response_type").is_some_and(|kind| kind != "code") {
        return Err("only response_type=code is supported".to_owned());
    }
    let scope = optional("scope").unwrap_or_else(|| config.default_scope.clone());
    Scopes(&scope).check()?;
    let resource = optional("resource");
    if let Some(resource) = &resource {
        check_resource(resource)?;
    }
    let (text, method) = (requester.parameter("code_challenge"), requester.parameter("code_challenge_method"));
    let challenge = challenge(text, &method, config.allow_plain_pkce)?;
    Ok(NewAuthorization {
        authorization_id: String::new(),
        client_id: Uuid::nil(),
        redirect_uri: String::new(),
        scope,
        state: optional("state"),
        resource,
        nonce: optional("nonce"),
        challenge,
        expires_at: DateTime::<Utc>::MIN_UTC,
    })
}

/// All clients need PKCE, including confidential ones (OAuth 2.1 section 7.5.1).
///
/// DEVIATION (stricter): the challenge method `plain` is refused unless `GOTRUE_OAUTH_SERVER_ALLOW_PLAIN_PKCE=true`
/// (RFC 9700 section 2.1.1), because anyone who sees the request to `/oauth/authorize` could exchange the code. GoTrue
/// accepts it.
fn challenge(text: String, method: &str, allow_plain: bool) -> Result<Challenge, String> {
    if text.is_empty() || method.is_empty() {
        return Err("PKCE flow requires both code_challenge and code_challenge_method".to_owned());
    }
    let method = match method.to_ascii_lowercase().as_str() {
        "s256" => Method::S256,
        "plain" if allow_plain => Method::Plain,
        _ if allow_plain => return Err("code_challenge_method must be 'S256' or 'plain'".to_owned()),
        _ => return Err("code_challenge_method must be 'S256'".to_owned()),
    };
    if !(43..=128).contains(&text.len()) {
        return Err("code_challenge must be between 43 and 128 characters".to_owned());
    }
    Ok(Challenge { text, method })
}

/// RFC 8707 section 2.
fn check_resource(resource: &str) -> Result<(), String> {
    let problem = match Url::parse(resource) {
        Err(url::ParseError::RelativeUrlWithoutBase) => "resource must be an absolute URI",
        Err(_) => "resource must be a valid URI",
        Ok(url) if url.fragment().is_some_and(|fragment| !fragment.is_empty()) => {
            "resource must not include a fragment component"
        }
        Ok(url) if url.query().is_some_and(|query| !query.is_empty()) => "resource must not include a query component",
        Ok(_) => return Ok(()),
    };
    Err(problem.to_owned())
}

/// Checks that the database can store it.
fn fits(new: &NewAuthorization) -> bool {
    let good = |text: &str, limit: usize| text.chars().count() <= limit && !text.contains('\0');
    let optional = |text: &Option<String>, limit| text.as_deref().is_none_or(|text| good(text, limit));
    good(&new.scope, MAX_SCOPE)
        && good(&new.challenge.text, 128)
        && optional(&new.state, MAX_STATE)
        && optional(&new.resource, MAX_RESOURCE)
        && optional(&new.nonce, MAX_NONCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_are_absolute_and_plain() {
        for (resource, problem) in [
            ("https://api.test/x", ""),
            ("urn:x:y", ""),
            ("/x", "resource must be an absolute URI"),
            ("https://[x", "resource must be a valid URI"),
            ("https://api.test/#x", "resource must not include a fragment component"),
            ("https://api.test/?x", "resource must not include a query component"),
        ] {
            assert_eq!(check_resource(resource).err().unwrap_or_default(), problem, "{resource}");
        }
    }

    #[test]
    fn openid_needs_a_key_that_clients_can_verify_with() {
        assert!(check_openid("openid email", true).is_ok() && check_openid("email", false).is_ok());
        assert_eq!(check_openid("email openid", false).unwrap_err().0, "invalid_scope");
    }

    #[test]
    fn there_is_no_way_around_a_challenge() {
        let good = "a".repeat(43);
        assert_eq!(challenge(good.clone(), "S256", false).unwrap().method, Method::S256);
        assert_eq!(challenge(good.clone(), "plain", true).unwrap().method, Method::Plain);
        let unknown = challenge(good.clone(), "none", true).unwrap_err();
        assert_eq!(unknown, "code_challenge_method must be 'S256' or 'plain'");
        for (text, method, problem) in [
            ("", "", "PKCE flow requires both code_challenge and code_challenge_method"),
            ("", "S256", "PKCE flow requires both code_challenge and code_challenge_method"),
            (&good, "", "PKCE flow requires both code_challenge and code_challenge_method"),
            (&good, "none", "code_challenge_method must be 'S256'"),
            (&good, "plain", "code_challenge_method must be 'S256'"),
            (&good[1..], "S256", "code_challenge must be between 43 and 128 characters"),
            (&"a".repeat(129), "S256", "code_challenge must be between 43 and 128 characters"),
        ] {
            assert_eq!(challenge(text.to_owned(), method, false).unwrap_err(), problem);
        }
    }
}
