//! Tables and views.

use std::sync::Arc;

use pg::{CatalogExpr, QualifiedIdent};

/// OID of the type `text`.
pub(crate) const TEXT: u32 = 25;
/// OID of the type `json`.
pub(crate) const JSON: u32 = 114;
/// OID of the type `jsonb`.
pub(crate) const JSONB: u32 = 3802;

/// A table, view, materialized view or foreign table.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) name: QualifiedIdent,
    pub(crate) description: Option<String>,
    /// Whether it stores its rows itself: neither a view nor a foreign table.
    pub(crate) is_stored: bool,
    pub(crate) insertable: bool,
    pub(crate) updatable: bool,
    pub(crate) deletable: bool,
    /// For a view, the columns that show the primary key of its table.
    pub(crate) primary_key: Vec<String>,
    pub(crate) columns: Vec<Column>,
}

/// A column.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) nullable: bool,
    pub(crate) data_type: Arc<DataType>,
    pub(crate) max_length: Option<i32>,
    /// The default.
    pub(crate) default: Option<CatalogExpr>,
}

/// The type of a column, shared between columns.
#[derive(Clone, Debug)]
pub(crate) struct DataType {
    pub(crate) oid: u32,
    /// The type as in a column definition.
    pub(crate) name: QualifiedIdent,
    /// The base type of a domain.
    pub(crate) base: String,
    /// The type's name in the OpenAPI description.
    pub(crate) shown: String,
    /// The labels of an enum type.
    pub(crate) labels: Vec<String>,
}

impl Table {
    /// The column of that name.
    pub(crate) fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}
