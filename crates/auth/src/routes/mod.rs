//! All endpoints: one file each, one row each.

pub(crate) mod access_order;
mod admin;
mod authorize;
mod callback;
mod factors;
mod first_party;
mod health;
mod invite;
mod jwks;
mod logout;
mod magiclink;
mod oauth;
mod oauth_authorization_server;
pub(crate) mod openapi;
mod openid_configuration;
mod otp;
mod passkeys;
mod reauthenticate;
mod recover;
mod requester;
mod resend;
mod scim;
pub(crate) mod scim_wire;
mod settings;
mod signup;
mod sso;
mod token;
mod user;
mod verify;
pub(crate) mod wire;

use std::future::Future;
use std::time::Duration;

use actix_web::http::Method;
use actix_web::{FromRequest, Handler, HttpRequest, Responder, web};
use gateway::Route;
use gateway::route::Guarded;

use crate::error::AuthError;
use crate::flows::limits::{self, Bucket, Limit};
use crate::state::State;

pub(crate) use admin::{
    __path_audit_log, __path_change_user, __path_create_custom_provider, __path_create_oauth_client,
    __path_create_sso_provider, __path_create_user, __path_delete_custom_provider, __path_delete_factor,
    __path_delete_oauth_client, __path_delete_passkey, __path_delete_sso_provider, __path_delete_user,
    __path_generate_link, __path_get_custom_provider, __path_get_oauth_client, __path_get_sso_provider,
    __path_list_custom_providers, __path_list_factors, __path_list_oauth_clients, __path_list_passkeys,
    __path_list_sso_providers, __path_list_users, __path_regenerate_oauth_client_secret, __path_show_user,
    __path_update_custom_provider, __path_update_factor, __path_update_oauth_client, __path_update_sso_provider,
    GenerateLinkBody,
};
pub(crate) use authorize::__path_authorize_external;
pub(crate) use callback::{__path_callback, __path_callback_post};
pub(crate) use factors::{__path_challenge, __path_enroll, __path_unenroll, __path_verify as __path_verify_factor};
pub(crate) use health::__path_health;
pub(crate) use invite::__path_invite;
pub(crate) use jwks::__path_jwks;
pub(crate) use logout::__path_logout;
pub(crate) use magiclink::__path_magiclink;
pub(crate) use oauth::{
    __path_authorization, __path_authorize, __path_clients_register, __path_consent, __path_oauth_token,
    __path_userinfo,
};
pub(crate) use oauth_authorization_server::__path_oauth_authorization_server;
pub(crate) use openid_configuration::__path_openid_configuration;
pub(crate) use otp::__path_otp;
pub(crate) use passkeys::{
    __path_authentication_options, __path_authentication_verify, __path_delete, __path_list,
    __path_registration_options, __path_registration_verify, __path_rename,
};
pub(crate) use reauthenticate::__path_reauthenticate;
pub(crate) use recover::__path_recover;
pub(crate) use resend::__path_resend;
pub(crate) use scim::{__path_resource_types, __path_schemas, __path_service_provider_config};
pub(crate) use settings::__path_settings;
pub(crate) use signup::__path_signup;
pub(crate) use sso::{__path_saml_acs, __path_saml_metadata, __path_sso};
pub(crate) use token::__path_token;
pub(crate) use user::{__path_authorize_identity, __path_delete_identity, __path_get, __path_update};
pub(crate) use user::{__path_oauth_grants, __path_revoke_oauth_grant};
pub(crate) use verify::{__path_follow, __path_verify};

/// Maximum size of a body, in bytes.
const BODY_LIMIT: usize = 1 << 20;

