//! The whole flow to an identity provider and back.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::{TimeDelta, Utc};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::super::{claims, pairs};
use super::document::Document;
use super::{APP, bring, come_back, issued, named, post, refusal, server, server_with, session, set_out, user};
use crate::kit::{Calls, HttpCatcher, Server, saml_idp};

fn ana() -> Value {
    json!({ "id": "ana-7", "mail": "Ana@X.test" })
}

#[tokio::test]
async fn users_sign_in_at_their_company() {
    let (s, provider) = server().await;
    let url = set_out(&s, json!({})).await;
    let back = come_back(&s, &url, &ana(), &json!({})).await;
    assert!(back.header("location").starts_with(&format!("{APP}#access_token=")), "{}", back.header("location"));
    let found = user(&s, &back).await;
    let named = named(&provider);
    assert_eq!(found["app_metadata"], json!({ "provider": named, "providers": [named] }));
    assert_eq!((&found["email"], found["email_confirmed_at"].is_string()), (&json!("ana@x.test"), true));
    let identity = &found["identities"][0];
    assert_eq!((&identity["id"], &identity["provider"]), (&json!("ana-7"), &json!(named)));
    assert_eq!(
        identity["identity_data"],
        json!({
            "iss": issued(), "sub": "ana-7", "email": "ana@x.test", "email_verified": true, "phone_verified": false,
        })
    );
    let token = claims(&session(&back)["access_token"]);
    assert_eq!((&token["amr"][0]["method"], &token["amr"][0]["provider"]), (&json!("sso/saml"), &json!(provider)));
    assert_eq!(token["aal"], "aal1");
    // The same person again is the same user.
    let again = come_back(&s, &set_out(&s, json!({})).await, &ana(), &json!({})).await;
    assert_eq!(user(&s, &again).await["id"], found["id"]);
    let sql = "select is_sso_user, (select count(*) from auth.flow_state), (select count(*) from auth.sessions) from auth.users";
    let row = s.database.connect().await.query_one(sql, &[]).await.unwrap();
    assert_eq!((row.get::<_, bool>(0), row.get::<_, i64>(1), row.get::<_, i64>(2)), (true, 0, 2));
    // They cannot change their address.
    let change = s.put("/auth/v1/user", json!({ "email": "b@x.test" })).bearer(&session(&again)["access_token"]);
    assert_eq!(change.await.is(422).json()["error_code"], "user_sso_managed");
}

#[tokio::test]
async fn the_flow_can_return_a_code() {
    let (s, provider) = server().await;
    let verifier = "v".repeat(43);
    let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&verifier));
    let url = set_out(&s, json!({ "code_challenge": challenge, "code_challenge_method": "s256" })).await;
    let relay = pairs(url.split_once('?').unwrap().1)["RelayState"].clone();
    let sql = "select request_id from auth.saml_relay_states";
    let request_id: String = s.database.connect().await.query_one(sql, &[]).await.unwrap().get(0);
    let end = Utc::now() + TimeDelta::hours(8);
    let document = Document::of("ana@x.test").with(|document| {
        document.in_response_to = request_id;
        document.session =
            format!("SessionNotOnOrAfter='{}'", end.to_rfc3339_opts(chrono::SecondsFormat::Millis, true));
    });
    let back = post(&s, super::form(&document.signed().await, &relay)).await;
    let location = back.is(302).header("location").to_owned();
    let code = location.strip_prefix(&format!("{APP}?code=")).unwrap_or_else(|| panic!("{location}")).to_owned();
    let trade = |verifier: &str| {
        s.post("/auth/v1/token?grant_type=pkce", json!({ "auth_code": code, "code_verifier": verifier }))
    };
    trade("wrong").await.is(400);
    let token = trade(&verifier).await.is(200).json();
    assert_eq!(token.get("provider_token"), None);
    let claims = claims(token["access_token"].as_str().unwrap());
    assert_eq!((&claims["amr"][0]["method"], &claims["amr"][0]["provider"]), (&json!("sso/saml"), &json!(provider)));
    trade(&verifier).await.is(404);
    let client = s.database.connect().await;
    let row = client.query_one("select not_after, count(*) over () from auth.sessions", &[]).await.unwrap();
    let not_after: chrono::DateTime<Utc> = row.get(0);
    assert_eq!((not_after.timestamp_millis(), row.get::<_, i64>(1)), (end.timestamp_millis(), 1));
    // The session ends when the identity provider requires it.
    let refresh =
        || s.post("/auth/v1/token?grant_type=refresh_token", json!({ "refresh_token": token["refresh_token"] }));
    s.clock.advance(TimeDelta::hours(9));
    assert_eq!(refresh().await.is(400).json()["error_code"], "session_expired");
}

