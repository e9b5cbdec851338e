//! How an object of one database becomes that of the other.

use super::objects::{Kind, Object, Snapshot};
use super::table;

/// What to do with an object that both have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Nothing, but for comments and grants.
    None,
    /// These statements.
    Alter(Vec<String>),
    /// Drop it and make it again.
    Rebuild,
}

/// The change from one object to the other of the same key.
pub(super) fn change(from: &Object, to: &Object, snapshots: (&Snapshot, &Snapshot)) -> Change {
    if from.kind != to.kind {
        return Change::Rebuild;
    }
    if from.create == to.create && from.detail == to.detail {
        return Change::None;
    }
    let statements = match to.kind {
        Kind::Table if table::must_be_rebuilt(from, to) => return Change::Rebuild,
        Kind::Table => table::alter(from, to),
        Kind::View if from.create == to.create && from.detail.columns.len() == to.detail.columns.len() => Vec::new(),
        Kind::View if is_extended(from, to) => vec![["create or replace ", &to.create].concat()],
        Kind::Sequence | Kind::Role if from.create != to.create => vec![["alter ", &to.create].concat()],
        Kind::Sequence | Kind::Role => Vec::new(),
        Kind::Membership if from.create == to.create => Vec::new(),
        Kind::ForeignTable if from.create == to.create => Vec::new(),
        Kind::Server if from.detail.base == to.detail.base => server(from, to),
        Kind::Publication if (&from.detail.base, &*to.detail.base) == (&to.detail.base, "") => {
            vec![["alter ", &to.phrase, " set (", &to.detail.options, ")"].concat()]
        }
        Kind::Function if from.detail.signature == to.detail.signature => vec![to.create.clone()],
        Kind::Enum => labels(from, to, snapshots).unwrap_or_else(|| other_labels(to, snapshots)),
        Kind::Composite => attributes(from, to),
        Kind::Domain if from.detail.base == to.detail.base => domain(from, to),
        Kind::Extension => vec![["alter ", &to.phrase, " set schema ", &to.schema].concat()],
        Kind::Schema => Vec::new(),
        _ => return Change::Rebuild,
    };
    if statements.is_empty() { Change::None } else { Change::Alter(statements) }
}

/// CREATE OR REPLACE VIEW may only add columns at the end.
fn is_extended(from: &Object, to: &Object) -> bool {
    let columns = |view: &Object| -> Vec<_> {
        let columns = view.detail.columns.iter();
        columns.map(|column| (column.name.clone(), column.type_name.clone(), column.collation.clone())).collect()
    };
    columns(to).starts_with(&columns(from))
}

/// New labels in their places; `None` if labels are missing or in another order. PostgreSQL lets nobody use a label in the
/// transaction that adds it, so a commit follows if another change mentions one.
fn labels(from: &Object, to: &Object, (before, after): (&Snapshot, &Snapshot)) -> Option<Vec<String>> {
    let (old, new) = (&from.detail.labels, &to.detail.labels);
    let kept: Vec<_> = new.iter().filter(|label| old.contains(label)).collect();
    if kept != old.iter().collect::<Vec<_>>() {
        return None;
    }
    let mut statements = Vec::new();
    for (index, label) in new.iter().enumerate().filter(|(_, label)| !old.contains(label)) {
        let place = match index {
            0 => old.first().map_or_else(String::new, |first| format!(" before {first}")),
            _ => format!(" after {}", new[index - 1]),
        };
        statements.push(["alter ", &to.phrase, " add value ", label, &place].concat());
    }
    let added: Vec<_> = new.iter().filter(|label| !old.contains(label)).collect();
    let mentions = |text: &String| added.iter().any(|label| text.contains(label.as_str()));
    let uses = |object: &Object| {
        mentions(&object.create) || object.detail.columns.iter().any(|column| mentions(&column.expression))
    };
    let changed = |object: &&Object| {
        object.key != to.key
            && before
                .objects
                .get(&object.key)
                .is_none_or(|old| old.create != object.create || old.detail != object.detail)
    };
    if after.objects.values().filter(changed).any(uses) {
        statements.push("commit".to_owned());
    }
    Some(statements)
}

