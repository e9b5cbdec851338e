//! What the generator knows of a database.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use super::collation::compare;

/// The schemas asked for, and what they contain and refer to.
#[derive(Debug, Default)]
pub(super) struct Catalog {
    /// Sorted by name, like all that follows.
    pub(super) schemas: Vec<String>,
    pub(super) relations: Vec<Relation>,
    pub(super) columns: HashMap<i64, Vec<Column>>,
    pub(super) functions: Vec<Function>,
    /// Of every schema.
    pub(super) types: Vec<Type>,
    /// Of every schema.
    pub(super) foreign_keys: Vec<ForeignKey>,
    /// Views asked for, and those that they read.
    pub(super) views: Vec<View>,
    /// Schemas whose views lead to tables.
    pub(super) view_path: Vec<String>,
}

/// A table, foreign table, view or materialized view.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Relation {
    pub(super) id: i64,
    pub(super) schema: String,
    pub(super) name: String,
    /// `pg_class.relkind`.
    pub(super) kind: char,
    pub(super) takes_inserts: bool,
    pub(super) takes_updates: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Column {
    pub(super) table_id: i64,
    pub(super) number: i64,
    pub(super) name: String,
    pub(super) has_default: bool,
    /// The type's own name, of an array with a leading underscore.
    pub(super) format: String,
    pub(super) type_schema: String,
    pub(super) is_identity: bool,
    /// `generated always`: nobody may write it.
    pub(super) is_computed: bool,
    pub(super) is_nullable: bool,
    pub(super) is_writable: bool,
    pub(super) comment: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Function {
    pub(super) id: i64,
    pub(super) schema: String,
    pub(super) name: String,
    pub(super) argument_types: String,
    pub(super) return_type_id: i64,
    pub(super) return_type: String,
    pub(super) return_relation_id: Option<i64>,
    pub(super) is_set: bool,
    /// The planner's estimate; 0 for a function that returns no set.
    pub(super) rows: f64,
    pub(super) inputs: usize,
    pub(super) defaults: usize,
    /// Empty if all arguments are IN.
    modes: Vec<String>,
    /// Empty if none has a name.
    names: Vec<String>,
    types: Vec<i64>,
}

/// How a value passes through an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// IN, INOUT or VARIADIC.
    Input,
    Out,
    Table,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Argument {
    pub(super) name: String,
    pub(super) type_id: i64,
    pub(super) mode: Mode,
    pub(super) has_default: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Type {
    pub(super) id: i64,
    pub(super) schema: String,
    pub(super) name: String,
    /// As `format_type` prints it.
    pub(super) format: String,
    pub(super) relation_id: Option<i64>,
    /// Of an enum.
    pub(super) labels: Vec<String>,
    /// Of a composite type.
    pub(super) attributes: Vec<Attribute>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) type_id: i64,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct ForeignKey {
    pub(super) name: String,
    pub(super) schema: String,
    pub(super) relation: String,
    pub(super) relation_id: i64,
    pub(super) columns: Vec<String>,
    pub(super) numbers: Vec<i64>,
    pub(super) referenced_schema: String,
    pub(super) referenced_relation: String,
    pub(super) referenced_id: i64,
    pub(super) referenced_columns: Vec<String>,
    pub(super) referenced_numbers: Vec<i64>,
    pub(super) is_copy: bool,
    pub(super) is_one_to_one: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct View {
    pub(super) id: i64,
    pub(super) schema: String,
    pub(super) name: String,
    /// A `pg_node_tree`.
    pub(super) query: String,
    /// Names by number.
    pub(super) columns: BTreeMap<i64, String>,
    /// Relation and number of columns that it reads and that are never null.
    pub(super) not_null: Vec<(i64, i64)>,
}

impl Catalog {
    /// Puts everything into the generator's order.
    pub(super) fn sort(&mut self) {
        self.schemas.sort_by(|a, b| compare(a, b));
        self.relations.sort_by(|a, b| compare(&a.schema, &b.schema).then_with(|| compare(&a.name, &b.name)));
        for columns in self.columns.values_mut() {
            columns.sort_by(|a, b| compare(&a.name, &b.name));
        }
        let by_name = |a: &Type, b: &Type| compare(&a.schema, &b.schema).then_with(|| compare(&a.name, &b.name));
        self.types.sort_by(|a, b| by_name(a, b).then(a.id.cmp(&b.id)));
    }

    pub(super) fn columns(&self, relation: i64) -> &[Column] {
        self.columns.get(&relation).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn relation(&self, id: i64) -> Option<&Relation> {
        self.relations.iter().find(|relation| relation.id == id)
    }

    pub(super) fn has_schema(&self, name: &str) -> bool {
        self.schemas.iter().any(|schema| schema == name)
    }
}

impl Relation {
    /// Whether it is listed among the views.
    pub(super) fn is_view(&self) -> bool {
        matches!(self.kind, 'v' | 'm')
    }
}

impl Function {
    /// The arguments in order, OUT and TABLE included.
    pub(super) fn arguments(&self) -> Vec<Argument> {
        let mode = |index: usize| match self.modes.get(index).map(String::as_str) {
            Some("o") => Mode::Out,
            Some("t") => Mode::Table,
            _ => Mode::Input,
        };
        let argument = |(index, type_id): (usize, &i64)| Argument {
            name: self.names.get(index).cloned().unwrap_or_default(),
            type_id: *type_id,
            mode: mode(index),
            // The original counts from the first argument, whatever its mode.
            has_default: index < self.inputs && index + self.defaults >= self.inputs,
        };
        self.types.iter().enumerate().map(argument).collect()
    }
}
