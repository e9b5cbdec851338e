//! The headers of a request, as row policies read them.

use actix_web::HttpRequest;
use serde_json::{Map, Value};

/// All headers for which `wanted` is true, as JSON.
pub(super) fn of(request: &HttpRequest, wanted: impl Fn(&str) -> bool) -> String {
    let headers = request.headers().iter().filter(|(name, _)| wanted(name.as_str()));
    let fields = headers.filter_map(|(name, value)| Some((name.to_string(), Value::from(value.to_str().ok()?))));
    Value::Object(fields.collect::<Map<String, Value>>()).to_string()
}
