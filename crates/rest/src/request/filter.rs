//! `column=[not.]operator[(modifier)].value`.

use super::name::{Field, delimiter, identifier, quoted_value};
use super::scan::{Fail, Parsed, Scan};

/// A condition on one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Filter {
    pub(crate) field: Field,
    pub(crate) negated: bool,
    pub(crate) operation: Operation,
}

/// Operator and operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Simple(SimpleOperator, String),
    Quantified(QuantifiedOperator, Option<Quantifier>, String),
    In(Vec<String>),
    Is(IsValue),
    IsDistinctFrom(String),
    FullText(FullText, Option<String>, String),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SimpleOperator {
    NotEqual,
    Contains,
    Contained,
    Overlap,
    StrictlyLeft,
    StrictlyRight,
    NotExtendsRight,
    NotExtendsLeft,
    Adjacent,
}

/// Operators that also take an array, with `(any)` or `(all)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuantifiedOperator {
    Equal,
    GreaterThanEqual,
    GreaterThan,
    LessThanEqual,
    LessThan,
    Like,
    ILike,
    Match,
    IMatch,
}

/// Whether one matching element of the array is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantifier {
    Any,
    All,
}

/// The operands of `is`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IsValue {
    Null,
    NotNull,
    True,
    False,
    Unknown,
}

/// The four functions that build a `tsquery`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FullText {
    Plain,
    Phrase,
    Websearch,
    Raw,
}

const SIMPLE: [(&str, SimpleOperator); 9] = [
    ("neq", SimpleOperator::NotEqual),
    ("cs", SimpleOperator::Contains),
    ("cd", SimpleOperator::Contained),
    ("ov", SimpleOperator::Overlap),
    ("sl", SimpleOperator::StrictlyLeft),
    ("sr", SimpleOperator::StrictlyRight),
    ("nxr", SimpleOperator::NotExtendsRight),
    ("nxl", SimpleOperator::NotExtendsLeft),
    ("adj", SimpleOperator::Adjacent),
];

// Longer names come before their prefixes.
const QUANTIFIED: [(&str, QuantifiedOperator); 9] = [
    ("eq", QuantifiedOperator::Equal),
    ("gte", QuantifiedOperator::GreaterThanEqual),
    ("gt", QuantifiedOperator::GreaterThan),
    ("lte", QuantifiedOperator::LessThanEqual),
    ("lt", QuantifiedOperator::LessThan),
    ("like", QuantifiedOperator::Like),
    ("ilike", QuantifiedOperator::ILike),
    ("match", QuantifiedOperator::Match),
    ("imatch", QuantifiedOperator::IMatch),
];

const FULL_TEXT: [(&str, FullText); 4] =
    [("fts", FullText::Raw), ("plfts", FullText::Plain), ("phfts", FullText::Phrase), ("wfts", FullText::Websearch)];

const IS: [(&str, IsValue); 5] = [
    ("null", IsValue::Null),
    ("not_null", IsValue::NotNull),
    ("true", IsValue::True),
    ("false", IsValue::False),
    ("unknown", IsValue::Unknown),
];

/// Parses the part after `column=`; `value` parses the operand, which ends elsewhere inside a logic tree.
pub(crate) fn operation(scan: &mut Scan<'_>, value: fn(&mut Scan<'_>) -> Parsed<String>) -> Parsed<(bool, Operation)> {
    let negated = scan.attempt(|scan| scan.string("not").and_then(|()| delimiter(scan))).is_ok();
    let operation = scan.named("operator (eq, gt, ...)", |scan| {
        let start = scan.at();
        for form in [in_list, is, is_distinct, full_text, simple, quantified] {
            match form(scan, value) {
                Err(Fail) if scan.at() == start => {}
                decided => return decided,
            }
        }
        Err(Fail)
    })?;
    Ok((negated, operation))
}

