//! `POST /sso/saml/acs`: refusals before a response is validated.

use chrono::TimeDelta;
use reqwest::Method;
use serde_json::json;

use super::super::pairs;
use super::document::{Document, encoded_form};
use super::{bring, form, post, refusal, server, server_with, session, set_out};

#[tokio::test]
async fn a_response_must_belong_to_a_known_provider_or_request() {
    let (s, _) = server().await;
    let xml = Document::of("ana@x.test").signed().await;
    let stranger = Document::of("ana@x.test").with(|document| document.issuer = "https://other.test".to_owned());
    let failed = ("invalid_request", "validation_failed");
    for (form, (error, code), words) in [
        (form(&xml, "x"), failed, "SAML RelayState is not a valid UUID or URL"),
        (encoded_form("", ""), failed, "SAMLResponse is missing"),
        (encoded_form("!", ""), failed, "SAMLResponse is not a valid Base64 string"),
        (form("<a", ""), failed, "SAMLResponse is not a valid XML SAML assertion"),
        (form("<a/>", ""), failed, "SAMLResponse is not a valid XML SAML assertion"),
        ("SAMLart=x".to_owned(), failed, "SAML Artifact responses are not supported"),
        (
            form(&stranger.signed().await, ""),
            ("server_error", "saml_idp_not_found"),
            "A SAML connection has not been established with this Identity Provider",
        ),
        (
            form(&xml, "00000000-0000-0000-0000-000000000001"),
            ("server_error", "saml_relay_state_not_found"),
            "SAML RelayState does not exist, try logging in again?",
        ),
    ] {
        let said = refusal(&post(&s, form).await);
        assert_eq!((said.0.as_str(), said.1.as_str(), said.2.as_str()), (error, code, words));
    }
}

#[tokio::test]
async fn a_relay_state_works_once_and_expires() {
    let (s, provider) = server().await;
    let client = s.database.connect().await;
    let out = async || {
        let url = set_out(&s, json!({})).await;
        let relay = pairs(url.split_once('?').unwrap().1)["RelayState"].clone();
        let sql = "select request_id from auth.saml_relay_states where id = $1";
        let row = client.query_one(sql, &[&uuid::Uuid::parse_str(&relay).unwrap()]).await.unwrap();
        let id: String = row.get(0);
        (relay, Document::of("ana@x.test").with(|document| document.in_response_to = id))
    };
    let (relay, document) = out().await;
    let xml = document.signed().await;
    session(&post(&s, form(&xml, &relay)).await);
    assert_eq!(refusal(&post(&s, form(&xml, &relay)).await).1, "saml_relay_state_not_found");
    // An invalid response uses it up, too.
    let (relay, document) = out().await;
    let (_, code, words) = refusal(&post(&s, form(&document.xml(), &relay)).await);
    let unsigned = "SAML Assertion is not valid: neither the response nor the assertion is signed";
    assert_eq!((code.as_str(), words.as_str()), ("validation_failed", unsigned));
    assert_eq!(refusal(&post(&s, form(&document.signed().await, &relay)).await).1, "saml_relay_state_not_found");
    // A response to another request is refused for this one, and so is an unsolicited response.
    let (_, other) = out().await;
    for document in [other, Document::of("ana@x.test")] {
        let (relay, _) = out().await;
        let (_, _, words) = refusal(&post(&s, form(&document.signed().await, &relay)).await);
        assert_eq!(words, "SAML Assertion is not valid: the InResponseTo of the response is not what it should be");
    }
    // A used assertion cannot serve as RelayState.
    session(&bring(&s, &Document::of("ana@x.test").signed().await).await);
    let sql = "select id from auth.saml_relay_states where request_id like 'used %' limit 1";
    let used: uuid::Uuid = client.query_one(sql, &[]).await.unwrap().get(0);
    let answer = post(&s, form(&Document::of("ana@x.test").signed().await, &used.to_string())).await;
    assert_eq!(refusal(&answer).1, "saml_relay_state_not_found");
    let (relay, document) = out().await;
    let path = format!("/auth/v1/admin/sso/providers/{provider}");
    s.as_service(Method::PUT, &path).json(&json!({ "disabled": true })).await.is(200);
    let (_, code, words) = refusal(&post(&s, form(&document.signed().await, &relay)).await);
    let off = "SSO Provider assigned for this domain is currently disabled";
    assert_eq!((code.as_str(), words.as_str()), ("sso_provider_disabled", off));
    s.as_service(Method::PUT, &path).json(&json!({ "disabled": false })).await.is(200);
    let (relay, document) = out().await;
    s.clock.advance(TimeDelta::seconds(121));
    let (error, code, _) = refusal(&post(&s, form(&document.signed().await, &relay)).await);
    assert_eq!((error.as_str(), code.as_str()), ("server_error", "saml_relay_state_expired"));
}

#[tokio::test]
async fn users_without_a_name_or_address_are_refused() {
    let (s, _) = server().await;
    let transient = "Format='urn:oasis:names:tc:SAML:2.0:nameid-format:transient'";
    for (format, name, code) in [
        (transient, "x", "saml_assertion_no_user_id"),
        ("", "", "saml_assertion_no_user_id"),
        ("", "ana", "saml_assertion_no_email"),
    ] {
        let document = Document::of("").with(|document| document.name = (format.to_owned(), name.to_owned()));
        assert_eq!(refusal(&bring(&s, &document.signed().await).await).1, code, "{name}");
    }
}

#[tokio::test]
async fn attempts_of_one_client_are_limited() {
    let (s, _) = server_with(&[("GOTRUE_SAML_RATE_LIMIT_ASSERTION", "1")]).await;
    for _ in 0..30 {
        refusal(&post(&s, encoded_form("", "")).await);
    }
    let answer = post(&s, encoded_form("", "")).await.is(429);
    assert_eq!(answer.json()["error_code"], "over_request_rate_limit");
}
