//! Single sign-on by SAML 2.0, against an independent provider (samlify). Refusals were compared with GoTrue itself.

mod acs;
mod attacks;
mod begin;
mod document;
mod encrypted;
mod metadata;
mod providers;
mod sign_in;

use reqwest::Method;
use serde_json::{Value, json};

use super::pairs;
use crate::architecture::root;
use crate::kit::{Answer, Calls, ENTITY_ID, Request, Server, saml_idp};
use document::{encoded_form, form};

/// The assertion consumer service.
const ACS: &str = "https://api.test/auth/v1/sso/saml/acs";
/// The audience of assertions.
const AUDIENCE: &str = "https://api.test/auth/v1/sso/saml/metadata";
/// The app's address.
const APP: &str = "https://app.test/in";

/// Our key.
fn key() -> String {
    std::fs::read_to_string(root().join("crates/auth/src/protocol/saml/fixtures/key.b64")).unwrap().trim().to_owned()
}

/// A server with single sign-on, and the tests' identity provider for the domain x.test; returns its id.
async fn server_with(more: &[(&str, &str)]) -> (Server, String) {
    let key = key();
    let mut settings = vec![
        ("GOTRUE_SAML_ENABLED", "true"),
        ("GOTRUE_SAML_PRIVATE_KEY", key.as_str()),
        ("GOTRUE_SAML_EXTERNAL_URL", "https://api.test/auth/v1"),
        ("GOTRUE_SITE_URL", "https://app.test"),
        ("GOTRUE_URI_ALLOW_LIST", "https://app.test/**"),
        ("GOTRUE_CUSTOM_OAUTH_ALLOW_PRIVATE_ADDRESSES", "true"),
    ];
    settings.extend_from_slice(more);
    let s = Server::with(&settings).await;
    let body = json!({
        "type": "saml", "metadata_xml": saml_idp().metadata("own").await, "domains": ["x.test"],
        "attribute_mapping": { "keys": {
            "full_name": { "name": "displayName" }, "groups": { "name": "groups", "array": true },
        } },
    });
    let made = s.as_service(Method::POST, "/auth/v1/admin/sso/providers").json(&body).await.is(201).json();
    (s, made["id"].as_str().unwrap().to_owned())
}

async fn server() -> (Server, String) {
    server_with(&[]).await
}

/// The metadata of an identity provider with this entity id.
fn metadata_of(entity_id: &str) -> String {
    format!(
        r#"<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{entity_id}"><md:IDPSSODescriptor
        protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:SingleSignOnService
        Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.test/in?x=1"
        /></md:IDPSSODescriptor></md:EntityDescriptor>"#
    )
}

/// Posts a form as a browser would.
async fn post(s: &Server, form: String) -> Answer {
    let request = Request::to(&format!("{}/auth/v1/sso/saml/acs", s.url)).body(form);
    request.header("content-type", "application/x-www-form-urlencoded").await
}

/// Posts an unsolicited response.
async fn bring(s: &Server, xml: &str) -> Answer {
    post(s, form(xml, "")).await
}

/// Starts a sign-in; returns the identity provider's URL.
async fn set_out(s: &Server, more: Value) -> String {
    let mut body = json!({ "domain": "x.test", "redirect_to": APP });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    s.post("/auth/v1/sso", body).await.is(303).header("location").to_owned()
}

/// Signs in there and posts the response.
async fn come_back(s: &Server, url: &str, person: &Value, more: &Value) -> Answer {
    let metadata = s.get("/auth/v1/sso/saml/metadata").await.is(200).body;
    let login = saml_idp().login(url, &metadata, person, more).await;
    let text = |name: &str| login[name].as_str().unwrap();
    post(s, encoded_form(text("response"), text("relay_state"))).await
}

/// The error in the query of the site's address: code and description.
#[track_caller]
fn refusal(answer: &Answer) -> (String, String, String) {
    assert_eq!(answer.status, 303, "{} {}", answer.header("location"), answer.body);
    let location = answer.header("location");
    let query = location.strip_prefix("https://app.test?").unwrap_or_else(|| panic!("no query: {location}"));
    let said = pairs(query);
    let said = |name: &str| said.get(name).cloned().unwrap_or_default();
    (said("error"), said("error_code"), said("error_description"))
}

/// The session in the fragment.
#[track_caller]
fn session(answer: &Answer) -> std::collections::BTreeMap<String, String> {
    assert_eq!(answer.status, 302, "{} {}", answer.header("location"), answer.body);
    let session = super::fragment(answer);
    assert!(session.contains_key("access_token"), "{}", answer.header("location"));
    session
}

/// The user of the session.
async fn user(s: &Server, answer: &Answer) -> Value {
    let token = session(answer)["access_token"].clone();
    s.get("/auth/v1/user").bearer(&token).await.is(200).json()
}

/// The provider's name in identities.
fn named(provider: &str) -> String {
    format!("sso:{provider}")
}

/// The `iss` in the identities of the tests' identity provider.
fn issued() -> Value {
    json!(ENTITY_ID)
}
