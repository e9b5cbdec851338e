use super::{Answer, Claims, Failure, Profile, only};

/// `/v1/users/me` in version 2021-08-16 (developers.notion.com/reference/get-self): the owner of the integration's token.
pub(in crate::outside::providers) fn notion(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let user = only(answers)?.at("bot")?.at("owner")?.at("user")?;
    let (id, name, avatar) = (user.text("id")?, user.text("name")?, user.text("avatar_url")?);
    let claims = Claims::of([
        ("iss", issuer),
        ("sub", id),
        ("name", name),
        ("picture", avatar),
        ("avatar_url", avatar),
        ("full_name", name),
        ("provider_id", id),
    ]);
    Ok(Profile::with_email(claims, user.at("person")?.text("email")?, true))
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;
    use serde_json::json;

    #[test]
    fn the_owner_is_the_user() {
        let user = json!({ "object": "user", "type": "bot", "id": "bot", "bot": { "owner": { "type": "user", "user": {
            "id": "7", "name": "Ana", "avatar_url": "https://n.test/7", "person": { "email": "ana@x.test" },
        }}}});
        assert_eq!(
            seen(notion, &[user]),
            json!({
                "emails": [["ana@x.test", true, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "7", "name": "Ana", "picture": "https://n.test/7",
                    "avatar_url": "https://n.test/7", "full_name": "Ana", "provider_id": "7",
                },
            })
        );
        let of_a_workspace = json!({ "bot": { "owner": { "type": "workspace", "workspace": true } } });
        assert_eq!(seen(notion, &[of_a_workspace])["emails"], json!([]));
    }
}
