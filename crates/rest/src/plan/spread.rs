//! Spread embeds (`...embed()`): moves aggregates up to the node where they apply, and orderings into the arrays.

use super::field::PlannedField;
use super::node::{Embedded, OrderBy, ReadNode, SelectedField, Spread};
use crate::error::Error;
use crate::request::select::Aggregate;

/// Refuses aggregates if they are disabled.
pub(super) fn check_aggregates(node: &ReadNode, enabled: bool) -> Result<(), Error> {
    if !enabled && node.select.iter().any(|item| item.aggregate.is_some()) {
        return Err(Error::AggregatesDisabled);
    }
    node.children.iter().try_for_each(|child| check_aggregates(child, enabled))
}

/// An aggregate on its way up: its rows, column and alias.
#[derive(Clone)]
struct Hoisted {
    rows_alias: String,
    column: String,
    aggregate: Aggregate,
    cast: Option<String>,
    alias: Option<String>,
}

/// Moves aggregates of to-one spreads up to the first node that is not spread, because the embed has only one row.
pub(super) fn hoist_aggregates(root: &mut ReadNode) {
    hoist(root);
}

fn hoist(node: &mut ReadNode) -> Vec<Hoisted> {
    let mut from_children: Vec<Hoisted> = node.children.iter_mut().flat_map(hoist).collect();
    if matches!(node.spread, Some(Spread::ToOne)) && node.relationship.is_some() {
        let own: Vec<Hoisted> = node.select.iter_mut().filter_map(|item| take(item, &node.rows_alias)).collect();
        for hoisted in &mut from_children {
            hoisted.rows_alias.clone_from(&node.rows_alias);
        }
        return own.into_iter().chain(from_children).collect();
    }
    for embedded in &mut node.embedded {
        let Embedded::Spread { fields, rows_alias } = embedded else { continue };
        for field in fields {
            let found = from_children.iter().find(|h| h.rows_alias == *rows_alias && h.column == field.name);
            if let Some(hoisted) = found {
                field.aggregate = Some(hoisted.aggregate);
                field.aggregate_cast.clone_from(&hoisted.cast);
                field.alias.clone_from(&hoisted.alias);
            }
        }
    }
    Vec::new()
}

fn take(item: &mut SelectedField, rows_alias: &str) -> Option<Hoisted> {
    let aggregate = item.aggregate.take()?;
    Some(Hoisted {
        rows_alias: rows_alias.to_owned(),
        column: item.alias.clone().unwrap_or_else(|| item.field.name.clone()),
        aggregate,
        cast: item.aggregate_cast.take(),
        alias: item.alias.clone(),
    })
}

/// Turns the ordering of a to-many spread into the ordering of its arrays.
///
/// # Errors
/// PGRST127 for aggregates inside it.
pub(super) fn order_arrays(node: &mut ReadNode) -> Result<(), Error> {
    if matches!(node.spread, Some(Spread::ToMany { .. })) {
        let aggregates = node.select.iter().any(|item| item.aggregate.is_some());
        let lifted = node.embedded.iter().any(|embedded| match embedded {
            Embedded::Spread { fields, .. } => fields.iter().any(|field| field.aggregate.is_some()),
            Embedded::Json { .. } => false,
        });
        if aggregates || lifted {
            return Err(Error::NotImplemented(
                "Aggregates are not implemented for one-to-many or many-to-many spreads.",
            ));
        }
        let terms = std::mem::take(&mut node.order);
        let (extra, order) =
            terms.into_iter().enumerate().map(|(i, term)| array_order(&node.rows_alias, i, term)).unzip();
        node.spread = Some(Spread::ToMany { extra, order });
    }
    node.children.iter_mut().try_for_each(order_arrays)
}

fn array_order(rows_alias: &str, index: usize, term: OrderBy) -> ((Option<String>, SelectedField), OrderBy) {
    let alias = format!("{rows_alias}_{}_{}", term.field.name, index + 1);
    let order = OrderBy {
        relation: None,
        field: PlannedField::unknown(&alias, Vec::new()),
        direction: term.direction,
        nulls: term.nulls,
    };
    let selected = SelectedField { field: term.field, alias: Some(alias), ..SelectedField::default() };
    ((term.relation, selected), order)
}
