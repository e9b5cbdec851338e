//! Vector buckets: their indexes, and the vectors in these.
//!
//! Source: supabase/storage, `src/storage/protocols/vector/vector-store.ts`.

pub(crate) mod buckets;
pub(crate) mod indexes;
pub(crate) mod records;

use actix_web::HttpRequest;
use pg::pool::{Connection, Transaction};

use crate::error::StorageError;
use crate::session::Requester;
use crate::state::State;
use crate::store::vector_tables::{self, Readiness};

/// What a request works with.
pub(crate) struct Vectors<'a> {
    pub(crate) state: &'a State,
    requester: Requester,
}

impl<'a> Vectors<'a> {
    /// `operation` is the value of `storage.operation()`.
    pub(crate) fn new(state: &'a State, request: &HttpRequest, operation: &'static str) -> Self {
        Vectors { state, requester: Requester::new(state, request, None, operation) }
    }

    /// A transaction where pgvector's names are found, if it is there.
    ///
    /// # Errors
    /// `FeatureNotEnabled` if pgvector is missing.
    async fn begin<'c>(&self, connection: &'c mut Connection) -> Result<(Transaction<'c>, Readiness), StorageError> {
        let tx = self.requester.as_service(connection).await?;
        match vector_tables::readiness(&tx).await.map_err(StorageError::database)? {
            Readiness::Absent => Err(StorageError::vectors_absent()),
            readiness => Ok((tx, readiness)),
        }
    }

    /// Names the table of an index.
    fn table(&self, bucket: &str, index: &str) -> vector_tables::Table {
        vector_tables::Table::of(&self.state.config.tenant, bucket, index)
    }
}

/// What PostgreSQL says about vectors.
///
/// DEVIATION (words): vectors that do not fit an index, or whose numbers do not fit `halfvec`, are answered with 400; upstream
/// answers 500.
fn refused(error: pg::Error, index: &str) -> StorageError {
    let Some(database) = error.database() else { return StorageError::database(error) };
    match database.code.as_str() {
        "42P01" => StorageError::vector_not_found(index),
        "42P07" | "23505" => StorageError::vector_conflict("vector-index", index),
        code if code.starts_with("22") => StorageError::invalid_parameter(database.message.clone()),
        _ => StorageError::database(error),
    }
}
