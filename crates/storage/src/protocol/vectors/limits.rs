//! Upstream's limits, and those of pgvector.

/// Maximum number of neighbours of a query.
pub(crate) const TOP_K: i64 = 100;
/// Maximum number of vectors in a list.
pub(crate) const LISTED: i64 = 1000;
/// Maximum number of buckets or indexes in a list.
pub(crate) const PAGE: i64 = 500;
/// Maximum number of segments that an index can be listed in.
pub(crate) const SEGMENTS: i64 = 16;
/// Maximum number of vectors in a request that writes.
pub(crate) const PUT: usize = 500;
/// Maximum number of keys in a request that reads.
pub(crate) const GET: usize = 100;
/// Maximum number of keys in a request that deletes.
pub(crate) const DELETED: usize = 500;
/// Maximum length of a vector's key, in characters.
pub(crate) const KEY: usize = 1024;
/// Maximum number of dimensions in a request.
pub(crate) const DIMENSIONS: i64 = 4096;
/// Maximum number of dimensions that pgvector indexes as `halfvec`.
pub(crate) const INDEXED_DIMENSIONS: i64 = 4000;
/// Maximum size of the metadata of a vector that can be filtered by, in bytes.
pub(crate) const FILTERABLE_METADATA: usize = 2048;
/// Maximum size of the metadata of a vector, in bytes.
pub(crate) const METADATA: usize = 40 * 1024;
/// Maximum number of fields of a vector's metadata.
pub(crate) const METADATA_KEYS: usize = 50;
/// Maximum size of a body with vectors, in bytes.
pub(crate) const BODY: usize = 20 * 1024 * 1024;
