//! Our OAuth 2.1 server: clients, consent, and what clients may read about users.
//!
//! Source: RFC 6749 as OAuth 2.1 narrows it, RFC 7591, RFC 7636, OpenID Connect Core 1.0; supabase/auth,
//! `internal/api/oauthserver`.

mod app_origin;
mod authorization;
mod client;
mod credentials;
mod profile;
mod redirect;
mod registration;
mod token_request;
mod while_on;

pub(crate) use app_origin::AppOrigin;
pub(crate) use client::{ClientBody, Secret};
pub(crate) use credentials::authenticate;
pub(crate) use profile::{id_token, limited, user_info};
pub(crate) use redirect::with_query;
pub(crate) use registration::{RegisterBody, UpdateBody};
#[cfg(test)]
pub(crate) use token_request::ClientParams;
pub(crate) use token_request::{TokenParams, TokenRequest};
pub(crate) use while_on::WhileOn;
