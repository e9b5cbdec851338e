//! Finds the visible rows among some changes: builds the statement, which runs once for each set of claims, and reads its answer.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use pg::Snippet;
use pg::replication::Change;

use super::ask::Answer;
use super::batch::Group;
use super::sql;
use crate::store::catalog::Column;

/// Types whose text form does not depend on the settings of a session.
const PLAIN: &[&str] = &["int2", "int4", "int8", "uuid"];

/// A visibility check of the rows of some changes.
pub(super) struct Look {
    /// The places of the changes in the batch.
    pub(super) places: BTreeSet<usize>,
    pub(super) statement: Arc<Snippet>,
    /// Places by the text of the key, if the statement returns keys; `None` if it returns places.
    by_key: Option<HashMap<String, Vec<usize>>>,
}

impl Look {
    /// The statement for some changes of a group.
    pub(super) fn at(group: &Group<'_>, key: &[&Column], places: BTreeSet<usize>) -> Self {
        let changes = group.changes.iter().filter(|(place, _)| places.contains(place));
        let rows: Vec<_> =
            changes.filter_map(|(place, pending)| Some((*place, key_of(&pending.change, key)?))).collect();
        let (schema, table) = (&group.relation.schema, &group.relation.name);
        let (statement, by_key) = match key {
            _ if rows.is_empty() => (Snippet::raw("select ''"), None),
            // One index scan for all keys takes a third of the time of one for each row.
            [column] if PLAIN.contains(&column.type_name.as_str()) => {
                let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
                for (place, texts) in &rows {
                    let text = texts.first().copied().flatten().unwrap_or_default();
                    by_key.entry(text.to_owned()).or_default().push(*place);
                }
                let mut keys: Vec<&str> = by_key.keys().map(String::as_str).collect();
                keys.sort_unstable();
                (sql::visible_keys(schema, table, column, &keys), Some(by_key))
            }
            _ => (sql::visible(schema, table, key, &rows), None),
        };
        Look { places, statement: Arc::new(statement), by_key }
    }

    /// The places of the rows that are visible.
    pub(super) fn seen(&self, answer: Answer) -> HashSet<usize> {
        match (&self.by_key, &answer) {
            (Some(by_key), Answer::Text(text)) => {
                text.split(',').filter_map(|key| by_key.get(key)).flatten().copied().collect()
            }
            _ => answer.numbers(),
        }
    }
}

/// The texts of the primary key in the new row.
fn key_of<'c>(change: &'c Change, key: &[&Column]) -> Option<Vec<Option<&'c str>>> {
    let text = |column: &&Column| {
        let at = change.relation.columns.iter().position(|own| own.name == column.name)?;
        change.new.get(at)?.text().map(Some)
    };
    key.iter().map(text).collect()
}
