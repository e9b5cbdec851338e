use super::{Answer, Claims, Failure, Profile, only};

/// `/v2/user/me` (developers.kakao.com/docs/latest/en/kakaologin/rest-api, "Retrieve user information").
pub(in crate::outside::providers) fn kakao(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let user = only(answers)?;
    let (id, account) = (user.number("id")?.to_string(), user.at("kakao_account")?);
    let profile = account.at("profile")?;
    let name = profile.text("nickname")?;
    let claims = Claims::of([
        ("iss", issuer),
        ("sub", &id),
        ("name", name),
        ("preferred_username", name),
        ("avatar_url", profile.text("profile_image_url")?),
        ("full_name", name),
        ("provider_id", &id),
        ("user_name", name),
    ]);
    let verified = account.flag("is_email_verified")? && account.flag("is_email_valid")?;
    Ok(Profile::with_email(claims, account.text("email")?, verified))
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;
    use serde_json::json;

    #[test]
    fn an_address_must_be_valid_and_verified() {
        let user = |valid: bool, verified: bool| {
            json!({ "id": 7, "kakao_account": {
                "profile": { "nickname": "Ana", "profile_image_url": "https://k.test/7" },
                "email": "ana@x.test", "is_email_valid": valid, "is_email_verified": verified,
            }})
        };
        assert_eq!(
            seen(kakao, &[user(true, true)]),
            json!({
                "emails": [["ana@x.test", true, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "7", "name": "Ana", "preferred_username": "Ana",
                    "avatar_url": "https://k.test/7", "full_name": "Ana", "provider_id": "7", "user_name": "Ana",
                },
            })
        );
        for (valid, verified) in [(true, false), (false, true)] {
            assert_eq!(seen(kakao, &[user(valid, verified)])["emails"][0][1], json!(false));
        }
        assert_eq!(seen(kakao, &[json!({ "id": 7 })])["emails"], json!([]));
    }
}
