use super::{Answer, Claims, Failure, Profile, only};

/// `/v1/me` (developers.figma.com/docs/rest-api/users-endpoints).
pub(in crate::outside::providers) fn figma(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let user = only(answers)?;
    let (id, name) = (user.text("id")?, user.text("handle")?);
    let claims = Claims::of([
        ("iss", issuer),
        ("sub", id),
        ("name", name),
        ("avatar_url", user.text("img_url")?),
        ("full_name", name),
        ("provider_id", id),
    ]);
    Ok(Profile::with_email(claims, user.text("email")?, true))
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;
    use serde_json::json;

    #[test]
    fn handles_are_names() {
        let user = json!({ "id": "7", "email": "ana@x.test", "handle": "Ana", "img_url": "https://f.test/a" });
        assert_eq!(
            seen(figma, &[user]),
            json!({
                "emails": [["ana@x.test", true, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "7", "name": "Ana", "avatar_url": "https://f.test/a",
                    "full_name": "Ana", "provider_id": "7",
                },
            })
        );
    }
}
