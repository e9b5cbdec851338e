//! What is in a database, as PostgreSQL prints it.

use std::collections::BTreeMap;

use pg::Error;
use pg::pool::{Connection, Query};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The compared part of a database.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    pub(super) objects: BTreeMap<String, Object>,
    /// Who needs whom, and for columns which.
    pub(super) needs: Vec<Need>,
    pub(super) default_privileges: Vec<DefaultPrivileges>,
    /// The role that reads the snapshot.
    pub(super) role: String,
}

/// The first needs the second, or the column of it that the third names.
pub(super) type Need = (String, String, String);

/// Something that can be created and dropped.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Object {
    pub(super) key: String,
    pub(super) kind: Kind,
    pub(super) schema: String,
    /// As COMMENT ON and GRANT name it.
    pub(super) phrase: String,
    /// Without a schema's kind in front.
    #[serde(default)]
    pub(super) name: String,
    /// The relation that it belongs to.
    pub(super) parent: Option<String>,
    pub(super) create: String,
    pub(super) drop: String,
    #[serde(default)]
    pub(super) comment: Option<String>,
    #[serde(default)]
    pub(super) grants: Vec<Grant>,
    /// Empty if the owner is the role that reads the snapshot or a role of the platform, and for objects without an owner.
    #[serde(default)]
    pub(super) owner: String,
    #[serde(default)]
    pub(super) detail: Detail,
}

/// In the order in which they are made, where nothing needs another order.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    Role,
    Membership,
    Schema,
    Extension,
    Server,
    Collation,
    Enum,
    Composite,
    Domain,
    Range,
    Sequence,
    Function,
    Aggregate,
    Operator,
    Cast,
    Table,
    #[serde(rename = "foreign table")]
    ForeignTable,
    Constraint,
    Index,
    #[serde(rename = "foreign key")]
    ForeignKey,
    View,
    #[serde(rename = "materialized view")]
    MaterializedView,
    Rule,
    Trigger,
    Policy,
    Publication,
    /// A table or schema in a publication.
    Published,
    EventTrigger,
}

/// What is altered rather than made anew. Each kind has some of it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(default)]
pub(super) struct Detail {
    pub(super) signature: String,
    pub(super) labels: Vec<String>,
    /// Names and types.
    pub(super) attributes: Vec<(String, String)>,
    pub(super) base: String,
    pub(super) default: String,
    pub(super) not_null: bool,
    /// Names and definitions.
    pub(super) constraints: Vec<(String, String)>,
    pub(super) row_security: bool,
    pub(super) force_row_security: bool,
    pub(super) replica_identity: String,
    pub(super) unlogged: bool,
    pub(super) options: String,
    pub(super) partition_key: String,
    pub(super) parent: String,
    pub(super) bound: String,
    pub(super) owned_by: String,
    pub(super) columns: Vec<Column>,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) type_name: String,
    pub(super) collation: String,
    pub(super) not_null: bool,
    /// The default, or what a generated column computes.
    pub(super) expression: String,
    /// `a` for always, `d` for by default.
    pub(super) identity: String,
    /// `s` for stored, `v` for virtual.
    pub(super) generated: String,
    pub(super) comment: Option<String>,
    pub(super) grants: Vec<Grant>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Grant {
    pub(super) grantee: String,
    pub(super) privilege: String,
    pub(super) grantable: bool,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub(super) struct DefaultPrivileges {
    /// Empty for everywhere.
    pub(super) schema: String,
    /// `r`, `S`, `f`, `T` or `n`.
    pub(super) kind: String,
    pub(super) role: String,
    pub(super) grants: Vec<Grant>,
}

impl Snapshot {
    /// Reads the schemas that are to be compared. The session's search_path is empty.
    pub(super) async fn load(database: &Connection, is_compared: &dyn Fn(&str) -> bool) -> Result<Self, Error> {
        let all: Vec<Object> = json(database.query_one(include_str!("queries/schemas.sql"), &[]).await?)?;
        let schemas: Vec<Object> = all.into_iter().filter(|schema| is_compared(&schema.schema)).collect();
        let names: Vec<String> = schemas.iter().map(|schema| schema.schema.clone()).collect();
        let mut objects = schemas;
        objects.extend(json::<Object>(database.query_one(include_str!("queries/extensions.sql"), &[]).await?)?);
        objects.extend(json::<Object>(database.query_one(include_str!("queries/roles.sql"), &[]).await?)?);
        for sql in [
            include_str!("queries/relations.sql"),
            include_str!("queries/data_types.sql"),
            include_str!("queries/routines.sql"),
            include_str!("queries/parts.sql"),
            include_str!("queries/operators.sql"),
            include_str!("queries/publications.sql"),
        ] {
            objects.extend(json::<Object>(database.query_one(sql, &[&names]).await?)?);
        }
        let role: String = text(database.query_one("select pg_catalog.quote_ident(current_user)", &[]).await?)?;
        for object in &mut objects {
            object.owner = owner(&object.owner, &role);
        }
        let mut needs: Vec<Need> =
            json(database.query_one(include_str!("queries/dependencies.sql"), &[&names]).await?)?;
        // What a publication contains depends on the publication. dependencies.sql does not report that.
        let published = objects.iter().filter(|object| object.kind == Kind::Published);
        needs.extend(published.map(|object| (object.key.clone(), object.detail.base.clone(), String::new())));
        Ok(Snapshot {
            objects: objects.into_iter().map(|object| (object.key.clone(), object)).collect(),
            needs,
            default_privileges: json(database.query_one(include_str!("queries/default_privileges.sql"), &[]).await?)?,
            role,
        })
    }

    /// The keys of what needs the object, or one of its columns.
    pub(super) fn dependents<'a>(&'a self, key: &'a str, column: Option<&'a str>) -> impl Iterator<Item = &'a str> {
        let is_needed = move |need: &&Need| need.1 == key && column.is_none_or(|column| need.2 == column);
        self.needs.iter().filter(is_needed).map(|(object, _, _)| object.as_str())
    }
}

/// The owner for the diff. Empty for `role` itself, and for roles of the platform, as which migrations cannot create objects.
fn owner(name: &str, role: &str) -> String {
    let is_platform = name == "postgres" || name.starts_with("supabase_") || name.starts_with("pg_");
    let quoted = if name.is_empty() { String::new() } else { super::privileges::quoted(name) };
    if is_platform || quoted == role { String::new() } else { quoted }
}

fn text(row: pg::pool::Row) -> Result<String, Error> {
    row.try_get(0).map_err(|error| Error::Protocol(error.to_string()))
}

fn json<T: DeserializeOwned>(row: pg::pool::Row) -> Result<Vec<T>, Error> {
    let text = text(row)?;
    serde_json::from_str(&text).map_err(|error| Error::Protocol(error.to_string()))
}
