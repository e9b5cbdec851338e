//! What the database offers: relations, keys, functions. Loaded whole, then only read; a new one replaces the old.

pub(crate) mod handler;
pub(crate) mod load;
pub(crate) mod relationship;
pub(crate) mod routine;
pub(crate) mod settings;
pub(crate) mod table;
pub(crate) mod views;
pub(crate) mod watch;

use std::collections::HashMap;

use pg::QualifiedIdent;

use crate::error::Error;
use crate::fuzzy;
use handler::Handlers;
use relationship::Relationship;
use routine::Routine;
use table::Table;

/// Schemas with more relations than this get no "perhaps you meant": the search would be too slow.
const MAX_RELATIONS_FOR_HINTS: usize = 500;

/// How alike a name must be to be suggested.
const NAME_LIKENESS: f64 = 0.75;

/// The same among the few that are related.
const RELATED_LIKENESS: f64 = 0.33;

/// Everything a plan needs to know of the database.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    pub(crate) tables: HashMap<QualifiedIdent, Table>,
    /// By the relation they start from and the schema they lead to.
    pub(crate) relationships: HashMap<(QualifiedIdent, String), Vec<Relationship>>,
    /// Overloads lie together, fewest parameters first.
    pub(crate) routines: HashMap<QualifiedIdent, Vec<Routine>>,
    /// Functions by the types (source, target) they convert between.
    pub(crate) representations: HashMap<(u32, u32), QualifiedIdent>,
    pub(crate) handlers: Handlers,
}

impl Catalog {
    /// A relation that is exposed.
    ///
    /// # Errors
    /// PGRST205 with the closest name.
    pub(crate) fn table(&self, name: &QualifiedIdent) -> Result<&Table, Error> {
        self.tables.get(name).ok_or_else(|| {
            let in_schema = || self.tables.keys().filter(|other| other.schema == name.schema);
            let few = in_schema().count() < MAX_RELATIONS_FOR_HINTS;
            let names = in_schema().map(|other| other.name.as_str());
            let suggestion = few.then(|| fuzzy::closest(names, name.name.as_str(), NAME_LIKENESS)).flatten();
            Error::UnknownRelation {
                schema: name.schema.as_str().to_owned(),
                relation: name.name.as_str().to_owned(),
                suggestion: suggestion.map(str::to_owned),
            }
        })
    }

    /// The function that shows values of type `source` as `target`.
    pub(crate) fn representation(&self, source: u32, target: u32) -> Option<&QualifiedIdent> {
        self.representations.get(&(source, target))
    }

    /// The relationships that start from a relation and stay in its schema.
    pub(crate) fn relationships_of(&self, schema: &str, relation: &str) -> &[Relationship] {
        let key = (QualifiedIdent::new(schema, relation), schema.to_owned());
        self.relationships.get(&key).map_or(&[], Vec::as_slice)
    }

    /// What was probably meant when no relationship is found: the right name and the one it replaces. If the parent has
    /// relationships it is the child that is wrong.
    pub(crate) fn suggest_relationship(&self, schema: &str, parent: &str, child: &str) -> Option<(String, String)> {
        let key = (QualifiedIdent::new(schema, parent), schema.to_owned());
        let Some(known) = self.relationships.get(&key) else {
            let mut parents: Vec<&str> =
                self.relationships.keys().filter(|(_, to)| to == schema).map(|(from, _)| from.name.as_str()).collect();
            parents.sort_unstable();
            let found = fuzzy::closest(parents.iter().copied(), parent, RELATED_LIKENESS)?;
            return Some((found.to_owned(), parent.to_owned()));
        };
        let children: Vec<&str> = known.iter().map(|rel| rel.target().name.as_str()).collect();
        // The name is right but for its case: then the hint is wrong, and there is nothing to suggest.
        if children.iter().any(|known| known.to_lowercase() == child.to_lowercase()) {
            return None;
        }
        let found = fuzzy::closest(children.iter().copied(), child, RELATED_LIKENESS)?;
        Some((found.to_owned(), child.to_owned()))
    }
}
