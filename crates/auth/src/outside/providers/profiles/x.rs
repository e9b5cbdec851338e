use serde_json::{Map, json};

use super::{Answer, Claims, Failure, Profile, only};

/// `/2/users/me` (docs.x.com/x-api/users/get-my-user). X returns only confirmed addresses.
pub(in crate::outside::providers) fn x(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let user = only(answers)?.at("data")?;
    let (id, name, user_name) = (user.text("id")?, user.text("name")?, user.text("username")?);
    let picture = user.text("profile_image_url")?;
    let claims = Claims::of([
        ("iss", issuer),
        ("sub", id),
        ("name", name),
        ("preferred_username", user_name),
        ("picture", picture),
        ("profile", &format!("https://x.com/{user_name}")),
        ("website", user.text("url")?),
        ("avatar_url", picture),
        ("full_name", name),
        ("provider_id", id),
        ("user_name", user_name),
    ]);
    let custom = Map::from_iter([("created_at".to_owned(), json!(user.text("created_at")?))]);
    Ok(Profile::with_email(claims.with_custom(custom), user.text("confirmed_email")?, true))
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;

    #[test]
    fn only_confirmed_addresses_are_given() {
        let user = json!({ "data": {
            "id": "7", "name": "Ana", "username": "ana", "confirmed_email": "ana@x.test", "url": "https://t.co/a",
            "profile_image_url": "https://x.test/7", "created_at": "2013-12-14T04:35:55.000Z",
        }});
        assert_eq!(
            seen(x, &[user]),
            json!({
                "emails": [["ana@x.test", true, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "7", "name": "Ana", "preferred_username": "ana",
                    "picture": "https://x.test/7", "profile": "https://x.com/ana", "website": "https://t.co/a",
                    "avatar_url": "https://x.test/7", "full_name": "Ana", "provider_id": "7", "user_name": "ana",
                    "custom_claims": { "created_at": "2013-12-14T04:35:55.000Z" },
                },
            })
        );
        assert_eq!(seen(x, &[json!({ "data": { "id": "7" } })])["emails"], json!([]));
    }
}
