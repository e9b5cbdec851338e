//! Functions in the description.

use serde_json::{Map, Value, json};

use super::{comment_into, data_types};
use crate::catalog::routine::{Parameter, Routine, Volatility};

/// The path of a function: POST always, GET where it changes nothing.
pub(super) fn path(routine: &Routine) -> (String, Value) {
    let name = routine.name.name.as_str();
    let operation = |parameters: Value| {
        let mut operation = Map::new();
        operation.insert("tags".to_owned(), json!([format!("(rpc) {name}")]));
        comment_into(&mut operation, routine.description.as_deref());
        operation.insert("parameters".to_owned(), parameters);
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

/// The object that a POST sends.
fn arguments(routine: &Routine) -> Value {
    let properties: Map<String, Value> = routine
        .parameters
        .iter()
        .map(|parameter| (parameter.name.clone(), data_types::property(&parameter.shown_type).into()))
        .collect();
    let required: Vec<&str> = routine.parameters.iter().filter(|p| p.is_required).map(|p| p.name.as_str()).collect();
    let mut schema = Map::new();
    if let Some(description) = &routine.description {
        schema.insert("description".to_owned(), description.as_str().into());
    }
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema.into()
}

/// A parameter of a GET. An array is written as PostgreSQL writes it, unless it is repeated for a variadic parameter.
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
