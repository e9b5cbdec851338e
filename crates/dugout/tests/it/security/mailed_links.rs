//! A mailed link works only for someone who has the mail, not for someone who computes or collects hashes.

use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha224};

use crate::kit::{AUTH_SECRET, Answer, AuthProcess, Calls, Mail, PASSWORD, Server};

const VERIFY: &str = "/auth/v1/verify";

/// The hash that GoTrue stores of a code, which anyone can compute.
fn gotrues(address: &str, code: &str) -> String {
    let digest = Sha224::digest(format!("{address}{code}"));
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn with_hash(s: &Server, kind: &str, hash: &str) -> Answer {
    s.post(VERIFY, json!({ "type": kind, "token_hash": hash })).await
}

#[track_caller]
fn is_refused(answer: &Answer) {
    assert_eq!((answer.status, answer.header("x-sb-error-code")), (403, "otp_expired"), "{}", answer.body);
}

/// Asserts that the hash computed from the mail's code is refused both as a link and as a token hash, and that the
/// mail's own link then works.
async fn only_the_mail_opens(s: &Server, kind: &str, mail: &Mail) {
    let computed = gotrues(&mail.to, &mail.code());
    assert_ne!(mail.token(), computed);
    for hash in [computed.clone(), format!("pkce_{computed}")] {
        is_refused(&with_hash(s, kind, &hash).await);
        is_refused(&with_hash(s, "email", &hash).await);
        let followed = s.get(&format!("{VERIFY}?type={kind}&token={hash}")).await.is(303);
        assert!(followed.header("location").contains("error_code=otp_expired"), "{}", followed.header("location"));
    }
    let followed = s.get(&mail.path()).await.is(303);
    let location = followed.header("location");
    let opened = ["access_token=", "code=", "message="].iter().any(|way| location.contains(way));
    assert!(opened && !location.contains("error"), "{kind}: {location}");
}

#[tokio::test]
async fn a_hash_computed_from_a_code_is_refused() {
    let (s, mails) = Server::with_mails(&[]).await;
    s.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200);
    only_the_mail_opens(&s, "signup", &mails.to("ana@x.test").await).await;
    let challenge = "a".repeat(43);
    for (path, kind) in [("recover", "recovery"), ("otp", "magiclink")] {
        s.post(&format!("/auth/v1/{path}"), json!({ "email": "ana@x.test" })).await.is(200);
        only_the_mail_opens(&s, kind, &mails.to("ana@x.test").await).await;
        let pkce = json!({ "email": "ana@x.test", "code_challenge": challenge, "code_challenge_method": "plain" });
        s.post(&format!("/auth/v1/{path}"), pkce).await.is(200);
        let mail = mails.to("ana@x.test").await;
        assert!(mail.token().starts_with("pkce_"), "{}", mail.token());
        only_the_mail_opens(&s, kind, &mail).await;
    }
    s.as_service(Method::POST, "/auth/v1/invite").json(&json!({ "email": "ben@x.test" })).await.is(200);
    let invitation = mails.to("ben@x.test").await;
    assert_eq!(invitation.token().len(), 56, "it shows no code, but has one");
    assert!(s.get(&invitation.path()).await.is(303).header("location").contains("access_token="));

    let ana = s.signed_in("ana@x.test").await;
    ana.put("/auth/v1/user", json!({ "email": "ana2@x.test" })).await.is(200);
    for address in ["ana@x.test", "ana2@x.test"] {
        only_the_mail_opens(&s, "email_change", &mails.to(address).await).await;
    }
    assert_eq!(ana.get("/auth/v1/user").await.is(200).json()["email"], "ana2@x.test");
}

