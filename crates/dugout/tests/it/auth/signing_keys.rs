//! `GOTRUE_JWT_KEYS`: which key signs, which only verify, and whether others accept the tokens.

use std::io::Write;
use std::process::{Command, Stdio};

use jsonwebtoken::{EncodingKey, Header};
use serde_json::{Value, json};

use super::{claims, refused};
use crate::architecture::root;
use crate::kit::{AUTH_SECRET, AuthProcess, Calls, PASSWORD, Server};

/// Node's own cryptography, as an independent implementation.
fn node(argument: &str, input: &Value) -> Value {
    let mut node = Command::new("node")
        .args([root().join("crates/dugout/tests/signing.mjs").to_str().unwrap(), argument])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the tests need node");
    node.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success(), "node refused {input}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn with(key: &Value, operations: Value) -> Value {
    let mut key = key.clone();
    key["key_ops"] = operations;
    key
}

#[tokio::test]
async fn every_algorithm_is_verified_by_another_library() {
    let made = node("make", &Value::Null);
    let made = made.as_array().unwrap();
    for (index, key) in made.iter().enumerate() {
        let standby = &made[(index + 1) % made.len()];
        let keys = json!([with(standby, json!(["verify"])), with(key, json!(["sign", "verify"]))]).to_string();
        let s = AuthProcess::start(&[("GOTRUE_JWT_KEYS", &keys)]).await;
        let session = s.post("/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200).json();
        let token = session["access_token"].as_str().unwrap();
        let header = jsonwebtoken::decode_header(token).unwrap();
        assert_eq!(json!([header.alg, header.kid]), json!([key["alg"], key["kid"]]));

        let jwks = s.get("/.well-known/jwks.json").await.is(200).json();
        let published: Vec<&Value> = jwks["keys"].as_array().unwrap().iter().map(|key| &key["kid"]).collect();
        assert_eq!(published.len(), 2);
        assert!(published.contains(&&standby["kid"]), "a standby key is published before it signs");
        for key in jwks["keys"].as_array().unwrap() {
            assert_eq!((&key["use"], &key["key_ops"]), (&json!("sig"), &json!(["verify"])));
            for private in ["d", "p", "q", "dp", "dq", "qi", "k"] {
                assert_eq!(key.get(private), None, "{private} must not be published");
            }
        }
        let said = node("verify", &json!({ "token": token, "jwks": jwks }));
        assert_eq!(said, claims(token));
        s.get("/user").bearer(token).await.is(200);

        // Holders of the older secret are still accepted.
        let legacy =
            jsonwebtoken::encode(&Header::default(), &claims(token), &EncodingKey::from_secret(AUTH_SECRET.as_bytes()));
        s.get("/user").bearer(&legacy.unwrap()).await.is(200);
    }
}

/// A symmetric key signs with its id and is not published.
#[tokio::test]
async fn a_symmetric_key_signs_with_hs256() {
    let key = json!([{ "kty": "oct", "k": "c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlY3JldA", "kid": "one",
        "alg": "HS256", "key_ops": ["sign", "verify"] }]);
    let s = AuthProcess::start(&[("GOTRUE_JWT_KEYS", &key.to_string())]).await;
    let session = s.post("/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200).json();
    let token = session["access_token"].as_str().unwrap();
    let header = jsonwebtoken::decode_header(token).unwrap();
    assert_eq!(json!([header.alg, header.kid]), json!(["HS256", "one"]));
    s.get("/user").bearer(token).await.is(200);
    assert_eq!(s.get("/.well-known/jwks.json").await.is(200).json(), json!({ "keys": [] }));
}

/// Secrets and keys together: API keys are signed with the secret, sessions with a separate key.
#[tokio::test]
async fn tokens_signed_with_the_secret_are_accepted_beside_a_key() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    let algorithm = |token: &str| jsonwebtoken::decode_header(token).unwrap().alg;
    assert_eq!(algorithm(&ana.access_token), jsonwebtoken::Algorithm::ES256);
    assert_eq!(algorithm(&s.service_role_key), jsonwebtoken::Algorithm::HS256);
    s.as_service(reqwest::Method::GET, "/auth/v1/admin/users").await.is(200);
    let keys = s.get("/auth/v1/.well-known/jwks.json").await.is(200).json();
    assert!(keys["keys"].as_array().unwrap().iter().all(|key| key["kty"] == "EC"), "{keys}");
    let claims = super::claims(&ana.access_token);
    let secret = jsonwebtoken::EncodingKey::from_secret(s.jwt_secret.as_bytes());
    let legacy = jsonwebtoken::encode(&jsonwebtoken::Header::default(), &claims, &secret).unwrap();
    assert_eq!(s.get("/auth/v1/user").bearer(&legacy).await.is(200).json()["id"], ana.id.as_str());
}

/// A request that times out gets a retry hint, and its changes are rolled back.
#[tokio::test]
async fn a_request_that_takes_too_long_is_aborted() {
    let s = AuthProcess::start(&[("GOTRUE_API_MAX_REQUEST_DURATION", "1500ms")]).await;
    let dawdle = "create function public.dawdle() returns trigger language plpgsql as
        $$ begin perform pg_sleep(4); return new; end $$;
        create trigger dawdle before insert on auth.sessions for each row execute function public.dawdle()";
    s.database.connect().await.batch_execute(dawdle).await.unwrap();
    let answer = s.post("/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await;
    let message = "Processing this request timed out, please retry after a moment.";
    refused(&answer, 504, "request_timeout", message);
    s.database.connect().await.batch_execute("drop trigger dawdle on auth.sessions").await.unwrap();
    s.post("/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200);
}

/// Hashes of imported users; all are of the password `secret12`, made by GoTrue's own code.
#[tokio::test]
async fn users_with_imported_hashes_sign_in() {
    let s = AuthProcess::start(&[]).await;
    s.post("/signup", json!({ "email": "ana@x.test", "password": PASSWORD })).await.is(200);
    let db = s.database.connect().await;
    for hash in [
        "$argon2i$v=19$m=64,t=2,p=1$bGJRWThNOHJJTVBSdHl2dQ$UDV36gr0PleUZFzAVsefgCVuoc5yMWQHNC0ZH1zZ5qg",
        "$argon2id$v=19$m=64,t=3,p=2$bGJRWThNOHJJTVBSdHl2dQ$sZy6GfUNRPZfh/u/IrjQcDUIwrHtbElcEb3nbCvF/Sg",
        "$fbscrypt$v=1,n=10,r=8,p=1,ss=Bw==,sk=AAMGCQwPEhUYGx4hJCcqLTAzNjk8P0JFSEtOUVRXWl1gY2ZpbG9ydXh7foGEh4qNkJOWmZyfoqWoq66xtLe6vQ==$MDEyMzQ1Njc4OQ==$VVuXKsuTBO38FDbCefrc/IxYw7AF2khaOBOJ2xxMrxmcY4nRSjjydXKFQmdxR6auCgDjg3gSHaLpB1yAe7Ru0g==",
    ] {
        db.execute("update auth.users set encrypted_password = $1", &[&hash]).await.unwrap();
        let sign_in = |password: &str| {
            s.post("/token?grant_type=password", json!({ "email": "ana@x.test", "password": password }))
        };
        sign_in("secret12").await.is(200);
        sign_in("secret13").await.is(400);
    }
}

/// Encrypted values are unreadable in a dump; older plain values are encrypted on their next use.
#[tokio::test]
async fn hashes_and_session_keys_are_encrypted_if_configured() {
    let key = "pwFoiPyybQMqNmYVN0gUnpbfpGQV2sDv9vp0ZAxi_Y4";
    let keys = format!("one:{key}");
    let prefix = "GOTRUE_SECURITY_DB_ENCRYPTION";
    let s = AuthProcess::start(&[
        (&format!("{prefix}_ENCRYPT"), "true"),
        (&format!("{prefix}_ENCRYPTION_KEY_ID"), "one"),
        (&format!("{prefix}_ENCRYPTION_KEY"), key),
        (&format!("{prefix}_DECRYPTION_KEYS"), &keys),
        ("GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION", "2"),
    ])
    .await;
    let body = json!({ "email": "ana@x.test", "password": PASSWORD });
    let session = s.post("/signup", body.clone()).await.is(200).json();
    let db = s.database.connect().await;
    let stored = async || -> (String, String) {
        let sql = "select u.encrypted_password, s.refresh_token_hmac_key from auth.users u join auth.sessions s on s.user_id = u.id";
        let row = db.query(sql, &[]).await.unwrap();
        (row[0].get(0), row[0].get(1))
    };
    let (password, session_key) = stored().await;
    for sealed in [&password, &session_key] {
        assert_eq!(serde_json::from_str::<Value>(sealed).unwrap()["key_id"], "one", "{sealed}");
    }
    let refresh = json!({ "refresh_token": session["refresh_token"] });
    s.post("/token?grant_type=refresh_token", refresh).await.is(200);
    s.post("/token?grant_type=password", body.clone()).await.is(200);

    // A value from before the setting, made by GoTrue's own code.
    let plain = "$2a$04$TFO2SgDnWBlw73ckp/HiTOMG6Gj7Id/xHUQ7Kx/NbCEFYr/.2.Eiq";
    db.execute("update auth.users set encrypted_password = $1", &[&plain]).await.unwrap();
    let older = json!({ "email": "ana@x.test", "password": "secret12" });
    s.post("/token?grant_type=password", older.clone()).await.is(200);
    assert!(stored().await.0.starts_with('{'), "encrypted at the next sign-in");
    s.post("/token?grant_type=password", older).await.is(200);
    s.post("/token?grant_type=password", body).await.is(400);
}
