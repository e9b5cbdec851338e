use super::*;

fn seen(issuer: &str, mut token: Value) -> (Value, Value) {
    token["iss"] = json!(issuer);
    let profile = profile(issuer, token.as_object().unwrap()).unwrap();
    let emails = profile.emails.iter().map(|email| json!([email.address, email.verified, email.primary])).collect();
    let mut claims = Value::Object(profile.claims.as_map().clone());
    assert_eq!(claims["iss"].take(), json!(issuer));
    claims.as_object_mut().unwrap().shift_remove("iss");
    (emails, claims)
}

#[test]
fn the_large_ones_in_their_own_words() {
    for (issuer, token, email, claims) in [
        (
            GOOGLE,
            json!({ "sub": "1", "name": "Ana", "picture": "p", "email": "ana@x.test", "email_verified": true, "hd": "x.test" }),
            json!([["ana@x.test", true, true]]),
            json!({
                "sub": "1", "name": "Ana", "picture": "p", "avatar_url": "p", "full_name": "Ana", "provider_id": "1",
                "custom_claims": { "hd": "x.test" },
            }),
        ),
        (
            APPLE,
            json!({
                "sub": "1", "email": "ana@x.test", "email_verified": "true", "is_private_email": "true",
                "auth_time": 1700000000, "transfer_sub": "2",
            }),
            json!([["ana@x.test", true, true]]),
            json!({
                "sub": "1", "provider_id": "1",
                "custom_claims": { "is_private_email": true, "auth_time": 1700000000, "transfer_sub": "2" },
            }),
        ),
        (
            FACEBOOK,
            json!({ "sub": "1", "name": "Ana", "picture": "p", "email": "ana@x.test" }),
            json!([["ana@x.test", true, true]]),
            json!({ "sub": "1", "name": "Ana", "picture": "p", "provider_id": "1" }),
        ),
        (
            LINKEDIN,
            json!({
                "sub": "1", "given_name": "Ana", "family_name": "Sol", "email": "ana@x.test", "email_verified": "false",
                "locale": { "country": "US", "language": "en" },
            }),
            json!([["ana@x.test", false, true]]),
            json!({ "sub": "1", "name": "Ana Sol", "family_name": "Sol", "given_name": "Ana", "provider_id": "1" }),
        ),
    ] {
        assert_eq!(seen(issuer, token), (email, claims), "{issuer}");
    }
}

#[test]
fn the_others_in_theirs() {
    let tenant = "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0";
    for (issuer, token, email, claims) in [
        (
            KAKAO,
            json!({ "sub": "1", "nickname": "Ana", "picture": "p", "email": "ana@x.test" }),
            json!([["ana@x.test", true, true]]),
            json!({ "sub": "1", "name": "Ana", "preferred_username": "Ana", "provider_id": "1", "picture": "p" }),
        ),
        (
            VERCEL,
            json!({ "sub": "1", "global_user_id": "7", "user_email": "ana@x.test", "user_name": "Ana" }),
            json!([["ana@x.test", true, true]]),
            json!({ "sub": "global_user_id:7", "provider_id": "global_user_id:7", "name": "Ana" }),
        ),
        (
            SNAPCHAT,
            json!({ "sub": "1", "email": "ana@x.test" }),
            json!([["ana@x.test", true, true]]),
            json!({ "sub": "1", "email": "ana@x.test" }),
        ),
        (
            tenant,
            json!({
                "sub": "1", "name": "Ana", "preferred_username": "ana", "email": "ana@x.test", "tid": "t", "oid": "o",
                "aud": "us", "ver": "2.0",
            }),
            json!([["ana@x.test", true, true]]),
            json!({
                "sub": "1", "preferred_username": "ana", "full_name": "Ana", "provider_id": "1",
                "custom_claims": { "email": "ana@x.test", "tid": "t", "oid": "o" },
            }),
        ),
        (
            "https://id.test",
            json!({ "sub": "1", "aud": "us", "name": "Ana", "email": "ana@x.test", "groups": [] }),
            json!([["ana@x.test", false, true]]),
            json!({ "sub": "1", "aud": ["us"], "name": "Ana", "email": "ana@x.test" }),
        ),
    ] {
        assert_eq!(seen(issuer, token), (email, claims), "{issuer}");
    }
}

#[test]
fn azure_vouches_for_addresses_of_its_tenants_only() {
    let tenant = "https://login.microsoftonline.com/t/v2.0";
    for (said, verified) in [
        (None, true),
        (Some(json!(true)), true),
        (Some(json!("1")), true),
        (Some(json!("true")), true),
        (Some(json!(false)), false),
        (Some(json!("0")), false),
        (Some(json!(1)), false),
    ] {
        let mut token = json!({ "sub": "1", "email": "ana@x.test" });
        if let Some(said) = said {
            token["xms_edov"] = said;
        }
        assert_eq!(seen(tenant, token).0[0][1], json!(verified));
    }
}

#[test]
fn issuers_that_only_look_like_others_are_not_them() {
    for (issuer, azure, customers) in [
        ("https://login.microsoftonline.com/common/v2.0", true, false),
        ("https://login.microsoftonline.com/t/v2.0/", true, false),
        ("https://login.microsoftonline.com.evil.test/t/v2.0", false, false),
        ("https://login.microsoftonline.com/t/evil/v2.0", false, false),
        ("https://shop.ciamlogin.com/t/v2.0", false, true),
        ("https://shop.ciamlogin.com.evil.test/t/v2.0", false, false),
    ] {
        assert_eq!((is_azure(issuer), is_azure_for_customers(issuer)), (azure, customers), "{issuer}");
    }
    assert!(is_apple(APPLE) && is_apple(APPLE_ACCOUNT) && !is_apple("https://appleid.apple.com.evil.test"));
}

#[test]
fn what_is_not_of_its_type_is_refused() {
    let read = |issuer: &str, token: Value| profile(issuer, token.as_object().unwrap());
    assert!(read(GOOGLE, json!({ "sub": 1 })).is_err());
    assert!(read(LINKEDIN, json!({ "sub": "1", "email_verified": "perhaps" })).is_err());
    assert!(read("https://id.test", json!({ "sub": "1", "email_verified": "true" })).is_err());
}
