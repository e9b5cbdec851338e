//! Assigns filters, orderings and windows to the nodes of the tree.

use super::field::{PlannedField, Resolver};
use super::node::{OrderBy, ReadNode};
use crate::catalog::Catalog;
use crate::config::Config;
use crate::error::Error;
use crate::request::order::OrderTerm;
use crate::request::query::range_path;
use crate::request::{Action, ApiRequest};

/// Assigns every parameter to its node.
///
/// # Errors
/// PGRST108 for a path to something that is not embedded.
pub(super) fn apply(
    root: &mut ReadNode,
    request: &ApiRequest,
    catalog: &Catalog,
    config: &Config,
) -> Result<(), Error> {
    let legacy = config.url_use_legacy_target_names;
    let is_mutation = matches!(request.action, Action::Mutate { .. });
    // Conditions of a write select the rows to write; they are not applied again to the result.
    let applies = |path: &[String]| !is_mutation || !path.is_empty();
    // From last to first, as upstream folds them: of several bad paths the last is reported, of several orderings of
    // a resource the first counts, and embeds with parameters come first in the result.
    for (path, filter) in request.query.filters.iter().rev().filter(|(path, _)| applies(path)) {
        let node = find(root, path, legacy)?;
        let condition = Resolver::of(catalog, &node.from).filter(filter);
        node.conditions.insert(0, condition);
    }
    for (path, terms) in request.query.order.iter().rev() {
        let node = find(root, path, legacy)?;
        let resolver = Resolver::of(catalog, &node.from);
        node.order = terms.iter().map(|term| order_by(&resolver, term)).collect();
    }
    if !is_mutation {
        for (key, range) in &request.query.ranges {
            find(root, &range_path(key)?, legacy)?.range = *range;
        }
    }
    for (path, tree) in request.query.logic.iter().rev().filter(|(path, _)| applies(path)) {
        let node = find(root, path, legacy)?;
        let condition = Resolver::of(catalog, &node.from).logic(tree);
        node.conditions.insert(0, condition);
    }
    Ok(())
}

fn order_by(resolver: &Resolver<'_>, term: &OrderTerm) -> OrderBy {
    let field = match &term.relation {
        None => resolver.ordered(&term.field),
        Some(_) => PlannedField::unknown(&term.field.name, term.field.path.clone()),
    };
    OrderBy { relation: term.relation.clone(), field, direction: term.direction, nulls: term.nulls }
}

/// The embed that `path` leads to. It and those on the way are moved to the front of their siblings.
fn find<'a>(node: &'a mut ReadNode, path: &[String], legacy: bool) -> Result<&'a mut ReadNode, Error> {
    let Some((target, rest)) = path.split_first() else { return Ok(node) };
    let found = node.children.iter().position(|child| child.shown_name() == target || legacy && &child.name == target);
    let Some(index) = found else {
        // Outside of legacy mode, a name that has an alias is not found, and the error says so.
        let aliased = node.children.iter().find(|child| &child.name == target);
        return Err(Error::NotEmbedded { name: target.clone(), alias: aliased.and_then(|child| child.alias.clone()) });
    };
    node.children[..=index].rotate_right(1);
    let child = &mut node.children[0];
    child.legacy_name |= child.shown_name() != target;
    find(child, rest, legacy)
}
