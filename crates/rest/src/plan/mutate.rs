//! Plans writes: insert, upsert, update, delete.

use std::collections::BTreeSet;

use bytes::Bytes;
use pg::QualifiedIdent;

use super::embed;
use super::field::{Condition, PlannedField, Resolver};
use super::node::ReadNode;
use crate::catalog::Catalog;
use crate::catalog::table::Table;
use crate::error::Error;
use crate::request::filter::{Operation, QuantifiedOperator};
use crate::request::prefer::{Missing, Representation, Resolution};
use crate::request::{ApiRequest, Mutation};

/// A statement that changes rows.
#[derive(Debug)]
pub(crate) enum MutatePlan {
    Insert(InsertPlan),
    Update {
        table: QualifiedIdent,
        columns: Vec<PlannedField>,
        body: Bytes,
        conditions: Vec<Condition>,
        returning: Vec<String>,
        defaults: bool,
    },
    Delete {
        table: QualifiedIdent,
        conditions: Vec<Condition>,
        returning: Vec<String>,
    },
}

/// An insert, possibly with a conflict target.
#[derive(Debug)]
pub(crate) struct InsertPlan {
    pub(crate) table: QualifiedIdent,
    pub(crate) columns: Vec<PlannedField>,
    pub(crate) body: Bytes,
    /// The conflict resolution and its columns.
    pub(crate) on_conflict: Option<(Resolution, Vec<String>)>,
    /// For PUT: the conditions that the row must meet; empty otherwise.
    pub(crate) key_conditions: Vec<Condition>,
    pub(crate) returning: Vec<String>,
    pub(crate) primary_key: Vec<String>,
    /// Whether missing keys get their column's default.
    pub(crate) defaults: bool,
}

impl InsertPlan {
    /// Whether new rows have to be counted.
    pub(crate) fn counts_inserted(&self) -> bool {
        !self.key_conditions.is_empty() || self.merges()
    }

    /// Whether existing rows are overwritten.
    pub(crate) fn merges(&self) -> bool {
        matches!(self.on_conflict, Some((Resolution::Merge, _)))
    }
}

/// Plans a write.
///
/// # Errors
/// PGRST204 for keys that are not columns, PGRST105 for a PUT without exactly the primary key.
pub(super) fn plan(
    mutation: Mutation,
    table: &Table,
    request: &ApiRequest,
    catalog: &Catalog,
    read: &ReadNode,
) -> Result<MutatePlan, Error> {
    let resolver = Resolver { catalog, table: Some(table) };
    let columns = || -> Result<Vec<PlannedField>, Error> {
        let unknown = |column: &String| Error::UnknownColumn {
            relation: table.name.name.as_str().to_owned(),
            column: column.clone(),
        };
        request.columns.iter().map(|name| resolver.written(name).ok_or_else(|| unknown(name))).collect()
    };
    let body = || request.payload.as_ref().map(|payload| payload.bytes()).unwrap_or_default();
    let returning = returning(request, read, &table.primary_key);
    let defaults = request.prefer.missing == Some(Missing::Default);
    Ok(match mutation {
        Mutation::Create => {
            let key = request.query.on_conflict.clone().unwrap_or_else(|| table.primary_key.clone());
            MutatePlan::Insert(InsertPlan {
                table: table.name.clone(),
                columns: columns()?,
                body: body(),
                on_conflict: request.prefer.resolution.map(|resolution| (resolution, key)),
                key_conditions: Vec::new(),
                returning,
                primary_key: table.primary_key.clone(),
                defaults,
            })
        }
        Mutation::SingleUpsert => {
            check_key(table, request)?;
            MutatePlan::Insert(InsertPlan {
                table: table.name.clone(),
                columns: columns()?,
                body: body(),
                on_conflict: Some((Resolution::Merge, table.primary_key.clone())),
                key_conditions: conditions(request, &resolver),
                returning,
                primary_key: Vec::new(),
                defaults: false,
            })
        }
        Mutation::Update => MutatePlan::Update {
            table: table.name.clone(),
            columns: columns()?,
            body: body(),
            conditions: conditions(request, &resolver),
            returning,
            defaults,
        },
        Mutation::Delete => {
            MutatePlan::Delete { table: table.name.clone(), conditions: conditions(request, &resolver), returning }
        }
    })
}

