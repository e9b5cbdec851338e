//! Passes over the tree after relationships are resolved: `*`, names, orderings and null tests by embeds.

use pg::QualifiedIdent;

use super::field::{Condition, PlannedField, Resolver};
use super::node::{Embedded, ReadNode, SOURCE, SelectedField, Spread, SpreadField};
use crate::catalog::Catalog;
use crate::error::Error;
use crate::request::filter::{IsValue, Operation};
use crate::request::name::JsonOperand;
use crate::request::select::Aggregate;

/// Expands `*` where necessary: for columns with representations, for grouping, and for arrays of a spread.
pub(super) fn expand_stars(root: &mut ReadNode, catalog: &Catalog, schema: &str) {
    expand(root, catalog, schema, false);
}

fn expand(node: &mut ReadNode, catalog: &Catalog, schema: &str, parent_aggregates: bool) {
    let is_array = matches!(node.spread, Some(Spread::ToMany { .. }));
    let aggregates = parent_aggregates || is_array || node.select.iter().any(|item| item.aggregate.is_some());
    let relation = match (&node.from_alias, node.from.name.as_str()) {
        (Some(alias), SOURCE) => QualifiedIdent::new(schema, alias),
        _ => node.from.clone(),
    };
    let resolver = Resolver::of(catalog, &relation);
    let is_spread = node.spread.is_some();
    let has_star = node.select.iter().any(|item| {
        item.field.name == "*" && (item.aggregate.is_none() || is_spread && item.aggregate == Some(Aggregate::Count))
    });
    if has_star && (aggregates || resolver.has_representations()) {
        node.select = std::mem::take(&mut node.select)
            .into_iter()
            .flat_map(|item| expand_item(item, &resolver, is_spread))
            .collect();
    }
    for child in &mut node.children {
        expand(child, catalog, schema, aggregates);
    }
}

fn expand_item(mut item: SelectedField, resolver: &Resolver<'_>, is_spread: bool) -> Vec<SelectedField> {
    match item.aggregate {
        None if item.field.is_star() => {
            resolver.all_shown().into_iter().map(|field| SelectedField { field, ..item.clone() }).collect()
        }
        Some(Aggregate::Count) if is_spread && item.field.is_star() => {
            item.field.full_row = true;
            vec![item]
        }
        _ => vec![item],
    }
}

/// Names columns without an alias: after the last key of a JSON path, the column behind a representation, or the
/// aggregate inside a spread.
pub(super) fn name_fields(node: &mut ReadNode) {
    let is_spread = node.spread.is_some();
    for item in node.select.iter_mut().filter(|item| item.alias.is_none()) {
        item.alias = match item.aggregate {
            Some(aggregate) => is_spread.then(|| aggregate.name().to_owned()),
            None if !item.field.path.is_empty() => Some(path_name(&item.field)),
            None => item.field.transform.as_ref().map(|_| item.field.name.clone()),
        };
    }
    node.children.iter_mut().for_each(name_fields);
}

fn path_name(field: &PlannedField) -> String {
    let keys = field.path.iter().rev().find_map(|step| match &step.operand {
        JsonOperand::Key(key) => Some(key.clone()),
        JsonOperand::Index(_) => None,
    });
    keys.unwrap_or_else(|| field.name.clone())
}

/// Checks orderings by columns of embeds, and refers them to the embed's rows.
///
/// # Errors
/// PGRST108 if it is not embedded, PGRST118 if it can have several rows.
pub(super) fn relate_orders(node: &mut ReadNode) -> Result<(), Error> {
    for term in &mut node.order {
        let Some(relation) = &term.relation else { continue };
        let Some(child) = node.children.iter().find(|child| child.shown_name() == relation) else {
            return Err(Error::NotEmbedded { name: relation.clone(), alias: None });
        };
        if !child.relationship.as_ref().is_some_and(|rel| rel.is_to_one()) {
            return Err(Error::RelatedOrder {
                origin: node.from.name.as_str().to_owned(),
                target: child.shown_name().to_owned(),
            });
        }
        term.relation = Some(child.rows_alias.clone());
    }
    node.children.iter_mut().try_for_each(relate_orders)
}

/// `embed=is.null` and `embed=not.is.null` test whether the embed is empty.
pub(super) fn recognise_null_tests(node: &mut ReadNode) {
    let embeds: Vec<(String, String)> =
        node.children.iter().map(|child| (child.shown_name().to_owned(), child.rows_alias.clone())).collect();
    for condition in &mut node.conditions {
        recognise(condition, &embeds);
    }
    node.children.iter_mut().for_each(recognise_null_tests);
}

fn recognise(condition: &mut Condition, embeds: &[(String, String)]) {
    match condition {
        Condition::Group { branches, .. } => {
            for branch in branches {
                recognise(branch, embeds);
            }
        }
        Condition::Filter { field, negated, operation: Operation::Is(IsValue::Null) } if field.path.is_empty() => {
            if let Some((_, alias)) = embeds.iter().find(|(name, _)| *name == field.name) {
                *condition = Condition::EmbedIsNull { negated: *negated, alias: alias.clone() };
            }
        }
        Condition::Filter { .. } | Condition::EmbedIsNull { .. } => {}
    }
}

/// Collects the columns that each embed adds to its parent, from the leaves up.
pub(super) fn collect_embedded(node: &mut ReadNode) {
    node.children.iter_mut().for_each(collect_embedded);
    node.embedded = node.children.iter().map(embedded).collect();
}

fn embedded(child: &ReadNode) -> Embedded {
    let rows_alias = child.rows_alias.clone();
    if child.spread.is_some() {
        return Embedded::Spread { fields: lifted(child), rows_alias };
    }
    Embedded::Json {
        name: child.shown_name().to_owned(),
        rows_alias,
        is_array: !child.relationship.as_ref().is_some_and(|rel| rel.is_to_one()),
        is_empty: selects_nothing(child),
    }
}

/// `embed()`: joined, but without columns.
fn selects_nothing(node: &ReadNode) -> bool {
    node.select.is_empty() && node.children.iter().all(selects_nothing)
}

fn lifted(child: &ReadNode) -> Vec<SpreadField> {
    let plain = |name: &str| SpreadField { name: name.to_owned(), aggregate: None, aggregate_cast: None, alias: None };
    let mut fields: Vec<SpreadField> =
        child.select.iter().map(|item| plain(item.alias.as_deref().unwrap_or(&item.field.name))).collect();
    for embedded in &child.embedded {
        match embedded {
            Embedded::Json { name, .. } => fields.push(plain(name)),
            Embedded::Spread { fields: inner, .. } => fields.extend(inner.iter().cloned()),
        }
    }
    fields
}
