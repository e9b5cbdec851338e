//! Prints the catalog as JSON, for debugging: `/schema_cache` of the admin server and `--dump-schema`.
//!
//! The format follows upstream's, which prints its own data types and promises nothing: `[key, value]` pairs sorted by
//! name.

use pg::QualifiedIdent;
use serde_json::{Map, Value, json};

use super::Catalog;
use super::relationship::{Cardinality, ColumnPairs, Relationship};
use super::routine::{Returns, Routine};
use super::table::{Column, Table};

impl Catalog {
    /// The whole catalog.
    pub(crate) fn dump(&self) -> Value {
        let mut tables: Vec<&Table> = self.tables.values().collect();
        tables.sort_by(|a, b| a.name.cmp(&b.name));
        let tables: Vec<Value> = tables.iter().map(|table| json!([identifier(&table.name), of_table(table)])).collect();
        let mut relationships: Vec<_> = self.relationships.iter().collect();
        relationships.sort_by(|a, b| a.0.cmp(b.0));
        let relationships: Vec<Value> = relationships
            .iter()
            .map(|((from, schema), found)| {
                json!([[identifier(from), schema], found.iter().map(of_relationship).collect::<Vec<_>>()])
            })
            .collect();
        let mut routines: Vec<_> = self.routines.iter().collect();
        routines.sort_by(|a, b| a.0.cmp(b.0));
        let routines: Vec<Value> = routines
            .iter()
            .map(|(name, overloads)| json!([identifier(name), overloads.iter().map(of_routine).collect::<Vec<_>>()]))
            .collect();
        let mut representations: Vec<_> = self.representations.iter().collect();
        representations.sort();
        let representations: Vec<Value> = representations
            .iter()
            .map(|((source, target), function)| {
                json!({ "drSourceType": source, "drTargetType": target, "drFunction": function.to_string() })
            })
            .collect();
        let mut handlers: Vec<String> = self
            .handlers
            .iter()
            .map(|(target, accepts, produces)| {
                let target = target.map_or(Value::Null, identifier);
                json!({ "target": target, "accepts": accepts.content_type(), "produces": produces.content_type() })
                    .to_string()
            })
            .collect();
        handlers.sort_unstable();
        let handlers: Vec<Value> = handlers.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
        json!({
            "dbMediaHandlers": handlers, "dbRelationships": relationships, "dbRepresentations": representations,
            "dbRoutines": routines, "dbTables": tables,
        })
    }
}

fn identifier(name: &QualifiedIdent) -> Value {
    json!({ "qiName": name.name.as_str(), "qiSchema": name.schema.as_str() })
}

fn of_table(table: &Table) -> Value {
    let columns: Map<String, Value> =
        table.columns.iter().map(|column| (column.name.clone(), of_column(column))).collect();
    json!({
        "tableColumns": columns, "tableDeletable": table.deletable, "tableDescription": table.description,
        "tableInsertable": table.insertable, "tableName": table.name.name.as_str(),
        "tablePKCols": table.primary_key, "tableSchema": table.name.schema.as_str(),
        "tableUpdatable": table.updatable,
    })
}

fn of_column(column: &Column) -> Value {
    json!({
        "colDefault": column.default.as_ref().map(pg::CatalogExpr::as_str), "colDescription": column.description,
        "colEnum": column.data_type.labels, "colMaxLen": column.max_length, "colName": column.name,
        "colNominalType": column.data_type.shown, "colNullable": column.nullable, "colType": column.data_type.base,
    })
}

fn of_relationship(relationship: &Relationship) -> Value {
    match relationship {
        Relationship::Computed(computed) => json!({
            "relFunction": identifier(&computed.function), "relForeignTable": identifier(&computed.target),
            "relTable": identifier(&computed.source), "relToOne": computed.to_one, "tag": "ComputedRelationship",
        }),
        Relationship::Key(key) => json!({
            "relCardinality": of_cardinality(&key.cardinality), "relFTableIsView": key.target_is_view,
            "relForeignTable": identifier(&key.target), "relIsSelf": key.is_self,
            "relTable": identifier(&key.source), "relTableIsView": key.source_is_view, "tag": "Relationship",
        }),
    }
}

fn of_cardinality(cardinality: &Cardinality) -> Value {
    let plain = |tag: &str, constraint: &str, columns: &ColumnPairs| json!({ "relColumns": columns, "relCons": constraint, "tag": tag });
    match cardinality {
        Cardinality::OneToMany { constraint, columns } => plain("O2M", constraint, columns),
        Cardinality::ManyToOne { constraint, columns } => plain("M2O", constraint, columns),
        Cardinality::OneToOne { constraint, columns, .. } => plain("O2O", constraint, columns),
        Cardinality::ManyToMany(junction) => json!({
            "contents": {
                "junColsSource": junction.source_columns, "junColsTarget": junction.target_columns,
                "junConstraint1": junction.source_constraint, "junConstraint2": junction.target_constraint,
                "junTable": identifier(&junction.relation),
            },
            "tag": "M2M",
        }),
    }
}

fn of_routine(routine: &Routine) -> Value {
    let parameters: Vec<Value> = routine
        .parameters
        .iter()
        .map(|parameter| {
            json!({
                "ppName": parameter.name, "ppReq": parameter.is_required, "ppType": parameter.shown_type,
                "ppVar": parameter.is_variadic,
            })
        })
        .collect();
    let (set, shape) = match routine.returns {
        Returns::Scalar => ("Single", "Scalar"),
        Returns::SetOfScalar => ("SetOf", "Scalar"),
        Returns::Composite => ("Single", "Composite"),
        Returns::SetOfComposite => ("SetOf", "Composite"),
    };
    json!({
        "pdDescription": routine.description, "pdFuncSettings": routine.settings,
        "pdHasVariadic": routine.parameters.iter().any(|parameter| parameter.is_variadic),
        "pdName": routine.name.name.as_str(), "pdParams": parameters,
        "pdReturnType": { "contents": { "contents": identifier(&routine.return_type), "tag": shape }, "tag": set },
        "pdSchema": routine.name.schema.as_str(), "pdVolatility": format!("{:?}", routine.volatility),
    })
}
