//! Preflights: a function answers its own, the server those that no function answers.

use actix_web::http::Method;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, HeaderMap, HeaderValue,
};
use actix_web::{HttpRequest, HttpResponse};

/// True for the preflight of a request of another origin.
pub(crate) fn is_one(request: &HttpRequest) -> bool {
    request.method() == Method::OPTIONS && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// The headers that a preflight asks for.
pub(super) fn asked_headers(request: &HttpRequest) -> Option<HeaderValue> {
    request.headers().get(ACCESS_CONTROL_REQUEST_HEADERS).filter(|_| is_one(request)).cloned()
}

/// Adds the headers that a preflight asks for to those that the function allows, if it allows the origin.
///
/// DEVIATION (more): a function that lists the headers of an older client goes on working with a newer one. The gateway of
/// `supabase start` answers preflights alone; the hosted one passes the function's answer on unchanged.
pub(super) fn allow(headers: &mut HeaderMap, asked: &HeaderValue) {
    if !headers.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN) {
        return;
    }
    let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let allowed = headers.get(ACCESS_CONTROL_ALLOW_HEADERS).map(text).unwrap_or_default();
    let is_allowed =
        |name: &str| allowed.split(',').any(|own| own.trim() == "*" || own.trim().eq_ignore_ascii_case(name));
    let asked = text(asked);
    let missing = asked.split(',').map(str::trim).filter(|name| !name.is_empty() && !is_allowed(name));
    let all: Vec<&str> =
        Some(allowed.as_str()).filter(|allowed| !allowed.is_empty()).into_iter().chain(missing).collect();
    if let Ok(all) = HeaderValue::from_str(&all.join(", ")) {
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, all);
    }
}

/// DEVIATION (more): the preflight for a function that cannot answer it is allowed, so that a page sees the error of the request.
pub(crate) fn response(request: &HttpRequest) -> HttpResponse {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_added_for_allowed_origins_only() {
        for (origin, allowed, asked, found) in [
            (true, Some("apikey, X-Own"), "x-own, x-new", "apikey, X-Own, x-new"),
            (true, Some("apikey"), "apikey", "apikey"),
            (true, Some("*"), "x-new", "*"),
            (true, None, "x-new, x-other", "x-new, x-other"),
            (false, Some("apikey"), "x-new", "apikey"),
        ] {
            let mut headers = HeaderMap::new();
            if origin {
                headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            }
            if let Some(allowed) = allowed {
                headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(allowed));
            }
            allow(&mut headers, &HeaderValue::from_static(asked));
            assert_eq!(headers.get(ACCESS_CONTROL_ALLOW_HEADERS).unwrap(), found, "{allowed:?} {asked}");
        }
    }
}
