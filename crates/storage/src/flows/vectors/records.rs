//! The vectors of an index.

use std::collections::HashSet;

use pg::pool::Transaction;
use serde_json::{Map, Value, json};

use super::indexes::EUCLIDEAN;
use super::{Vectors, refused};
use crate::error::StorageError;
use crate::protocol::vectors::bodies::{
    DeleteVectors, GetVectors, IndexName, ListVectors, PutVectors, QueryVectors, Vector,
};
use crate::protocol::vectors::{filter, limits};
use crate::store::vector_tables::{Nearest, Part, Stored, Wanted};
use crate::store::vectors::{self, Index};

impl Vectors<'_> {
    async fn found(&self, tx: &Transaction<'_>, index: &IndexName) -> Result<Index, StorageError> {
        let found = vectors::index(tx, &index.vector_bucket_name, &index.index_name).await?;
        found.ok_or_else(|| StorageError::vector_not_found(&index.index_name))
    }

    /// Writes vectors, in the place of earlier ones with their keys.
    ///
    /// # Errors
    /// `NotFoundException`, and `InvalidParameter` for what does not fit the index.
    pub(crate) async fn put(&self, body: &PutVectors) -> Result<(), StorageError> {
        let mut keys = HashSet::new();
        if !body.vectors.iter().all(|vector| keys.insert(&vector.key)) {
            return Err(StorageError::invalid_parameter("Request must not contain duplicate keys"));
        }
        let name = &body.index.index_name;
        let mut connection = self.state.connection().await?;
        let (tx, _) = self.begin(&mut connection).await?;
        let unfilterable = unfilterable(&self.found(&tx, &body.index).await?);
        body.vectors.iter().try_for_each(|vector| small_enough(vector, &unfilterable))?;
        let row = |vector: &Vector| {
            let metadata = filter::normal(&vector.metadata);
            json!({ "key": vector.key, "embedding": literal(&vector.data.float32), "metadata": metadata })
        };
        let rows: Value = body.vectors.iter().map(row).collect();
        let table = self.table(&body.index.vector_bucket_name, name);
        table.put(&tx, rows.to_string()).await.map_err(|error| refused(error, name))?;
        tx.commit().await.map_err(StorageError::database)
    }

    /// Those of the vectors that exist.
    ///
    /// # Errors
    /// `NotFoundException`.
    pub(crate) async fn get(&self, body: &GetVectors) -> Result<Vec<Stored>, StorageError> {
        let name = &body.index.index_name;
        let mut connection = self.state.connection().await?;
        let (tx, _) = self.begin(&mut connection).await?;
        self.found(&tx, &body.index).await?;
        let wanted = Wanted { data: body.return_data, metadata: body.return_metadata };
        let table = self.table(&body.index.vector_bucket_name, name);
        table.get(&tx, &body.keys, wanted).await.map_err(|error| refused(error, name))
    }

    /// Part of the vectors, and the key that the next part comes after.
    ///
    /// # Errors
    /// `NotFoundException`, and `InvalidParameter` for a segment that does not exist.
    pub(crate) async fn list(&self, body: &ListVectors) -> Result<(Vec<Stored>, Option<String>), StorageError> {
        let (name, limit, segment) = (&body.index.index_name, body.limit(), body.segment()?);
        let mut connection = self.state.connection().await?;
        let (tx, _) = self.begin(&mut connection).await?;
        self.found(&tx, &body.index).await?;
        let after = body.next_token.as_deref().filter(|token| !token.is_empty());
        let part = Part { limit: limit + 1, after, segment };
        let wanted = Wanted { data: body.return_data, metadata: body.return_metadata };
        let table = self.table(&body.index.vector_bucket_name, name);
        let mut found = table.list(&tx, part, wanted).await.map_err(|error| refused(error, name))?;
        let limit = usize::try_from(limit).unwrap_or_default();
        let is_last = found.len() <= limit;
        found.truncate(limit);
        let next = found.last().filter(|_| !is_last).map(|last| last.key.clone());
        Ok((found, next))
    }

    /// Deletes those of the vectors that exist.
    ///
    /// # Errors
    /// `NotFoundException`.
    pub(crate) async fn delete(&self, body: &DeleteVectors) -> Result<(), StorageError> {
        let name = &body.index.index_name;
        let mut connection = self.state.connection().await?;
        let (tx, _) = self.begin(&mut connection).await?;
        self.found(&tx, &body.index).await?;
        let table = self.table(&body.index.vector_bucket_name, name);
        table.delete(&tx, &body.keys).await.map_err(|error| refused(error, name))?;
        tx.commit().await.map_err(StorageError::database)
    }

    /// The nearest neighbours of a vector, and the index.
    ///
    /// # Errors
    /// `NotFoundException`, and `InvalidParameter` for what does not fit the index.
    pub(crate) async fn query(&self, body: &QueryVectors) -> Result<(Vec<Stored>, Index), StorageError> {
        let name = &body.index.index_name;
        let mut connection = self.state.connection().await?;
        let (tx, _) = self.begin(&mut connection).await?;
        let index = self.found(&tx, &body.index).await?;
        if let Some(filter) = &body.filter {
            let unfilterable = unfilterable(&index);
            if let Some(key) = filter::fields(filter).into_iter().find(|key| unfilterable.contains(*key)) {
                let message = format!("Metadata key \"{key}\" is configured as non-filterable");
                return Err(StorageError::invalid_parameter(message));
            }
        }
        let nearest = Nearest {
            vector: literal(&body.query_vector.float32),
            filter: body.filter.as_ref().map(filter::condition).transpose()?,
            is_euclidean: index.distance_metric == EUCLIDEAN,
            limit: body.top_k(),
            with_distance: body.return_distance,
            with_metadata: body.return_metadata,
        };
        let table = self.table(&body.index.vector_bucket_name, name);
        let found = table.nearest(&tx, nearest).await.map_err(|error| refused(error, name))?;
        Ok((found, index))
    }
}

/// The fields of metadata that nobody can filter by.
fn unfilterable(index: &Index) -> HashSet<String> {
    let configuration = index.metadata_configuration.as_ref();
    let keys = configuration.and_then(|configuration| configuration.get("nonFilterableMetadataKeys")?.as_array());
    keys.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Checks the limits of metadata.
fn small_enough(vector: &Vector, unfilterable: &HashSet<String>) -> Result<(), StorageError> {
    let Vector { key, metadata, .. } = vector;
    let refused =
        |what: String| Err(StorageError::invalid_parameter(format!("Invalid record for key '{key}': {what}")));
    if metadata.len() > limits::METADATA_KEYS {
        return refused(format!("Metadata must have at most {} keys", limits::METADATA_KEYS));
    }
    let length = |metadata: &Map<String, Value>| serde_json::to_string(metadata).map_or(usize::MAX, |text| text.len());
    if length(metadata) > limits::METADATA {
        return refused(format!("Total metadata must have at most {} bytes", limits::METADATA));
    }
    let filterable = metadata.iter().filter(|(name, _)| !unfilterable.contains(*name));
    let filterable: Map<String, Value> = filterable.map(|(name, value)| (name.clone(), value.clone())).collect();
    if length(&filterable) > limits::FILTERABLE_METADATA {
        return refused(format!("Filterable metadata must have at most {} bytes", limits::FILTERABLE_METADATA));
    }
    Ok(())
}

/// A vector as pgvector reads it.
fn literal(numbers: &[f64]) -> String {
    let texts: Vec<String> = numbers.iter().map(f64::to_string).collect();
    format!("[{}]", texts.join(","))
}
