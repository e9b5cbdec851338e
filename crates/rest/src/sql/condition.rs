//! Columns, conditions and orderings.

use pg::{Ident, QualifiedIdent, Snippet};

use crate::plan::field::{Condition, PlannedField};
use crate::plan::node::{JoinOn, OrderBy};
use crate::request::filter::{FullText, IsValue, Operation, QuantifiedOperator, Quantifier, SimpleOperator};
use crate::request::name::{JsonOperand, JsonStep};
use crate::request::order::{Direction, Nulls};

/// `relation.column`, or every column.
pub(super) fn column(relation: &QualifiedIdent, name: &str) -> Snippet {
    let mut sql = Snippet::new();
    sql.qualified(relation);
    if name == "*" {
        sql.push(".*")
    } else {
        sql.push(".").ident(&Ident::new(name))
    };
    sql
}

/// A column with its JSON path, converted to tsvector for a text search if necessary.
pub(super) fn field(relation: &QualifiedIdent, field: &PlannedField) -> Snippet {
    let mut value = if field.full_row {
        Snippet::name(&relation.name)
    } else if field.path.is_empty() || !field.to_jsonb {
        column(relation, &field.name)
    } else {
        called("to_jsonb(", column(relation, &field.name))
    };
    if !field.full_row {
        value.append(json_path(&field.path));
    }
    match &field.to_tsvector {
        Some(language) => {
            let mut sql = Snippet::raw("to_tsvector(");
            sql.append(language_argument(language.as_deref())).append(value).push(")");
            sql
        }
        None => value,
    }
}

/// A column, through its representation if it has one.
pub(super) fn shown(relation: &QualifiedIdent, planned: &PlannedField) -> Snippet {
    transformed(planned, field(relation, planned))
}

fn called(function: &'static str, argument: Snippet) -> Snippet {
    let mut sql = Snippet::raw(function);
    sql.append(argument).push(")");
    sql
}

/// A value, parsed by the field's representation function if it has one.
fn transformed(field: &PlannedField, value: Snippet) -> Snippet {
    match &field.transform {
        Some(function) => {
            let mut sql = Snippet::new();
            sql.qualified(function).push("(").append(value).push(")");
            sql
        }
        None => value,
    }
}

fn json_path(path: &[JsonStep]) -> Snippet {
    let mut sql = Snippet::new();
    for step in path {
        sql.push(if step.as_text { "->>" } else { "->" });
        match &step.operand {
            JsonOperand::Key(key) => sql.param(key.clone()),
            JsonOperand::Index(index) => sql.param(index.clone()).push("::int"),
        };
    }
    sql
}

fn language_argument(language: Option<&str>) -> Snippet {
    let mut sql = Snippet::new();
    if let Some(language) = language {
        sql.param(language.to_owned()).push(", ");
    }
    sql
}

/// A condition on the rows of `relation`.
pub(super) fn condition(relation: &QualifiedIdent, planned: &Condition) -> Snippet {
    condition_with(relation, planned, &|alias, negated| {
        let mut sql = Snippet::name(&Ident::new(alias));
        sql.push(if negated { " is distinct from null" } else { " is not distinct from null" });
        sql
    })
}

/// As above; `embed_test` writes the test whether an embed is empty.
pub(super) fn condition_with(
    relation: &QualifiedIdent,
    planned: &Condition,
    embed_test: &dyn Fn(&str, bool) -> Snippet,
) -> Snippet {
    match planned {
        Condition::EmbedIsNull { negated, alias } => embed_test(alias, *negated),
        Condition::Group { negated, any, branches } => {
            let mut sql = Snippet::raw(if *negated { "not (" } else { "(" });
            let branches = branches.iter().map(|branch| condition_with(relation, branch, embed_test));
            sql.append(Snippet::join(branches, if *any { " or " } else { " and " })).push(")");
            sql
        }
        Condition::Filter { field: planned, negated, operation: wanted } => {
            let mut sql = Snippet::raw(if *negated { "not " } else { "" });
            sql.append(field(relation, planned)).push(" ").append(operation(planned, wanted));
            sql
        }
    }
}

