use serde_json::{Map, json};

use super::{Answer, Claims, Failure, Profile, only};

/// `/oauth/token/info` (fly.io/docs/reference/extensions_api, "Single Sign On").
pub(in crate::outside::providers) fn fly(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let user = only(answers)?;
    let id = user.text("user_id")?;
    let claims =
        Claims::of([("iss", issuer), ("sub", id), ("full_name", user.text("user_name")?), ("provider_id", id)]);
    let mut custom = Map::new();
    custom.insert("resource_owner_id".to_owned(), json!(user.text("resource_owner_id")?));
    for name in ["organizations", "application", "scope"] {
        custom.insert(name.to_owned(), user.at(name)?.value().clone());
    }
    custom.insert("created_at".to_owned(), json!(user.number("created_at")?));
    Ok(Profile::with_email(claims.with_custom(custom), user.text("email")?, true))
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;

    #[test]
    fn organizations_are_kept() {
        let user = json!({
            "resource_owner_id": "o1", "user_id": "u1", "user_name": "Ana", "email": "ana@x.test",
            "organizations": [{ "id": "o1", "role": "admin" }], "scope": ["read"], "application": { "uid": "a" },
            "expires_in": 7200, "created_at": 1699000000,
        });
        assert_eq!(
            seen(fly, &[user]),
            json!({
                "emails": [["ana@x.test", true, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "u1", "full_name": "Ana", "provider_id": "u1",
                    "custom_claims": {
                        "resource_owner_id": "o1", "organizations": [{ "id": "o1", "role": "admin" }],
                        "application": { "uid": "a" }, "scope": ["read"], "created_at": 1699000000,
                    },
                },
            })
        );
    }
}
