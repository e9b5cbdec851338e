//! Checks JSON without converting anything, and reports every problem at once, in the words of upstream's validator (Ajv).

use serde_json::{Map, Value};

/// What a value must be like.
pub(crate) enum Shape {
    Text(Text),
    /// One of these words.
    Word(&'static [&'static str]),
    /// An integer from the first to the second.
    Integer(i64, i64),
    /// A number, optionally from the first to the second.
    Number(Option<(i64, i64)>),
    Flag,
    List(List),
    Object(Object),
    /// Fits one of these.
    Any(&'static [&'static Shape]),
}

/// Whether a text fits a pattern.
pub(crate) type Accepts = fn(&str) -> bool;

/// A string.
pub(crate) struct Text {
    /// In characters.
    pub(crate) least: usize,
    /// In characters.
    pub(crate) most: usize,
    /// A regular expression for the message, and what decides.
    pub(crate) pattern: Option<(&'static str, Accepts)>,
}

/// An array.
pub(crate) struct List {
    pub(crate) least: usize,
    pub(crate) most: usize,
    pub(crate) is_unique: bool,
    pub(crate) item: &'static Shape,
}

/// An object.
pub(crate) struct Object {
    pub(crate) is_filled: bool,
    pub(crate) required: &'static [&'static str],
    pub(crate) names: Names,
    pub(crate) rest: Rest,
    pub(crate) members: &'static [(&'static str, &'static Shape)],
}

/// What the names of members are like.
pub(crate) enum Names {
    Any,
    /// They begin with a dollar sign.
    Operators,
    /// None begins with a dollar sign.
    Fields,
}

