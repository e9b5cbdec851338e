//! Checks JSON without converting anything, and reports problems at once, in the words of upstream's validator (Ajv).

use std::fmt;

use serde_json::{Map, Value};

/// Maximum number of problems in a report.
const PROBLEMS: usize = 100;
/// Once problems have this length in bytes, no more are reported: each contains its place, which may be as long as the body.
const TEXT_LIMIT: usize = 64 * 1024;

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

/// The first problems of a body, as the validator lists them; `None` if the body is valid.
///
/// DEVIATION (behaviour): 100 problems are reported at most; upstream reports all, which can be a hundred times the body.
pub(crate) fn problems(shape: &Shape, body: &Value) -> Option<String> {
    let mut found = Problems::default();
    shape.check(body, At::Body, &mut found);
    (found.count > 0).then(|| found.texts.join(", "))
}

/// Where a value is in the body.
#[derive(Clone, Copy)]
enum At<'a> {
    Body,
    Member(&'a At<'a>, &'a str),
    Item(&'a At<'a>, usize),
}

impl fmt::Display for At<'_> {
    /// RFC 6901.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Body => f.write_str("body"),
            At::Member(of, name) => write!(f, "{of}/{}", name.replace('~', "~0").replace('/', "~1")),
            At::Item(of, index) => write!(f, "{of}/{index}"),
        }
    }
}

#[derive(Default)]
struct Problems {
    texts: Vec<String>,
    /// In bytes.
    length: usize,
    count: usize,
    /// Asks only whether there is one.
    is_silent: bool,
}

impl Problems {
    fn is_full(&self) -> bool {
        self.count >= if self.is_silent { 1 } else { PROBLEMS } || self.length >= TEXT_LIMIT
    }

    fn add(&mut self, text: impl FnOnce() -> String) {
        if self.is_full() {
            return;
        }
        self.count += 1;
        if !self.is_silent {
            let text = text();
            self.length += text.len();
            self.texts.push(text);
        }
    }
}

impl Shape {
    fn fits(&self, value: &Value) -> bool {
        let mut found = Problems { is_silent: true, ..Problems::default() };
        self.check(value, At::Body, &mut found);
        found.count == 0
    }

    fn check(&self, value: &Value, at: At<'_>, found: &mut Problems) {
        // The body is refused whatever else is wrong with it.
        if found.is_full() {
            return;
        }
        let mut must = |what: &str| found.add(|| format!("{at} must {what}"));
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

fn any(shapes: &[&Shape], value: &Value, at: At<'_>, found: &mut Problems) {
    if shapes.iter().any(|shape| shape.fits(value)) {
        return;
    }
    if !found.is_silent {
        for shape in shapes {
            shape.check(value, at, found);
        }
    }
    found.add(|| format!("{at} must match a schema in anyOf"));
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
    fn check(&self, items: &[Value], at: At<'_>, found: &mut Problems) {
        if items.len() > self.most {
            found.add(|| format!("{at} must NOT have more than {} items", self.most));
        }
        if items.len() < self.least {
            found.add(|| format!("{at} must NOT have fewer than {} items", self.least));
        }
        if self.is_unique
            && let Some((first, second)) = repeated(items)
        {
            let which = format!("(items ## {second} and {first} are identical)");
            found.add(|| format!("{at} must NOT have duplicate items {which}"));
        }
        for (index, item) in items.iter().enumerate() {
            self.item.check(item, At::Item(&at, index), found);
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
    fn check(&self, members: &Map<String, Value>, at: At<'_>, found: &mut Problems) {
        if self.is_filled && members.is_empty() {
            found.add(|| format!("{at} must NOT have fewer than 1 properties"));
        }
        for name in self.required.iter().filter(|name| !members.contains_key(**name)) {
            found.add(|| format!("{at} must have required property '{name}'"));
        }
        for name in members.keys() {
            let wrong = match self.names {
                Names::Operators if !name.starts_with('$') => r#"match pattern "^\$""#,
                Names::Fields if name.starts_with('$') => "NOT be valid",
                _ => continue,
            };
            found.add(|| format!("{at} must {wrong}"));
            found.add(|| format!("{at} property name must be valid"));
        }
        for (name, value) in members {
            if self.members.iter().any(|(known, _)| known == name) {
                continue;
            }
            match self.rest {
                Rest::Anything => {}
                Rest::Nothing => found.add(|| format!("{at} must NOT have additional properties")),
                Rest::Each(shape) => shape.check(value, At::Member(&at, name), found),
            }
        }
        for (name, shape) in self.members {
            if let Some(value) = members.get(*name) {
                shape.check(value, At::Member(&at, name), found);
            }
        }
    }
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

    #[test]
    fn problems_are_limited_in_number_and_length() {
        static NUMBERS: Shape =
            Shape::List(List { least: 0, most: usize::MAX, is_unique: false, item: &Shape::Number(None) });
        static PAIRS: Shape = Shape::List(List { least: 0, most: usize::MAX, is_unique: false, item: &ANY });
        static EITHER: Shape = Shape::Any(&[&NUMBERS, &PAIRS]);
        static NAMED: Shape = Shape::Object(Object { rest: Rest::Each(&NUMBERS), ..OBJECT });
        let count = |shape: &Shape, body: &Value| problems(shape, body).map(|text| text.split(", ").count());
        let wrong = |count: usize| Value::Array(vec![json!({}); count]);
        assert_eq!(count(&NUMBERS, &wrong(99)), Some(99));
        assert_eq!(count(&NUMBERS, &wrong(1000)), Some(100));
        assert_eq!(count(&PAIRS, &wrong(1000)), Some(100));
        assert_eq!(count(&EITHER, &wrong(1000)), Some(100), "neither fits, though the first has filled the list");
        assert_eq!(count(&EITHER, &Value::Array(vec![json!("a"); 1000])), None, "the second fits");
        // The name is part of every message.
        let length = |name: usize| problems(&NAMED, &json!({ "n".repeat(name): wrong(1000) })).map(|text| text.len());
        assert!(length(60_000) < Some(130_000) && length(100_000) < Some(101_000), "{:?}", length(60_000));
    }

    #[test]
    fn a_long_name_before_many_items_costs_no_time() {
        static ROWS: Shape = Shape::List(List { least: 0, most: usize::MAX, is_unique: false, item: &ANY });
        static NAMED: Shape = Shape::Object(Object { rest: Rest::Each(&ROWS), ..OBJECT });
        // To write this name for each item would take minutes.
        let body = json!({ "n".repeat(1 << 20): vec![true; 1 << 20] });
        assert_eq!(problems(&NAMED, &body), None);
    }
}