/// Reads every column that holds the hash of a code, after one code of each kind was sent.
#[tokio::test]
async fn no_column_contains_a_computable_hash() {
    let (s, mails) = Server::with_mails(&[
        ("GOTRUE_EXTERNAL_PHONE_ENABLED", "true"),
        ("GOTRUE_SMS_AUTOCONFIRM", "false"),
        ("GOTRUE_SMS_TEST_OTP", "4911:123456"),
    ])
    .await;
    s.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200);
    let mut known = vec![("4911".to_owned(), "123456".to_owned())];
    let confirmation = mails.to("ana@x.test").await;
    s.get(&confirmation.path()).await.is(303);
    let ana = s.signed_in("ana@x.test").await;
    ana.put("/auth/v1/user", json!({ "phone": "4911", "email": "ana2@x.test" })).await.is(200);
    s.post("/auth/v1/recover", json!({ "email": "ana@x.test" })).await.is(200);
    ana.get("/auth/v1/reauthenticate").await.is(200);
    s.post("/auth/v1/signup", json!({ "email": "new@x.test", "password": PASSWORD })).await.is(200);
    for address in ["ana@x.test", "ana2@x.test", "ana@x.test", "ana@x.test", "new@x.test"] {
        let mail = mails.to(address).await;
        known.push((mail.to.clone(), mail.code()));
    }
    let sql =
        "select unnest(array[confirmation_token, recovery_token, email_change_token_current, email_change_token_new,
            phone_change_token, reauthentication_token]) from auth.users
        union all select token_hash from auth.one_time_tokens";
    let rows = s.database.connect().await.query(sql, &[]).await.unwrap();
    let stored: Vec<String> = rows.iter().map(|row| row.get::<_, String>(0)).filter(|text| !text.is_empty()).collect();
    assert_eq!(stored.len(), 12, "six codes, each in two places: {stored:?}");
    for (address, code) in &known {
        assert!(!stored.contains(&gotrues(address, code)), "{address} {code}");
    }
    assert!(stored.iter().all(|hash| hash.len() == 56), "{stored:?}");
    // A phone code is stored like an email code: its hash does not work as a link, either.
    is_refused(&with_hash(&s, "signup", &gotrues("4911", "123456")).await);
}

/// A project is migrated from GoTrue while codes are pending.
#[tokio::test]
async fn an_imported_code_works_but_its_hash_is_refused() {
    let (s, _) = Server::with_mails(&[]).await;
    let db = s.database.connect().await;
    for (column, kind, sent_at, token_type) in [
        ("confirmation_token", "signup", "confirmation_sent_at", "confirmation_token"),
        ("recovery_token", "recovery", "recovery_sent_at", "recovery_token"),
        ("email_change_token_new", "email_change", "email_change_sent_at", "email_change_token_new"),
    ] {
        for mark in ["", "pkce_"] {
            let email = format!("{kind}{}@x.test", mark.len());
            s.post("/auth/v1/signup", json!({ "email": email, "password": PASSWORD })).await.is(200);
            let hash = format!("{mark}{}", gotrues(&email, "123456"));
            let import = format!(
                "with u as (update auth.users set {column} = $1, {sent_at} = now(),
                    email_change = case when '{kind}' = 'email_change' then email else '' end,
                    email_change_confirm_status = 1 where email = $2 returning id)
                insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
                select gen_random_uuid(), u.id, '{token_type}', $1, $2 from u"
            );
            db.batch_execute("delete from auth.one_time_tokens; update auth.users set confirmation_token = ''")
                .await
                .unwrap();
            db.execute(&import, &[&hash, &email]).await.unwrap();
            let (there, absent) = (with_hash(&s, kind, &hash).await, with_hash(&s, kind, &gotrues("x", "y")).await);
            is_refused(&there);
            assert_eq!(there.body, absent.body, "the answer does not reveal that the hash is stored");
            let followed = s.get(&format!("{VERIFY}?type={kind}&token={hash}")).await.is(303);
            assert!(followed.header("location").contains("error_code=otp_expired"), "{}", followed.header("location"));
            let authorize = format!("/auth/v1/authorize?provider=keycloak&invite_token={hash}");
            assert!(!s.get(&authorize).await.header("location").contains("state="));
            let typed = json!({ "type": kind, "email": email, "token": "123456" });
            let session: Value = s.post(VERIFY, typed).await.is(200).json();
            assert_eq!(session["user"]["email"], email.as_str(), "{kind}");
        }
    }
}

/// The same with `dugout auth` alone, which derives its key from its own secret.
#[tokio::test]
async fn auth_alone_derives_its_own_key() {
    let auth = AuthProcess::start(&[("GOTRUE_MAILER_AUTOCONFIRM", "false")]).await;
    let token = {
        let claims = json!({ "role": "service_role", "aud": "authenticated", "exp": 4_000_000_000_u64 });
        let key = jsonwebtoken::EncodingKey::from_secret(AUTH_SECRET.as_bytes());
        jsonwebtoken::encode(&jsonwebtoken::Header::default(), &claims, &key).unwrap()
    };
    let generate = async |kind: &str| {
        let body = json!({ "type": kind, "email": "ana@x.test", "password": PASSWORD });
        auth.post("/admin/generate_link", body).bearer(&token).await.is(200).json()
    };
    for kind in ["signup", "recovery", "magiclink"] {
        let made = generate(kind).await;
        let text = |name: &str| made[name].as_str().unwrap().to_owned();
        let computed = gotrues("ana@x.test", &text("email_otp"));
        is_refused(&auth.post("/verify", json!({ "type": kind, "token_hash": computed })).await);
        auth.post("/verify", json!({ "type": kind, "token_hash": text("hashed_token") })).await.is(200);
    }
}
