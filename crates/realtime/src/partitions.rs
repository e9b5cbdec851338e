//! The partitions of `realtime.messages` are made ahead of time, so that messages from SQL are kept while nobody is connected.

use std::time::Duration;

use crate::state::State;
use crate::store::messages;

/// Partitions exist for three days ahead: some failed rounds do no harm.
const EVERY: Duration = Duration::from_secs(3600);

/// How soon a failed round is tried again.
const RETRY: Duration = Duration::from_secs(30);

/// Makes and drops partitions for as long as it is polled.
pub(crate) async fn keep(state: State) {
    loop {
        let kept = async { messages::keep_partitions(&mut state.pool.get().await?).await };
        let pause = match kept.await {
            Ok(()) => EVERY,
            Err(error) => {
                tracing::warn!(event = "realtime_partitions", detail = %error);
                RETRY
            }
        };
        tokio::time::sleep(pause).await;
    }
}
