//! The shared parameters that paths refer to.

use serde_json::{Value, json};

use crate::catalog::table::Table;

/// All shared parameters: the common ones, and bodies and filters of each relation.
pub(super) fn all(tables: &[&Table]) -> impl Iterator<Item = (String, Value)> {
    fixed().into_iter().chain(tables.iter().copied().flat_map(of_table))
}

fn fixed() -> Vec<(String, Value)> {
    let prefer = |values: &[&str]| {
        let mut parameter = json!({
            "name": "Prefer", "description": "Preference", "required": false, "in": "header", "type": "string",
        });
        if !values.is_empty() {
            parameter["enum"] = values.into();
        }
        parameter
    };
    let text = |name: &str, place: &str, description: &str| json!({ "name": name, "description": description, "required": false, "in": place, "type": "string" });
    let returns = ["return=representation", "return=minimal", "return=none"];
    let resolutions = ["resolution=ignore-duplicates", "resolution=merge-duplicates"];
    let mut unit = text("Range-Unit", "header", "Limiting and Pagination");
    unit["default"] = "items".into();
    [
        ("preferParams", prefer(&[])),
        ("preferReturn", prefer(&returns)),
        ("preferCount", prefer(&["count=none"])),
        ("preferPost", prefer(&[&returns[..], &resolutions[..]].concat())),
        ("select", text("select", "query", "Filtering Columns")),
        ("on_conflict", text("on_conflict", "query", "On Conflict")),
        ("order", text("order", "query", "Ordering")),
        ("range", text("Range", "header", "Limiting and Pagination")),
        ("rangeUnit", unit),
        ("offset", text("offset", "query", "Limiting and Pagination")),
        ("limit", text("limit", "query", "Limiting and Pagination")),
    ]
    .into_iter()
    .map(|(name, parameter)| (name.to_owned(), parameter))
    .collect()
}

fn of_table(table: &Table) -> impl Iterator<Item = (String, Value)> {
    let name = table.name.name.as_str();
    let body = json!({
        "name": name, "description": name, "required": false, "in": "body",
        "schema": { "$ref": format!("#/definitions/{name}") },
    });
    let filters = table.columns.iter().map(move |column| {
        let mut filter = json!({ "name": column.name, "required": false, "in": "query", "type": "string" });
        if let Some(description) = &column.description {
            filter["description"] = description.as_str().into();
        }
        (format!("rowFilter.{name}.{}", column.name), filter)
    });
    std::iter::once((format!("body.{name}"), body)).chain(filters)
}
