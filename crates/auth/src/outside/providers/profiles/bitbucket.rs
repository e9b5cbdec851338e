use super::{Answer, Claims, Email, Failure, Profile, both};

/// `/2.0/user` and `/2.0/user/emails` (developer.atlassian.com/cloud/bitbucket/rest, "Users").
pub(in crate::outside::providers) fn bitbucket(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let (user, addresses) = both(answers)?;
    let (id, name) = (user.text("uuid")?, user.text("display_name")?);
    let avatar = user.at("avatar")?.text("href")?;
    let mut emails = Vec::new();
    for email in addresses.at("values")?.items()? {
        let address = email.text("email")?.to_owned();
        if !address.is_empty() {
            emails.push(Email { address, verified: email.flag("is_confirmed")?, primary: email.flag("is_primary")? });
        }
    }
    let claims = Claims::of([
        ("iss", issuer),
        ("sub", id),
        ("name", name),
        ("picture", avatar),
        ("avatar_url", avatar),
        ("full_name", name),
        ("provider_id", id),
    ]);
    Ok(Profile { emails, claims })
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;
    use serde_json::json;

    #[test]
    fn people_have_several_addresses() {
        let user =
            json!({ "display_name": "Ana", "uuid": "{1}", "avatar": { "href": "https://b.test/a" }, "links": {} });
        let emails = json!({ "values": [
            { "email": "old@x.test", "is_primary": false, "is_confirmed": false },
            { "email": "ana@x.test", "is_primary": true, "is_confirmed": true },
            { "email": "" },
        ]});
        assert_eq!(
            seen(bitbucket, &[user.clone(), emails]),
            json!({
                "emails": [["old@x.test", false, false], ["ana@x.test", true, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "{1}", "name": "Ana", "picture": "https://b.test/a",
                    "avatar_url": "https://b.test/a", "full_name": "Ana", "provider_id": "{1}",
                },
            })
        );
        assert_eq!(seen(bitbucket, &[user, json!({})])["emails"], json!([]));
        assert!(seen(bitbucket, &[json!({ "uuid": 1 }), json!({})]).is_string());
    }
}
