//! Builds a catalog from the rows of the system catalogs.

use std::collections::HashMap;
use std::sync::Arc;

use pg::pool::Row;
use pg::{CatalogExpr, QualifiedIdent};

use super::keys::{Key, Keys, Kind, Named};
use super::rows::Rows;
use super::views::ViewColumns;
use crate::catalog::Catalog;
use crate::catalog::handler::{Handler, Handlers};
use crate::catalog::relationship::{ComputedRelationship, by_source, with_inverses, with_junctions};
use crate::catalog::role_settings;
use crate::catalog::routine::{Returns, Routine, Volatility};
use crate::catalog::table::{Column, DataType, Table};
use crate::config::Config;
use crate::request::MediaType;

/// `events` are the possible commands on views and foreign tables, by OID.
///
/// # Errors
/// [`pg::Error::Protocol`] if a row does not have the columns that its query should return.
pub(crate) fn build(rows: Rows, events: &HashMap<u32, i32>, config: &Config) -> Result<Catalog, pg::Error> {
    let columns = columns(&rows);
    let named = named(&rows.relations, &columns);
    let mut tables = tables(&rows, &named, columns, events);
    let (keys, views) = (keys(&rows.keys), ViewColumns::trace(&rows.views));
    let keys = Keys { keys: &keys, named: &named, views: &views };
    keys.add_primary_keys(&mut tables);
    let relationships = with_inverses(with_junctions(keys.relationships(), &tables));
    let mut relationships = by_source(relationships, computed(&rows.computed), &config.db_schemas);
    for (source, target) in keys.joined_out_of_sight() {
        relationships.entry((source, target.schema.as_str().to_owned())).or_default();
    }
    let routines = routines(&rows.routines)?;
    let (representations, handlers) = (representations(&rows.representations), handlers(&rows.handlers));
    let nonvolatile = rows.nonvolatile.iter();
    let nonvolatile =
        nonvolatile.map(|row| (qualified(row, "schema", "name"), qualified(row, "source_schema", "source_name")));
    Ok(Catalog::new(tables, relationships, routines, representations, handlers).with_nonvolatile(nonvolatile))
}

/// The views and foreign tables. PostgreSQL has to examine each to tell which commands it allows.
pub(crate) fn relations_to_ask(rows: &Rows) -> Vec<u32> {
    let asked = rows.relations.iter().filter(|row| matches!(row.get("kind"), "v" | "f"));
    asked.map(|row| row.get("oid")).collect()
}

fn qualified(row: &Row, schema: &str, name: &str) -> QualifiedIdent {
    QualifiedIdent::new(row.get::<_, &str>(schema), row.get::<_, &str>(name))
}

/// The columns of relations, ordered by position.
fn columns(rows: &Rows) -> HashMap<u32, Vec<(i16, Column)>> {
    let types: HashMap<u32, Arc<DataType>> =
        rows.data_types.iter().map(data_type).map(|data_type| (data_type.oid, Arc::new(data_type))).collect();
    let mut descriptions: HashMap<(u32, i16), &str> = HashMap::new();
    for row in &rows.descriptions {
        if let Ok(position) = i16::try_from(row.get::<_, i32>("position")) {
            descriptions.insert((row.get("relation"), position), row.get("description"));
        }
    }
    let mut columns: HashMap<u32, Vec<(i16, Column)>> = HashMap::with_capacity(rows.relations.len());
    for row in &rows.columns {
        let Some(data_type) = types.get(&row.get("type")) else { continue };
        let (relation, position): (u32, i16) = (row.get("relation"), row.get("position"));
        let column = Column {
            name: row.get("name"),
            description: descriptions.get(&(relation, position)).map(|text| (*text).to_owned()),
            nullable: row.get("nullable"),
            data_type: match row.get::<_, Option<String>>("shown_type") {
                Some(shown) => Arc::new(DataType { shown, ..DataType::clone(data_type) }),
                None => Arc::clone(data_type),
            },
            max_length: row.get("max_length"),
            default: row.get::<_, Option<String>>("default").map(CatalogExpr::from_catalog),
        };
        columns.entry(relation).or_default().push((position, column));
    }
    for columns in columns.values_mut() {
        columns.sort_unstable_by_key(|(position, _)| *position);
    }
    columns
}

fn data_type(row: &Row) -> DataType {
    DataType {
        oid: row.get("oid"),
        name: qualified(row, "schema", "name"),
        base: row.get("base"),
        shown: row.get("shown"),
        labels: row.get("labels"),
    }
}

