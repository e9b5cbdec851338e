use serde_json::{Map, json};

use super::{Answer, Claims, Failure, Profile, only};

/// `/helix/users` (dev.twitch.tv/docs/api/reference, "Get Users"). Its addresses are verified.
pub(in crate::outside::providers) fn twitch(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let user = only(answers)?.at("data")?.first()?;
    let (id, login, name) = (user.text("id")?, user.text("login")?, user.text("display_name")?);
    let picture = user.text("profile_image_url")?;
    let claims = Claims::of([
        ("iss", issuer),
        ("sub", id),
        ("picture", picture),
        ("name", login),
        ("nickname", name),
        ("slug", name),
        ("avatar_url", picture),
        ("full_name", login),
        ("provider_id", id),
    ]);
    let mut custom = Map::new();
    for name in ["broadcaster_type", "description", "type", "offline_image_url"] {
        custom.insert(name.to_owned(), json!(user.text(name)?));
    }
    custom.insert("view_count".to_owned(), json!(user.number("view_count")?));
    Ok(Profile::with_email(claims.with_custom(custom), user.text("email")?, true))
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;

    #[test]
    fn logins_are_names() {
        let user = json!({ "data": [{
            "id": "7", "login": "ana", "display_name": "Ana", "type": "", "broadcaster_type": "partner",
            "description": "plays", "profile_image_url": "https://t.test/7", "offline_image_url": "", "view_count": 3,
            "email": "ana@x.test", "created_at": "2016-12-14T20:32:28Z",
        }]});
        assert_eq!(
            seen(twitch, &[user]),
            json!({
                "emails": [["ana@x.test", true, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "7", "picture": "https://t.test/7", "name": "ana",
                    "nickname": "Ana", "slug": "Ana", "avatar_url": "https://t.test/7", "full_name": "ana",
                    "provider_id": "7",
                    "custom_claims": {
                        "broadcaster_type": "partner", "description": "plays", "type": "", "offline_image_url": "",
                        "view_count": 3,
                    },
                },
            })
        );
        assert!(seen(twitch, &[json!({ "data": [] })]).is_string());
    }
}
