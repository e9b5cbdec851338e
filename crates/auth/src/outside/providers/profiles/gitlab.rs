use super::{Answer, Claims, Email, Failure, Profile, both};

/// `/user` and `/user/emails` (docs.gitlab.com/api/users, api/user_email_addresses). GitLab does not say whether
/// additional addresses are confirmed.
pub(in crate::outside::providers) fn gitlab(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let (user, addresses) = both(answers)?;
    let (id, name, avatar) = (user.number("id")?.to_string(), user.text("name")?, user.text("avatar_url")?);
    let mut emails = Vec::new();
    let mut add = |address: &str, verified, primary| {
        if !address.is_empty() {
            emails.push(Email { address: address.to_owned(), verified, primary });
        }
    };
    for email in addresses.items()? {
        add(email.text("email")?, false, false);
    }
    add(user.text("email")?, !user.text("confirmed_at")?.is_empty(), true);
    let claims = Claims::of([
        ("iss", issuer),
        ("sub", &id),
        ("name", name),
        ("picture", avatar),
        ("avatar_url", avatar),
        ("full_name", name),
        ("provider_id", &id),
    ]);
    Ok(Profile { emails, claims })
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;
    use serde_json::json;

    #[test]
    fn the_own_address_is_verified_when_the_account_is() {
        let user = |confirmed: serde_json::Value| json!({ "id": 7, "name": "Ana", "email": "ana@x.test", "avatar_url": "https://g.test/7", "confirmed_at": confirmed });
        let more = json!([{ "id": 1, "email": "more@x.test", "confirmed_at": "2021-03-26T19:07:56.248Z" }]);
        assert_eq!(
            seen(gitlab, &[user(json!("2012-05-23T09:05:22Z")), more]),
            json!({
                "emails": [["more@x.test", false, false], ["ana@x.test", true, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "7", "name": "Ana", "picture": "https://g.test/7",
                    "avatar_url": "https://g.test/7", "full_name": "Ana", "provider_id": "7",
                },
            })
        );
        assert_eq!(seen(gitlab, &[user(json!(null)), json!([])])["emails"], json!([["ana@x.test", false, true]]));
    }
}
