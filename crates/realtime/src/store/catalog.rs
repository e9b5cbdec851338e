//! What the system catalogs say of a table whose changes somebody wants to know.

use std::collections::{HashMap, HashSet};

use pg::CatalogExpr;
use pg::error::Error;
use pg::pool::{Connection, Query, Row};

/// A table.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) has_row_security: bool,
    /// In the order of the table.
    pub(crate) columns: Vec<Column>,
}

/// A column.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// The name of its type as `pg_type` has it: `int8`, `_text`.
    pub(crate) type_name: String,
    /// The type as SQL writes it, without a length.
    pub(crate) type_sql: CatalogExpr,
    /// The type as PostgreSQL names it in messages: `bigint`, `text[]`.
    pub(crate) type_shown: String,
    /// `typcategory` of the type, or of what a domain is based on.
    pub(crate) category: u8,
    pub(crate) is_key: bool,
    /// The roles that may select it, of those that were asked about.
    pub(crate) readers: HashSet<String>,
}

impl Table {
    /// The column of this name.
    pub(crate) fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The columns of the primary key.
    pub(crate) fn key(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| column.is_key)
    }
}

/// The tables with these oids, with what `roles` may select. A table that is gone is left out.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn tables(
    connection: &Connection,
    oids: &[u32],
    roles: &[String],
) -> Result<HashMap<u32, Table>, Error> {
    let rows = connection.query(include_str!("tables.sql"), &[&oids, &roles]).await?;
    let mut tables: HashMap<u32, Table> = HashMap::new();
    for row in rows {
        let table = tables
            .entry(row.get("oid"))
            .or_insert_with(|| Table { has_row_security: row.get("has_row_security"), columns: Vec::new() });
        table.columns.push(column(&row));
    }
    Ok(tables)
}

fn column(row: &Row) -> Column {
    let category: String = row.get("category");
    Column {
        name: row.get("name"),
        type_name: row.get("type_name"),
        type_sql: CatalogExpr::from_catalog(row.get("type_sql")),
        type_shown: row.get("type_shown"),
        category: category.bytes().next().unwrap_or_default(),
        is_key: row.get("is_key"),
        readers: row.get::<_, Vec<String>>("readers").into_iter().collect(),
    }
}

/// The oids of the published tables that a subscription is about; `*` stands for all.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn published(connection: &Connection, schema: &str, table: &str) -> Result<Vec<u32>, Error> {
    let rows = connection.query(include_str!("published.sql"), &[&schema, &table]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// The publications that exist, of those that realtime reads.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn publications(connection: &Connection) -> Result<Vec<String>, Error> {
    let rows = connection.query(include_str!("publications.sql"), &[]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// Whether all transactions are visible, by the low halves of their numbers.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn are_visible(connection: &Connection, xids: &[u32]) -> Result<bool, Error> {
    let xids: Vec<i64> = xids.iter().map(|xid| i64::from(*xid)).collect();
    let row = connection.query_one(include_str!("are_visible.sql"), &[&xids]).await?;
    Ok(row.get(0))
}

/// Whether one plan of a statement about a table, with row security, may serve several sets of claims. A plan holds the results of
/// immutable functions, and a project may wrongly call a function immutable that reads the claims. So none may be among the
/// functions that the policies of the table need, or the policies and views of the tables that those need, and neither may a
/// function in SQL whose body PostgreSQL may write into the plan. Functions in C cannot read claims.
///
/// What a function does in a statement of its own is not looked at: PostgreSQL keeps plans of those for each session anyway.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn may_share_plan(database: &impl Query, table: u32) -> Result<bool, Error> {
    let row = database.query_one(include_str!("may_share_plan.sql"), &[&table]).await?;
    Ok(row.get(0))
}
