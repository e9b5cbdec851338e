use super::*;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::TimeDelta;
use serde_json::json;

const SECRET: &str = "super-secret-jwt-token-with-at-least-32-characters-long";

fn map(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn hs256() -> Keys {
    Keys::builder().secret(&Secret::new(SECRET.to_owned())).build()
}

fn es256() -> (Keys, SigningKey) {
    let key = SigningKey::generate().unwrap();
    (Keys::builder().secret(&Secret::new(SECRET.to_owned())).signing(&key).build(), key)
}

fn token(header: Value, payload: Value, signature: &str) -> String {
    let part = |value: Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}.{signature}", part(header), part(payload))
}

#[test]
fn what_a_key_signs_it_verifies() {
    for keys in [hs256(), es256().0] {
        let signed = keys.sign(&map(json!({"sub": "x", "role": "authenticated"}))).unwrap();
        assert_eq!(keys.verify(&signed).unwrap().string("role"), Some("authenticated"));
        // Verify twice: the second answer comes from the cache.
        assert_eq!(keys.verify(&signed).unwrap().string("sub"), Some("x"));
    }
}

#[test]
fn the_confusion_matrix_is_refused() {
    let (keys, key) = es256();
    let good = keys.sign(&map(json!({"role": "authenticated"}))).unwrap();
    let (head, signature) = good.rsplit_once('.').unwrap();
    let other = if signature.starts_with('A') { "B" } else { "A" };
    // HS256 "signed" with the public key: the classic algorithm confusion.
    let public = key.verifying_key().public_jwk().unwrap().to_string();
    let confused = jsonwebtoken::encode(
        &Header { kid: key.kid().map(str::to_owned), ..Header::new(Algorithm::HS256) },
        &json!({"role": "service_role"}),
        &EncodingKey::from_secret(public.as_bytes()),
    )
    .unwrap();
    for (token, error) in [
        (token(json!({"alg": "none"}), json!({"role": "service_role"}), ""), TokenError::Algorithm),
        (token(json!({"alg": "None"}), json!({"role": "service_role"}), ""), TokenError::Header),
        (token(json!({"alg": "RS256"}), json!({}), "AAAA"), TokenError::NoKey),
        (token(json!({"alg": "ES256", "kid": "other"}), json!({}), "AAAA"), TokenError::NoKey),
        (token(json!({"alg": "HS256"}), json!({}), ""), TokenError::Signature),
        (token(json!({"alg": "ES256", "jwk": {"kty": "EC"}}), json!({}), "AAAA"), TokenError::Signature),
        (confused, TokenError::Signature),
        (
            jsonwebtoken::encode(
                &Header::new(Algorithm::HS512),
                &json!({}),
                &EncodingKey::from_secret(SECRET.as_bytes()),
            )
            .unwrap(),
            TokenError::NoKey,
        ),
        (format!("{head}.{other}{}", &signature[1..]), TokenError::Signature),
        (format!("{head}.{signature}A"), TokenError::Signature),
        ("a.b".to_owned(), TokenError::Parts(2)),
        (String::new(), TokenError::Parts(0)),
        ("a.b.c.d.e".to_owned(), TokenError::Parts(5)),
        ("a.b.c".to_owned(), TokenError::Header),
        (format!("{}.b.c", "a".repeat(MAX_TOKEN_LENGTH)), TokenError::TooLong),
    ] {
        assert_eq!(keys.verify(&token).unwrap_err(), error, "{token:.80}");
    }
}

#[test]
fn times_are_checked_at_every_use_with_leeway() {
    let clock = Clock::default();
    let keys = Keys::builder().secret(&Secret::new(SECRET.to_owned())).clock(clock.clone()).build();
    let now = clock.unix();
    let expiring = keys.sign(&map(json!({"exp": now + 60}))).unwrap();
    assert!(keys.verify(&expiring).is_ok());
    clock.advance(TimeDelta::seconds(85));
    assert!(keys.verify(&expiring).is_ok(), "within the leeway of 30 s");
    clock.advance(TimeDelta::seconds(10));
    assert_eq!(keys.verify(&expiring).unwrap_err(), TokenError::Expired);
}

