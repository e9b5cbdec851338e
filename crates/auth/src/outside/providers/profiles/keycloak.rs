use serde_json::{Map, Value};

use super::{Answer, Claims, Failure, Profile, only};

/// Claims that are stored elsewhere.
const KNOWN: [&str; 4] = ["name", "sub", "email", "email_verified"];

/// `/protocol/openid-connect/userinfo` (OpenID Connect Core section 5.3). Claims added by a realm's mappers are kept.
/// Values of wrong types are ignored.
pub(in crate::outside::providers) fn keycloak(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let user = only(answers)?.object()?;
    let text = |name: &str| user.get(name).and_then(Value::as_str).unwrap_or_default();
    let claims = Claims::of([
        ("iss", issuer),
        ("sub", text("sub")),
        ("name", text("name")),
        ("full_name", text("name")),
        ("provider_id", text("sub")),
    ]);
    let more = user.iter().filter(|(name, _)| !KNOWN.contains(&name.as_str()));
    let more: Map<String, Value> = more.map(|(name, value)| (name.clone(), value.clone())).collect();
    let verified = user.get("email_verified").and_then(Value::as_bool).unwrap_or_default();
    Ok(Profile::with_email(claims.with_custom(more), text("email"), verified))
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;
    use serde_json::json;

    #[test]
    fn what_mappers_add_is_kept() {
        let user = json!({
            "sub": "7", "name": "Ana", "email": "ana@x.test", "email_verified": true, "preferred_username": "ana",
            "groups": ["admin"],
        });
        assert_eq!(
            seen(keycloak, &[user]),
            json!({
                "emails": [["ana@x.test", true, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "7", "name": "Ana", "full_name": "Ana", "provider_id": "7",
                    "custom_claims": { "preferred_username": "ana", "groups": ["admin"] },
                },
            })
        );
        let odd = json!({ "sub": "7", "email": "ana@x.test", "email_verified": "true" });
        assert_eq!(seen(keycloak, &[odd])["emails"], json!([["ana@x.test", false, true]]));
    }
}
