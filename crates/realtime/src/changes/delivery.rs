//! The messages that subscribers receive.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use pg::replication::{Change, Datum, Identity, Kind};
use serde_json::{Value, json};

use super::batch::{Group, Pending};
use super::findings::Findings;
use super::{Subscriber, values};
use crate::hub::Outbox;
use crate::protocol::filter::{Binding, name};
use crate::protocol::frame::Version;
use crate::protocol::message::Frame;
use crate::store::catalog::{Column, Table};

/// Values as JSON, by role, the name of the column and the text.
pub(super) type Json = HashMap<(String, String, String), String>;

/// Of a row that is too large, values that are no longer than this as JSON are sent, in bytes.
const SMALL: usize = 64;

/// A message: the place of its change in the batch, to whom, the event and the payload.
pub(super) type Told<'g> = (usize, &'g Subscriber, &'static str, Arc<str>);

/// What the text of a change depends on: its place in the batch, the role, and the selected columns.
type Shown<'g> = (usize, &'g str, Option<&'g Vec<String>>);

/// What a payload depends on: the text of its change, and the bindings that it is for (`None` for clients of the older API, which
/// has no bindings).
type For<'g> = (Shown<'g>, Option<Vec<u64>>);

/// The messages about the changes of a group.
pub(super) fn messages<'g>(
    group: &'g Group<'_>,
    table: &Table,
    findings: &Findings,
    max_record: usize,
) -> Vec<Told<'g>> {
    let mut told = Vec::new();
    // Subscribers with the same rights on columns share the text of a change, and those with the same bindings the payload.
    let mut made: HashMap<Shown<'_>, Arc<str>> = HashMap::new();
    let mut payloads: HashMap<For<'_>, Arc<str>> = HashMap::new();
    for (place, pending) in &group.changes {
        for subscriber in &group.subscribers {
            let fault = fault(table, &subscriber.who.role, pending.change.kind);
            let mut ids: BTreeMap<Option<&Vec<String>>, Vec<u64>> = BTreeMap::new();
            for binding in subscriber.bindings.iter() {
                if is_told(table, findings, subscriber, binding, (*place, pending), fault) {
                    ids.entry(binding.select.as_ref()).or_default().push(binding.id);
                }
            }
            for (select, ids) in ids {
                let shown = (*place, subscriber.who.role.as_str(), select);
                let data = made.entry(shown).or_insert_with(|| match fault {
                    Some(fault) => failed(pending, fault).into(),
                    None => data(pending, table, &subscriber.who.role, select, findings, max_record).into(),
                });
                let ids = (!subscriber.is_legacy).then_some(ids);
                let event = if ids.is_some() { "postgres_changes" } else { name(pending.change.kind) };
                let payload = payloads.entry((shown, ids)).or_insert_with_key(|(_, ids)| payload(ids.as_deref(), data));
                told.push((*place, subscriber, event, Arc::clone(payload)));
            }
        }
    }
    told
}

