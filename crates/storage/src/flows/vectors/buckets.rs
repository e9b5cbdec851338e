//! Vector buckets.

use chrono::{DateTime, Utc};

use super::Vectors;
use crate::error::StorageError;
use crate::store::vectors::{self, Named, Page};

/// A page of names, and the name that the next page comes after.
pub(crate) type Listed = (Vec<Named>, Option<String>);

impl Vectors<'_> {
    /// Creates a bucket.
    ///
    /// # Errors
    /// `ConflictException`, `S3VectorMaxBucketsExceeded`.
    pub(crate) async fn create_bucket(&self, name: &str) -> Result<(), StorageError> {
        let mut connection = self.state.connection().await?;
        let (tx, _) = self.begin(&mut connection).await?;
        vectors::lock(&tx, None).await?;
        if vectors::bucket(&tx, name).await?.is_some() || name.is_empty() {
            return Err(StorageError::vector_conflict("vector bucket", name));
        }
        let most = self.state.config.vectors.max_buckets;
        if vectors::count_buckets(&tx).await? >= most {
            return Err(StorageError::vector_limit("S3VectorMaxBucketsExceeded", "buckets", most));
        }
        if !vectors::insert_bucket(&tx, name).await? {
            return Err(StorageError::vector_conflict("vector bucket", name));
        }
        tx.commit().await.map_err(StorageError::database)
    }

    /// Deletes a bucket, if it exists.
    ///
    /// # Errors
    /// `VectorBucketNotEmpty`.
    pub(crate) async fn delete_bucket(&self, name: &str) -> Result<(), StorageError> {
        let mut connection = self.state.connection().await?;
        let (tx, _) = self.begin(&mut connection).await?;
        vectors::lock(&tx, Some(name)).await?;
        vectors::lock(&tx, None).await?;
        if vectors::count_indexes(&tx, name).await? > 0 {
            let message = format!("Vector Bucket \"{name}\" not empty");
            return Err(StorageError::new(400, "VectorBucketNotEmpty", "VectorBucketNotEmpty", message));
        }
        vectors::delete_bucket(&tx, name).await?;
        tx.commit().await.map_err(StorageError::database)
    }

    /// When a bucket was created.
    ///
    /// # Errors
    /// `NotFoundException`.
    pub(crate) async fn bucket(&self, name: &str) -> Result<DateTime<Utc>, StorageError> {
        let mut connection = self.state.connection().await?;
        let (tx, _) = self.begin(&mut connection).await?;
        vectors::bucket(&tx, name).await?.ok_or_else(|| StorageError::vector_not_found(name))
    }

    /// A page of the buckets.
    ///
    /// # Errors
    /// Errors of the database.
    pub(crate) async fn buckets(&self, page: Page<'_>) -> Result<Listed, StorageError> {
        let mut connection = self.state.connection().await?;
        let (tx, _) = self.begin(&mut connection).await?;
        let found = vectors::buckets(&tx, Page { limit: page.limit + 1, ..page }).await?;
        Ok(listed(found, page.limit))
    }
}

/// Cuts off the row that only shows that there are more.
pub(super) fn listed(mut found: Vec<Named>, limit: i64) -> Listed {
    let limit = usize::try_from(limit).unwrap_or_default();
    let is_last = found.len() <= limit;
    found.truncate(limit);
    let next = found.last().filter(|_| !is_last).map(|(name, _)| name.clone());
    (found, next)
}
