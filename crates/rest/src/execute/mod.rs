//! Runs a plan: the only database access of a request.

pub(crate) mod accessible;
pub(crate) mod body;
mod hex;
pub(crate) mod repeats;
pub(crate) mod session;
pub(crate) mod state;

use bytes::Bytes;
use pg::lane::{Delivery, Lane, LaneFailure, Rows, Work};
use pg::{Access, BoundSql, Isolation, Session, Verdict};
use serde_json::Value;

use crate::error::Error;
use crate::plan::{DbPlan, Kind, cost};
use crate::request::prefer::{Count, TransactionEnd};
use crate::request::{ApiRequest, MediaType, Mutation};
use crate::sql::{self, Column};
use body::Body;
use session::Who;
use state::State;

/// The result of the statement.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) total: Option<i64>,
    pub(crate) page_total: i64,
    /// Key columns and values of the row, if exactly one was written.
    pub(crate) location: Vec<(String, Option<String>)>,
    pub(crate) body: Body,
    pub(crate) headers: Option<String>,
    pub(crate) status: Option<String>,
    pub(crate) inserted: Option<i64>,
}

/// Runs `plan` in one transaction.
///
/// # Errors
/// PostgreSQL's errors, and those of results that must be rolled back: not exactly one row, too many rows, a key that
/// does not match.
pub(crate) async fn run(
    lane: &Lane,
    state: &State,
    plan: &DbPlan,
    request: &ApiRequest,
    statement: BoundSql,
    session: Session,
    who: Who<'_>,
) -> Result<Outcome, Error> {
    let max_rows = state.config.db_max_rows;
    let authenticated = state.config.db_anon_role.as_deref() != Some(who.role);
    let mut work = Work::new(session, statement);
    work.access = plan.access();
    work.isolation = plan.isolation().or_else(|| state.roles.isolation(who.role)).unwrap_or(Isolation::ReadCommitted);
    work.before.extend(state.config.db_pre_request.as_ref().map(sql::pre_request));
    let is_guessed = matches!(plan.kind, Kind::Read { .. }) && request.prefer.counts_by_plan() && !plan.is_explain();
    work.ahead = is_guessed.then(|| sql::planned_count(plan));
    work.is_guest = !authenticated;
    work.cost = cost::of(plan, &state.catalog);
    let verdict = verdict(state, request);
    work.delivery = if plan.is_explain() { Delivery::Whole } else { Delivery::InPieces };
    let reads = work.access == Access::ReadOnly;
    let mut rows = if verdict == Verdict::Commit && (reads || !is_judged(plan, request)) {
        let rows = lane.read(&work).await.map_err(|error| Error::from_pg(error, authenticated))?;
        // A read changes nothing, so it may be checked after its transaction.
        if reads {
            judge(plan, request, &rows)?;
        }
        rows
    } else {
        let judged = lane.run(&work, |rows| judge(plan, request, rows).map(|()| verdict)).await;
        judged.map_err(|failure| match failure {
            LaneFailure::Database(error) => Error::from_pg(error, authenticated),
            LaneFailure::Judged(error) => error,
        })?
    };
    if plan.is_explain() {
        return Ok(explained(&rows));
    }
    let mut outcome = outcome(&rows)?;
    outcome.body = Body::of(&mut rows, Column::Body as usize)?;
    if is_guessed {
        outcome.total = total(request, outcome.total, planned_rows(&rows), max_rows);
    }
    Ok(outcome)
}

/// Whether the transaction commits or rolls back.
fn verdict(state: &State, request: &ApiRequest) -> Verdict {
    let rolls_back = match request.prefer.transaction {
        Some(TransactionEnd::Commit) => false,
        Some(TransactionEnd::Rollback) => true,
        None => state.config.db_tx_end.rolls_back(),
    };
    if rolls_back { Verdict::Rollback } else { Verdict::Commit }
}

/// Whether the result of the statement decides about commit or rollback.
fn is_judged(plan: &DbPlan, request: &ApiRequest) -> bool {
    let is_put = matches!(plan.kind, Kind::Mutate { mutation: Mutation::SingleUpsert, .. });
    is_put || is_singular(plan) || request.prefer.is_strict() && request.prefer.max_affected.is_some()
}

fn is_singular(plan: &DbPlan) -> bool {
    matches!(plan.media, MediaType::Singular { .. })
}

fn judge(plan: &DbPlan, request: &ApiRequest, rows: &Rows) -> Result<(), Error> {
    if plan.is_explain() {
        return Ok(());
    }
    let affected = outcome(rows)?.page_total;
    if matches!(plan.kind, Kind::Mutate { mutation: Mutation::SingleUpsert, .. }) {
        return if affected == 1 { Ok(()) } else { Err(Error::PutKeyMismatch) };
    }
    if is_singular(plan) && affected != 1 {
        return Err(Error::NotSingular(affected));
    }
    let limited =
        matches!(plan.kind, Kind::Call { .. } | Kind::Mutate { mutation: Mutation::Update | Mutation::Delete, .. });
    match request.prefer.max_affected {
        Some(most) if limited && request.prefer.is_strict() && affected > most => Err(Error::MaxAffected(affected)),
        _ => Ok(()),
    }
}

fn outcome(rows: &Rows) -> Result<Outcome, Error> {
    // A filter removed the only row or value, and no aggregate was made: there are no rows.
    let Some(row) = rows.rows.first() else { return Ok(Outcome { total: Some(0), ..Outcome::default() }) };
    let text = |column: Column| row.text(column as usize).map(str::to_owned);
    let number = |column: Column| row.text(column as usize).and_then(|text| text.parse().ok());
    Ok(Outcome {
        total: number(Column::Total),
        page_total: number(Column::PageTotal).ok_or_else(|| Error::internal("the statement counted no rows"))?,
        location: text(Column::Location).and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default(),
        body: Body::default(),
        headers: text(Column::ResponseHeaders),
        status: text(Column::ResponseStatus),
        inserted: number(Column::Inserted),
    })
}

/// PostgreSQL returns an execution plan as one row (JSON) or one row per line (text).
fn explained(rows: &Rows) -> Outcome {
    let mut body = Vec::new();
    for row in &rows.rows {
        body.extend_from_slice(&row.get(0).unwrap_or_default());
        body.push(b'\n');
    }
    Outcome { body: Bytes::from(body).into(), ..Outcome::default() }
}

fn planned_rows(rows: &Rows) -> Option<i64> {
    let plan: Value = serde_json::from_slice(&rows.ahead.first()?.get(0)?).ok()?;
    plan.get(0)?.get("Plan")?.get("Plan Rows")?.as_i64()
}

/// The planner's estimate, or the exact count if it is below the limit.
fn total(request: &ApiRequest, counted: Option<i64>, planned: Option<i64>, max_rows: Option<i64>) -> Option<i64> {
    match request.prefer.count {
        Some(Count::Planned) => planned,
        Some(Count::Estimated) if max_rows.is_none_or(|most| counted.is_some_and(|counted| counted > most)) => {
            counted.max(planned)
        }
        _ => counted,
    }
}
