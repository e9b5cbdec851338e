//! Finds the relationship of each embed.

use std::collections::BTreeSet;

use pg::QualifiedIdent;

use super::node::{JoinOn, ReadNode, Spread};
use crate::catalog::Catalog;
use crate::catalog::relationship::{Cardinality, ColumnPairs, Junction, KeyRelationship, Relationship};
use crate::error::{Ambiguity, Candidate, Error};

/// Finds the relationship of every embed, parents first.
///
/// # Errors
/// PGRST200 if there is none, PGRST201 if there are several.
pub(super) fn relate(node: &mut ReadNode, catalog: &Catalog, schema: &str) -> Result<(), Error> {
    // Rows written or returned by a function use the name of their relation as alias.
    let origin = match (&node.from_alias, node.depth) {
        (Some(alias), 0) => alias.clone(),
        _ => node.from.name.as_str().to_owned(),
    };
    let parent_alias = node.from_alias.clone();
    for child in &mut node.children {
        let relationship = find(catalog, schema, &origin, child)?.clone();
        let alias = format!("{}_{}", relationship.target().name.as_str(), child.depth);
        child.rows_alias = format!("{}_{}_{}", relationship.source().name.as_str(), child.shown_name(), child.depth);
        child.from = relationship.target().clone();
        child.parent_alias = parent_alias.clone();
        let is_many_to_many =
            matches!(&relationship, Relationship::Key(KeyRelationship { cardinality: Cardinality::ManyToMany(_), .. }));
        // A junction is joined inside the embed's own query, where the relations keep their names.
        child.from_alias = (!is_many_to_many).then_some(alias);
        child.join_on = join_on(&relationship, child.from_alias.as_deref(), parent_alias.as_deref());
        if child.spread.is_some() && !relationship.is_to_one() {
            child.spread = Some(Spread::ToMany { extra: Vec::new(), order: Vec::new() });
        }
        child.relationship = Some(relationship);
        relate(child, catalog, schema)?;
    }
    Ok(())
}

fn find<'a>(catalog: &'a Catalog, schema: &str, origin: &str, child: &ReadNode) -> Result<&'a Relationship, Error> {
    let all = catalog.relationships_of(schema, origin);
    let hint = child.hint.as_deref();
    let found: Vec<&Relationship> = all
        .iter()
        .filter(|rel| match rel {
            Relationship::Computed(rel) => rel.function.name.as_str() == child.name,
            Relationship::Key(rel) => matches(rel, &child.name, hint),
        })
        .collect();
    match found.as_slice() {
        [one] => Ok(one),
        [] => Err(Error::NoRelationship {
            parent: origin.to_owned(),
            child: child.name.clone(),
            hint: child.hint.clone(),
            schema: schema.to_owned(),
            suggestion: catalog.suggest_relationship(schema, origin, &child.name),
        }),
        several => {
            let candidates = several.iter().filter_map(|rel| match rel {
                Relationship::Key(rel) => Some(candidate(rel)),
                Relationship::Computed(_) => None,
            });
            Err(Error::AmbiguousRelationship(Box::new(Ambiguity {
                parent: origin.to_owned(),
                child: child.name.clone(),
                candidates: candidates.collect(),
            })))
        }
    }
}

/// Whether this relationship matches the target and hint of a request.
fn matches(rel: &KeyRelationship, target: &str, hint: Option<&str>) -> bool {
    let is_target = rel.target.name.as_str() == target;
    let card = &rel.cardinality;
    match (rel.is_self, hint) {
        // A self-referencing key makes two relationships: the relation's name means the to-many one, the
        // column's name the to-one.
        (true, None) => {
            is_target && matches!(card, Cardinality::OneToMany { .. })
                || single_column(card, |(source, _)| source == target) && matches!(card, Cardinality::ManyToOne { .. })
        }
        (true, Some(hint)) => {
            is_target
                && matches!(card, Cardinality::OneToMany { .. })
                && single_column(card, |(_, foreign)| foreign == hint)
        }
        (false, None) => {
            is_target
                || !rel.target_is_view
                    && (constraint(card) == Some(target) || single_column(card, |(source, _)| source == target))
        }
        (false, Some(hint)) => {
            is_target
                && (constraint(card) == Some(hint)
                    || single_column(card, |(source, foreign)| source == hint || foreign == hint)
                    || matches!(card, Cardinality::ManyToMany(j) if j.relation.name.as_str() == hint))
        }
    }
}