/// What members without a shape of their own are like.
pub(crate) enum Rest {
    Anything,
    Nothing,
    Each(&'static Shape),
}

/// Any string.
pub(crate) const TEXT: Text = Text { least: 0, most: usize::MAX, pattern: None };

/// An object with any members.
pub(crate) const OBJECT: Object =
    Object { is_filled: false, required: &[], names: Names::Any, rest: Rest::Anything, members: &[] };

/// All problems of a body, as the validator lists them; `None` if the body is valid.
pub(crate) fn problems(shape: &Shape, body: &Value) -> Option<String> {
    let mut found = Vec::new();
    shape.check(body, "body", &mut found);
    (!found.is_empty()).then(|| found.join(", "))
}

impl Shape {
    fn check(&self, value: &Value, at: &str, found: &mut Vec<String>) {
        let mut must = |what: &str| found.push(format!("{at} must {what}"));
        match (self, value) {
            (Shape::Text(text), Value::String(value)) => text.check(value, must),
            (Shape::Text(_), _) => must("be string"),
            (Shape::Word(words), value) => {
                if !value.is_string() {
                    must("be string");
                }
                if !value.as_str().is_some_and(|value| words.contains(&value)) {
                    must("be equal to one of the allowed values");
                }
            }
            (Shape::Integer(least, most), value) => match value.as_f64().filter(|number| number.fract() == 0.0) {
                Some(number) => range(number, (*least, *most), must),
                None => must("be integer"),
            },
            (Shape::Number(limits), value) => match (value.as_f64(), limits) {
                (Some(number), Some(limits)) => range(number, *limits, must),
                (Some(_), None) => {}
                (None, _) => must("be number"),
            },
            (Shape::Flag, Value::Bool(_)) => {}
            (Shape::Flag, _) => must("be boolean"),
            (Shape::List(list), Value::Array(items)) => list.check(items, at, found),
            (Shape::List(_), _) => must("be array"),
            (Shape::Object(object), Value::Object(members)) => object.check(members, at, found),
            (Shape::Object(_), _) => must("be object"),
            (Shape::Any(shapes), value) => any(shapes, value, at, found),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "limits are small")]
fn range(number: f64, (least, most): (i64, i64), mut must: impl FnMut(&str)) {
    if number > most as f64 {
        must(&format!("be <= {most}"));
    }
    if number < least as f64 {
        must(&format!("be >= {least}"));
    }
}

fn any(shapes: &[&Shape], value: &Value, at: &str, found: &mut Vec<String>) {
    let mut all = Vec::new();
    for shape in shapes {
        let before = all.len();
        shape.check(value, at, &mut all);
        if all.len() == before {
            return;
        }
    }
    found.append(&mut all);
    found.push(format!("{at} must match a schema in anyOf"));
}

impl Text {
    fn check(&self, value: &str, mut must: impl FnMut(&str)) {
        let length = value.chars().count();
        if length > self.most {
            must(&format!("NOT have more than {} characters", self.most));
        }
        if length < self.least {
            must(&format!("NOT have fewer than {} characters", self.least));
        }
        if let Some((text, matches)) = self.pattern
            && !matches(value)
        {
            must(&format!("match pattern \"{text}\""));
        }
    }
}

impl List {
    fn check(&self, items: &[Value], at: &str, found: &mut Vec<String>) {
        if items.len() > self.most {
            found.push(format!("{at} must NOT have more than {} items", self.most));
        }
        if items.len() < self.least {
            found.push(format!("{at} must NOT have fewer than {} items", self.least));
        }
        if self.is_unique
            && let Some((first, second)) = repeated(items)
        {
            let which = format!("(items ## {second} and {first} are identical)");
            found.push(format!("{at} must NOT have duplicate items {which}"));
        }
        for (index, item) in items.iter().enumerate() {
            self.item.check(item, &format!("{at}/{index}"), found);
        }
    }
}

/// The last pair of equal strings.
fn repeated(items: &[Value]) -> Option<(usize, usize)> {
    let mut seen = std::collections::HashMap::new();
    for (index, item) in items.iter().enumerate().rev() {
        if let Some(second) = item.as_str().and_then(|text| seen.insert(text, index)) {
            return Some((index, second));
        }
    }
    None
}

impl Object {
    fn check(&self, members: &Map<String, Value>, at: &str, found: &mut Vec<String>) {
        if self.is_filled && members.is_empty() {
            found.push(format!("{at} must NOT have fewer than 1 properties"));
        }
        for name in self.required.iter().filter(|name| !members.contains_key(**name)) {
            found.push(format!("{at} must have required property '{name}'"));
        }
        for name in members.keys() {
            let wrong = match self.names {
                Names::Operators if !name.starts_with('$') => r#"match pattern "^\$""#,
                Names::Fields if name.starts_with('$') => "NOT be valid",
                _ => continue,
            };
            found.push(format!("{at} must {wrong}"));
            found.push(format!("{at} property name must be valid"));
        }
        for (name, value) in members {
            if self.members.iter().any(|(known, _)| known == name) {
                continue;
            }
            match self.rest {
                Rest::Anything => {}
                Rest::Nothing => found.push(format!("{at} must NOT have additional properties")),
                Rest::Each(shape) => shape.check(value, &below(at, name), found),
            }
        }
        for (name, shape) in self.members {
            if let Some(value) = members.get(*name) {
                shape.check(value, &below(at, name), found);
            }
        }
    }
}

/// RFC 6901.
fn below(at: &str, name: &str) -> String {
    format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    static ITEM: Shape = Shape::Text(Text { least: 1, most: 2, pattern: None });
    static ITEMS: Shape = Shape::List(List { least: 1, most: 3, is_unique: true, item: &ITEM });
    static COUNT: Shape = Shape::Integer(1, 5);
    static ANY: Shape = Shape::Any(&[&ITEM, &Shape::Flag]);
    static BODY: Shape = Shape::Object(Object {
        required: &["count"],
        members: &[("items", &ITEMS), ("count", &COUNT), ("any", &ANY)],
        ..OBJECT
    });

    #[test]
    fn all_problems_are_listed_in_the_validators_words() {
        for (body, expected) in [
            (json!({ "count": 5, "items": ["a"], "more": 1, "any": true }), None),
            (json!({ "count": 2.0 }), None),
            (json!([]), Some("body must be object")),
            (json!({ "count": 6 }), Some("body/count must be <= 5")),
            (json!({ "count": "5" }), Some("body/count must be integer")),
            (json!({ "count": 1, "items": [] }), Some("body/items must NOT have fewer than 1 items")),
            (
                json!({ "items": ["a", "a", "abc"] }),
                Some(
                    "body must have required property 'count', body/items must NOT have duplicate items (items ## 1 and 0 \
                     are identical), body/items/2 must NOT have more than 2 characters",
                ),
            ),
            (
                json!({ "count": 1, "any": 7 }),
                Some("body/any must be string, body/any must be boolean, body/any must match a schema in anyOf"),
            ),
        ] {
            assert_eq!(problems(&BODY, &body).as_deref(), expected, "{body}");
        }
    }
}