type Value = fn(&mut Scan<'_>) -> Parsed<String>;

/// An operand that extends to the end.
pub(crate) fn whole_value(scan: &mut Scan<'_>) -> Parsed<String> {
    Ok(scan.remainder().to_owned())
}

fn operator(scan: &mut Scan<'_>, name: &'static str) -> Parsed<()> {
    scan.attempt(|scan| {
        scan.string(name)?;
        delimiter(scan).map(drop)
    })
}

fn in_list(scan: &mut Scan<'_>, _: Value) -> Parsed<Operation> {
    operator(scan, "in")?;
    scan.lexeme(|scan| scan.char('('))?;
    let items = scan.separated(list_item, |scan| scan.char(','))?;
    scan.lexeme(|scan| scan.char(')'))?;
    Ok(Operation::In(items))
}

fn list_item(scan: &mut Scan<'_>) -> Parsed<String> {
    scan.either(quoted_item, |scan| Ok(scan.while_one(|c| c != ',' && c != ')').to_owned()))
}

/// An operand that is completely quoted.
pub(crate) fn quoted_item(scan: &mut Scan<'_>) -> Parsed<String> {
    scan.attempt(|scan| {
        let value = quoted_value(scan)?;
        scan.not_followed_by(|c| c != ',' && c != ')', None)?;
        Ok(value)
    })
}

fn is(scan: &mut Scan<'_>, _: Value) -> Parsed<Operation> {
    operator(scan, "is")?;
    scan.named("isVal: (null, not_null, true, false, unknown)", |scan| {
        for (name, value) in IS {
            if scan.attempt(|scan| scan.string_any_case(name)).is_ok() {
                return Ok(Operation::Is(value));
            }
        }
        Err(Fail)
    })
}

fn is_distinct(scan: &mut Scan<'_>, value: Value) -> Parsed<Operation> {
    operator(scan, "isdistinct")?;
    value(scan).map(Operation::IsDistinctFrom)
}

fn full_text(scan: &mut Scan<'_>, value: Value) -> Parsed<Operation> {
    scan.attempt(|scan| {
        let kind = one_of(scan, &FULL_TEXT)?;
        let language = scan.optional(|scan| {
            scan.attempt(|scan| {
                scan.char('(')?;
                let language = identifier(scan)?;
                scan.char(')').map(|_| language)
            })
        })?;
        delimiter(scan)?;
        Ok(Operation::FullText(kind, language, value(scan)?))
    })
}

fn simple(scan: &mut Scan<'_>, value: Value) -> Parsed<Operation> {
    scan.attempt(|scan| {
        let operator = scan.named("unknown single value operator", |scan| one_of(scan, &SIMPLE))?;
        delimiter(scan)?;
        Ok(Operation::Simple(operator, value(scan)?))
    })
}

fn quantified(scan: &mut Scan<'_>, value: Value) -> Parsed<Operation> {
    scan.attempt(|scan| {
        let operator = scan.named("unknown single value operator", |scan| one_of(scan, &QUANTIFIED))?;
        let quantifier = scan.optional(|scan| {
            scan.attempt(|scan| {
                scan.char('(')?;
                let any = |scan: &mut Scan<'_>| scan.attempt(|scan| scan.string("any")).map(|()| Quantifier::Any);
                let quantifier = scan.either(any, |scan| scan.string("all").map(|()| Quantifier::All))?;
                scan.char(')').map(|_| quantifier)
            })
        })?;
        delimiter(scan)?;
        Ok(Operation::Quantified(operator, quantifier, value(scan)?))
    })
}

fn one_of<T: Copy>(scan: &mut Scan<'_>, table: &[(&'static str, T)]) -> Parsed<T> {
    for (name, value) in table {
        if scan.attempt(|scan| scan.string(name)).is_ok() {
            return Ok(*value);
        }
    }
    Err(Fail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<(bool, Operation), (usize, String)> {
        let mut scan = Scan::new(text);
        operation(&mut scan, whole_value).map_err(|Fail| scan.complaint()).map_err(|told| (told.column, told.details))
    }

    #[test]
    fn every_operator_is_read() {
        for (name, operator) in SIMPLE {
            assert_eq!(parse(&format!("{name}.x.y")).unwrap(), (false, Operation::Simple(operator, "x.y".into())));
        }
        for (name, operator) in QUANTIFIED {
            let quantified = |q| Operation::Quantified(operator, q, "x".into());
            assert_eq!(parse(&format!("not.{name}.x")).unwrap(), (true, quantified(None)));
            assert_eq!(parse(&format!("{name}(any).x")).unwrap(), (false, quantified(Some(Quantifier::Any))));
            assert_eq!(parse(&format!("{name}(all).x")).unwrap(), (false, quantified(Some(Quantifier::All))));
        }
        for (name, kind) in FULL_TEXT {
            let operation = Operation::FullText(kind, Some("english".into()), "a b".into());
            assert_eq!(parse(&format!("{name}(english).a b")).unwrap().1, operation);
        }
        for (name, value) in IS {
            assert_eq!(parse(&format!("is.{}", name.to_uppercase())).unwrap().1, Operation::Is(value));
        }
        assert_eq!(parse("isdistinct.7").unwrap().1, Operation::IsDistinctFrom("7".into()));
    }

    #[test]
    fn lists_know_quotes() {
        for (text, items) in [
            ("in.(1,2)", vec!["1", "2"]),
            ("in.()", vec![""]),
            (r#"in.("a,b","c\"d","e\\f")"#, vec!["a,b", "c\"d", "e\\f"]),
            (r#"in.("a"b,c)"#, vec!["\"a\"b", "c"]),
        ] {
            assert_eq!(parse(text).unwrap().1, Operation::In(items.into_iter().map(Into::into).collect()), "{text}");
        }
    }

    #[test]
    fn complaints_read_as_upstream() {
        for (text, column, details) in [
            ("noop.0", 1, r#"unexpected "o" expecting "not" or operator (eq, gt, ...)"#),
            ("eq(an).1", 4, r#"unexpected "n" expecting operator (eq, gt, ...)"#),
            ("in.é", 4, r#"unexpected "\233" expecting "(""#),
            ("val", 1, r#"unexpected "v" expecting "not" or operator (eq, gt, ...)"#),
            ("is.maybe", 4, r#"unexpected "m" expecting isVal: (null, not_null, true, false, unknown)"#),
        ] {
            assert_eq!(parse(text).unwrap_err(), (column, details.to_owned()), "{text}");
        }
    }
}
