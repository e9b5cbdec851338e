//! Estimates the cost of a plan, for the choice of a lane.

use pg::{Cost, QualifiedIdent};

use crate::catalog::Catalog;
use crate::catalog::handler::Handler;
use crate::catalog::relationship::Relationship;
use crate::catalog::routine::{Routine, Volatility};
use crate::catalog::table::Table;
use crate::plan::field::{Condition, PlannedField};
use crate::plan::node::ReadNode;
use crate::plan::{DbPlan, Kind};
use crate::request::filter::{Operation, QuantifiedOperator};

/// The cost of a plan, as far as the plan tells.
///
/// Only a read of stored columns of a stored row counts as a look-up by key. Everything else has to prove itself by
/// fast runs. Calls of functions with possible side effects (volatile functions called by name, as columns or as
/// relationships; media type handlers) never share a connection.
pub(crate) fn of(plan: &DbPlan, catalog: &Catalog) -> Cost {
    let (reads, from) = match &plan.kind {
        Kind::Read { .. } => (true, &plan.read.from),
        Kind::Call { routine, .. } => (calls_safely(routine, catalog), &routine.return_type),
        Kind::Mutate { .. } => (false, &plan.target),
    };
    let is_plain = reads && !plan.is_explain() && !matches!(plan.handler, Handler::Custom { .. });
    if !is_plain || computes(&plan.read, from, plan.target.schema.as_str(), catalog) {
        return Cost::Alone;
    }
    if is_by_key(plan, catalog) { Cost::ByKey } else { Cost::Unknown }
}

/// Whether a function is not volatile and returns no columns that the catalog does not know.
fn calls_safely(routine: &Routine, catalog: &Catalog) -> bool {
    let returned = &routine.return_type;
    let is_known = returned.schema.as_str() == "pg_catalog" || catalog.tables.contains_key(returned);
    routine.volatility != Volatility::Volatile && (is_known || routine.returns.is_scalar())
}

/// Whether reading rows of `from` calls functions with possible side effects, as columns or as relationships. `schema`
/// is the first schema in the search path; PostgreSQL prefers a function there that takes exactly such a row.
fn computes(node: &ReadNode, from: &QualifiedIdent, schema: &str, catalog: &Catalog) -> bool {
    let may_change =
        |function: QualifiedIdent, of: &QualifiedIdent| !catalog.nonvolatile.contains(&(function, of.clone()));
    let table = catalog.tables.get(from);
    let is_computed = |field: &PlannedField| {
        // The catalog does not know the columns of relations outside the exposed schemas, nor the types of all
        // columns that it knows.
        let is_known = |table: &Table| table.columns.iter().any(|column| column.name == field.name);
        let is_column = field.type_oid.is_some() || field.is_star() || table.is_none_or(is_known);
        !is_column && may_change(QualifiedIdent::new(schema, field.name.as_str()), from)
    };
    // Orderings by an embed's columns belong to the embed, but were looked up in this relation.
    let mut ordered = node.order.iter().filter(|term| term.relation.is_none()).map(|term| &term.field);
    matches!(&node.relationship, Some(Relationship::Computed(rel)) if may_change(rel.function.clone(), &rel.source))
        || node.select.iter().any(|item| is_computed(&item.field) && item.aggregate.is_none())
        || node.conditions.iter().any(|condition| any_field(condition, &is_computed))
        || ordered.any(is_computed)
        || node.children.iter().any(|child| computes(child, &child.from, schema, catalog))
}

fn any_field(condition: &Condition, test: &impl Fn(&PlannedField) -> bool) -> bool {
    match condition {
        Condition::Filter { field, .. } => test(field),
        Condition::Group { branches, .. } => branches.iter().any(|branch| any_field(branch, test)),
        Condition::EmbedIsNull { .. } => false,
    }
}

fn is_by_key(plan: &DbPlan, catalog: &Catalog) -> bool {
    let ReadNode { select, conditions, order, children, .. } = &plan.read;
    let Some(table) = catalog.tables.get(&plan.target).filter(|table| table.is_stored) else { return false };
    let key = &table.primary_key;
    let is_given = |column: &String| conditions.iter().any(|condition| equals(condition).is_some_and(|c| c == column));
    children.is_empty()
        && !key.is_empty()
        && key.iter().all(is_given)
        && conditions.iter().all(|condition| equals(condition).is_some())
        && order.iter().all(|term| is_plain(&term.field))
        && select.iter().all(|item| {
            (item.field.is_star() || is_plain(&item.field)) && item.aggregate.is_none() && item.cast.is_none()
        })
}

