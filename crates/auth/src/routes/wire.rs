//! The wire format of answers: two shapes of errors by API version, GoTrue's messages for the gateway's refusals, and
//! the headers that name user and session.

use std::future::{Ready, ready};

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{
    ALLOW, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER, TryIntoHeaderPair,
};
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest, HttpMessage, HttpRequest, HttpResponse, HttpResponseBuilder, ResponseError, web};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::NaiveDate;
use gateway::caller::bearer;
use gateway::events::Event;
use gateway::gate::Fault;
use gateway::{Authenticated, Refusal, RequestContext, TokenError, Wire};
use serde_json::{Map, Value, json};

use crate::error::{AuthError, Limited};
use crate::flows::fault_log::log;
use crate::model::trace::Trace;
use crate::routes::access_order;
use crate::state::State;

const API_VERSION: HeaderName = HeaderName::from_static("x-supabase-api-version");
const ERROR_CODE: HeaderName = HeaderName::from_static("x-sb-error-code");

/// The shape of errors that the client requests with `X-Supabase-Api-Version`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ApiVersion {
    /// `{code: <status>, error_code, msg}`
    Initial,
    /// `{code: <error code>, message}`, and the version in a header.
    V20240101,
}

impl ApiVersion {
    /// The newest version that is not after the date in the header; the oldest if the date is absent or invalid.
    fn of(headers: &HeaderMap) -> Self {
        let first = NaiveDate::from_ymd_opt(2024, 1, 1);
        let date = headers
            .get(API_VERSION)
            .and_then(|value| value.to_str().ok())
            .filter(|text| text.len() == 10)
            .and_then(|text| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok());
        if date.is_some() && date >= first { ApiVersion::V20240101 } else { ApiVersion::Initial }
    }
}

/// The answer to a failed request. `id` is the id of the request, under which the log explains a 5xx.
///
/// DEVIATION (more): `error_id` is also in the 2024-01-01 shape and beside errors raised by PostgreSQL, not only in the
/// oldest shape.
pub(crate) fn answer(error: &AuthError, version: ApiVersion, id: &str) -> HttpResponse {
    let mut status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut body = Map::new();
    let mut named = true;
    match (error, version) {
        (AuthError::OAuth(error), _) => {
            // RFC 6749 section 5.2, whatever the version.
            body.insert("error".to_owned(), json!(error.code()));
            body.insert("error_description".to_owned(), json!(error.message()));
            named = false;
        }
        (_, ApiVersion::V20240101) => {
            body.insert("code".to_owned(), json!(error.code()));
            body.insert("message".to_owned(), json!(error.message()));
            // GoTrue omits the header for this error.
            named = !matches!(error, AuthError::WeakPassword(_));
        }
        (_, ApiVersion::Initial) => {
            if let Some((own, own_body)) = raised_by_project(error) {
                status = own;
                body = own_body;
            } else {
                body.insert("code".to_owned(), json!(error.status()));
                body.insert("error_code".to_owned(), json!(error.code()));
                body.insert("msg".to_owned(), json!(error.message()));
            }
        }
    }
    if let AuthError::WeakPassword(weakness) = error {
        body.insert("weak_password".to_owned(), json!({ "reasons": weakness.reasons }));
    }
    if let AuthError::Hook(error) = error {
        named = error.is_named();
    }
    if error.fault().is_some() || matches!(error, AuthError::Hook(error) if error.status() >= 500) {
        body.insert("error_id".to_owned(), json!(id));
    }
    let mut response = HttpResponse::build(status);
    if named {
        response.insert_header((ERROR_CODE, error.code()));
    }
    if version == ApiVersion::V20240101 {
        response.insert_header((API_VERSION, "2024-01-01"));
    }
    // DEVIATION (more): every 429 has a `Retry-After` header; GoTrue states the time only in some messages.
    if let Some(seconds) = error.retry_after() {
        response.insert_header((RETRY_AFTER, seconds));
    }
    response.json(body)
}

