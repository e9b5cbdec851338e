//! `GET /callback` and `POST /callback`

use reqwest::Method;
use serde_json::{Value, json};

use super::super::{claims, pairs, refused};
use super::{APP, come_back, departure, person, refusal, session, settings, user};
use crate::kit::{Calls, Server, callback, oidc_provider, signed_in};

/// RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const PKCE: &str = "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=s256";

#[tokio::test]
async fn a_new_user_signs_up_and_signs_in_again() {
    let s = Server::with(&settings()).await;
    let ana = person("7", "Ana@x.test", true);
    let answer = come_back(&s, "keycloak", &ana, "").await;
    assert!(answer.header("location").starts_with(&format!("{APP}#access_token=")));
    let first = session(&answer);
    assert_eq!((first["token_type"].as_str(), first["sb"].as_str()), ("bearer", ""));
    assert!(!first["provider_token"].is_empty() && !first.contains_key("type"));
    assert_eq!(claims(&first["access_token"])["amr"][0]["method"], "oauth");
    let new = user(&s, &answer).await;
    assert_eq!(
        (&new["email"], &new["aud"], &new["role"]),
        (&json!("ana@x.test"), &json!("authenticated"), &json!("authenticated"))
    );
    assert_eq!(new["app_metadata"], json!({ "provider": "keycloak", "providers": ["keycloak"] }));
    let identity = &new["identities"][0];
    assert_eq!((&identity["provider"], &identity["id"]), (&json!("keycloak"), &json!("7")));
    assert_eq!(
        identity["identity_data"],
        json!({
            "iss": oidc_provider().issuer, "sub": "7", "provider_id": "7", "name": "Ana Sol", "full_name": "Ana Sol",
            "email": "ana@x.test", "email_verified": true, "phone_verified": false, "custom_claims": { "groups": ["staff"] },
        })
    );
    assert_eq!(new["user_metadata"], identity["identity_data"]);
    assert!(new["email_confirmed_at"].is_string());

    // The second sign-in is the same user, with the provider's current data.
    let mut renamed = ana.clone();
    renamed["name"] = json!("Ana Luna");
    let again = user(&s, &come_back(&s, "keycloak", &renamed, "").await).await;
    assert_eq!((&again["id"], &again["user_metadata"]["name"]), (&new["id"], &json!("Ana Luna")));
    assert_eq!(again["identities"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn with_a_challenge_the_app_gets_a_code_that_works_once() {
    let s = Server::with(&settings()).await;
    let answer = come_back(&s, "keycloak", &person("7", "ana@x.test", true), PKCE).await.is(302);
    let location = answer.header("location");
    assert!(location.starts_with(&format!("{APP}?code=")) && !location.contains('#'), "{location}");
    let code = pairs(location.split_once('?').unwrap().1)["code"].clone();
    let trade = |verifier: &str| {
        s.post("/auth/v1/token?grant_type=pkce", json!({ "auth_code": code, "code_verifier": verifier }))
    };
    let wrong = "code challenge does not match previously saved code verifier";
    refused(&trade(&"x".repeat(43)).await, 400, "bad_code_verifier", wrong);
    let body = trade(VERIFIER).await.is(200).json();
    assert_eq!(claims(body["access_token"].as_str().unwrap())["amr"][0]["method"], "oauth");
    assert!(body["provider_token"].as_str().is_some_and(|token| !token.is_empty()));
    trade(VERIFIER).await.is(404);
}

#[tokio::test]
async fn a_state_works_once_and_expires() {
    let s = Server::with(&settings()).await;
    let ana = person("7", "ana@x.test", true);
    let used = "error=invalid_request&error_code=flow_state_already_used&error_description=State+has+already+been+used";
    let unknown = "error=invalid_request&error_code=bad_oauth_state&error_description=OAuth+state+not+found+or+expired";
    for (more, said) in [("", unknown), (PKCE, used)] {
        let out = s.get(&format!("/auth/v1/authorize?{}", departure("keycloak", &ana, more))).await.is(302);
        let back = callback(&signed_in(out.header("location")).await);
        s.get(&back).await.is(302);
        let replayed = s.get(&back).await.is(303);
        assert_eq!(replayed.header("location"), format!("https://app.test?{said}"));
    }
    let out = s.get(&format!("/auth/v1/authorize?{}", departure("keycloak", &ana, ""))).await.is(302);
    let back = callback(&signed_in(out.header("location")).await);
    s.clock.advance(chrono::TimeDelta::seconds(301));
    let late = s.get(&back).await.is(303);
    let said = "error=invalid_request&error_code=bad_oauth_state&error_description=OAuth+state+has+expired";
    assert_eq!(late.header("location"), format!("https://app.test?{said}"));

    for (query, code, description) in [
        ("", "bad_oauth_callback", "OAuth+state+parameter+missing"),
        ("state=x", "bad_oauth_state", "OAuth+state+parameter+is+invalid"),
        ("state=00000000-0000-0000-0000-000000000000", "bad_oauth_state", "OAuth+state+not+found+or+expired"),
    ] {
        let answer = s.get(&format!("/auth/v1/callback?{query}")).await.is(303);
        let said = format!("error=invalid_request&error_code={code}&error_description={description}");
        assert_eq!(answer.header("location"), format!("https://app.test?{said}"), "{query}");
        assert_eq!(s.request(Method::POST, "/auth/v1/callback").body(query).await.status, 303, "{query}");
    }
}

#[tokio::test]
async fn of_two_concurrent_callbacks_at_most_one_signs_in() {
    let s = Server::with(&settings()).await;
    for more in ["", PKCE] {
        let ana = person("7", "ana@x.test", true);
        let out = s.get(&format!("/auth/v1/authorize?{}", departure("keycloak", &ana, more))).await.is(302);
        let back = callback(&signed_in(out.header("location")).await);
        let (one, two) = tokio::join!(s.get(&back), s.get(&back));
        let let_in = |location: &str| location.contains("access_token=") || location.contains("?code=");
        let both = [one.header("location"), two.header("location")];
        // The provider revokes everything when a code is used twice: then nobody is signed in.
        assert!(both.iter().filter(|location| let_in(location)).count() <= 1, "{both:?}");
    }
}

#[tokio::test]
async fn errors_are_passed_to_the_app() {
    let s = Server::with(&settings()).await;
    let refusing = json!({ "refuse": true });
    let answer = come_back(&s, "keycloak", &refusing, "").await;
    assert!(answer.header("location").starts_with(APP));
    let expected = ("access_denied".to_owned(), String::new(), "Not today, thanks".to_owned());
    assert_eq!(refusal(&answer), expected);

    let back = |query: &'static str| {
        let s = &s;
        async move {
            let out = s.get(&format!("/auth/v1/authorize?{}", departure("keycloak", &Value::Null, ""))).await.is(302);
            let out = out.header("location").to_owned();
            let state = pairs(out.split_once('?').unwrap().1)["state"].clone();
            refusal(&s.get(&format!("/auth/v1/callback?state={state}{query}")).await)
        }
    };
    let (error, code, said) = back("").await;
    assert_eq!((error.as_str(), code.as_str()), ("invalid_request", "bad_oauth_callback"));
    assert_eq!(said, "OAuth callback with missing authorization code missing");
    let (error, code, said) = back("&code=made-up").await;
    assert_eq!((error.as_str(), code.as_str()), ("server_error", "unexpected_failure"));
    assert_eq!(said, "Unable to exchange external code");
    // An answer with another issuer (RFC 9207).
    let (error, code, _) = back("&code=x&iss=https://evil.test").await;
    assert_eq!((error.as_str(), code.as_str()), ("invalid_request", "bad_oauth_callback"));
}

#[tokio::test]
async fn users_who_may_not_sign_in_get_an_error() {
    let mut closed = settings();
    closed.push(("GOTRUE_DISABLE_SIGNUP", "true"));
    let s = Server::with(&closed).await;
    let (error, code, said) = refusal(&come_back(&s, "keycloak", &person("7", "ana@x.test", true), "").await);
    assert_eq!((error.as_str(), code.as_str()), ("access_denied", "signup_disabled"));
    assert_eq!(said, "Signups not allowed for this instance");

    let s = Server::with(&settings()).await;
    let ana = person("7", "ana@x.test", true);
    come_back(&s, "keycloak", &ana, "").await.is(302);
    s.database.connect().await.execute("update auth.users set banned_until = now() + '1 year'", &[]).await.unwrap();
    let (error, code, said) = refusal(&come_back(&s, "keycloak", &ana, "").await);
    assert_eq!((error.as_str(), code.as_str(), said.as_str()), ("access_denied", "user_banned", "User is banned"));

    let without = json!({ "sub": "8", "name": "Ben" });
    let (error, code, said) = refusal(&come_back(&s, "keycloak", &without, "").await);
    assert_eq!((error.as_str(), code.as_str()), ("server_error", "unexpected_failure"));
    assert_eq!(said, "Error getting user email from external provider");
    let mut optional = settings();
    optional.push(("GOTRUE_EXTERNAL_KEYCLOAK_EMAIL_OPTIONAL", "true"));
    let s = Server::with(&optional).await;
    let ben = user(&s, &come_back(&s, "keycloak", &without, "").await).await;
    assert_eq!((&ben["email"], &ben["user_metadata"]["name"]), (&json!(""), &json!("Ben")));
}
