//! The messages that subscribers receive.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use pg::replication::{Change, Datum, Identity, Kind};
use serde_json::{Value, json};

use super::batch::{Class, Group, Pending};
use super::findings::Findings;
use super::values;
use crate::hub::Outbox;
use crate::protocol::filter::{Binding, name};
use crate::protocol::frame::{Ref, Version};
use crate::protocol::message::Frame;
use crate::store::catalog::{Column, Table};

/// Values as JSON, by role, the name of the column and the text.
pub(super) type Json = HashMap<(String, String, String), String>;

/// Of a row that is too large, values that are no longer than this as JSON are sent, in bytes.
const SMALL: usize = 64;

/// What the text of a change depends on: its place in the batch, the role, and the selected columns.
type Shown<'g> = (usize, &'g str, Option<&'g Vec<String>>);

/// How a client calls the channel, and in which version: equal ones share frames.
type Address = (Version, Ref, Arc<str>);

/// What a class is told of a change.
struct Message {
    place: usize,
    /// To those only who see the row.
    is_hidden: bool,
    event: &'static str,
    payload: String,
}

/// The messages about a batch, by client.
#[derive(Default)]
pub(super) struct Deliveries {
    /// By the addresses of the outboxes.
    queues: HashMap<usize, Queue>,
}

/// What one client is sent.
struct Queue {
    outbox: Arc<Outbox>,
    /// With the places of their changes.
    frames: Vec<(usize, Frame)>,
}

impl Deliveries {
    /// Adds the messages about the changes of a group.
    pub(super) fn add(&mut self, group: &Group<'_>, table: &Table, findings: &Findings, max_record: usize) {
        // Subscribers with the same rights on columns share the text of a change.
        let mut texts: HashMap<Shown<'_>, String> = HashMap::new();
        for class in &group.classes {
            let messages = messages(group, class, table, findings, &mut texts, max_record);
            if messages.is_empty() {
                continue;
            }
            let mut addresses: HashMap<Address, Vec<Option<Frame>>> = HashMap::new();
            for subscriber in &class.subscribers {
                let outbox = &subscriber.outbox;
                let address = (outbox.version(), subscriber.join_ref.clone(), Arc::clone(&subscriber.topic));
                let frames = addresses.entry(address).or_insert_with(|| vec![None; messages.len()]);
                let visible = findings.visible(&subscriber.who);
                let mut seen = messages
                    .iter()
                    .zip(frames)
                    .filter(|(message, _)| !message.is_hidden || visible.contains(message.place))
                    .map(|(message, frame)| {
                        let made = || subscriber.frame(message.event, &message.payload);
                        (message.place, frame.get_or_insert_with(made).clone())
                    })
                    .peekable();
                if seen.peek().is_some() {
                    let queue = self.queues.entry(Arc::as_ptr(outbox).addr());
                    let empty = || Queue { outbox: Arc::clone(outbox), frames: Vec::new() };
                    queue.or_insert_with(empty).frames.extend(seen);
                }
            }
        }
    }

    /// Sends the messages in the order in which the changes were committed. Each client gets all of its own together.
    pub(super) fn send(self) {
        for Queue { outbox, mut frames } in self.queues.into_values() {
            frames.sort_by_key(|(place, _)| *place);
            outbox.push_all(frames.into_iter().map(|(_, frame)| frame));
        }
    }
}

/// What a class is told of the changes of a group.
fn messages<'g>(
    group: &'g Group<'_>,
    class: &'g Class,
    table: &Table,
    findings: &Findings,
    texts: &mut HashMap<Shown<'g>, String>,
    max_record: usize,
) -> Vec<Message> {
    let role = class.role();
    let wanted = |binding: &'g Binding| (binding, group.about(binding), findings.wanted(group, role, binding));
    let bindings: Vec<_> = class.bindings().iter().map(wanted).collect();
    let open = group.open_to_all(table);
    let seen = class.subscribers.iter().fold(open, |all, own| all | findings.visible(&own.who));
    let mut messages = Vec::new();
    for (place, pending) in &group.changes {
        let fault = fault(table, role, pending.change.kind);
        if fault.is_none() && !seen.contains(*place) {
            continue;
        }
        let mut ids: BTreeMap<Option<&Vec<String>>, Vec<u64>> = BTreeMap::new();
        for (binding, about, wanted) in &bindings {
            // Of what is faulty nobody can say whether it passes a filter.
            let told = if fault.is_some() { about } else { wanted };
            if told.contains(*place) {
                ids.entry(binding.select.as_ref()).or_default().push(binding.id);
            }
        }
        for (select, ids) in ids {
            let text = texts.entry((*place, role, select)).or_insert_with(|| match fault {
                Some(fault) => failed(pending, fault),
                None => data(pending, table, role, select, findings, max_record),
            });
            let (event, payload) = if class.is_legacy() {
                (name(pending.change.kind), text.clone())
            } else {
                ("postgres_changes", format!(r#"{{"ids":{},"data":{text}}}"#, json!(ids)))
            };
            messages.push(Message {
                place: *place,
                is_hidden: fault.is_none() && !open.contains(*place),
                event,
                payload,
            });
        }
    }
    messages
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