/// The conditions of the write: the filters of the root, and every logic tree. As upstream, this includes logic trees
/// meant for an embed: they restrict the write, or fail on a column that only the embed has. Ignoring them would write
/// to more rows.
fn conditions(request: &ApiRequest, resolver: &Resolver<'_>) -> Vec<Condition> {
    let filters = request.query.filters.iter().filter(|(path, _)| path.is_empty());
    let trees = request.query.logic.iter().map(|(_, tree)| resolver.logic(tree));
    filters.map(|(_, filter)| resolver.filter(filter)).chain(trees).collect()
}

/// PUT names exactly the primary key, each column by `eq`.
fn check_key(table: &Table, request: &ApiRequest) -> Result<(), Error> {
    let key: BTreeSet<&String> = table.primary_key.iter().collect();
    let named: BTreeSet<&String> = request.query.filter_names.iter().collect();
    let all_equal = request.query.filters.iter().filter(|(path, _)| path.is_empty()).all(|(_, filter)| {
        !filter.negated && matches!(filter.operation, Operation::Quantified(QuantifiedOperator::Equal, None, _))
    });
    if request.query.logic.is_empty() && !key.is_empty() && key == named && all_equal {
        Ok(())
    } else {
        Err(Error::InvalidFilters)
    }
}

/// The columns of the written rows that the response needs; none for an empty response.
fn returning(request: &ApiRequest, read: &ReadNode, primary_key: &[String]) -> Vec<String> {
    match request.prefer.representation {
        None | Some(Representation::Minimal) => Vec::new(),
        Some(Representation::Full | Representation::HeadersOnly) => columns_needed(read, primary_key),
    }
}

