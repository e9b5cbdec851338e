use super::{Answer, Claims, Failure, Profile, only};
use crate::outside::providers::id_claims::SNAPCHAT;

/// `/v1/me` (developers.snap.com, Login Kit): an answer in GraphQL's shape.
pub(in crate::outside::providers) fn snapchat(_: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let user = only(answers)?.at("data")?.at("me")?;
    let (id, name) = (user.text("externalId")?, user.text("displayName")?);
    let avatar = user.at("bitmoji")?.text("avatar")?;
    let claims = Claims::of([
        ("iss", SNAPCHAT),
        ("sub", id),
        ("name", name),
        ("picture", avatar),
        ("slug", name),
        ("avatar_url", avatar),
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
    fn most_have_no_address() {
        let user = json!({ "data": { "me": { "externalId": "7", "displayName": "Ana", "bitmoji": { "avatar": "https://s.test/7" } } }, "errors": [] });
        assert_eq!(
            seen(snapchat, &[user]),
            json!({
                "emails": [],
                "claims": {
                    "iss": SNAPCHAT, "sub": "7", "name": "Ana", "picture": "https://s.test/7", "slug": "Ana",
                    "avatar_url": "https://s.test/7", "full_name": "Ana", "provider_id": "7",
                },
            })
        );
        let user = json!({ "data": { "me": { "externalId": "7", "email": "ana@x.test", "bitmoji": null } } });
        assert_eq!(seen(snapchat, &[user])["emails"], json!([["ana@x.test", true, true]]));
    }
}
