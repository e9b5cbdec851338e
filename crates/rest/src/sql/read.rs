//! The query of a resource with its embeds.

use pg::{Ident, QualifiedIdent, Snippet};

use super::cast::cast;
use super::condition::{condition, join_on, order_by, shown, where_all};
use super::embed;
use crate::catalog::relationship::{Cardinality, KeyRelationship, Relationship};
use crate::plan::node::{Embedded, ReadNode, SelectedField, Spread};
use crate::request::Range;
use crate::request::select::Aggregate;

/// The query of the whole tree.
pub(super) fn query(root: &ReadNode) -> Snippet {
    node(root)
}

/// The query of one node.
pub(super) fn node(node: &ReadNode) -> Snippet {
    let relation = node.qualifier();
    let aggregates = aggregates(node);
    let mut columns: Vec<Snippet> = node.select.iter().map(|item| selected(&relation, item)).collect();
    if columns.is_empty() && node.children.is_empty() {
        columns.push(super::condition::column(&relation, "*"));
    }
    let mut grouped: Vec<usize> =
        node.select.iter().enumerate().filter(|(_, item)| item.aggregate.is_none()).map(|(index, _)| index).collect();
    if let Some(Spread::ToMany { extra, .. }) = &node.spread {
        for (embed, item) in extra {
            let of = embed.as_ref().map(|alias| QualifiedIdent::new("", alias));
            columns.push(selected(of.as_ref().unwrap_or(&relation), item));
        }
    }
    for embedded in &node.embedded {
        for (column, is_aggregate) in embed::columns(embedded) {
            if !is_aggregate {
                grouped.push(columns.len());
            }
            columns.push(column);
        }
    }
    let mut sql = Snippet::raw("select ");
    sql.append(Snippet::join(columns, ", ")).append(from(node));
    for embedded in &node.embedded {
        if let Some(child) = node.children.iter().find(|child| child.rows_alias == embed::rows_alias(embedded)) {
            sql.append(embed::join(embedded, child));
        }
    }
    let conditions = node.conditions.iter().map(|c| condition(&relation, c)).chain(node.join_on.iter().map(join_on));
    sql.append(where_all(conditions.collect()));
    if aggregates && !grouped.is_empty() {
        // By position, because the name could also be that of another column.
        sql.push(" group by ");
        for (index, position) in grouped.iter().enumerate() {
            sql.push(if index > 0 { ", " } else { "" }).integer(i64::try_from(position + 1).unwrap_or(i64::MAX));
        }
    }
    sql.append(order_by(&relation, &node.order)).append(window(node.range));
    sql
}

/// Whether this node's query aggregates.
fn aggregates(node: &ReadNode) -> bool {
    let lifted = |embedded: &Embedded| match embedded {
        Embedded::Spread { fields, .. } => fields.iter().any(|field| field.aggregate.is_some()),
        Embedded::Json { .. } => false,
    };
    node.select.iter().any(|item| item.aggregate.is_some()) || node.embedded.iter().any(lifted)
}

fn selected(relation: &QualifiedIdent, item: &SelectedField) -> Snippet {
    let value = cast(shown(relation, &item.field), item.cast.as_deref());
    let mut sql = aggregated(item.aggregate, item.aggregate_cast.as_deref(), value);
    if let Some(alias) = &item.alias {
        sql.push(" as ").ident(&Ident::new(alias));
    }
    sql
}

/// Applies an aggregate to a value, if there is one.
pub(super) fn aggregated(aggregate: Option<Aggregate>, to: Option<&str>, value: Snippet) -> Snippet {
    let Some(aggregate) = aggregate else { return value };
    let mut sql = Snippet::raw(aggregate.name());
    sql.push("(");
    // `count(t.*)` would test the row's columns for null, but rows are to be counted.
    let is_star = matches!(value.render(), (text, params) if params.is_empty() && text.ends_with(".*"));
    if is_star {
        sql.push("*")
    } else {
        sql.append(value)
    };
    sql.push(")");
    cast(sql, to)
}

/// ` from …`, including the junction of a many-to-many relationship.
pub(super) fn from(node: &ReadNode) -> Snippet {
    let mut sql = Snippet::raw(" from ");
    match &node.relationship {
        Some(Relationship::Computed(rel)) => {
            let parent = node.parent_alias.as_deref().unwrap_or(rel.source.name.as_str());
            // The cast selects the function, because rows written or returned have no row type of their own.
            sql.qualified(&rel.function)
                .push("(")
                .ident(&Ident::new(parent))
                .push("::")
                .qualified(&rel.source)
                .push(")");
        }
        _ => {
            sql.qualified(&node.from);
        }
    }
    if let Some(alias) = &node.from_alias {
        sql.push(" as ").ident(&Ident::new(alias));
    }
    if let Some(Relationship::Key(KeyRelationship { cardinality: Cardinality::ManyToMany(junction), .. })) =
        &node.relationship
    {
        sql.push(", ").qualified(&junction.relation);
    }
    sql
}

fn window(range: Range) -> Snippet {
    let mut sql = Snippet::new();
    if range != Range::ALL {
        sql.push(" limit ");
        match range.limit() {
            Some(limit) => sql.param(limit.to_string()),
            None => sql.push("all"),
        };
        sql.push(" offset ").param(range.lower.to_string());
    }
    sql
}
