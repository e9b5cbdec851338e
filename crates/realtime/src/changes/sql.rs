//! The questions that a batch puts to the database, as one script: which rows pass a filter, which are visible, and what odd
//! values look like as JSON.
//!
//! Every question is asked between a savepoint and its rollback, under the role and with the claims of those who want to know, so
//! that nothing a policy sets is seen by the next. Never are several claims looked at in one statement: `(select auth.uid())` is
//! evaluated once per statement.

use pg::{Ident, QualifiedIdent, Session, Snippet};

use super::Who;
use crate::protocol::filter::{Filter, Operator};
use crate::store::catalog::Column;

/// The rows of a question: each has a number and the texts of some columns, `None` for NULL.
pub(super) type Rows<'a> = [(usize, Vec<Option<&'a str>>)];

/// A question: a statement with one row of one value, and on whose behalf it is asked.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) who: Who,
    pub(super) statement: Snippet,
}

impl Question {
    /// The statements that ask it; each gives one row.
    pub(super) fn script(&self) -> Snippet {
        let mut session = Session::new(&self.who.role);
        session
            .set("search_path", "public, extensions")
            .set("request.jwt.claims", &self.who.claims)
            .set("request.jwt.claim.sub", &self.who.subject)
            .set("request.jwt.claim.role", &self.who.role);
        let mut script = Snippet::raw("savepoint question; ");
        script.append(session.literal()).push("; ").append(self.statement.clone());
        script.push("; rollback to savepoint question; ");
        script
    }
}

/// The numbers of the rows that pass all filters, separated by commas. Each filter comes with its column.
pub(super) fn passing(filters: &[(&Filter, &Column)], columns: &[&Column], rows: &Rows<'_>) -> Snippet {
    let mut sql = numbers(columns);
    sql.append(list(columns, rows)).push(" where ");
    let conditions = filters.iter().map(|(filter, column)| condition(filter, column));
    sql.append(Snippet::join(conditions, " and "));
    sql
}

/// The numbers of the rows that are visible in the table, by their primary key.
pub(super) fn visible(schema: &str, table: &str, key: &[&Column], rows: &Rows<'_>) -> Snippet {
    let mut sql = numbers(key);
    sql.append(list(key, rows)).push(" where exists (select from ");
    sql.qualified(&QualifiedIdent::new(schema, table)).push(" as t where ");
    let equal = key.iter().map(|column| {
        let mut sql = Snippet::raw("t.");
        let name = Ident::new(&column.name);
        sql.ident(&name).push(" = k.").ident(&name);
        sql
    });
    sql.append(Snippet::join(equal, " and ")).push(")");
    sql
}

/// A list of values as JSON, in their order.
pub(super) fn as_json(column: &Column, values: &[&str]) -> Snippet {
    let rows: Vec<(usize, Vec<Option<&str>>)> = values.iter().map(|value| vec![Some(*value)]).enumerate().collect();
    let mut sql = Snippet::raw("select jsonb_agg(to_jsonb(k.");
    sql.ident(&Ident::new(&column.name)).push(") order by k.").ident(&row_name(&[column])).push(")::text from ");
    sql.append(list(&[column], &rows));
    sql
}

/// The numbers of the rows of a list.
fn numbers(columns: &[&Column]) -> Snippet {
    let mut sql = Snippet::raw("select coalesce(string_agg(k.");
    sql.ident(&row_name(columns)).push("::text, ','), '') from ");
    sql
}

/// A name for the number of a row that no column has.
fn row_name(columns: &[&Column]) -> Ident {
    let mut name = "#row".to_owned();
    while columns.iter().any(|column| column.name == name) {
        name.push('#');
    }
    Ident::new(name)
}

/// `(select column1 as "#row", column2::T as a from (values (0, 'x'), …) as v) as k`
fn list(columns: &[&Column], rows: &Rows<'_>) -> Snippet {
    let mut sql = Snippet::raw("(select v.column1 as ");
    sql.ident(&row_name(columns));
    for (index, column) in columns.iter().enumerate() {
        sql.push(", v.column").integer(i64::try_from(index + 2).unwrap_or_default());
        sql.push("::").expression(&column.type_sql).push(" as ").ident(&Ident::new(&column.name));
    }
    sql.push(" from (values ");
    let rows = rows.iter().map(|(number, texts)| {
        let mut row = Snippet::raw("(");
        row.integer(i64::try_from(*number).unwrap_or_default());
        for text in texts {
            match text {
                Some(text) => row.push(", ").literal(text).push("::text"),
                None => row.push(", null::text"),
            };
        }
        row.push(")");
        row
    });
    sql.append(Snippet::join(rows, ", ")).push(") as v) as k");
    sql
}

fn condition(filter: &Filter, column: &Column) -> Snippet {
    let mut sql = Snippet::raw(if filter.negated { "not (k." } else { "(k." });
    sql.ident(&Ident::new(&filter.column));
    let symbol = match filter.operator {
        Operator::Eq => " = ",
        Operator::Neq => " <> ",
        Operator::Lt => " < ",
        Operator::Lte => " <= ",
        Operator::Gt => " > ",
        Operator::Gte => " >= ",
        Operator::Like => " like ",
        Operator::Ilike => " ilike ",
        Operator::Match => " ~ ",
        Operator::Imatch => " ~* ",
        Operator::IsDistinct => " is distinct from ",
        Operator::In => {
            sql.push(" = any (").literal(&filter.value).push("::").expression(&column.type_sql).push("[]))");
            return sql;
        }
        Operator::Is => {
            sql.push(match filter.value.to_ascii_lowercase().as_str() {
                "true" => " is true)",
                "false" => " is false)",
                "unknown" => " is unknown)",
                _ => " is null)",
            });
            return sql;
        }
    };
    sql.push(symbol).literal(&filter.value).push("::");
    match filter.operator {
        Operator::Like | Operator::Ilike | Operator::Match | Operator::Imatch => sql.push("text"),
        _ => sql.expression(&column.type_sql),
    };
    sql.push(")");
    sql
}

#[cfg(test)]
mod tests {
    use super::*;
    use pg::CatalogExpr;

    #[test]
    fn values_are_literals_and_types_come_from_the_catalog() {
        let column = Column {
            name: "i\"d".to_owned(),
            type_name: "int4".to_owned(),
            type_sql: CatalogExpr::from_catalog("integer".to_owned()),
            category: b'N',
            is_key: true,
            readers: Default::default(),
        };
        let filter =
            Filter { column: "i\"d".to_owned(), operator: Operator::In, value: "{1,'2}".to_owned(), negated: true };
        let (sql, values) = passing(&[(&filter, &column)], &[&column], &[(0, vec![Some("5'")])]).render();
        assert_eq!(
            sql,
            "select coalesce(string_agg(k.\"#row\"::text, ','), '') from \
             (select v.column1 as \"#row\", v.column2::integer as \"i\"\"d\" from (values (0, '5'''::text)) as v) as k \
             where not (k.\"i\"\"d\" = any ('{1,''2}'::integer[]))"
        );
        assert!(values.is_empty());
        let (sql, _) = visible("public", "t", &[&column], &[(3, vec![Some("5")])]).render();
        assert!(
            sql.ends_with("where exists (select from \"public\".\"t\" as t where t.\"i\"\"d\" = k.\"i\"\"d\")"),
            "{sql}"
        );
    }
}
