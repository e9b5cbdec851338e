//! Describes functions.

use serde_json::{Map, Value, json};

use super::{comment_into, data_types, put};
use crate::catalog::routine::{Parameter, Routine, Volatility};

/// The path of a function: always POST, and GET if it is not volatile.
pub(super) fn path(routine: &Routine) -> (String, Value) {
    let name = routine.name.name.as_str();
    let operation = |parameters: Value| {
        let mut operation = Map::new();
        operation.insert("tags".to_owned(), json!([format!("(rpc) {name}")]));
        comment_into(&mut operation, routine.description.as_deref());
        put(&mut operation, "parameters", parameters);
        operation.insert(
            "produces".to_owned(),
            json!([
                "application/json",
                "application/vnd.pgrst.object+json;nulls=stripped",
                "application/vnd.pgrst.object+json"
            ]),
        );
        operation.insert("responses".to_owned(), json!({ "200": { "description": "OK" } }));
        Value::Object(operation)
    };
    let mut path = Map::new();
    if routine.volatility != Volatility::Volatile {
        path.insert("get".to_owned(), operation(routine.parameters.iter().map(query_parameter).collect()));
    }
    let body = json!({ "name": "args", "in": "body", "required": true, "schema": arguments(routine) });
    path.insert("post".to_owned(), operation(json!([body, { "$ref": "#/parameters/preferParams" }])));
    (format!("/rpc/{name}"), path.into())
}

/// The body of a POST.
fn arguments(routine: &Routine) -> Value {
    let properties: Map<String, Value> = routine
        .parameters
        .iter()
        .map(|parameter| (parameter.name.clone(), data_types::property(&parameter.shown_type).into()))
        .collect();
    let required: Vec<&str> = routine.parameters.iter().filter(|p| p.is_required).map(|p| p.name.as_str()).collect();
    let mut schema = Map::new();
    put(&mut schema, "description", routine.description.as_deref().into());
    put(&mut schema, "type", "object".into());
    put(&mut schema, "properties", properties.into());
    put(&mut schema, "required", required.into());
    schema.into()
}

/// A query parameter of a GET. An array has PostgreSQL's format, except that a variadic parameter is repeated.
fn query_parameter(parameter: &Parameter) -> Value {
    let name = parameter.shown_type.as_str();
    let mut schema = json!({ "name": parameter.name, "in": "query", "required": parameter.is_required });
    if parameter.is_variadic {
        let element = data_types::element(name);
        let mut items = json!({ "format": data_types::format(element) });
        if let Some(kind) = data_types::kind(element) {
            items["type"] = kind.into();
        }
        schema["type"] = "array".into();
        schema["collectionFormat"] = "multi".into();
        schema["items"] = items;
    } else {
        let kind = data_types::kind(name).filter(|kind| *kind != "array").unwrap_or("string");
        schema["type"] = kind.into();
        schema["format"] = data_types::format(name).into();
    }
    schema
}

#[cfg(test)]
pub(super) mod tests {
    use pg::QualifiedIdent;

    use super::*;
    use crate::catalog::routine::Returns;

    /// A stable function with required parameters of these names and types.
    pub(in super::super) fn routine(parameters: &[(&str, &str)]) -> Routine {
        let parameter = |(name, kind): &(&str, &str)| Parameter {
            name: (*name).to_owned(),
            shown_type: (*kind).to_owned(),
            type_schema: "pg_catalog".to_owned(),
            type_name: (*kind).to_owned(),
            is_required: true,
            is_variadic: false,
        };
        Routine {
            oid: 7,
            name: QualifiedIdent::new("api", "f"),
            description: None,
            parameters: parameters.iter().map(parameter).collect(),
            returns: Returns::Scalar,
            return_type: QualifiedIdent::new("pg_catalog", "int4"),
            volatility: Volatility::Stable,
            isolation: None,
            settings: Vec::new(),
        }
    }

    #[test]
    fn a_function_without_parameters_names_none() {
        let (name, path) = path(&routine(&[]));
        assert_eq!(name, "/rpc/f");
        assert_eq!(path["post"]["parameters"][0]["schema"], json!({ "type": "object" }));
        assert!(path["get"].get("parameters").is_none());
    }

    #[test]
    fn parameters_are_told_for_the_url_and_for_the_body() {
        let mut routine = routine(&[("a", "integer[]"), ("v", "text[]"), ("j", "jsonb")]);
        routine.parameters[1].is_variadic = true;
        routine.parameters[2].is_required = false;
        let (_, path) = path(&routine);
        assert_eq!(
            path["get"]["parameters"],
            json!([
                { "name": "a", "in": "query", "required": true, "type": "string", "format": "integer[]" },
                { "name": "v", "in": "query", "required": true, "type": "array", "collectionFormat": "multi",
                  "items": { "type": "string", "format": "text" } },
                { "name": "j", "in": "query", "required": false, "type": "string", "format": "jsonb" },
            ])
        );
        assert_eq!(
            path["post"]["parameters"][0]["schema"],
            json!({ "type": "object", "required": ["a", "v"], "properties": {
                "a": { "type": "array", "format": "integer[]", "items": { "type": "integer" } },
                "v": { "type": "array", "format": "text[]", "items": { "type": "string" } },
                "j": { "format": "jsonb" },
            }})
        );
    }
}
