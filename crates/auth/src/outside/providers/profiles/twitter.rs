use super::{Answer, Claims, Failure, Profile, only};

/// `/1.1/account/verify_credentials.json` (the API of 2012, with `include_email`). Its addresses are verified.
pub(in crate::outside::providers) fn twitter(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let user = only(answers)?;
    let (id, name, user_name) = (user.text("id_str")?, user.text("name")?, user.text("screen_name")?);
    let picture = user.text("profile_image_url_https")?;
    let claims = Claims::of([
        ("iss", issuer),
        ("sub", id),
        ("name", name),
        ("picture", picture),
        ("preferred_username", user_name),
        ("user_name", user_name),
        ("full_name", name),
        ("avatar_url", picture),
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
    fn ids_are_texts() {
        let user = json!({
            "id": 7, "id_str": "7", "name": "Ana", "screen_name": "ana", "email": "ana@x.test",
            "profile_image_url_https": "https://t.test/7",
        });
        assert_eq!(
            seen(twitter, &[user]),
            json!({
                "emails": [["ana@x.test", true, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "7", "name": "Ana", "picture": "https://t.test/7",
                    "preferred_username": "ana", "user_name": "ana", "full_name": "Ana",
                    "avatar_url": "https://t.test/7", "provider_id": "7",
                },
            })
        );
    }
}
