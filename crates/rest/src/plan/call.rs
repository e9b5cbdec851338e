//! Plans a function call: which overload, with which arguments.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use pg::QualifiedIdent;

use super::field::Condition;
use super::mutate::columns_needed;
use super::node::ReadNode;
use super::read;
use super::{DbPlan, Kind, check_preferences, negotiate};
use crate::catalog::Catalog;
use crate::catalog::fuzzy;
use crate::catalog::routine::{Parameter, Routine};
use crate::config::Config;
use crate::error::{Error, MissingRoutine};
use crate::request::body::Payload;
use crate::request::{ApiRequest, Invoke, MediaType};

/// The minimum similarity of a suggested parameter list.
const PARAMETERS_LIKENESS: f64 = 0.33;

/// A call.
#[derive(Debug)]
pub(crate) struct CallPlan {
    pub(crate) function: QualifiedIdent,
    pub(crate) arguments: Arguments,
    /// The result has no columns, so it gets a name of ours.
    pub(crate) is_scalar: bool,
    /// The selected columns of the result; empty or `*` for all.
    pub(crate) columns: Vec<String>,
}

/// The arguments.
#[derive(Debug)]
pub(crate) enum Arguments {
    None,
    /// The body is the only argument, and unnamed.
    Whole {
        parameter: Parameter,
        body: Bytes,
    },
    /// Members of a JSON object.
    Json {
        parameters: Vec<Parameter>,
        body: Bytes,
    },
    /// Values by name; several for a variadic parameter.
    Texts {
        parameters: Vec<(Parameter, Vec<String>)>,
    },
}

/// Plans a call.
///
/// # Errors
/// PGRST202 if no function matches, PGRST203 if several do.
pub(super) fn plan(
    name: &QualifiedIdent,
    invoke: Invoke,
    request: &ApiRequest,
    catalog: &Catalog,
    config: &Config,
) -> Result<DbPlan, Error> {
    let keys: BTreeSet<String> = match invoke {
        Invoke::Get { .. } => request.query.arguments.iter().map(|(key, _)| key.clone()).collect(),
        Invoke::Post => request.columns.clone(),
    };
    let routine = find(name, &keys, invoke, &request.content_type, catalog)?.clone();
    // A function that returns rows of a relation can embed what that relation can.
    let shown = if routine.returns.is_scalar() { name.name.as_str() } else { routine.return_type.name.as_str() };
    let shown = QualifiedIdent::new(name.schema.as_str(), shown);
    let read = read::plan(&shown, request, catalog, config)?;
    let arguments = arguments(&routine, &keys, invoke, request);
    let plan = CallPlan {
        function: routine.name.clone(),
        arguments,
        is_scalar: routine.returns.is_scalar(),
        columns: result_columns(&read),
    };
    let (handler, media) = negotiate::handler(config, request, &shown, catalog, &read)?;
    check_preferences(request)?;
    if request.prefer.is_strict() && request.prefer.max_affected.is_some() && routine.returns.is_single() {
        return Err(Error::MaxAffectedRpc);
    }
    Ok(DbPlan { read, kind: Kind::Call { routine, plan, invoke }, handler, media, target: name.clone() })
}

fn find<'a>(
    name: &QualifiedIdent,
    keys: &BTreeSet<String>,
    invoke: Invoke,
    content_type: &MediaType,
    catalog: &'a Catalog,
) -> Result<&'a Routine, Error> {
    let overloads = catalog.routines.get(name).map_or(&[][..], Vec::as_slice);
    let is_post = invoke == Invoke::Post;
    let raw_body = is_post && matches!(content_type, MediaType::Text | MediaType::Xml | MediaType::OctetStream);
    let (named, others): (Vec<&Routine>, Vec<&Routine>) =
        overloads.iter().partition(|routine| takes(routine, keys, raw_body));
    let whole = |routine: &&&Routine| is_post && takes_whole_body(routine, content_type);
    let candidates = if named.is_empty() { others.iter().filter(whole).copied().collect() } else { named };
    match candidates.as_slice() {
        [one] => Ok(one),
        [] => Err(missing(name, keys, is_post.then_some(content_type), raw_body, overloads, catalog)),
        several => {
            let signatures: Vec<String> = several.iter().map(|routine| routine.signature()).collect();
            Err(Error::AmbiguousRoutine(signatures.join(", ")))
        }
    }
}

