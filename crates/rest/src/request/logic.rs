//! `and=(…)` and `or=(…)`: trees of conditions.

use super::filter::{Filter, operation, quoted_item};
use super::limits;
use super::name::{delimiter, field, field_name};
use super::scan::{Parsed, Scan};

/// A condition, or several conditions combined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LogicTree {
    Filter(Filter),
    Group { negated: bool, any: bool, branches: Vec<LogicTree> },
}

impl LogicTree {
    /// The number of conditions in it.
    pub(crate) fn filters(&self) -> usize {
        match self {
            LogicTree::Filter(_) => 1,
            LogicTree::Group { branches, .. } => branches.iter().map(LogicTree::filters).sum(),
        }
    }
}

/// `and(…)`, `not.or(…)` or a single condition.
pub(crate) fn tree(scan: &mut Scan<'_>) -> Parsed<LogicTree> {
    nested(scan, 0)
}

fn nested(scan: &mut Scan<'_>, depth: usize) -> Parsed<LogicTree> {
    if depth > limits::MAX_DEPTH {
        return scan.refuse(limits::TOO_DEEP);
    }
    scan.either(
        |scan| scan.attempt(condition).map(LogicTree::Filter),
        |scan| {
            let negated = scan.named("negation operator (not)", |scan| {
                Ok(scan.attempt(|scan| scan.string("not").and_then(|()| delimiter(scan))).is_ok())
            })?;
            let any = scan.named("logic operator (and, or)", |scan| {
                scan.either(
                    |scan| scan.attempt(|scan| scan.string("and")).map(|()| false),
                    |scan| scan.string("or").map(|()| true),
                )
            })?;
            scan.lexeme(|scan| scan.char('('))?;
            let branches = scan.separated(|scan| nested(scan, depth + 1), |scan| scan.lexeme(|scan| scan.char(',')))?;
            scan.lexeme(|scan| scan.char(')'))?;
            Ok(LogicTree::Group { negated, any, branches })
        },
    )
}

fn condition(scan: &mut Scan<'_>) -> Parsed<Filter> {
    let field = field(scan)?;
    delimiter(scan)?;
    let (negated, operation) = operation(scan, value)?;
    Ok(Filter { field, negated, operation })
}

/// A value ends at a comma or parenthesis, unless it is quoted or an array in braces.
fn value(scan: &mut Scan<'_>) -> Parsed<String> {
    scan.either(quoted_item, |scan| {
        scan.either(|scan| scan.attempt(array), |scan| Ok(scan.while_one(|c| c != ',' && c != ')').to_owned()))
    })
}

fn array(scan: &mut Scan<'_>) -> Parsed<String> {
    scan.string("{")?;
    let inside = scan.while_one(|c| c != '{' && c != '}');
    scan.string("}")?;
    Ok(format!("{{{inside}}}"))
}

/// The key of a logic tree, `embed.not.or`: the path to the embed, and the operator in the form that begins the tree's
/// text.
pub(crate) fn path(scan: &mut Scan<'_>) -> Parsed<(Vec<String>, String)> {
    let mut path = scan.separated(field_name, delimiter)?;
    let operator = path.pop().unwrap_or_default();
    let negated = path.iter().any(|part| part == "not") || operator == "not";
    path.retain(|part| part != "not");
    Ok((path, if negated { format!("not.{operator}") } else { operator }))
}

#[cfg(test)]
mod tests {
    use super::super::scan::Fail;
    use super::*;

    fn parse(text: &str) -> Result<LogicTree, (usize, String)> {
        let mut scan = Scan::new(text);
        tree(&mut scan).map_err(|Fail| scan.complaint()).map_err(|told| (told.column, told.details))
    }

    #[test]
    fn trees_nest() {
        let tree = parse(r#"or(a.eq.1, not.and(b->>x.not.like."a,b",c.cs.{1,2}), d.in.("x)",y))"#).unwrap();
        let LogicTree::Group { negated: false, any: true, branches } = tree else { panic!("{tree:?}") };
        assert_eq!(branches.len(), 3);
        let LogicTree::Group { negated: true, any: false, branches } = &branches[1] else { panic!() };
        assert_eq!(branches.len(), 2);
    }

    #[test]
    fn nesting_has_a_limit() {
        let deep = |n: usize| format!("{}a.eq.1{}", "and(".repeat(n), ")".repeat(n));
        assert!(parse(&deep(limits::MAX_DEPTH)).is_ok());
        let (column, details) = parse(&deep(limits::MAX_DEPTH + 1)).unwrap_err();
        assert_eq!((column, details.as_str()), (133, limits::TOO_DEEP));
    }

    #[test]
    fn complaints_read_as_upstream() {
        for (text, column, details) in [
            (
                "or()",
                4,
                r#"unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)"#,
            ),
            ("ot.or", 1, r#"unexpected "t" expecting "or""#),
            ("and(asc->>1,b)", 12, r#"unexpected "," expecting digit, "->", "::", ".", "->>" or delimiter (.)"#),
            ("or)(a.eq.1)", 3, r#"unexpected ")" expecting "(""#),
        ] {
            assert_eq!(parse(text).unwrap_err(), (column, details.to_owned()), "{text}");
        }
    }
}
