//! Grants, default privileges and comments.

use std::collections::{BTreeMap, BTreeSet};

use super::objects::{DefaultPrivileges, Grant, Kind, Object, Snapshot};

/// What a new object of this kind is granted to others when it is made.
pub(super) fn of_new(snapshot: &Snapshot, object: &Object) -> Vec<Grant> {
    let public = |privilege: &str| {
        vec![Grant { grantee: "public".to_owned(), privilege: privilege.to_owned(), grantable: false }]
    };
    let (kind, built_in) = match object.kind {
        Kind::Schema => ("n", Vec::new()),
        Kind::Sequence => ("S", Vec::new()),
        Kind::Function | Kind::Aggregate => ("f", public("execute")),
        Kind::Enum | Kind::Composite | Kind::Domain | Kind::Range => ("T", public("usage")),
        Kind::Table | Kind::ForeignTable | Kind::View | Kind::MaterializedView => ("r", Vec::new()),
        _ => return Vec::new(),
    };
    let of = |schema: &str| {
        let mut rows = snapshot.default_privileges.iter();
        rows.find(|row| row.kind == kind && row.schema == schema).map(|row| row.grants.clone())
    };
    let mut grants = of("").unwrap_or(built_in);
    if object.kind != Kind::Schema {
        grants.extend(of(&quoted(&object.schema)).unwrap_or_default());
    }
    grants
}

/// The statements from one set of grants to another. `columns` is empty, or names them in parentheses.
pub(super) fn changes(from: &[Grant], to: &[Grant], columns: &str, phrase: &str) -> Vec<String> {
    let (from, to): (BTreeSet<_>, BTreeSet<_>) = (from.iter().collect(), to.iter().collect());
    let mut statements = Vec::new();
    for ((grantee, _), privileges) in grouped(from.difference(&to).copied()) {
        statements.push(["revoke ", &list(&privileges, columns), " on ", phrase, " from ", grantee].concat());
    }
    for ((grantee, grantable), privileges) in grouped(to.difference(&from).copied()) {
        let option = if grantable { " with grant option" } else { "" };
        statements.push(["grant ", &list(&privileges, columns), " on ", phrase, " to ", grantee, option].concat());
    }
    statements
}

/// Grants of the object and of its columns.
pub(super) fn of_object(from: &[Grant], before: Option<&Object>, to: &Object) -> Vec<String> {
    let phrase = match to.kind {
        Kind::Table | Kind::ForeignTable | Kind::View | Kind::MaterializedView => format!("table {}", to.name),
        Kind::Aggregate => format!("function {}", to.name),
        Kind::Server => format!("foreign server {}", to.name),
        Kind::Enum | Kind::Composite | Kind::Domain | Kind::Range => format!("type {}", to.name),
        _ => to.phrase.clone(),
    };
    let mut statements = changes(from, &to.grants, "", &phrase);
    for column in &to.detail.columns {
        let columns = before.map(|before| before.detail.columns.as_slice()).unwrap_or_default();
        let old = columns.iter().find(|old| old.name == column.name).map(|old| old.grants.as_slice());
        let name = format!(" ({})", column.name);
        statements.extend(changes(old.unwrap_or_default(), &column.grants, &name, &phrase));
    }
    statements
}

/// Comments on the object and on its columns.
pub(super) fn comments(before: Option<&Object>, to: &Object) -> Vec<String> {
    let comment = |phrase: &str, old: Option<&String>, new: Option<&String>| {
        let text = new.map_or_else(|| "null".to_owned(), |text| literal(text));
        (old != new).then(|| ["comment on ", phrase, " is ", &text].concat())
    };
    let old = before.and_then(|before| before.comment.as_ref());
    // A schema's or an extension's comment may be the platform's own.
    let own = comment(&to.phrase, old, to.comment.as_ref()).filter(|_| to.kind != Kind::Extension);
    let columns = to.detail.columns.iter().filter_map(|column| {
        let columns = before.map(|before| before.detail.columns.as_slice()).unwrap_or_default();
        let old = columns.iter().find(|old| old.name == column.name).and_then(|old| old.comment.as_ref());
        comment(&format!("column {}.{}", to.name, column.name), old, column.comment.as_ref())
    });
    own.into_iter().chain(columns).collect()
}

/// Changed default privileges.
pub(super) fn defaults(from: &Snapshot, to: &Snapshot) -> Vec<String> {
    let key = |row: &DefaultPrivileges| (row.role.clone(), row.schema.clone(), row.kind.clone());
    let by_key = |snapshot: &Snapshot| -> BTreeMap<_, _> {
        snapshot.default_privileges.iter().map(|row| (key(row), row.grants.clone())).collect()
    };
    let (from, to) = (by_key(from), by_key(to));
    let keys: BTreeSet<_> = from.keys().chain(to.keys()).collect();
    let mut statements = Vec::new();
    for key in keys {
        let (role, schema, kind) = key;
        let objects = match kind.as_str() {
            "S" => "sequences",
            "f" => "functions",
            "T" => "types",
            "n" => "schemas",
            _ => "tables",
        };
        let place = if schema.is_empty() { String::new() } else { format!(" in schema {schema}") };
        let begin = ["alter default privileges for role ", role, &place, " "].concat();
        let of = |side: &BTreeMap<_, Vec<Grant>>| side.get(key).cloned().unwrap_or_default();
        statements.extend(
            changes(&of(&from), &of(&to), "", objects).into_iter().map(|change| [&begin, change.as_str()].concat()),
        );
    }
    statements
}

fn grouped<'a>(grants: impl Iterator<Item = &'a Grant>) -> BTreeMap<(&'a str, bool), Vec<&'a str>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for grant in grants {
        groups.entry((grant.grantee.as_str(), grant.grantable)).or_default().push(grant.privilege.as_str());
    }
    groups
}

fn list(privileges: &[&str], columns: &str) -> String {
    privileges.iter().map(|privilege| format!("{privilege}{columns}")).collect::<Vec<_>>().join(", ")
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The name of a schema or role, quoted like quote_ident() does, except that keywords are not recognised.
pub(super) fn quoted(name: &str) -> String {
    let is_plain = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if is_plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}
