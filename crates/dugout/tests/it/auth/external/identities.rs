//! `GET /user/identities/authorize` and `DELETE /user/identities/{identity_id}`

use serde_json::{Value, json};

use super::super::refused;
use super::{departure, person, refusal, settings, user};
use crate::kit::{Answer, Calls, Server, User, callback, signed_in};

/// The whole linking flow; returns the last answer.
async fn link(s: &Server, who: &User, person: &Value) -> Answer {
    let query = departure("keycloak", person, "&skip_http_redirect=true");
    let out = who.get(&format!("/auth/v1/user/identities/authorize?{query}")).await.is(200).json();
    s.get(&callback(&signed_in(out["url"].as_str().unwrap()).await)).await
}

#[tokio::test]
async fn users_link_and_unlink_identities() {
    let s = Server::with(&settings()).await;
    let ana = s.signed_up("ana@x.test").await;
    // The address at the provider may be another one, even unverified: user and session stay the same.
    let linked = user(&s, &link(&s, &ana, &person("7", "other@x.test", true)).await).await;
    assert_eq!((&linked["id"], &linked["email"]), (&json!(ana.id), &json!("ana@x.test")));
    assert_eq!(linked["app_metadata"]["providers"], json!(["email", "keycloak"]));
    let again = refusal(&link(&s, &ana, &person("7", "other@x.test", true)).await);
    assert_eq!((again.1.as_str(), again.2.as_str()), ("identity_already_exists", "Identity is already linked"));
    let ben = s.signed_up("ben@x.test").await;
    let taken = refusal(&link(&s, &ben, &person("7", "other@x.test", true)).await);
    assert_eq!(taken.2, "Identity is already linked to another user");

    let of = |provider: &str| {
        let identities = linked["identities"].as_array().unwrap();
        let identity = identities.iter().find(|identity| identity["provider"] == provider).unwrap();
        identity["identity_id"].as_str().unwrap().to_owned()
    };
    let path = |id: &str| format!("/auth/v1/user/identities/{id}");
    refused(&ana.delete(&path("x")).await, 404, "validation_failed", "identity_id must be an UUID");
    // The other user has one identity, and cannot unlink those of other users.
    let single = "User must have at least 1 identity after unlinking";
    refused(&ben.delete(&path(&of("keycloak"))).await, 422, "single_identity_not_deletable", single);
    link(&s, &ben, &person("8", "third@x.test", true)).await.is(302);
    refused(&ben.delete(&path(&of("keycloak"))).await, 422, "identity_not_found", "Identity doesn't exist");
    assert_eq!(ana.delete(&path(&of("email"))).await.is(200).json(), json!({}));
    let left = ana.get("/auth/v1/user").await.is(200).json();
    // The address of the remaining identity, which the provider has verified.
    assert_eq!((&left["email"], &left["app_metadata"]["provider"]), (&json!("other@x.test"), &json!("keycloak")));
    refused(&ana.delete(&path(&of("keycloak"))).await, 422, "single_identity_not_deletable", single);
    let client = s.database.connect().await;
    let sql = "select count(*) from auth.audit_log_entries where payload ->> 'action' = 'identity_unlinked'";
    assert_eq!(client.query_one(sql, &[]).await.unwrap().get::<_, i64>(0), 1);
}

#[tokio::test]
async fn an_anonymous_user_becomes_permanent_by_linking() {
    let mut all = settings();
    all.push(("GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", "true"));
    let s = Server::with(&all).await;
    let session = s.post("/auth/v1/signup", json!({})).await.is(200).json();
    let nobody = User::of_session(&session, &s.url, &s.anon_key);
    let ana = user(&s, &link(&s, &nobody, &person("7", "ana@x.test", true)).await).await;
    assert_eq!((&ana["id"], &ana["is_anonymous"]), (&json!(nobody.id), &json!(false)));
    assert_eq!((&ana["email"], &ana["app_metadata"]["provider"]), (&json!("ana@x.test"), &json!("keycloak")));
    // The address belongs to another user by now.
    let session = s.post("/auth/v1/signup", json!({})).await.is(200).json();
    let other = User::of_session(&session, &s.url, &s.anon_key);
    let (error, code, _) = refusal(&link(&s, &other, &person("8", "ana@x.test", true)).await);
    assert_eq!((error.as_str(), code.as_str()), ("invalid_request", "email_exists"));
}

#[tokio::test]
async fn linking_needs_a_user_and_can_be_disabled() {
    let s = Server::with(&settings()).await;
    let answer = s.get("/auth/v1/user/identities/authorize?provider=keycloak").await;
    refused(&answer, 401, "no_authorization", "This endpoint requires a valid Bearer token");
    let mut off = settings();
    off.push(("GOTRUE_SECURITY_MANUAL_LINKING_ENABLED", "false"));
    let s = Server::with(&off).await;
    let ana = s.signed_up("ana@x.test").await;
    let disabled = "Manual linking is disabled";
    let answer = ana.get("/auth/v1/user/identities/authorize?provider=keycloak").await;
    refused(&answer, 404, "manual_linking_disabled", disabled);
    refused(&ana.delete("/auth/v1/user/identities/x").await, 404, "manual_linking_disabled", disabled);
}
