//! Builds the body from rows, and reads the settings by which functions change the response.

use pg::{QualifiedIdent, Snippet};

use crate::catalog::handler::Handler;
use crate::catalog::routine::Returns;
use crate::plan::{DbPlan, Kind};
use crate::request::media::PlanType;

/// The rows that were read, written or returned.
pub(super) const SOURCE: &str = "\"pgrst_source\"";

/// The settings by which functions change the response.
const SAID: &str = "nullif(current_setting('response.headers', true), '') as response_headers, \
     nullif(current_setting('response.status', true), '') as response_status";

/// The columns of the result (see [`Column`](super::Column)) that differ between statements.
pub(super) struct AnswerRow {
    pub(super) total: Snippet,
    pub(super) page_total: &'static str,
    pub(super) inserted: &'static str,
    pub(super) location: Snippet,
    pub(super) body: Snippet,
}

/// `select … from (page)`: the only row of a statement.
pub(super) fn row(row: AnswerRow, plan: &DbPlan, page: Snippet) -> Snippet {
    let AnswerRow { total, page_total, inserted, location, body } = row;
    let mut counts = total;
    counts.push(" as total, ").push(page_total).push(" as page_total, ");
    let mut others = Snippet::raw(inserted);
    others.push(" as inserted");
    // In PostgREST's execution plans the body is the third expression, or the fourth after a write; tools rely on
    // that.
    if plan.is_explain() && matches!(plan.kind, Kind::Mutate { .. }) {
        counts.append(location).push(" as location, ");
    } else {
        others.push(", ").append(location).push(" as location");
    }
    let mut sql = Snippet::raw(" select ");
    let mut end = "";
    if plan.is_explain() {
        sql.append(counts).append(body).push(" as body, ").push(SAID).push(", ").append(others);
    } else if matches!(plan.handler, Handler::Custom { .. }) {
        // A handler that is not an aggregate runs with the other columns, from left to right, and may still
        // change the settings.
        sql.push("total, page_total, ").push(SAID).push(", inserted, location, body from (select ");
        sql.append(counts).append(others).push(", ").append(body).push(" as body");
        end = " offset 0) made";
    } else {
        sql.append(counts).push(SAID).push(", ").append(others).push(", ").append(body).push(" as body");
    }
    sql.push(" from (").append(page).push(") _postgrest_t").push(end);
    sql
}

/// The expression that builds the body from the rows `_postgrest_t`.
pub(super) fn body(handler: &Handler, returns: Option<Returns>) -> Snippet {
    let value = match returns {
        Some(Returns::Scalar | Returns::SetOfScalar) => "_postgrest_t.pgrst_scalar",
        _ => "_postgrest_t",
    };
    match handler {
        Handler::None => Snippet::raw("''::text"),
        Handler::Json => match returns {
            Some(Returns::Scalar | Returns::Composite) => json(value, true, false),
            _ => json(value, false, false),
        },
        Handler::StrippedJson => match returns {
            Some(Returns::Scalar | Returns::Composite) => json(value, true, true),
            _ => json(value, false, true),
        },
        // A set of scalars is a set of rows with the one column `pgrst_scalar`.
        Handler::SingleJson { strip_nulls } if returns == Some(Returns::SetOfScalar) => {
            json("_postgrest_t", true, *strip_nulls)
        }
        Handler::SingleJson { strip_nulls } => json(value, true, *strip_nulls),
        Handler::Csv => csv(),
        Handler::GeoJson => Snippet::raw(
            "json_build_object('type', 'FeatureCollection', 'features', \
             coalesce(json_agg(ST_AsGeoJSON(_postgrest_t)::json), '[]'))",
        ),
        Handler::Custom { function, target } => custom(function, target.as_ref(), returns),
    }
}

fn json(value: &'static str, first_only: bool, strip_nulls: bool) -> Snippet {
    let mut sql = Snippet::raw("coalesce(");
    sql.push(if strip_nulls { "json_strip_nulls(" } else { "(" });
    sql.push("json_agg(").push(value).push(")");
    sql.push(if first_only { "->0), 'null')" } else { "), '[]')" });
    sql
}

/// The header comes from the keys of the first row, the lines from the text of the rows. This gives the same execution
/// plans as PostgREST.
fn csv() -> Snippet {
    let mut sql = Snippet::raw(
        "(select coalesce(string_agg(header.key, ','), '') from (select json_object_keys(one.line) as key from \
         (select row_to_json(first_row) as line from ",
    );
    sql.push(SOURCE);
    sql.push(
        " first_row limit 1) one) header) || E'\\n' || \
         coalesce(string_agg(substring(_postgrest_t::text, 2, length(_postgrest_t::text) - 2), E'\\n'), '')",
    );
    sql
}

fn custom(function: &QualifiedIdent, target: Option<&QualifiedIdent>, returns: Option<Returns>) -> Snippet {
    let mut sql = Snippet::new();
    sql.qualified(function);
    match (returns, target) {
        (Some(Returns::Scalar), _) => sql.push("(_postgrest_t.pgrst_scalar)"),
        (_, None) => sql.push("(_postgrest_t)"),
        (_, Some(target)) => sql.push("(_postgrest_t::").qualified(target).push(")"),
    };
    sql
}

/// Prepends `explain (…) ` to a statement.
pub(super) fn explain(plan: &PlanType) -> Snippet {
    let mut sql = Snippet::raw(if plan.json { "explain (format json" } else { "explain (format text" });
    for option in &plan.options {
        sql.push(", ").push(option.name());
    }
    sql.push(") ");
    sql
}
