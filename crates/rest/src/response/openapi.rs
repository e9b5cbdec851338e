//! The root: a description of what is exposed, as OpenAPI 2.0.

use bytes::Bytes;
use http::StatusCode;
use pg::Session;

use super::Answer;
use crate::error::Error;
use crate::request::{ApiRequest, MediaType};
use crate::session::Who;
use crate::{Rest, State};

pub(crate) async fn answer(
    _: &Rest,
    _: &State,
    _: &ApiRequest,
    _: Session,
    _: Who<'_>,
    _: &str,
    headers_only: bool,
) -> Result<Answer, Error> {
    let mut answer = Answer {
        status: StatusCode::OK,
        headers: http::HeaderMap::new(),
        body: (!headers_only).then(|| Bytes::from_static(b"{}")),
    };
    answer.set(http::header::CONTENT_TYPE, &MediaType::OpenApi.content_type());
    Ok(answer)
}