/// Errors that the project's triggers raise on purpose reach the client, in the oldest shape only: `raise`, violated
/// constraints, and `PTxyz` with its own status.
///
/// Source: supabase/auth, `internal/utilities/postgres.go`.
fn raised_by_project(error: &AuthError) -> Option<(StatusCode, Map<String, Value>)> {
    let raised = error.fault()?.database()?;
    let status = match raised.code.as_str() {
        "P0001" | "23000" | "23001" | "23502" | "23503" | "23505" | "23514" | "23P01" => 500,
        code => code.strip_prefix("PT")?.parse().ok()?,
    };
    let mut body = Map::new();
    body.insert("code".to_owned(), json!(raised.code));
    body.insert("message".to_owned(), json!(raised.message));
    for (name, text) in [("hint", &raised.hint), ("detail", &raised.detail)] {
        if let Some(text) = text.as_ref().filter(|text| !text.is_empty()) {
            body.insert(name.to_owned(), json!(text));
        }
    }
    Some((StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), body))
}

impl ResponseError for AuthError {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// A placeholder: [`finish`] writes the answer, which depends on the request.
    fn error_response(&self) -> HttpResponse<BoxBody> {
        HttpResponse::new(self.status_code())
    }
}

impl FromRequest for Trace {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(request.extensions().get::<Trace>().cloned().unwrap_or_default()))
    }
}

/// Middleware of the whole service: writes [`AuthError`]s in the requested shape, logs their faults, and adds the
/// headers of [`Trace`].
///
/// # Errors
/// Errors of the inner service that are not [`AuthError`]s.
pub(crate) async fn finish<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let trace = Trace::default();
    request.extensions_mut().insert(trace.clone());
    let response = next.call(request).await?;
    let mut response = match response.response().error().and_then(|error| error.as_error::<AuthError>()) {
        Some(error) => {
            let request = response.request();
            let id = RequestContext::of(request).id;
            if let Some(state) = request.app_data::<web::Data<State>>() {
                log(state, error, &id);
                log_limit(state, error, &RequestContext::of(request));
            }
            let answer = answer(error, ApiVersion::of(request.headers()), &id);
            response.into_response(answer)
        }
        None => response.map_into_boxed_body(),
    };
    for (name, value) in trace.0.borrow().iter() {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(name.clone(), value);
        }
    }
    Ok(response)
}

/// Logs which limit a 429 exceeded.
fn log_limit(state: &State, error: &AuthError, context: &RequestContext) {
    let Some(class) = error.limit_class() else { return };
    state.events.emit(Event::RateLimited {
        request_id: &context.id,
        class,
        client_ip: context.client_ip,
        retry_after: error.retry_after().unwrap_or_default(),
    });
}

/// The gateway's refusals in GoTrue's words.
pub(crate) struct GoTrueWire;

impl Wire for GoTrueWire {
    fn refuse(&self, request: &HttpRequest, refusal: Refusal) -> HttpResponse {
        if matches!(refusal, Refusal::NotFound | Refusal::MethodNotAllowed(_))
            && let Some(error) = access_order::refusal(request)
        {
            return answer_to(request, &error);
        }
        let error = match refusal {
            Refusal::NotFound => {
                let header = (CONTENT_TYPE, "text/plain; charset=utf-8");
                return plain(HttpResponse::NotFound(), [header]).body("404 page not found\n");
            }
            Refusal::MethodNotAllowed(methods) => {
                let allowed = methods.into_iter().map(|method| (ALLOW, method.to_string()));
                return plain(HttpResponse::MethodNotAllowed(), allowed).finish();
            }
            refusal => in_our_words(request, refusal),
        };
        answer_to(request, &error)
    }
}

/// The answer to a request that failed before its handler.
pub(crate) fn answer_to(request: &HttpRequest, error: &AuthError) -> HttpResponse {
    answer(error, ApiVersion::of(request.headers()), &RequestContext::of(request).id)
}

/// The user of a request on a route that is open to anyone, for bodies that need one.
///
/// # Errors
/// As on a route that requires a user.
pub(crate) fn authenticated(request: &HttpRequest) -> Result<Authenticated, AuthError> {
    Authenticated::of(request).map_err(|refusal| in_our_words(request, refusal))
}

