//! Reports requests to the observer.

use pg::{Session, Snippet};

use crate::error::Error;
use crate::execute::accessible::accessible_query;
use crate::execute::state::State;
use crate::observation::Observation;
use crate::plan::{DbPlan, Kind};
use crate::request::{ApiRequest, Incoming};
use crate::response::headers::legacy_names as named;
use crate::runtime::rest::Rest;
use crate::sql;

/// Reports failures that are not the client's fault.
pub(crate) fn failure(rest: &Rest, error: &Error, request_id: &str) {
    match error {
        Error::AcquireTimeout => rest.observer.observe(Observation::PoolTimeout { request_id }),
        Error::Connection(_) | Error::ConnectionLost(_) | Error::Internal { .. } => {
            rest.observer.observe(Observation::Fault { error, request_id });
        }
        Error::Database { .. } if error.status().is_server_error() => {
            rest.observer.observe(Observation::Fault { error, request_id });
        }
        _ => {}
    }
}

/// Reports embeds that are referenced by a name that upstream will stop supporting.
pub(crate) fn legacy_names(rest: &Rest, incoming: Incoming<'_>, plan: &DbPlan) {
    let names = named(&plan.read);
    if !names.is_empty() {
        let target = match incoming.query {
            "" => incoming.path.to_owned(),
            query => format!("{}?{query}", incoming.path),
        };
        let method = incoming.method.as_str();
        rest.observer.observe(Observation::LegacyNames { names: &names, method, target: &target });
    }
}

/// The statements of a request in order of execution, one line each. They are built a second time for the log, which is
/// disabled where speed matters.
pub(crate) fn statements(state: &State, plan: &DbPlan, request: &ApiRequest, session: &Session) -> Vec<String> {
    let is_planned = matches!(plan.kind, Kind::Read { .. }) && request.prefer.counts_by_plan();
    let own = (state.config.db_pre_request.as_ref().map(sql::pre_request).into_iter())
        .chain(sql::statement(plan, request, state.config.db_max_rows).ok())
        .chain(is_planned.then(|| sql::planned_count(plan)));
    session.statement(&[]).map(|(text, _)| text).into_iter().chain(own.map(|statement| one_line(&statement))).collect()
}

/// The statements of the request to `/`, which describes `schema`.
pub(crate) fn statements_of_root(state: &State, schema: &str, session: &Session) -> Vec<String> {
    let own = (state.config.db_pre_request.as_ref().map(sql::pre_request).into_iter())
        .chain(std::iter::once(accessible_query(schema)));
    session.statement(&[]).map(|(text, _)| text).into_iter().chain(own.map(|statement| one_line(&statement))).collect()
}

fn one_line(statement: &Snippet) -> String {
    statement.render().0.split_whitespace().collect::<Vec<_>>().join(" ")
}
