//! Reading: the tree of a resource and what is embedded in it.
//!
//! The tree is made from `select`; then each parameter is hung on the node it is about; then relationships are looked up,
//! and last the passes that need them (see [`super::select`] and [`super::spread`]).

use pg::QualifiedIdent;

use super::embed;
use super::field::{Condition, PlannedField, Resolver};
use super::parameters;
use super::select;
use super::spread::{self, Spread};
use crate::catalog::Catalog;
use crate::catalog::relationship::Relationship;
use crate::config::Config;
use crate::error::Error;
use crate::request::order::{Direction, Nulls};
use crate::request::select::{Aggregate, Join, SelectItem, SelectRelation};
use crate::request::{Action, ApiRequest, Range};

/// The common table expression that holds the rows written, or returned by a function.
pub(crate) const SOURCE: &str = "pgrst_source";

/// A resource, with what is wanted of it.
#[derive(Clone, Debug)]
pub(crate) struct ReadNode {
    pub(crate) select: Vec<SelectedField>,
    pub(crate) from: QualifiedIdent,
    /// The name it has in SQL, where it is not its own.
    pub(crate) from_alias: Option<String>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) order: Vec<OrderBy>,
    pub(crate) range: Range,
    /// The name in the request.
    pub(crate) name: String,
    pub(crate) alias: Option<String>,
    /// The name of its rows within the parent's query.
    pub(crate) rows_alias: String,
    pub(crate) hint: Option<String>,
    pub(crate) join: Join,
    pub(crate) spread: Option<Spread>,
    /// How the parent's rows lead here; none for the root.
    pub(crate) relationship: Option<Relationship>,
    /// The parent's name in SQL.
    pub(crate) parent_alias: Option<String>,
    pub(crate) join_on: Vec<JoinOn>,
    /// What the embeds contribute to this node's columns.
    pub(crate) embedded: Vec<Embedded>,
    pub(crate) depth: usize,
    /// A parameter used its name although it has an alias.
    pub(crate) legacy_name: bool,
    pub(crate) children: Vec<ReadNode>,
}

/// A column of the result.
#[derive(Clone, Debug, Default)]
pub(crate) struct SelectedField {
    pub(crate) field: PlannedField,
    pub(crate) aggregate: Option<Aggregate>,
    pub(crate) aggregate_cast: Option<String>,
    pub(crate) cast: Option<String>,
    pub(crate) alias: Option<String>,
}

/// A term of an ordering.
#[derive(Clone, Debug)]
pub(crate) struct OrderBy {
    /// The embed it belongs to: as requested, later its name in SQL.
    pub(crate) relation: Option<String>,
    pub(crate) field: PlannedField,
    pub(crate) direction: Option<Direction>,
    pub(crate) nulls: Option<Nulls>,
}

/// Equality of a column here and one there.
#[derive(Clone, Debug)]
pub(crate) struct JoinOn {
    pub(crate) left: (QualifiedIdent, String),
    pub(crate) right: (QualifiedIdent, String),
}

/// What an embed adds to its parent's columns.
#[derive(Clone, Debug)]
pub(crate) enum Embedded {
    Json { name: String, rows_alias: String, is_array: bool, is_empty: bool },
    Spread { fields: Vec<SpreadField>, rows_alias: String },
}

/// A column lifted out of a spread embed.
#[derive(Clone, Debug)]
pub(crate) struct SpreadField {
    pub(crate) name: String,
    pub(crate) aggregate: Option<Aggregate>,
    pub(crate) aggregate_cast: Option<String>,
    pub(crate) alias: Option<String>,
}

impl ReadNode {
    fn new(from: QualifiedIdent, name: &str, depth: usize) -> Self {
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

    /// The key it has in the result.
    pub(crate) fn shown_name(&self) -> &str {
        self.alias.as_deref().unwrap_or(&self.name)
    }

    /// How its columns are qualified in SQL.
    pub(crate) fn qualifier(&self) -> QualifiedIdent {
        match (&self.relationship, &self.from_alias) {
            (_, Some(alias)) => QualifiedIdent::new("", alias),
            (Some(Relationship::Computed(rel)), None) => QualifiedIdent::new("", rel.function.name.as_str()),
            _ => self.from.clone(),
        }
    }

    /// Whether whole rows are wanted and nothing else.
    pub(crate) fn selects_whole_rows(&self) -> bool {
        self.children.is_empty() && matches!(self.select.as_slice(), [only] if only.field.name == "*")
    }
}

/// The plan of a read, or of what is shown of rows written or returned.
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
