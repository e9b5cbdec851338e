//! `GET /authorize`

use super::super::{pairs, refused};
use super::settings;
use crate::kit::{Calls, Server, oidc_provider};

#[tokio::test]
async fn the_browser_is_redirected_with_the_expected_parameters() {
    let s = Server::with(&settings()).await;
    let path = "/auth/v1/authorize?provider=Keycloak&scopes=openid,groups&prompt=login&state=evil&REDIRECT_URI=evil\
                &client_id=evil&nonce=n&redirect_to=https://evil.test";
    let answer = s.get(path).await.is(302);
    let (address, query) = answer.header("location").split_once('?').expect("a query");
    assert_eq!(address, format!("{}/protocol/openid-connect/auth", oidc_provider().issuer));
    let mut query = pairs(query);
    let state = query.remove("state").expect("a state");
    let expected = [
        ("client_id", "dugout"),
        ("nonce", "n"),
        ("prompt", "login"),
        ("redirect_to", "https://evil.test"),
        ("redirect_uri", "https://api.test/callback"),
        ("response_type", "code"),
        ("scope", "profile email openid groups"),
    ];
    assert_eq!(query, expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
    // A disallowed redirect target is replaced by the site URL.
    let client = s.database.connect().await;
    let sql = "select id::text, referrer, provider_type, code_challenge, user_id from auth.flow_state";
    let row = client.query_one(sql, &[]).await.unwrap();
    let text = |at: usize| row.get::<_, Option<String>>(at).unwrap_or_default();
    assert_eq!((text(0), text(1), text(2)), (state, "https://app.test".to_owned(), "keycloak".to_owned()));
    assert_eq!(row.get::<_, Option<String>>(3), None);
}

#[tokio::test]
async fn refusals_match_gotrue() {
    let mut all = settings();
    all.extend([
        ("GOTRUE_EXTERNAL_GITHUB_ENABLED", "true"),
        ("GOTRUE_EXTERNAL_GITLAB_ENABLED", "true"),
        ("GOTRUE_EXTERNAL_GITLAB_CLIENT_ID", "us"),
    ]);
    let s = Server::with(&all).await;
    let long = "a".repeat(43);
    let unsupported = |reason: &str| format!("Unsupported provider: {reason}");
    for (query, message) in [
        ("", unsupported("Provider  could not be found")),
        ("provider=nobody", unsupported("Provider nobody could not be found")),
        ("provider=google", unsupported("provider is not enabled")),
        ("provider=github", unsupported("missing OAuth client ID")),
        ("provider=gitlab", unsupported("missing OAuth secret")),
        ("provider=custom:nobody", unsupported("custom provider custom:nobody not found")),
        (
            "provider=keycloak&code_challenge=x",
            "PKCE flow requires code_challenge_method and code_challenge".to_owned(),
        ),
        (
            "provider=keycloak&code_challenge=x&code_challenge_method=s256",
            "code challenge has to be between 43 and 128 characters".to_owned(),
        ),
        (
            &format!("provider=keycloak&code_challenge={long}&code_challenge_method=md5"),
            "Invalid code_challenge_method".to_owned(),
        ),
    ] {
        let answer = s.get(&format!("/auth/v1/authorize?{query}")).await;
        refused(&answer, 400, "validation_failed", &message);
    }
    let answer = s.get("/auth/v1/authorize?provider=keycloak&invite_token=x").await;
    refused(&answer, 404, "user_not_found", "User identified by token not found");
}
