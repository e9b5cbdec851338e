//! The part of a schema that a role may use, for the description at `/`.

use std::collections::{HashMap, HashSet};

use pg::lane::{Lane, Work};
use pg::{Access, Session, Snippet};
use serde::Deserialize;

use super::session::Who;
use super::state::State;
use crate::error::Error;
use crate::sql;

/// Relations and functions of a schema that the role may use.
#[derive(Default, Deserialize)]
pub(crate) struct Accessible {
    pub(crate) description: Option<String>,
    pub(crate) relations: HashSet<String>,
    /// By OID: the types of the arguments, as PostgreSQL prints them under the request's search path.
    pub(crate) routines: HashMap<u32, Vec<String>>,
}

/// Asks PostgreSQL what the role may use.
///
/// # Errors
/// Those of PostgreSQL.
pub(crate) async fn accessible(
    lane: &Lane,
    state: &State,
    session: Session,
    who: Who<'_>,
    schema: &str,
) -> Result<Accessible, Error> {
    let mut work = Work::new(session, accessible_query(schema));
    work.access = Access::ReadOnly;
    work.before.extend(state.config.db_pre_request.as_ref().map(sql::pre_request));
    let authenticated = state.config.db_anon_role.as_deref() != Some(who.role);
    let rows = lane.read(&work).await.map_err(|error| Error::from_pg(error, authenticated))?;
    let Some(text) = rows.rows.first().and_then(|row| row.get(0)) else {
        return Ok(Accessible::default());
    };
    serde_json::from_slice(&text).map_err(|error| Error::internal(&error.to_string()))
}

/// What of `schema` the role may use, as one JSON object.
pub(crate) fn accessible_query(schema: &str) -> Snippet {
    let mut query = Snippet::raw("with asked(schema) as (select ");
    query.param(schema.to_owned()).push("::text) ").push(include_str!("accessible.sql"));
    query
}
