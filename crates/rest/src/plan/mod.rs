//! Plans an [`ApiRequest`] against the [`Catalog`]: the result is checked and complete. Pure.

pub(crate) mod call;
pub(crate) mod cost;
pub(crate) mod embed;
pub(crate) mod field;
pub(crate) mod mutate;
pub(crate) mod negotiate;
pub(crate) mod node;
pub(crate) mod parameters;
pub(crate) mod read;
pub(crate) mod select;
pub(crate) mod spread;

use pg::{Access, Isolation, QualifiedIdent};

use crate::catalog::Catalog;
use crate::catalog::handler::Handler;
use crate::catalog::routine::{Routine, Volatility};
use crate::config::Config;
use crate::error::Error;
use crate::request::{Action, ApiRequest, Invoke, MediaType, Mutation};
use call::CallPlan;
use mutate::MutatePlan;
use node::ReadNode;

/// What a request does.
#[derive(Debug)]
pub(crate) enum Plan {
    /// One statement that returns one row.
    Db(Box<DbPlan>),
    /// The description of a schema.
    Describe { headers_only: bool },
    /// OPTIONS: the allowed methods.
    Info { allow: String },
}

/// A plan that is one SQL statement.
#[derive(Debug)]
pub(crate) struct DbPlan {
    /// The read, or what to select from rows written or returned.
    pub(crate) read: ReadNode,
    pub(crate) kind: Kind,
    pub(crate) handler: Handler,
    pub(crate) media: MediaType,
    /// The relation or function that the request names.
    pub(crate) target: QualifiedIdent,
}

/// The kind of a plan, and what precedes its read.
#[derive(Debug)]
pub(crate) enum Kind {
    Read { headers_only: bool },
    Mutate { mutation: Mutation, plan: MutatePlan },
    Call { routine: Routine, plan: CallPlan, invoke: Invoke },
}

impl DbPlan {
    /// Whether the transaction may write.
    pub(crate) fn access(&self) -> Access {
        match &self.kind {
            Kind::Mutate { .. } => Access::ReadWrite,
            Kind::Call { routine, invoke: Invoke::Post, .. } if routine.volatility == Volatility::Volatile => {
                Access::ReadWrite
            }
            Kind::Read { .. } | Kind::Call { .. } => Access::ReadOnly,
        }
    }

    /// The isolation level that the function requires.
    pub(crate) fn isolation(&self) -> Option<Isolation> {
        self.routine().and_then(|routine| routine.isolation)
    }

    /// The function, for a call.
    pub(crate) fn routine(&self) -> Option<&Routine> {
        match &self.kind {
            Kind::Call { routine, .. } => Some(routine),
            _ => None,
        }
    }

    /// Whether the response is the execution plan.
    pub(crate) fn is_explain(&self) -> bool {
        matches!(self.media, MediaType::Plan(_))
    }
}

/// Plans a request.
pub(crate) fn plan(request: &ApiRequest, catalog: &Catalog, config: &Config) -> Result<Plan, Error> {
    let named = |name: &str| QualifiedIdent::new(&request.schema, name);
    match &request.action {
        Action::Read { relation, headers_only } => {
            let target = named(relation);
            catalog.table(&target)?;
            let read = read::plan(&target, request, catalog, config)?;
            let (handler, media) = negotiate::handler(config, request, &target, catalog, &read)?;
            check_preferences(request)?;
            let kind = Kind::Read { headers_only: *headers_only };
            Ok(Plan::Db(Box::new(DbPlan { read, kind, handler, media, target })))
        }
        Action::Mutate { relation, mutation } => {
            let target = named(relation);
            let table = catalog.table(&target)?;
            let read = read::plan(&target, request, catalog, config)?;
            let plan = mutate::plan(*mutation, table, request, catalog, &read)?;
            check_preferences(request)?;
            let (handler, media) = negotiate::handler(config, request, &target, catalog, &read)?;
            let kind = Kind::Mutate { mutation: *mutation, plan };
            Ok(Plan::Db(Box::new(DbPlan { read, kind, handler, media, target })))
        }
        Action::Call { routine, invoke } => {
            call::plan(&named(routine), *invoke, request, catalog, config).map(|plan| Plan::Db(Box::new(plan)))
        }
        Action::DescribeSchema { headers_only } => {
            negotiate::description(request)?;
            Ok(Plan::Describe { headers_only: *headers_only })
        }
        Action::RelationInfo { relation } => {
            let table = catalog.table(&named(relation))?;
            let has_key = !table.primary_key.is_empty();
            let verbs = [
                (",POST", table.insertable),
                (",PUT", table.insertable && table.updatable && has_key),
                (",PATCH", table.updatable),
                (",DELETE", table.deletable),
            ];
            let verbs = verbs.iter().filter(|(_, allowed)| *allowed).map(|(verb, _)| *verb);
            Ok(Plan::Info { allow: std::iter::once("OPTIONS,GET,HEAD").chain(verbs).collect() })
        }
        Action::RoutineInfo { routine } => {
            let invoke = Invoke::Get { headers_only: true };
            let plan = call::plan(&named(routine), invoke, request, catalog, config)?;
            let volatile = plan.routine().is_some_and(|routine| routine.volatility == Volatility::Volatile);
            let allow = if volatile { "OPTIONS,POST" } else { "OPTIONS,GET,HEAD,POST" };
            Ok(Plan::Info { allow: allow.to_owned() })
        }
        Action::SchemaInfo => Ok(Plan::Info { allow: "OPTIONS,GET,HEAD".to_owned() }),
    }
}

/// With `handling=strict`, unknown preferences are an error.
pub(crate) fn check_preferences(request: &ApiRequest) -> Result<(), Error> {
    if request.prefer.is_strict() && !request.prefer.invalid.is_empty() {
        return Err(Error::InvalidPreferences(request.prefer.invalid.clone()));
    }
    Ok(())
}
