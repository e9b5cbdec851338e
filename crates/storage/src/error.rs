//! Storage's errors.
//!
//! Source: supabase/storage, `src/internal/errors/codes.ts`, `src/storage/database/errors.ts`,
//! `src/http/error-handler.ts`.

use std::borrow::Cow;

use actix_web::http::StatusCode;
use actix_web::http::header::RETRY_AFTER;
use actix_web::{HttpResponse, ResponseError};
use gateway::faults::report;
use gateway::gate::RETRY_AFTER_SECONDS;
use serde_json::json;

/// The service, in faults.
const SERVICE: &str = "storage";

/// An error. Its body has four keys. `statusCode` states the actual error, while the HTTP status is 400, except for
/// defects and the few errors with a status of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StorageError {
    status: u16,
    http: Option<u16>,
    label: Cow<'static, str>,
    code: &'static str,
    message: Cow<'static, str>,
}

impl StorageError {
    pub(crate) fn new(
        status: u16,
        label: &'static str,
        code: &'static str,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        StorageError { status, http: None, label: label.into(), code, message: message.into() }
    }

    /// The same with its own HTTP status.
    pub(crate) fn with_http(mut self, status: u16) -> Self {
        self.http = Some(status);
        self
    }

    /// The same with the HTTP status that says what happened.
    pub(crate) fn plainly(self) -> Self {
        let status = self.http.unwrap_or(self.status);
        self.with_http(status)
    }

    /// What happened, as an HTTP status; most are answered with 400 all the same.
    pub(crate) fn status(&self) -> u16 {
        self.status
    }

    /// The name of the error in S3's answers.
    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    pub(crate) fn no_such_bucket() -> Self {
        Self::new(404, "Bucket not found", "NoSuchBucket", "Bucket not found")
    }

    pub(crate) fn no_such_key() -> Self {
        Self::new(404, "not_found", "NoSuchKey", "Object not found")
    }

    /// The row exists, but the file does not.
    pub(crate) fn no_file() -> Self {
        Self::new(404, "Not found", "NoSuchKey", "The resource was not found")
    }

    pub(crate) fn access_denied(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(403, "Unauthorized", "AccessDenied", message)
    }

    pub(crate) fn key_exists() -> Self {
        Self::new(409, "Duplicate", "KeyAlreadyExists", "The resource already exists")
    }

    pub(crate) fn bucket_exists() -> Self {
        Self::new(409, "Duplicate", "BucketAlreadyExists", "The resource already exists")
    }

    pub(crate) fn too_large() -> Self {
        Self::too_large_entity("object")
    }

    pub(crate) fn too_large_entity(entity: &str) -> Self {
        let message = format!("The {entity} exceeded the maximum allowed size");
        Self::new(413, "Payload too large", "EntityTooLarge", message)
    }

    pub(crate) fn too_small() -> Self {
        let message = "Your proposed upload is smaller than the minimum allowed size";
        Self::new(400, "EntityTooSmall", "EntityTooSmall", message)
    }

    pub(crate) fn mime_type(found: &str) -> Self {
        Self::new(415, "invalid_mime_type", "InvalidMimeType", format!("mime type {found} is not supported"))
    }

    /// A file whose metadata cannot be removed.
    pub(crate) fn unstrippable() -> Self {
        let message = "This is no JPEG, PNG, WebP, MP4, MOV or WebM file, or it is damaged";
        Self::new(415, "invalid_mime_type", "InvalidMimeType", message)
    }

    pub(crate) fn bucket_name() -> Self {
        Self::new(400, "Invalid Input", "InvalidBucketName", "Bucket name invalid")
    }

    pub(crate) fn key(name: &str) -> Self {
        Self::new(400, "InvalidKey", "InvalidKey", format!("Invalid key: {name}"))
    }

