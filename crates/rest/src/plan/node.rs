//! The tree of a read: a resource and what is embedded in it.

use pg::QualifiedIdent;

use super::field::{Condition, PlannedField};
use crate::catalog::relationship::Relationship;
use crate::request::Range;
use crate::request::order::{Direction, Nulls};
use crate::request::select::{Aggregate, Join};

/// The common table expression with the rows that were written, or returned by a function.
pub(crate) const SOURCE: &str = "pgrst_source";

/// A resource and what to read from it.
#[derive(Clone, Debug)]
pub(crate) struct ReadNode {
    pub(crate) select: Vec<SelectedField>,
    pub(crate) from: QualifiedIdent,
    /// The alias in SQL, if there is one.
    pub(crate) from_alias: Option<String>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) order: Vec<OrderBy>,
    pub(crate) range: Range,
    /// The name in the request.
    pub(crate) name: String,
    pub(crate) alias: Option<String>,
    /// The alias of its rows within the parent's query.
    pub(crate) rows_alias: String,
    pub(crate) hint: Option<String>,
    pub(crate) join: Join,
    pub(crate) spread: Option<Spread>,
    /// The relationship from the parent; `None` for the root.
    pub(crate) relationship: Option<Relationship>,
    /// The parent's alias in SQL.
    pub(crate) parent_alias: Option<String>,
    pub(crate) join_on: Vec<JoinOn>,
    /// The columns that embeds add to this node.
    pub(crate) embedded: Vec<Embedded>,
    pub(crate) depth: usize,
    /// A parameter referred to it by name although it has an alias.
    pub(crate) legacy_name: bool,
    pub(crate) children: Vec<ReadNode>,
}

/// A selected column.
#[derive(Clone, Debug, Default)]
pub(crate) struct SelectedField {
    pub(crate) field: PlannedField,
    pub(crate) aggregate: Option<Aggregate>,
    pub(crate) aggregate_cast: Option<String>,
    pub(crate) cast: Option<String>,
    pub(crate) alias: Option<String>,
}

/// A term of `order by`.
#[derive(Clone, Debug)]
pub(crate) struct OrderBy {
    /// The embed it belongs to: its name in the request, later its alias in SQL.
    pub(crate) relation: Option<String>,
    pub(crate) field: PlannedField,
    pub(crate) direction: Option<Direction>,
    pub(crate) nulls: Option<Nulls>,
}

/// A join condition between two columns.
#[derive(Clone, Debug)]
pub(crate) struct JoinOn {
    pub(crate) left: (QualifiedIdent, String),
    pub(crate) right: (QualifiedIdent, String),
}

/// The columns that an embed adds to its parent.
#[derive(Clone, Debug)]
pub(crate) enum Embedded {
    Json { name: String, rows_alias: String, is_array: bool, is_empty: bool },
    Spread { fields: Vec<SpreadField>, rows_alias: String },
}

/// A column of a spread embed that is added to the parent.
#[derive(Clone, Debug)]
pub(crate) struct SpreadField {
    pub(crate) name: String,
    pub(crate) aggregate: Option<Aggregate>,
    pub(crate) aggregate_cast: Option<String>,
    pub(crate) alias: Option<String>,
}

impl ReadNode {
    pub(super) fn new(from: QualifiedIdent, name: &str, depth: usize) -> Self {
        ReadNode {
            select: Vec::new(),
            from,
            from_alias: None,
            conditions: Vec::new(),
            order: Vec::new(),
            range: Range::ALL,
            name: name.to_owned(),
            alias: None,
            rows_alias: String::new(),
            hint: None,
            join: Join::Left,
            spread: None,
            relationship: None,
            parent_alias: None,
            join_on: Vec::new(),
            embedded: Vec::new(),
            depth,
            legacy_name: false,
            children: Vec::new(),
        }
    }

    /// Its key in the result.
    pub(crate) fn shown_name(&self) -> &str {
        self.alias.as_deref().unwrap_or(&self.name)
    }

    /// The qualifier of its columns in SQL.
    pub(crate) fn qualifier(&self) -> QualifiedIdent {
        match (&self.relationship, &self.from_alias) {
            (_, Some(alias)) => QualifiedIdent::new("", alias),
            (Some(Relationship::Computed(rel)), None) => QualifiedIdent::new("", rel.function.name.as_str()),
            _ => self.from.clone(),
        }
    }

    /// Whether exactly the whole rows are selected.
    pub(crate) fn selects_whole_rows(&self) -> bool {
        self.children.is_empty() && matches!(self.select.as_slice(), [only] if only.field.name == "*")
    }
}

/// How a spread embed adds its columns to its parent.
#[derive(Clone, Debug)]
pub(crate) enum Spread {
    /// As single values.
    ToOne,
    /// As arrays, optionally ordered. Columns needed for the ordering are selected under names of their own; the
    /// first part of `extra` is the embed they belong to.
    ToMany { extra: Vec<(Option<String>, SelectedField)>, order: Vec<OrderBy> },
}
