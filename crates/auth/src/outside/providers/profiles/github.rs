use super::{Answer, Claims, Email, Failure, Profile, both};

/// `/user` and `/user/emails` (docs.github.com/rest/users). The first has only the public address; the second says
/// which addresses are verified.
pub(in crate::outside::providers) fn github(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let (user, addresses) = both(answers)?;
    let (id, login, name) = (user.number("id")?.to_string(), user.text("login")?, user.text("name")?);
    let mut emails = Vec::new();
    for email in addresses.items()? {
        let address = email.text("email")?.to_owned();
        if !address.is_empty() {
            emails.push(Email { address, verified: email.flag("verified")?, primary: email.flag("primary")? });
        }
    }
    let claims = Claims::of([
        ("iss", issuer),
        ("sub", &id),
        ("name", name),
        ("preferred_username", login),
        ("avatar_url", user.text("avatar_url")?),
        ("full_name", name),
        ("provider_id", &id),
        ("user_name", login),
    ]);
    Ok(Profile { emails, claims })
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_list_of_addresses_counts() {
        let user =
            json!({ "id": 7, "login": "ana", "name": null, "email": "shown@x.test", "avatar_url": "https://g.test/7" });
        let emails = json!([
            { "email": "ana@x.test", "primary": true, "verified": true, "visibility": "private" },
            { "email": "old@x.test", "primary": false, "verified": false },
        ]);
        assert_eq!(
            seen(github, &[user, emails]),
            json!({
                "emails": [["ana@x.test", true, true], ["old@x.test", false, false]],
                "claims": {
                    "iss": "https://api.test", "sub": "7", "preferred_username": "ana", "avatar_url": "https://g.test/7",
                    "provider_id": "7", "user_name": "ana",
                },
            })
        );
        assert!(seen(github, &[json!({ "id": "7" }), json!([])]).is_string());
        assert!(seen(github, &[json!({ "id": 7 }), json!({ "message": "Bad credentials" })]).is_string());
    }
}
