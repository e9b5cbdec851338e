//! Functions.

use pg::{Isolation, QualifiedIdent};

/// A function that can be called under `/rpc/`.
#[derive(Clone, Debug)]
pub(crate) struct Routine {
    pub(crate) oid: u32,
    pub(crate) name: QualifiedIdent,
    pub(crate) description: Option<String>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) returns: Returns,
    /// The type of the value, row or rows it returns; the type `void` for functions that return nothing.
    pub(crate) return_type: QualifiedIdent,
    pub(crate) volatility: Volatility,
    pub(crate) isolation: Option<Isolation>,
    /// Settings to apply before the call.
    pub(crate) settings: Vec<(String, String)>,
}

/// An input parameter.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
pub(crate) struct Parameter {
    /// Empty for an unnamed parameter.
    pub(crate) name: String,
    /// As PostgreSQL prints the type.
    #[serde(rename = "type")]
    pub(crate) shown_type: String,
    pub(crate) type_schema: String,
    pub(crate) type_name: String,
    pub(crate) is_required: bool,
    pub(crate) is_variadic: bool,
}

/// The kind of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returns {
    Scalar,
    SetOfScalar,
    Composite,
    SetOfComposite,
}

/// The volatility of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Volatility {
    Immutable,
    Stable,
    Volatile,
}

impl Returns {
    /// Whether it returns a single value or row, not a set.
    pub(crate) fn is_single(self) -> bool {
        matches!(self, Returns::Scalar | Returns::Composite)
    }

    /// Whether it returns values without columns.
    pub(crate) fn is_scalar(self) -> bool {
        matches!(self, Returns::Scalar | Returns::SetOfScalar)
    }
}

impl Routine {
    /// Whether it returns `void`.
    pub(crate) fn returns_void(&self) -> bool {
        self.returns == Returns::Scalar && self.return_type == QualifiedIdent::new("pg_catalog", "void")
    }

    /// The sort key of overloads: those with fewer parameters first, then as upstream does.
    pub(crate) fn rank(&self) -> impl Ord + use<> {
        let parameters: Vec<_> = self
            .parameters
            .iter()
            .map(|p| (p.name.clone(), p.shown_type.clone(), p.is_required, p.is_variadic))
            .collect();
        (self.parameters.len(), self.description.clone(), parameters)
    }

    /// `schema.name(a => type, …)`
    pub(crate) fn signature(&self) -> String {
        let parameters: Vec<String> =
            self.parameters.iter().map(|p| format!("{} => {}", p.name, p.shown_type)).collect();
        format!("{}.{}({})", self.name.schema.as_str(), self.name.name.as_str(), parameters.join(", "))
    }
}

impl Parameter {
    /// The type, as SQL.
    pub(crate) fn type_ident(&self) -> QualifiedIdent {
        QualifiedIdent::new(&self.type_schema, &self.type_name)
    }
}