/// Whether the keys contain all required parameters, and otherwise only optional ones.
fn takes(routine: &Routine, keys: &BTreeSet<String>, raw_body: bool) -> bool {
    if routine.parameters.is_empty() {
        return keys.is_empty() && !raw_body;
    }
    let known = |key: &String| routine.parameters.iter().any(|parameter| &parameter.name == key);
    let required = routine.parameters.iter().filter(|parameter| parameter.is_required);
    keys.iter().all(known) && required.map(|parameter| &parameter.name).all(|name| keys.contains(name))
}

fn takes_whole_body(routine: &Routine, content_type: &MediaType) -> bool {
    let [parameter] = routine.parameters.as_slice() else { return false };
    parameter.name.is_empty()
        && match content_type {
            MediaType::Json => matches!(parameter.shown_type.as_str(), "json" | "jsonb"),
            MediaType::Text => parameter.shown_type == "text",
            MediaType::Xml => parameter.shown_type == "xml",
            MediaType::OctetStream => parameter.shown_type == "bytea",
            _ => false,
        }
}

fn missing(
    name: &QualifiedIdent,
    keys: &BTreeSet<String>,
    posted: Option<&MediaType>,
    only_unnamed: bool,
    overloads: &[Routine],
    catalog: &Catalog,
) -> Error {
    let schema = name.schema.as_str();
    let suggestion = if only_unnamed {
        None
    } else if overloads.is_empty() {
        catalog.suggest_routine(name).map(|found| format!("{schema}.{found}"))
    } else {
        let list = |names: BTreeSet<&str>| format!("({})", names.into_iter().collect::<Vec<_>>().join(", "));
        let signatures: Vec<String> =
            overloads.iter().map(|r| list(r.parameters.iter().map(|p| p.name.as_str()).collect())).collect();
        let wanted = list(keys.iter().map(String::as_str).collect());
        fuzzy::closest(signatures.iter().map(String::as_str), &wanted, PARAMETERS_LIKENESS)
            .map(|found| format!("{schema}.{}{found}", name.name.as_str()))
    };
    Error::NoRoutine(Box::new(MissingRoutine {
        function: format!("{schema}.{}", name.name.as_str()),
        arguments: keys.iter().cloned().collect(),
        unnamed: posted.and_then(|media| match media {
            MediaType::Json => Some("json/jsonb"),
            MediaType::Text => Some("text"),
            MediaType::Xml => Some("xml"),
            MediaType::OctetStream => Some("bytea"),
            _ => None,
        }),
        only_unnamed,
        suggestion,
    }))
}

fn arguments(routine: &Routine, keys: &BTreeSet<String>, invoke: Invoke, request: &ApiRequest) -> Arguments {
    let body = || request.payload.as_ref().map(Payload::bytes).unwrap_or_default();
    if let [only] = routine.parameters.as_slice()
        && only.name.is_empty()
    {
        let body = match invoke {
            Invoke::Post => body(),
            Invoke::Get { .. } => Bytes::from_static(b"{}"),
        };
        return Arguments::Whole { parameter: only.clone(), body };
    }
    let parameters: Vec<Parameter> =
        routine.parameters.iter().filter(|parameter| keys.contains(&parameter.name)).cloned().collect();
    if parameters.is_empty() {
        return Arguments::None;
    }
    match (invoke, &request.payload) {
        (Invoke::Get { .. }, _) => texts(parameters, &request.query.arguments),
        (Invoke::Post, Some(Payload::Form(pairs))) => texts(parameters, pairs),
        (Invoke::Post, _) => Arguments::Json { parameters, body: body() },
    }
}

/// Repeated names are values of a variadic parameter; for any other parameter the last value counts.
fn texts(parameters: Vec<Parameter>, pairs: &[(String, String)]) -> Arguments {
    let mut by_name: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, value) in pairs {
        by_name.entry(name).or_default().push(value.clone());
    }
    let values = |parameter: &Parameter| {
        let mut values = by_name.get(parameter.name.as_str()).cloned().unwrap_or_default();
        if !parameter.is_variadic {
            values = values.pop().into_iter().collect();
        }
        values
    };
    Arguments::Texts { parameters: parameters.into_iter().map(|p| (p.clone(), values(&p))).collect() }
}

/// The selected columns, and those used by conditions.
fn result_columns(read: &ReadNode) -> Vec<String> {
    let shown = columns_needed(read, &[]);
    if matches!(shown.as_slice(), [star] if star == "*") || shown.is_empty() {
        return shown;
    }
    let mut names: BTreeSet<String> = shown.into_iter().collect();
    condition_columns(read, &mut names);
    names.into_iter().collect()
}

