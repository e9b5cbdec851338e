//! The description of the database: relations, keys, functions. A catalog is loaded as a whole and never changes; a
//! reload replaces it.

mod dump;
pub(crate) mod fuzzy;
pub(crate) mod handler;
pub(crate) mod relationship;
pub(crate) mod role_settings;
pub(crate) mod routine;
pub(crate) mod table;

use std::collections::{BTreeSet, HashMap, HashSet};

use pg::QualifiedIdent;

use crate::error::Error;
use fuzzy::Index;
use handler::Handlers;
use relationship::Relationship;
use routine::Routine;
use table::Table;

/// Schemas with more relations than this get no suggestions, because the search would be too slow.
const MAX_RELATIONS_FOR_HINTS: usize = 500;

/// The minimum similarity of a suggested name.
const NAME_LIKENESS: f64 = 0.75;

/// The minimum similarity among related relations, of which there are few.
const RELATED_LIKENESS: f64 = 0.33;

/// Everything that planning needs to know about the database.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    pub(crate) tables: HashMap<QualifiedIdent, Table>,
    /// By source relation and schema of the target.
    pub(crate) relationships: HashMap<(QualifiedIdent, String), Vec<Relationship>>,
    /// Overloads are grouped, those with the fewest parameters first.
    pub(crate) routines: HashMap<QualifiedIdent, Vec<Routine>>,
    /// Domain representations: functions by the types (source, target) that they convert between.
    pub(crate) representations: HashMap<(u32, u32), QualifiedIdent>,
    pub(crate) handlers: Handlers,
    /// Computed columns that are not volatile: the function, and the relation of the row it takes.
    pub(crate) nonvolatile: HashSet<(QualifiedIdent, QualifiedIdent)>,
    hints: HashMap<String, Hints>,
}

/// The names of one schema, for suggestions.
#[derive(Debug, Default)]
struct Hints {
    tables: Index,
    /// Relations with relationships.
    related: Index,
    routines: Index,
}

impl Catalog {
    pub(crate) fn new(
        tables: HashMap<QualifiedIdent, Table>,
        relationships: HashMap<(QualifiedIdent, String), Vec<Relationship>>,
        routines: HashMap<QualifiedIdent, Vec<Routine>>,
        representations: HashMap<(u32, u32), QualifiedIdent>,
        handlers: Handlers,
    ) -> Self {
        let mut hints: HashMap<String, Hints> = HashMap::new();
        let tables_of = names(tables.keys().map(|name| (name.schema.as_str(), name)));
        for (schema, names) in tables_of.into_iter().filter(|(_, names)| names.len() < MAX_RELATIONS_FOR_HINTS) {
            hints.entry(schema).or_default().tables = Index::new(names);
        }
        for (schema, names) in names(relationships.keys().map(|(from, to)| (to.as_str(), from))) {
            hints.entry(schema).or_default().related = Index::new(names);
        }
        for (schema, names) in names(routines.keys().map(|name| (name.schema.as_str(), name))) {
            hints.entry(schema).or_default().routines = Index::new(names);
        }
        Catalog { tables, relationships, routines, representations, handlers, hints, nonvolatile: HashSet::new() }
    }

    /// Sets the computed columns that are not volatile.
    #[must_use]
    pub(crate) fn with_nonvolatile(
        mut self,
        functions: impl IntoIterator<Item = (QualifiedIdent, QualifiedIdent)>,
    ) -> Self {
        self.nonvolatile.extend(functions);
        self
    }

    /// An exposed relation.
    ///
    /// # Errors
    /// PGRST205 with the most similar name.
    pub(crate) fn table(&self, name: &QualifiedIdent) -> Result<&Table, Error> {
        self.tables.get(name).ok_or_else(|| {
            let hints = self.hints.get(name.schema.as_str());
            let suggestion = hints.and_then(|hints| hints.tables.closest(name.name.as_str(), NAME_LIKENESS));
            Error::UnknownRelation {
                schema: name.schema.as_str().to_owned(),
                relation: name.name.as_str().to_owned(),
                suggestion: suggestion.map(str::to_owned),
            }
        })
    }

    /// The most similar function name.
    pub(crate) fn suggest_routine(&self, name: &QualifiedIdent) -> Option<&str> {
        self.hints.get(name.schema.as_str())?.routines.closest(name.name.as_str(), NAME_LIKENESS)
    }

    /// The function that represents values of type `source` as `target`.
    pub(crate) fn representation(&self, source: u32, target: u32) -> Option<&QualifiedIdent> {
        self.representations.get(&(source, target))
    }

    /// The relationships of a relation within its schema.
    pub(crate) fn relationships_of(&self, schema: &str, relation: &str) -> &[Relationship] {
        let key = (QualifiedIdent::new(schema, relation), schema.to_owned());
        self.relationships.get(&key).map_or(&[], Vec::as_slice)
    }

    /// The likely intention if no relationship is found: the suggested name and the one it replaces. If the parent
    /// has relationships, the child is assumed to be misspelt.
    pub(crate) fn suggest_relationship(&self, schema: &str, parent: &str, child: &str) -> Option<(String, String)> {
        let Some(known) = self.relationships.get(&(QualifiedIdent::new(schema, parent), schema.to_owned())) else {
            let found = self.hints.get(schema)?.related.closest(parent, RELATED_LIKENESS)?;
            return Some((found.to_owned(), parent.to_owned()));
        };
        let children: Vec<&str> = known.iter().map(|rel| rel.target().name.as_str()).collect();
        // The name differs only in case, so the hint must be wrong, and there is nothing to suggest.
        if children.iter().any(|known| known.to_lowercase() == child.to_lowercase()) {
            return None;
        }
        let found = fuzzy::closest(children, child, RELATED_LIKENESS)?;
        Some((found.to_owned(), child.to_owned()))
    }
}

/// Names grouped by schema, sorted.
fn names<'a>(all: impl Iterator<Item = (&'a str, &'a QualifiedIdent)>) -> HashMap<String, BTreeSet<&'a str>> {
    let mut names: HashMap<String, BTreeSet<&str>> = HashMap::new();
    for (schema, name) in all {
        names.entry(schema.to_owned()).or_default().insert(name.name.as_str());
    }
    names
}
