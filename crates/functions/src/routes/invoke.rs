//! `/functions/v1/<name>[/…]`

use actix_web::http::Method;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD,
};
use actix_web::web::{Data, Path, Payload};
use actix_web::{HttpRequest, HttpResponse};

use crate::error::FunctionError;
use crate::flows::{Incoming, proxy};
use crate::guard::Invoker;
use crate::state::State;

/// Passes a request to a function. The function sees the path from its own name on, as in Supabase.
pub(super) async fn invoke(
    invoker: Invoker,
    request: HttpRequest,
    state: Data<State>,
    path: Path<Name>,
    payload: Payload,
) -> Result<HttpResponse, FunctionError> {
    let incoming = Incoming {
        request: &request,
        payload: payload.into_inner(),
        target: target(&request),
        authorization: invoker.authorization,
    };
    match proxy(&state, &path.name, incoming).await {
        Err(error) if is_preflight(&request) => {
            tracing::debug!(event = "function_preflight", detail = %error);
            Ok(preflight(&request))
        }
        answered => answered,
    }
}

/// The first part of the path.
#[derive(serde::Deserialize)]
pub(super) struct Name {
    name: String,
}

/// The path and the query without the place that the service is mounted at.
fn target(request: &HttpRequest) -> String {
    let full = request.uri().path_and_query().map_or("/", |target| target.as_str());
    let mount = request.app_data::<Data<State>>().map_or("", |state| state.0.mount);
    full.strip_prefix(mount).filter(|rest| rest.starts_with('/')).unwrap_or(full).to_owned()
}

fn is_preflight(request: &HttpRequest) -> bool {
    request.method() == Method::OPTIONS && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// DEVIATION (more): the preflight for a function that cannot answer it is allowed, so that a page sees the error of the request.
fn preflight(request: &HttpRequest) -> HttpResponse {
    let mut response = HttpResponse::NoContent();
    response.insert_header((ACCESS_CONTROL_ALLOW_ORIGIN, "*"));
    for (asked, allowed) in [
        (ACCESS_CONTROL_REQUEST_METHOD, ACCESS_CONTROL_ALLOW_METHODS),
        (ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_ALLOW_HEADERS),
    ] {
        if let Some(value) = request.headers().get(asked) {
            response.insert_header((allowed, value.clone()));
        }
    }
    response.finish()
}