    pub(crate) fn invalid_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(400, "InvalidRequest", "InvalidRequest", message)
    }

    /// A malformed request; `message` in the words of upstream's validator.
    pub(crate) fn validation(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(400, "Error", "InvalidRequest", message)
    }

    pub(crate) fn invalid_parameter(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(400, "InvalidParameter", "InvalidParameter", message)
    }

    pub(crate) fn signature(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(400, "InvalidSignature", "InvalidSignature", message)
    }

    pub(crate) fn signature_mismatch(message: &'static str) -> Self {
        Self::new(403, "SignatureDoesNotMatch", "SignatureDoesNotMatch", message)
    }

    pub(crate) fn checksum(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(400, "InvalidChecksum", "InvalidChecksum", message)
    }

    pub(crate) fn digest(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(400, "BadDigest", "BadDigest", message)
    }

    pub(crate) fn no_such_upload() -> Self {
        Self::new(404, "NoSuchUpload", "NoSuchUpload", "Upload not found")
    }

    pub(crate) fn expired() -> Self {
        Self::new(400, "ExpiredToken", "ExpiredToken", "The provided token has expired.")
    }

    pub(crate) fn content_length() -> Self {
        let message = "You must provide the Content-Length HTTP header.";
        Self::new(400, "MissingContentLength", "MissingContentLength", message)
    }

    pub(crate) fn range() -> Self {
        Self::new(416, "invalid_range", "InvalidRange", "invalid range provided").with_http(416)
    }

    pub(crate) fn missing_parameter(name: &str) -> Self {
        Self::new(400, "MissingParameter", "MissingParameter", format!("Missing Required Parameter {name}"))
    }

    /// The server of the database has no pgvector.
    pub(crate) fn vectors_absent() -> Self {
        let message = "The feature Vector service not configured is not enabled for this resource";
        Self::new(409, "FeatureNotEnabled", "FeatureNotEnabled", message)
    }

    pub(crate) fn vector_not_found(name: &str) -> Self {
        Self::new(404, "NotFoundException", "NotFoundException", format!("resource \"{name}\" not found"))
    }

    pub(crate) fn vector_conflict(kind: &str, name: &str) -> Self {
        Self::new(409, "ConflictException", "ConflictException", format!("{kind} \"{name}\" already exists"))
    }

    pub(crate) fn vector_limit(code: &'static str, things: &str, most: i64) -> Self {
        let advice = "Contact support to increase your limit.";
        let message = format!("Maximum number of {things} exceeded. Max allowed is {most}. {advice}");
        Self::new(400, code, code, message)
    }

    pub(crate) fn locked() -> Self {
        Self::new(503, "acquiring_lock_timeout", "LockTimeout", "acquiring lock timeout")
    }

    /// An internal failure; the details are logged.
    pub(crate) fn internal(detail: impl std::fmt::Display) -> Self {
        report(SERVICE, "storage", detail);
        Self::new(500, "Internal", "InternalError", "Internal Server Error")
    }

    /// A disk failure.
    pub(crate) fn file(error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::NotFound => Self::no_file(),
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
                report(SERVICE, "the disk of the files", error);
                Self::new(500, "Internal", "InternalError", "There is no space left for the object")
            }
            std::io::ErrorKind::ReadOnlyFilesystem | std::io::ErrorKind::PermissionDenied => {
                report(SERVICE, "the folder of the files", error);
                Self::new(500, "Internal", "InternalError", "The folder of the objects cannot be written")
            }
            _ => Self::internal(error),
        }
    }

    /// The database is away, or went away.
    ///
    /// DEVIATION (words): while the database cannot be reached, storage answers 503 with `Retry-After`; upstream answers 500.
    fn unreachable(error: &pg::Error) -> Self {
        report(SERVICE, "the database", error);
        let message = "The database cannot be reached. Please try again later.";
        Self::new(503, "DatabaseError", "DatabaseError", message).with_http(503)
    }

    /// A database error that the route does not map itself.
    pub(crate) fn database(error: pg::Error) -> Self {
        let pg::Error::Database(database) = error else {
            return match error {
                pg::Error::Exhausted => {
                    Self::new(429, "too_many_connections", "SlowDown", "Too many connections issued to the database")
                        .with_http(429)
                }
                pg::Error::Unavailable(_) | pg::Error::Broken(_) | pg::Error::Lost(_) => Self::unreachable(&error),
                other => Self::internal(other),
            };
        };
        let message = database.message.clone();
        match database.code.as_str() {
            "42501" if message.contains("row-level security") => {
                Self::access_denied("new row violates row-level security policy")
            }
            "42501" => Self::access_denied(message),
            // DEVIATION (words): a token with a role that the database does not have is refused; upstream answers 500.
            "22023" if message.starts_with("role \"") && message.ends_with("\" does not exist") => {
                Self::access_denied(message)
            }
            "23505" => Self::new(409, "Duplicate", "ResourceAlreadyExists", "The resource already exists"),
            "23503" => referenced(&database),
            "55P03" => Self::new(423, "ResourceLocked", "ResourceLocked", "The resource is locked"),
            "57014" => {
                let text = "The connection to the database timed out";
                Self::new(544, "DatabaseTimeout", "DatabaseTimeout", text).with_http(544)
            }
            "25006" => {
                let text = "The database is currently in read-only mode. Please try again later.";
                Self::new(503, "DatabaseReadOnly", "DatabaseReadOnly", text)
            }
            "25P02" => {
                report(SERVICE, "the database", &message);
                let text = "The database transaction has been aborted. Roll back the transaction before retrying.";
                Self::new(500, "DatabaseTransactionAborted", "DatabaseTransactionAborted", text)
            }
            "42P17" => {
                let text = "The database schema is invalid or incompatible.";
                Self::new(503, "DatabaseInvalidObjectDefinition", "DatabaseInvalidObjectDefinition", text)
            }
            "22P02" => Self::invalid_parameter(message),
            "42703" | "42P01" => schema_mismatch(&database),
            code => {
                report(SERVICE, "the database", format_args!("{message} (SQLSTATE {code})"));
                let text = format!("database error, code: {code}");
                Self::new(500, "DatabaseError", "DatabaseError", text)
            }
        }
    }
}