fn named(relations: &[Row], columns: &HashMap<u32, Vec<(i16, Column)>>) -> HashMap<u32, Named> {
    let mut schemas: HashMap<&str, pg::Ident> = HashMap::new();
    let relations = relations.iter().map(|row| {
        let oid: u32 = row.get("oid");
        // Thousands of relations share a schema, so they share its name.
        let schema: &str = row.get("schema");
        let schema = schemas.entry(schema).or_insert_with(|| schema.into()).clone();
        let columns = columns.get(&oid).map_or(&[][..], Vec::as_slice);
        let named = Named {
            name: QualifiedIdent { schema, name: row.get::<_, &str>("name").into() },
            is_view: matches!(row.get("kind"), "v" | "m"),
            columns: columns.iter().map(|(position, column)| (*position, column.name.clone())).collect(),
        };
        (oid, named)
    });
    relations.collect()
}

fn tables(
    rows: &Rows,
    named: &HashMap<u32, Named>,
    mut columns: HashMap<u32, Vec<(i16, Column)>>,
    events: &HashMap<u32, i32>,
) -> HashMap<QualifiedIdent, Table> {
    let on_relation = rows.descriptions.iter().filter(|row| row.get::<_, i32>("position") == 0);
    let descriptions: HashMap<u32, &str> =
        on_relation.map(|row| (row.get("relation"), row.get("description"))).collect();
    let mut tables = HashMap::with_capacity(rows.relations.len());
    for row in rows.relations.iter().filter(|row| !row.get::<_, bool>("is_partition")) {
        let oid: u32 = row.get("oid");
        let Some(Named { name, .. }) = named.get(&oid) else { continue };
        let is_table = matches!(row.get("kind"), "r" | "p");
        // The bits of pg_relation_is_updatable are 1 << CmdType.
        let bits = events.get(&oid).copied().unwrap_or_default();
        let allowed = |command: i32| is_table || bits & (1 << command) != 0;
        let table = Table {
            name: name.clone(),
            description: descriptions.get(&oid).map(|text| (*text).to_owned()),
            is_stored: is_table || row.get::<_, &str>("kind") == "m",
            insertable: allowed(3),
            updatable: allowed(2),
            deletable: allowed(4),
            primary_key: Vec::new(),
            columns: columns.remove(&oid).unwrap_or_default().into_iter().map(|(_, column)| column).collect(),
        };
        tables.insert(name.clone(), table);
    }
    tables
}

fn keys(rows: &[Row]) -> Vec<Key> {
    let mut keys: Vec<Key> = rows
        .iter()
        .map(|row| Key {
            name: row.get("name"),
            kind: match row.get("kind") {
                "p" => Kind::Primary,
                "u" => Kind::Unique,
                _ => Kind::Foreign {
                    relation: row.get("foreign_relation"),
                    positions: row.get("foreign_positions"),
                    is_top: row.get("is_top"),
                },
            },
            relation: row.get("relation"),
            positions: row.get("positions"),
        })
        .collect();
    keys.sort_by(|a, b| (a.relation, &a.name).cmp(&(b.relation, &b.name)));
    keys
}

fn computed(rows: &[Row]) -> Vec<ComputedRelationship> {
    rows.iter()
        .map(|row| ComputedRelationship {
            function: qualified(row, "schema", "name"),
            source: qualified(row, "source_schema", "source_name"),
            target: qualified(row, "target_schema", "target_name"),
            to_one: row.get("is_to_one"),
        })
        .collect()
}

fn routines(rows: &[Row]) -> Result<HashMap<QualifiedIdent, Vec<Routine>>, pg::Error> {
    let unreadable = |error: serde_json::Error| pg::Error::Protocol(format!("catalog: {error}"));
    let mut routines: HashMap<QualifiedIdent, Vec<Routine>> = HashMap::new();
    for row in rows {
        let name = qualified(row, "schema", "name");
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
            return_type: qualified(row, "return_schema", "return_name"),
            volatility: match row.get("volatility") {
                "i" => Volatility::Immutable,
                "s" => Volatility::Stable,
                _ => Volatility::Volatile,
            },
            isolation: row.get::<_, Option<&str>>("isolation").and_then(role_settings::isolation),
            settings: serde_json::from_str(row.get("settings")).map_err(unreadable)?,
        };
        routines.entry(name).or_default().push(routine);
    }
    for overloads in routines.values_mut() {
        overloads.sort_by_cached_key(Routine::rank);
    }
    Ok(routines)
}

fn representations(rows: &[Row]) -> HashMap<(u32, u32), QualifiedIdent> {
    rows.iter().map(|row| ((row.get("source"), row.get("target")), qualified(row, "schema", "name"))).collect()
}

fn handlers(rows: &[Row]) -> Handlers {
    let mut handlers = Handlers::default();
    for row in rows {
        let target: Option<&str> = row.get("target_schema");
        let target = target.map(|schema| QualifiedIdent::new(schema, row.get::<_, &str>("target_name")));
        let function = qualified(row, "handler_schema", "handler_name");
        let accepts = MediaType::parse(row.get("media_type"));
        let produces = MediaType::parse(row.get("produced"));
        handlers.add(target.clone(), accepts, Handler::Custom { function, target }, produces);
    }
    handlers
}
