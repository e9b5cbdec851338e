use super::{Answer, Claims, Failure, Profile, full_name, only};

/// The login type of users who sign in to Zoom by e-mail address. They may not have confirmed it.
const BY_ADDRESS: &str = "100";

/// `/v2/users/me` (developers.zoom.us/docs/api/users, "Get a user").
pub(in crate::outside::providers) fn zoom(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let user = only(answers)?;
    let (id, picture) = (user.text("id")?, user.text("pic_url")?);
    let name = full_name(user.text("first_name")?, user.text("last_name")?);
    let claims = Claims::of([
        ("iss", issuer),
        ("sub", id),
        ("name", &name),
        ("picture", picture),
        ("avatar_url", picture),
        ("full_name", &name),
        ("provider_id", id),
    ]);
    let by_address = match user.at("login_type")?.value() {
        serde_json::Value::Number(number) => number.to_string() == BY_ADDRESS,
        _ => user.text("login_type")? == BY_ADDRESS,
    };
    let verified = !by_address || user.number("verified")? != 0;
    Ok(Profile::with_email(claims, user.text("email")?, verified))
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn who_signs_in_by_address_must_have_confirmed_it() {
        let user = |login_type: Value, verified: i64| {
            json!({
                "id": "7", "first_name": "Ana", "last_name": "Sol", "email": "ana@x.test", "pic_url": "https://z.test/7",
                "login_type": login_type, "verified": verified,
            })
        };
        assert_eq!(
            seen(zoom, &[user(json!("100"), 1)]),
            json!({
                "emails": [["ana@x.test", true, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "7", "name": "Ana Sol", "picture": "https://z.test/7",
                    "avatar_url": "https://z.test/7", "full_name": "Ana Sol", "provider_id": "7",
                },
            })
        );
        for (login_type, verified, trusted) in
            [(json!("100"), 0, false), (json!(100), 0, false), (json!("1"), 0, true), (json!(null), 0, true)]
        {
            assert_eq!(seen(zoom, &[user(login_type, verified)])["emails"][0][1], json!(trusted));
        }
    }
}
