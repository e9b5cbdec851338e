//! Tokens that both services must reject.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};

use crate::kit::{Calls, Server};

fn segment(value: &Value) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(value.to_string())
}

/// A token signed with a shared secret.
fn signed(secret: &[u8], algorithm: Algorithm, claims: &Value) -> String {
    encode(&Header::new(algorithm), claims, &EncodingKey::from_secret(secret)).unwrap()
}

/// The payload of a token.
fn claims_of(token: &str) -> Value {
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap()).unwrap()
}

#[tokio::test]
async fn forged_and_malformed_tokens_are_refused() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    let good = claims_of(&ana.access_token);
    let secret = s.jwt_secret.as_bytes();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut claims = good.clone();
        change(&mut claims);
        claims
    };
    let now = s.clock.unix();
    let [head, payload, signature] = ana.access_token.split('.').collect::<Vec<_>>()[..] else { panic!("no JWT") };
    let jwks = s.get("/auth/v1/.well-known/jwks.json").await.is(200).body;
    let bad: Vec<(&str, String)> = vec![
        ("no signature", format!("{head}.{payload}.")),
        ("two segments", format!("{head}.{payload}")),
        ("alg none", format!("{}.{payload}.", segment(&json!({ "alg": "none", "typ": "JWT" })))),
        ("alg NONE", format!("{}.{payload}.{signature}", segment(&json!({ "alg": "NONE" })))),
        ("another secret", signed(b"another secret of at least 32 bytes....", Algorithm::HS256, &good)),
        ("an empty secret", signed(b"", Algorithm::HS256, &good)),
        ("the public key as a secret", signed(jwks.trim().as_bytes(), Algorithm::HS256, &good)),
        ("expired", signed(secret, Algorithm::HS256, &with(&|claims| claims["exp"] = json!(now - 120)))),
        ("not yet valid", signed(secret, Algorithm::HS256, &with(&|claims| claims["nbf"] = json!(now + 600)))),
        ("a payload that was changed", {
            let changed = segment(&with(&|claims| claims["role"] = json!("service_role")));
            format!("{head}.{changed}.{signature}")
        }),
        ("a key that the token brings along", {
            let head =
                segment(&json!({ "alg": "ES256", "typ": "JWT", "jwk": { "kty": "EC" }, "jku": "http://127.0.0.1:1/" }));
            format!("{head}.{payload}.{signature}")
        }),
        ("a kid that nobody has", {
            let head = segment(&json!({ "alg": "ES256", "typ": "JWT", "kid": "../../dev/null" }));
            format!("{head}.{payload}.{signature}")
        }),
        ("not JSON", format!("{}.{}.{signature}", BASE64_URL_SAFE_NO_PAD.encode("{"), payload)),
        ("not base64", "a!.b!.c!".to_owned()),
        ("nothing but dots", "..".to_owned()),
        ("sixty thousand bytes", format!("{head}.{}.{signature}", "A".repeat(60_000))),
    ];
    for (what, token) in &bad {
        for path in ["/rest/v1/users?select=id", "/auth/v1/user"] {
            let answer = s.get(path).bearer(token).await;
            assert!([401, 403, 431].contains(&answer.status), "{what} at {path}: {} {}", answer.status, answer.body);
            assert!(!answer.body.contains(&ana.id), "{what} at {path}: {}", answer.body);
        }
    }
    // Without the manipulation the same claims are accepted, so the matrix above fails for the reasons it names.
    let fine = signed(secret, Algorithm::HS256, &good);
    assert_eq!(s.get("/rest/v1/users?select=id").bearer(&fine).await.is(200).json()[0]["id"], ana.id.as_str());
}

#[tokio::test]
async fn tokens_cannot_select_a_superuser_role() {
    let s = Server::start().await;
    for role in
        ["postgres", "supabase_admin", "supabase_auth_admin", "authenticator", "pg_read_all_data", "no_such_role", ""]
    {
        let claims =
            json!({ "role": role, "sub": "00000000-0000-4000-8000-000000000001", "exp": s.clock.unix() + 600 });
        let token = signed(s.jwt_secret.as_bytes(), Algorithm::HS256, &claims);
        let answer = s.get("/rest/v1/users?select=id").bearer(&token).await;
        assert!([401, 403].contains(&answer.status), "{role}: {} {}", answer.status, answer.body);
    }
}

/// Check 11: both services read duplicate claims, and a list of audiences, the same way.
#[tokio::test]
async fn duplicate_claims_and_audience_lists_are_read_the_same_way() {
    let s = Server::start().await;
    let ana = s.signed_up("ana@x.test").await;
    let bob = s.signed_up("bob@x.test").await;
    let good = claims_of(&ana.access_token);
    let twice = |name: &str, first: Value, second: Value| {
        let mut claims = good.clone();
        claims.as_object_mut().unwrap().remove(name);
        let claims = claims.to_string();
        let claims = format!("{},\"{name}\":{first},\"{name}\":{second}}}", claims.strip_suffix('}').unwrap());
        let signed =
            format!("{}.{}", segment(&json!({ "alg": "HS256", "typ": "JWT" })), BASE64_URL_SAFE_NO_PAD.encode(claims));
        let key = EncodingKey::from_secret(s.jwt_secret.as_bytes());
        let signature = jsonwebtoken::crypto::sign(signed.as_bytes(), &key, Algorithm::HS256).unwrap();
        format!("{signed}.{signature}")
    };
    let status = async |token: &str| {
        let user = s.get("/auth/v1/user").bearer(token).await;
        (user.status, s.get("/rest/v1/users?select=id").bearer(token).await.status)
    };
    // The last one wins, as in Go and in PostgREST.
    let token = twice("sub", json!(bob.id), json!(ana.id));
    assert_eq!(s.get("/auth/v1/user").bearer(&token).await.is(200).json()["id"], ana.id.as_str());
    assert_eq!(s.get("/rest/v1/users?select=id").bearer(&token).await.is(200).json()[0]["id"], ana.id.as_str());
    let token = twice("role", json!("service_role"), json!("authenticated"));
    s.get("/auth/v1/admin/users").bearer(&token).await.is(403);
    assert_eq!(status(&token).await, (200, 200));
    let now = s.clock.unix();
    assert_eq!(status(&twice("exp", json!(now + 600), json!(now - 120))).await, (403, 401));
    assert_eq!(status(&twice("aud", json!("elsewhere"), json!("authenticated"))).await, (200, 200));

    let to = |audience: Value| {
        let mut claims = good.clone();
        claims["aud"] = audience;
        signed(s.jwt_secret.as_bytes(), Algorithm::HS256, &claims)
    };
    assert_eq!(status(&to(json!(["authenticated", "elsewhere"]))).await, (200, 200));
    assert_eq!(status(&to(json!(["elsewhere", "authenticated"]))).await, (200, 200));
    for wrong in [json!(7), json!([7]), json!({})] {
        assert_eq!(status(&to(wrong.clone())).await, (403, 401), "{wrong}");
    }
}