/// The route table, relative to the service's mount point. A row without a rate limit does not compile.
pub(crate) fn routes() -> Vec<Route> {
    let mut rows = vec![
        row(Method::GET, "/health", Limit::None, health::health),
        row(Method::GET, "/settings", Limit::None, settings::settings),
        row(Method::GET, "/.well-known/jwks.json", Limit::None, jwks::jwks),
        row(Method::GET, "/.well-known/openid-configuration", Limit::None, openid_configuration::openid_configuration),
        row(Method::POST, "/signup", Limit::InHandler, signup::signup),
        row(Method::POST, "/token", Limit::InHandler, token::token),
        row(Method::POST, "/otp", Limit::By(Bucket::Otp), otp::otp),
        row(Method::POST, "/magiclink", Limit::By(Bucket::MagicLink), magiclink::magiclink),
        row(Method::POST, "/recover", Limit::By(Bucket::Recover), recover::recover),
        row(Method::POST, "/resend", Limit::By(Bucket::Resend), resend::resend),
        row(Method::GET, "/reauthenticate", Limit::None, reauthenticate::reauthenticate),
        row(Method::GET, "/verify", Limit::By(Bucket::Verify), verify::follow),
        row(Method::POST, "/verify", Limit::By(Bucket::Verify), verify::verify),
        row(Method::GET, "/user", Limit::None, user::get),
        row(Method::PUT, "/user", Limit::By(Bucket::User), user::update),
        row(Method::GET, "/user/identities/authorize", Limit::None, user::authorize_identity),
        row(Method::DELETE, "/user/identities/{identity_id}", Limit::None, user::delete_identity),
        row(Method::GET, "/authorize", Limit::None, authorize::authorize_external),
        row(Method::GET, "/callback", Limit::None, callback::callback),
        row(Method::POST, "/callback", Limit::None, callback::callback_post),
        row(Method::POST, "/logout", Limit::None, logout::logout),
        row(Method::POST, "/invite", Limit::None, invite::invite),
        row(Method::POST, "/admin/generate_link", Limit::None, admin::generate_link),
        row(Method::GET, "/admin/users", Limit::None, admin::list_users),
        row(Method::POST, "/admin/users", Limit::None, admin::create_user),
        row(Method::GET, "/admin/users/{user_id}", Limit::None, admin::show_user),
        row(Method::PUT, "/admin/users/{user_id}", Limit::None, admin::change_user),
        row(Method::DELETE, "/admin/users/{user_id}", Limit::None, admin::delete_user),
        row(Method::GET, "/admin/audit", Limit::None, admin::audit_log),
        row(Method::GET, "/admin/custom-providers", Limit::None, admin::list_custom_providers),
        row(Method::POST, "/admin/custom-providers", Limit::None, admin::create_custom_provider),
        row(Method::GET, "/admin/custom-providers/{identifier}", Limit::None, admin::get_custom_provider),
        row(Method::PUT, "/admin/custom-providers/{identifier}", Limit::None, admin::update_custom_provider),
        row(Method::DELETE, "/admin/custom-providers/{identifier}", Limit::None, admin::delete_custom_provider),
    ];
    rows.extend(second_factors_and_passkeys());
    rows.extend(oauth_server());
    rows.extend(single_sign_on());
    finished(rows)
}

/// The route table of SCIM, relative to its mount point.
pub(crate) fn scim_routes() -> Vec<Route> {
    finished(vec![
        row(Method::GET, "/ServiceProviderConfig", Limit::None, scim::service_provider_config),
        row(Method::GET, "/ResourceTypes", Limit::None, scim::resource_types),
        row(Method::GET, "/Schemas", Limit::None, scim::schemas),
    ])
}

/// Adds the limits of size and time that all rows have.
fn finished(rows: Vec<Row>) -> Vec<Route> {
    let time = |request: &HttpRequest| {
        let state = request.app_data::<web::Data<State>>();
        state.map_or(Duration::MAX, |state| state.config.max_request_duration)
    };
    let in_time = |route: Route| route.within(time, || AuthError::RequestTimeout);
    rows.into_iter().map(|Row(route)| in_time(route.body_limit(BODY_LIMIT))).collect()
}

/// The OAuth server's metadata, for the mount point that has nothing else.
pub(crate) fn metadata() -> Vec<Route> {
    let Row(route) = row(Method::GET, "", Limit::None, oauth_authorization_server::oauth_authorization_server);
    vec![route.body_limit(BODY_LIMIT)]
}

/// A route with a rate limit; only `row` can create one.
struct Row(Route);

