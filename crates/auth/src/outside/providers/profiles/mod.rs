//! Maps each provider's own answer to a [`Profile`]. Pure functions, one file per provider.
//!
//! Source of the shapes: the providers' documentation, named in each file; source of the mapping: supabase/auth,
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
mod reading;
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

pub(super) use reading::Read;
#[cfg(test)]
use reading::seen;
use reading::{both, full_name, only};
