use serde_json::{Map, json};

use super::{Answer, Claims, Failure, Profile, full_name, only};

/// `profile` in the answer to the code (workos.com/docs/reference/sso/profile).
pub(in crate::outside::providers) fn workos(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let user = only(answers)?.at("profile")?;
    let id = user.text("id")?;
    let name = full_name(user.text("first_name")?, user.text("last_name")?);
    let claims = Claims::of([("iss", issuer), ("sub", id), ("name", &name), ("full_name", &name), ("provider_id", id)]);
    let mut custom = Map::new();
    for name in ["connection_id", "organization_id"] {
        custom.insert(name.to_owned(), json!(user.text(name)?));
    }
    Ok(Profile::with_email(claims.with_custom(custom), user.text("email")?, true))
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;

    #[test]
    fn the_profile_comes_with_the_token() {
        let token = json!({ "access_token": "a", "profile": {
            "object": "profile", "id": "prof_1", "connection_id": "conn_1", "connection_type": "OktaSAML",
            "organization_id": "org_1", "idp_id": "00u1", "email": "ana@x.test", "first_name": "Ana", "last_name": "Sol",
            "raw_attributes": {},
        }});
        assert_eq!(
            seen(workos, &[token]),
            json!({
                "emails": [["ana@x.test", true, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "prof_1", "name": "Ana Sol", "full_name": "Ana Sol",
                    "provider_id": "prof_1",
                    "custom_claims": { "connection_id": "conn_1", "organization_id": "org_1" },
                },
            })
        );
    }
}
