//! `order=`: by columns, JSON paths, and columns of to-one embeds.

use super::name::{Field, delimiter, field, field_name, one_of_ahead};
use super::scan::{Parsed, Scan};

/// One term of an ordering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OrderTerm {
    /// The embed that the column belongs to; `None` for the resource itself.
    pub(crate) relation: Option<String>,
    pub(crate) field: Field,
    pub(crate) direction: Option<Direction>,
    pub(crate) nulls: Option<Nulls>,
}

/// Ascending, which is also PostgreSQL's default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Ascending,
    Descending,
}

/// The position of nulls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nulls {
    First,
    Last,
}

/// The whole parameter.
pub(crate) fn terms(scan: &mut Scan<'_>) -> Parsed<Vec<OrderTerm>> {
    scan.separated(
        |scan| scan.lexeme(|scan| scan.either(|scan| scan.attempt(related_term), own_term)),
        |scan| scan.char(','),
    )
}

fn own_term(scan: &mut Scan<'_>) -> Parsed<OrderTerm> {
    let field = field(scan)?;
    term_rest(scan, None, field)
}

fn related_term(scan: &mut Scan<'_>) -> Parsed<OrderTerm> {
    let relation = field_name(scan)?;
    scan.char('(')?;
    let field = field(scan)?;
    scan.char(')')?;
    term_rest(scan, Some(relation), field)
}

fn term_rest(scan: &mut Scan<'_>, relation: Option<String>, field: Field) -> Parsed<OrderTerm> {
    let direction = modifier(scan, &[("asc", Direction::Ascending), ("desc", Direction::Descending)]);
    let nulls = modifier(scan, &[("nullsfirst", Nulls::First), ("nullslast", Nulls::Last)]);
    one_of_ahead(scan, &[","])?;
    Ok(OrderTerm { relation, field, direction, nulls })
}

fn modifier<T: Copy>(scan: &mut Scan<'_>, table: &[(&'static str, T)]) -> Option<T> {
    table.iter().find_map(|(name, value)| {
        scan.attempt(|scan| {
            delimiter(scan)?;
            scan.string(name)
        })
        .ok()
        .map(|()| *value)
    })
}

#[cfg(test)]
mod tests {
    use super::super::scan::Fail;
    use super::*;

    fn parse(text: &str) -> Result<Vec<OrderTerm>, (usize, String)> {
        let mut scan = Scan::new(text);
        terms(&mut scan).map_err(|Fail| scan.complaint()).map_err(|told| (told.column, told.details))
    }

    #[test]
    fn terms_in_all_forms() {
        let terms = parse("a, b->>c.desc.nullslast,rel(x->y).nullsfirst").unwrap();
        assert_eq!(terms.len(), 3);
        assert_eq!((terms[0].direction, terms[0].nulls), (None, None));
        assert_eq!((terms[1].direction, terms[1].nulls), (Some(Direction::Descending), Some(Nulls::Last)));
        assert_eq!((terms[2].relation.as_deref(), terms[2].nulls), (Some("rel"), Some(Nulls::First)));
    }

    #[test]
    fn complaints_read_as_upstream() {
        for (text, column, details) in [
            ("id.ac", 4, r#"unexpected "c" expecting "asc", "desc", "nullsfirst" or "nullslast""#),
            ("id.descc", 8, r#"unexpected 'c' expecting delimiter (.), "," or end of input"#),
            ("id.asc.nlsfist", 8, r#"unexpected "l" expecting "nullsfirst" or "nullslast""#),
            ("id.asc.nullslasttt", 17, r#"unexpected 't' expecting "," or end of input"#),
        ] {
            assert_eq!(parse(text).unwrap_err(), (column, details.to_owned()), "{text}");
        }
    }
}