fn operation(field: &PlannedField, operation: &Operation) -> Snippet {
    let mut sql = Snippet::new();
    match operation {
        Operation::Simple(operator, value) => {
            sql.push(simple(*operator)).push(" ").append(transformed(field, Snippet::value(value.clone())));
        }
        Operation::Quantified(operator, quantifier, value) => {
            sql.push(quantified(*operator)).push(" ");
            let value = match operator {
                QuantifiedOperator::Like | QuantifiedOperator::ILike => Snippet::value(value.replace('*', "%")),
                _ => transformed(field, Snippet::value(value.clone())),
            };
            sql.append(match quantifier {
                Some(Quantifier::Any) => called("any(", value),
                Some(Quantifier::All) => called("all(", value),
                None => value,
            });
        }
        // `is` takes no parameter, so its few operands are constants.
        Operation::Is(value) => {
            sql.push(match value {
                IsValue::Null => "is null",
                IsValue::NotNull => "is not null",
                IsValue::True => "is true",
                IsValue::False => "is false",
                IsValue::Unknown => "is unknown",
            });
        }
        Operation::IsDistinctFrom(value) => {
            sql.push("is distinct from ").param(value.clone());
        }
        Operation::In(values) => {
            sql.append(in_list(field, values));
        }
        Operation::FullText(kind, language, value) => {
            sql.push(match kind {
                FullText::Raw => "@@ to_tsquery(",
                FullText::Plain => "@@ plainto_tsquery(",
                FullText::Phrase => "@@ phraseto_tsquery(",
                FullText::Websearch => "@@ websearch_to_tsquery(",
            });
            sql.append(language_argument(language.as_deref())).param(value.clone()).push(")");
        }
    }
    sql
}

/// One array parameter instead of many parameters: the statement's text is the same for any number of values, including
/// none.
fn in_list(field: &PlannedField, values: &[String]) -> Snippet {
    if matches!(values, [only] if only.is_empty()) {
        return Snippet::raw("= any('{}')");
    }
    let mut sql = Snippet::raw("= any(");
    if field.transform.is_some() {
        let mut each = Snippet::raw("unnest(");
        each.param(array_literal(values)).push("::text[])");
        sql.push("array(select ").append(transformed(field, each)).push(")");
    } else {
        sql.param(array_literal(values));
    }
    sql.push(")");
    sql
}

/// PostgreSQL's array input format, with every element quoted. Text cannot contain NUL: as with upstream, an element
/// ends before it.
pub(super) fn array_literal(values: &[String]) -> String {
    let mut literal = String::with_capacity(2 + values.iter().map(|value| value.len() + 3).sum::<usize>());
    literal.push('{');
    for (index, value) in values.iter().enumerate() {
        literal.push_str(if index > 0 { ",\"" } else { "\"" });
        let mut rest = value.split('\0').next().unwrap_or_default();
        while let Some(at) = rest.find(['\\', '"']) {
            literal.push_str(&rest[..at]);
            literal.push('\\');
            // Both characters are one byte long.
            literal.push_str(&rest[at..=at]);
            rest = &rest[at + 1..];
        }
        literal.push_str(rest);
        literal.push('"');
    }
    literal.push('}');
    literal
}

fn simple(operator: SimpleOperator) -> &'static str {
    match operator {
        SimpleOperator::NotEqual => "<>",
        SimpleOperator::Contains => "@>",
        SimpleOperator::Contained => "<@",
        SimpleOperator::Overlap => "&&",
        SimpleOperator::StrictlyLeft => "<<",
        SimpleOperator::StrictlyRight => ">>",
        SimpleOperator::NotExtendsRight => "&<",
        SimpleOperator::NotExtendsLeft => "&>",
        SimpleOperator::Adjacent => "-|-",
    }
}

fn quantified(operator: QuantifiedOperator) -> &'static str {
    match operator {
        QuantifiedOperator::Equal => "=",
        QuantifiedOperator::GreaterThanEqual => ">=",
        QuantifiedOperator::GreaterThan => ">",
        QuantifiedOperator::LessThanEqual => "<=",
        QuantifiedOperator::LessThan => "<",
        QuantifiedOperator::Like => "like",
        QuantifiedOperator::ILike => "ilike",
        QuantifiedOperator::Match => "~",
        QuantifiedOperator::IMatch => "~*",
    }
}

/// A join condition.
pub(super) fn join_on(on: &JoinOn) -> Snippet {
    // The embed's side first, as PostgREST writes it, because execution plans show the condition to clients.
    let mut sql = column(&on.right.0, &on.right.1);
    sql.push(" = ").append(column(&on.left.0, &on.left.1));
    sql
}

