//! Which account a sign-in with a provider leads to: never to an account whose address the user has not verified.

use serde_json::{Value, json};

use super::super::refused;
use super::{come_back, person, refusal, settings, user};
use crate::kit::{Calls, PASSWORD, Server};

async fn with_mails() -> (Server, crate::kit::Mails) {
    let settings = settings();
    Server::with_mails(&settings).await
}

fn providers(user: &Value) -> &Value {
    &user["app_metadata"]["providers"]
}

#[tokio::test]
async fn a_verified_address_links_to_the_account_with_that_address() {
    let (s, mails) = with_mails().await;
    let sign_up = json!({ "email": "ana@x.test", "password": PASSWORD });
    let ana = s.post("/auth/v1/signup", sign_up).await.is(200).json();
    s.get(&mails.to("ana@x.test").await.path()).await.is(303);
    let linked = user(&s, &come_back(&s, "keycloak", &person("7", "ana@x.test", true), "").await).await;
    assert_eq!((&linked["id"], providers(&linked)), (&ana["id"], &json!(["email", "keycloak"])));
    // The address was confirmed, so the password stays.
    s.signed_in("ana@x.test").await;
    let client = s.database.connect().await;
    let sql = "select payload ->> 'action' from auth.audit_log_entries order by created_at desc limit 2";
    let actions: Vec<String> = client.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect();
    assert!(actions.contains(&"login".to_owned()), "{actions:?}");
    let linkings = "select count(*) from auth.audit_log_entries where payload ->> 'action' = 'identity_linked'";
    assert_eq!(client.query_one(linkings, &[]).await.unwrap().get::<_, i64>(0), 1);
}

#[tokio::test]
async fn an_unconfirmed_account_is_taken_over_by_the_verified_owner() {
    let (s, _mails) = with_mails().await;
    let sign_up = json!({ "email": "ana@x.test", "password": PASSWORD, "data": { "name": "Mallory" } });
    let mallory = s.post("/auth/v1/signup", sign_up).await.is(200).json();
    let id = mallory["id"].as_str().unwrap().to_owned();
    // As if an attacker had prepared everything.
    let client = s.database.connect().await;
    let prepare = format!(
        "insert into auth.sessions (id, user_id, created_at, updated_at, aal)
           values (gen_random_uuid(), '{id}', now(), now(), 'aal1');
         insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
           values (gen_random_uuid(), '{id}', 'mine', 'totp', 'verified', now(), now(), 'x');
         insert into auth.webauthn_credentials (user_id, credential_id, public_key) values ('{id}', '\\x01', '\\x02');"
    );
    client.batch_execute(&prepare).await.unwrap();
    let ana = user(&s, &come_back(&s, "keycloak", &person("7", "ana@x.test", true), "").await).await;
    assert_eq!((&ana["id"], providers(&ana)), (&mallory["id"], &json!(["keycloak"])));
    assert_eq!((&ana["user_metadata"]["name"], &ana["factors"]), (&json!("Ana Sol"), &Value::Null));
    assert_eq!(ana["identities"].as_array().unwrap().len(), 1);
    let body = json!({ "email": "ana@x.test", "password": PASSWORD });
    let answer = s.post("/auth/v1/token?grant_type=password", body).await;
    refused(&answer, 400, "invalid_credentials", "Invalid login credentials");
    let left = "select (select count(*) from auth.sessions) + (select count(*) from auth.mfa_factors)
        + (select count(*) from auth.webauthn_credentials)";
    // Only the session of her own sign-in is left.
    assert_eq!(client.query_one(left, &[]).await.unwrap().get::<_, i64>(0), 1);
}

#[tokio::test]
async fn an_unverified_address_does_not_link() {
    let (s, mails) = with_mails().await;
    let sign_up = json!({ "email": "ana@x.test", "password": PASSWORD });
    let ana = s.post("/auth/v1/signup", sign_up).await.is(200).json();
    let confirmation = mails.to("ana@x.test").await;
    for confirmed in [false, true] {
        if confirmed {
            s.get(&confirmation.path()).await.is(303);
        }
        let sub = if confirmed { "8" } else { "7" };
        let (error, code, said) = refusal(&come_back(&s, "keycloak", &person(sub, "ana@x.test", false), "").await);
        assert_eq!((error.as_str(), code.as_str()), ("access_denied", "provider_email_needs_verification"));
        assert_eq!(said, "Unverified email with keycloak. Verify the email with keycloak in order to sign in");
    }
    let client = s.database.connect().await;
    let sql = "select u.id::text, u.email, array_agg(i.provider order by i.provider) from auth.users u
        join auth.identities i on i.user_id = u.id group by u.id order by u.created_at";
    let rows = client.query(sql, &[]).await.unwrap();
    assert_eq!((rows.len(), rows[0].get::<_, String>(0)), (3, ana["id"].as_str().unwrap().to_owned()));
    assert_eq!(rows[0].get::<_, Vec<String>>(2), ["email"]);
    assert!(rows[1..].iter().all(|row| row.get::<_, Option<String>>(1).is_none()));
    s.signed_in("ana@x.test").await;
}