/// The column that is compared for equality.
fn equals(condition: &Condition) -> Option<&str> {
    let Condition::Filter { field, negated: false, operation } = condition else { return None };
    let equal = matches!(operation, Operation::Quantified(QuantifiedOperator::Equal, None, _));
    (equal && is_plain(field)).then_some(&field.name)
}

/// Whether a field is a column as stored.
fn is_plain(field: &PlannedField) -> bool {
    field.type_oid.is_some() && field.path.is_empty() && field.transform.is_none() && field.to_tsvector.is_none()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{HeaderMap, Method, header};

    use super::*;
    use crate::Incoming;
    use crate::fuzzing::World;
    use crate::plan::{Plan, plan};
    use crate::request::ApiRequest;

    fn cost(path: &str, query: &str, accept: Option<&'static str>) -> Cost {
        let world = World::invented();
        let state = world.state();
        let accept = accept.map(|accept| (header::ACCEPT, accept.parse().unwrap()));
        let (headers, body) = (HeaderMap::from_iter(accept), Bytes::new());
        let incoming = Incoming { method: &Method::GET, path, query, headers: &headers, body: &body };
        let request = ApiRequest::parse(incoming, &state.config).unwrap();
        match plan(&request, &state.catalog, &state.config).unwrap() {
            Plan::Db(plan) => of(&plan, &state.catalog),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn only_stored_columns_of_a_stored_row_are_by_key() {
        for (path, query, expected) in [
            ("/teams", "id=eq.1", Cost::ByKey),
            ("/teams", "id=eq.1&select=*", Cost::ByKey),
            ("/teams", "id=eq.1&select=x1:Name,data&order=Name.desc&Name=eq.x", Cost::ByKey),
            ("/appearances", "player_id=eq.1&day=eq.x&no=eq.3", Cost::ByKey),
            ("/appearances", "player_id=eq.1&day=eq.x", Cost::Unknown),
            ("/teams", "", Cost::Unknown),
            ("/teams", "id=not.eq.1", Cost::Unknown),
            ("/teams", "id=eq(any).{1}", Cost::Unknown),
            ("/teams", "id=eq.1&Name=match.(a*)*b", Cost::Unknown),
            ("/teams", "id=eq.1&or=(Name.eq.1,Name.match.x)", Cost::Unknown),
            ("/teams", "id=eq.1&select=data->a", Cost::Unknown),
            ("/teams", "id=eq.1&select=data::text", Cost::Unknown),
            ("/teams", "id=eq.1&order=data->a", Cost::Unknown),
            ("/teams", "id=eq.1&select=id.max()", Cost::Unknown),
            ("/teams", "id=eq.1&select=players(name)", Cost::Unknown),
            // A view, and a column with a representation.
            ("/games", "day=eq.x&no=eq.3&select=day", Cost::Unknown),
            ("/games", "day=eq.x&no=eq.3&select=color", Cost::Unknown),
            // Functions with possible side effects.
            ("/teams", "id=eq.1&select=id,x1:slow_computed", Cost::Alone),
            ("/teams", "id=eq.1&slow_computed=eq.1", Cost::Alone),
            ("/teams", "or=(id.eq.1,and(id.eq.2,slow_computed.eq.1))", Cost::Alone),
            ("/teams", "order=slow_computed", Cost::Alone),
            ("/players", "select=id,teams(slow_computed)", Cost::Alone),
            ("/teams", "select=id,best_player(id)", Cost::Alone),
            ("/players", "select=id,teams(id)&order=teams(Name)", Cost::Unknown),
            // Functions that are not volatile.
            ("/teams", "id=eq.1&select=id,initials", Cost::Unknown),
            ("/players", "select=id,teams(initials)", Cost::Unknown),
            ("/players", "select=id,initials", Cost::Alone),
            ("/teams", "select=id,%22all%20%5C%22games%5C%22%22(day)", Cost::Unknown),
            ("/rpc/best", "of=x", Cost::Unknown),
            ("/rpc/best", "of=x&select=name", Cost::Unknown),
            ("/rpc/best", "of=x&select=slow_computed", Cost::Alone),
            ("/rpc/numbers", "", Cost::Unknown),
            ("/rpc/search", "words=x&select=id,initials", Cost::Unknown),
            ("/rpc/search", "words=x&slow_computed=eq.1", Cost::Alone),
            ("/rpc/all of", "variadic=x", Cost::Alone),
        ] {
            assert_eq!(cost(path, query, None), expected, "{path}?{query}");
        }
        assert_eq!(cost("/teams", "id=eq.1", Some("application/vnd.pgrst.plan")), Cost::Alone);
    }
}
