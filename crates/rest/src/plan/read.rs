//! Plans a read: the tree of a resource and its embeds.
//!
//! The tree is built from `select`; then each parameter is assigned to its node; then relationships are resolved, and
//! last come the passes that depend on them (see [`super::select`] and [`super::spread`]).

use pg::QualifiedIdent;

use super::embed;
use super::field::Resolver;
use super::node::{ReadNode, SOURCE, SelectedField, Spread};
use super::parameters;
use super::select;
use super::spread;
use crate::catalog::Catalog;
use crate::config::Config;
use crate::error::Error;
use crate::request::select::{SelectItem, SelectRelation};
use crate::request::{Action, ApiRequest};

/// Plans a read, or what to select from rows written or returned.
pub(crate) fn plan(
    target: &QualifiedIdent,
    request: &ApiRequest,
    catalog: &Catalog,
    config: &Config,
) -> Result<ReadNode, Error> {
    let mut root = ReadNode::new(target.clone(), target.name.as_str(), 0);
    add_items(&mut root, &request.query.select, catalog);
    parameters::apply(&mut root, request, catalog, config)?;
    let from_rows = matches!(request.action, Action::Mutate { .. } | Action::Call { .. } | Action::RoutineInfo { .. });
    if from_rows {
        root.from_alias = Some(target.name.as_str().to_owned());
        root.from = QualifiedIdent::new("", SOURCE);
    }
    embed::relate(&mut root, catalog, target.schema.as_str())?;
    select::expand_stars(&mut root, catalog, target.schema.as_str());
    select::name_fields(&mut root);
    select::relate_orders(&mut root)?;
    select::recognise_null_tests(&mut root);
    select::collect_embedded(&mut root);
    spread::check_aggregates(&root, config.db_aggregates_enabled)?;
    spread::hoist_aggregates(&mut root);
    spread::order_arrays(&mut root)?;
    if !matches!(request.action, Action::Mutate { .. }) {
        cap_rows(&mut root, config.db_max_rows);
    }
    Ok(root)
}

fn add_items(node: &mut ReadNode, items: &[SelectItem], catalog: &Catalog) {
    let resolver = Resolver::of(catalog, &node.from);
    for item in items {
        match item {
            SelectItem::Field(item) => node.select.push(SelectedField {
                field: resolver.shown(&item.field),
                aggregate: item.aggregate,
                aggregate_cast: item.aggregate_cast.clone(),
                cast: item.cast.clone(),
                alias: item.alias.clone(),
            }),
            SelectItem::Relation(relation) => {
                let mut child = child_of(node, relation);
                add_items(&mut child, &relation.items, catalog);
                node.children.push(child);
            }
        }
    }
}

fn child_of(parent: &ReadNode, relation: &SelectRelation) -> ReadNode {
    let from = QualifiedIdent::new(parent.from.schema.as_str(), &relation.name);
    ReadNode {
        alias: relation.alias.clone(),
        hint: relation.hint.clone(),
        join: relation.join,
        spread: relation.spread.then_some(Spread::ToOne),
        ..ReadNode::new(from, &relation.name, parent.depth + 1)
    }
}

fn cap_rows(node: &mut ReadNode, max_rows: Option<i64>) {
    node.range = node.range.capped(max_rows);
    for child in &mut node.children {
        cap_rows(child, max_rows);
    }
}
