//! `GET /scim/v2/ServiceProviderConfig`

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use gateway::Anyone;
use serde_json::json;

use crate::error::AuthError;
use crate::routes::scim_wire::{self, MOUNT};
use crate::state::State;

/// The SCIM features of this server (RFC 7643, section 5).
#[utoipa::path(get, path = "/scim/v2/ServiceProviderConfig", tag = "scim",
    responses((status = 200, description = "The features", content_type = "application/scim+json", body = Object),
        (status = 404)))]
pub(crate) async fn service_provider_config(_: Anyone, state: web::Data<State>) -> Result<HttpResponse, AuthError> {
    scim_wire::check_enabled(&state)?;
    let no = json!({ "supported": false });
    let config = json!({
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
        "patch": no,
        "bulk": { "supported": false, "maxOperations": 0, "maxPayloadSize": 0 },
        "filter": { "supported": false, "maxResults": 0 },
        "changePassword": no,
        "sort": no,
        "etag": no,
        "authenticationSchemes": [{
            "type": "oauthbearertoken",
            "name": "OAuth Bearer Token",
            "description": "Authentication scheme using the OAuth Bearer Token Standard",
            "specUri": "http://www.rfc-editor.org/info/rfc6750",
            "primary": true,
        }],
        "meta": {
            "resourceType": "ServiceProviderConfig",
            "location": state.config.external_url.join(&format!("{MOUNT}/ServiceProviderConfig")),
        },
    });
    Ok(scim_wire::respond(StatusCode::OK, config))
}