fn condition_columns(node: &ReadNode, names: &mut BTreeSet<String>) {
    fn walk(condition: &Condition, names: &mut BTreeSet<String>) {
        match condition {
            Condition::Filter { field, .. } => {
                names.insert(field.name.clone());
            }
            Condition::Group { branches, .. } => branches.iter().for_each(|branch| walk(branch, names)),
            Condition::EmbedIsNull { .. } => {}
        }
    }
    node.conditions.iter().for_each(|condition| walk(condition, names));
    // Ordering by a column that is not selected needs that column too.
    names.extend(node.order.iter().filter(|term| term.relation.is_none()).map(|term| term.field.name.clone()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::routine::{Returns, Volatility};

    /// A function from its parameters: in `a b? c... :json`, `a` is required, `b` is optional, `c` is variadic, and
    /// the last one is an unnamed json.
    fn routine(parameters: &str) -> Routine {
        let parameters = parameters.split_whitespace().map(|text| {
            let (name, kind) = text.split_once(':').unwrap_or((text, "text"));
            Parameter {
                name: name.trim_end_matches(['?', '.']).to_owned(),
                shown_type: kind.to_owned(),
                type_schema: "pg_catalog".to_owned(),
                type_name: kind.to_owned(),
                is_required: !name.ends_with('?'),
                is_variadic: name.ends_with("..."),
            }
        });
        Routine {
            oid: 1,
            name: QualifiedIdent::new("api", "f"),
            description: None,
            parameters: parameters.collect(),
            returns: Returns::Scalar,
            return_type: QualifiedIdent::new("pg_catalog", "text"),
            volatility: Volatility::Volatile,
            isolation: None,
            settings: Vec::new(),
        }
    }

    #[test]
    fn overloads_are_told_apart_by_names_and_the_kind_of_body() {
        let (get, post) = (Invoke::Get { headers_only: false }, Invoke::Post);
        for (overloads, keys, invoke, media, found) in [
            (&[""][..], "", get, MediaType::Json, Ok(0)),
            (&[""], "", post, MediaType::Text, Err("PGRST202")),
            (&["", "a", "a b"], "b a", get, MediaType::Json, Ok(2)),
            (&["a b?"], "a", get, MediaType::Json, Ok(0)),
            (&["a b?"], "b", get, MediaType::Json, Err("PGRST202")),
            (&["a b?"], "a b c", get, MediaType::Json, Err("PGRST202")),
            (&["a? b?"], "", post, MediaType::Text, Ok(0)),
            (&["a:int", "a:text"], "a", post, MediaType::Json, Err("PGRST203")),
            (&["a", "a b?"], "a", get, MediaType::Json, Err("PGRST203")),
            (&["a", ":json"], "a", post, MediaType::Json, Ok(0)),
            (&["a", ":json"], "b", post, MediaType::Json, Ok(1)),
            (&[":json"], "b", get, MediaType::Json, Err("PGRST202")),
            (&[":json", ":jsonb"], "", post, MediaType::Json, Err("PGRST203")),
            (&[":json", ":text", ":xml", ":bytea"], "", post, MediaType::Text, Ok(1)),
            (&[":json", ":text", ":xml", ":bytea"], "", post, MediaType::Xml, Ok(2)),
            (&[":json", ":text", ":xml", ":bytea"], "", post, MediaType::OctetStream, Ok(3)),
            (&[":json"], "a", post, MediaType::Csv, Err("PGRST202")),
            (&["data:json"], "a", post, MediaType::Json, Err("PGRST202")),
        ] {
            let mut catalog = Catalog::default();
            let name = QualifiedIdent::new("api", "f");
            catalog.routines.insert(name.clone(), overloads.iter().map(|text| routine(text)).collect());
            let keys = keys.split_whitespace().map(str::to_owned).collect();
            let chosen = find(&name, &keys, invoke, &media, &catalog)
                .map(|one| catalog.routines[&name].iter().position(|other| std::ptr::eq(one, other)).unwrap())
                .map_err(|error| error.code().into_owned());
            assert_eq!(chosen, found.map_err(str::to_owned), "{overloads:?} {keys:?} {media:?}");
        }
    }

    #[test]
    fn repeated_names_are_values_of_a_variadic_parameter_and_corrections_of_others() {
        let pairs = [("a", "1"), ("v", "2"), ("a", "3"), ("v", "4")].map(|(k, v)| (k.to_owned(), v.to_owned()));
        let Arguments::Texts { parameters } = texts(routine("a v...").parameters, &pairs) else { panic!("texts") };
        let values: Vec<_> = parameters.into_iter().map(|(_, values)| values).collect();
        assert_eq!(values, [vec!["3"], vec!["2", "4"]]);
    }
}
