//! Turns rows into a response: status, headers, and the body's bytes as PostgreSQL built them.

mod answer;
pub(crate) mod headers;
pub(crate) mod openapi;
mod overrides;

use http::{HeaderName, StatusCode};

use crate::error::{Error, RangeProblem, Verbosity, WireForm};
use crate::execute::Outcome;
use crate::plan::{DbPlan, Kind};
use crate::request::prefer::{Representation, Resolution};
use crate::request::{ApiRequest, Invoke, Mutation};
pub use answer::Answer;
use headers::{content_range, preference_applied, range_status};

/// DEVIATION (words): a Content-Location of more than 4,096 bytes is omitted, because Node refuses responses with 16 kB of
/// headers and a list of ids would create one.
const MAX_LOCATION: usize = 4096;

/// The response to a plan that was executed.
///
/// # Errors
/// PGRST103 for a window beyond the last row, PGRST111 and PGRST112 for malformed settings of functions.
pub(crate) fn answer(
    plan: &DbPlan,
    request: &ApiRequest,
    canonical: &str,
    outcome: Outcome,
    verbosity: Verbosity,
) -> Result<Answer, Error> {
    if plan.is_explain() {
        let mut answer = Answer::new(StatusCode::OK, Some(outcome.body));
        content_type(&mut answer, plan, request);
        return Ok(answer);
    }
    let said = (outcome.status.clone(), outcome.headers.clone());
    let mut answer = match &plan.kind {
        Kind::Read { headers_only } => {
            let mut answer = read(plan, request, canonical, outcome, verbosity);
            answer.body = answer.body.filter(|_| !headers_only);
            answer
        }
        Kind::Call { invoke, .. } => call(plan, request, outcome, *invoke, verbosity),
        Kind::Mutate { mutation, .. } => mutate(plan, request, outcome, *mutation),
    };
    if let Some(applied) = preference_applied(plan, request) {
        answer.set(HeaderName::from_static("preference-applied"), &applied);
    }
    overrides::apply(&mut answer, said.0.as_deref(), said.1.as_deref())?;
    Ok(answer)
}

fn content_type(answer: &mut Answer, plan: &DbPlan, request: &ApiRequest) {
    answer.set(http::header::CONTENT_TYPE, &plan.media.content_type());
    if request.names_schema {
        answer.set(HeaderName::from_static("content-profile"), &request.schema);
    }
}

/// The body, or the error for a window beyond the last row.
fn page(answer: &mut Answer, request: &ApiRequest, outcome: Outcome, verbosity: Verbosity) {
    answer.status = range_status(request.range.lower, outcome.page_total, outcome.total);
    let range = content_range(request.range.lower, outcome.page_total, outcome.total);
    answer.set(http::header::CONTENT_RANGE, &range);
    answer.body = Some(if answer.status == StatusCode::RANGE_NOT_SATISFIABLE {
        let problem =
            RangeProblem::OutOfBounds { offset: request.range.lower, total: outcome.total.unwrap_or_default() };
        WireForm::of(&Error::InvalidRange(problem), verbosity).body.into()
    } else {
        outcome.body
    });
}

fn read(plan: &DbPlan, request: &ApiRequest, canonical: &str, outcome: Outcome, verbosity: Verbosity) -> Answer {
    let mut answer = Answer::new(StatusCode::OK, None);
    page(&mut answer, request, outcome, verbosity);
    let name = plan.target.name.as_str();
    let location = match canonical {
        "" => format!("/{name}"),
        query => format!("/{name}?{query}"),
    };
    if location.len() <= MAX_LOCATION {
        answer.set(http::header::CONTENT_LOCATION, &location);
    }
    content_type(&mut answer, plan, request);
    answer
}

fn call(plan: &DbPlan, request: &ApiRequest, outcome: Outcome, invoke: Invoke, verbosity: Verbosity) -> Answer {
    let mut answer = Answer::new(StatusCode::OK, None);
    page(&mut answer, request, outcome, verbosity);
    if plan.routine().is_some_and(|routine| routine.returns_void()) {
        answer.status = StatusCode::NO_CONTENT;
        answer.body = None;
        return answer;
    }
    content_type(&mut answer, plan, request);
    if matches!(invoke, Invoke::Get { headers_only: true }) {
        answer.body = None;
    }
    answer
}

fn mutate(plan: &DbPlan, request: &ApiRequest, outcome: Outcome, mutation: Mutation) -> Answer {
    let shows = request.prefer.representation == Some(Representation::Full);
    let counted = request.prefer.counts_rows().then_some(outcome.page_total);
    let inserted = outcome.inserted;
    let mut answer = Answer::new(StatusCode::OK, shows.then_some(outcome.body));
    answer.status = match mutation {
        // Without an upsert every row is new.
        Mutation::Create => match inserted {
            Some(rows) if rows <= 0 && request.prefer.resolution == Some(Resolution::Merge) => StatusCode::OK,
            None if merges(plan) => StatusCode::OK,
            _ => StatusCode::CREATED,
        },
        _ if !shows => StatusCode::NO_CONTENT,
        Mutation::SingleUpsert if inserted.is_some_and(|rows| rows > 0) => StatusCode::CREATED,
        _ => StatusCode::OK,
    };
    let range = match mutation {
        Mutation::Create | Mutation::Delete => Some(content_range(1, 0, counted)),
        Mutation::Update => Some(content_range(0, outcome.page_total, counted)),
        Mutation::SingleUpsert => None,
    };
    if let Some(range) = range {
        answer.set(http::header::CONTENT_RANGE, &range);
    }
    if mutation == Mutation::Create {
        answer.body.get_or_insert_default();
        if !outcome.location.is_empty() {
            let location = headers::location(plan.target.name.as_str(), &outcome.location);
            answer.set(http::header::LOCATION, &location);
        }
    }
    if shows {
        content_type(&mut answer, plan, request);
    }
    answer
}

/// Whether existing rows are overwritten: then a missing count of inserted rows means that there were none.
fn merges(plan: &DbPlan) -> bool {
    use crate::plan::mutate::MutatePlan;
    matches!(&plan.kind, Kind::Mutate { plan: MutatePlan::Insert(insert), .. } if insert.merges())
}
