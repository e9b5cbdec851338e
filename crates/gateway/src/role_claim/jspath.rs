//! PostgREST's own path grammar from before JSONPath: `.realm."my roles"[0]`, optionally ending in `[?(@ ^==
//! "prefix")]`.

use std::fmt;

use serde_json::{Map, Value};

/// The steps from the claims to the role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JsPath(Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
    /// Only as the last step.
    Filter(Comparison, String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    NotEqual,
    StartsWith,
    EndsWith,
    Contains,
}

/// Longer operators first: `==` is a prefix of `==^`.
const COMPARISONS: [(&str, Comparison); 5] = [
    ("==^", Comparison::EndsWith),
    ("==", Comparison::Equal),
    ("!=", Comparison::NotEqual),
    ("^==", Comparison::StartsWith),
    ("*==", Comparison::Contains),
];

impl JsPath {
    /// Parses a whole text; `Err` is the byte position of the first error.
    pub(super) fn parse(text: &str) -> Result<Self, usize> {
        let mut scan = Scan { text, at: 0 };
        let mut steps = Vec::new();
        while !scan.rest().is_empty() {
            if matches!(steps.last(), Some(Step::Filter(..))) {
                return Err(scan.at);
            }
            steps.push(scan.step()?);
        }
        if steps.is_empty() { Err(0) } else { Ok(JsPath(steps)) }
    }

    pub(super) fn find(&self, claims: &Map<String, Value>) -> Option<Value> {
        let (first, rest) = self.0.split_first()?;
        let Step::Key(key) = first else { return None };
        rest.iter().try_fold(claims.get(key)?, |value, step| step.from(value)).cloned()
    }
}

impl Step {
    fn from<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        match self {
            Step::Key(key) => value.as_object()?.get(key),
            Step::Index(index) => value.as_array()?.get(*index),
            Step::Filter(comparison, wanted) => {
                let fits = |item: &&Value| item.as_str().is_some_and(|item| comparison.holds(item, wanted));
                value.as_array()?.iter().find(fits)
            }
        }
    }
}

impl Comparison {
    fn holds(self, item: &str, wanted: &str) -> bool {
        match self {
            Comparison::Equal => item == wanted,
            Comparison::NotEqual => item != wanted,
            Comparison::StartsWith => item.starts_with(wanted),
            Comparison::EndsWith => item.ends_with(wanted),
            Comparison::Contains => item.contains(wanted),
        }
    }

    fn symbol(self) -> &'static str {
        COMPARISONS.iter().find(|(_, known)| *known == self).map_or("==", |(symbol, _)| symbol)
    }
}

impl fmt::Display for JsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|step| match step {
            Step::Key(key) => write!(f, ".\"{key}\""),
            Step::Index(index) => write!(f, "[{index}]"),
            Step::Filter(comparison, wanted) => write!(f, "[?(@ {} \"{wanted}\")]", comparison.symbol()),
        })
    }
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl Scan<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn eat(&mut self, expected: &str) -> Result<(), usize> {
        if !self.rest().starts_with(expected) {
            return Err(self.at);
        }
        self.at += expected.len();
        Ok(())
    }

    /// One or more characters that `belongs` accepts.
    fn many(&mut self, belongs: impl Fn(char) -> bool) -> Result<String, usize> {
        let end = self.rest().find(|c| !belongs(c)).unwrap_or(self.rest().len());
        if end == 0 {
            return Err(self.at);
        }
        let found = self.rest()[..end].to_owned();
        self.at += end;
        Ok(found)
    }

    fn step(&mut self) -> Result<Step, usize> {
        if self.eat(".").is_ok() {
            return match self.many(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '@')) {
                Ok(key) => Ok(Step::Key(key)),
                Err(_) => self.quoted().map(Step::Key),
            };
        }
        if self.eat("[?(").is_ok() {
            return self.filter();
        }
        self.eat("[")?;
        let start = self.at;
        let digits = self.many(|c| c.is_ascii_digit())?;
        self.eat("]")?;
        digits.parse().map(Step::Index).map_err(|_| start)
    }

    fn filter(&mut self) -> Result<Step, usize> {
        self.eat("@")?;
        let _ = self.many(char::is_whitespace);
        let found = COMPARISONS.iter().find(|(symbol, _)| self.rest().starts_with(symbol));
        let (symbol, comparison) = found.ok_or(self.at)?;
        self.at += symbol.len();
        let _ = self.many(char::is_whitespace);
        let wanted = self.quoted()?;
        self.eat(")]")?;
        Ok(Step::Filter(*comparison, wanted))
    }

    fn quoted(&mut self) -> Result<String, usize> {
        self.eat("\"")?;
        let end = self.rest().find('"').ok_or(self.text.len())?;
        let found = self.rest()[..end].to_owned();
        self.at += end + 1;
        Ok(found)
    }
}
