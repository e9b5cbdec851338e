//! Access log lines, depending on the log level, and the headers of every response.
//!
//! Source: PostgREST `Logger/Apache.hs`: Apache's combined format with the database role as user.

use std::fmt::Write;
use std::panic::AssertUnwindSafe;

use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Version;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse, web};
use futures_util::FutureExt;
use gateway::caller::Found;

use super::log::{Line, Log};
use crate::{Rest, UPSTREAM_VERSION};

/// Middleware that writes the line. It runs inside [`gateway::caller::resolve`], which provides the role, and inside
/// CORS, because upstream does not log preflights. A panic only ends its own request.
pub(super) async fn observe<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let log = request.app_data::<web::Data<Log>>().cloned();
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let answered = AssertUnwindSafe(next.call(request)).catch_unwind().await.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied().map(str::to_owned);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        tracing::error!(event = "fault", detail = format!("panic in {method} {}: {text}", uri.path()));
        let response = HttpResponse::InternalServerError().finish();
        Err(actix_web::error::InternalError::from_response("panic", response).into())
    });
    if let (Some(log), Ok(response)) = (log, &answered)
        && log.wants(response.status().as_u16())
    {
        log.write(Line::Access(line(response.request(), response.response())));
    }
    answered
}

fn line<B: MessageBody>(request: &HttpRequest, response: &HttpResponse<B>) -> String {
    let length = match response.body().size() {
        BodySize::Sized(bytes) => Some(bytes),
        BodySize::None | BodySize::Stream => None,
    };
    let extensions = request.extensions();
    let caller = extensions.get::<Found>().and_then(|found| found.caller.as_ref().ok());
    let header = |name: HeaderName| request.headers().get(name).map(|value| printable(value.as_bytes()));
    let peer = request.peer_addr().map_or_else(|| "-".to_owned(), |address| address.ip().to_string());
    let version = match request.version() {
        Version::HTTP_10 => "HTTP/1.0",
        Version::HTTP_2 => "HTTP/2.0",
        _ => "HTTP/1.1",
    };
    let mut line = String::with_capacity(160);
    // Writing to a String cannot fail.
    let _ = write!(
        line,
        "{peer} - {} [{}] \"{} {} {version}\" {} {} \"{}\" \"{}\"",
        caller.map_or("-", |caller| &caller.role),
        super::log::now(),
        request.method(),
        printable(request.uri().path_and_query().map_or("/", |target| target.as_str()).as_bytes()),
        response.status().as_u16(),
        length.map_or_else(|| "-".to_owned(), |bytes| bytes.to_string()),
        header(header::REFERER).unwrap_or_default(),
        header(header::USER_AGENT).unwrap_or_default(),
    );
    line
}

/// Escapes line breaks, so that clients cannot forge lines.
fn printable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// Middleware that adds the headers of every response: the server's name, and the trace header of the request.
pub(super) async fn sign<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let rest = request.app_data::<web::Data<Rest>>().cloned();
    let trace = rest.and_then(|rest| rest.config().server_trace_header.clone());
    let trace = trace.and_then(|name| {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        let value = request.headers().get(&name).cloned().unwrap_or(HeaderValue::from_static(""));
        Some((name, value))
    });
    let finish = |headers: &mut HeaderMap| {
        let agent = HeaderValue::from_str(&format!("postgrest/{UPSTREAM_VERSION}"));
        if let Ok(agent) = agent {
            headers.insert(header::SERVER, agent);
        }
        if let Some((name, value)) = trace {
            headers.insert(name, value);
        }
    };
    match next.call(request).await {
        Ok(mut response) => {
            finish(response.headers_mut());
            Ok(response)
        }
        Err(error) => {
            let mut response = error.error_response();
            finish(response.headers_mut());
            Err(actix_web::error::InternalError::from_response("refused", response).into())
        }
    }
}
