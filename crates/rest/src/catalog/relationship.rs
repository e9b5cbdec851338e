//! Relationships between relations.

use std::collections::{BTreeSet, HashMap};

use pg::QualifiedIdent;

use super::table::Table;

/// Pairs of a column of the source and a column of the target.
pub(crate) type ColumnPairs = Vec<(String, String)>;

/// A relationship between the rows of two relations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relationship {
    /// By foreign keys.
    Key(KeyRelationship),
    /// By a function from a row of the source.
    Computed(ComputedRelationship),
}

/// A relationship by foreign keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct KeyRelationship {
    pub(crate) source: QualifiedIdent,
    pub(crate) target: QualifiedIdent,
    pub(crate) is_self: bool,
    pub(crate) cardinality: Cardinality,
    pub(crate) source_is_view: bool,
    pub(crate) target_is_view: bool,
}

/// The cardinality of a relationship.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cardinality {
    OneToMany {
        constraint: String,
        columns: ColumnPairs,
    },
    ManyToOne {
        constraint: String,
        columns: ColumnPairs,
    },
    /// `is_parent`: the source is the referenced table.
    OneToOne {
        constraint: String,
        columns: ColumnPairs,
        is_parent: bool,
    },
    ManyToMany(Junction),
}

/// The junction table of a many-to-many relationship.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Junction {
    pub(crate) relation: QualifiedIdent,
    pub(crate) source_constraint: String,
    pub(crate) target_constraint: String,
    /// (column of the source, column of the junction)
    pub(crate) source_columns: ColumnPairs,
    /// (column of the target, column of the junction)
    pub(crate) target_columns: ColumnPairs,
}

/// A function `f(source) returns [setof] target`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ComputedRelationship {
    pub(crate) function: QualifiedIdent,
    pub(crate) source: QualifiedIdent,
    pub(crate) target: QualifiedIdent,
    pub(crate) to_one: bool,
}

impl Relationship {
    /// The relation it starts from.
    pub(crate) fn source(&self) -> &QualifiedIdent {
        match self {
            Relationship::Key(rel) => &rel.source,
            Relationship::Computed(rel) => &rel.source,
        }
    }

    /// The relation it leads to.
    pub(crate) fn target(&self) -> &QualifiedIdent {
        match self {
            Relationship::Key(rel) => &rel.target,
            Relationship::Computed(rel) => &rel.target,
        }
    }

    /// Whether it leads to at most one row.
    pub(crate) fn is_to_one(&self) -> bool {
        match self {
            Relationship::Key(rel) => {
                matches!(rel.cardinality, Cardinality::ManyToOne { .. } | Cardinality::OneToOne { .. })
            }
            Relationship::Computed(rel) => rel.to_one,
        }
    }
}

/// Adds the inverse of each relationship.
pub(crate) fn with_inverses(mut relationships: Vec<KeyRelationship>) -> Vec<KeyRelationship> {
    let swap = |columns: &ColumnPairs| columns.iter().map(|(a, b)| (b.clone(), a.clone())).collect();
    let inverses: Vec<KeyRelationship> = relationships
        .iter()
        .filter_map(|rel| {
            let cardinality = match &rel.cardinality {
                Cardinality::ManyToOne { constraint, columns } => {
                    Cardinality::OneToMany { constraint: constraint.clone(), columns: swap(columns) }
                }
                Cardinality::OneToOne { constraint, columns, is_parent } => Cardinality::OneToOne {
                    constraint: constraint.clone(),
                    columns: swap(columns),
                    is_parent: !is_parent,
                },
                _ => return None,
            };
            Some(KeyRelationship {
                source: rel.target.clone(),
                target: rel.source.clone(),
                is_self: rel.is_self,
                cardinality,
                source_is_view: rel.target_is_view,
                target_is_view: rel.source_is_view,
            })
        })
        .collect();
    relationships.extend(inverses);
    relationships
}

/// Many-to-many relationships: through every relation whose primary key contains two of its foreign keys.
pub(crate) fn with_junctions(
    mut relationships: Vec<KeyRelationship>,
    tables: &HashMap<QualifiedIdent, Table>,
) -> Vec<KeyRelationship> {
    let mut by_source: HashMap<&QualifiedIdent, Vec<(&KeyRelationship, &String, &ColumnPairs)>> = HashMap::new();
    for rel in &relationships {
        if let Cardinality::ManyToOne { constraint, columns } = &rel.cardinality {
            by_source.entry(&rel.source).or_default().push((rel, constraint, columns));
        }
    }
    let mut found = Vec::new();
    for (junction, keys) in by_source {
        let Some(table) = tables.get(junction) else { continue };
        let primary: BTreeSet<&String> = table.primary_key.iter().collect();
        let covers = |columns: &ColumnPairs| columns.iter().all(|(column, _)| primary.contains(column));
        for (one, one_constraint, one_columns) in &keys {
            for (other, other_constraint, other_columns) in &keys {
                if one_constraint == other_constraint || !covers(one_columns) || !covers(other_columns) {
                    continue;
                }
                let swap = |columns: &ColumnPairs| columns.iter().map(|(a, b)| (b.clone(), a.clone())).collect();
                found.push(KeyRelationship {
                    source: one.target.clone(),
                    target: other.target.clone(),
                    is_self: one.target == other.target,
                    cardinality: Cardinality::ManyToMany(Junction {
                        relation: junction.clone(),
                        source_constraint: (*one_constraint).clone(),
                        target_constraint: (*other_constraint).clone(),
                        source_columns: swap(one_columns),
                        target_columns: swap(other_columns),
                    }),
                    source_is_view: one.target_is_view,
                    target_is_view: other.target_is_view,
                });
            }
        }
    }
    relationships.extend(found);
    relationships
}

