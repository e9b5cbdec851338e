//! The TypeScript type of a PostgreSQL type.

use super::catalog::{Catalog, Relation, Type};

/// The type named `format` in `type_schema`, as a value of JSON has it.
pub(super) fn field_type(catalog: &Catalog, format: &str, type_schema: &str) -> String {
    let fixed = match format {
        "bool" => "boolean",
        "int2" | "int4" | "int8" | "float4" | "float8" | "numeric" => "number",
        "bytea" | "bpchar" | "varchar" | "date" | "text" | "citext" | "time" | "timetz" | "timestamp"
        | "timestamptz" | "uuid" | "vector" | "interval" => "string",
        "json" | "jsonb" => "Json",
        "void" => "undefined",
        "record" => "Record<string, unknown>",
        _ => return named(catalog, format, type_schema),
    };
    fixed.to_owned()
}

fn named(catalog: &Catalog, format: &str, type_schema: &str) -> String {
    if let Some(element) = format.strip_prefix('_') {
        return format!("({})[]", field_type(catalog, element, type_schema));
    }
    let find = |is_such: fn(&Type) -> bool| {
        let mut same = catalog.types.iter().filter(|found| found.name == format && is_such(found));
        same.clone().find(|found| found.schema == type_schema).or_else(|| same.next())
    };
    if let Some(found) = find(|found| !found.labels.is_empty()) {
        if catalog.has_schema(&found.schema) {
            return format!("Database[{}]['Enums'][{}]", json(&found.schema), json(&found.name));
        }
        return found.labels.iter().map(|label| json(label)).collect::<Vec<_>>().join("|");
    }
    if let Some(found) = find(|found| !found.attributes.is_empty()) {
        if catalog.has_schema(&found.schema) {
            return format!("Database[{}]['CompositeTypes'][{}]", json(&found.schema), json(&found.name));
        }
        return "unknown".to_owned();
    }
    relation_type(catalog, format, type_schema)
        .map_or_else(|| "unknown".to_owned(), |relation| format!("{relation}['Row']"))
}

/// The type of a relation, whose rows have its name as their type. One of the same name in another schema will do.
pub(super) fn relation_type(catalog: &Catalog, name: &str, schema: &str) -> Option<String> {
    let kinds: [fn(&Relation) -> bool; 4] = [
        |relation| matches!(relation.kind, 'r' | 'p'),
        |relation| relation.kind == 'f',
        |relation| relation.kind == 'v',
        |relation| relation.kind == 'm',
    ];
    let find = |is_it: &dyn Fn(&Relation) -> bool| {
        kinds.iter().find_map(|is_such| catalog.relations.iter().find(|relation| is_such(relation) && is_it(relation)))
    };
    let exact = find(&|relation| relation.name == name && relation.schema == schema);
    let relation = exact.or_else(|| find(&|relation| relation.name == name))?;
    let kind = if relation.is_view() { "Views" } else { "Tables" };
    let is_known = catalog.has_schema(&relation.schema);
    is_known.then(|| format!("Database[{}]['{kind}'][{}]", json(&relation.schema), json(&relation.name)))
}

/// A string literal.
pub(super) fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
