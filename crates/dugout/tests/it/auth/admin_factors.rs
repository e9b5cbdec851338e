//! Second factors and passkeys in the admin API.

use reqwest::Method;
use serde_json::{Value, json};

use super::{claims, refused};
use crate::kit::{Authenticator, Calls, Server, User};

const ORIGIN: &str = "https://app.x.test";
const SETTINGS: [(&str, &str); 4] = [
    ("GOTRUE_WEBAUTHN_RP_ID", "x.test"),
    ("GOTRUE_WEBAUTHN_RP_ORIGINS", ORIGIN),
    ("GOTRUE_MFA_PHONE_ENROLL_ENABLED", "true"),
    ("GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED", "true"),
];

async fn enroll(user: &User, factor: Value) -> String {
    let factor = user.post("/auth/v1/factors", factor).await.is(200).json();
    factor["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn factors_are_listed_renamed_and_removed() {
    let s = Server::with(&SETTINGS).await;
    let (ana, bo) = (s.signed_up("ana@x.test").await, s.signed_up("bo@x.test").await);
    let list = format!("/auth/v1/admin/users/{}/factors", ana.id);
    assert_eq!(s.as_service(Method::GET, &list).await.is(200).json(), json!([]));
    refused(&ana.get(&list).await, 403, "not_admin", "User not allowed");
    let phone = enroll(&ana, json!({ "factor_type": "phone", "phone": "4912345678", "friendly_name": "p" })).await;
    let key = enroll(&ana, json!({ "factor_type": "webauthn", "friendly_name": "k" })).await;
    assert_eq!(s.as_service(Method::GET, &list).await.is(200).json().as_array().unwrap().len(), 2);

    let change = |id: &str, body: Value| s.as_service(Method::PUT, &format!("{list}/{id}")).json(&body);
    let changed = change(&phone, json!({ "friendly_name": "new", "phone": "+49 111" })).await.is(200).json();
    assert_eq!((&changed["friendly_name"], &changed["phone"]), (&json!("new"), &json!("49111")));
    let invalid = "Invalid phone number format (E.164 required)";
    refused(&change(&phone, json!({ "phone": "abc" })).await, 400, "validation_failed", invalid);
    let kept = change(&key, json!({ "phone": "abc" })).await.is(200).json();
    assert_eq!((&kept["friendly_name"], &kept["phone"]), (&json!("k"), &json!("")));
    let taken = r#"A factor with the friendly name "new" for this user already exists"#;
    refused(&change(&key, json!({ "friendly_name": "new" })).await, 422, "mfa_factor_name_conflict", taken);
    refused(&change("x", json!({})).await, 404, "validation_failed", "factor_id must be an UUID");

    let others = format!("/auth/v1/admin/users/{}/factors/{phone}", bo.id);
    let gone = "Factor not found";
    refused(&s.as_service(Method::DELETE, &others).await, 404, "mfa_factor_not_found", gone);
    let remove = || s.as_service(Method::DELETE, &format!("{list}/{phone}"));
    assert_eq!(remove().await.is(200).json()["id"], phone.as_str());
    refused(&remove().await, 404, "mfa_factor_not_found", gone);
    for (user, status, code, words) in [
        ("x", 404, "validation_failed", "user_id must be an UUID"),
        ("00000000-0000-0000-0000-000000000000", 404, "user_not_found", "User not found"),
    ] {
        let path = format!("/auth/v1/admin/users/{user}/factors");
        refused(&s.as_service(Method::GET, &path).await, status, code, words);
    }
}

#[tokio::test]
async fn removing_a_factor_as_administrator_lowers_its_sessions_to_aal1() {
    let s = Server::with(&SETTINGS).await;
    let ana = s.signed_up("ana@x.test").await;
    let mut key = Authenticator::new(ORIGIN);
    let id = enroll(&ana, json!({ "factor_type": "webauthn" })).await;
    let path = format!("/auth/v1/factors/{id}");
    let asked = ana.post(&format!("{path}/challenge"), json!({})).await.is(200).json();
    let response = key.create(&asked["webauthn"]["credential_options"]["publicKey"]);
    let webauthn = json!({ "type": "create", "credential_response": response });
    let proof = json!({ "challenge_id": asked["id"], "webauthn": webauthn });
    let session = ana.post(&format!("{path}/verify"), proof).await.is(200).json();
    let mut strong = User::of_session(&session, &s.url, &s.anon_key);
    assert_eq!(claims(&strong.access_token)["aal"], "aal2");
    s.as_service(Method::DELETE, &format!("/auth/v1/admin/users/{}/factors/{id}", ana.id)).await.is(200);
    strong.refresh().await.is(200);
    assert_eq!(claims(&strong.access_token)["aal"], "aal1");
}

#[tokio::test]
async fn passkeys_are_listed_and_removed_even_if_disabled() {
    let s = Server::with(&SETTINGS).await;
    let ana = s.signed_up("ana@x.test").await;
    let asked = ana.post("/auth/v1/passkeys/registration/options", json!({})).await.is(200).json();
    let credential = Authenticator::new(ORIGIN).create(&asked["options"]);
    let body = json!({ "challenge_id": asked["challenge_id"], "credential": credential });
    let passkey = ana.post("/auth/v1/passkeys/registration/verify", body).await.is(200).json();
    let list = format!("/auth/v1/admin/users/{}/passkeys", ana.id);
    let listed = s.as_service(Method::GET, &list).await.is(200).json();
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["id"]), (1, &passkey["id"]));
    refused(&ana.get(&list).await, 403, "not_admin", "User not allowed");
    let path = format!("{list}/{}", passkey["id"].as_str().unwrap());
    s.as_service(Method::DELETE, &path).await.is(204);
    for path in [path, format!("{list}/x")] {
        refused(&s.as_service(Method::DELETE, &path).await, 404, "validation_failed", "Passkey not found");
    }
    let off = Server::with(&[("GOTRUE_PASSKEY_ENABLED", "false")]).await;
    let bo = off.signed_up("bo@x.test").await;
    let none = off.as_service(Method::GET, &format!("/auth/v1/admin/users/{}/passkeys", bo.id)).await.is(200);
    assert_eq!(none.json(), json!([]));
}
