//! Derives the keys of views, and relationships, from primary, unique and foreign keys.

use std::collections::{BTreeSet, HashMap, HashSet};

use pg::QualifiedIdent;

use super::views::ViewColumns;
use crate::catalog::relationship::{Cardinality, KeyRelationship};
use crate::catalog::table::Table;

/// A primary, unique or foreign key of any table, whether the table is exposed or not.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) relation: u32,
    pub(crate) positions: Vec<i16>,
}

/// The kind of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Primary,
    Unique,
    /// The referenced relation and columns. `is_top`: the key is not inherited from a partitioned parent.
    Foreign {
        relation: u32,
        positions: Vec<i16>,
        is_top: bool,
    },
}

/// The names of an exposed relation and of its columns.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: QualifiedIdent,
    pub(crate) is_view: bool,
    pub(crate) columns: HashMap<i16, String>,
}

impl Named {
    fn columns(&self, positions: &[i16]) -> Option<Vec<String>> {
        positions.iter().map(|position| self.columns.get(position).cloned()).collect()
    }
}

/// All keys of a database, and its exposed relations.
pub(crate) struct Keys<'a> {
    pub(crate) keys: &'a [Key],
    pub(crate) named: &'a HashMap<u32, Named>,
    pub(crate) views: &'a ViewColumns,
}

/// One end of a relationship.
struct End {
    name: QualifiedIdent,
    is_view: bool,
    columns: Vec<String>,
}

impl Keys<'_> {
    /// Sets the primary keys of tables, and of views that show all columns of one.
    pub(crate) fn add_primary_keys(&self, tables: &mut HashMap<QualifiedIdent, Table>) {
        for key in self.keys.iter().filter(|key| key.kind == Kind::Primary) {
            if let Some(named) = self.named.get(&key.relation)
                && let Some(table) = tables.get_mut(&named.name)
            {
                table.primary_key = named.columns(&key.positions).unwrap_or_default();
                table.primary_key.sort_unstable();
            }
            for shown in self.views.of(key.relation) {
                let Some(named) = self.named.get(&shown.view) else { continue };
                let columns = shown.first(&key.positions).and_then(|positions| named.columns(&positions));
                if let Some(view) = tables.get_mut(&named.name) {
                    view.primary_key.extend(columns.unwrap_or_default());
                }
            }
        }
    }

    /// The relationships between exposed tables, and those that views at either end inherit.
    pub(crate) fn relationships(&self) -> Vec<KeyRelationship> {
        let uniques = self.uniques();
        let mut all = Vec::new();
        for key in self.keys {
            let Kind::Foreign { relation, positions, is_top: true } = &key.kind else { continue };
            let targets = self.ends(*relation, positions);
            if targets.is_empty() {
                continue;
            }
            let is_unique = uniques.contains(&(key.relation, sorted(&key.positions)));
            for source in self.ends(key.relation, &key.positions) {
                all.extend(targets.iter().map(|target| relationship(&key.name, is_unique, &source, target)));
            }
        }
        all
    }

    /// Pairs of relations that are related many-to-many through a table outside the exposed schemas. They cannot be
    /// embedded in each other, but suggestions in errors take them as related.
    pub(crate) fn joined_out_of_sight(&self) -> HashSet<(QualifiedIdent, QualifiedIdent)> {
        let uniques = self.uniques();
        let hidden = |key: &&Key| !self.named.contains_key(&key.relation);
        let primary: HashMap<u32, BTreeSet<i16>> = (self.keys.iter().filter(hidden))
            .filter(|key| key.kind == Kind::Primary)
            .map(|key| (key.relation, key.positions.iter().copied().collect()))
            .collect();
        let mut foreign: HashMap<u32, Vec<(&str, Vec<End>)>> = HashMap::new();
        for key in self.keys.iter().filter(hidden) {
            let Kind::Foreign { relation, positions, is_top: true } = &key.kind else { continue };
            let is_part = (primary.get(&key.relation))
                .is_some_and(|primary| key.positions.iter().all(|position| primary.contains(position)));
            if is_part && !uniques.contains(&(key.relation, sorted(&key.positions))) {
                foreign.entry(key.relation).or_default().push((&key.name, self.ends(*relation, positions)));
            }
        }
        let mut joined = HashSet::new();
        for keys in foreign.values() {
            for (one, sources) in keys {
                for (_, targets) in keys.iter().filter(|(other, _)| one != other) {
                    for source in sources {
                        joined.extend(targets.iter().map(|target| (source.name.clone(), target.name.clone())));
                    }
                }
            }
        }
        joined
    }

    /// Sets of columns that are unique in a relation.
    fn uniques(&self) -> HashSet<(u32, Vec<i16>)> {
        let keys = self.keys.iter().filter(|key| matches!(key.kind, Kind::Primary | Kind::Unique));
        keys.map(|key| (key.relation, sorted(&key.positions))).collect()
    }

    /// The relation itself, and each way in which an exposed view shows all the columns.
    fn ends(&self, relation: u32, positions: &[i16]) -> Vec<End> {
        let mut ends = Vec::new();
        let mut add = |relation: u32, positions: &[i16]| {
            if let Some(named) = self.named.get(&relation)
                && let Some(columns) = named.columns(positions)
            {
                ends.push(End { name: named.name.clone(), is_view: named.is_view, columns });
            }
        };
        add(relation, positions);
        for shown in self.views.of(relation) {
            for positions in shown.all(positions) {
                add(shown.view, &positions);
            }
        }
        ends
    }
}

