use super::{Answer, Failure, Profile};

/// `openid.connect.userInfo` for older apps. It may not say whether the address is verified; GoTrue assumes that it is.
///
/// DEVIATION (safer): an address that Slack reports as unverified counts as unverified; for this provider GoTrue takes
/// every address as verified.
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
