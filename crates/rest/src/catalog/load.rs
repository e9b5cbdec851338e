//! Reads the catalog in one transaction.

use std::collections::HashMap;

use pg::pool::{Query, Transaction};
use pg::{CatalogExpr, QualifiedIdent};
use serde::Deserialize;

use super::handler::{Handler, Handlers};
use super::relationship::{ComputedRelationship, by_source, with_inverses, with_junctions};
use super::routine::{Returns, Routine, Volatility};
use super::table::{Column, Table};
use super::views::{ForeignSide, Key, View, ViewColumns};
use super::{Catalog, settings};
use crate::config::Config;
use crate::request::MediaType;

/// A column as `queries/relations.sql` tells it.
#[derive(Deserialize)]
struct ColumnRow {
    name: String,
    description: Option<String>,
    nullable: bool,
    type_oid: u32,
    type_schema: String,
    type_name: String,
    base_type: String,
    shown_type: String,
    max_length: Option<i64>,
    default: Option<String>,
    labels: Option<Vec<String>>,
}

/// Everything, for the schemas of the configuration. The transaction's search path must be empty, so that types of other
/// schemas are shown with theirs.
pub(crate) async fn load(transaction: &Transaction<'_>, config: &Config) -> Result<Catalog, pg::Error> {
    let mut tables = tables(transaction, config).await?;
    let keys = keys(transaction).await?;
    let views = ViewColumns::trace(&views(transaction, config).await?);
    views.add_primary_keys(&mut tables, &keys);
    let relationships = with_inverses(with_junctions(views.relationships(&keys), &tables, &keys));
    let computed = computed(transaction).await?;
    Ok(Catalog {
        relationships: by_source(relationships, computed, &config.db_schemas),
        tables,
        routines: routines(transaction, config).await?,
        representations: representations(transaction).await?,
        handlers: handlers(transaction, config).await?,
    })
}

fn unreadable(error: impl std::fmt::Display) -> pg::Error {
    pg::Error::Protocol(format!("catalog: {error}"))
}

async fn tables(transaction: &Transaction<'_>, config: &Config) -> Result<HashMap<QualifiedIdent, Table>, pg::Error> {
    let rows = transaction.query(include_str!("queries/relations.sql"), &[&config.db_schemas]).await?;
    let mut tables = HashMap::with_capacity(rows.len());
    for row in rows {
        let name = QualifiedIdent::new(row.get::<_, &str>("schema"), row.get::<_, &str>("name"));
        let columns: Vec<ColumnRow> = serde_json::from_str(row.get("columns")).map_err(unreadable)?;
        let table = Table {
            name: name.clone(),
            description: row.get("description"),
            insertable: row.get("insertable"),
            updatable: row.get("updatable"),
            deletable: row.get("deletable"),
            primary_key: row.get("primary_key"),
            columns: columns.into_iter().map(Column::from).collect(),
        };
        tables.insert(name, table);
    }
    Ok(tables)
}

impl From<ColumnRow> for Column {
    fn from(row: ColumnRow) -> Self {
        Column {
            name: row.name,
            description: row.description,
            nullable: row.nullable,
            type_oid: row.type_oid,
            type_name: QualifiedIdent::new(row.type_schema, row.type_name),
            base_type: row.base_type,
            shown_type: row.shown_type,
            max_length: row.max_length,
            default: row.default.map(CatalogExpr::from_catalog),
            labels: row.labels.unwrap_or_default(),
        }
    }
}

async fn keys(transaction: &Transaction<'_>) -> Result<Vec<Key>, pg::Error> {
    let rows = transaction.query(include_str!("queries/keys.sql"), &[]).await?;
    Ok(rows
        .into_iter()
        .map(|row| Key {
            name: row.get("name"),
            relation: row.get("relation"),
            positions: row.get("positions"),
            columns: row.get("columns"),
            table: QualifiedIdent::new(row.get::<_, &str>("schema"), row.get::<_, &str>("table_name")),
            is_top: row.get("is_top"),
            foreign: row.get::<_, bool>("is_foreign").then(|| ForeignSide {
                relation: row.get("foreign_relation"),
                positions: row.get("foreign_positions"),
                columns: row.get("foreign_columns"),
                table: QualifiedIdent::new(row.get::<_, &str>("foreign_schema"), row.get::<_, &str>("foreign_table")),
                is_unique: row.get("is_unique"),
            }),
        })
        .collect())
}