/// The columns that a node selects, those its embeds are joined by, and `also`; only `*` if that is among them.
pub(super) fn columns_needed(read: &ReadNode, also: &[String]) -> Vec<String> {
    let mut names: BTreeSet<String> = read.select.iter().map(|item| item.field.name.clone()).collect();
    let star = || vec!["*".to_owned()];
    // `*` contains every column: naming one again would select it twice.
    if names.contains("*") {
        return star();
    }
    let Some(for_embeds) = embed::columns_for_embeds(read) else { return star() };
    names.extend(for_embeds);
    names.extend(also.iter().cloned());
    names.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, Method};

    use super::*;
    use crate::config::Config;
    use crate::fuzzing::catalog::{SCHEMA, invented};
    use crate::plan::{Kind, Plan};
    use crate::request::Incoming;

    /// The plan of a request about the invented league, or the error code.
    fn planned(method: Method, target: &str, prefer: &str, body: &'static str) -> Result<MutatePlan, String> {
        let config = Config { db_schemas: vec![SCHEMA.to_owned()], ..Config::default() };
        let mut headers = HeaderMap::new();
        headers.insert("prefer", prefer.parse().unwrap());
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let body = Bytes::from_static(body.as_bytes());
        let incoming = Incoming { method: &method, path, query, headers: &headers, body: &body };
        let plan = ApiRequest::parse(incoming, &config)
            .and_then(|request| crate::plan::plan(&request, &invented(), &config))
            .map_err(|error| error.code().into_owned())?;
        match plan {
            Plan::Db(plan) => match plan.kind {
                Kind::Mutate { plan, .. } => Ok(plan),
                _ => panic!("{target} writes"),
            },
            _ => panic!("{target} is about rows"),
        }
    }

    fn insert(target: &str, prefer: &str, body: &'static str) -> Result<InsertPlan, String> {
        planned(Method::POST, target, prefer, body).map(|plan| match plan {
            MutatePlan::Insert(insert) => insert,
            _ => panic!("POST inserts"),
        })
    }

    #[test]
    fn only_what_is_shown_is_returned() {
        for (select, prefer, returning) in [
            ("Name", "", vec![]),
            ("Name", "return=minimal", vec![]),
            ("Name", "return=headers-only", vec!["Name", "id"]),
            ("Name", "return=representation", vec!["Name", "id"]),
            ("*,Name", "return=representation", vec!["*"]),
            ("Name,players(name)", "return=representation", vec!["Name", "id"]),
            ("data->a,best_player(name)", "return=representation", vec!["*"]),
        ] {
            let plan = insert(&format!("/teams?select={select}"), prefer, "{}").unwrap();
            assert_eq!(plan.returning, returning, "{select} {prefer}");
        }
        let delete = planned(Method::DELETE, "/players?select=name,teams(id)", "return=representation", "").unwrap();
        let MutatePlan::Delete { returning, .. } = delete else { panic!("DELETE deletes") };
        assert_eq!(returning, ["id", "name", "team_id"]);
    }

    #[test]
    fn columns_are_the_keys_of_the_body_or_those_named() {
        let names = |target: &str, body| -> Result<Vec<String>, String> {
            Ok(insert(target, "", body)?.columns.into_iter().map(|field| field.name).collect())
        };
        let of = |names: &[&str]| Ok(names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(names("/teams", r#"{"id":1,"Name":"x"}"#), of(&["Name", "id"]));
        assert_eq!(names("/teams?columns=id", r#"{"id":1,"nope":"x"}"#), of(&["id"]));
        assert_eq!(names("/teams", "[]"), of(&[]));
        assert_eq!(names("/teams", r#"{"name":1}"#), Err("PGRST204".into()), "names have a case");
        assert_eq!(names("/teams?columns=nope", "{}"), Err("PGRST204".into()));
        assert_eq!(names("/nope", "{}"), Err("PGRST205".into()));
    }

    #[test]
    fn conflicts_are_told_by_the_key_unless_by_others() {
        let merge = "resolution=merge-duplicates";
        for (target, prefer, conflict) in [
            ("/games", "", None),
            ("/games", merge, Some((Resolution::Merge, vec!["day", "no"]))),
            ("/games?on_conflict=note", merge, Some((Resolution::Merge, vec!["note"]))),
            ("/games?on_conflict=note", "", None),
            ("/games", "resolution=ignore-duplicates", Some((Resolution::Ignore, vec!["day", "no"]))),
            ("/odd%20%22one%22", merge, Some((Resolution::Merge, vec![]))),
        ] {
            let plan = insert(target, prefer, "{}").unwrap();
            let conflict = conflict.map(|(kind, key)| (kind, key.into_iter().map(str::to_owned).collect()));
            assert_eq!((plan.counts_inserted(), plan.on_conflict), (prefer == merge, conflict), "{target} {prefer}");
        }
    }

    #[test]
    fn put_names_the_key_and_nothing_else() {
        for (query, code) in [
            ("day=eq.a&no=eq.1", None),
            ("no=eq.1&day=eq.a&select=note", None),
            ("day=eq.a", Some("PGRST105")),
            ("day=eq.a&no=eq.1&note=eq.x", Some("PGRST105")),
            ("day=eq.a&no=gt.1", Some("PGRST105")),
            ("day=eq.a&no=not.eq.1", Some("PGRST105")),
            ("day=eq.a&no=eq(any).{1}", Some("PGRST105")),
            ("day=eq.a&no=eq.1&or=(no.eq.1)", Some("PGRST105")),
            ("day=eq.a&no=eq.1&offset=1", Some("PGRST114")),
        ] {
            let found = planned(Method::PUT, &format!("/games?{query}"), "", "{}").err();
            assert_eq!(found.as_deref(), code, "{query}");
        }
        assert_eq!(planned(Method::PUT, "/odd%20%22one%22?select=*", "", "{}").unwrap_err(), "PGRST105");
    }

    #[test]
    fn every_logic_tree_narrows_a_write_and_no_filter_of_an_embed() {
        let query = "/teams?id=eq.1&players.name=eq.x&or=(id.eq.1,id.eq.2)&players.or=(id.eq.3)&select=id,players(id)";
        for method in [Method::PATCH, Method::DELETE] {
            let conditions = match planned(method, query, "", r#"{"id":1}"#).unwrap() {
                MutatePlan::Update { conditions, .. } | MutatePlan::Delete { conditions, .. } => conditions,
                MutatePlan::Insert(_) => panic!("it is no insert"),
            };
            let groups = conditions.iter().filter(|condition| matches!(condition, Condition::Group { .. })).count();
            assert_eq!((conditions.len(), groups), (3, 2));
        }
    }
}
