//! Random requests over a vocabulary.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use percent_encoding::utf8_percent_encode;
use serde_json::{Map, Value};

use super::entropy::Entropy;
use super::query::{Parameters, name};
use super::vocabulary::Vocabulary;
use crate::request::query::UNRESERVED;

/// A generated request.
#[derive(Clone, Debug, Default)]
pub struct Generated {
    /// The verb.
    pub method: Method,
    /// The path, encoded.
    pub path: String,
    /// The query string, encoded.
    pub query: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    /// The role of the token.
    pub role: String,
    /// The claims of the token.
    pub claims: Map<String, Value>,
    /// The markers of all values in the request.
    pub markers: Vec<String>,
}

impl Generated {
    /// Parses a request: verb and target on the first line, then headers, an empty line, and the body.
    pub fn of_text(text: &str) -> Self {
        let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
        let mut lines = head.lines();
        let (verb, target) = lines.next().and_then(|line| line.split_once(' ')).unwrap_or(("GET", "/"));
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let headers = lines.filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((HeaderName::try_from(name).ok()?, HeaderValue::try_from(value.trim()).ok()?))
        });
        Generated {
            method: Method::from_bytes(verb.as_bytes()).unwrap_or_default(),
            path: path.to_owned(),
            query: query.to_owned(),
            headers: headers.collect(),
            body: Bytes::copy_from_slice(body.as_bytes()),
            ..Generated::default()
        }
    }
}

const PREFERENCES: [&str; 14] = [
    "return=representation",
    "return=minimal",
    "return=headers-only",
    "count=exact",
    "count=planned",
    "count=estimated",
    "resolution=merge-duplicates",
    "resolution=ignore-duplicates",
    "missing=default",
    "missing=null",
    "tx=rollback",
    "handling=lenient",
    "max-affected=3",
    "handling=strict",
];

const ACCEPTED: [&str; 12] = [
    "*/*",
    "application/json",
    "text/csv",
    "application/geo+json",
    "application/vnd.pgrst.object+json",
    "application/vnd.pgrst.object;nulls=stripped",
    "application/vnd.pgrst.array;nulls=stripped",
    "application/vnd.pgrst.plan+json; for=\"text/csv\"; options=analyze|verbose|settings|buffers|wal",
    "application/vnd.pgrst.plan",
    "application/x-own",
    "text/plain",
    "application/octet-stream",
];

pub(super) fn generate(vocabulary: &Vocabulary, bytes: &[u8]) -> Generated {
    let mut entropy = Entropy::new(bytes);
    let mut made = match entropy.below(10) {
        0..4 => read(vocabulary, &mut entropy),
        4..7 => write(vocabulary, &mut entropy),
        _ => call(vocabulary, &mut entropy),
    };
    headers(&mut entropy, &mut made.headers);
    made.role = entropy.value();
    made.claims.insert("sub".to_owned(), entropy.value().into());
    made.claims.insert(entropy.value(), entropy.value().into());
    made.markers = entropy.markers;
    made
}

fn path(segment: &str) -> String {
    utf8_percent_encode(segment, UNRESERVED).to_string()
}

fn read(vocabulary: &Vocabulary, entropy: &mut Entropy<'_>) -> Generated {
    let relation = &vocabulary.relations[entropy.below(vocabulary.relations.len())];
    let method = if entropy.chance(15) { Method::HEAD } else { Method::GET };
    let mut parameters = Parameters::new(entropy, vocabulary);
    parameters.shape(&relation.name);
    Generated {
        method,
        path: format!("/{}", path(&relation.name)),
        query: parameters.encoded(),
        ..Generated::default()
    }
}

fn write(vocabulary: &Vocabulary, entropy: &mut Entropy<'_>) -> Generated {
    let relation = &vocabulary.relations[entropy.below(vocabulary.relations.len())];
    let method = [Method::POST, Method::PATCH, Method::PUT, Method::DELETE][entropy.below(4)].clone();
    let mut made = Generated { method, path: format!("/{}", path(&relation.name)), ..Generated::default() };
    let mut columns: Vec<String> = relation.columns.clone();
    columns.retain(|column| relation.key.contains(column) || entropy.chance(60));
    let mut parameters = Parameters::new(entropy, vocabulary);
    if made.method == Method::PUT {
        for column in &relation.key {
            let value = format!("eq.{}", parameters.entropy.value());
            parameters.pairs.push((name(column), value));
        }
        if parameters.entropy.chance(50) {
            parameters.pairs.push(("select".to_owned(), "*".to_owned()));
        }
    } else {
        parameters.shape(&relation.name);
        for names in ["columns", "on_conflict"] {
            if parameters.entropy.chance(20) {
                let listed: Vec<String> =
                    (0..=parameters.entropy.below(3)).map(|_| name(&parameters.column(&relation.name))).collect();
                parameters.pairs.push((names.to_owned(), listed.join(",")));
            }
        }
    }
    made.query = parameters.encoded();
    if made.method != Method::DELETE {
        body(entropy, &columns, &mut made);
    }
    made
}

