//! TypeScript types of a database for supabase-js, the same as `supabase gen types typescript` prints (postgres-meta's generator,
//! Supabase CLI 3.1).

mod catalog;
mod collation;
mod field_types;
mod functions;
mod load;
mod node;
mod nullability;
mod relationships;
mod write;

use pg::Target;

/// The types of `schemas`; `extra_search_path` names further schemas whose views may lie between them and their tables.
///
/// # Errors
/// Those of the database.
pub async fn generate(target: &Target, schemas: &[String], extra_search_path: &[String]) -> Result<String, pg::Error> {
    let mut catalog = load::load(target, schemas, extra_search_path).await?;
    nullability::apply(&mut catalog);
    Ok(write::write(&catalog))
}
