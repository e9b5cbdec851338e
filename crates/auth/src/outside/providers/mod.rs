//! Sign-in with external providers: OAuth 2.0, OpenID Connect, and OAuth 1.0a for Twitter.
//!
//! [`provider`] is a configured provider: a row of [`table`] with the project's settings, or one that an administrator
//! has added ([`custom`]). It provides three steps: the authorization URL, the exchange of the code ([`exchange`]), and
//! the user's profile ([`profiles`] and [`id_token`], both as a [`Profile`]). `flows::external` then maps the profile
//! to an account.

mod address;
mod answer;
mod claims;
mod custom;
mod exchange;
mod failure;
mod id_claims;
mod id_token;
mod identify;
mod issuers;
mod network;
mod oauth1;
mod profile;
mod profiles;
mod provider;
mod table;

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

pub(crate) use network::Network;
use network::{MAX_ANSWER, PATIENCE};

pub(crate) use profile::{Email, Profile};

pub(crate) use failure::Failure;
