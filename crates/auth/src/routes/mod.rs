//! Every endpoint: one file each, one row each.

mod admin;
mod health;
mod invite;
mod jwks;
mod logout;
mod magiclink;
mod openid_configuration;
mod otp;
mod reauthenticate;
mod recover;
mod resend;
mod settings;
mod signup;
mod token;
mod user;
mod verify;

use actix_web::http::Method;
use gateway::Route;

pub(crate) use admin::{__path_generate_link, GenerateLinkBody};
pub(crate) use health::__path_health;
pub(crate) use invite::__path_invite;
pub(crate) use jwks::__path_jwks;
pub(crate) use logout::__path_logout;
pub(crate) use magiclink::__path_magiclink;
pub(crate) use openid_configuration::__path_openid_configuration;
pub(crate) use otp::__path_otp;
pub(crate) use reauthenticate::__path_reauthenticate;
pub(crate) use recover::__path_recover;
pub(crate) use resend::__path_resend;
pub(crate) use settings::__path_settings;
pub(crate) use signup::__path_signup;
pub(crate) use token::__path_token;
pub(crate) use user::{__path_get, __path_update};
pub(crate) use verify::{__path_follow, __path_verify};

/// Bodies are not longer than this, in bytes.
const BODY_LIMIT: usize = 1 << 20;

/// The route table, relative to where the service is mounted.
pub fn routes() -> Vec<Route> {
    let rows = vec![
        Route::new(Method::GET, "/health", health::health),
        Route::new(Method::GET, "/settings", settings::settings),
        Route::new(Method::GET, "/.well-known/jwks.json", jwks::jwks),
        Route::new(Method::GET, "/.well-known/openid-configuration", openid_configuration::openid_configuration),
        Route::new(Method::POST, "/signup", signup::signup),
        Route::new(Method::POST, "/token", token::token),
        Route::new(Method::POST, "/otp", otp::otp),
        Route::new(Method::POST, "/magiclink", magiclink::magiclink),
        Route::new(Method::POST, "/recover", recover::recover),
        Route::new(Method::POST, "/resend", resend::resend),
        Route::new(Method::GET, "/reauthenticate", reauthenticate::reauthenticate),
        Route::new(Method::GET, "/verify", verify::follow),
        Route::new(Method::POST, "/verify", verify::verify),
        Route::new(Method::GET, "/user", user::get),
        Route::new(Method::PUT, "/user", user::update),
        Route::new(Method::POST, "/logout", logout::logout),
        Route::new(Method::POST, "/invite", invite::invite),
        Route::new(Method::POST, "/admin/generate_link", admin::generate_link),
    ];
    rows.into_iter().map(|row| row.body_limit(BODY_LIMIT)).collect()
}
