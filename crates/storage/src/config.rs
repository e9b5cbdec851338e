//! Settings, with upstream's names.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gateway::Secret;
use url::Url;

use crate::declared::Declared;
use crate::s3_keys::S3Keys;

/// The region that S3 clients see, as with the Supabase CLI.
pub(crate) const REGION: &str = "local";

/// The settings. Each names upstream's variable.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// `UPLOAD_FILE_SIZE_LIMIT`: maximum size of an object, in bytes.
    pub(crate) file_size_limit: u64,
    /// `UPLOAD_FILE_SIZE_LIMIT_STANDARD`: maximum size of an upload in a single request; `None` for no other limit.
    pub(crate) file_size_limit_standard: Option<u64>,
    /// `UPLOAD_SIGNED_URL_EXPIRATION_TIME`: lifetime of the token of `POST /object/upload/sign`.
    pub(crate) signed_upload_life: Duration,
    /// The longest life of a signed URL for reading, in seconds; `None` for no limit.
    pub(crate) signed_url_limit: Option<i64>,
    /// `TUS_URL_EXPIRY_MS`: how long after its creation a resumable upload can be continued.
    pub(crate) resumable_life: Duration,
    /// `STORAGE_PUBLIC_URL` plus the mount path: the service's address for clients, without a trailing slash.
    pub(crate) public_url: String,
    /// `IMAGE_TRANSFORMATION_ENABLED`: serve `/render/image`.
    pub(crate) pictures: bool,
    /// Maximum size of the cache of rendered images, in bytes.
    pub(crate) picture_cache: u64,
    /// `STORAGE_FILE_BACKEND_PATH`: the folder for objects.
    pub(crate) folder: PathBuf,
    /// `STORAGE_S3_BUCKET`: the first folder in it.
    pub(crate) global_bucket: String,
    /// `TENANT_ID`: the second folder.
    pub(crate) tenant: String,
    /// `STORAGE_EMPTY_BUCKET_MAX`: a bucket with more objects cannot be emptied by one request.
    pub(crate) empty_bucket_max: i64,
    /// `RESPONSE_S_MAXAGE` in seconds; 0 omits `s-maxage`.
    pub(crate) s_maxage: u32,
    /// `DATABASE_STATEMENT_TIMEOUT`: the timeout of a statement.
    pub(crate) statement_timeout: Duration,
    /// The path that the service is mounted at, without a trailing slash.
    pub(crate) mount: String,
    /// The S3 protocol.
    pub(crate) s3: S3,
    /// `STORAGE_BACKEND=s3`: the S3 server of the objects; `None` for files.
    pub(crate) remote: Option<Remote>,
    /// Where the caches of a CDN are purged.
    pub(crate) cdn: Endpoint,
    /// Where events are sent.
    pub(crate) webhook: Endpoint,
    /// Vector buckets.
    pub(crate) vectors: Vectors,
    /// `[storage.buckets]` of config.toml.
    pub(crate) buckets: Vec<Declared>,
    /// Buckets whose pictures and videos lose their metadata.
    pub(crate) stripped: Vec<String>,
    /// Whether `private.removed_files` names objects whose rows SQL has deleted.
    pub(crate) removals: bool,
}

/// A server that is told about changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Endpoint {
    /// `CDN_PURGE_ENDPOINT_URL`, `WEBHOOK_URL`; `None` for none.
    pub(crate) url: Option<Url>,
    /// `CDN_PURGE_ENDPOINT_KEY`, `WEBHOOK_API_KEY`: sent as a bearer token; may be empty.
    pub(crate) key: Secret<String>,
}

/// The settings of vector buckets.
#[derive(Clone, Debug)]
pub(crate) struct Vectors {
    /// `VECTOR_ENABLED`
    pub(crate) enabled: bool,
    /// `VECTOR_MAX_BUCKETS`
    pub(crate) max_buckets: i64,
    /// `VECTOR_MAX_INDEXES`, in each bucket.
    pub(crate) max_indexes: i64,
}

