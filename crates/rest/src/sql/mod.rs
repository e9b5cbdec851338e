//! Writes a plan as SQL. Pure; values of a request are always parameters.
//!
//! Every request is one statement that returns one row: the body as PostgreSQL builds it, the number of its rows, the
//! total, and the settings by which functions change the response (see [`Column`]). The names that PostgreSQL's errors
//! may mention (`pgrst_source`, `pgrst_call`, `pgrst_body`) are upstream's.

mod body;
mod call;
mod cast;
mod condition;
mod count;
mod embed;
mod mutate;
mod read;
mod result;

use pg::Snippet;

use crate::error::Error;
use crate::plan::{DbPlan, Kind};
use crate::request::{ApiRequest, MediaType};

/// The columns of the row that every statement returns. The body is the last one, so that it can be streamed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Column {
    /// The total number of rows, or NULL.
    Total,
    /// The number of rows in the body.
    PageTotal,
    /// `response.headers`
    ResponseHeaders,
    /// `response.status`
    ResponseStatus,
    /// The number of rows that an upsert inserted.
    Inserted,
    /// `[[column, value], …]` of the key, if exactly one row was written.
    Location,
    Body,
}

/// The statement of a plan.
///
/// # Errors
/// [`Error::EmptyName`]: PostgreSQL's grammar does not allow empty names.
pub(crate) fn statement(plan: &DbPlan, request: &ApiRequest, max_rows: Option<i64>) -> Result<Snippet, Error> {
    let mut sql = match &plan.media {
        MediaType::Plan(explain) => result::explain(explain),
        _ => Snippet::new(),
    };
    let statement = match &plan.kind {
        Kind::Read { .. } => {
            let source = read::query(&plan.read);
            let mut page = Snippet::raw("select * from ");
            page.push(result::SOURCE);
            rows(plan, request, max_rows, source, page)
        }
        Kind::Call { plan: call, .. } => rows(plan, request, max_rows, call::query(call), read::query(&plan.read)),
        Kind::Mutate { plan: mutation, .. } => mutate::statement(plan, mutation, request),
    };
    sql.append(statement);
    if sql.has_empty_name() { Err(Error::EmptyName) } else { Ok(sql) }
}

/// The planner's estimate of the total number of rows.
pub(crate) fn planned_count(plan: &DbPlan) -> Snippet {
    let mut sql = Snippet::raw("explain (format json) ");
    sql.append(count::query(&plan.read));
    sql
}

/// The call of `db-pre-request`.
pub(crate) fn pre_request(function: &pg::QualifiedIdent) -> Snippet {
    let mut sql = Snippet::raw("select ");
    sql.qualified(function).push("()");
    sql
}

/// `with source …[, count …] select … from (page)`.
fn rows(plan: &DbPlan, request: &ApiRequest, max_rows: Option<i64>, source: Snippet, page: Snippet) -> Snippet {
    let mut sql = Snippet::raw("with ");
    sql.push(result::SOURCE).push(" as (").append(source).push(")");
    let returns = plan.routine().map(|routine| routine.returns);
    let page_total = if returns.is_some_and(|returns| returns.is_single()) { "1::bigint" } else { "count(*)" };
    let mut total = Snippet::raw("null::bigint");
    if request.prefer.counts_rows() {
        // Without a window the page contains every row.
        if max_rows.is_none() && request.range == crate::request::Range::ALL {
            total = Snippet::raw(page_total);
        } else {
            sql.push(", pgrst_source_count as (").append(count::query(&plan.read));
            // An estimate only has to detect that the limit is exceeded. Functions have no limit: their
            // count is exact.
            let is_estimate = request.prefer.counts_by_plan() && plan.routine().is_none();
            if let Some(rows) = max_rows.filter(|_| is_estimate) {
                sql.push(" limit ").integer(rows.saturating_add(1));
            }
            sql.push(")");
            total = Snippet::raw("(select count(*) from pgrst_source_count)");
        }
    }
    let row = result::AnswerRow {
        total,
        page_total,
        inserted: "null::text",
        location: Snippet::raw("null::text"),
        body: result::body(&plan.handler, returns),
    };
    sql.append(result::row(row, plan, page));
    sql
}
