//! The bodies of `/vector`. Each is checked against its shape, and then read.
//!
//! Source: supabase/storage, `src/http/routes/vector`.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::limits;
use super::shape::{Shape, problems};
use crate::error::StorageError;

/// A body of `/vector`.
pub(crate) trait Body: DeserializeOwned {
    /// Its shape.
    fn shape() -> &'static Shape;

    /// Checks and reads a body.
    ///
    /// # Errors
    /// All problems, in the words of upstream's validator.
    fn of(body: Value) -> Result<Self, StorageError> {
        if let Some(problems) = problems(Self::shape(), &body) {
            return Err(StorageError::validation(problems));
        }
        serde_json::from_value(body).map_err(StorageError::internal)
    }
}

/// `CreateVectorBucket`, `GetVectorBucket`, `DeleteVectorBucket`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BucketName {
    pub(crate) vector_bucket_name: String,
}

/// `ListVectorBuckets`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListBuckets {
    #[serde(flatten)]
    pub(crate) page: Page,
}

/// `ListIndexes`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListIndexes {
    pub(crate) vector_bucket_name: String,
    #[serde(flatten)]
    pub(crate) page: Page,
}

/// Part of a list.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Page {
    max_results: Option<f64>,
    pub(crate) next_token: Option<String>,
    pub(crate) prefix: Option<String>,
}

/// `CreateIndex`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateIndex {
    pub(crate) data_type: String,
    dimension: f64,
    pub(crate) distance_metric: String,
    pub(crate) index_name: String,
    pub(crate) metadata_configuration: Option<Value>,
    pub(crate) vector_bucket_name: String,
}

/// `GetIndex`, `DeleteIndex`, and where the vectors of other requests are.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IndexName {
    pub(crate) vector_bucket_name: String,
    pub(crate) index_name: String,
}

/// `PutVectors`
#[derive(Debug, Deserialize)]
pub(crate) struct PutVectors {
    #[serde(flatten)]
    pub(crate) index: IndexName,
    pub(crate) vectors: Vec<Vector>,
}

/// A vector to write.
#[derive(Debug, Deserialize)]
pub(crate) struct Vector {
    pub(crate) key: String,
    pub(crate) data: Data,
    #[serde(default)]
    pub(crate) metadata: Map<String, Value>,
}

/// The numbers of a vector.
#[derive(Debug, Deserialize)]
pub(crate) struct Data {
    pub(crate) float32: Vec<f64>,
}

/// `GetVectors`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetVectors {
    #[serde(flatten)]
    pub(crate) index: IndexName,
    pub(crate) keys: Vec<String>,
    #[serde(default)]
    pub(crate) return_data: bool,
    #[serde(default)]
    pub(crate) return_metadata: bool,
}

/// `DeleteVectors`
#[derive(Debug, Deserialize)]
pub(crate) struct DeleteVectors {
    #[serde(flatten)]
    pub(crate) index: IndexName,
    pub(crate) keys: Vec<String>,
}

/// `ListVectors`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListVectors {
    #[serde(flatten)]
    pub(crate) index: IndexName,
    max_results: Option<f64>,
    pub(crate) next_token: Option<String>,
    #[serde(default)]
    pub(crate) return_data: bool,
    #[serde(default)]
    pub(crate) return_metadata: bool,
    segment_count: Option<f64>,
    segment_index: Option<f64>,
}

/// `QueryVectors`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueryVectors {
    #[serde(flatten)]
    pub(crate) index: IndexName,
    pub(crate) query_vector: Data,
    top_k: f64,
    pub(crate) filter: Option<Value>,
    #[serde(default)]
    pub(crate) return_distance: bool,
    #[serde(default)]
    pub(crate) return_metadata: bool,
}

/// An integer that JSON may write with a fraction of zero.
#[expect(clippy::cast_possible_truncation, reason = "the shape has limited it")]
fn integer(number: f64) -> i64 {
    number as i64
}

impl Page {
    /// How many rows there may be.
    pub(crate) fn limit(&self) -> i64 {
        self.max_results.map_or(limits::PAGE, integer)
    }
}

impl CreateIndex {
    /// The number of dimensions.
    pub(crate) fn dimension(&self) -> i64 {
        integer(self.dimension)
    }
}

impl QueryVectors {
    /// How many neighbours there may be.
    pub(crate) fn top_k(&self) -> i64 {
        integer(self.top_k)
    }
}

impl ListVectors {
    /// How many vectors there may be.
    pub(crate) fn limit(&self) -> i64 {
        self.max_results.map_or(limits::PAGE, integer)
    }

    /// The number of segments and which of them is meant; `None` for all vectors.
    ///
    /// # Errors
    /// If one is given without the other, or if there is no such segment.
    pub(crate) fn segment(&self) -> Result<Option<(i64, i64)>, StorageError> {
        match (self.segment_count.map(integer), self.segment_index.map(integer)) {
            (None, None) => Ok(None),
            (Some(count), Some(index)) if index < count => Ok(Some((count, index))),
            (Some(_), Some(_)) => Err(StorageError::invalid_parameter("segmentIndex must be less than segmentCount")),
            _ => {
                let message = "segmentCount and segmentIndex must be provided together";
                Err(StorageError::invalid_parameter(message))
            }
        }
    }
}
