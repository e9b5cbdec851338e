//! Shared code of the profile readers.

#[cfg(test)]
use super::Email;
use super::{Answer, Failure, Profile};

/// Reads a profile from the API's answers, in the order of the requests; `issuer` is the API's address.
pub(in crate::outside::providers) type Read = fn(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure>;

/// The answer of a provider with one request.
pub(super) fn only<'a>(answers: &[Answer<'a>]) -> Result<Answer<'a>, Failure> {
    answers.first().copied().ok_or_else(nothing)
}

/// The answers of a provider with two requests.
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
