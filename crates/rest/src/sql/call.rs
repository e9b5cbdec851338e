//! Function calls.

use bytes::Bytes;
use pg::{Ident, Snippet};

use super::body::{self, Reading};
use super::condition::{array_literal, column};
use crate::catalog::routine::Parameter;
use crate::plan::call::{Arguments, CallPlan};
use crate::plan::field::PlannedField;

/// The rows that a function returns.
pub(super) fn query(plan: &CallPlan) -> Snippet {
    let mut sql = Snippet::raw("select ");
    let call = pg::QualifiedIdent::new("", "pgrst_call");
    if plan.is_scalar {
        sql.push("pgrst_call.pgrst_scalar");
    } else if plan.columns.is_empty() {
        sql.push("*");
    } else {
        sql.append(Snippet::join(plan.columns.iter().map(|name| column(&call, name)), ", "));
    }
    match &plan.arguments {
        Arguments::None => sql.push(" from ").append(called(plan, Snippet::new())),
        Arguments::Whole { parameter, body } => sql.push(" from ").append(called(plan, whole(parameter, body))),
        Arguments::Texts { parameters } => {
            let arguments = parameters.iter().map(|(parameter, values)| text(parameter, values));
            sql.push(" from ").append(called(plan, Snippet::join(arguments, ", ")))
        }
        Arguments::Json { parameters, body } => {
            let fields: Vec<PlannedField> = parameters.iter().map(field).collect();
            let reading = Reading { defaults: false, first_only: true };
            let arguments = parameters.iter().map(|parameter| {
                let mut sql = argument(parameter);
                sql.append(column(&pg::QualifiedIdent::new("", "pgrst_body"), &parameter.name));
                sql
            });
            sql.push(" ").append(body::from(body, &fields, reading));
            sql.push(", lateral ").append(called(plan, Snippet::join(arguments, ", ")))
        }
    };
    sql
}

fn called(plan: &CallPlan, arguments: Snippet) -> Snippet {
    let mut sql = Snippet::new();
    if plan.is_scalar {
        sql.push("(select ").qualified(&plan.function).push("(").append(arguments).push(") pgrst_scalar) pgrst_call");
    } else {
        sql.qualified(&plan.function).push("(").append(arguments).push(") pgrst_call");
    }
    sql
}

/// `name := `, preceded by VARIADIC for a variadic parameter.
fn argument(parameter: &Parameter) -> Snippet {
    let mut sql = Snippet::raw(if parameter.is_variadic { "variadic " } else { "" });
    sql.ident(&Ident::new(&parameter.name)).push(" := ");
    sql
}

fn text(parameter: &Parameter, values: &[String]) -> Snippet {
    let mut sql = argument(parameter);
    match (parameter.is_variadic, values) {
        (true, values) => sql.param(array_literal(values)),
        (false, [value, ..]) => sql.param(value.clone()),
        (false, []) => sql.push("null"),
    };
    sql.push("::").qualified(&parameter.type_ident());
    sql
}

/// The body as the only argument. Bytes are sent as hexadecimal text.
fn whole(parameter: &Parameter, body: &Bytes) -> Snippet {
    let value: Bytes = if parameter.shown_type == "bytea" { hexadecimal(body).into() } else { body.clone() };
    let mut sql = Snippet::value(value);
    sql.push("::").qualified(&parameter.type_ident());
    sql
}

/// PostgreSQL's hexadecimal input format: `\\x` and two digits per byte.
fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or_default();
    let mut text = String::with_capacity(2 + 2 * bytes.len());
    text.push_str("\\x");
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    text
}

fn field(parameter: &Parameter) -> PlannedField {
    PlannedField { type_name: Some(parameter.type_ident()), ..PlannedField::unknown(&parameter.name, Vec::new()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_two_digits_each() {
        assert_eq!(hexadecimal(b""), "\\x");
        assert_eq!(hexadecimal(&[0, 10, 0xff]), "\\x000aff");
    }
}
