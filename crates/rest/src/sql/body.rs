//! A JSON body as typed rows; the whole body is one parameter.

use bytes::Bytes;
use pg::{Ident, Snippet};

use crate::plan::field::PlannedField;

/// How a body becomes rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    /// Missing keys get their column's default.
    pub(super) defaults: bool,
    /// Only the first row counts.
    pub(super) first_only: bool,
}

/// `from …, lateral (…) pgrst_body`: the rows of the body, with the columns of `fields`.
pub(super) fn from(body: &Bytes, fields: &[PlannedField], reading: Reading) -> Snippet {
    let is_object = body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
    let mut sql = Snippet::raw("from (select ");
    sql.param(body.clone()).push(if reading.defaults { "::jsonb" } else { "::json" });
    sql.push(" as json_data) pgrst_payload, ");
    let source = if reading.defaults {
        sql.append(with_defaults(fields, is_object));
        "pgrst_json_defs.val"
    } else {
        "pgrst_payload.json_data"
    };
    sql.push("lateral (select ");
    sql.append(Snippet::join(fields.iter().map(read), ", ")).push(" from ");
    if fields.is_empty() {
        // Objects without keys still give one row each.
        match (is_object, reading.defaults) {
            (true, _) => sql.push("(values (1)) _"),
            (false, true) => sql.push("jsonb_array_elements(").push(source).push(") _"),
            (false, false) => sql.push("json_array_elements(").push(source).push(") _"),
        };
    } else {
        sql.push(match (is_object, reading.defaults) {
            (true, true) => "jsonb_to_record(",
            (true, false) => "json_to_record(",
            (false, true) => "jsonb_to_recordset(",
            (false, false) => "json_to_recordset(",
        });
        sql.push(source).push(") as _(").append(Snippet::join(fields.iter().map(typed), ", ")).push(")");
        sql.push(if reading.first_only { " limit 1" } else { "" });
    }
    sql.push(") pgrst_body");
    sql
}

/// Merges each object over an object of the defaults, so that an explicit null stays null.
fn with_defaults(fields: &[PlannedField], is_object: bool) -> Snippet {
    let pairs = fields.iter().filter_map(|field| {
        let default = field.default.as_ref()?;
        let mut sql = Snippet::new();
        sql.literal(&field.name).push(", ").expression(default);
        Some(sql)
    });
    let mut defaults = Snippet::raw("jsonb_build_object(");
    defaults.append(Snippet::join(pairs, ", ")).push(")");
    let mut sql = Snippet::raw("lateral (select ");
    if is_object {
        sql.append(defaults).push(" || pgrst_payload.json_data as val");
    } else {
        sql.push("jsonb_agg(").append(defaults);
        sql.push(" || elem) as val from jsonb_array_elements(pgrst_payload.json_data) elem");
    }
    sql.push(") pgrst_json_defs, ");
    sql
}

/// The column, converted for storage.
fn read(field: &PlannedField) -> Snippet {
    let name = Ident::new(&field.name);
    match &field.transform {
        Some(function) => {
            let mut sql = Snippet::new();
            sql.qualified(function).push("(").ident(&name).push(") as ").ident(&name);
            sql
        }
        None => Snippet::name(&name),
    }
}

/// The column definition: name and type.
fn typed(field: &PlannedField) -> Snippet {
    let mut sql = Snippet::name(&Ident::new(&field.name));
    sql.push(" ");
    match &field.type_name {
        Some(name) => sql.qualified(name),
        None => sql.push("text"),
    };
    sql
}
