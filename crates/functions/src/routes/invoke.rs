//! `/functions/v1/<name>[/…]`

use actix_web::web::{Data, Path, Payload};
use actix_web::{HttpRequest, HttpResponse};

use crate::error::FunctionError;
use crate::flows::{Incoming, call, preflight, proxy};
use crate::guard::Invoker;
use crate::native;
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
    if let Some(native) = native::find(&path.name) {
        return call(&state, native, incoming).await;
    }
    match proxy(&state, &path.name, incoming).await {
        Err(error) if preflight::is_one(&request) => {
            tracing::debug!(event = "function_preflight", detail = %error);
            Ok(preflight::response(&request))
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
