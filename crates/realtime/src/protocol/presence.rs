//! Who is present on a topic, with the differences that clients are told.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

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
    meta: Map<String, Value>,
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
    joins: BTreeMap<String, Vec<Map<String, Value>>>,
    leaves: BTreeMap<String, Vec<Map<String, Value>>>,
}

impl Diff {
    /// Whether nobody joined or left.
    pub(crate) fn is_empty(&self) -> bool {
        self.joins.is_empty() && self.leaves.is_empty()
    }

    /// The payload of `presence_diff`.
    pub(crate) fn json(&self) -> Value {
        json!({ "joins": shown(&self.joins), "leaves": shown(&self.leaves) })
    }
}

fn shown(side: &BTreeMap<String, Vec<Map<String, Value>>>) -> Map<String, Value> {
    side.iter().map(|(key, metas)| (key.clone(), json!({ "metas": metas }))).collect()
}

impl Presence {
    /// Adds a presence or replaces that of the same owner. An unchanged payload makes no difference.
    pub(crate) fn track(&mut self, owner: Owner, key: &str, payload: Map<String, Value>, reference: &str) -> Diff {
        let entries = self.keys.entry(key.to_owned()).or_default();
        let mut diff = Diff::default();
        let old = entries.iter_mut().find(|entry| entry.owner == owner);
        let mut meta = Map::new();
        meta.insert("phx_ref".to_owned(), reference.into());
        if let Some(old) = old {
            let is_same = payload.iter().all(|(name, value)| old.meta.get(name) == Some(value))
                && old.meta.keys().all(|name| name.starts_with("phx_ref") || payload.contains_key(name));
            if is_same {
                return diff;
            }
            if let Some(before) = old.meta.get("phx_ref") {
                meta.insert("phx_ref_prev".to_owned(), before.clone());
            }
            meta.extend(own_fields(payload));
            let before = std::mem::replace(&mut old.meta, meta.clone());
            diff.leaves.insert(key.to_owned(), vec![before]);
        } else {
            meta.extend(own_fields(payload));
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

    /// The payload of `presence_state`.
    pub(crate) fn state(&self) -> Value {
        let metas = |entries: &[Entry]| entries.iter().map(|entry| entry.meta.clone()).collect::<Vec<_>>();
        self.keys.iter().map(|(key, entries)| (key.clone(), json!({ "metas": metas(entries) }))).collect()
    }

    /// What members of this instance track.
    pub(crate) fn here(&self) -> Vec<Tracked> {
        let entries = self.keys.iter().flat_map(|(key, entries)| entries.iter().map(move |entry| (key, entry)));
        let here = entries.filter(|(_, entry)| entry.owner.instance.is_empty());
        here.map(|(key, entry)| Tracked {
            member: entry.owner.member,
            key: key.clone(),
            reference: entry.meta.get("phx_ref").and_then(Value::as_str).unwrap_or_default().to_owned(),
            payload: own_fields(entry.meta.clone()).collect(),
        })
        .collect()
    }

    /// Whether nobody is present.
    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

/// References are the server's to give.
fn own_fields(payload: Map<String, Value>) -> impl Iterator<Item = (String, Value)> {
    payload.into_iter().filter(|(name, _)| name != "phx_ref" && name != "phx_ref_prev")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn an_update_is_a_leave_and_a_join() {
        let mut presence = Presence::default();
        let here = Owner::here;
        let diff = presence.track(here(1), "k", object(json!({ "a": 1 })), "r1");
        assert_eq!(diff.json(), json!({ "joins": { "k": { "metas": [{ "phx_ref": "r1", "a": 1 }] } }, "leaves": {} }));
        assert!(presence.track(here(1), "k", object(json!({ "a": 1 })), "r2").is_empty(), "nothing has changed");
        let diff = presence.track(here(1), "k", object(json!({ "a": 2, "phx_ref": "mine" })), "r3");
        assert_eq!(
            diff.json(),
            json!({
                "joins": { "k": { "metas": [{ "phx_ref": "r3", "phx_ref_prev": "r1", "a": 2 }] } },
                "leaves": { "k": { "metas": [{ "phx_ref": "r1", "a": 1 }] } },
            })
        );
        presence.track(here(2), "k", Map::new(), "r4");
        let metas = json!([{ "phx_ref": "r3", "phx_ref_prev": "r1", "a": 2 }, { "phx_ref": "r4" }]);
        assert_eq!(presence.state(), json!({ "k": { "metas": metas } }), "one key, two sockets");
        let diff = presence.untrack(&here(1));
        assert_eq!(diff.json()["leaves"]["k"]["metas"][0]["phx_ref"], "r3");
        assert!(presence.untrack(&here(1)).is_empty());
        presence.untrack(&here(2));
        assert!(presence.is_empty());
    }
}
