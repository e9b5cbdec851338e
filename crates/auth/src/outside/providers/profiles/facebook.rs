use super::{Answer, Claims, Failure, Profile, full_name, only};

/// `/me` (developers.facebook.com/docs/graph-api/reference/user). Addresses there are verified.
pub(in crate::outside::providers) fn facebook(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let user = only(answers)?;
    let (id, alias) = (user.text("id")?, user.text("name")?);
    let name = full_name(user.text("first_name")?, user.text("last_name")?);
    let picture = user.at("picture")?.at("data")?.text("url")?;
    let claims = Claims::of([
        ("iss", issuer),
        ("sub", id),
        ("name", &name),
        ("nickname", alias),
        ("picture", picture),
        ("slug", alias),
        ("avatar_url", picture),
        ("full_name", &name),
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
    fn names_are_put_together() {
        let user = json!({
            "id": "7", "email": "ana@x.test", "first_name": "Ana", "last_name": "Sol", "name": "ana.s",
            "picture": { "data": { "url": "https://f.test/a", "is_silhouette": false } },
        });
        assert_eq!(
            seen(facebook, &[user]),
            json!({
                "emails": [["ana@x.test", true, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "7", "name": "Ana Sol", "nickname": "ana.s",
                    "picture": "https://f.test/a", "slug": "ana.s", "avatar_url": "https://f.test/a",
                    "full_name": "Ana Sol", "provider_id": "7",
                },
            })
        );
        let shy = seen(facebook, &[json!({ "id": "7", "first_name": "Ana" })]);
        assert_eq!((&shy["emails"], &shy["claims"]["name"]), (&json!([]), &json!("Ana")));
    }
}
