//! Settings, with upstream's names.

use std::path::PathBuf;
use std::time::Duration;

/// What can be set. Upstream's variable is named with each.
#[derive(Clone, Debug)]
pub struct Config {
    /// `UPLOAD_FILE_SIZE_LIMIT`: no object is longer, in bytes.
    pub file_size_limit: u64,
    /// `UPLOAD_FILE_SIZE_LIMIT_STANDARD`: nor is one that comes in a single request; `None` for no other limit.
    pub file_size_limit_standard: Option<u64>,
    /// `UPLOAD_SIGNED_URL_EXPIRATION_TIME`: how long the token of `POST /object/upload/sign` lives.
    pub signed_upload_life: Duration,
    /// `STORAGE_FILE_BACKEND_PATH`: the folder that objects lie in.
    pub folder: PathBuf,
    /// `STORAGE_S3_BUCKET`: the first folder in it.
    pub global_bucket: String,
    /// `TENANT_ID`: the second.
    pub tenant: String,
    /// `STORAGE_EMPTY_BUCKET_MAX`: a bucket with more objects is not emptied by one request.
    pub empty_bucket_max: i64,
    /// `RESPONSE_S_MAXAGE` in seconds; 0 says nothing to shared caches.
    pub s_maxage: u32,
    /// `DATABASE_STATEMENT_TIMEOUT`: no statement takes longer.
    pub statement_timeout: Duration,
    /// The path the service is mounted at, without a slash at its end.
    pub mount: String,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            file_size_limit: 50 * 1024 * 1024,
            file_size_limit_standard: None,
            // As the hosted service has it; the code's own default is a minute.
            signed_upload_life: Duration::from_secs(2 * 60 * 60),
            folder: PathBuf::from("storage"),
            global_bucket: "stub".to_owned(),
            tenant: "stub".to_owned(),
            empty_bucket_max: 200_000,
            s_maxage: 0,
            statement_timeout: Duration::from_secs(30),
            mount: "/storage/v1".to_owned(),
        }
    }
}

impl Config {
    /// The longest object that may come in one request to a bucket with this limit, in bytes.
    pub(crate) fn standard_limit(&self, bucket: Option<i64>) -> u64 {
        let bucket = bucket.and_then(|limit| u64::try_from(limit).ok()).unwrap_or(u64::MAX);
        let standard = self.file_size_limit_standard.filter(|limit| *limit > 0).unwrap_or(u64::MAX);
        self.file_size_limit.min(bucket).min(standard)
    }
}
