//! Sign-in with external providers, against a real one. Refusals were compared with GoTrue's.

mod authorize;
mod callback;
mod custom_providers;
mod id_token;
mod identities;
mod linking;

use serde_json::{Value, json};
use url::form_urlencoded::byte_serialize;

use super::pairs;
use crate::kit::{Answer, Calls, Server, callback, oidc_provider, signed_in};

/// The app's address.
const APP: &str = "https://app.test/in";

/// The settings that these tests share.
fn settings() -> Vec<(&'static str, &'static str)> {
    let mut settings = oidc_provider().as_keycloak();
    settings.extend([
        ("GOTRUE_SITE_URL", "https://app.test"),
        ("GOTRUE_URI_ALLOW_LIST", "https://app.test/**"),
        ("GOTRUE_SECURITY_MANUAL_LINKING_ENABLED", "true"),
        ("GOTRUE_CUSTOM_OAUTH_EXTERNAL_URL", "https://api.test"),
        ("GOTRUE_CUSTOM_OAUTH_ALLOW_PRIVATE_ADDRESSES", "true"),
        ("GOTRUE_SMTP_MAX_FREQUENCY", "1ns"),
    ]);
    settings
}

/// A person as the provider describes them.
fn person(sub: &str, email: &str, verified: bool) -> Value {
    json!({ "sub": sub, "email": email, "email_verified": verified, "name": "Ana Sol", "groups": ["staff"] })
}

/// The query of `/authorize` that signs this person in with `provider`. `more` are additional parameters.
fn departure(provider: &str, person: &Value, more: &str) -> String {
    let text = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    let hint = text(&person.to_string());
    // Without this scope the real Keycloak returns no profile either; a custom provider has its own scopes.
    let scopes = if provider == "keycloak" { "&scopes=openid" } else { "" };
    format!("provider={provider}{scopes}&redirect_to={}&login_hint={hint}{more}", text(APP))
}

/// The whole flow: to the provider and back. Returns the last answer.
async fn come_back(s: &Server, provider: &str, person: &Value, more: &str) -> Answer {
    let path = format!("/auth/v1/authorize?{}", departure(provider, person, more));
    let out = s.get(&path).await.is(302);
    s.get(&callback(&signed_in(out.header("location")).await)).await
}

/// The error in the query; the fragment contains the same.
#[track_caller]
fn refusal(answer: &Answer) -> (String, String, String) {
    assert_eq!(answer.status, 302, "{}", answer.body);
    let location = answer.header("location");
    let (before, fragment) = location.split_once('#').unwrap_or_else(|| panic!("no fragment: {location}"));
    let query = pairs(before.split_once('?').expect("a query").1);
    let fragment = pairs(fragment);
    assert_eq!(fragment["sb"], "");
    let said = |name: &str| {
        let said = query.get(name).cloned().unwrap_or_default();
        assert_eq!(fragment.get(name).cloned().unwrap_or_default(), said, "{location}");
        said
    };
    (said("error"), said("error_code"), said("error_description"))
}

/// The session in the fragment.
#[track_caller]
fn session(answer: &Answer) -> std::collections::BTreeMap<String, String> {
    assert_eq!(answer.status, 302, "{}", answer.body);
    let session = super::fragment(answer);
    assert!(session.contains_key("access_token"), "{}", answer.header("location"));
    session
}

/// The user of the session.
async fn user(s: &Server, answer: &Answer) -> Value {
    let token = session(answer)["access_token"].clone();
    s.get("/auth/v1/user").bearer(&token).await.is(200).json()
}
