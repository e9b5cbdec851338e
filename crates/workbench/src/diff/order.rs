//! An order in which everything comes after what it needs.

use std::collections::{BTreeMap, BTreeSet};

use super::objects::{Kind, Need};

/// The keys of `ranks`, each after those that it needs, otherwise by rank and name. Of a circle the first by rank goes first.
pub(super) fn sorted<'a>(ranks: &BTreeMap<&'a str, Kind>, needs: &'a [Need]) -> Vec<String> {
    let mut waiting: BTreeMap<&'a str, BTreeSet<&'a str>> = ranks.keys().map(|key| (*key, BTreeSet::new())).collect();
    for (object, needed, _) in needs {
        if ranks.contains_key(needed.as_str())
            && let Some(wanted) = waiting.get_mut(object.as_str())
        {
            wanted.insert(needed);
        }
    }
    let mut order = Vec::new();
    while !waiting.is_empty() {
        let first = |keys: &mut dyn Iterator<Item = (&'a str, bool)>| {
            keys.filter(|(_, is_free)| *is_free).map(|(key, _)| (ranks[key], key)).min().map(|(_, key)| key)
        };
        let free = first(&mut waiting.iter().map(|(key, wanted)| (*key, wanted.is_empty())));
        let Some(next) = free.or_else(|| first(&mut waiting.keys().map(|key| (*key, true)))) else { break };
        waiting.remove(next);
        for wanted in waiting.values_mut() {
            wanted.remove(next);
        }
        order.push(next.to_owned());
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_come_before_ranks() {
        let ranks = BTreeMap::from([("f", Kind::Function), ("t", Kind::Table), ("v", Kind::View), ("a", Kind::Policy)]);
        let need = |a: &str, b: &str| (a.to_owned(), b.to_owned(), String::new());
        assert_eq!(sorted(&ranks, &[]), ["f", "t", "v", "a"]);
        assert_eq!(sorted(&ranks, &[need("f", "v"), need("v", "t"), need("v", "elsewhere")]), ["t", "v", "f", "a"]);
        assert_eq!(sorted(&ranks, &[need("f", "t"), need("t", "f")]), ["v", "a", "f", "t"].map(str::to_owned));
    }
}