/// GoTrue links in this case: see DEVIATION in `linking.rs`.
#[tokio::test]
async fn an_unverified_address_does_not_link_even_with_autoconfirm() {
    let s = Server::with(&settings()).await;
    let ana = s.signed_up("ana@x.test").await;
    let (error, code, said) = refusal(&come_back(&s, "keycloak", &person("7", "ana@x.test", false), "").await);
    assert_eq!((error.as_str(), code.as_str()), ("access_denied", "provider_email_needs_verification"));
    assert_eq!(
        said,
        "Unverified email with keycloak, and an account with this email exists. Verify the email with keycloak, or sign in to \
         that account first and link keycloak to it"
    );
    let users = "select count(*) from auth.users";
    assert_eq!(
        s.database.connect().await.query_one(users, &[]).await.unwrap().get::<_, i64>(0),
        1,
        "no second account"
    );
    // A sign-in with the verified address is accepted.
    let same = user(&s, &come_back(&s, "keycloak", &person("8", "ana@x.test", true), "").await).await;
    assert_eq!(same["id"], json!(ana.id));
}

#[tokio::test]
async fn a_new_unverified_address_is_confirmed_by_mail() {
    let (s, mails) = with_mails().await;
    let ana = person("7", "ana@x.test", false);
    let (error, code, said) = refusal(&come_back(&s, "keycloak", &ana, "").await);
    assert_eq!((error.as_str(), code.as_str()), ("access_denied", "provider_email_needs_verification"));
    assert_eq!(said, "Unverified email with keycloak. A confirmation email has been sent to your keycloak email");
    s.get(&mails.to("ana@x.test").await.path()).await.is(303);
    let known = user(&s, &come_back(&s, "keycloak", &ana, "").await).await;
    assert_eq!((&known["email"], providers(&known)), (&json!("ana@x.test"), &json!(["keycloak"])));

    let mut trusting = settings();
    trusting.push(("GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS", "true"));
    let (s, mails) = Server::with_mails(&trusting).await;
    let unconfirmed = user(&s, &come_back(&s, "keycloak", &ana, "").await).await;
    assert_eq!((&unconfirmed["email"], &unconfirmed["email_confirmed_at"]), (&json!("ana@x.test"), &Value::Null));
    mails.to("ana@x.test").await;
}

#[tokio::test]
async fn linking_domains_separate_accounts() {
    let mut apart = settings();
    apart.push(("GOTRUE_EXPERIMENTAL_PROVIDER_LINKING_DOMAINS", "keycloak=staff"));
    let s = Server::with(&apart).await;
    let ana = s.signed_up("ana@x.test").await;
    let staff = user(&s, &come_back(&s, "keycloak", &person("7", "ana@x.test", true), "").await).await;
    assert_ne!(staff["id"], json!(ana.id));
    // Both users have the address.
    assert_eq!(staff["email"], json!("ana@x.test"));
    s.signed_in("ana@x.test").await;
}

#[tokio::test]
async fn an_invitation_is_accepted_by_the_verified_owner_of_its_address() {
    let (s, mails) = with_mails().await;
    let invited = s.as_service(reqwest::Method::POST, "/auth/v1/invite").json(&json!({ "email": "ana@x.test" }));
    let id = invited.await.is(200).json()["id"].clone();
    let token = format!("&invite_token={}", mails.to("ana@x.test").await.token());
    let (error, code, said) = refusal(&come_back(&s, "keycloak", &person("7", "ben@x.test", true), &token).await);
    assert_eq!((error.as_str(), code.as_str()), ("invalid_request", "validation_failed"));
    assert_eq!(said, "Invited email does not match emails from external provider");
    // An unverified address is not enough.
    let (_, code, _) = refusal(&come_back(&s, "keycloak", &person("7", "ana@x.test", false), &token).await);
    assert_eq!(code, "validation_failed");
    let ana = user(&s, &come_back(&s, "keycloak", &person("7", "ana@x.test", true), &token).await).await;
    assert_eq!((&ana["id"], providers(&ana)), (&id, &json!(["keycloak"])));
    assert!(ana["email_confirmed_at"].is_string());
}
