//! Request bodies, read up to a limit.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::dev::Payload;
use actix_web::web::{Bytes, BytesMut};
use futures_util::StreamExt;
use tokio::time::{Instant, timeout_at};

use crate::wire::Refusal;

/// The limit of a route that names none, in bytes.
pub const DEFAULT_LIMIT: usize = 1024 * 1024;

/// How slowly a client may send: slower ones would hold a connection for ever.
const PACE: Pace = Pace { patience: Duration::from_secs(30), bytes_a_second: 1024 };
/// What is reserved on the word of a client alone, in bytes.
const RESERVED: usize = 64 * 1024;

/// The limits of the methods of one path, as app data of its resource.
#[derive(Clone, Debug)]
pub struct BodyLimits(pub Vec<(actix_web::http::Method, usize)>);

/// The limit of the request's route, in bytes.
pub fn limit(request: &HttpRequest) -> usize {
    let of_method =
        |limits: &BodyLimits| limits.0.iter().find(|(method, _)| method == request.method()).map(|(_, limit)| *limit);
    request.app_data::<BodyLimits>().and_then(of_method).unwrap_or(DEFAULT_LIMIT)
}

/// Reads the whole body. A declared length over the limit is refused before a byte is read, and a client that stalls is not
/// waited for. Where the limit is zero the route knows no body: whatever comes is read and forgotten.
///
/// # Errors
/// [`Refusal::BodyTooLarge`] and [`Refusal::BodyUnreadable`].
pub async fn read(request: &HttpRequest, payload: &mut Payload) -> Result<Bytes, Refusal> {
    read_at(PACE, request, payload).await
}

/// A body of `n` bytes may take `patience` and `n / bytes_a_second` seconds.
#[derive(Clone, Copy)]
struct Pace {
    patience: Duration,
    bytes_a_second: usize,
}

async fn read_at(pace: Pace, request: &HttpRequest, payload: &mut Payload) -> Result<Bytes, Refusal> {
    let limit = limit(request);
    let takes_none = limit == 0;
    let declared = request
        .headers()
        .get(actix_web::http::header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<usize>().ok());
    if declared.is_some_and(|length| length > limit && !takes_none) {
        return Err(Refusal::BodyTooLarge(limit));
    }
    let mut body = BytesMut::with_capacity(declared.unwrap_or_default().min(RESERVED).min(limit));
    let mut received = 0;
    let started = Instant::now();
    loop {
        let until = started + pace.patience + Duration::from_secs((received / pace.bytes_a_second) as u64);
        let next = timeout_at(until, payload.next()).await.map_err(|_| Refusal::BodyUnreadable)?;
        let Some(chunk) = next else { break };
        let chunk = chunk.map_err(|_| Refusal::BodyUnreadable)?;
        received += chunk.len();
        if takes_none {
            continue;
        }
        if received > limit {
            return Err(Refusal::BodyTooLarge(limit));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::error::PayloadError;
    use actix_web::test::TestRequest;
    use futures_util::stream;

    fn payload(chunks: usize, every: Duration) -> Payload {
        let chunks = stream::iter(0..chunks).then(move |_| async move {
            tokio::time::sleep(every).await;
            Ok::<_, PayloadError>(Bytes::from_static(&[b'x'; 2048]))
        });
        Payload::Stream { payload: Box::pin(chunks) }
    }

    #[actix_web::test]
    async fn a_body_is_read_up_to_its_limit_and_not_for_ever() {
        let request = TestRequest::default().to_http_request();
        let (short, long) = (Duration::from_millis(150), Duration::from_secs(3600));
        for (patience, bytes_a_second, chunks, every, wanted) in [
            (long, 1024, 512, Duration::ZERO, Ok(DEFAULT_LIMIT)),
            (long, 1024, 513, Duration::ZERO, Err(Refusal::BodyTooLarge(DEFAULT_LIMIT))),
            // 200 ms: longer than the patience, but 2048 bytes a second allow for them.
            (short, 2048, 20, Duration::from_millis(10), Ok(20 * 2048)),
            (short, 1024 * 1024, 20, Duration::from_millis(10), Err(Refusal::BodyUnreadable)),
            (short, 1024, 1, long, Err(Refusal::BodyUnreadable)),
        ] {
            let pace = Pace { patience, bytes_a_second };
            let found = read_at(pace, &request, &mut payload(chunks, every)).await;
            assert_eq!(found.map(|body| body.len()), wanted, "{chunks} chunks, one every {every:?}");
        }
        let without = BodyLimits(vec![(actix_web::http::Method::GET, 0)]);
        let without = TestRequest::default().insert_header(("content-length", "1073741824")).app_data(without);
        let passed_over = read(&without.to_http_request(), &mut payload(1024, Duration::ZERO)).await;
        assert_eq!(passed_over, Ok(Bytes::new()));
        let lying = TestRequest::default().insert_header(("content-length", "1048577")).to_http_request();
        let refused = read(&lying, &mut payload(0, Duration::ZERO)).await;
        assert_eq!(refused, Err(Refusal::BodyTooLarge(DEFAULT_LIMIT)));
    }
}
