//! All statements in the order in which they succeed: what is in the way is dropped, then everything is made and altered, then
//! what nobody needs any more is dropped.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{Change, change};
use super::objects::{Kind, Object, Snapshot};
use super::order::sorted;
use super::{privileges, table};

/// The statements from one database to the other.
pub(super) fn statements(from: &Snapshot, to: &Snapshot) -> Vec<String> {
    let plan = Plan::new(from, to);
    let (early, late) = plan.drops();
    let mut statements = early;
    statements.extend(plan.makes());
    statements.extend(late);
    statements.extend(plan.finishes());
    statements
}

struct Plan<'a> {
    from: &'a Snapshot,
    to: &'a Snapshot,
    alters: BTreeMap<&'a str, Vec<String>>,
    /// In both, and made anew.
    rebuilt: BTreeSet<&'a str>,
    /// Only in the first.
    removed: BTreeSet<&'a str>,
}

impl<'a> Plan<'a> {
    fn new(from: &'a Snapshot, to: &'a Snapshot) -> Self {
        let removed = from.objects.keys().filter(|key| !to.objects.contains_key(*key)).map(String::as_str).collect();
        let mut plan = Plan { from, to, alters: BTreeMap::new(), rebuilt: BTreeSet::new(), removed };
        let mut disturbed: Vec<(&str, Option<&str>)> = Vec::new();
        for (key, new) in &to.objects {
            let Some(old) = from.objects.get(key) else { continue };
            match change(old, new, (from, to)) {
                Change::None => {}
                Change::Rebuild => {
                    plan.rebuilt.insert(key);
                    disturbed.push((key, None));
                }
                Change::Alter(statements) => {
                    if new.kind == Kind::Table {
                        disturbed
                            .extend(table::disturbed(old, new).into_iter().map(|column| (key.as_str(), Some(column))));
                    }
                    if new.kind == Kind::Enum && statements.iter().any(|statement| statement.contains(" rename to ")) {
                        plan.disturb_type(key, &mut disturbed);
                    }
                    plan.alters.insert(key, statements);
                }
            }
        }
        plan.spread(disturbed);
        plan
    }

    /// The columns of a type that is swapped get another type in place, and functions with it are made anew.
    fn disturb_type(&self, key: &'a str, disturbed: &mut Vec<(&'a str, Option<&'a str>)>) {
        disturbed.push((key, None));
        for (object, needed, _) in &self.from.needs {
            let Some(table) = self.from.objects.get(object).filter(|table| needed == key && table.kind == Kind::Table)
            else {
                continue;
            };
            let name = key.strip_prefix("type ").unwrap_or(key);
            let columns = table.detail.columns.iter();
            let columns = columns.filter(|column| column.type_name.trim_end_matches("[]") == name);
            disturbed.extend(columns.map(|column| (table.key.as_str(), Some(column.name.as_str()))));
        }
    }

    /// What uses something that is dropped or changed underneath is made anew, and what uses that, too.
    fn spread(&mut self, mut disturbed: Vec<(&'a str, Option<&'a str>)>) {
        while let Some((key, column)) = disturbed.pop() {
            let of_column = column.is_some();
            let dependents = self.from.dependents(key, column);
            let parts = self.from.objects.values().filter(|object| !of_column && object.parent.as_deref() == Some(key));
            for dependent in dependents.chain(parts.map(|part| part.key.as_str())).collect::<Vec<_>>() {
                let Some((found, _)) = self.to.objects.get_key_value(dependent) else { continue };
                let kind = self.from.objects.get(dependent).map(|object| object.kind);
                let can_be = match kind {
                    // PostgreSQL itself keeps these when a column gets another type.
                    Some(Kind::Constraint | Kind::Index | Kind::ForeignKey) => !of_column,
                    Some(kind) => kind >= Kind::Function && kind != Kind::Table,
                    None => false,
                };
                if can_be && self.rebuilt.insert(found) {
                    self.alters.remove(found.as_str());
                    disturbed.push((found, None));
                }
            }
        }
    }

    fn is_dropped(&self, key: &str) -> bool {
        self.removed.contains(key) || self.rebuilt.contains(key)
    }

