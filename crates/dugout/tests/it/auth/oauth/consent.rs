//! `/oauth/authorizations/…`, and the results of consent: `/user/oauth/grants`.

use chrono::TimeDelta;
use serde_json::json;

use super::{ON, asked, code, consent, details, refused};
use crate::kit::{Answer, Calls, Server};

#[tokio::test]
async fn an_authorization_belongs_to_the_first_user_who_opens_it() {
    let s = Server::with(&ON).await;
    let (ana, bob) = (s.signed_up("ana@x.test").await, s.signed_up("bob@x.test").await);
    let client = super::client(&s, json!({ "client_name": "Scout" })).await;
    let gone = |answer: Answer| refused(&answer, 404, "oauth_authorization_not_found", "authorization not found");

    let id = asked(&s, &client, &[]).await;
    gone(consent(&ana, &id, "approve").await);
    details(&ana, &id).await.is(200);
    gone(details(&bob, &id).await);
    gone(consent(&bob, &id, "approve").await);
    let elsewhere = details(&ana, &id).header("origin", "https://evil.test").await;
    refused(&elsewhere, 400, "validation_failed", "unauthorized request origin");
    let elsewhere = consent(&ana, &id, "approve").header("origin", "https://evil.test").await;
    refused(&elsewhere, 400, "validation_failed", "unauthorized request origin");
    details(&ana, &id).header("origin", "https://app.test").await.is(200);
    refused(&consent(&ana, &id, "perhaps").await, 400, "validation_failed", "action must be 'approve' or 'deny'");
    refused(&consent(&ana, &id, "approve").body("{").await, 400, "bad_json", "invalid JSON body");
    let answer = consent(&ana, &id, "deny").await.is(200).json();
    let denied = answer["redirect_url"].as_str().unwrap();
    assert_eq!(
        denied,
        "https://client.test/cb?error=access_denied&error_description=User+denied+the+request&state=s+1&tenant=1"
    );
    let spent = "authorization request is no longer pending";
    refused(&consent(&ana, &id, "approve").await, 400, "validation_failed", spent);
    let spent = "authorization request cannot be processed";
    refused(&details(&ana, &id).await, 400, "validation_failed", spent);

    let id = asked(&s, &client, &[]).await;
    s.clock.advance(TimeDelta::seconds(601));
    gone(details(&ana, &id).await);
    gone(details(&ana, "nothing").await);
    gone(details(&ana, "%00").await);
    let answer = s.get(&format!("/auth/v1/oauth/authorizations/{id}")).await;
    refused(&answer, 401, "no_authorization", "This endpoint requires a valid Bearer token");
}

#[tokio::test]
async fn an_earlier_consent_covers_no_further_scopes() {
    let s = Server::with(&ON).await;
    let ana = s.signed_up("ana@x.test").await;
    let client = super::client(&s, json!({})).await;
    let scope = |scope: &'static str| [("scope", scope)];
    code(&s, &ana, &client, &scope("email phone email")).await;
    let open = |answer: Answer| answer.is(200).json().get("redirect_url").is_some();
    let id = asked(&s, &client, &scope("phone")).await;
    assert!(open(details(&ana, &id).await), "the user has already consented");
    let id = asked(&s, &client, &scope("phone profile")).await;
    assert!(!open(details(&ana, &id).await), "the scope profile is new");
    assert!(!open(details(&ana, &id).await), "and the authorization stays pending");
    let grants = ana.get("/auth/v1/user/oauth/grants").await.is(200).json();
    assert_eq!(grants[0]["scopes"], json!(["email", "phone"]));
    let path = format!("/auth/v1/user/oauth/grants?client_id={}", client["client_id"].as_str().unwrap());
    ana.delete(&path).await.is(204);
    refused(&ana.delete(&path).await, 404, "oauth_consent_not_found", "No active grant found for this client");
    let id = asked(&s, &client, &scope("phone")).await;
    assert!(!open(details(&ana, &id).await), "a revoked consent does not count");
    for (query, message) in
        [("", "client_id query parameter is required"), ("?client_id=x", "invalid client_id format")]
    {
        let answer = ana.delete(&format!("/auth/v1/user/oauth/grants{query}")).await;
        refused(&answer, 400, "validation_failed", message);
    }
}
