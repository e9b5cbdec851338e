//! The questions that a batch puts to the database, as one script: which rows pass a filter, which are visible, and what odd
//! values look like as JSON.
//!
//! Every question runs with the subscriber's role and claims, between a savepoint and a rollback to it, so that settings that a
//! policy makes do not reach the next question. Each set of claims has an execution of its own, because PostgreSQL evaluates
//! `(select auth.uid())` once per execution.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pg::{Ident, QualifiedIdent, Session, Snippet};

use super::Who;
use crate::protocol::filter::{Filter, Operator};
use crate::store::catalog::Column;

/// The rows of a question: each has a number and the texts of some columns, `None` for NULL.
pub(super) type Rows<'a> = [(usize, Vec<Option<&'a str>>)];

/// A question: a statement that returns one row of one value, and the caller that it runs as. Equal statements are shared.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) who: Who,
    pub(super) statement: Arc<Snippet>,
}

/// The plans of a statement that several questions share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plans {
    /// Every question has a plan of its own.
    Own,
    /// One plan serves all of them, which takes half of the time. It must not hold what depends on claims: see
    /// [`crate::store::catalog::may_share_plan`]. Holds the oid of the table that is looked at.
    Shared(u32),
}

impl Who {
    /// What all questions of a role have in common.
    pub(super) fn role_session(&self) -> Session {
        let mut session = Session::new(&self.role);
        session
            .set("search_path", "public, extensions")
            .set("request.jwt.claims", "{}")
            .set("request.jwt.claim.sub", "")
            .set("request.jwt.claim.role", &self.role)
            // A function that a project wrongly declares immutable may read the claims: a shared plan would hold its first
            // result. Statements without parameters share their plans all the same, see [`Plans`].
            .set("plan_cache_mode", "force_custom_plan");
        session
    }

    /// The statement that sets the claims; it returns one row. `prepared` is one that does it with two parameters, which takes less
    /// time. SET would take as little, but pg_stat_statements kept its values before PostgreSQL 18.
    fn claims(&self, prepared: Option<&Ident>) -> Snippet {
        let mut sql = Snippet::new();
        match prepared {
            Some(name) => {
                sql.push("execute ").ident(name).push("(").literal(&self.claims).push(", ").literal(&self.subject);
            }
            None => {
                sql.push("select '', set_config('request.jwt.claims', ").literal(&self.claims);
                sql.push(", true), set_config('request.jwt.claim.sub', ").literal(&self.subject).push(", true");
            }
        }
        sql.push("); ");
        sql
    }
}

/// The statements for the questions of one role. Each question is rolled back to a savepoint. They return a row for the session, and
/// one for the limit, if it holds for all; then for each question a row for its own limit, if it has one, a row for its claims, and
/// its answer.
pub(super) struct Script {
    /// Prepares what several questions share, with the rows before those of the questions. It is sent by itself: PostgreSQL copies
    /// the whole text that a statement was prepared in each time that it is executed. `None` if nothing is shared, and the rows are
    /// the first of `statements`.
    pub(super) preparation: Option<Snippet>,
    pub(super) statements: Snippet,
    /// Removes the prepared statements, which outlive the transaction.
    pub(super) cleanup: Snippet,
}

impl Script {
    /// Prepares a statement that several questions share, so that it is parsed and rewritten once. PostgreSQL plans it for each
    /// question only if it has a parameter; hence the unused one.
    pub(super) fn new(questions: &[Question], plans: Plans, before: Snippet, limit: Option<&Snippet>) -> Self {
        let (parameter, value) = match plans {
            Plans::Own => (" (int)", "(0)"),
            Plans::Shared(_) => ("", ""),
        };
        let (mut preparation, mut cleanup) = (before, Snippet::new());
        let mut uses: HashMap<*const Snippet, usize> = HashMap::new();
        for question in questions {
            *uses.entry(Arc::as_ptr(&question.statement)).or_default() += 1;
        }
        let mut names: HashMap<*const Snippet, Ident> = HashMap::new();
        for question in questions {
            let at = Arc::as_ptr(&question.statement);
            if uses[&at] > 1 && !names.contains_key(&at) {
                let name = Ident::new(format!("dugout_look_{}", PREPARED.fetch_add(1, Ordering::Relaxed)));
                preparation.push("prepare ").ident(&name).push(parameter).push(" as ");
                preparation.append((*question.statement).clone()).push("; ");
                cleanup.push("deallocate ").ident(&name).push("; ");
                names.insert(at, name);
            }
        }
        let claims = (!names.is_empty()).then(|| {
            let name = Ident::new(format!("dugout_claims_{}", PREPARED.fetch_add(1, Ordering::Relaxed)));
            preparation.push("prepare ").ident(&name).push(" (text, text) as select '', ");
            preparation
                .push("set_config('request.jwt.claims', $1, true), set_config('request.jwt.claim.sub', $2, true); ");
            cleanup.push("deallocate ").ident(&name).push("; ");
            name
        });
        let (preparation, mut statements) =
            if claims.is_some() { (Some(preparation), Snippet::new()) } else { (None, preparation) };
        statements.push("savepoint question; ");
        for question in questions {
            if let Some(limit) = limit {
                statements.append(limit.clone());
            }
            statements.append(question.who.claims(claims.as_ref()));
            match names.get(&Arc::as_ptr(&question.statement)) {
                Some(name) => statements.push("execute ").ident(name).push(value),
                None => statements.append((*question.statement).clone()),
            };
            statements.push("; rollback to savepoint question; ");
        }
        Script { preparation, statements, cleanup }
    }
}

/// Counts prepared statements, which gives each a unique name.
static PREPARED: AtomicU64 = AtomicU64::new(0);

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

/// The keys among `keys` whose rows are visible in the table, separated by commas.
pub(super) fn visible_keys(schema: &str, table: &str, key: &Column, keys: &[&str]) -> Snippet {
    let name = Ident::new(&key.name);
    let mut sql = Snippet::raw("select coalesce(string_agg(t.");
    sql.ident(&name)
        .push("::text, ','), '') from ")
        .qualified(&QualifiedIdent::new(schema, table))
        .push(" as t where t.");
    // Integers and UUIDs need no quotes in an array literal.
    sql.ident(&name).push(" = any (").literal(&format!("{{{}}}", keys.join(","))).push("::");
    sql.expression(&key.type_sql).push("[])");
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
            type_shown: "integer".to_owned(),
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
