//! Since when broadcasts that are stored have to be sent.

use std::time::{Duration, Instant};

use pg::Pool;
use uuid::Uuid;

use crate::store::messages;

/// How long before it is committed a message may have been stored: messages are stamped when their transaction begins.
const OVERLAP: Duration = Duration::from_secs(60);

/// How long before a client's join a message may be stamped and still be sent to that client: its transaction was under way.
const UNDER_WAY: Duration = Duration::from_millis(100);

/// Messages that may be known at the first join, at most. If there are more, only those count that are stamped later.
const KNOWN: i64 = 5_000;

/// The moment from which on broadcasts are for somebody.
#[derive(Debug)]
pub(super) struct Begin {
    at: Instant,
    /// The messages of the last minute that were committed by then; `None` if they were too many, or could not be read.
    known: Option<Vec<Uuid>>,
}

impl Begin {
    /// Nobody knows what was committed by then.
    pub(super) fn at(now: Instant) -> Self {
        Begin { at: now, known: None }
    }

    /// Somebody joined then; what is committed from now on is for them.
    pub(super) async fn read(pool: &Pool, joined: Instant) -> Self {
        let at = before(joined, UNDER_WAY);
        let known = async {
            let (from, to) = (before(at, OVERLAP).elapsed(), at.elapsed());
            messages::stored(&pool.get().await?, from.as_secs_f64(), to.as_secs_f64(), KNOWN + 1).await
        };
        let known = match known.await {
            Ok(known) => Some(known).filter(|known| i64::try_from(known.len()).is_ok_and(|number| number <= KNOWN)),
            Err(error) => {
                tracing::warn!(event = "realtime_stream", detail = %error);
                None
            }
        };
        Begin { at, known }
    }

    /// Since when messages have to be looked at now, if the stream was lost meanwhile.
    pub(super) fn since(&self, lost: Option<Instant>) -> Instant {
        let begin = if self.known.is_some() { before(self.at, OVERLAP) } else { self.at };
        lost.map_or(begin, |lost| begin.max(before(lost, OVERLAP)))
    }

    /// Messages that were stored since a time and committed before somebody joined.
    pub(super) fn known(&self, since: Instant) -> &[Uuid] {
        self.known.as_deref().filter(|_| since < self.at).unwrap_or_default()
    }
}

fn before(time: Instant, duration: Duration) -> Instant {
    time.checked_sub(duration).unwrap_or(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_stream_is_looked_up_for_a_minute_before_its_loss_and_not_before_the_first_join() {
        let hour = Duration::from_secs(3600);
        let now = Instant::now() + 2 * hour;
        let begin = Begin::at(now - hour);
        assert_eq!(begin.since(None), now - hour);
        assert_eq!(begin.since(Some(now)), now - OVERLAP);
        assert_eq!(begin.since(Some(now - hour)), now - hour);
        let begin = Begin { at: now - hour, known: Some(Vec::new()) };
        assert_eq!(begin.since(None), now - hour - OVERLAP, "what was under way then");
        assert_eq!(begin.since(Some(now - hour)), now - hour - OVERLAP);
        assert_eq!(begin.since(Some(now)), now - OVERLAP);
    }
}