fn call(vocabulary: &Vocabulary, entropy: &mut Entropy<'_>) -> Generated {
    if vocabulary.routines.is_empty() {
        return read(vocabulary, entropy);
    }
    let function = &vocabulary.routines[entropy.below(vocabulary.routines.len())];
    let method = [Method::POST, Method::GET, Method::HEAD][entropy.below(3)].clone();
    let mut made = Generated { method, path: format!("/rpc/{}", path(&function.name)), ..Generated::default() };
    let mut parameters = Parameters::new(entropy, vocabulary);
    if made.method != Method::POST {
        for parameter in &function.parameters {
            let value = parameters.entropy.value();
            parameters.pairs.push((name(parameter), value));
        }
    }
    if parameters.entropy.chance(70) {
        parameters.shape(&function.returns);
    }
    made.query = parameters.encoded();
    if made.method == Method::POST {
        match function.parameters.as_slice() {
            [only] if only.is_empty() => {
                let types = ["application/json", "application/octet-stream", "text/plain", "text/xml"];
                content_type(&mut made, entropy.pick(&types));
                made.body = Value::from(entropy.value()).to_string().into();
            }
            parameters => body(entropy, parameters, &mut made),
        }
    }
    made
}

fn body(entropy: &mut Entropy<'_>, keys: &[String], made: &mut Generated) {
    let row = |entropy: &mut Entropy<'_>| -> Map<String, Value> {
        keys.iter()
            .map(|key| {
                let value = match entropy.below(4) {
                    0 => Value::Null,
                    1 => Value::from(vec![entropy.value(), entropy.value()]),
                    _ => entropy.value().into(),
                };
                (key.clone(), value)
            })
            .collect()
    };
    made.body = match entropy.below(4) {
        0 => Value::Object(row(entropy)).to_string().into(),
        1 | 2 => {
            let rows: Vec<Value> = (0..entropy.below(3)).map(|_| Value::Object(row(entropy))).collect();
            Value::from(rows).to_string().into()
        }
        _ if entropy.chance(50) => {
            content_type(made, "application/x-www-form-urlencoded");
            let pairs: Vec<String> =
                keys.iter().map(|key| format!("{}={}", path(key), path(&entropy.value()))).collect();
            pairs.join("&").into()
        }
        _ => {
            content_type(made, "text/csv");
            let line = |cells: Vec<String>| {
                let cells: Vec<String> =
                    cells.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
                cells.join(",") + "\n"
            };
            let values = line(keys.iter().map(|_| entropy.value()).collect());
            (line(keys.to_vec()) + &values).into()
        }
    };
}

fn content_type(made: &mut Generated, media: &'static str) {
    made.headers.insert(http::header::CONTENT_TYPE, HeaderValue::from_static(media));
}

fn headers(entropy: &mut Entropy<'_>, headers: &mut HeaderMap) {
    let mut preferences: Vec<String> = Vec::new();
    while entropy.chance(60) && preferences.len() < 6 {
        preferences.push(entropy.pick(&PREFERENCES).to_owned());
    }
    if entropy.chance(20) {
        preferences.push(format!("timezone={}", entropy.value().replace(',', "")));
    }
    let mut set = |name: &'static str, value: String| {
        // Skips values that no header can contain, because no client could send them.
        if let Ok(value) = HeaderValue::from_bytes(value.as_bytes()) {
            headers.append(HeaderName::from_static(name), value);
        }
    };
    if !preferences.is_empty() {
        set("prefer", preferences.join(", "));
    }
    if entropy.chance(50) {
        set("accept", entropy.pick(&ACCEPTED).to_owned());
    }
    if entropy.chance(10) {
        set("range", entropy.pick(&["0-4", "3-", "0-99999999999999999999", "x"]).to_owned());
    }
    set("x-custom", entropy.value());
    set("cookie", format!("a={}; {}", entropy.value(), entropy.value()));
}
