//! Every endpoint: one file each, one row each.

mod health;
mod jwks;
mod logout;
mod openid_configuration;
mod settings;
mod signup;
mod token;
mod user;

use actix_web::http::Method;
use gateway::Route;

pub(crate) use health::__path_health;
pub(crate) use jwks::__path_jwks;
pub(crate) use logout::__path_logout;
pub(crate) use openid_configuration::__path_openid_configuration;
pub(crate) use settings::__path_settings;
pub(crate) use signup::__path_signup;
pub(crate) use token::__path_token;
pub(crate) use user::{__path_get, __path_update};

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
        Route::new(Method::GET, "/user", user::get),
        Route::new(Method::PUT, "/user", user::update),
        Route::new(Method::POST, "/logout", logout::logout),
    ];
    rows.into_iter().map(|row| row.body_limit(BODY_LIMIT)).collect()
}
