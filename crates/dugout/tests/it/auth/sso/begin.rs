//! `POST /sso`

use reqwest::Method;
use serde_json::{Value, json};

use super::super::{pairs, refused};
use super::{APP, AUDIENCE, server, set_out};
use crate::kit::{Calls, Server, saml_idp};

#[tokio::test]
async fn the_provider_accepts_the_request() {
    let (s, id) = server().await;
    let url = set_out(&s, json!({})).await;
    assert!(url.starts_with("https://idp.test/in?tenant=7&SAMLRequest="), "{url}");
    let names: Vec<String> = url::Url::parse(&url).unwrap().query_pairs().map(|(name, _)| name.into_owned()).collect();
    assert_eq!(names, ["tenant", "SAMLRequest", "RelayState", "SigAlg", "Signature"]);
    let metadata = s.get("/auth/v1/sso/saml/metadata").await.is(200).body;
    let person = json!({ "id": "ana", "mail": "ana@x.test" });
    // It verifies the signature with our metadata.
    let read = saml_idp().login(&url, &metadata, &person, &json!({})).await["request"].clone();
    assert_eq!(
        (&read["issuer"], &read["request"]["destination"]),
        (&json!(AUDIENCE), &json!("https://idp.test/in?tenant=7"))
    );
    assert_eq!(read["nameIDPolicy"]["format"], "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent");

    // By the provider's id, without a redirect, and with another name id format.
    let format = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";
    let path = format!("/auth/v1/admin/sso/providers/{id}");
    s.as_service(Method::PUT, &path).json(&json!({ "name_id_format": format })).await.is(200);
    let body = json!({ "provider_id": id, "skip_http_redirect": true, "redirect_to": APP });
    let url = s.post("/auth/v1/sso", body).await.is(200).json()["url"].as_str().unwrap().to_owned();
    let read = saml_idp().login(&url, &metadata, &person, &json!({})).await["request"].clone();
    assert_eq!(read["nameIDPolicy"]["format"], format);
    let relay_state = pairs(url.split_once('?').unwrap().1)["RelayState"].clone();
    let sql = "select r.request_id, r.redirect_to, f.provider_type, f.authentication_method, f.referrer, f.auth_code
        from auth.saml_relay_states r join auth.flow_state f on f.id = r.flow_state_id where r.id = $1";
    let row =
        s.database.connect().await.query_one(sql, &[&uuid::Uuid::parse_str(&relay_state).unwrap()]).await.unwrap();
    let text = |column: usize| row.get::<_, Option<String>>(column).unwrap_or_default();
    assert_eq!(json!(text(0)), read["request"]["id"]);
    assert_eq!([text(1), text(2), text(3), text(4), text(5)], [APP, "sso/saml", "sso/saml", APP, ""]);
}

#[tokio::test]
async fn requests_without_a_provider_are_refused() {
    let (s, id) = server().await;
    let nobody = "00000000-0000-0000-0000-000000000000";
    let failed = "validation_failed";
    let missing = "A provider_id or domain needs to be provided";
    let pkce = "PKCE flow requires code_challenge_method and code_challenge";
    let challenge = "a".repeat(43);
    for (body, status, code, message) in [
        (json!({}), 400, failed, missing),
        (json!({ "provider_id": nobody }), 400, failed, missing),
        (json!({ "provider_id": id, "domain": "x.test" }), 400, failed, "Only one of provider_id or domain supported"),
        (
            json!({ "provider_id": "00000000-0000-0000-0000-000000000001" }),
            404,
            "sso_provider_not_found",
            "No such SSO provider",
        ),
        (json!({ "domain": "y.test" }), 404, "sso_provider_not_found", "No SSO provider assigned for this domain"),
        (json!({ "domain": "x.test", "code_challenge": "x" }), 400, failed, pkce),
        (
            json!({ "domain": "x.test", "code_challenge": challenge, "code_challenge_method": "md5" }),
            400,
            failed,
            "Invalid code_challenge_method",
        ),
        (
            json!({ "provider_id": "x" }),
            400,
            "bad_json",
            "Could not parse request body as JSON: uuid: incorrect UUID length 1 in string \"x\"",
        ),
    ] {
        refused(&s.post("/auth/v1/sso", body).await, status, code, message);
    }
    let path = format!("/auth/v1/admin/sso/providers/{id}");
    s.as_service(Method::PUT, &path).json(&json!({ "disabled": true })).await.is(200);
    let answer = s.post("/auth/v1/sso", json!({ "domain": "X.test" })).await;
    refused(&answer, 404, "sso_provider_disabled", "SSO Provider is currently disabled");
}

#[tokio::test]
async fn a_disabled_single_sign_on_is_refused() {
    let s = Server::start().await;
    for (method, path) in [(Method::POST, "/sso"), (Method::GET, "/sso/saml/metadata"), (Method::POST, "/sso/saml/acs")]
    {
        let answer = s.request(method, &format!("/auth/v1{path}")).json(&json!({})).await;
        refused(&answer, 404, "saml_provider_disabled", "SAML 2.0 is disabled");
    }
    assert_eq!(s.get("/auth/v1/settings").await.is(200).json()["saml_enabled"], Value::Bool(false));
}