/// The S3 server of the objects.
#[derive(Clone, Debug)]
pub(crate) struct Remote {
    /// `STORAGE_S3_BUCKET`
    pub(crate) bucket: String,
    /// `STORAGE_S3_ENDPOINT`; empty for Amazon's.
    pub(crate) endpoint: String,
    /// `STORAGE_S3_REGION`
    pub(crate) region: String,
    /// `STORAGE_S3_FORCE_PATH_STYLE`
    pub(crate) path_style: bool,
    /// `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`; without them those of the machine.
    pub(crate) keys: Option<S3Keys>,
}

/// The settings of the S3 protocol.
#[derive(Clone, Debug, Default)]
pub(crate) struct S3 {
    /// `S3_PROTOCOL_ENABLED`
    pub(crate) enabled: bool,
    /// `S3_PROTOCOL_ACCESS_KEY_ID` and `S3_PROTOCOL_ACCESS_KEY_SECRET`: requests signed with them run as `service_role`.
    pub(crate) keys: Option<S3Keys>,
    /// `ANON_KEY`: signs requests with a session token, which run as its user.
    pub(crate) anon_key: Secret<String>,
    /// `STORAGE_S3_REGION`
    pub(crate) region: String,
    /// `S3_PROTOCOL_ENFORCE_REGION`: signatures for other regions are refused.
    pub(crate) enforce_region: bool,
    /// `S3_PROTOCOL_PREFIX`: what a proxy removes from the paths that clients sign.
    pub(crate) prefix: String,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            file_size_limit: 50 * 1024 * 1024,
            file_size_limit_standard: None,
            // As in the hosted service; the default of upstream's code is a minute.
            signed_upload_life: Duration::from_secs(2 * 60 * 60),
            signed_url_limit: None,
            // As in the hosted service; the default of upstream's code is an hour.
            resumable_life: Duration::from_secs(24 * 60 * 60),
            public_url: String::new(),
            pictures: true,
            picture_cache: 1 << 30,
            folder: PathBuf::from("storage"),
            global_bucket: "stub".to_owned(),
            tenant: "stub".to_owned(),
            empty_bucket_max: 200_000,
            s_maxage: 0,
            statement_timeout: Duration::from_secs(30),
            mount: "/storage/v1".to_owned(),
            s3: S3 { enabled: true, region: REGION.to_owned(), ..S3::default() },
            remote: None,
            cdn: Endpoint::default(),
            webhook: Endpoint::default(),
            vectors: Vectors { enabled: true, max_buckets: 10, max_indexes: 20 },
            buckets: Vec::new(),
            stripped: Vec::new(),
            removals: false,
        }
    }
}

impl Endpoint {
    /// An address as a setting writes it.
    pub(crate) fn address(text: &str) -> Option<Url> {
        Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
    }
}

impl Config {
    /// Where no setting names the folder of the files, it is `storage` in the data directory of the server.
    pub(crate) fn keep_below(&mut self, data_dir: &Path) {
        if self.folder.as_os_str().is_empty() {
            self.folder = data_dir.join("storage");
        }
    }

    /// Whether what is uploaded to a bucket loses its metadata.
    pub(crate) fn strips(&self, bucket: &str) -> bool {
        self.stripped.iter().any(|stripped| stripped == bucket)
    }

    /// The maximum size of a resumable upload to a bucket with this limit, in bytes. A limit of 0 means none here.
    pub(crate) fn resumable_limit(&self, bucket: Option<i64>) -> u64 {
        let bucket = bucket.and_then(|limit| u64::try_from(limit).ok()).filter(|limit| *limit > 0);
        self.file_size_limit.min(bucket.unwrap_or(u64::MAX))
    }

    /// The maximum size of a multipart upload to a bucket with this limit, in bytes.
    pub(crate) fn multipart_limit(&self, bucket: Option<i64>) -> u64 {
        self.file_size_limit.min(bucket.and_then(|limit| u64::try_from(limit).ok()).unwrap_or(u64::MAX))
    }

    /// The maximum size of an upload in one request to a bucket with this limit, in bytes.
    pub(crate) fn standard_limit(&self, bucket: Option<i64>) -> u64 {
        let bucket = bucket.and_then(|limit| u64::try_from(limit).ok()).unwrap_or(u64::MAX);
        let standard = self.file_size_limit_standard.filter(|limit| *limit > 0).unwrap_or(u64::MAX);
        self.file_size_limit.min(bucket).min(standard)
    }
}
