//! `GET /authorize`

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web;
use gateway::Anyone;

use crate::error::AuthError;
use crate::flows::external;
use crate::model::requester::Requester;
use crate::state::State;

/// Redirects the browser to an external provider. Other parameters of the query are passed on to it.
#[utoipa::path(get, path = "/authorize", tag = "external",
    params(("provider" = String, Query), ("scopes" = Option<String>, Query), ("redirect_to" = Option<String>, Query),
        ("invite_token" = Option<String>, Query), ("code_challenge" = Option<String>, Query),
        ("code_challenge_method" = Option<String>, Query)),
    responses((status = 302), (status = 400), (status = 404)))]
pub(crate) async fn authorize_external(
    _: Anyone,
    state: web::Data<State>,
    requester: Requester,
) -> Result<HttpResponse, AuthError> {
    let target = external::authorization_url(&state, &requester, None).await?;
    Ok(HttpResponse::Found().insert_header((LOCATION, target)).finish())
}
