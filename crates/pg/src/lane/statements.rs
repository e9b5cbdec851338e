//! The cache of prepared statements of one connection.

use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};

use lru::LruCache;

use super::rows::Column;

/// A least recently used cache of prepared statements by role and text. The role is included because with row level security
/// the server plans a statement again whenever another role uses it.
pub(super) struct Statements {
    cache: Option<LruCache<Key, Arc<Statement>>>,
    /// Names that have to be closed on the server.
    dropped: Vec<String>,
    /// The random prefix of all names of this connection. Behind a pooler that switches the server's connections, a name cannot
    /// be another connection's statement.
    prefix: String,
    made: u64,
}

/// Longer SQL, in bytes, is parsed each time. The server keeps the text and the parse tree of cached statements, and the cache
/// limits only their number.
const MAX_KEPT: usize = 16 * 1024;

/// What identifies a statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(String);

/// A prepared statement.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) key: Key,
    pub(super) name: String,
    /// Set once the server has described the statement.
    pub(super) columns: OnceLock<Arc<[Column]>>,
}

impl Key {
    pub(super) fn new(role: Option<&str>, sql: &str) -> Self {
        // SQL with a NUL cannot be sent and is never cached, so the last NUL always separates role and text.
        let role = role.unwrap_or_default();
        let mut key = String::with_capacity(role.len() + 1 + sql.len());
        key.push_str(role);
        key.push('\0');
        key.push_str(sql);
        Key(key)
    }
}

impl Statements {
    /// Capacity 0 disables the cache, for poolers that do not support prepared statements.
    pub(super) fn new(capacity: usize) -> Self {
        let prefix = format!("s{:016x}_", RandomState::new().hash_one(capacity));
        Statements { cache: NonZeroUsize::new(capacity).map(LruCache::new), dropped: Vec::new(), prefix, made: 0 }
    }

    /// The statement, if it is prepared; it is then the most recently used.
    pub(super) fn get(&mut self, key: &Key) -> Option<&Arc<Statement>> {
        self.cache.as_mut()?.get(key)
    }

    /// A statement with a name that is new on this connection, or the unnamed statement if it must not be cached.
    pub(super) fn make(&mut self, key: Key) -> Arc<Statement> {
        let name = if self.cache.is_none() || key.0.len() > MAX_KEPT {
            String::new()
        } else {
            self.made += 1;
            format!("{}{}", self.prefix, self.made)
        };
        Arc::new(Statement { key, name, columns: OnceLock::new() })
    }

    /// Caches a statement that has a name.
    pub(super) fn keep(&mut self, statement: Arc<Statement>) {
        let Some(cache) = self.cache.as_mut().filter(|_| !statement.name.is_empty()) else { return };
        if let Some((_, evicted)) = cache.push(statement.key.clone(), statement) {
            self.dropped.push(evicted.name.clone());
        }
    }

    /// Removes a statement that is outdated or was never prepared. A newer one with the same text stays.
    pub(super) fn forget(&mut self, statement: &Statement) {
        let Some(cache) = &mut self.cache else { return };
        if cache.peek(&statement.key).is_some_and(|kept| kept.name == statement.name) {
            cache.pop(&statement.key);
            self.dropped.push(statement.name.clone());
        }
    }

    /// Removes all statements, after somebody else has deallocated them.
    pub(super) fn forget_all(&mut self) {
        let Some(cache) = &mut self.cache else { return };
        while let Some((_, statement)) = cache.pop_lru() {
            self.dropped.push(statement.name.clone());
        }
    }

    /// Disables the cache and does not close the server's statements, because they may belong to others.
    pub(super) fn stop(&mut self) {
        self.cache = None;
        self.dropped.clear();
    }

    /// The names to close with the next batch.
    pub(super) fn take_dropped(&mut self) -> Vec<String> {
        std::mem::take(&mut self.dropped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names to close, without the random prefix.
    fn dropped(statements: &mut Statements) -> Vec<String> {
        let names = statements.take_dropped().into_iter();
        names.map(|name| name.strip_prefix(&statements.prefix).unwrap().to_owned()).collect()
    }

    fn keep(statements: &mut Statements, role: &str, sql: &str) {
        let statement = statements.make(Key::new(Some(role), sql));
        statements.keep(statement);
    }

    #[test]
    fn the_least_recently_used_is_closed_and_roles_are_separate() {
        let mut statements = Statements::new(2);
        keep(&mut statements, "anon", "select 1");
        keep(&mut statements, "authenticated", "select 1");
        let one = statements.get(&Key::new(Some("anon"), "select 1")).unwrap().name.clone();
        assert_eq!(one, format!("{}1", statements.prefix));
        keep(&mut statements, "anon", "select 2");
        assert_eq!(dropped(&mut statements), ["2"]);
        assert!(statements.get(&Key::new(Some("authenticated"), "select 1")).is_none());
        assert!(statements.take_dropped().is_empty());
        let first = statements.get(&Key::new(Some("anon"), "select 1")).unwrap().clone();
        statements.forget(&first);
        statements.forget(&first);
        statements.forget_all();
        assert_eq!(dropped(&mut statements), ["1", "3"]);
    }

    #[test]
    fn the_same_statement_twice_in_one_batch_closes_the_first() {
        let mut statements = Statements::new(2);
        keep(&mut statements, "anon", "select 1");
        keep(&mut statements, "anon", "select 1");
        assert_eq!(dropped(&mut statements), ["1"]);
    }

    #[test]
    fn connections_have_different_prefixes() {
        assert_ne!(Statements::new(2).prefix, Statements::new(2).prefix);
    }

    #[test]
    fn long_texts_are_unnamed_and_not_kept() {
        let mut statements = Statements::new(2);
        let long = "x".repeat(MAX_KEPT);
        keep(&mut statements, "anon", &long);
        assert!(statements.get(&Key::new(Some("anon"), &long)).is_none());
        assert_eq!(statements.make(Key::new(Some("anon"), &long)).name, "");
        let short = statements.make(Key::new(None, &long[1..]));
        assert!(!short.name.is_empty());
        assert!(statements.take_dropped().is_empty());
    }

    #[test]
    fn a_stopped_cache_keeps_and_closes_nothing() {
        let mut statements = Statements::new(1);
        keep(&mut statements, "anon", "select 1");
        keep(&mut statements, "anon", "select 2");
        statements.stop();
        assert!(statements.take_dropped().is_empty());
        assert_eq!(statements.make(Key::new(None, "select 1")).name, "");
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