/// Groups relationships by their source. Computed relationships replace detected ones with the same name. Relationships
/// with a target or junction outside the exposed schemas are left out. A relation that loses all its relationships
/// keeps an empty entry, so that errors do not suggest another relation instead.
pub(crate) fn by_source(
    keys: Vec<KeyRelationship>,
    computed: Vec<ComputedRelationship>,
    schemas: &[String],
) -> HashMap<(QualifiedIdent, String), Vec<Relationship>> {
    let exposed = |name: &QualifiedIdent| schemas.iter().any(|schema| schema == name.schema.as_str());
    let overridden: BTreeSet<(&QualifiedIdent, &QualifiedIdent)> =
        computed.iter().map(|rel| (&rel.source, &rel.function)).collect();
    let mut all: Vec<Relationship> = keys
        .into_iter()
        .filter(|rel| !overridden.contains(&(&rel.source, &rel.target)))
        .map(Relationship::Key)
        .collect();
    let has_hidden_junction = |rel: &Relationship| match rel {
        Relationship::Key(KeyRelationship { cardinality: Cardinality::ManyToMany(junction), .. }) => {
            !exposed(&junction.relation)
        }
        _ => false,
    };
    let mut grouped: HashMap<(QualifiedIdent, String), Vec<Relationship>> = HashMap::new();
    let mut add = |schema: &str, rel: Relationship| {
        if exposed(rel.source()) {
            let place = grouped.entry((rel.source().clone(), schema.to_owned())).or_default();
            if exposed(rel.target()) && !has_hidden_junction(&rel) {
                place.push(rel);
            }
        }
    };
    for rel in all.drain(..) {
        let schema = rel.target().schema.as_str().to_owned();
        add(&schema, rel);
    }
    // Looked up in the function's schema, because requests name the function.
    for rel in computed {
        let schema = rel.function.schema.as_str().to_owned();
        add(&schema, Relationship::Computed(rel));
    }
    for relationships in grouped.values_mut() {
        relationships.sort();
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> QualifiedIdent {
        QualifiedIdent::new("api", name)
    }

    fn many_to_one(source: &str, column: &str, target: &str) -> KeyRelationship {
        KeyRelationship {
            source: name(source),
            target: name(target),
            is_self: source == target,
            cardinality: Cardinality::ManyToOne {
                constraint: format!("{source}_{column}_fkey"),
                columns: vec![(column.to_owned(), "id".to_owned())],
            },
            source_is_view: false,
            target_is_view: false,
        }
    }

    fn table(of: &str, primary_key: &[&str]) -> (QualifiedIdent, Table) {
        let table = Table {
            name: name(of),
            description: None,
            is_stored: true,
            insertable: true,
            updatable: true,
            deletable: true,
            primary_key: primary_key.iter().map(|c| (*c).to_owned()).collect(),
            columns: Vec::new(),
        };
        (name(of), table)
    }

    #[test]
    fn a_junction_needs_both_keys_in_its_primary_key() {
        let rels = vec![many_to_one("likes", "user_id", "users"), many_to_one("likes", "post_id", "posts")];
        let tables = HashMap::from([table("likes", &["post_id", "user_id"])]);
        let all = with_inverses(with_junctions(rels.clone(), &tables));
        let many = all.iter().filter(|rel| matches!(rel.cardinality, Cardinality::ManyToMany(_))).count();
        let inverse = all.iter().filter(|rel| matches!(rel.cardinality, Cardinality::OneToMany { .. })).count();
        assert_eq!((many, inverse, all.len()), (2, 2, 6));
        let tables = HashMap::from([table("likes", &["id"])]);
        assert_eq!(with_junctions(rels, &tables).len(), 2);
    }

    #[test]
    fn computed_relationships_override_and_hidden_schemas_vanish() {
        let mut hidden = many_to_one("a", "b_id", "b");
        hidden.target = QualifiedIdent::new("private", "b");
        let computed = ComputedRelationship {
            function: name("users"),
            source: name("likes"),
            target: name("users"),
            to_one: true,
        };
        let grouped =
            by_source(vec![many_to_one("likes", "user_id", "users"), hidden], vec![computed], &["api".to_owned()]);
        assert!(matches!(grouped[&(name("likes"), "api".to_owned())].as_slice(), [Relationship::Computed(_)]));
        assert!(grouped[&(name("a"), "private".to_owned())].is_empty());
        assert_eq!(grouped.len(), 2);
    }
}
