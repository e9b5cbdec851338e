//! The indexes of vector buckets.

use super::buckets::{Listed, listed};
use super::{Vectors, refused};
use crate::error::StorageError;
use crate::protocol::vectors::bodies::{CreateIndex, IndexName};
use crate::protocol::vectors::limits::INDEXED_DIMENSIONS;
use crate::store::vector_tables::{self, Readiness};
use crate::store::vectors::{self, Index, NewIndex, Page};

/// Distances are straight lines instead of angles.
pub(super) const EUCLIDEAN: &str = "euclidean";

impl Vectors<'_> {
    /// Creates an index with its table.
    ///
    /// # Errors
    /// `NotFoundException`, `ConflictException`, `S3VectorMaxIndexesExceeded`, `InvalidParameter`.
    pub(crate) async fn create_index(&self, index: &CreateIndex) -> Result<(), StorageError> {
        let (bucket, name, dimension) = (&index.vector_bucket_name, &index.index_name, index.dimension());
        if dimension > INDEXED_DIMENSIONS {
            let message = format!(
                "dimension must be an integer in [1, {INDEXED_DIMENSIONS}] for this vector backend, got: {dimension}"
            );
            return Err(StorageError::invalid_parameter(message));
        }
        let mut connection = self.state.connection().await?;
        let (tx, readiness) = self.begin(&mut connection).await?;
        vectors::lock(&tx, Some(bucket)).await?;
        vectors::bucket(&tx, bucket).await?.ok_or_else(|| StorageError::vector_not_found(bucket))?;
        let conflict = || StorageError::vector_conflict("vector index", name);
        if vectors::index(&tx, bucket, name).await?.is_some() {
            return Err(conflict());
        }
        let most = self.state.config.vectors.max_indexes;
        if vectors::count_indexes(&tx, bucket).await? >= most {
            return Err(StorageError::vector_limit("S3VectorMaxIndexesExceeded", "indexes", most));
        }
        let row = NewIndex {
            bucket,
            name,
            data_type: &index.data_type,
            dimension: i32::try_from(dimension).unwrap_or_default(),
            distance_metric: &index.distance_metric,
            metadata_configuration: index.metadata_configuration.as_ref(),
        };
        if !vectors::insert_index(&tx, &row).await? {
            return Err(conflict());
        }
        if readiness == Readiness::Preparable {
            vector_tables::prepare(&tx).await.map_err(StorageError::database)?;
            vector_tables::readiness(&tx).await.map_err(StorageError::database)?;
        }
        let table = self.table(bucket, name);
        let made = table.create(&tx, dimension, index.distance_metric == EUCLIDEAN).await;
        made.map_err(|error| refused(error, name))?;
        tx.commit().await.map_err(StorageError::database)
    }

    /// Deletes an index with its vectors.
    ///
    /// # Errors
    /// `NotFoundException`.
    pub(crate) async fn delete_index(&self, index: &IndexName) -> Result<(), StorageError> {
        let (bucket, name) = (&index.vector_bucket_name, &index.index_name);
        let mut connection = self.state.connection().await?;
        let (tx, _) = self.begin(&mut connection).await?;
        vectors::lock(&tx, Some(bucket)).await?;
        vectors::index(&tx, bucket, name).await?.ok_or_else(|| StorageError::vector_not_found(name))?;
        vectors::delete_index(&tx, bucket, name).await?;
        self.table(bucket, name).drop(&tx).await.map_err(|error| refused(error, name))?;
        tx.commit().await.map_err(StorageError::database)
    }

    /// An index.
    ///
    /// # Errors
    /// `NotFoundException`.
    pub(crate) async fn index(&self, index: &IndexName) -> Result<Index, StorageError> {
        let mut connection = self.state.connection().await?;
        let (tx, _) = self.begin(&mut connection).await?;
        let found = vectors::index(&tx, &index.vector_bucket_name, &index.index_name).await?;
        found.ok_or_else(|| StorageError::vector_not_found(&index.index_name))
    }

    /// A page of the indexes of a bucket; none of an unknown bucket.
    ///
    /// # Errors
    /// Errors of the database.
    pub(crate) async fn indexes(&self, bucket: &str, page: Page<'_>) -> Result<Listed, StorageError> {
        let mut connection = self.state.connection().await?;
        let (tx, _) = self.begin(&mut connection).await?;
        let found = vectors::indexes(&tx, bucket, Page { limit: page.limit + 1, ..page }).await?;
        Ok(listed(found, page.limit))
    }
}
