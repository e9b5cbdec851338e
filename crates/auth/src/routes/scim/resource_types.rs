//! `GET /scim/v2/ResourceTypes`

use actix_web::{HttpRequest, HttpResponse, web};
use gateway::Anyone;

use crate::error::AuthError;
use crate::routes::scim_wire;
use crate::state::State;

/// The supported resource types: none.
#[utoipa::path(get, path = "/scim/v2/ResourceTypes", tag = "scim",
    responses((status = 200, description = "An empty list", content_type = "application/scim+json", body = Object),
        (status = 403), (status = 404)))]
pub(crate) async fn resource_types(
    _: Anyone,
    request: HttpRequest,
    state: web::Data<State>,
) -> Result<HttpResponse, AuthError> {
    scim_wire::check_enabled(&state)?;
    Ok(scim_wire::empty_list(&request))
}
