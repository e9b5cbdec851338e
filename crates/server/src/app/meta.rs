//! Title and Open Graph tags of pages, for chats that show previews and for search engines, which run no scripts.
//!
//! The project supplies them with `public.page_meta(path text) returns jsonb`: an object with `title`, `description` and
//! `type` (the Open Graph type), or null. It runs as `anon`, so a preview shows only what a visitor may read.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pg::pool::Query;
use pg::{Access, Isolation, Pool, Session};
use serde::Deserialize;

use super::page::escape;

/// How long a page waits for its metadata. After that it is served without.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long to wait before asking again whether the project has the function.
const RECHECK: Duration = Duration::from_secs(60);
/// The longest path that is looked up, in bytes.
const PATH_LIMIT: usize = 200;
/// The longest title or description, in characters. The rest is cut off.
const TEXT_LIMIT: usize = 200;
/// PostgreSQL's code for a function that does not exist.
const UNDEFINED_FUNCTION: &str = "42883";

/// Asks the database for the metadata of a page. Clones share the pool.
#[derive(Clone)]
pub(crate) struct PageMeta {
    pool: Option<Pool>,
    absent_until: Arc<Mutex<Option<Instant>>>,
}

/// The metadata of one page.
#[derive(Debug, Deserialize, PartialEq)]
pub(super) struct Meta {
    title: String,
    #[serde(default)]
    description: String,
    #[serde(default = "website", rename = "type")]
    kind: String,
}

fn website() -> String {
    "website".to_owned()
}

impl PageMeta {
    /// `pool` connects as a role that may become `anon`. Without a pool no page has metadata.
    pub(crate) fn new(pool: Option<Pool>) -> Self {
        PageMeta { pool, absent_until: Arc::default() }
    }

    /// The metadata of the page at `path`. `None` for hidden and missing pages, and whenever the database does not answer in time.
    pub(super) async fn of(&self, path: &str) -> Option<Meta> {
        let pool = self.pool.as_ref()?;
        if path == "/" || path.len() > PATH_LIMIT || self.is_absent() {
            return None;
        }
        match tokio::time::timeout(PATIENCE, ask(pool, path)).await {
            Ok(Ok(answer)) => serde_json::from_str(&answer?).ok(),
            Ok(Err(error)) => {
                if error.database().is_some_and(|database| database.code == UNDEFINED_FUNCTION) {
                    *self.absent_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + RECHECK);
                } else {
                    tracing::debug!(event = "page_meta_failed", detail = %error);
                }
                None
            }
            Err(_) => None,
        }
    }

    fn is_absent(&self) -> bool {
        let until = *self.absent_until.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| Instant::now() < until)
    }
}

async fn ask(pool: &Pool, path: &str) -> Result<Option<String>, pg::Error> {
    let mut session = Session::new("anon");
    session.set("statement_timeout", PATIENCE.as_millis().to_string());
    let mut connection = pool.get().await?;
    let transaction = connection.begin(&session, Isolation::ReadCommitted, Access::ReadOnly).await?;
    let row = transaction.query_one("select public.page_meta($1)::text", &[&path]).await?;
    Ok(row.get(0))
}

/// Fills the metadata into the page's head. `url` is the address of the page.
pub(super) fn fill(html: &str, meta: &Meta, url: &str) -> String {
    let [title, description, kind, url] =
        [&cut(&meta.title), &cut(&meta.description), &cut(&meta.kind), url].map(escape);
    let tags = format!(
        "<meta property=\"og:site_name\" content=\"Dugout\" />\n    \
         <meta property=\"og:type\" content=\"{kind}\" />\n    \
         <meta property=\"og:title\" content=\"{title}\" />\n    \
         <meta property=\"og:description\" content=\"{description}\" />\n    \
         <meta property=\"og:url\" content=\"{url}\" />\n    \
         <meta name=\"twitter:card\" content=\"summary\" />\n  </head>"
    );
    let html = html.replacen("<title>Dugout</title>", &format!("<title>{title} · Dugout</title>"), 1);
    described(&html, &description).replacen("</head>", &tags, 1)
}

/// Replaces the app's description with the page's own.
fn described(html: &str, description: &str) -> String {
    const OPEN: &str = "<meta name=\"description\" content=\"";
    let Some((before, after)) = html.split_once(OPEN) else { return html.to_owned() };
    match after.split_once('"') {
        Some((_, rest)) if !description.is_empty() => format!("{before}{OPEN}{description}\"{rest}"),
        _ => html.to_owned(),
    }
}

fn cut(text: &str) -> String {
    text.chars().take(TEXT_LIMIT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str =
        "<head><meta name=\"description\" content=\"The app.\" /><title>Dugout</title></head><body></body>";

    #[test]
    fn metadata_is_escaped() {
        let meta: Meta =
            serde_json::from_str(r#"{"title": "\"><script>x</script>", "description": "a & 'b'"}"#).unwrap();
        let page = fill(PAGE, &meta, "http://h/player/1");
        assert!(!page.contains("<script>"), "{page}");
        assert!(page.contains("<title>&quot;>&lt;script>x"), "{page}");
        assert!(page.contains("<meta name=\"description\" content=\"a &amp; &#39;b&#39;\" />"), "{page}");
        assert!(page.contains("<meta property=\"og:type\" content=\"website\" />"), "{page}");
    }

    #[test]
    fn long_texts_are_cut_at_a_character() {
        let meta = Meta { title: "é".repeat(TEXT_LIMIT + 1), description: String::new(), kind: website() };
        let page = fill(PAGE, &meta, "http://h/");
        assert!(page.contains(&format!("<title>{} · Dugout", "é".repeat(TEXT_LIMIT))), "{page}");
        assert!(page.contains("content=\"The app.\""), "an empty description leaves the app's own: {page}");
    }
}