/// ` where …`, or nothing.
pub(super) fn where_all(conditions: Vec<Snippet>) -> Snippet {
    if conditions.is_empty() {
        return Snippet::new();
    }
    let mut sql = Snippet::raw(" where ");
    sql.append(Snippet::join(conditions, " and "));
    sql
}

/// ` order by …`, or nothing.
pub(super) fn order_by(relation: &QualifiedIdent, terms: &[OrderBy]) -> Snippet {
    if terms.is_empty() {
        return Snippet::new();
    }
    let terms = terms.iter().map(|term| {
        let mut sql = match &term.relation {
            Some(alias) => field(&QualifiedIdent::new("", alias), &term.field),
            None => field(relation, &term.field),
        };
        sql.push(match term.direction {
            Some(Direction::Ascending) => " asc",
            Some(Direction::Descending) => " desc",
            None => "",
        });
        sql.push(match term.nulls {
            Some(Nulls::First) => " nulls first",
            Some(Nulls::Last) => " nulls last",
            None => "",
        });
        sql
    });
    let mut sql = Snippet::raw(" order by ");
    sql.append(Snippet::join(terms, ", "));
    sql
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sql(operation: Operation, negated: bool) -> (String, Vec<String>) {
        let filter = Condition::Filter { field: PlannedField::unknown("a\"b", Vec::new()), negated, operation };
        let (text, params) = condition(&QualifiedIdent::new("s", "t"), &filter).render();
        (text, params.into_iter().flatten().map(|p| String::from_utf8(p.to_vec()).unwrap()).collect())
    }

    #[test]
    fn arrays_survive_quotes_and_backslashes() {
        for (values, literal) in [
            (&["1", "2"][..], r#"{"1","2"}"#),
            (&["", "a,b"], r#"{"","a,b"}"#),
            (&[r#"a"b\c"#, r#"\""#, "⚾\\⚾"], r#"{"a\"b\\c","\\\"","⚾\\⚾"}"#),
            (&["a\0b", "\0", "c"], r#"{"a","","c"}"#),
        ] {
            let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
            assert_eq!(array_literal(&values), literal);
        }
    }

    #[test]
    fn values_are_parameters_and_names_are_quoted() {
        let quantified = |op, quantifier, value: &str| Operation::Quantified(op, quantifier, value.to_owned());
        for (operation, negated, text, params) in [
            (quantified(QuantifiedOperator::Equal, None, "1"), false, r#""s"."t"."a""b" = $1"#, vec!["1"]),
            (quantified(QuantifiedOperator::Like, None, "*x*"), true, r#"not "s"."t"."a""b" like $1"#, vec!["%x%"]),
            (
                quantified(QuantifiedOperator::GreaterThan, Some(Quantifier::Any), "{1,2}"),
                false,
                r#""s"."t"."a""b" > any($1)"#,
                vec!["{1,2}"],
            ),
            (
                Operation::In(vec!["a".into(), "b\"\\".into()]),
                false,
                r#""s"."t"."a""b" = any($1)"#,
                vec![r#"{"a","b\"\\"}"#],
            ),
            (Operation::In(vec![String::new()]), false, r#""s"."t"."a""b" = any('{}')"#, vec![]),
            (Operation::Is(IsValue::NotNull), false, r#""s"."t"."a""b" is not null"#, vec![]),
            (
                Operation::FullText(FullText::Websearch, Some("english".into()), "x".into()),
                false,
                r#""s"."t"."a""b" @@ websearch_to_tsquery($1, $2)"#,
                vec!["english", "x"],
            ),
        ] {
            assert_eq!(sql(operation, negated), (text.to_owned(), params.into_iter().map(str::to_owned).collect()));
        }
    }

    #[test]
    fn json_paths_hold_no_key_in_the_text() {
        let step = |as_text, operand| JsonStep { as_text, operand };
        let path = vec![step(false, JsonOperand::Key("k'".into())), step(true, JsonOperand::Index("-1".into()))];
        let planned = PlannedField { to_jsonb: true, ..PlannedField::unknown("data", path) };
        let (text, params) = field(&QualifiedIdent::new("", "t"), &planned).render();
        assert_eq!(text, r#"to_jsonb("t"."data")->$1->>$2::int"#);
        assert_eq!(params, [Some("k'".into()), Some("-1".into())]);
    }
}
