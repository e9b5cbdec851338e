//! The tables with the vectors, one for each index, in the schema `storage_vectors`, as upstream keeps them.
//!
//! Source: supabase/storage, `src/storage/protocols/vector/adapter/pgvector/index.ts`.

use pg::pool::{Query, Row, Transaction};
use pg::{Error, Ident, QualifiedIdent, Snippet};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The schema of the tables.
const SCHEMA: &str = "storage_vectors";
/// pgvector's default of `hnsw.ef_search`.
const EF_SEARCH: i64 = 40;

/// The table of an index.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    name: QualifiedIdent,
    index: Ident,
}

/// A vector as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub(crate) key: String,
    /// As pgvector prints it: a JSON array.
    pub(crate) data: Option<String>,
    pub(crate) metadata: Option<Value>,
    pub(crate) distance: Option<f64>,
}

/// Whether the tables can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readiness {
    /// They can.
    Ready,
    /// They can after [`prepare`].
    Preparable,
    /// The server lacks pgvector 0.7, or the right to use it.
    Absent,
}

/// What of the vectors is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) data: bool,
    pub(crate) metadata: bool,
}

/// Part of a list in the order of keys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    pub(crate) limit: i64,
    /// The key before the first.
    pub(crate) after: Option<&'a str>,
    /// How many segments there are, and which is meant.
    pub(crate) segment: Option<(i64, i64)>,
}

/// Which neighbours of a vector are wanted.
#[derive(Debug)]
pub(crate) struct Nearest {
    /// The vector, as pgvector reads it.
    pub(crate) vector: String,
    /// A condition on `metadata`.
    pub(crate) filter: Option<Snippet>,
    pub(crate) is_euclidean: bool,
    pub(crate) limit: i64,
    pub(crate) with_distance: bool,
    pub(crate) with_metadata: bool,
}

/// Puts pgvector's schema on the search path for the rest of the transaction, if the tables can be used.
///
/// # Errors
/// PostgreSQL's error.
pub(crate) async fn readiness(tx: &Transaction<'_>) -> Result<Readiness, Error> {
    let sql = "select
          (select set_config('search_path', quote_ident(nspname), true)
           from pg_extension join pg_namespace on pg_namespace.oid = extnamespace, to_regnamespace('storage_vectors') as home
           where extname = 'vector' and string_to_array(extversion, '.')::int[] >= '{0,7}'
             and has_schema_privilege(home, 'usage') and has_schema_privilege(home, 'create')) is not null,
          to_regprocedure('dugout_platform.prepare_vectors()') is not null
            and exists (select from pg_available_extensions where name = 'vector')";
    let row = tx.query_one(sql, &[]).await?;
    Ok(match (row.get(0), row.get(1)) {
        (true, _) => Readiness::Ready,
        (false, true) => Readiness::Preparable,
        (false, false) => Readiness::Absent,
    })
}

/// Creates the extension and the schema.
///
/// # Errors
/// PostgreSQL's error.
pub(crate) async fn prepare(tx: &Transaction<'_>) -> Result<(), Error> {
    tx.query("select dugout_platform.prepare_vectors()", &[]).await.map(drop)
}

impl Table {
    /// The table of an index. Names may be longer than PostgreSQL's, hence the hash.
    pub(crate) fn of(tenant: &str, bucket: &str, index: &str) -> Self {
        let hash = Sha256::digest(format!("pgvector__{bucket}\0{tenant}-{index}"));
        let hex: String = hash.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        let name = format!("vector_{hex}");
        Table { index: Ident::new(format!("{name}_hnsw")), name: QualifiedIdent::new(SCHEMA, name) }
    }

    /// Creates the table and its index.
    ///
    /// # Errors
    /// PostgreSQL's error; 42P07 if the table exists.
    pub(crate) async fn create(&self, tx: &Transaction<'_>, dimension: i64, is_euclidean: bool) -> Result<(), Error> {
        let mut sql = Snippet::raw("create table ");
        sql.qualified(&self.name).push(" (key text primary key, embedding halfvec(").integer(dimension);
        sql.push(") not null, metadata jsonb not null default '{}'); create index ").ident(&self.index);
        sql.push(" on ").qualified(&self.name).push(" using hnsw (embedding ");
        sql.push(if is_euclidean { "halfvec_l2_ops)" } else { "halfvec_cosine_ops)" });
        tx.script(&sql).await.map(drop)
    }

    /// Drops the table, if it exists.
    ///
    /// # Errors
    /// PostgreSQL's error.
    pub(crate) async fn drop(&self, tx: &Transaction<'_>) -> Result<(), Error> {
        let mut sql = Snippet::raw("drop table if exists ");
        sql.qualified(&self.name);
        tx.script(&sql).await.map(drop)
    }