fn constraint(cardinality: &Cardinality) -> Option<&str> {
    match cardinality {
        Cardinality::OneToMany { constraint, .. }
        | Cardinality::ManyToOne { constraint, .. }
        | Cardinality::OneToOne { constraint, .. } => Some(constraint),
        Cardinality::ManyToMany(_) => None,
    }
}

fn columns(cardinality: &Cardinality) -> Option<&ColumnPairs> {
    match cardinality {
        Cardinality::OneToMany { columns, .. }
        | Cardinality::ManyToOne { columns, .. }
        | Cardinality::OneToOne { columns, .. } => Some(columns),
        Cardinality::ManyToMany(_) => None,
    }
}

fn single_column(cardinality: &Cardinality, fits: impl Fn(&(String, String)) -> bool) -> bool {
    matches!(columns(cardinality).map(Vec::as_slice), Some([pair]) if fits(pair))
}

fn join_on(relationship: &Relationship, alias: Option<&str>, parent_alias: Option<&str>) -> Vec<JoinOn> {
    let Relationship::Key(rel) = relationship else { return Vec::new() };
    let named = |alias: Option<&str>, name: &QualifiedIdent| match alias {
        Some(alias) => QualifiedIdent::new("", alias),
        None => name.clone(),
    };
    let parent = named(parent_alias, &rel.source);
    let equal = |pairs: &ColumnPairs, left: &QualifiedIdent, right: &QualifiedIdent| -> Vec<JoinOn> {
        let on =
            |(a, b): &(String, String)| JoinOn { left: (left.clone(), a.clone()), right: (right.clone(), b.clone()) };
        pairs.iter().map(on).collect()
    };
    match &rel.cardinality {
        Cardinality::ManyToMany(Junction { relation, source_columns, target_columns, .. }) => {
            let mut on = equal(target_columns, &rel.target, relation);
            on.extend(equal(source_columns, &parent, relation));
            on
        }
        Cardinality::OneToMany { columns, .. }
        | Cardinality::ManyToOne { columns, .. }
        | Cardinality::OneToOne { columns, .. } => equal(columns, &parent, &named(alias, &rel.target)),
    }
}

/// The parent's columns that its embeds need; `None` if they need the whole row.
pub(super) fn columns_for_embeds(node: &ReadNode) -> Option<BTreeSet<String>> {
    let mut needed = BTreeSet::new();
    for child in &node.children {
        match &child.relationship {
            Some(Relationship::Computed(_)) => return None,
            Some(Relationship::Key(rel)) => {
                let pairs = match &rel.cardinality {
                    Cardinality::ManyToMany(junction) => &junction.source_columns,
                    Cardinality::OneToMany { columns, .. }
                    | Cardinality::ManyToOne { columns, .. }
                    | Cardinality::OneToOne { columns, .. } => columns,
                };
                needed.extend(pairs.iter().map(|(source, _)| source.clone()));
            }
            None => {}
        }
    }
    Some(needed)
}

/// Describes one of several matching relationships for the client.
pub(crate) fn candidate(rel: &KeyRelationship) -> Candidate {
    let (source, target) = (rel.source.name.as_str(), rel.target.name.as_str());
    let by_key = |constraint: &str, columns: &ColumnPairs| {
        let of = |pick: fn(&(String, String)) -> &String| {
            columns.iter().map(|pair| pick(pair).as_str()).collect::<Vec<_>>().join(", ")
        };
        format!("{constraint} using {source}({}) and {target}({})", of(|pair| &pair.0), of(|pair| &pair.1))
    };
    let (cardinality, relationship) = match &rel.cardinality {
        Cardinality::ManyToOne { constraint, columns } => ("many-to-one", by_key(constraint, columns)),
        Cardinality::OneToOne { constraint, columns, .. } => ("one-to-one", by_key(constraint, columns)),
        Cardinality::OneToMany { constraint, columns } => ("one-to-many", by_key(constraint, columns)),
        Cardinality::ManyToMany(junction) => {
            let of = |pairs: &ColumnPairs| pairs.iter().map(|(_, own)| own.as_str()).collect::<Vec<_>>().join(", ");
            let text = format!(
                "{} using {}({}) and {}({})",
                junction.relation.name.as_str(),
                junction.source_constraint,
                of(&junction.source_columns),
                junction.target_constraint,
                of(&junction.target_columns)
            );
            ("many-to-many", text)
        }
    };
    let hint = match &rel.cardinality {
        Cardinality::ManyToMany(junction) => junction.relation.name.as_str(),
        card => constraint(card).unwrap_or_default(),
    };
    Candidate {
        cardinality,
        embedding: format!("{source} with {target}"),
        relationship,
        disambiguated: format!("{target}!{hint}"),
    }
}