fn sorted(positions: &[i16]) -> Vec<i16> {
    let mut positions = positions.to_vec();
    positions.sort_unstable();
    positions
}

fn relationship(constraint: &str, is_unique: bool, source: &End, target: &End) -> KeyRelationship {
    let columns = source.columns.iter().cloned().zip(target.columns.iter().cloned()).collect();
    let constraint = constraint.to_owned();
    KeyRelationship {
        is_self: source.name == target.name,
        source: source.name.clone(),
        target: target.name.clone(),
        // If the columns of a foreign key are themselves unique, at most one row refers to each target.
        cardinality: if is_unique {
            Cardinality::OneToOne { constraint, columns, is_parent: false }
        } else {
            Cardinality::ManyToOne { constraint, columns }
        },
        source_is_view: source.is_view,
        target_is_view: target.is_view,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::load::node_tree::Origin;
    use crate::runtime::load::views::View;

    fn key(name: &str, kind: Kind, relation: u32, positions: &[i16]) -> Key {
        Key { name: name.to_owned(), kind, relation, positions: positions.to_vec() }
    }

    fn foreign(relation: u32, positions: &[i16]) -> Kind {
        Kind::Foreign { relation, positions: positions.to_vec(), is_top: true }
    }

    fn named(name: &str, is_view: bool, columns: &[&str]) -> Named {
        let columns = (1..).zip(columns.iter().map(|name| (*name).to_owned())).collect();
        Named { name: QualifiedIdent::new("api", name), is_view, columns }
    }

    fn view(oid: u32, origins: &[Origin]) -> View {
        View { oid, is_exposed: true, origins: origins.to_vec() }
    }

    #[test]
    fn views_inherit_keys_of_tables_that_are_not_exposed() {
        let keys = [key("fk", foreign(2, &[1, 2]), 1, &[1, 2]), key("pk", Kind::Primary, 1, &[2])];
        let views = ViewColumns::trace(&[view(11, &[(1, 1, 1), (2, 1, 2), (3, 1, 2)]), view(12, &[(1, 1, 1)])]);
        let exposed = HashMap::from([
            (2, named("r", false, &["r1", "r2"])),
            (11, named("outer", true, &["a", "b", "again"])),
            (12, named("partial", true, &["a"])),
        ]);
        let keys = Keys { keys: &keys, named: &exposed, views: &views };
        let columns = |rel: &KeyRelationship| match &rel.cardinality {
            Cardinality::ManyToOne { columns, .. } => columns.iter().map(|(a, b)| format!("{a}={b}")).collect(),
            _ => Vec::new(),
        };
        let rels = keys.relationships();
        let found: Vec<(&str, Vec<String>)> = rels.iter().map(|rel| (rel.source.name.as_str(), columns(rel))).collect();
        let pairs = |pairs: [&str; 2]| pairs.map(str::to_owned).to_vec();
        assert_eq!(found, [("outer", pairs(["a=r1", "b=r2"])), ("outer", pairs(["a=r1", "again=r2"]))]);
    }

    #[test]
    fn a_foreign_key_over_a_key_is_one_to_one_whatever_the_order() {
        let exposed = HashMap::from([(1, named("a", false, &["x", "y"])), (2, named("b", false, &["x", "y"]))]);
        let views = ViewColumns::trace(&[]);
        for (unique, expected) in [(&[2, 1][..], true), (&[1], false)] {
            let keys = [key("fk", foreign(2, &[1, 2]), 1, &[1, 2]), key("uq", Kind::Unique, 1, unique)];
            let rels = Keys { keys: &keys, named: &exposed, views: &views }.relationships();
            assert_eq!(matches!(rels[0].cardinality, Cardinality::OneToOne { .. }), expected, "{unique:?}");
        }
    }

    #[test]
    fn a_hidden_junction_is_known_but_leads_nowhere() {
        let exposed = HashMap::from([(1, named("a", false, &["id"])), (2, named("b", false, &["id"]))]);
        let keys = [
            key("pk", Kind::Primary, 3, &[1, 2]),
            key("to_a", foreign(1, &[1]), 3, &[1]),
            key("to_b", foreign(2, &[1]), 3, &[2]),
        ];
        let keys = Keys { keys: &keys, named: &exposed, views: &ViewColumns::trace(&[]) };
        let name = |name| QualifiedIdent::new("api", name);
        assert!(keys.relationships().is_empty());
        assert_eq!(keys.joined_out_of_sight(), HashSet::from([(name("a"), name("b")), (name("b"), name("a"))]));
    }
}