    /// Drops before everything else, and those of what altered objects need until then.
    fn drops(&self) -> (Vec<String>, Vec<String>) {
        let dropped: BTreeMap<&str, Kind> =
            self.removed.iter().chain(&self.rebuilt).map(|key| (*key, self.from.objects[*key].kind)).collect();
        let mut late: BTreeSet<&str> = BTreeSet::new();
        loop {
            let is_needed = |key: &str| {
                let mut dependents =
                    self.from.dependents(key, None).filter(|object| self.from.objects.contains_key(*object));
                dependents.any(|object| !self.is_dropped(object) || late.contains(object))
            };
            let more: Vec<&str> =
                self.removed.iter().copied().filter(|key| !late.contains(key) && is_needed(key)).collect();
            if more.is_empty() {
                break;
            }
            late.extend(more);
        }
        let mut order = sorted(&dropped, &self.from.needs);
        order.reverse();
        let (late, early): (Vec<_>, Vec<_>) = order
            .iter()
            .filter(|key| !self.goes_by_itself(&self.from.objects[*key]) && self.from.objects[*key].kind != Kind::Role)
            .partition(|key| late.contains(key.as_str()));
        let text = |keys: Vec<&String>| keys.into_iter().map(|key| self.from.objects[key].drop.clone()).collect();
        (text(early), text(late))
    }

    /// Whether it disappears with something else that is dropped.
    fn goes_by_itself(&self, object: &Object) -> bool {
        if object.kind == Kind::Sequence && !object.detail.owned_by.is_empty() {
            let owner = object.detail.owned_by.rsplit_once('.');
            let Some((table, column)) = owner else { return false };
            let table = self.to.objects.get(&format!("relation {table}")).filter(|table| !self.is_dropped(&table.key));
            return table.is_none_or(|table| !table.detail.columns.iter().any(|found| found.name == column));
        }
        let Some(parent) = object.parent.as_deref().filter(|parent| self.is_dropped(parent)) else { return false };
        // Foreign keys, policies and triggers may be in the way of something else that is dropped, before their table is.
        let is_elsewhere = |key: &str| {
            let needed = self.from.objects.get(key);
            key != parent
                && self.is_dropped(key)
                && needed.is_some_and(|needed| needed.parent.as_deref() != Some(parent))
        };
        !self.from.needs.iter().any(|(own, needed, _)| *own == object.key && is_elsewhere(needed))
    }

    /// Whether it is made, and not only altered.
    fn is_made(&self, key: &str) -> bool {
        !self.from.objects.contains_key(key) || self.rebuilt.contains(key)
    }

    fn makes(&self) -> Vec<String> {
        let concerned = |key: &&String| self.is_made(key) || self.alters.contains_key(key.as_str());
        let ranks: BTreeMap<&str, Kind> = self
            .to
            .objects
            .iter()
            .filter(|(key, _)| concerned(key))
            .map(|(key, object)| (key.as_str(), object.kind))
            .collect();
        let mut statements = Vec::new();
        for key in sorted(&ranks, &self.to.needs) {
            let object = &self.to.objects[&key];
            if !self.is_made(&key) {
                statements.extend(self.alters[key.as_str()].iter().cloned());
                continue;
            }
            statements.push(match object.kind {
                Kind::Table => table::create(object),
                Kind::View | Kind::Sequence | Kind::Role => ["create ", &object.create].concat(),
                _ => object.create.clone(),
            });
            if object.kind == Kind::Table {
                statements.extend(table::settings(None, object));
            }
        }
        statements
    }

    /// Changes the owner, if it differs. A sequence that belongs to a column follows its table's owner.
    fn owner(&self, before: Option<&Object>, object: &Object) -> Option<String> {
        let follows = object.kind == Kind::Sequence && !object.detail.owned_by.is_empty();
        let was = before.map_or("", |before| before.owner.as_str());
        let owner = if object.owner.is_empty() { &self.from.role } else { &object.owner };
        (was != object.owner && !follows).then(|| ["alter ", &object.phrase, " owner to ", owner].concat())
    }

    /// The last statements: owning columns of sequences, grants, comments and owners, then removed roles.
    fn finishes(&self) -> Vec<String> {
        let mut statements = Vec::new();
        let mut objects: Vec<&Object> = self.to.objects.values().collect();
        objects.sort_by_key(|object| object.kind);
        for object in objects {
            let before = self.from.objects.get(&object.key).filter(|_| !self.is_made(&object.key));
            let owner = |sequence: &Object| sequence.detail.owned_by.clone();
            if object.kind == Kind::Sequence && before.map(owner).unwrap_or_default() != owner(object) {
                let owned = owner(object);
                let owner = if owned.is_empty() { "none" } else { &owned };
                statements.push(["alter ", &object.phrase, " owned by ", owner].concat());
            }
            let granted = match before {
                Some(before) => before.grants.clone(),
                None => privileges::of_new(self.from, object),
            };
            statements.extend(privileges::of_object(&granted, before, object));
            statements.extend(privileges::comments(before, object));
            statements.extend(self.owner(before, object));
        }
        statements.extend(privileges::defaults(self.from, self.to));
        // Roles are dropped last, once nothing is granted to them any more.
        let roles = self.removed.iter().map(|key| &self.from.objects[*key]).filter(|object| object.kind == Kind::Role);
        statements.extend(roles.map(|role| role.drop.clone()));
        statements
    }
}
