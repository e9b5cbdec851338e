//! The origin check of the consent endpoints.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::ORIGIN;
use actix_web::{Error, FromRequest, HttpRequest, web};

use crate::error::{AuthError, OAuthServerError};
use crate::model::redirects;
use crate::state::State;

/// The request comes from an allowed origin of the app, or has no `Origin` header.
pub(crate) struct AppOrigin;

impl FromRequest for AppOrigin {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let state = request.app_data::<web::Data<State>>();
        let origin = request.headers().get(ORIGIN).map(|value| String::from_utf8_lossy(value.as_bytes()));
        let origin = origin.filter(|origin| !origin.is_empty());
        let is_ours = |origin: &str| state.is_some_and(|state| redirects::is_allowed(&state.config, origin));
        ready(match origin {
            Some(origin) if !is_ours(&origin) => Err(AuthError::OAuthServer(OAuthServerError::Origin).into()),
            _ => Ok(AppOrigin),
        })
    }
}