/// A type with other labels takes the place of the old one in every column that stays.
fn other_labels(to: &Object, (before, after): (&Snapshot, &Snapshot)) -> Vec<String> {
    let plain = to.name.rsplit_once('.').map_or(to.name.as_str(), |(_, name)| name);
    let aside = match plain.strip_suffix('"') {
        Some(quoted) => format!("{quoted}__old\""),
        None => format!("{plain}__old"),
    };
    let mut statements = vec![["alter ", &to.phrase, " rename to ", &aside].concat(), to.create.clone()];
    for table in after.objects.values().filter(|object| object.kind == Kind::Table && object.detail.parent.is_empty()) {
        let Some(old) = before.objects.get(&table.key) else { continue };
        for column in &table.detail.columns {
            let array = if column.type_name.ends_with("[]") { "[]" } else { "" };
            let was = old.detail.columns.iter().find(|old| old.name == column.name);
            let is_such = column.type_name.trim_end_matches("[]") == to.name;
            let Some(was) = was.filter(|was| is_such && was.type_name == column.type_name) else { continue };
            let begin = ["alter table ", &table.name, " alter column ", &column.name].concat();
            if !was.expression.is_empty() {
                statements.push([&begin, " drop default"].concat());
            }
            let (name, own) = (&column.name, &column.type_name);
            statements.push([&begin, " type ", own, " using ", name, "::text", array, "::", own].concat());
            if !column.expression.is_empty() {
                statements.push([&begin, " set default ", &column.expression].concat());
            }
        }
    }
    let schema = to.name.strip_suffix(plain).unwrap_or_default();
    statements.push(["drop type ", schema, &aside].concat());
    statements
}

/// Version and options of a foreign server.
fn server(from: &Object, to: &Object) -> Vec<String> {
    let (old, new) = (&from.detail.attributes, &to.detail.attributes);
    let find = |list: &[(String, String)], name: &str| list.iter().find(|(found, _)| found == name).cloned();
    let mut options: Vec<String> =
        old.iter().filter(|(name, _)| find(new, name).is_none()).map(|(name, _)| ["drop ", name].concat()).collect();
    for (name, value) in new {
        match find(old, name) {
            None => options.push(format!("add {name} {value}")),
            Some((_, was)) if was != *value => options.push(format!("set {name} {value}")),
            Some(_) => {}
        }
    }
    let begin = ["alter ", &to.phrase].concat();
    let mut text = begin.clone();
    if from.detail.default != to.detail.default {
        text.push_str(&format!(" version '{}'", to.detail.default.replace('\'', "''")));
    }
    if !options.is_empty() {
        text.push_str(&format!(" options ({})", options.join(", ")));
    }
    // Nothing to do if only the order of the options differs.
    if text == begin { Vec::new() } else { vec![text] }
}

fn attributes(from: &Object, to: &Object) -> Vec<String> {
    let alter = |change: String| ["alter ", &to.phrase, " ", &change, " cascade"].concat();
    let (old, new) = (&from.detail.attributes, &to.detail.attributes);
    let find = |list: &[(String, String)], name: &str| list.iter().find(|(found, _)| found == name).cloned();
    let dropped = old.iter().filter(|(name, _)| find(new, name).is_none());
    let mut statements: Vec<String> = dropped.map(|(name, _)| alter(["drop attribute ", name].concat())).collect();
    for (name, type_name) in new {
        match find(old, name) {
            None => statements.push(alter(format!("add attribute {name} {type_name}"))),
            Some((_, was)) if was != *type_name => {
                statements.push(alter(["alter attribute ", name, " type ", type_name].concat()));
            }
            Some(_) => {}
        }
    }
    statements
}

fn domain(from: &Object, to: &Object) -> Vec<String> {
    let alter = |change: String| ["alter ", &to.phrase, " ", &change].concat();
    let (old, new) = (&from.detail, &to.detail);
    let mut statements = Vec::new();
    if old.default != new.default {
        let set = format!("set default {}", new.default);
        statements.push(alter(if new.default.is_empty() { "drop default".to_owned() } else { set }));
    }
    if old.not_null != new.not_null {
        statements.push(alter(if new.not_null { "set not null" } else { "drop not null" }.to_owned()));
    }
    for (name, _) in old.constraints.iter().filter(|constraint| !new.constraints.contains(constraint)) {
        statements.push(alter(["drop constraint ", name].concat()));
    }
    for (name, definition) in new.constraints.iter().filter(|constraint| !old.constraints.contains(constraint)) {
        statements.push(alter(format!("add constraint {name} {definition}")));
    }
    statements
}
