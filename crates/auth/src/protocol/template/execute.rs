//! Executes a parsed template with data.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::functions::{is_true, written};
use super::parser::{Expression, Node};
use super::{MAX_OUTPUT, TooLong};

/// The output of a template.
pub(super) trait Sink {
    /// Writes text of the template itself.
    fn literal(&mut self, text: &str);
    /// Writes a value.
    fn value(&mut self, value: &Value);
    /// The length so far, in bytes.
    fn length(&self) -> usize;
    /// The whole output.
    fn finish(self) -> String;
}

/// An output that escapes nothing.
#[derive(Default)]
pub(super) struct PlainText(String);

impl Sink for PlainText {
    fn literal(&mut self, text: &str) {
        self.0.push_str(text);
    }

    fn value(&mut self, value: &Value) {
        self.0.push_str(&written(value));
    }

    fn length(&self) -> usize {
        self.0.len()
    }

    fn finish(self) -> String {
        self.0
    }
}

/// Renders `nodes` with `data` as the dot.
pub(super) fn run<S: Sink>(nodes: &[Node], data: &Value, sink: S) -> Result<String, TooLong> {
    let mut run = Run { sink, variables: vec![(String::new(), data.clone())] };
    run.block(nodes, data)?;
    Ok(run.sink.finish())
}

struct Run<S> {
    sink: S,
    /// Innermost last. The variable without a name is `$`.
    variables: Vec<(String, Value)>,
}

impl<S: Sink> Run<S> {
    fn block(&mut self, nodes: &[Node], dot: &Value) -> Result<(), TooLong> {
        let outer = self.variables.len();
        for node in nodes {
            match node {
                Node::Text(text) => self.sink.literal(text),
                Node::Value(expression) => {
                    let value = self.value(expression, dot).into_owned();
                    self.sink.value(&value);
                }
                Node::Assign(name, expression) => {
                    let value = self.value(expression, dot).into_owned();
                    self.variables.push((name.clone(), value));
                }
                Node::Choice { arms, otherwise } => {
                    let depth = self.variables.len();
                    let mut body = (otherwise.as_slice(), dot.clone());
                    for arm in arms {
                        let value = self.value(&arm.condition, dot).into_owned();
                        if let Some(name) = &arm.variable {
                            self.variables.push((name.clone(), value.clone()));
                        }
                        if is_true(&value) {
                            body = (&arm.body, if arm.moves_dot { value } else { dot.clone() });
                            break;
                        }
                    }
                    self.block(body.0, &body.1)?;
                    self.variables.truncate(depth);
                }
                Node::Range { variables, over, body, otherwise } => {
                    let items = items(self.value(over, dot).into_owned());
                    if items.is_empty() {
                        self.block(otherwise, dot)?;
                    }
                    for (key, value) in items {
                        let depth = self.variables.len();
                        let values = [key, value.clone()];
                        let given = &values[values.len() - variables.len().min(values.len())..];
                        self.variables.extend(variables.iter().cloned().zip(given.iter().cloned()));
                        self.block(body, &value)?;
                        self.variables.truncate(depth);
                    }
                }
            }
            if self.sink.length() > MAX_OUTPUT {
                return Err(TooLong);
            }
        }
        self.variables.truncate(outer);
        Ok(())
    }

    fn value<'v>(&'v self, expression: &'v Expression, dot: &'v Value) -> Cow<'v, Value> {
        match expression {
            Expression::Literal(value) => Cow::Borrowed(value),
            Expression::Dot => Cow::Borrowed(dot),
            Expression::Variable(name) => {
                let found = self.variables.iter().rev().find(|(own, _)| own == name);
                found.map_or(Cow::Owned(Value::Null), |(_, value)| Cow::Borrowed(value))
            }
            Expression::Field(of, name) => match self.value(of, dot) {
                Cow::Borrowed(value) => value.get(name).map_or(Cow::Owned(Value::Null), Cow::Borrowed),
                Cow::Owned(value) => Cow::Owned(value.get(name).cloned().unwrap_or_default()),
            },
            Expression::Call(function, arguments) => {
                let values: Vec<Value> = arguments.iter().map(|one| self.value(one, dot).into_owned()).collect();
                Cow::Owned(function.call(&values))
            }
        }
    }
}

/// The items of a `range`; those of an object sorted by key, as in Go.
fn items(value: Value) -> Vec<(Value, Value)> {
    match value {
        Value::Array(items) => items.into_iter().enumerate().map(|(at, item)| (json!(at), item)).collect(),
        Value::Object(fields) => {
            let mut items: Vec<(String, Value)> = fields.into_iter().collect();
            items.sort_by(|one, other| one.0.cmp(&other.0));
            items.into_iter().map(|(key, value)| (json!(key), value)).collect()
        }
        _ => Vec::new(),
    }
}
