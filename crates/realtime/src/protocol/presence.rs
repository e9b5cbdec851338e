//! Who is present on a topic, with the differences that clients are told.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

/// A member of the topic: the id of its channel, unique in the process.
pub(crate) type MemberId = u64;

/// The presences of a topic: by key, in the order in which they were tracked.
#[derive(Debug, Default)]
pub(crate) struct Presence {
    keys: BTreeMap<String, Vec<Entry>>,
}

#[derive(Debug)]
struct Entry {
    owner: Owner,
    meta: Meta,
}

/// A presence. Its fields are kept as text, because a tree of values takes many times the memory.
#[derive(Clone, Debug, PartialEq)]
struct Meta {
    reference: String,
    /// That of the presence it replaced.
    previous: Option<String>,
    /// A JSON object.
    fields: Arc<str>,
}

impl Meta {
    fn fields(&self) -> Map<String, Value> {
        // They were an object.
        serde_json::from_str(&self.fields).unwrap_or_default()
    }

    /// As clients are told: its fields with the references.
    fn write(&self, text: &mut String) {
        text.push_str("{\"phx_ref\":");
        text.push_str(&Value::from(self.reference.as_str()).to_string());
        if let Some(previous) = &self.previous {
            text.push_str(",\"phx_ref_prev\":");
            text.push_str(&Value::from(previous.as_str()).to_string());
        }
        let fields = self.fields.strip_prefix('{').unwrap_or_default();
        text.push_str(if fields == "}" { "" } else { "," });
        text.push_str(fields);
    }
}

/// Whose presence it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Owner {
    /// The instance; empty for this one.
    pub(crate) instance: String,
    pub(crate) member: MemberId,
}

/// What a member of this instance tracks.
#[derive(Clone, Debug)]
pub(crate) struct Tracked {
    pub(crate) member: MemberId,
    pub(crate) key: String,
    /// Its `phx_ref`.
    pub(crate) reference: String,
    pub(crate) payload: Map<String, Value>,
}

impl Owner {
    /// A member of this instance.
    pub(crate) fn here(member: MemberId) -> Self {
        Owner { instance: String::new(), member }
    }
}

/// A difference, as `presence_diff` has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Diff {
    joins: BTreeMap<String, Vec<Meta>>,
    leaves: BTreeMap<String, Vec<Meta>>,
}

impl Diff {
    /// Whether nobody joined or left.
    pub(crate) fn is_empty(&self) -> bool {
        self.joins.is_empty() && self.leaves.is_empty()
    }

