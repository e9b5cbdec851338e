//! `select=`: columns, their names, and embedded resources.

use super::limits;
use super::name::{Field, field, field_name, identifier, one_of_ahead};
use super::scan::{Fail, Parsed, Scan};

/// One item of `select`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SelectItem {
    Field(SelectField),
    Relation(SelectRelation),
}

/// A column of the resource, or an aggregate over it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SelectField {
    pub(crate) field: Field,
    pub(crate) cast: Option<String>,
    pub(crate) aggregate: Option<Aggregate>,
    pub(crate) aggregate_cast: Option<String>,
    pub(crate) alias: Option<String>,
}

/// An embedded resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SelectRelation {
    pub(crate) name: String,
    pub(crate) alias: Option<String>,
    pub(crate) hint: Option<String>,
    pub(crate) join: Join,
    /// `...name()`: its columns are added to the parent's.
    pub(crate) spread: bool,
    pub(crate) items: Vec<SelectItem>,
}

/// The number of embeds at all levels.
pub(crate) fn relations(items: &[SelectItem]) -> usize {
    let of = |item: &SelectItem| match item {
        SelectItem::Field(_) => 0,
        SelectItem::Relation(relation) => 1 + relations(&relation.items),
    };
    items.iter().map(of).sum()
}

/// Whether parents without a match are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Join {
    #[default]
    Left,
    Inner,
}

/// The aggregate functions of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aggregate {
    Sum,
    Avg,
    Count,
    Max,
    Min,
}

impl Aggregate {
    /// The function's name, which is also the key of an aggregate without an alias.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Aggregate::Sum => "sum",
            Aggregate::Avg => "avg",
            Aggregate::Count => "count",
            Aggregate::Max => "max",
            Aggregate::Min => "min",
        }
    }
}

/// The whole parameter; an empty text selects nothing.
pub(crate) fn forest(scan: &mut Scan<'_>) -> Parsed<Vec<SelectItem>> {
    nested(scan, 0)
}

fn nested(scan: &mut Scan<'_>, depth: usize) -> Parsed<Vec<SelectItem>> {
    if depth > limits::MAX_DEPTH {
        return scan.refuse(limits::TOO_DEEP);
    }
    let items =
        scan.optional(|scan| scan.separated(|scan| item(scan, depth), |scan| scan.lexeme(|scan| scan.char(','))));
    Ok(items?.unwrap_or_default())
}

fn item(scan: &mut Scan<'_>, depth: usize) -> Parsed<SelectItem> {
    let relation =
        scan.optional(|scan| scan.either(|scan| scan.attempt(spread_relation), |scan| scan.attempt(relation)))?;
    match relation {
        Some(mut relation) => {
            scan.char('(')?;
            relation.items = nested(scan, depth + 1)?;
            scan.char(')')?;
            Ok(SelectItem::Relation(relation))
        }
        None => Ok(SelectItem::Field(select_field(scan)?)),
    }
}

fn spread_relation(scan: &mut Scan<'_>) -> Parsed<SelectRelation> {
    scan.lexeme(|scan| {
        scan.string("...")?;
        let name = field_name(scan)?;
        relation_rest(scan, name, None, true)
    })
}

fn relation(scan: &mut Scan<'_>) -> Parsed<SelectRelation> {
    scan.lexeme(|scan| {
        let alias = alias(scan)?;
        let name = field_name(scan)?;
        if name == "count" {
            return Err(Fail);
        }
        relation_rest(scan, name, alias, false)
    })
}

fn relation_rest(scan: &mut Scan<'_>, name: String, alias: Option<String>, spread: bool) -> Parsed<SelectRelation> {
    let params = [scan.optional(embed_param)?, scan.optional(embed_param)?];
    let mut hint = None;
    let mut join = None;
    for param in params.into_iter().flatten() {
        match param {
            EmbedParam::Hint(name) => hint = hint.or(Some(name)),
            EmbedParam::Join(kind) => join = join.or(Some(kind)),
        }
    }
    scan.attempt(|scan| scan.ahead(|scan| scan.string("(")))?;
    Ok(SelectRelation { name, alias, hint, join: join.unwrap_or_default(), spread, items: Vec::new() })
}

enum EmbedParam {
    Hint(String),
    Join(Join),
}

fn embed_param(scan: &mut Scan<'_>) -> Parsed<EmbedParam> {
    scan.char('!')?;
    if scan.attempt(|scan| scan.string("left")).is_ok() {
        Ok(EmbedParam::Join(Join::Left))
    } else if scan.attempt(|scan| scan.string("inner")).is_ok() {
        Ok(EmbedParam::Join(Join::Inner))
    } else {
        scan.attempt(field_name).map(EmbedParam::Hint)
    }
}

/// `alias:`, distinguished from a cast by the single colon.
fn alias(scan: &mut Scan<'_>) -> Parsed<Option<String>> {
    scan.optional(|scan| {
        scan.attempt(|scan| {
            let name = field_name(scan)?;
            scan.char(':')?;
            scan.not_followed_by(|c| c == ':', Some(':'))?;
            Ok(name)
        })
    })
}

