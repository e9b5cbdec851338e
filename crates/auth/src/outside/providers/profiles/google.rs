use super::{Answer, Claims, Failure, Profile, only};

/// `/userinfo/v2/me`, used only if Google returns no ID token.
pub(in crate::outside::providers) fn google(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let user = only(answers)?;
    let (id, name, picture) = (user.text("id")?, user.text("name")?, user.text("picture")?);
    let claims = Claims::of([
        ("iss", issuer),
        ("sub", id),
        ("name", name),
        ("picture", picture),
        ("avatar_url", picture),
        ("full_name", name),
        ("provider_id", id),
    ]);
    let verified = user.flag("verified_email")? || user.flag("email_verified")?;
    Ok(Profile::with_email(claims, user.text("email")?, verified))
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;
    use serde_json::json;

    #[test]
    fn either_word_for_verified_counts() {
        let user = |verified: &str| {
            let mut user = json!({ "id": "7", "name": "Ana", "picture": "https://g.test/7", "email": "ana@x.test" });
            user[verified] = json!(true);
            user
        };
        assert_eq!(
            seen(google, &[user("verified_email")]),
            json!({
                "emails": [["ana@x.test", true, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "7", "name": "Ana", "picture": "https://g.test/7",
                    "avatar_url": "https://g.test/7", "full_name": "Ana", "provider_id": "7",
                },
            })
        );
        assert_eq!(seen(google, &[user("email_verified")])["emails"], json!([["ana@x.test", true, true]]));
        assert_eq!(seen(google, &[user("other")])["emails"], json!([["ana@x.test", false, true]]));
    }
}
