//! Request bodies, read up to a limit.

use actix_web::HttpRequest;
use actix_web::dev::Payload;
use actix_web::web::{Bytes, BytesMut};
use futures_util::StreamExt;

use crate::wire::Refusal;

/// The limit of a route that names none, in bytes.
pub const DEFAULT_LIMIT: usize = 1024 * 1024;

/// The limits of the methods of one path, as app data of its resource.
#[derive(Clone, Debug)]
pub struct BodyLimits(pub Vec<(actix_web::http::Method, usize)>);

/// The limit of the request's route, in bytes.
pub fn limit(request: &HttpRequest) -> usize {
    let of_method =
        |limits: &BodyLimits| limits.0.iter().find(|(method, _)| method == request.method()).map(|(_, limit)| *limit);
    request.app_data::<BodyLimits>().and_then(of_method).unwrap_or(DEFAULT_LIMIT)
}

/// Reads the whole body. A declared length over the limit is refused before a byte is read.
///
/// # Errors
/// [`Refusal::BodyTooLarge`] and [`Refusal::BodyUnreadable`].
pub async fn read(request: &HttpRequest, payload: &mut Payload) -> Result<Bytes, Refusal> {
    let limit = limit(request);
    let declared = request
        .headers()
        .get(actix_web::http::header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<usize>().ok());
    if declared.is_some_and(|length| length > limit) {
        return Err(Refusal::BodyTooLarge(limit));
    }
    let mut body = BytesMut::with_capacity(declared.unwrap_or_default());
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|_| Refusal::BodyUnreadable)?;
        if body.len() + chunk.len() > limit {
            return Err(Refusal::BodyTooLarge(limit));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}
