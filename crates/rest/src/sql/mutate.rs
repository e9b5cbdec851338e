//! Writes: insert, update, delete.

use pg::{Ident, QualifiedIdent, Snippet};

use super::body::{self, Reading};
use super::condition::{column, condition, where_all};
use super::{read, result};
use crate::catalog::handler::Handler;
use crate::plan::DbPlan;
use crate::plan::field::{Condition, PlannedField};
use crate::plan::mutate::{InsertPlan, MutatePlan};
use crate::request::ApiRequest;
use crate::request::prefer::{Representation, Resolution};

/// `with source as (the write) select …`.
pub(super) fn statement(plan: &DbPlan, mutation: &MutatePlan, request: &ApiRequest) -> Snippet {
    let mut sql = Snippet::raw("with ");
    sql.push(result::SOURCE).push(" as (").append(write(mutation)).push(")");
    let row = result::AnswerRow {
        total: Snippet::raw("null::bigint"),
        page_total: "count(*)",
        inserted: match mutation {
            MutatePlan::Insert(insert) if insert.counts_inserted() => {
                "nullif(current_setting('pgrst.inserted', true), '')"
            }
            _ => "null::text",
        },
        location: location(mutation, request),
        body: result::body(&plan.handler, None),
    };
    // Without a body nothing is returned, so `select` does not matter.
    let page = if plan.handler == Handler::None {
        let mut page = Snippet::raw("select * from ");
        page.push(result::SOURCE);
        page
    } else {
        read::query(&plan.read)
    };
    sql.append(result::row(row, plan, page));
    sql
}

/// The key of the only written row, for the Location header.
fn location(mutation: &MutatePlan, request: &ApiRequest) -> Snippet {
    let MutatePlan::Insert(insert) = mutation else { return Snippet::raw("null::text") };
    if request.prefer.representation != Some(Representation::HeadersOnly) || insert.primary_key.is_empty() {
        return Snippet::raw("null::text");
    }
    let mut sql = Snippet::raw(
        "case when count(*) = 1 then (select json_agg(json_build_array(e.key, e.value)) from json_each_text((\
         select row_to_json(written) from ",
    );
    sql.push(result::SOURCE).push(" written limit 1)) e where e.key = any(");
    sql.param(super::condition::array_literal(&insert.primary_key)).push("::text[])) end");
    sql
}

fn write(mutation: &MutatePlan) -> Snippet {
    match mutation {
        MutatePlan::Insert(plan) => insert(plan),
        MutatePlan::Update { table, columns, body, conditions, returning: names, defaults } => {
            if columns.is_empty() {
                return nothing(table, names);
            }
            let mut sql = Snippet::raw("update ");
            sql.qualified(table).push(" set ");
            let source = QualifiedIdent::new("", "pgrst_body");
            let assignments = columns.iter().map(|field| {
                let mut sql = Snippet::name(&Ident::new(&field.name));
                sql.push(" = ").append(column(&source, &field.name));
                sql
            });
            sql.append(Snippet::join(assignments, ", ")).push(" ");
            sql.append(body::from(body, columns, Reading { defaults: *defaults, first_only: false }));
            sql.append(which(table, conditions)).append(returning(table, names));
            sql
        }
        MutatePlan::Delete { table, conditions, returning: names } => {
            let mut sql = Snippet::raw("delete from ");
            sql.qualified(table).append(which(table, conditions)).append(returning(table, names));
            sql
        }
    }
}

fn which(table: &QualifiedIdent, conditions: &[Condition]) -> Snippet {
    where_all(conditions.iter().map(|c| condition(table, c)).collect())
}

/// An update without columns changes no row, but must still have the selected columns.
fn nothing(table: &QualifiedIdent, names: &[String]) -> Snippet {
    let mut sql = Snippet::raw("select ");
    if names.is_empty() {
        sql.push("null");
    } else {
        let relation = QualifiedIdent::new("", table.name.as_str());
        sql.append(Snippet::join(names.iter().map(|name| column(&relation, name)), ", "));
    }
    sql.push(" from ").qualified(table).push(" where false");
    sql
}

fn insert(plan: &InsertPlan) -> Snippet {
    let InsertPlan { table, columns, body, key_conditions, .. } = plan;
    let names = |fields: &[PlannedField]| {
        Snippet::join(fields.iter().map(|field| Snippet::name(&Ident::new(&field.name))), ", ")
    };
    let mut sql = Snippet::raw("insert into ");
    sql.qualified(table).push(" ");
    if !columns.is_empty() {
        sql.push("(").append(names(columns)).push(") ");
    }
    let source = QualifiedIdent::new("", "pgrst_body");
    let values = columns.iter().map(|field| column(&source, &field.name));
    sql.push("select ").append(Snippet::join(values, ", ")).push(" ");
    sql.append(body::from(body, columns, Reading { defaults: plan.defaults, first_only: false }));
    let mut conditions: Vec<Snippet> = Vec::new();
    if plan.counts_inserted() {
        conditions.push(Snippet::raw(COUNT_UP));
    }
    conditions.extend(key_conditions.iter().map(|c| condition(&source, c)));
    sql.append(where_all(conditions));
    if let Some((resolution, key)) = &plan.on_conflict
        && !key.is_empty()
    {
        sql.append(on_conflict(*resolution, key, columns));
    }
    sql.append(returning(table, &plan.returning));
    sql
}

/// Counts the rows to insert; conflicting rows are subtracted again. Always true.
const COUNT_UP: &str = "set_config('pgrst.inserted', \
     (coalesce(nullif(current_setting('pgrst.inserted', true), '')::int, 0) + 1)::text, true) <> '0'";
const COUNT_DOWN: &str = " where set_config('pgrst.inserted', \
     (coalesce(nullif(current_setting('pgrst.inserted', true), '')::int, 0) - 1)::text, true) <> '-1'";

fn on_conflict(resolution: Resolution, key: &[String], columns: &[PlannedField]) -> Snippet {
    let ident = |name: &String| Snippet::name(&Ident::new(name));
    let mut sql = Snippet::raw(" on conflict (");
    sql.append(Snippet::join(key.iter().map(ident), ", ")).push(") do ");
    if resolution == Resolution::Ignore || columns.is_empty() {
        sql.push("nothing");
        return sql;
    }
    let assignments = columns.iter().map(|field| {
        let name = Ident::new(&field.name);
        let mut sql = Snippet::name(&name);
        sql.push(" = excluded.").ident(&name);
        sql
    });
    sql.push("update set ").append(Snippet::join(assignments, ", ")).push(COUNT_DOWN);
    sql
}

fn returning(table: &QualifiedIdent, names: &[String]) -> Snippet {
    let mut sql = Snippet::raw(" returning ");
    if names.is_empty() {
        // One column of any kind: rows are counted.
        sql.push("1");
    } else {
        sql.append(Snippet::join(names.iter().map(|name| column(table, name)), ", "));
    }
    sql
}
