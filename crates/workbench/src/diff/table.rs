//! Tables: made whole, altered column by column.

use super::objects::{Column, Object};

/// A table without constraints and indexes, which are made after it.
pub(super) fn create(table: &Object) -> String {
    let detail = &table.detail;
    let unlogged = if detail.unlogged { "unlogged " } else { "" };
    let mut text = ["create ", unlogged, "table ", &table.name].concat();
    if detail.parent.is_empty() {
        let columns: Vec<String> = detail.columns.iter().map(|column| format!("    {}", definition(column))).collect();
        text.push_str(&format!(" (\n{}\n)", columns.join(",\n")));
    } else {
        text.push_str(&format!(" partition of {} {}", detail.parent, detail.bound));
    }
    if !detail.partition_key.is_empty() {
        text.push_str(&format!(" partition by {}", detail.partition_key));
    }
    if !detail.options.is_empty() {
        text.push_str(&format!(" with ({})", detail.options));
    }
    text
}

/// Whether the table must be made anew: partitioning cannot be altered.
pub(super) fn must_be_rebuilt(from: &Object, to: &Object) -> bool {
    let fixed = |table: &Object| {
        let detail = &table.detail;
        (detail.partition_key.clone(), detail.parent.clone(), detail.bound.clone())
    };
    fixed(from) != fixed(to)
}

/// The statements that alter its columns and settings.
pub(super) fn alter(from: &Object, to: &Object) -> Vec<String> {
    let begin = format!("table {}", to.name);
    let alter = |change: String| ["alter ", &begin, " ", &change].concat();
    let mut statements = Vec::new();
    if to.detail.parent.is_empty() {
        let find = |columns: &[Column], name: &str| columns.iter().find(|column| column.name == name).cloned();
        let is_replaced = |old: &Column, new: &Column| is_made_anew(old, new) || is_recomputed(new, from, to);
        for old in &from.detail.columns {
            if find(&to.detail.columns, &old.name).is_none_or(|new| is_replaced(old, &new)) {
                statements.push(alter(["drop column ", &old.name].concat()));
            }
        }
        // Generated columns last: they are computed from the others.
        let (plain, generated): (Vec<_>, Vec<_>) =
            to.detail.columns.iter().partition(|column| column.generated.is_empty());
        for column in plain.into_iter().chain(generated) {
            match find(&from.detail.columns, &column.name).filter(|old| !is_replaced(old, column)) {
                None => statements.push(alter(format!("add column {}", definition(column)))),
                Some(old) => {
                    let changes = column_changes(&old, column);
                    statements.extend(
                        changes.into_iter().map(|change| alter(["alter column ", &column.name, " ", &change].concat())),
                    );
                }
            }
        }
    }
    statements.extend(settings(Some(from), to));
    statements
}

/// Row level security and the like, against those of a new table or of the old one.
pub(super) fn settings(from: Option<&Object>, to: &Object) -> Vec<String> {
    let (old, new) = (from.map(|from| &from.detail), &to.detail);
    let mut changes = Vec::new();
    let mut set = |is_changed: bool, change: &str| {
        if is_changed {
            changes.push(["alter table ", &to.name, " ", change].concat());
        }
    };
    let switch = |on: bool, yes, no| if on { yes } else { no };
    set(
        old.is_some_and(|old| old.row_security) != new.row_security,
        switch(new.row_security, "enable row level security", "disable row level security"),
    );
    set(
        old.is_some_and(|old| old.force_row_security) != new.force_row_security,
        switch(new.force_row_security, "force row level security", "no force row level security"),
    );
    let identity = match new.replica_identity.as_str() {
        "f" => "replica identity full",
        "n" => "replica identity nothing",
        _ => "replica identity default",
    };
    // An index as identity is set by hand: its name says more than the letter.
    let was = old.map_or("d", |old| old.replica_identity.as_str());
    set(was != new.replica_identity && new.replica_identity != "i", identity);
    if let Some(old) = old {
        set(old.unlogged != new.unlogged, switch(new.unlogged, "set unlogged", "set logged"));
        if old.options != new.options {
            let names: Vec<&str> =
                old.options.split(", ").filter_map(|option| Some(option.split_once('=')?.0)).collect();
            set(!names.is_empty(), &format!("reset ({})", names.join(", ")));
            set(!new.options.is_empty(), &format!("set ({})", new.options));
        }
    }
    changes
}