fn payload(ids: Option<&[u64]>, data: &Arc<str>) -> Arc<str> {
    ids.map_or_else(|| Arc::clone(data), |ids| format!(r#"{{"ids":{},"data":{data}}}"#, json!(ids)).into())
}

/// Sends messages in the order in which the changes were committed. Each client gets all of its own together, and clients that
/// call the channel alike share the frame.
pub(super) fn send(mut told: Vec<Told<'_>>) {
    told.sort_by_key(|(place, ..)| *place);
    let mut queues: Vec<(&Arc<Outbox>, Vec<Frame>)> = Vec::new();
    let mut places: HashMap<*const Outbox, usize> = HashMap::new();
    let mut frames: HashMap<(*const u8, Version, &str, &str), Frame> = HashMap::new();
    let mut current = None;
    for (place, subscriber, event, payload) in &told {
        if current.replace(*place) != Some(*place) {
            frames.clear();
        }
        let (version, join_ref) = (subscriber.outbox.version(), subscriber.join_ref.json());
        let frame = frames
            .entry((payload.as_ptr(), version, join_ref, &subscriber.topic))
            .or_insert_with(|| subscriber.frame(event, payload))
            .clone();
        let at = *places.entry(Arc::as_ptr(&subscriber.outbox)).or_insert_with(|| {
            queues.push((&subscriber.outbox, Vec::new()));
            queues.len() - 1
        });
        queues[at].1.push(frame);
    }
    for (outbox, frames) in queues {
        outbox.push_all(frames);
    }
}

/// Why a role is told nothing of rows but that they changed.
fn fault(table: &Table, role: &str, kind: Kind) -> Option<&'static str> {
    if kind == Kind::Delete {
        return None;
    }
    let mut key = table.key().peekable();
    if key.peek().is_none() {
        return Some("Error 400: Bad Request, no primary key");
    }
    key.any(|column| !column.readers.contains(role)).then_some("Error 401: Unauthorized")
}

fn is_told(
    table: &Table,
    findings: &Findings,
    subscriber: &Subscriber,
    binding: &Binding,
    (place, pending): (usize, &Pending),
    fault: Option<&str>,
) -> bool {
    let change = &pending.change;
    if fault.is_some() {
        return binding.is_about(&change.relation.schema, &change.relation.name)
            && binding.event.is_none_or(|event| event == change.kind);
    }
    let is_open = !table.has_row_security || change.kind == Kind::Delete;
    findings.is_wanted(&subscriber.who.role, binding, place, change)
        && (is_open || findings.is_visible(&subscriber.who, place))
}

fn failed(pending: &Pending, fault: &str) -> String {
    let change = &pending.change;
    let mut data = json!({
        "schema": change.relation.schema, "table": change.relation.name, "type": name(change.kind),
        "commit_timestamp": null, "columns": [], "record": {}, "errors": [fault],
    });
    if change.kind == Kind::Update {
        data["old_record"] = json!({});
    }
    data.to_string()
}

/// A change as a role sees it.
fn data(
    pending: &Pending,
    table: &Table,
    role: &str,
    select: Option<&Vec<String>>,
    findings: &Findings,
    max_record: usize,
) -> String {
    let change = &pending.change;
    let shown = |column: &Column| {
        column.readers.contains(role) && (select.is_none_or(|select| select.contains(&column.name)) || column.is_key)
    };
    let is_large = change.size() > max_record;
    let record = |is_old: bool, only_key: bool| {
        let mut fields = Vec::new();
        for column in table.columns.iter().filter(|column| shown(column) && (!only_key || column.is_key)) {
            let value = if is_old { old_value(change, &column.name) } else { new_value(change, &column.name) };
            let Some(json) = value.and_then(|datum| as_json(column, datum, role, &findings.json)) else { continue };
            if !is_large || json.len() <= SMALL {
                fields.push(format!("{}:{json}", Value::from(column.name.as_str())));
            }
        }
        format!("{{{}}}", fields.join(","))
    };
    let columns: Vec<Value> = table
        .columns
        .iter()
        .filter(|column| shown(column))
        .map(|column| json!({ "name": column.name, "type": column.type_name }))
        .collect();
    let records = match change.kind {
        Kind::Insert => format!(r#""record":{}"#, record(false, false)),
        Kind::Update => format!(r#""record":{},"old_record":{}"#, record(false, false), record(true, false)),
        // Nobody can say any more who was allowed to see the row.
        Kind::Delete => format!(r#""old_record":{}"#, record(true, table.has_row_security)),
    };
    let (schema, of) = (Value::from(change.relation.schema.as_str()), Value::from(change.relation.name.as_str()));
    let (kind, time) = (name(change.kind), pending.committed.format("%Y-%m-%dT%H:%M:%S%.3fZ"));
    let errors = if is_large { r#"["Error 413: Payload Too Large"]"# } else { "null" };
    format!(
        r#"{{"schema":{schema},"table":{of},"type":"{kind}","commit_timestamp":"{time}","columns":{},{records},"errors":{errors}}}"#,
        json!(columns)
    )
}

/// A value of the new row; a large one that was not changed comes from the old row, where that was sent.
fn new_value<'c>(change: &'c Change, name: &str) -> Option<&'c Datum> {
    let at = change.relation.columns.iter().position(|column| column.name == name)?;
    match change.new.get(at)? {
        Datum::Unchanged => change.old.get(at).filter(|_| change.relation.identity == Identity::Full),
        datum => Some(datum),
    }
}

/// A value that identifies the old row. Where the server sent none, the key has not changed.
fn old_value<'c>(change: &'c Change, name: &str) -> Option<&'c Datum> {
    let at = change.relation.columns.iter().position(|column| column.name == name)?;
    if change.relation.identity != Identity::Full && !change.relation.columns[at].is_key {
        return None;
    }
    change.old.get(at).or_else(|| change.new.get(at))
}

/// What PostgreSQL could not write as JSON for the role is a string, as it is in the log.
fn as_json(column: &Column, datum: &Datum, role: &str, made: &Json) -> Option<String> {
    match datum {
        Datum::Null => Some("null".to_owned()),
        Datum::Unchanged => None,
        Datum::Text(_) => {
            let text = datum.text()?;
            let of_role = || made.get(&(role.to_owned(), column.name.clone(), text.to_owned())).cloned();
            values::json(column, text).or_else(of_role).or_else(|| Some(values::quoted(text)))
        }
    }
}