#[test]
fn registered_claims_are_checked_by_type_and_value() {
    let keys =
        Keys::builder().secret(&Secret::new(SECRET.to_owned())).audience(Some("authenticated".to_owned())).build();
    let later = keys.clock().unix() + 100;
    let number = |claim| Some(TokenError::ClaimType { claim, expected: "a number" });
    let audience = Some(TokenError::ClaimType { claim: "aud", expected: "a string, array of strings or null" });
    for (claims, error) in [
        (json!({"exp": "1"}), number("exp")),
        (json!({"nbf": []}), number("nbf")),
        (json!({"iat": {}}), number("iat")),
        (json!({"exp": null, "nbf": null, "iat": null, "aud": null}), None),
        (json!({"exp": 1e300}), Some(TokenError::Expired)),
        (json!({"exp": 4e9}), None),
        (json!({"exp": 4_000_000_000.5}), Some(TokenError::Expired)),
        (json!({"iat": 1.5}), None),
        (json!({"nbf": later}), Some(TokenError::NotYetValid)),
        (json!({"iat": later}), Some(TokenError::IssuedInFuture)),
        (json!({"aud": "authenticated"}), None),
        (json!({"aud": ["x", "authenticated"]}), None),
        (json!({"aud": []}), None),
        (json!({"aud": "other"}), Some(TokenError::Audience)),
        (json!({"aud": ["other"]}), Some(TokenError::Audience)),
        (json!({"aud": ["authenticated", 1]}), audience.clone()),
        (json!({"aud": 1}), audience),
    ] {
        let signed = keys.sign(&map(claims.clone())).unwrap();
        assert_eq!(keys.verify(&signed).err(), error, "{claims}");
    }
}

#[test]
fn the_key_set_holds_no_private_part() {
    let (keys, key) = es256();
    let set = keys.jwks().to_string();
    let private = key.private_jwk().reveal()["d"].as_str().unwrap().to_owned();
    assert!(set.contains(key.kid().unwrap()) && !set.contains(&private) && !set.contains(SECRET), "{set}");
    assert_eq!(keys.jwks()["keys"].as_array().unwrap().len(), 1);
    assert_eq!(SigningKey::from_jwk(key.private_jwk().reveal()).unwrap().kid(), key.kid());
}

#[test]
fn opaque_keys_stand_for_roles() {
    let (publishable, secret) = (api_keys::new_publishable(&[7; 16]), api_keys::new_secret(&[7; 16]));
    let known =
        ApiKeys { publishable: vec![Secret::new(publishable.clone())], secret: vec![Secret::new(secret.clone())] };
    assert_eq!(known.role(&publishable), Some("anon"));
    assert_eq!(known.role(&secret), Some("service_role"));
    assert_eq!(known.role("sb_secret_guess"), None);
    assert!(ApiKeys::is_opaque("sb_secret_guess") && !ApiKeys::is_opaque("eyJ"));
}

#[test]
fn minted_keys_are_tokens_of_their_role() {
    let secret = Secret::new(SECRET.to_owned());
    let key = api_keys::mint(&secret, "supabase-demo", "anon", hs256().clock().unix()).unwrap();
    assert_eq!(hs256().verify(&key).unwrap().string("role"), Some("anon"));
}

#[test]
fn what_is_remembered_is_bounded_by_its_size() {
    let keys = hs256();
    for number in 0..1_000 {
        let long = "x".repeat(9_000);
        let signed = keys.sign(&map(json!({"n": number, "user_metadata": long}))).unwrap();
        assert!(keys.verify(&signed).is_ok(), "{}", signed.len());
    }
    let (_, held) = keys.inner.seen.held();
    assert!(held > 0 && held < 7 * 1024 * 1024, "{held}");
}

#[test]
fn what_is_remembered_can_be_bounded_by_number_and_counted() {
    let keys = Keys::builder().secret(&Secret::new(SECRET.to_owned())).remember(2).build();
    let tokens: Vec<String> = (0..4).map(|number| keys.sign(&map(json!({"n": number}))).unwrap()).collect();
    for token in tokens.iter().chain(&tokens[3..]) {
        assert!(keys.verify(token).is_ok());
    }
    let (held, _) = keys.inner.seen.held();
    let counts = keys.cache_counts();
    assert!(held <= 2 && counts.evictions >= 2 && counts.requests == 5, "{held} {counts:?}");

    let keys = Keys::builder().secret(&Secret::new(SECRET.to_owned())).remember(0).build();
    assert!(keys.verify(&tokens[0]).is_ok() && keys.verify(&tokens[0]).is_ok());
    assert_eq!(keys.cache_counts(), CacheCounts::default());
}

#[test]
fn a_token_with_a_kid_needs_the_key_of_that_name_where_that_is_the_rule() {
    let named = jsonwebtoken::encode(
        &Header { kid: Some("a".to_owned()), ..Header::new(Algorithm::HS256) },
        &json!({}),
        &EncodingKey::from_secret(SECRET.as_bytes()),
    )
    .unwrap();
    for (rule, verdict) in [(KidRule::OrUnnamed, None), (KidRule::Exact, Some(TokenError::NoKey))] {
        let keys = Keys::builder().secret(&Secret::new(SECRET.to_owned())).kid_rule(rule).build();
        assert_eq!(keys.verify(&named).err(), verdict);
    }
}

#[test]
fn keys_that_are_not_for_signatures_are_refused() {
    let octets = BASE64_URL_SAFE_NO_PAD.encode(SECRET);
    for jwk in [json!({"kty": "oct", "k": octets, "use": "enc"}), json!({"kty": "oct", "k": octets, "alg": "A256KW"})] {
        assert!(matches!(VerifyingKey::from_jwk(&jwk), Err(JwkError::Unsupported(_))), "{jwk}");
    }
}
