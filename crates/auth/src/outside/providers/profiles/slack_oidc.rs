use serde_json::{Map, json};

use super::{Answer, Claims, Failure, Profile, only};

/// The claim with the workspace's id.
const TEAM: &str = "https://slack.com/team_id";

/// `openid.connect.userInfo` (docs.slack.dev/authentication/sign-in-with-slack).
pub(in crate::outside::providers) fn slack_oidc(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let user = only(answers)?;
    let (id, name, picture) = (user.text("https://slack.com/user_id")?, user.text("name")?, user.text("picture")?);
    let claims = Claims::of([
        ("iss", issuer),
        ("sub", id),
        ("name", name),
        ("picture", picture),
        ("avatar_url", picture),
        ("full_name", name),
        ("provider_id", id),
    ]);
    let custom = Map::from_iter([(TEAM.to_owned(), json!(user.text(TEAM)?))]);
    Ok(Profile::with_email(claims.with_custom(custom), user.text("email")?, user.flag("email_verified")?))
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;

    #[test]
    fn the_workspace_is_kept() {
        let user = json!({
            "ok": true, "sub": "U7", "https://slack.com/user_id": "U7", "https://slack.com/team_id": "T1",
            "email": "ana@x.test", "email_verified": true, "name": "Ana", "picture": "https://s.test/7",
        });
        assert_eq!(
            seen(slack_oidc, &[user]),
            json!({
                "emails": [["ana@x.test", true, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "U7", "name": "Ana", "picture": "https://s.test/7",
                    "avatar_url": "https://s.test/7", "full_name": "Ana", "provider_id": "U7",
                    "custom_claims": { "https://slack.com/team_id": "T1" },
                },
            })
        );
        let refused = json!({ "ok": false, "error": "invalid_auth" });
        assert_eq!(seen(slack_oidc, &[refused])["claims"]["sub"], json!(null));
    }
}
