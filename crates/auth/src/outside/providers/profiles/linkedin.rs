use super::{Answer, Claims, Failure, Profile, both, full_name};

/// `/v2/me` and `/v2/emailAddress` (learn.microsoft.com/linkedin/shared/integrations/people, "Sign In with LinkedIn" of
/// 2019). LinkedIn returns only the primary address, which is verified.
pub(in crate::outside::providers) fn linkedin(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let (user, addresses) = both(answers)?;
    let id = user.text("id")?;
    let name = full_name(name(user.at("firstName")?)?, name(user.at("lastName")?)?);
    let picture = match user.at("profilePicture")?.at("displayImage~")?.at("elements")?.items()?.next() {
        Some(element) => element.at("identifiers")?.first()?.text("identifier")?,
        None => "",
    };
    let email = addresses.at("elements")?.first()?.at("handle~")?.text("emailAddress")?;
    let claims = Claims::of([
        ("iss", issuer),
        ("sub", id),
        ("name", &name),
        ("picture", picture),
        ("avatar_url", picture),
        ("full_name", &name),
        ("provider_id", id),
    ]);
    Ok(Profile::with_email(claims, email, true))
}

/// A name in the user's preferred language.
fn name(name: Answer<'_>) -> Result<&str, Failure> {
    let locale = name.at("preferredLocale")?;
    let key = format!("{}_{}", locale.text("language")?, locale.text("country")?);
    let localized = name.at("localized")?.object()?.get(&key).and_then(|text| text.as_str());
    localized.ok_or_else(|| Failure::Answer("has a name without its preferred language".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;
    use serde_json::{Value, json};

    fn user() -> Value {
        let name = |text: &str| json!({ "localized": { "en_US": text }, "preferredLocale": { "country": "US", "language": "en" } });
        json!({ "id": "7", "firstName": name("Ana"), "lastName": name("Sol"), "profilePicture": { "displayImage~": {
            "elements": [{ "identifiers": [{ "identifier": "https://l.test/7" }] }],
        }}})
    }

    #[test]
    fn names_are_in_the_preferred_language() {
        let emails =
            json!({ "elements": [{ "handle": "urn:li:emailAddress:1", "handle~": { "emailAddress": "ana@x.test" } }] });
        assert_eq!(
            seen(linkedin, &[user(), emails.clone()]),
            json!({
                "emails": [["ana@x.test", true, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "7", "name": "Ana Sol", "picture": "https://l.test/7",
                    "avatar_url": "https://l.test/7", "full_name": "Ana Sol", "provider_id": "7",
                },
            })
        );
        let mut odd = user();
        odd["firstName"]["preferredLocale"]["language"] = json!("de");
        assert!(seen(linkedin, &[odd, emails]).is_string());
        assert!(seen(linkedin, &[user(), json!({ "elements": [] })]).is_string());
    }
}
