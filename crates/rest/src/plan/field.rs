//! Columns in a plan: with their types, and their representation functions.

use pg::{CatalogExpr, QualifiedIdent};

use crate::catalog::Catalog;
use crate::catalog::table::{Column, JSON, JSONB, TEXT, Table};
use crate::request::filter::{Filter, Operation};
use crate::request::logic::LogicTree;
use crate::request::name::{Field, JsonStep};

/// A possible column. PostgreSQL decides about columns that the catalog does not know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlannedField {
    pub(crate) name: String,
    pub(crate) path: Vec<JsonStep>,
    /// Whether it must be converted to jsonb before its path is applied.
    pub(crate) to_jsonb: bool,
    /// Whether it must be converted to tsvector, and with which text search configuration.
    pub(crate) to_tsvector: Option<Option<String>>,
    pub(crate) type_oid: Option<u32>,
    pub(crate) type_name: Option<QualifiedIdent>,
    /// The function that converts between the column's type and the representation.
    pub(crate) transform: Option<QualifiedIdent>,
    pub(crate) default: Option<CatalogExpr>,
    /// Stands for the whole row: counting it counts rows.
    pub(crate) full_row: bool,
}

impl PlannedField {
    /// A column that the catalog does not know.
    pub(crate) fn unknown(name: impl Into<String>, path: Vec<JsonStep>) -> Self {
        PlannedField { name: name.into(), path, ..PlannedField::default() }
    }

    fn of_column(column: &Column) -> Self {
        PlannedField {
            name: column.name.clone(),
            type_oid: Some(column.data_type.oid),
            type_name: Some(column.data_type.name.clone()),
            default: column.default.clone(),
            ..PlannedField::default()
        }
    }

    pub(crate) fn is_star(&self) -> bool {
        self.name == "*" && self.path.is_empty()
    }
}

/// A condition on rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Filter {
        field: PlannedField,
        negated: bool,
        operation: Operation,
    },
    Group {
        negated: bool,
        any: bool,
        branches: Vec<Condition>,
    },
    /// Whether an embed is empty, or with `negated` not empty.
    EmbedIsNull {
        negated: bool,
        alias: String,
    },
}

/// Resolves the columns of one relation.
#[derive(Clone, Copy)]
pub(crate) struct Resolver<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) table: Option<&'a Table>,
}

impl<'a> Resolver<'a> {
    /// For the relation of that name, which the catalog need not know.
    pub(crate) fn of(catalog: &'a Catalog, name: &QualifiedIdent) -> Self {
        Resolver { catalog, table: catalog.tables.get(name) }
    }

    fn resolve(&self, field: &Field, to_tsvector: Option<Option<String>>) -> PlannedField {
        let Some(column) = self.table.and_then(|table| table.column(&field.name)) else {
            let unknown = PlannedField::unknown(&field.name, field.path.clone());
            return PlannedField { to_jsonb: true, ..unknown };
        };
        PlannedField {
            path: field.path.clone(),
            // json is used without conversion, so that indexes on its paths apply.
            to_jsonb: !matches!(column.data_type.oid, JSON | JSONB),
            to_tsvector: to_tsvector.filter(|_| column.data_type.base != "tsvector"),
            ..PlannedField::of_column(column)
        }
    }

    /// A column to order by.
    pub(crate) fn ordered(&self, field: &Field) -> PlannedField {
        self.resolve(field, None)
    }

    /// A column to select, with its representation if it has one.
    pub(crate) fn shown(&self, field: &Field) -> PlannedField {
        let planned = self.resolve(field, None);
        self.with_transform(planned, |oid| (oid, JSON))
    }

    /// All columns, to select.
    pub(crate) fn all_shown(&self) -> Vec<PlannedField> {
        let columns = self.table.map_or(&[][..], |table| &table.columns);
        columns.iter().map(|column| self.with_transform(PlannedField::of_column(column), |oid| (oid, JSON))).collect()
    }

    /// Whether any column has a representation.
    pub(crate) fn has_representations(&self) -> bool {
        let columns = self.table.map_or(&[][..], |table| &table.columns);
        columns.iter().any(|column| self.catalog.representation(column.data_type.oid, JSON).is_some())
    }

    /// A column that a body sets; `None` if there is no such column.
    pub(crate) fn written(&self, name: &str) -> Option<PlannedField> {
        let column = self.table?.column(name)?;
        let mut field = self.with_transform(PlannedField::of_column(column), |oid| (JSON, oid));
        if field.transform.is_some() {
            field.type_name = Some(QualifiedIdent::new("pg_catalog", "json"));
        }
        Some(field)
    }

    /// A column to filter by, with the function that parses the filter's value.
    pub(crate) fn filter(&self, filter: &Filter) -> Condition {
        let to_tsvector = match &filter.operation {
            Operation::FullText(_, language, _) => Some(language.clone()),
            _ => None,
        };
        let field = self.resolve(&filter.field, to_tsvector);
        let field = self.with_transform(field, |oid| (TEXT, oid));
        Condition::Filter { field, negated: filter.negated, operation: filter.operation.clone() }
    }

    /// A tree of filters.
    pub(crate) fn logic(&self, tree: &LogicTree) -> Condition {
        match tree {
            LogicTree::Filter(filter) => self.filter(filter),
            LogicTree::Group { negated, any, branches } => Condition::Group {
                negated: *negated,
                any: *any,
                branches: branches.iter().map(|branch| self.logic(branch)).collect(),
            },
        }
    }

    fn with_transform(&self, mut field: PlannedField, types: impl FnOnce(u32) -> (u32, u32)) -> PlannedField {
        if let Some((source, target)) = field.type_oid.map(types) {
            field.transform = self.catalog.representation(source, target).cloned();
        }
        field
    }
}
