//! The prepared statements of one connection.

use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};

use lru::LruCache;

use super::rows::Column;

/// A least recently used cache of prepared statements, keyed by role and text: under row level security one statement
/// used by alternating roles would be planned anew each time.
pub(super) struct Statements {
    cache: Option<LruCache<Key, Arc<Statement>>>,
    /// Names still to be closed on the server.
    dropped: Vec<String>,
    made: u64,
}

/// What identifies a statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(String);

/// A statement of the server.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) key: Key,
    pub(super) name: String,
    /// Known once the server has described them.
    pub(super) columns: OnceLock<Arc<[Column]>>,
}

impl Key {
    pub(super) fn new(role: Option<&str>, sql: &str) -> Self {
        // Neither roles nor SQL can contain a NUL.
        let role = role.unwrap_or_default();
        let mut key = String::with_capacity(role.len() + 1 + sql.len());
        key.push_str(role);
        key.push('\0');
        key.push_str(sql);
        Key(key)
    }
}

impl Statements {
    /// With a capacity of 0 nothing is kept, for servers behind a pooler that changes connections under our feet.
    pub(super) fn new(capacity: usize) -> Self {
        Statements { cache: NonZeroUsize::new(capacity).map(LruCache::new), dropped: Vec::new(), made: 0 }
    }

    /// The statement, if it is prepared; it is then the most recently used.
    pub(super) fn get(&mut self, key: &Key) -> Option<&Arc<Statement>> {
        self.cache.as_mut()?.get(key)
    }

    /// A statement under a name that none of this connection has had; the unnamed one where nothing is kept.
    pub(super) fn make(&mut self, key: Key) -> Arc<Statement> {
        let name = if self.cache.is_none() {
            String::new()
        } else {
            self.made += 1;
            format!("s{}", self.made)
        };
        Arc::new(Statement { key, name, columns: OnceLock::new() })
    }

    /// Keeps a statement.
    pub(super) fn keep(&mut self, statement: Arc<Statement>) {
        let Some(cache) = &mut self.cache else { return };
        if let Some((_, evicted)) = cache.push(statement.key.clone(), statement) {
            self.dropped.push(evicted.name.clone());
        }
    }

    /// Drops a statement that no longer fits its tables, or was never made. Another one of the same text stays.
    pub(super) fn forget(&mut self, statement: &Statement) {
        let Some(cache) = &mut self.cache else { return };
        if cache.peek(&statement.key).is_some_and(|kept| kept.name == statement.name) {
            cache.pop(&statement.key);
            self.dropped.push(statement.name.clone());
        }
    }

    /// Drops everything: somebody has deallocated statements behind our back.
    pub(super) fn forget_all(&mut self) {
        let Some(cache) = &mut self.cache else { return };
        while let Some((_, statement)) = cache.pop_lru() {
            self.dropped.push(statement.name.clone());
        }
    }

    /// The names to close with the next batch.
    pub(super) fn take_dropped(&mut self) -> Vec<String> {
        std::mem::take(&mut self.dropped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keep(statements: &mut Statements, role: &str, sql: &str) {
        let statement = statements.make(Key::new(Some(role), sql));
        statements.keep(statement);
    }

    #[test]
    fn the_least_recently_used_is_closed_and_roles_are_apart() {
        let mut statements = Statements::new(2);
        keep(&mut statements, "anon", "select 1");
        keep(&mut statements, "authenticated", "select 1");
        assert_eq!(statements.get(&Key::new(Some("anon"), "select 1")).unwrap().name, "s1");
        keep(&mut statements, "anon", "select 2");
        assert_eq!(statements.take_dropped(), ["s2"]);
        assert!(statements.get(&Key::new(Some("authenticated"), "select 1")).is_none());
        assert!(statements.take_dropped().is_empty());
        let first = statements.get(&Key::new(Some("anon"), "select 1")).unwrap().clone();
        statements.forget(&first);
        statements.forget(&first);
        statements.forget_all();
        assert_eq!(statements.take_dropped(), ["s1", "s3"]);
    }

    #[test]
    fn the_same_statement_twice_in_one_batch_closes_the_first() {
        let mut statements = Statements::new(2);
        keep(&mut statements, "anon", "select 1");
        keep(&mut statements, "anon", "select 1");
        assert_eq!(statements.take_dropped(), ["s1"]);
    }

    #[test]
    fn without_a_cache_everything_is_unnamed() {
        let mut statements = Statements::new(0);
        keep(&mut statements, "anon", "select 1");
        assert_eq!(statements.make(Key::new(None, "select 1")).name, "");
        assert!(statements.get(&Key::new(Some("anon"), "select 1")).is_none());
        assert!(statements.take_dropped().is_empty());
    }
}
