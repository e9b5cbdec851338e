//! Answers in XML.

use actix_web::http::StatusCode;
use actix_web::http::header::RETRY_AFTER;
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, SecondsFormat, Utc};
use gateway::gate::RETRY_AFTER_SECONDS;
use s3s::xml::{SerResult, Serializer};

use super::call;
use crate::error::StorageError;

const NAMESPACE: &str = "http://s3.amazonaws.com/doc/2006-03-01/";
const DECLARATION: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#;

/// Writes XML.
pub(super) type Xml<'a> = Serializer<&'a mut Vec<u8>>;

/// 200 with a document.
///
/// # Errors
/// Never, as memory takes everything.
pub(super) fn xml(root: &str, content: impl FnOnce(&mut Xml<'_>) -> SerResult) -> Result<HttpResponse, StorageError> {
    let text = document(root, content).map_err(StorageError::internal)?;
    Ok(HttpResponse::Ok().content_type("application/xml").body(text))
}

/// An error, with its actual status.
pub(super) fn error(request: &HttpRequest, error: &StorageError) -> HttpResponse {
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let written = document("Error", |xml| {
        xml.content("Resource", call::path(request))?;
        xml.content("Code", error.code())?;
        xml.content("Message", error.to_string().as_str())
    });
    let mut response = HttpResponse::build(status);
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.insert_header((RETRY_AFTER, RETRY_AFTER_SECONDS));
    }
    response.content_type("application/xml").body(written.unwrap_or_default())
}

/// A time in a document.
pub(super) fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// An element, if it has a content.
///
/// # Errors
/// Never, as memory takes everything.
pub(super) fn optional(xml: &mut Xml<'_>, name: &str, text: Option<&str>) -> SerResult {
    text.map_or(Ok(()), |text| xml.content(name, text))
}

fn document(root: &str, content: impl FnOnce(&mut Xml<'_>) -> SerResult) -> Result<Vec<u8>, s3s::xml::SerError> {
    let mut text = Vec::new();
    let mut xml = Serializer::new(&mut text);
    xml.write_raw_text(DECLARATION)?;
    xml.element_with_ns(root, NAMESPACE, content)?;
    drop(xml);
    Ok(text)
}