#[tokio::test]
async fn the_provider_may_initiate_a_sign_in() {
    let (s, _) = server().await;
    let attributes = "<saml:Attribute Name='displayName'><saml:AttributeValue>Ana <!-- -->Sol</saml:AttributeValue></saml:Attribute>\
        <saml:Attribute Name='groups'><saml:AttributeValue>a</saml:AttributeValue><saml:AttributeValue>b</saml:AttributeValue></saml:Attribute>";
    let end = "SessionNotOnOrAfter='2099-01-01T00:00:00Z'".to_owned();
    let document = Document::of("ana@x.test").with(|document| {
        document.attributes = attributes.to_owned();
        document.session = end;
    });
    let xml = document.signed().await;
    let back = bring(&s, &xml).await;
    assert!(back.header("location").starts_with("https://app.test#"), "{}", back.header("location"));
    let ana = user(&s, &back).await;
    let data = &ana["identities"][0]["identity_data"];
    assert_eq!((&data["full_name"], &data["custom_claims"]), (&json!("Ana Sol"), &json!({ "groups": ["a", "b"] })));
    assert_eq!(ana["user_metadata"]["full_name"], "Ana Sol");
    let row = s.database.connect().await.query_one("select not_after::text from auth.sessions", &[]).await.unwrap();
    assert!(row.get::<_, String>(0).starts_with("2099-01-01"));
    // A redirect target may be requested, if it is allowed.
    for (wish, target) in [(APP, APP), ("https://evil.test/", "https://app.test"), ("/in", "https://app.test")] {
        let back = post(&s, super::form(&Document::of("ana@x.test").signed().await, wish)).await;
        assert!(back.header("location").starts_with(&format!("{target}#")), "{}", back.header("location"));
    }
    // A response can be used once.
    let (_, code, words) = refusal(&bring(&s, &xml).await);
    assert_eq!(
        (code.as_str(), words.as_str()),
        ("validation_failed", "SAML Assertion is not valid: it was used before")
    );
}

#[tokio::test]
async fn users_of_a_company_are_separate() {
    let (s, provider) = server().await;
    // Another user already has the address, with a password.
    let other = s.signed_up("ana@x.test").await;
    let ana = user(&s, &bring(&s, &Document::of("ana@x.test").signed().await).await).await;
    assert_ne!(ana["id"], json!(other.id));
    // Another name id with the same address: a second identity of the same user.
    let named = |id: &str| {
        let name = (String::new(), id.to_owned());
        let mail = "<saml:Attribute Name='mail'><saml:AttributeValue>ana@x.test</saml:AttributeValue></saml:Attribute>";
        Document::of("").with(|document| {
            document.name = name;
            document.attributes = mail.to_owned();
        })
    };
    let again = user(&s, &bring(&s, &named("ana-8").signed().await).await).await;
    assert_eq!((&again["id"], again["identities"].as_array().unwrap().len()), (&ana["id"], 2));
    let ban = format!("/auth/v1/admin/users/{}", ana["id"].as_str().unwrap());
    s.as_service(Method::PUT, &ban).json(&json!({ "ban_duration": "1h" })).await.is(200);
    let (error, code, _) = refusal(&bring(&s, &named("ana-8").signed().await).await);
    assert_eq!((error.as_str(), code.as_str()), ("access_denied", "user_banned"));
    // After its provider is deleted, the user can no longer sign in this way.
    s.as_service(Method::DELETE, &format!("/auth/v1/admin/sso/providers/{provider}")).await.is(200);
    let (_, code, _) = refusal(&bring(&s, &named("ana-8").signed().await).await);
    assert_eq!(code, "saml_idp_not_found");
}

#[tokio::test]
async fn without_sign_up_new_users_are_refused() {
    let (s, _) = server_with(&[("GOTRUE_DISABLE_SIGNUP", "true")]).await;
    let (error, code, _) = refusal(&bring(&s, &Document::of("ana@x.test").signed().await).await);
    assert_eq!((error.as_str(), code.as_str()), ("access_denied", "signup_disabled"));
}

/// A provider with metadata at this address.
async fn moved(s: &Server, idp: &HttpCatcher, provider: &str) {
    let body = json!({ "metadata_url": format!("{}/metadata", idp.url) });
    s.as_service(Method::PUT, &format!("/auth/v1/admin/sso/providers/{provider}")).json(&body).await.is(200);
}

#[tokio::test]
async fn new_keys_of_a_provider_are_fetched_when_verification_fails() {
    let (s, provider) = server().await;
    let idp = HttpCatcher::start(200, &saml_idp().metadata("other").await);
    moved(&s, &idp, &provider).await;
    let document = || Document::of("ana@x.test");
    let (_, _, words) = refusal(&bring(&s, &document().signed().await).await);
    assert_eq!(words, "SAML Assertion is not valid: the signature is made by no key of the identity provider");
    idp.answers(200, &saml_idp().metadata("own").await);
    let (_, code, _) = refusal(&bring(&s, &document().signed().await).await);
    assert_eq!((code.as_str(), idp.caught().len()), ("validation_failed", 1));
    let sql = "update auth.saml_providers set updated_at = now() - interval '25 hours'";
    let client = s.database.connect().await;
    client.execute(sql, &[]).await.unwrap();
    session(&bring(&s, &document().signed().await).await);
    session(&bring(&s, &document().signed().await).await);
    assert_eq!(idp.caught().len(), 1);
    // If the metadata cannot be fetched, or is another provider's, the old one stays in use and is not fetched again
    // for a minute.
    let mut passed = TimeDelta::zero();
    for said in [String::new(), super::metadata_of("https://evil.test")] {
        s.clock.advance(TimeDelta::seconds(61));
        passed += TimeDelta::seconds(61);
        let document = || document().with(|document| document.issued += passed);
        client.execute(sql, &[]).await.unwrap();
        idp.answers(200, &said);
        session(&bring(&s, &document().signed().await).await);
        session(&bring(&s, &document().signed().await).await);
    }
    assert_eq!(idp.caught().len(), 2);
}
