//! `GET /user/identities/authorize`

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web;
use serde_json::json;

use super::allowed;
use crate::error::AuthError;
use crate::flows::external;
use crate::flows::first_party::FirstParty;
use crate::flows::sessions::current;
use crate::model::requester::Requester;
use crate::state::State;

/// Redirects the browser to an external provider, to link an identity to the user. With `skip_http_redirect=true` the
/// answer contains the URL instead.
#[utoipa::path(get, path = "/user/identities/authorize", tag = "external", security(("user" = [])),
    params(("provider" = String, Query), ("scopes" = Option<String>, Query), ("redirect_to" = Option<String>, Query),
        ("skip_http_redirect" = Option<bool>, Query), ("code_challenge" = Option<String>, Query),
        ("code_challenge_method" = Option<String>, Query)),
    responses((status = 200, body = Object), (status = 302), (status = 400), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn authorize_identity(
    who: FirstParty,
    state: web::Data<State>,
    requester: Requester,
) -> Result<HttpResponse, AuthError> {
    let user = current(&state, &who).await?.user;
    allowed(&state)?;
    let target = external::authorization_url(&state, &requester, Some(user.id)).await?;
    Ok(match requester.parameter("skip_http_redirect").as_str() {
        "true" => HttpResponse::Ok().json(json!({ "url": target })),
        _ => HttpResponse::Found().insert_header((LOCATION, target)).finish(),
    })
}
