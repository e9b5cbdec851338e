//! Subscribing to changes of tables, and waiting for the stream of changes.

use std::sync::Arc;
use std::time::Duration;

use pg::error::Error;
use pg::pool::Connection;
use serde_json::json;
use tokio::sync::mpsc::UnboundedSender;

use super::channel::sub_topic;
use crate::changes::{Added, Condition, Subscriber};
use crate::hub::{Control, Outbox};
use crate::protocol::filter::{Binding, Filter, Operator};
use crate::protocol::frame::Ref;
use crate::protocol::message;
use crate::state::State;
use crate::store::catalog::{self, Column, Table};

/// How long a channel that wants to know when replication is ready waits for it.
const READY: Duration = Duration::from_secs(60);

/// Elements of an `in` list, at most; as upstream's.
const MAX_IN: usize = 100;

/// Subscribes a channel once the stream is open, and tells it so. What is wrong with one subscription is wrong with all of the
/// channel.
pub(super) async fn subscribe(state: State, channel: u64, mut subscriber: Subscriber) {
    let mut condition = state.changes.condition();
    let mut is_told = false;
    loop {
        let now = condition.borrow_and_update().clone();
        match now {
            Condition::Open => break,
            Condition::Failed(reason) if !is_told => {
                subscriber.system("error", &format!("Unable to subscribe to changes: {reason}"));
                is_told = true;
            }
            Condition::Failed(_) | Condition::Closed => {}
        }
        // The channel may leave meanwhile.
        if state.changes.expected(channel).is_none() || condition.changed().await.is_err() {
            return;
        }
    }
    // A token of another role may come during the check.
    while let Some(who) = state.changes.expected(channel) {
        subscriber.who = who;
        if let Err(text) = check(&state, &subscriber).await {
            if state.changes.expected(channel).is_some_and(|now| now.role == subscriber.who.role) {
                return subscriber.system("error", &text);
            }
            continue;
        }
        match state.changes.subscribe(channel, subscriber.clone()) {
            Added::Yes => return subscriber.system("ok", "Subscribed to PostgreSQL"),
            Added::Left => return,
            Added::OtherRole => {}
        }
    }
}

/// Waits for the stream and tells the channel; the channel closes if the stream does not open in time.
pub(super) async fn tell_when_ready(
    state: State,
    channel: (Arc<str>, u64),
    join_ref: Ref,
    outbox: Arc<Outbox>,
    control: UnboundedSender<Control>,
) {
    let mut condition = state.changes.condition();
    let opened = condition.wait_for(|condition| *condition == Condition::Open);
    if tokio::time::timeout(READY, opened).await.is_err() {
        let why = "Replication connection was not established in time";
        // The socket may be gone.
        let _ = control.send(Control::Shut { channel, why });
        return;
    }
    let text = "Replication connection established";
    let topic = &channel.0;
    let payload = json!({ "extension": "system", "status": "ok", "message": text, "channel": sub_topic(topic) });
    outbox.push(message::push(outbox.version(), &join_ref, topic, "system", &payload.to_string()));
}

/// Whether the subscriptions can be had; the reason as the client is told.
async fn check(state: &State, subscriber: &Subscriber) -> Result<(), String> {
    let unavailable = |error: Error| {
        tracing::warn!(event = "realtime_subscription", detail = %error);
        "Unable to subscribe to changes: the database cannot be reached".to_owned()
    };
    let mut connection = state.pool.get().await.map_err(unavailable)?;
    for binding in subscriber.bindings.iter() {
        let published = catalog::published(&connection, &binding.schema, &binding.table).await;
        let published = published.map_err(unavailable)?;
        if published.is_empty() {
            return Err(format!(
                "Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given \
                 connect parameters: {binding}"
            ));
        }
        if binding.filters.is_empty() && binding.select.is_none() {
            continue;
        }
        let role = &subscriber.who.role;
        let tables = catalog::tables(&connection, &published, std::slice::from_ref(role)).await.map_err(unavailable)?;
        for table in tables.values() {
            let checked = check_columns(&mut connection, table, binding, role).await;
            checked.map_err(|reason| {
                format!(
                    "Unable to subscribe to changes with given parameters. An exception happened so please check your \
                     connect parameters: {binding}. Exception: {reason}"
                )
            })?;
        }
    }
    Ok(())
}

async fn check_columns(
    connection: &mut Connection,
    table: &Table,
    binding: &Binding,
    role: &str,
) -> Result<(), String> {
    let readable = |name: &str| table.column(name).filter(|column| column.readers.contains(role));
    for name in binding.select.iter().flatten() {
        readable(name).ok_or_else(|| format!("ERROR P0001 (raise_exception) invalid column for select {name}"))?;
    }
    for filter in &binding.filters {
        let column = readable(&filter.column);
        let column = column
            .ok_or_else(|| format!("ERROR P0001 (raise_exception) invalid column for filter {}", filter.column))?;
        check_filter(connection, filter, column, role).await?;
    }
    Ok(())
}

/// Whether the value is one of the column's type, and the operator one that it has.
async fn check_filter(connection: &mut Connection, filter: &Filter, column: &Column, role: &str) -> Result<(), String> {
    let raised = |text: &str| Err(format!("ERROR P0001 (raise_exception) {text}"));
    match filter.operator {
        Operator::Is => {
            let value = filter.value.to_ascii_lowercase();
            if !["null", "true", "false", "unknown"].contains(&value.as_str()) {
                return raised("invalid value for is filter: must be null, true, false, or unknown");
            }
            if value != "null" && column.category != b'B' {
                return raised("is filter with true, false or unknown needs a boolean column");
            }
        }
        Operator::Like | Operator::Ilike | Operator::Match | Operator::Imatch if column.category != b'S' => {
            return raised("like and match filters need a text column");
        }
        Operator::In if filter.value.matches(',').count() >= MAX_IN => {
            return raised("too many values for `in` filter. Maximum 100");
        }
        _ => {}
    }
    let tried = crate::changes::try_filter(connection, filter, column, role).await;
    tried.map_err(|error| match error {
        Error::Database(error) => format!("ERROR {} {}", error.code, error.message),
        other => other.to_string(),
    })
}
