//! Checksums that a client sends with a body: `x-amz-checksum-*` in a header or a trailer, and `Content-MD5`.

use std::io;

use actix_web::HttpRequest;
use actix_web::error::PayloadError;
use actix_web::http::Method;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use s3s::TrailingHeaders;
use s3s::checksum::ChecksumHasher;
use s3s::crypto::{Checksum, Crc32, Crc32c, Crc64Nvme, Md5, Sha1, Sha256};
use s3s::dto;

use crate::error::StorageError;
use crate::flows::receive::header;

/// What names of checksums begin with.
const PREFIX: &str = "x-amz-checksum-";

/// The algorithms: how headers name them, how messages do, and how many bytes they have.
const ALGORITHMS: [(&str, &str, usize); 5] = [
    ("crc32", "CRC32", 4),
    ("crc32c", "CRC32C", 4),
    ("crc64nvme", "CRC64NVME", 8),
    ("sha1", "SHA1", 20),
    ("sha256", "SHA256", 32),
];

/// What a body must add up to.
#[derive(Default)]
struct Expected {
    hasher: ChecksumHasher,
    md5: Option<(Md5, String)>,
    /// Indexes of [`ALGORITHMS`], and the values of those whose value is in a header.
    sums: Vec<(usize, Option<String>)>,
}

/// The body, with an error after its last byte if a checksum is not the one that the client sent.
///
/// DEVIATION (safer): checksums that come with a body of the S3 protocol are compared with it; upstream ignores them.
///
/// # Errors
/// `InvalidRequest`, `InvalidDigest` for values that are no checksums.
pub(super) fn compared<S>(
    request: &HttpRequest,
    body: S,
    trailers: Option<TrailingHeaders>,
) -> Result<impl Stream<Item = Result<Bytes, PayloadError>> + use<S>, StorageError>
where
    S: Stream<Item = Result<Bytes, PayloadError>> + Unpin,
{
    let expected = Expected::of(request)?;
    Ok(futures_util::stream::unfold((body, expected, trailers), async |(mut body, mut expected, trailers)| match body
        .next()
        .await
    {
        Some(Ok(piece)) => {
            if let Some(sums) = &mut expected {
                sums.update(&piece);
            }
            Some((Ok(piece), (body, expected, trailers)))
        }
        Some(Err(error)) => Some((Err(error), (body, None, trailers))),
        None => {
            let refused = expected.take()?.check(trailers.as_ref()).err()?;
            Some((Err(PayloadError::Io(io::Error::other(refused))), (body, None, trailers)))
        }
    }))
}

impl Expected {
    /// `None` if the client sends no checksum of the body.
    fn of(request: &HttpRequest) -> Result<Option<Self>, StorageError> {
        // The checksum beside the list of parts is that of the object.
        let is_list = request.method() == Method::POST && crate::routes::path::query(request, "uploadId").is_some();
        if is_list {
            return Ok(None);
        }
        let mut expected = Expected::default();
        let announced = header(request, "x-amz-trailer").unwrap_or_default().to_ascii_lowercase();
        for (index, (name, _, length)) in ALGORITHMS.into_iter().enumerate() {
            let full = format!("{PREFIX}{name}");
            if let Some(value) = header(request, &full) {
                if BASE64_STANDARD.decode(value).map(|bytes| bytes.len()) != Ok(length) {
                    return Err(StorageError::invalid_request(format!("Value for {full} header is invalid.")));
                }
                expected.sums.push((index, Some(value.to_owned())));
            } else if announced.split(',').any(|own| own.trim() == full) {
                expected.sums.push((index, None));
            }
        }
        for (index, _) in &expected.sums {
            let hasher = &mut expected.hasher;
            match ALGORITHMS[*index].0 {
                "crc32" => hasher.crc32 = Some(Crc32::new()),
                "crc32c" => hasher.crc32c = Some(Crc32c::new()),
                "crc64nvme" => hasher.crc64nvme = Some(Crc64Nvme::new()),
                "sha1" => hasher.sha1 = Some(Sha1::new()),
                _ => hasher.sha256 = Some(Sha256::new()),
            }
        }
        if let Some(value) = header(request, "content-md5") {
            if BASE64_STANDARD.decode(value).map(|bytes| bytes.len()) != Ok(16) {
                let message = "The Content-MD5 you specified is not valid.";
                return Err(StorageError::new(400, "InvalidDigest", "InvalidDigest", message));
            }
            expected.md5 = Some((Md5::new(), value.to_owned()));
        }
        Ok((!expected.sums.is_empty() || expected.md5.is_some()).then_some(expected))
    }

    fn update(&mut self, piece: &[u8]) {
        self.hasher.update(piece);
        if let Some((md5, _)) = &mut self.md5 {
            md5.update(piece);
        }
    }

    fn check(self, trailers: Option<&TrailingHeaders>) -> Result<(), StorageError> {
        if let Some((md5, value)) = self.md5
            && BASE64_STANDARD.encode(md5.finalize()) != value
        {
            return Err(StorageError::digest("The Content-MD5 you specified did not match what we received."));
        }
        let found = self.hasher.finalize();
        for (index, value) in self.sums {
            let (name, title, _) = ALGORITHMS[index];
            let trailer = |headers: &http::HeaderMap| {
                headers.get(format!("{PREFIX}{name}")).and_then(|value| value.to_str().ok()).map(str::to_owned)
            };
            // A trailer that did not come is an error of its own.
            let value = value.or_else(|| trailers?.read(trailer).flatten());
            if value.is_some_and(|value| sum(&found, name) != Some(value.trim())) {
                return Err(StorageError::digest(format!(
                    "The {title} you specified did not match the calculated checksum."
                )));
            }
        }
        Ok(())
    }
}

fn sum<'a>(found: &'a dto::Checksum, name: &str) -> Option<&'a str> {
    match name {
        "crc32" => found.checksum_crc32.as_deref(),
        "crc32c" => found.checksum_crc32c.as_deref(),
        "crc64nvme" => found.checksum_crc64nvme.as_deref(),
        "sha1" => found.checksum_sha1.as_deref(),
        _ => found.checksum_sha256.as_deref(),
    }
}
