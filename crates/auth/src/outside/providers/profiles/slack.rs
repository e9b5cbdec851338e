use super::{Answer, Failure, Profile};

/// `openid.connect.userInfo` for apps of the first kind. Whether the address is verified was not said; GoTrue takes it for so.
///
/// DEVIATION: an address that Slack says is not verified is not; for this provider GoTrue takes every address for verified.
pub(in crate::outside::providers) fn slack(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let mut profile = super::slack_oidc(issuer, answers)?;
    let said = super::only(answers)?.at("email_verified")?.value();
    for email in &mut profile.emails {
        email.verified = said.as_bool().unwrap_or(true);
    }
    Ok(profile)
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;
    use serde_json::json;

    #[test]
    fn silence_is_consent() {
        for (said, verified) in [(json!(null), true), (json!(true), true), (json!(false), false)] {
            let user = json!({ "https://slack.com/user_id": "7", "email": "ana@x.test", "email_verified": said });
            assert_eq!(seen(slack, &[user])["emails"], json!([["ana@x.test", verified, true]]));
        }
    }
}