    /// The payload of `presence_diff`, as JSON.
    pub(crate) fn json(&self) -> String {
        let side = |side: &BTreeMap<String, Vec<Meta>>| shown(side.iter().map(|(key, metas)| (key, metas.iter())));
        format!(r#"{{"joins":{},"leaves":{}}}"#, side(&self.joins), side(&self.leaves))
    }
}

/// Presences by key, as JSON.
fn shown<'m, M: Iterator<Item = &'m Meta>>(keys: impl Iterator<Item = (&'m String, M)>) -> String {
    let mut text = "{".to_owned();
    for (key, metas) in keys {
        text.push_str(if text.len() > 1 { "," } else { "" });
        text.push_str(&Value::from(key.as_str()).to_string());
        text.push_str(":{\"metas\":[");
        for (index, meta) in metas.enumerate() {
            text.push_str(if index > 0 { "," } else { "" });
            meta.write(&mut text);
        }
        text.push_str("]}");
    }
    text.push('}');
    text
}

impl Presence {
    /// Adds a presence or replaces that of the same owner. An unchanged payload makes no difference.
    pub(crate) fn track(&mut self, owner: Owner, key: &str, payload: Map<String, Value>, reference: &str) -> Diff {
        let entries = self.keys.entry(key.to_owned()).or_default();
        let mut diff = Diff::default();
        let old = entries.iter_mut().find(|entry| entry.owner == owner);
        let fields = Value::Object(own_fields(payload)).to_string().into();
        let mut meta = Meta { reference: reference.to_owned(), previous: None, fields };
        if let Some(old) = old {
            // Equal whatever the order of the fields.
            if old.meta.fields() == meta.fields() {
                return diff;
            }
            meta.previous = Some(old.meta.reference.clone());
            let before = std::mem::replace(&mut old.meta, meta.clone());
            diff.leaves.insert(key.to_owned(), vec![before]);
        } else {
            entries.push(Entry { owner, meta: meta.clone() });
        }
        diff.joins.insert(key.to_owned(), vec![meta]);
        diff
    }

    /// Removes what an owner tracked.
    pub(crate) fn untrack(&mut self, owner: &Owner) -> Diff {
        self.remove(|found| found == owner)
    }

    /// Removes everything for which `gone` is true of the owner.
    pub(crate) fn remove(&mut self, gone: impl Fn(&Owner) -> bool) -> Diff {
        let mut diff = Diff::default();
        self.keys.retain(|key, entries| {
            let left: Vec<_> = entries.extract_if(.., |entry| gone(&entry.owner)).map(|entry| entry.meta).collect();
            if !left.is_empty() {
                diff.leaves.insert(key.clone(), left);
            }
            !entries.is_empty()
        });
        diff
    }

    /// The payload of `presence_state`, as JSON.
    pub(crate) fn state(&self) -> String {
        shown(self.keys.iter().map(|(key, entries)| (key, entries.iter().map(|entry| &entry.meta))))
    }

    /// What members of this instance track.
    pub(crate) fn here(&self) -> Vec<Tracked> {
        let entries = self.keys.iter().flat_map(|(key, entries)| entries.iter().map(move |entry| (key, entry)));
        let here = entries.filter(|(_, entry)| entry.owner.instance.is_empty());
        here.map(|(key, entry)| Tracked {
            member: entry.owner.member,
            key: key.clone(),
            reference: entry.meta.reference.clone(),
            payload: entry.meta.fields(),
        })
        .collect()
    }

    /// Whether nobody is present.
    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

/// References are the server's to give.
fn own_fields(payload: Map<String, Value>) -> Map<String, Value> {
    payload.into_iter().filter(|(name, _)| name != "phx_ref" && name != "phx_ref_prev").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    fn read(json: &str) -> Value {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn an_update_is_a_leave_and_a_join() {
        let mut presence = Presence::default();
        let here = Owner::here;
        let diff = presence.track(here(1), "k", object(json!({ "a": 1, "b": {} })), "r1");
        assert_eq!(
            read(&diff.json()),
            json!({ "joins": { "k": { "metas": [{ "phx_ref": "r1", "a": 1, "b": {} }] } }, "leaves": {} })
        );
        assert!(
            presence.track(here(1), "k", object(json!({ "b": {}, "a": 1 })), "r2").is_empty(),
            "nothing has changed"
        );
        let diff = presence.track(here(1), "k", object(json!({ "a": 2, "phx_ref": "mine" })), "r3");
        assert_eq!(
            read(&diff.json()),
            json!({
                "joins": { "k": { "metas": [{ "phx_ref": "r3", "phx_ref_prev": "r1", "a": 2 }] } },
                "leaves": { "k": { "metas": [{ "phx_ref": "r1", "a": 1, "b": {} }] } },
            })
        );
        presence.track(here(2), "k", Map::new(), "r4");
        let metas = json!([{ "phx_ref": "r3", "phx_ref_prev": "r1", "a": 2 }, { "phx_ref": "r4" }]);
        assert_eq!(read(&presence.state()), json!({ "k": { "metas": metas } }), "one key, two sockets");
        let diff = presence.untrack(&here(1));
        assert_eq!(read(&diff.json())["leaves"]["k"]["metas"][0]["phx_ref"], "r3");
        assert!(presence.untrack(&here(1)).is_empty());
        presence.untrack(&here(2));
        assert!(presence.is_empty());
    }
}
