//! What each provider says of somebody, in its own shape, as a [`Profile`]: pure functions, one file a provider.
//!
//! Source of the shapes: the providers' own documentation, named in each file; of what is made of them: supabase/auth,
//! `internal/api/provider/`.

mod bitbucket;
mod discord;
mod facebook;
mod figma;
mod fly;
mod github;
mod gitlab;
mod google;
mod kakao;
mod keycloak;
mod linkedin;
mod notion;
mod slack;
mod slack_oidc;
mod snapchat;
mod spotify;
mod twitch;
mod twitter;
mod workos;
mod x;
mod zoom;

use super::{Answer, Claims, Email, Failure, Profile};

pub(super) use bitbucket::bitbucket;
pub(super) use discord::discord;
pub(super) use facebook::facebook;
pub(super) use figma::figma;
pub(super) use fly::fly;
pub(super) use github::github;
pub(super) use gitlab::gitlab;
pub(super) use google::google;
pub(super) use kakao::kakao;
pub(super) use keycloak::keycloak;
pub(super) use linkedin::linkedin;
pub(super) use notion::notion;
pub(super) use slack::slack;
pub(super) use slack_oidc::slack_oidc;
pub(super) use snapchat::snapchat;
pub(super) use spotify::spotify;
pub(super) use twitch::twitch;
pub(super) use twitter::twitter;
pub(super) use workos::workos;
pub(super) use x::x;
pub(super) use zoom::zoom;

/// From what the provider's API answered, in the order it was asked; `issuer` is the API's address.
pub(super) type Read = fn(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure>;

/// The answer to the one question that is asked of most providers.
fn only<'a>(answers: &[Answer<'a>]) -> Result<Answer<'a>, Failure> {
    answers.first().copied().ok_or_else(nothing)
}

/// The answers to two questions.
fn both<'a>(answers: &[Answer<'a>]) -> Result<(Answer<'a>, Answer<'a>), Failure> {
    match answers {
        [one, other] => Ok((*one, *other)),
        _ => Err(nothing()),
    }
}

fn nothing() -> Failure {
    Failure::Answer("is missing".to_owned())
}

fn full_name(given: &str, family: &str) -> String {
    format!("{given} {family}").trim().to_owned()
}

/// For the table tests: the profile as JSON.
#[cfg(test)]
fn seen(read: Read, answers: &[serde_json::Value]) -> serde_json::Value {
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