async fn views(transaction: &Transaction<'_>, config: &Config) -> Result<Vec<View>, pg::Error> {
    let sql = include_str!("queries/views.sql");
    let rows = transaction.query(sql, &[&config.db_schemas, &config.db_extra_search_path]).await?;
    Ok(rows
        .into_iter()
        .map(|row| View {
            oid: row.get("oid"),
            name: QualifiedIdent::new(row.get::<_, &str>("schema"), row.get::<_, &str>("name")),
            is_exposed: row.get("is_exposed"),
            columns: row.get("columns"),
            query: row.get("query"),
        })
        .collect())
}

async fn computed(transaction: &Transaction<'_>) -> Result<Vec<ComputedRelationship>, pg::Error> {
    let rows = transaction.query(include_str!("queries/computed.sql"), &[]).await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let name = |schema, name| QualifiedIdent::new(row.get::<_, &str>(schema), row.get::<_, &str>(name));
            ComputedRelationship {
                function: name("schema", "name"),
                source: name("source_schema", "source_name"),
                target: name("target_schema", "target_name"),
                to_one: row.get("is_to_one"),
            }
        })
        .collect())
}

async fn routines(
    transaction: &Transaction<'_>,
    config: &Config,
) -> Result<HashMap<QualifiedIdent, Vec<Routine>>, pg::Error> {
    let sql = include_str!("queries/routines.sql");
    let rows = transaction.query(sql, &[&config.db_schemas, &config.db_hoisted_tx_settings]).await?;
    let mut routines: HashMap<QualifiedIdent, Vec<Routine>> = HashMap::new();
    for row in rows {
        let name = QualifiedIdent::new(row.get::<_, &str>("schema"), row.get::<_, &str>("name"));
        let routine = Routine {
            oid: row.get("oid"),
            name: name.clone(),
            description: row.get("description"),
            parameters: serde_json::from_str(row.get("parameters")).map_err(unreadable)?,
            returns: match (row.get("is_composite"), row.get("returns_set")) {
                (false, false) => Returns::Scalar,
                (false, true) => Returns::SetOfScalar,
                (true, false) => Returns::Composite,
                (true, true) => Returns::SetOfComposite,
            },
            return_type: QualifiedIdent::new(row.get::<_, &str>("return_schema"), row.get::<_, &str>("return_name")),
            volatility: match row.get("volatility") {
                "i" => Volatility::Immutable,
                "s" => Volatility::Stable,
                _ => Volatility::Volatile,
            },
            isolation: row.get::<_, Option<&str>>("isolation").and_then(settings::isolation),
            settings: serde_json::from_str(row.get("settings")).map_err(unreadable)?,
        };
        routines.entry(name).or_default().push(routine);
    }
    for overloads in routines.values_mut() {
        overloads.sort_by_cached_key(Routine::rank);
    }
    Ok(routines)
}

async fn representations(transaction: &Transaction<'_>) -> Result<HashMap<(u32, u32), QualifiedIdent>, pg::Error> {
    let rows = transaction.query(include_str!("queries/representations.sql"), &[]).await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let function = QualifiedIdent::new(row.get::<_, &str>("schema"), row.get::<_, &str>("name"));
            ((row.get("source"), row.get("target")), function)
        })
        .collect())
}

async fn handlers(transaction: &Transaction<'_>, config: &Config) -> Result<Handlers, pg::Error> {
    let mut handlers = Handlers::default();
    for row in transaction.query(include_str!("queries/handlers.sql"), &[&config.db_schemas]).await? {
        let schema: Option<&str> = row.get("target_schema");
        let name: Option<&str> = row.get("target_name");
        let target = schema.zip(name).map(|(schema, name)| QualifiedIdent::new(schema, name));
        let function = QualifiedIdent::new(row.get::<_, &str>("handler_schema"), row.get::<_, &str>("handler_name"));
        let accepts = MediaType::parse(row.get("media_type"));
        let produces = MediaType::parse(row.get("produced"));
        handlers.add(target.clone(), accepts, Handler::Custom { function, target }, produces);
    }
    Ok(handlers)
}