/// The gateway's refusal as a row of our table.
pub(crate) fn in_our_words(request: &HttpRequest, refusal: Refusal) -> AuthError {
    match refusal {
        // Not for a route that was found.
        Refusal::NotFound | Refusal::MethodNotAllowed(_) | Refusal::NoCredential => AuthError::NoAuthorization,
        Refusal::TooManyRequests { class, seconds } => AuthError::TooManyRequests(Limited { seconds, class }),
        Refusal::ApiKey => AuthError::BadApiKey,
        Refusal::SessionEnded => AuthError::SessionNotFound,
        Refusal::Token(_) if bearer(request.headers()).is_none_or(|token| token.contains(char::is_whitespace)) => {
            AuthError::NoAuthorization
        }
        Refusal::Token(error) => AuthError::BadJwt(in_gos_words(&error, bearer(request.headers()))),
        Refusal::Forbidden => AuthError::NotAdmin,
        Refusal::Subject if names_something(request) => AuthError::SubjectNotUuid,
        Refusal::Subject => AuthError::MissingSubject,
        Refusal::BodyTooLarge(limit) => AuthError::BodyTooLarge(limit),
        Refusal::BodyUnreadable => AuthError::BodyUnreadable,
        Refusal::BodyMalformed(reason) => AuthError::BadJson(reason),
        Refusal::Request(fault) => match fault {
            Fault::Slow => AuthError::RequestSlow,
            Fault::Busy => AuthError::NoMemory,
            Fault::LongTarget => AuthError::UrlTooLong,
            Fault::LongHead => AuthError::HeadersTooLarge,
            Fault::BareLineFeed | Fault::Head | Fault::Target | Fault::Length => {
                AuthError::RequestMalformed(fault.message())
            }
        },
    }
}

fn plain<H: TryIntoHeaderPair>(
    mut response: HttpResponseBuilder,
    headers: impl IntoIterator<Item = H>,
) -> HttpResponseBuilder {
    for header in headers {
        response.append_header(header);
    }
    response
}

/// True if the token has a `sub`.
fn names_something(request: &HttpRequest) -> bool {
    gateway::guard::found(request).is_ok_and(|caller| caller.claims.string("sub").is_some())
}

/// The unverified header of a token, only to describe what is wrong with it.
fn header_of(token: &str) -> Option<Value> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(token.split('.').next()?).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// The reason in the words of golang-jwt v5, which GoTrue uses.
///
/// DEVIATION (stricter): a token is refused if it was issued more than 30 seconds in the future, is longer than 16 KiB,
/// or has a `kid` that is not a string; GoTrue accepts it. The reason why a token cannot be parsed has our own wording.
fn in_gos_words(error: &TokenError, token: Option<&str>) -> String {
    match error {
        TokenError::Parts(_) => "token is malformed: token contains an invalid number of segments".to_owned(),
        TokenError::TooLong | TokenError::Header | TokenError::Claims | TokenError::ClaimType { .. } => {
            format!("token is malformed: {error}")
        }
        TokenError::Algorithm | TokenError::NoKey => {
            let header = token.and_then(header_of).unwrap_or_default();
            let part = |name: &str| header.get(name).and_then(Value::as_str).unwrap_or_default();
            match (part("alg"), part("kid")) {
                (algorithm, "") => format!("token signature is invalid: signing method {algorithm} is invalid"),
                (algorithm, kid) => format!(
                    "token is unverifiable: error while executing keyfunc: unrecognized JWT kid {kid} for algorithm {algorithm}"
                ),
            }
        }
        TokenError::Signature => "token signature is invalid: signature is invalid".to_owned(),
        TokenError::Expired => "token has invalid claims: token is expired".to_owned(),
        TokenError::NotYetValid => "token has invalid claims: token is not valid yet".to_owned(),
        TokenError::IssuedInFuture => "token has invalid claims: token used before issued".to_owned(),
        TokenError::Audience => "token has invalid claims: token has invalid audience".to_owned(),
        TokenError::NoSigningKey | TokenError::Signing(_) => error.to_string(),
    }
}