/// Columns that are dropped or get another type: what uses them is in the way.
pub(super) fn disturbed<'a>(from: &'a Object, to: &'a Object) -> Vec<&'a str> {
    let is_disturbed = |old: &&Column| {
        let new = to.detail.columns.iter().find(|column| column.name == old.name);
        new.is_none_or(|new| has_other_type(old, new) || is_made_anew(old, new) || is_recomputed(new, from, to))
    };
    from.detail.columns.iter().filter(is_disturbed).map(|column| column.name.as_str()).collect()
}

fn has_other_type(old: &Column, new: &Column) -> bool {
    old.type_name != new.type_name || old.collation != new.collation
}

/// Whether a generated column is computed from one that gets another type, which PostgreSQL refuses to alter then.
fn is_recomputed(column: &Column, from: &Object, to: &Object) -> bool {
    let is_altered = |name: &str| {
        let find = |table: &Object| table.detail.columns.iter().find(|found| found.name == name).cloned();
        find(from).zip(find(to)).is_some_and(|(old, new)| has_other_type(&old, &new))
    };
    !column.generated.is_empty()
        && to.detail.columns.iter().any(|other| is_altered(&other.name) && column.expression.contains(&other.name))
}

/// A generated column is computed from its row, so that nothing is lost.
fn is_made_anew(old: &Column, new: &Column) -> bool {
    let to_generated = old.generated != new.generated && !new.generated.is_empty();
    let other_kind = !old.generated.is_empty() && !new.generated.is_empty() && old.generated != new.generated;
    let other_expression = !new.generated.is_empty() && old.expression != new.expression;
    let no_longer_virtual = old.generated == "v" && new.generated.is_empty();
    to_generated || other_kind || other_expression || no_longer_virtual
}

fn definition(column: &Column) -> String {
    let mut text = format!("{} {}", column.name, column.type_name);
    if !column.collation.is_empty() {
        text.push_str(&format!(" collate {}", column.collation));
    }
    match (column.generated.as_str(), column.identity.as_str()) {
        ("s", _) => text.push_str(&format!(" generated always as ({}) stored", column.expression)),
        ("v", _) => text.push_str(&format!(" generated always as ({}) virtual", column.expression)),
        (_, "a") => text.push_str(" generated always as identity"),
        (_, "d") => text.push_str(" generated by default as identity"),
        _ if !column.expression.is_empty() => text.push_str(&format!(" default {}", column.expression)),
        _ => {}
    }
    if column.not_null {
        text.push_str(" not null");
    }
    text
}

fn column_changes(old: &Column, new: &Column) -> Vec<String> {
    let mut changes = Vec::new();
    if old.generated == "s" && new.generated.is_empty() {
        changes.push("drop expression".to_owned());
    }
    let has_other_type = has_other_type(old, new);
    let default = |column: &Column| if column.generated.is_empty() { column.expression.clone() } else { String::new() };
    let (was, is) = (default(old), default(new));
    if !was.is_empty() && (is.is_empty() || has_other_type) {
        changes.push("drop default".to_owned());
    }
    if !old.identity.is_empty() && new.identity.is_empty() {
        changes.push("drop identity".to_owned());
    }
    if has_other_type {
        let collation = if new.collation.is_empty() { String::new() } else { format!(" collate {}", new.collation) };
        changes.push(format!("type {}{collation} using {}::{}", new.type_name, new.name, new.type_name));
    }
    if !is.is_empty() && (is != was || has_other_type) {
        changes.push(format!("set default {is}"));
    }
    if old.not_null != new.not_null {
        changes.push(if new.not_null { "set not null" } else { "drop not null" }.to_owned());
    }
    let identity = if new.identity == "a" { "always" } else { "by default" };
    match (old.identity.is_empty(), new.identity.is_empty()) {
        (true, false) => changes.push(format!("add generated {identity} as identity")),
        (false, false) if old.identity != new.identity => changes.push(format!("set generated {identity}")),
        _ => {}
    }
    changes
}
