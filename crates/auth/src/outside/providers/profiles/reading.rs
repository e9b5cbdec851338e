//! What the readers of answers share.

#[cfg(test)]
use super::Email;
use super::{Answer, Failure, Profile};

/// From what the provider's API answered, in the order it was asked; `issuer` is the API's address.
pub(in crate::outside::providers) type Read = fn(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure>;

/// The answer to the one question that is asked of most providers.
pub(super) fn only<'a>(answers: &[Answer<'a>]) -> Result<Answer<'a>, Failure> {
    answers.first().copied().ok_or_else(nothing)
}

/// The answers to two questions.
pub(super) fn both<'a>(answers: &[Answer<'a>]) -> Result<(Answer<'a>, Answer<'a>), Failure> {
    match answers {
        [one, other] => Ok((*one, *other)),
        _ => Err(nothing()),
    }
}

pub(super) fn nothing() -> Failure {
    Failure::Answer("is missing".to_owned())
}

pub(super) fn full_name(given: &str, family: &str) -> String {
    format!("{given} {family}").trim().to_owned()
}

/// For the table tests: the profile as JSON.
#[cfg(test)]
pub(super) fn seen(read: Read, answers: &[serde_json::Value]) -> serde_json::Value {
    let answers: Vec<Answer<'_>> = answers.iter().map(Answer::from).collect();
    match read("https://api.test", &answers) {
        Ok(profile) => {
            let email = |email: &Email| serde_json::json!([email.address, email.verified, email.primary]);
            let emails: Vec<serde_json::Value> = profile.emails.iter().map(email).collect();
            serde_json::json!({ "emails": emails, "claims": profile.claims.as_map() })
        }
        Err(failure) => serde_json::json!(failure.to_string()),
    }
}