    /// Writes vectors: a JSON array of objects with `key`, `embedding` and `metadata`.
    ///
    /// # Errors
    /// PostgreSQL's error, such as 22000 for another number of dimensions.
    pub(crate) async fn put(&self, tx: &Transaction<'_>, vectors: String) -> Result<(), Error> {
        let mut sql = Snippet::raw("insert into ");
        // In the order of keys, so that two writers wait for each other instead of blocking each other.
        sql.qualified(&self.name)
            .push(" (key, embedding, metadata) select key, embedding::halfvec, metadata from jsonb_to_recordset(");
        sql.param(vectors).push("::jsonb) as vector (key text, embedding text, metadata jsonb) order by key");
        sql.push(" on conflict (key) do update set embedding = excluded.embedding, metadata = excluded.metadata");
        tx.rows(&sql).await.map(drop)
    }

    /// Those of the vectors that exist.
    ///
    /// # Errors
    /// PostgreSQL's error.
    pub(crate) async fn get(
        &self,
        tx: &Transaction<'_>,
        keys: &[String],
        wanted: Wanted,
    ) -> Result<Vec<Stored>, Error> {
        let mut sql = self.select(wanted);
        sql.push(" where ").append(among(keys));
        Ok(tx.rows(&sql).await?.iter().map(Stored::of).collect())
    }

    /// Part of the vectors.
    ///
    /// # Errors
    /// PostgreSQL's error.
    pub(crate) async fn list(
        &self,
        tx: &Transaction<'_>,
        part: Part<'_>,
        wanted: Wanted,
    ) -> Result<Vec<Stored>, Error> {
        let mut sql = self.select(wanted);
        sql.push(" where true");
        if let Some(after) = part.after {
            sql.push(" and key > ").param(after.to_owned());
        }
        if let Some((count, index)) = part.segment {
            sql.push(" and mod(abs(hashtext(key)::bigint), ").integer(count).push(") = ").integer(index);
        }
        sql.push(" order by key limit ").integer(part.limit);
        Ok(tx.rows(&sql).await?.iter().map(Stored::of).collect())
    }

    /// Deletes those of the vectors that exist.
    ///
    /// # Errors
    /// PostgreSQL's error.
    pub(crate) async fn delete(&self, tx: &Transaction<'_>, keys: &[String]) -> Result<(), Error> {
        let mut sql = Snippet::raw("delete from ");
        sql.qualified(&self.name).push(" where ").append(among(keys));
        tx.rows(&sql).await.map(drop)
    }

    /// The nearest neighbours of a vector, the nearest first.
    ///
    /// # Errors
    /// PostgreSQL's error, such as 22000 for another number of dimensions.
    pub(crate) async fn nearest(&self, tx: &Transaction<'_>, nearest: Nearest) -> Result<Vec<Stored>, Error> {
        // A smaller search would find fewer than the limit.
        let width = nearest.limit.max(EF_SEARCH).to_string();
        tx.query("select set_config('hnsw.ef_search', $1, true)", &[&width]).await?;
        let operator = if nearest.is_euclidean { "embedding <-> " } else { "embedding <=> " };
        let distance = || {
            let mut sql = Snippet::raw(operator);
            sql.param(nearest.vector.clone()).push("::halfvec");
            sql
        };
        let mut sql = Snippet::raw("select key, null::text, ");
        sql.push(if nearest.with_metadata { "metadata, " } else { "null::jsonb, " });
        match nearest.with_distance {
            true => sql.append(distance()),
            false => sql.push("null::float8"),
        };
        sql.push(" from ").qualified(&self.name);
        if let Some(filter) = nearest.filter {
            sql.push(" where ").append(filter);
        }
        sql.push(" order by ").append(distance()).push(" limit ").integer(nearest.limit);
        Ok(tx.rows(&sql).await?.iter().map(Stored::of).collect())
    }

    fn select(&self, wanted: Wanted) -> Snippet {
        let mut sql = Snippet::raw("select key, ");
        sql.push(if wanted.data { "embedding::text, " } else { "null::text, " });
        sql.push(if wanted.metadata { "metadata, " } else { "null::jsonb, " });
        sql.push("null::float8 from ").qualified(&self.name);
        sql
    }
}

fn among(keys: &[String]) -> Snippet {
    let mut sql = Snippet::raw("key = any (array(select jsonb_array_elements_text(");
    sql.param(Value::from(keys).to_string()).push("::jsonb)))");
    sql
}

impl Stored {
    fn of(row: &Row) -> Self {
        Stored { key: row.get(0), data: row.get(1), metadata: row.get(2), distance: row.get(3) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_named_as_upstream_names_them() {
        // printf 'pgvector__bucket\0tenant-index' | sha256sum
        let table = Table::of("tenant", "bucket", "index");
        assert_eq!(table.name.to_string(), r#""storage_vectors"."vector_cd49662e32f8061538765790""#);
    }
}