fn referenced(database: &pg::DbError) -> StorageError {
    let still = database.detail.as_deref().is_some_and(|detail| detail.contains("is still referenced from table"));
    if !still {
        return StorageError::new(404, "InvalidRequest", "InvalidRequest", "The related resource does not exist");
    }
    let pending = ["s3_multipart_uploads_bucket_id_fkey", "s3_multipart_uploads_parts_bucket_id_fkey"];
    let message = match database.constraint.as_deref() {
        Some(constraint) if pending.contains(&constraint) => {
            "The bucket could not be updated because it is referenced by a pending multipart upload."
        }
        _ => "The resource could not be updated or removed due to a foreign key constraint",
    };
    StorageError::new(409, "ResourceReferenced", "ResourceReferenced", message)
}

fn schema_mismatch(database: &pg::DbError) -> StorageError {
    let message: Cow<'static, str> = match &database.context {
        Some(place) => format!("There is a database schema mismatch in a trigger or RLS policy: {place}").into(),
        None => "The database schema is out of sync. Please run migrations or contact support.".into(),
    };
    StorageError::new(503, "DatabaseSchemaMismatch", "DatabaseSchemaMismatch", message)
}

impl std::fmt::Display for StorageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for StorageError {}

impl ResponseError for StorageError {
    fn status_code(&self) -> StatusCode {
        let status = self.http.unwrap_or(if self.status == 500 { 500 } else { 400 });
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        if *self == StorageError::no_file() {
            response.insert_header(("cache-control", "no-store"));
        }
        if self.status_code() == StatusCode::SERVICE_UNAVAILABLE {
            response.insert_header((RETRY_AFTER, RETRY_AFTER_SECONDS));
        }
        response.json(json!({
            "statusCode": self.status.to_string(),
            "error": self.label,
            "message": self.message,
            "code": self.code,
        }))
    }
}
