//! Describes tables and views.

use serde_json::{Map, Value, json};

use super::{comment_into, data_types, put};
use crate::catalog::Catalog;
use crate::catalog::relationship::{Cardinality, Relationship};
use crate::catalog::table::{Column, Table};

/// The path of a relation, with its methods.
pub(super) fn path(table: &Table) -> (String, Value) {
    let name = table.name.name.as_str();
    let filters: Vec<String> = table.columns.iter().map(|column| format!("rowFilter.{name}.{}", column.name)).collect();
    let with_filters = |more: &[&str]| -> Value {
        let all = filters.iter().map(String::as_str).chain(more.iter().copied());
        all.map(reference).collect()
    };
    let body = format!("body.{name}");
    let array = json!({ "type": "array", "items": { "$ref": format!("#/definitions/{name}") } });
    let read = ["select", "order", "range", "rangeUnit", "offset", "limit", "preferCount"];
    let mut path = Map::new();
    let mut add = |verb: &str, parameters: Value, responses: Value| {
        let mut operation = Map::new();
        operation.insert("tags".to_owned(), json!([name]));
        comment_into(&mut operation, table.description.as_deref());
        operation.insert("parameters".to_owned(), parameters);
        operation.insert("responses".to_owned(), responses);
        path.insert(verb.to_owned(), operation.into());
    };
    add(
        "get",
        with_filters(&read),
        json!({ "200": { "description": "OK", "schema": array }, "206": { "description": "Partial Content" } }),
    );
    if table.insertable || table.updatable || table.deletable {
        let post: Value = [body.as_str(), "select", "preferPost"].into_iter().map(reference).collect();
        let no_content = || json!({ "204": { "description": "No Content" } });
        add("post", post, json!({ "201": { "description": "Created" } }));
        add("patch", with_filters(&[&body, "preferReturn"]), no_content());
        add("delete", with_filters(&["preferReturn"]), no_content());
    }
    (format!("/{name}"), path.into())
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/parameters/{name}") })
}

/// The schema of a relation's rows.
pub(super) fn definition(table: &Table, catalog: &Catalog) -> (String, Value) {
    let properties: Map<String, Value> =
        table.columns.iter().map(|column| (column.name.clone(), property(column, table, catalog))).collect();
    let required: Vec<&str> =
        table.columns.iter().filter(|column| !column.nullable).map(|column| column.name.as_str()).collect();
    let mut definition = Map::new();
    put(&mut definition, "description", table.description.as_deref().into());
    put(&mut definition, "type", "object".into());
    put(&mut definition, "properties", properties.into());
    put(&mut definition, "required", required.into());
    (table.name.name.as_str().to_owned(), definition.into())
}

fn property(column: &Column, table: &Table, catalog: &Catalog) -> Value {
    let mut property = data_types::property(&column.data_type.shown);
    let mut set = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            property.insert(name.to_owned(), value);
        }
    };
    set("maxLength", column.max_length.map(Value::from));
    set("enum", (!column.data_type.labels.is_empty()).then(|| column.data_type.labels.clone().into()));
    let default = column.default.as_ref();
    set("default", default.and_then(|default| data_types::default(&column.data_type.shown, default.as_str())));
    set("description", description(column, table, catalog).map(Value::from));
    property.into()
}

/// The comment, with notes on the keys that the column is part of.
fn description(column: &Column, table: &Table, catalog: &Catalog) -> Option<String> {
    let mut notes = Vec::new();
    if table.primary_key.contains(&column.name) {
        notes.push("This is a Primary Key.<pk/>".to_owned());
    }
    if let Some((relation, foreign)) = foreign_key(column, table, catalog) {
        notes.push(format!(
            "This is a Foreign Key to `{relation}.{foreign}`.<fk table='{relation}' column='{foreign}'/>"
        ));
    }
    if notes.is_empty() {
        return column.description.clone();
    }
    let comment = column.description.as_ref().map(|text| format!("{text}\n\n")).unwrap_or_default();
    Some(format!("{comment}Note:\n{}", notes.join("\n")))
}

/// The target of a foreign key of this column alone, preferably a table.
fn foreign_key<'a>(column: &Column, table: &Table, catalog: &'a Catalog) -> Option<(&'a str, &'a str)> {
    let all = catalog.relationships_of(table.name.schema.as_str(), table.name.name.as_str());
    let mut keys: Vec<_> =
        all.iter()
            .filter_map(|rel| {
                let Relationship::Key(rel) = rel else { return None };
                let columns = match &rel.cardinality {
                    Cardinality::ManyToOne { columns, .. }
                    | Cardinality::OneToOne { columns, is_parent: false, .. } => columns,
                    _ => return None,
                };
                match columns.as_slice() {
                    [(own, foreign)] if *own == column.name => {
                        Some((rel.target_is_view, rel.target.name.as_str(), foreign.as_str()))
                    }
                    _ => None,
                }
            })
            .collect();
    keys.sort_by_key(|(is_view, ..)| *is_view);
    keys.first().map(|(_, relation, foreign)| (*relation, *foreign))
}
