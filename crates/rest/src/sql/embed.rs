//! Embeds: lateral joins, and the columns that they add to their parent.

use pg::{Ident, QualifiedIdent, Snippet};

use super::condition::order_by;
use super::read::{aggregated, node};
use crate::plan::node::{Embedded, ReadNode, Spread, SpreadField};
use crate::request::select::Join;

/// The alias of an embed's rows in its parent's query.
pub(super) fn rows_alias(embedded: &Embedded) -> &str {
    match embedded {
        Embedded::Json { rows_alias, .. } | Embedded::Spread { rows_alias, .. } => rows_alias,
    }
}

/// The columns that an embed adds, each with whether it is an aggregate. They are jsonb, because PostgreSQL cannot
/// group by json; so the keys of an embed have jsonb's order and spacing.
pub(super) fn columns(embedded: &Embedded) -> Vec<(Snippet, bool)> {
    match embedded {
        Embedded::Json { is_empty: true, .. } => Vec::new(),
        Embedded::Json { name, rows_alias, is_array, .. } => {
            let alias = Ident::new(rows_alias);
            let mut sql = Snippet::new();
            if *is_array {
                sql.push("coalesce(").ident(&alias).push(".").ident(&alias).push(", '[]')");
            } else {
                sql.push("row_to_json(").ident(&alias).push(".*)::jsonb");
            }
            sql.push(" as ").ident(&Ident::new(name));
            vec![(sql, false)]
        }
        Embedded::Spread { fields, rows_alias } => {
            fields.iter().map(|field| (spread_column(rows_alias, field), field.aggregate.is_some())).collect()
        }
    }
}

fn spread_column(rows_alias: &str, field: &SpreadField) -> Snippet {
    let value = super::condition::column(&QualifiedIdent::new("", rows_alias), &field.name);
    let mut sql = aggregated(field.aggregate, field.aggregate_cast.as_deref(), value);
    if let Some(alias) = &field.alias {
        sql.push(" as ").ident(&Ident::new(alias));
    }
    sql
}

/// The lateral join that computes an embed for each row of its parent.
pub(super) fn join(embedded: &Embedded, child: &ReadNode) -> Snippet {
    let alias = Ident::new(rows_alias(embedded));
    let is_inner = child.join == Join::Inner;
    let mut sql = Snippet::raw(if is_inner { " inner join lateral (" } else { " left join lateral (" });
    let is_array = match embedded {
        Embedded::Json { is_array, .. } => {
            sql.append(if *is_array { array(child, &alias) } else { node(child) });
            *is_array
        }
        Embedded::Spread { fields, .. } => match &child.spread {
            Some(Spread::ToMany { .. }) => {
                sql.append(arrays(child, &alias, fields));
                true
            }
            _ => {
                sql.append(node(child));
                false
            }
        },
    };
    sql.push(") as ").ident(&alias).push(" on ");
    // An aggregated array exists even without rows, so an inner join must look inside.
    if is_array && is_inner {
        sql.ident(&alias).push(".").ident(&alias).push(" is not null")
    } else {
        sql.push("true")
    };
    sql
}

fn array(child: &ReadNode, alias: &Ident) -> Snippet {
    let mut sql = Snippet::raw("select json_agg(");
    sql.ident(alias).push(")::jsonb as ").ident(alias).push(" from (").append(node(child)).push(") as ").ident(alias);
    sql
}

/// One array per column. The first column only shows whether there are rows.
fn arrays(child: &ReadNode, alias: &Ident, fields: &[SpreadField]) -> Snippet {
    let order = match &child.spread {
        Some(Spread::ToMany { order, .. }) => order.as_slice(),
        _ => &[],
    };
    let rows = QualifiedIdent::new("", alias.as_str());
    let mut sql = Snippet::raw("select nullif(count(*), 0) as ");
    sql.ident(alias);
    for field in fields {
        sql.push(", coalesce(json_agg(").append(super::condition::column(&rows, &field.name));
        sql.append(order_by(&rows, order)).push("), '[]')::jsonb as ");
        sql.ident(&Ident::new(field.alias.as_ref().unwrap_or(&field.name)));
    }
    sql.push(" from (").append(node(child)).push(") as ").ident(alias);
    sql
}
