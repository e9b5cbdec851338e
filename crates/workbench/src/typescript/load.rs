//! Reads the catalog from PostgreSQL.

use std::collections::HashMap;

use pg::pool::Query;
use pg::{Error, Pool, PoolConfig, Target};
use serde::de::DeserializeOwned;

use super::catalog::{Catalog, Column};

/// Everything that the types of `schemas` need.
pub(super) async fn load(target: &Target, schemas: &[String], extra: &[String]) -> Result<Catalog, Error> {
    let pool = Pool::new(target, &PoolConfig { size: 1, ..PoolConfig::default() })?;
    let database = pool.get().await?;
    let view_path: Vec<String> = schemas.iter().chain(extra).cloned().collect();
    let mut columns: HashMap<i64, Vec<Column>> = HashMap::new();
    for column in rows::<Column>(&database, include_str!("queries/columns.sql"), Some(schemas)).await? {
        columns.entry(column.table_id).or_default().push(column);
    }
    let mut catalog = Catalog {
        columns,
        schemas: rows(&database, include_str!("queries/schemas.sql"), Some(schemas)).await?,
        relations: rows(&database, include_str!("queries/relations.sql"), Some(schemas)).await?,
        functions: rows(&database, include_str!("queries/functions.sql"), Some(schemas)).await?,
        types: rows(&database, include_str!("queries/row_types.sql"), None).await?,
        foreign_keys: rows(&database, include_str!("queries/foreign_keys.sql"), None).await?,
        views: rows(&database, include_str!("queries/views.sql"), Some(&view_path)).await?,
        view_path,
    };
    catalog.sort();
    Ok(catalog)
}

/// The rows of a query that returns them as one JSON array; `schemas` is its parameter, if it has one.
async fn rows<T: DeserializeOwned>(
    database: &impl Query,
    sql: &'static str,
    schemas: Option<&[String]>,
) -> Result<Vec<T>, Error> {
    let row = match schemas {
        Some(schemas) => database.query_one(sql, &[&schemas]).await?,
        None => database.query_one(sql, &[]).await?,
    };
    let text: String = row.try_get(0).map_err(|error| Error::Protocol(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| Error::Protocol(error.to_string()))
}
