//! Cross-origin requests as PostgREST answers them, for a data API without the other services.

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpResponse, web};

use crate::Rest;

const METHODS: &str = "GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD";
const EXPOSED: &str = "Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, \
     Transfer-Encoding, Range-Unit";
/// How long browsers may cache a preflight, in seconds.
const MAX_AGE: &str = "86400";

/// Middleware that answers preflights and adds headers to responses. A request from an unknown origin is served without
/// these headers, so that only browsers refuse it.
pub(crate) async fn answer<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let config = request.app_data::<web::Data<Rest>>().map(|rest| rest.config());
    // An empty list allows all origins, without credentials.
    let allowed = config.as_ref().map_or(&[][..], |config| &config.server_cors_allowed_origins);
    let marks = marks(request.headers(), allowed);
    let wanted = request.headers().get(header::ACCESS_CONTROL_REQUEST_METHOD);
    let is_preflight = *request.method() == Method::OPTIONS
        && wanted
            .and_then(|method| method.to_str().ok())
            .is_some_and(|method| METHODS.split(", ").any(|m| m == method));
    if is_preflight && !marks.is_empty() {
        let asked = request.headers().get(header::ACCESS_CONTROL_REQUEST_HEADERS);
        let mut response = HttpResponse::Ok();
        response.insert_header((header::ACCESS_CONTROL_ALLOW_METHODS, METHODS));
        response.insert_header((header::ACCESS_CONTROL_ALLOW_HEADERS, allowed_headers(asked)));
        response.insert_header((header::ACCESS_CONTROL_MAX_AGE, MAX_AGE));
        let mut response = request.into_response(response.finish());
        set(response.headers_mut(), marks);
        return Ok(response.map_into_right_body());
    }
    let is_options = *request.method() == Method::OPTIONS;
    let mut response = next.call(request).await?;
    if !is_options && !marks.is_empty() {
        set(response.headers_mut(), marks);
        response.headers_mut().insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
    }
    Ok(response.map_into_left_body())
}

type Marks = Vec<(HeaderName, HeaderValue)>;

/// The headers that let the request's origin read the response; none if it may not, or if the request has no origin.
fn marks(headers: &HeaderMap, allowed: &[String]) -> Marks {
    let Some(origin) = headers.get(header::ORIGIN) else { return Vec::new() };
    if allowed.is_empty() {
        return vec![(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"))];
    }
    if !allowed.iter().any(|name| name.as_bytes() == origin.as_bytes()) {
        return Vec::new();
    }
    vec![
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone()),
        (header::ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true")),
    ]
}

fn set(headers: &mut HeaderMap, marks: Marks) {
    for (name, value) in marks {
        headers.insert(name, value);
    }
}

/// The requested headers, between those that are always allowed.
fn allowed_headers(asked: Option<&HeaderValue>) -> String {
    let asked = asked.and_then(|value| value.to_str().ok()).unwrap_or_default();
    let asked = asked.split(',').map(str::trim).filter(|name| !name.is_empty());
    let all = std::iter::once("Authorization").chain(asked).chain(["Accept", "Accept-Language", "Content-Language"]);
    all.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_all_or_those_named() {
        let marks_of = |origin: &'static str, allowed: &[&str]| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            let allowed: Vec<String> = allowed.iter().map(|name| (*name).to_owned()).collect();
            marks(&headers, &allowed)
                .into_iter()
                .map(|(_, value)| value.to_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(marks_of("http://a.test", &[]), ["*"]);
        assert_eq!(marks_of("http://a.test", &["http://a.test"]), ["http://a.test", "true"]);
        assert!(marks_of("http://b.test", &["http://a.test"]).is_empty());
    }

    #[test]
    fn asked_headers_are_allowed() {
        let asked = HeaderValue::from_static("Foo,Bar");
        assert_eq!(allowed_headers(Some(&asked)), "Authorization, Foo, Bar, Accept, Accept-Language, Content-Language");
    }
}
