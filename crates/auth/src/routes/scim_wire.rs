//! The wire format of SCIM 2.0 (RFC 7643 and 7644). As in GoTrue, only the discovery endpoints exist. They describe a server
//! without features: no users or groups, no authentication, nothing stored.
//!
//! Source: supabase/auth, `internal/api/scim`, and `internal/api/api.go` for the switch.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use gateway::{Refusal, Wire};
use serde::Serialize;
use serde_json::{Value, json};

use crate::error::AuthError;
use crate::routes::wire::{GoTrueWire, answer_to};
use crate::state::State;

/// The mount point, below the service.
pub(crate) const MOUNT: &str = "/scim/v2";

/// RFC 7644, section 3.1.
const MEDIA_TYPE: &str = "application/scim+json";

/// An answer in SCIM's media type.
pub(crate) fn respond(status: StatusCode, body: impl Serialize) -> HttpResponse {
    HttpResponse::build(status).content_type(MEDIA_TYPE).json(body)
}

/// An empty list of resources. Filters are refused (RFC 7644, section 4).
pub(crate) fn empty_list(request: &HttpRequest) -> HttpResponse {
    let mut names = url::form_urlencoded::parse(request.query_string().as_bytes()).map(|(name, _)| name);
    if names.any(|name| name == "filter") {
        return refused(StatusCode::FORBIDDEN, "Filtering is not supported on this endpoint");
    }
    respond(
        StatusCode::OK,
        json!({
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
            "totalResults": 0,
            "startIndex": 1,
            "itemsPerPage": 0,
            "Resources": [],
        }),
    )
}

/// Checks that SCIM is enabled.
///
/// # Errors
/// [`AuthError::ScimDisabled`].
pub(crate) fn check_enabled(state: &State) -> Result<(), AuthError> {
    if state.config.experimental.scim { Ok(()) } else { Err(AuthError::ScimDisabled) }
}

/// RFC 7644, section 3.12: the status is a string.
fn refused(status: StatusCode, detail: &str) -> HttpResponse {
    let body: Value = json!({
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:Error"],
        "detail": detail,
        "status": status.as_str(),
    });
    respond(status, body)
}

/// The gateway's refusals below [`MOUNT`]. While SCIM is disabled, every request there gets the same answer.
pub(crate) struct ScimWire;

impl Wire for ScimWire {
    fn refuse(&self, request: &HttpRequest, refusal: Refusal) -> HttpResponse {
        let state = request.app_data::<web::Data<State>>();
        if let Some(Err(off)) = state.map(|state| check_enabled(state)) {
            return answer_to(request, &off);
        }
        match refusal {
            Refusal::NotFound => refused(StatusCode::NOT_FOUND, "Endpoint or resource does not exist"),
            refusal => GoTrueWire.refuse(request, refusal),
        }
    }
}
