//! The names of a catalog, in a fixed order, for generating requests.

use pg::QualifiedIdent;

use crate::catalog::Catalog;
use crate::catalog::relationship::{Cardinality, Relationship};

pub(super) struct Vocabulary {
    pub(super) relations: Vec<Relation>,
    pub(super) routines: Vec<Function>,
}

pub(super) struct Relation {
    pub(super) name: String,
    pub(super) columns: Vec<String>,
    pub(super) key: Vec<String>,
    pub(super) embeds: Vec<Embed>,
}

/// A relation to embed, with its name and the hint that selects the relationship.
pub(super) struct Embed {
    pub(super) target: String,
    pub(super) called: String,
    pub(super) hint: Option<String>,
}

pub(super) struct Function {
    pub(super) name: String,
    pub(super) parameters: Vec<String>,
    /// The relation whose rows it returns, if it does.
    pub(super) returns: String,
}

impl Vocabulary {
    pub(super) fn of(catalog: &Catalog, schema: &str) -> Self {
        let mut relations: Vec<Relation> = catalog
            .tables
            .values()
            .filter(|table| table.name.schema.as_str() == schema)
            .map(|table| Relation {
                name: table.name.name.as_str().to_owned(),
                columns: table.columns.iter().map(|column| column.name.clone()).collect(),
                key: table.primary_key.clone(),
                embeds: embeds(catalog, &table.name),
            })
            .collect();
        relations.sort_by(|a, b| a.name.cmp(&b.name));
        let mut routines: Vec<Function> = catalog
            .routines
            .values()
            .flatten()
            .filter(|routine| routine.name.schema.as_str() == schema)
            .map(|routine| Function {
                name: routine.name.name.as_str().to_owned(),
                parameters: routine.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
                returns: routine.return_type.name.as_str().to_owned(),
            })
            .collect();
        routines.sort_by(|a, b| (&a.name, &a.parameters).cmp(&(&b.name, &b.parameters)));
        Vocabulary { relations, routines }
    }

    pub(super) fn relation(&self, name: &str) -> Option<&Relation> {
        self.relations.iter().find(|relation| relation.name == name)
    }
}

fn embeds(catalog: &Catalog, relation: &QualifiedIdent) -> Vec<Embed> {
    let related = catalog.relationships_of(relation.schema.as_str(), relation.name.as_str());
    related
        .iter()
        .map(|relationship| {
            let target = relationship.target().name.as_str().to_owned();
            let (called, hint) = match relationship {
                Relationship::Computed(computed) => (computed.function.name.as_str().to_owned(), None),
                Relationship::Key(key) => match &key.cardinality {
                    Cardinality::ManyToMany(junction) => {
                        (target.clone(), Some(junction.relation.name.as_str().to_owned()))
                    }
                    // A self-reference has two directions: by the relation's name, and by the column.
                    Cardinality::ManyToOne { columns, .. } if key.is_self => (columns[0].0.clone(), None),
                    Cardinality::OneToMany { .. } if key.is_self => (target.clone(), None),
                    Cardinality::OneToMany { constraint, .. }
                    | Cardinality::ManyToOne { constraint, .. }
                    | Cardinality::OneToOne { constraint, .. } => (target.clone(), Some(constraint.clone())),
                },
            };
            Embed { target, called, hint }
        })
        .collect()
}