fn row<H, Args>(method: Method, path: &'static str, limit: Limit, handler: H) -> Row
where
    H: Handler<Args>,
    H::Output: Responder + 'static,
    <H as Handler<Args>>::Future: Future,
    Args: FromRequest + Guarded + 'static,
{
    let route = Route::new(method, path, handler);
    Row(match limit {
        Limit::None | Limit::InHandler => route.named_check(limit.name()),
        Limit::By(bucket) => route.checked(limit.name(), move |request| limits::check(bucket, request)),
    })
}

/// Second factors and passkeys.
fn second_factors_and_passkeys() -> Vec<Row> {
    const FACTOR: &str = "/admin/users/{user_id}/factors/{factor_id}";
    vec![
        row(Method::POST, "/factors", Limit::None, factors::enroll),
        row(Method::POST, "/factors/{factor_id}/challenge", Limit::By(Bucket::FactorChallenge), factors::challenge),
        row(Method::POST, "/factors/{factor_id}/verify", Limit::By(Bucket::FactorVerify), factors::verify),
        row(Method::DELETE, "/factors/{factor_id}", Limit::None, factors::unenroll),
        row(Method::GET, "/passkeys", Limit::None, passkeys::list),
        row(Method::POST, "/passkeys/registration/options", Limit::None, passkeys::registration_options),
        row(Method::POST, "/passkeys/registration/verify", Limit::None, passkeys::registration_verify),
        row(
            Method::POST,
            "/passkeys/authentication/options",
            Limit::By(Bucket::PasskeyAuthentication),
            passkeys::authentication_options,
        ),
        row(Method::POST, "/passkeys/authentication/verify", Limit::None, passkeys::authentication_verify),
        row(Method::PATCH, "/passkeys/{passkey_id}", Limit::None, passkeys::rename),
        row(Method::DELETE, "/passkeys/{passkey_id}", Limit::None, passkeys::delete),
        row(Method::GET, "/admin/users/{user_id}/factors", Limit::None, admin::list_factors),
        row(Method::PUT, FACTOR, Limit::None, admin::update_factor),
        row(Method::DELETE, FACTOR, Limit::None, admin::delete_factor),
        row(Method::GET, "/admin/users/{user_id}/passkeys", Limit::None, admin::list_passkeys),
        row(Method::DELETE, "/admin/users/{user_id}/passkeys/{passkey_id}", Limit::None, admin::delete_passkey),
    ]
}

/// The OAuth server's routes, which are also mounted while it is disabled.
fn oauth_server() -> Vec<Row> {
    const METADATA: &str = "/.well-known/oauth-authorization-server";
    const CLIENT: &str = "/admin/oauth/clients/{client_id}";
    const AUTHORIZATION: &str = "/oauth/authorizations/{authorization_id}";
    vec![
        row(Method::GET, METADATA, Limit::None, oauth_authorization_server::oauth_authorization_server),
        row(Method::GET, "/oauth/authorize", Limit::None, oauth::authorize),
        row(Method::GET, AUTHORIZATION, Limit::None, oauth::authorization),
        row(Method::POST, "/oauth/authorizations/{authorization_id}/consent", Limit::None, oauth::consent),
        row(Method::POST, "/oauth/token", Limit::None, oauth::oauth_token),
        row(Method::GET, "/oauth/userinfo", Limit::None, oauth::userinfo),
        row(Method::POST, "/oauth/clients/register", Limit::By(Bucket::OauthClientRegister), oauth::clients_register),
        row(Method::GET, "/user/oauth/grants", Limit::None, user::oauth_grants),
        row(Method::DELETE, "/user/oauth/grants", Limit::None, user::revoke_oauth_grant),
        row(Method::GET, "/admin/oauth/clients", Limit::None, admin::list_oauth_clients),
        row(Method::POST, "/admin/oauth/clients", Limit::None, admin::create_oauth_client),
        row(Method::GET, CLIENT, Limit::None, admin::get_oauth_client),
        row(Method::PUT, CLIENT, Limit::None, admin::update_oauth_client),
        row(Method::DELETE, CLIENT, Limit::None, admin::delete_oauth_client),
        row(
            Method::POST,
            "/admin/oauth/clients/{client_id}/regenerate_secret",
            Limit::None,
            admin::regenerate_oauth_client_secret,
        ),
    ]
}

/// Single sign-on by SAML.
fn single_sign_on() -> Vec<Row> {
    const SSO_PROVIDER: &str = "/admin/sso/providers/{provider}";
    vec![
        row(Method::GET, "/admin/sso/providers", Limit::None, admin::list_sso_providers),
        row(Method::POST, "/admin/sso/providers", Limit::None, admin::create_sso_provider),
        row(Method::GET, SSO_PROVIDER, Limit::None, admin::get_sso_provider),
        row(Method::PUT, SSO_PROVIDER, Limit::None, admin::update_sso_provider),
        row(Method::DELETE, SSO_PROVIDER, Limit::None, admin::delete_sso_provider),
        row(Method::POST, "/sso", Limit::By(Bucket::Sso), sso::sso),
        row(Method::GET, "/sso/saml/metadata", Limit::None, sso::saml_metadata),
        row(Method::POST, "/sso/saml/acs", Limit::By(Bucket::SamlAssertion), sso::saml_acs),
    ]
}