fn select_field(scan: &mut Scan<'_>) -> Parsed<SelectField> {
    scan.lexeme(|scan| {
        scan.either(|scan| scan.attempt(star), |scan| scan.either(|scan| scan.attempt(count_of_rows), column))
    })
}

fn star(scan: &mut Scan<'_>) -> Parsed<SelectField> {
    scan.string("*")?;
    item_end(scan)?;
    Ok(SelectField { field: Field { name: "*".to_owned(), path: Vec::new() }, ..SelectField::default() })
}

/// `count()`: counts rows, not values of a column.
fn count_of_rows(scan: &mut Scan<'_>) -> Parsed<SelectField> {
    let alias = alias(scan)?;
    scan.string("count()")?;
    let aggregate_cast = cast(scan)?;
    item_end(scan)?;
    let field = Field { name: "*".to_owned(), path: Vec::new() };
    Ok(SelectField { field, aggregate: Some(Aggregate::Count), aggregate_cast, alias, cast: None })
}

fn column(scan: &mut Scan<'_>) -> Parsed<SelectField> {
    let alias = alias(scan)?;
    let field = field(scan)?;
    let cast_before = cast(scan)?;
    let aggregate = scan.optional(|scan| {
        scan.attempt(|scan| {
            scan.char('.')?;
            let aggregate = aggregate(scan)?;
            scan.string("()")?;
            Ok(aggregate)
        })
    })?;
    let aggregate_cast = cast(scan)?;
    item_end(scan)?;
    Ok(SelectField { field, cast: cast_before, aggregate, aggregate_cast, alias })
}

fn aggregate(scan: &mut Scan<'_>) -> Parsed<Aggregate> {
    let named = |aggregate: Aggregate| move |scan: &mut Scan<'_>| scan.string(aggregate.name()).map(|()| aggregate);
    // Only the last two may backtrack: they begin alike.
    scan.either(named(Aggregate::Sum), |scan| {
        scan.either(named(Aggregate::Avg), |scan| {
            scan.either(named(Aggregate::Count), |scan| {
                scan.either(|scan| scan.attempt(named(Aggregate::Max)), |scan| scan.attempt(named(Aggregate::Min)))
            })
        })
    })
}

fn cast(scan: &mut Scan<'_>) -> Parsed<Option<String>> {
    scan.optional(|scan| {
        scan.string("::")?;
        identifier(scan)
    })
}

fn item_end(scan: &mut Scan<'_>) -> Parsed<()> {
    one_of_ahead(scan, &[")", ","])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<SelectItem>, (usize, String)> {
        let mut scan = Scan::new(text);
        // Parsed like the whole parameter: remaining input is not an error of its own.
        forest(&mut scan).map_err(|Fail| scan.complaint()).map_err(|complaint| (complaint.column, complaint.details))
    }

    #[test]
    fn fields_and_relations() {
        let items =
            parse("id,al:name->>x::text,*,team!fk!inner(id,...league(*)),count(),n:age::int.max()::text").unwrap();
        assert_eq!(items.len(), 6);
        let SelectItem::Field(named) = &items[1] else { panic!() };
        assert_eq!((named.alias.as_deref(), named.cast.as_deref()), (Some("al"), Some("text")));
        let SelectItem::Relation(team) = &items[3] else { panic!() };
        assert_eq!((team.hint.as_deref(), team.join, team.items.len()), (Some("fk"), Join::Inner, 2));
        let SelectItem::Relation(league) = &team.items[1] else { panic!() };
        assert!(league.spread);
        let SelectItem::Field(rows) = &items[4] else { panic!() };
        assert_eq!((rows.aggregate, rows.field.name.as_str()), (Some(Aggregate::Count), "*"));
        let SelectItem::Field(max) = &items[5] else { panic!() };
        assert_eq!((max.aggregate, max.aggregate_cast.as_deref()), (Some(Aggregate::Max), Some("text")));
        assert_eq!(parse("").unwrap(), []);
    }

    /// PostgREST's message for the same input.
    #[test]
    fn complaints_read_as_upstream() {
        for (text, column, details) in [
            (
                "data!",
                5,
                r#"unexpected '!' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input"#,
            ),
            ("al:...x", 4, r#"unexpected "." expecting ":" or field name (* or [a..z0..9_$])"#),
            ("a:is:)", 5, r#"unexpected ")" expecting "::""#),
            ("al:1(*", 7, r#"unexpected end of input expecting ")", "," or end of input"#),
            ("a.sux()", 3, r#"unexpected "x" expecting "sum""#),
            ("r->>12(x", 7, r#"unexpected '(' expecting "-", "->>", "->", "::", ".", ")", "," or end of input"#),
            ("a--b", 3, r#"unexpected "-" expecting ">", letter or digit"#),
        ] {
            assert_eq!(parse(text).unwrap_err(), (column, details.to_owned()), "{text}");
        }
    }

    #[test]
    fn nesting_has_a_limit() {
        let deep = |n: usize| format!("{}id{}", "a(".repeat(n), ")".repeat(n));
        assert!(parse(&deep(limits::MAX_DEPTH)).is_ok());
        let (column, details) = parse(&deep(limits::MAX_DEPTH + 1)).unwrap_err();
        assert_eq!((column, details.as_str()), (67, limits::TOO_DEEP));
    }
}
