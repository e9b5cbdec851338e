//! Lookups of objects that need no policy, several in one statement: PostgreSQL spends more on a statement than on a row.
//!
//! A lookup never waits for others to arrive. While [`FLIGHTS`] statements run, those that arrive form the next one.

use std::fmt::Write;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use pg::lane::Row;
use pg::{BoundSql, Cost, Lane, Session};
use tokio::sync::oneshot;

use super::reads::{self, Trusted};

/// Statements that run at a time.
const FLIGHTS: usize = 2;
/// Lookups of one statement, and the bytes of their names. The shared connections of a lane take no longer values.
const TOGETHER: usize = 16;
const NAMES: usize = 12 * 1024;

static TOGETHER_SQL: LazyLock<Arc<str>> = LazyLock::new(|| include_str!("lookups.sql").into());

/// The lookups of one HTTP worker. Clones share them.
#[derive(Clone)]
pub(crate) struct Lookups {
    lane: Lane,
    /// Bypasses row policies.
    service: Session,
    queue: Arc<Mutex<Queue>>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<Waiting>,
    flights: usize,
}

type Found = Result<Option<Trusted>, pg::Error>;

/// A lookup, and who waits for it.
struct Waiting {
    bucket: String,
    key: Option<String>,
    is_signed: bool,
    answer: oneshot::Sender<Found>,
}

impl Lookups {
    /// `service` bypasses row policies.
    pub(crate) fn new(lane: Lane, service: Session) -> Self {
        Lookups { lane, service, queue: Arc::default() }
    }

    /// The lane that the statements use.
    pub(crate) fn lane(&self) -> &Lane {
        &self.lane
    }

    /// As [`reads::trusted`].
    ///
    /// # Errors
    /// Those of the database.
    pub(crate) async fn trusted(
        &self,
        bucket: &str,
        key: Option<&str>,
        is_signed: bool,
    ) -> Result<Option<Trusted>, pg::Error> {
        let (answer, answered) = oneshot::channel();
        let waiting = Waiting { bucket: bucket.to_owned(), key: key.map(str::to_owned), is_signed, answer };
        if self.enqueue(waiting) {
            let lookups = self.clone();
            tokio::spawn(async move { lookups.fly().await });
        }
        match answered.await {
            Ok(found) => found,
            // A statement failed, perhaps because of another lookup: this one gets its own error.
            Err(_) => reads::trusted(&self.lane, self.service.clone(), bucket, key, is_signed).await,
        }
    }

    /// True if a flight must be started.
    fn enqueue(&self, waiting: Waiting) -> bool {
        let mut queue = self.queue();
        queue.waiting.push(waiting);
        let starts = queue.flights < FLIGHTS;
        queue.flights += usize::from(starts);
        starts
    }

    /// Runs statements until nobody waits.
    async fn fly(&self) {
        let _landing = Landing(&self.queue);
        loop {
            let together = {
                let mut queue = self.queue();
                // Requests that were given up.
                queue.waiting.retain(|waiting| !waiting.answer.is_closed());
                let count = together(&queue.waiting);
                queue.waiting.drain(..count).collect::<Vec<_>>()
            };
            if together.is_empty() {
                return;
            }
            if !self.look_up(together).await {
                // Nobody waits behind a database that does not answer: each lookup is tried alone.
                self.queue().waiting.clear();
            }
        }
    }

    /// Answers the lookups of a statement. False if it failed.
    async fn look_up(&self, mut together: Vec<Waiting>) -> bool {
        if let [_] = together[..]
            && let Some(Waiting { bucket, key, is_signed, answer }) = together.pop()
        {
            let found = reads::trusted(&self.lane, self.service.clone(), &bucket, key.as_deref(), is_signed).await;
            let answers = found.is_ok();
            // A request that has been given up needs no answer.
            drop(answer.send(found));
            return answers;
        }
        let query = BoundSql { text: TOGETHER_SQL.clone(), values: arrays(&together) };
        let reading = reads::reading(self.service.clone(), query, Cost::ByKey);
        let Ok(rows) = self.lane.read(&reading).await else { return false };
        let mut found: Vec<Option<Trusted>> = together.iter().map(|_| None).collect();
        for row in &rows.rows {
            if let Some(place) = place(row).and_then(|place| found.get_mut(place)) {
                *place = Some(reads::of_row(row));
            }
        }
        for (waiting, found) in together.into_iter().zip(found) {
            drop(waiting.answer.send(Ok(found)));
        }
        true
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends a flight, also one that is dropped with its runtime. Then the lookups that wait run alone.
struct Landing<'q>(&'q Mutex<Queue>);

impl Drop for Landing<'_> {
    fn drop(&mut self) {
        let mut queue = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        queue.flights -= 1;
        if queue.flights == 0 {
            queue.waiting.clear();
        }
    }
}

/// How many of the lookups fit into one statement; at least one, if there is any.
fn together(waiting: &[Waiting]) -> usize {
    let mut bytes = 0;
    let fits = waiting.iter().take(TOGETHER).take_while(|waiting| {
        bytes += waiting.bucket.len() + waiting.key.as_ref().map_or(0, String::len);
        bytes <= NAMES
    });
    fits.count().max(usize::from(!waiting.is_empty()))
}

/// The place of a row's lookup in the statement.
fn place(row: &Row) -> Option<usize> {
    row.text(12)?.parse::<usize>().ok()?.checked_sub(1)
}

/// Buckets, keys, and whether each is signed, as PostgreSQL's arrays.
fn arrays(together: &[Waiting]) -> Vec<Option<Bytes>> {
    let [mut buckets, mut keys, mut signed] = [const { String::new() }; 3];
    for Waiting { bucket, key, is_signed, .. } in together {
        push(&mut buckets, Some(bucket));
        push(&mut keys, key.as_deref());
        push(&mut signed, Some(if *is_signed { "t" } else { "f" }));
    }
    [buckets, keys, signed].map(|elements| Some(Bytes::from(format!("{{{elements}}}")))).to_vec()
}

/// Adds an element to the text of an array.
fn push(elements: &mut String, value: Option<&str>) {
    if !elements.is_empty() {
        elements.push(',');
    }
    // Writing to a String cannot fail.
    let _ = match value {
        None => write!(elements, "null"),
        Some(text) => write!(elements, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(bucket: &str, key: Option<&str>, is_signed: bool) -> Waiting {
        let answer = oneshot::channel().0;
        Waiting { bucket: bucket.to_owned(), key: key.map(str::to_owned), is_signed, answer }
    }

    #[test]
    fn a_statement_has_a_limit_of_lookups_and_of_bytes() {
        let all = |key: &str| (0..TOGETHER + 1).map(|_| waiting("b", Some(key), false)).collect::<Vec<_>>();
        assert_eq!(together(&[]), 0);
        assert_eq!(together(&all("short")), TOGETHER);
        assert_eq!(together(&all(&"x".repeat(NAMES / 4))), 3);
        assert_eq!(together(&all(&"x".repeat(NAMES))), 1, "one alone is always looked up");
    }

    #[test]
    fn names_are_quoted_in_arrays() {
        let together = [waiting("a,b", Some("it's \"{1}\" \\ é"), true), waiting("null", None, false)];
        let texts: Vec<_> =
            arrays(&together).into_iter().map(|array| String::from_utf8(array.unwrap().to_vec()).unwrap()).collect();
        assert_eq!(texts, [r#"{"a,b","null"}"#, r#"{"it's \"{1}\" \\ é",null}"#, r#"{"t","f"}"#]);
    }
}
