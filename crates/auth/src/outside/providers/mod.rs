//! Signing in with somebody else's account: OAuth 2.0, OpenID Connect, and OAuth 1.0a for Twitter.
//!
//! [`provider`] is a provider ready to be used: a row of [`table`] with the project's settings, or one that an administrator
//! has added ([`custom`]). It answers in three steps: where to send the browser, what its code is worth ([`exchange`]), and who
//! that is ([`profiles`] and [`id_token`], both as a [`Profile`]). What a profile means for the accounts here is decided by
//! [`linking`] and done by [`account`].

mod address;
mod answer;
mod claims;
mod custom;
mod exchange;
mod id_claims;
mod id_token;
mod identify;
mod issuers;
mod oauth1;
mod profiles;
mod provider;
mod table;

use std::time::Duration;

use gateway::HttpClient;

use crate::model::account::Metadata;

pub(crate) use address::check as check_address;
pub(crate) use answer::Answer;
pub(crate) use claims::Claims;
pub(crate) use exchange::Tokens;
#[cfg(test)]
pub(crate) use id_claims::APPLE;
pub(crate) use id_claims::{
    FACEBOOK, GOOGLE, KAKAO, SNAPCHAT, VERCEL, is_apple, is_azure, profile as profile_of_claims,
};
pub(crate) use id_token::{IdToken, issuer_of, verify as verify_id_token};
pub(crate) use issuers::{Issuers, Whereabouts, discover};
pub(crate) use provider::find;
pub(crate) use provider::{Provider, RESERVED, Sources, Unusable};
pub(crate) use table::PROVIDERS;

/// How long a provider may take for an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// An answer of theirs is read up to here, in bytes.
const MAX_ANSWER: usize = 1 << 20;

/// The ways to providers, and what is known of them. Cloning shares both.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    /// To those whom the operator has set up.
    pub(crate) own: HttpClient,
    /// To those whom administrators have added: never into our own network.
    guarded: HttpClient,
    pub(crate) issuers: Issuers,
}

/// An address that a provider knows somebody by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Email {
    pub(crate) address: String,
    /// Whether the provider vouches for it.
    pub(crate) verified: bool,
    /// Whether it is the one that counts.
    pub(crate) primary: bool,
}

/// Whom a provider has let in.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Profile {
    pub(crate) emails: Vec<Email>,
    pub(crate) claims: Claims,
}

impl Profile {
    /// With at most one address, which counts; an empty one is none.
    pub(crate) fn with_email(claims: Claims, address: &str, verified: bool) -> Self {
        let email = Email { address: address.to_owned(), verified, primary: true };
        let emails = if address.is_empty() { Vec::new() } else { vec![email] };
        Profile { emails, claims }
    }

    /// Writes into the claims which address counts: the primary one, or without one the last.
    pub(crate) fn settle_email(&mut self) {
        let counts = self.emails.iter().find(|email| email.primary).or(self.emails.last());
        match counts {
            Some(email) => self.claims.set_email(&email.address, email.verified),
            None => {
                let address = self.claims.text("email").to_owned();
                self.claims.set_email(&address, false);
            }
        }
    }

    /// The data of the identity that it makes.
    pub(crate) fn identity_data(&self) -> Metadata {
        self.claims.clone().into_identity_data()
    }
}

/// What a provider's answer lacks, or why there is none; for the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Failure {
    /// No answer at all.
    #[error("{0}")]
    Http(#[from] gateway::http_client::HttpError),
    /// Another status than 2xx.
    #[error("the provider answered with status {0}")]
    Status(u16),
    /// Not what it should be.
    #[error("the provider's answer {0}")]
    Answer(String),
}
