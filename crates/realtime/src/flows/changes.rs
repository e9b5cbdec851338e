//! Subscribing to changes of tables, and waiting for the stream of changes.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pg::error::Error;
use pg::pool::Connection;
use serde_json::json;
use tokio::sync::Semaphore;

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

/// How long trying the filters of one channel may take in all.
///
/// DEVIATION (stricter): a filter that PostgreSQL needs more than 250 milliseconds to read is refused, one that takes more than
/// three seconds to compare ends its subscription, and changes whose filters were not compared within six seconds are not sent,
/// of which the client is told.
const TRYING: Duration = Duration::from_secs(3);

/// Elements of an `in` list, at most; as upstream's.
const MAX_IN: usize = 100;

/// Subscribes a channel once the stream is open, and tells it so. What is wrong with one subscription is wrong with all of the
/// channel. `own_turn` has one permit, for one channel of the socket at a time: however many channels a socket has, others wait
/// for one of them only.
pub(super) async fn subscribe(state: State, channel: u64, mut subscriber: Subscriber, own_turn: Arc<Semaphore>) {
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
    // It is never closed.
    let Ok(_own_turn) = own_turn.acquire().await else { return };
    let tried = Cell::default();
    loop {
        // The turn ends with each round: a token of another role may come during the check, again and again.
        let Some(_turn) = state.changes.turn().await else { return };
        let Some(who) = state.changes.expected(channel) else { return };
        subscriber.who = who;
        let check = Check { state: &state, channel, subscriber: &subscriber, tried: &tried };
        if let Err(text) = check.run().await {
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
pub(super) async fn tell_when_ready(state: State, channel: (Arc<str>, u64), join_ref: Ref, outbox: Arc<Outbox>) {
    let mut condition = state.changes.condition();
    let opened = condition.wait_for(|condition| *condition == Condition::Open);
    if tokio::time::timeout(READY, opened).await.is_err() {
        let why = "Replication connection was not established in time";
        return outbox.tell(Control::Shut { channel, why });
    }
    let text = "Replication connection established";
    let topic = &channel.0;
    let payload = json!({ "extension": "system", "status": "ok", "message": text, "channel": sub_topic(topic) });
    outbox.push(message::push(outbox.version(), &join_ref, topic, "system", &payload.to_string()));
}

/// Whether the subscriptions of a channel can be had.
struct Check<'a> {
    state: &'a State,
    channel: u64,
    subscriber: &'a Subscriber,
    /// How long its filters took so far, for all of its tokens.
    tried: &'a Cell<Duration>,
}

impl Check<'_> {
    /// The reason why not, as the client is told.
    async fn run(&self) -> Result<(), String> {
        let unavailable = |error: Error| {
            tracing::warn!(event = "realtime_subscription", detail = %error);
            "Unable to subscribe to changes: the database cannot be reached".to_owned()
        };
        let unable = "Unable to subscribe to changes with given parameters.";
        let mut connection = self.state.pool.get().await.map_err(unavailable)?;
        for binding in self.subscriber.bindings.iter() {
            let published = catalog::published(&connection, &binding.schema, &binding.table).await;
            let published = published.map_err(unavailable)?;
            if published.is_empty() {
                return Err(format!(
                    "{unable} Please check Realtime is enabled for the given connect parameters: {binding}"
                ));
            }
            if binding.filters.is_empty() && binding.select.is_none() {
                continue;
            }
            let role = std::slice::from_ref(&self.subscriber.who.role);
            let tables = catalog::tables(&connection, &published, role).await.map_err(unavailable)?;
            for table in tables.values() {
                self.columns(&mut connection, table, binding).await.map_err(|reason| {
                    format!(
                        "{unable} An exception happened so please check your connect parameters: {binding}. Exception: \
                         {reason}"
                    )
                })?;
            }
        }
        Ok(())
    }

    async fn columns(&self, connection: &mut Connection, table: &Table, binding: &Binding) -> Result<(), String> {
        let role = &self.subscriber.who.role;
        let readable = |name: &str| table.column(name).filter(|column| column.readers.contains(role));
        for name in binding.select.iter().flatten() {
            readable(name).ok_or_else(|| format!("ERROR P0001 (raise_exception) invalid column for select {name}"))?;
        }
        for filter in &binding.filters {
            let column = readable(&filter.column);
            let column = column
                .ok_or_else(|| format!("ERROR P0001 (raise_exception) invalid column for filter {}", filter.column))?;
            is_known(filter, column)?;
            if self.tried.get() > TRYING || self.state.changes.expected(self.channel).is_none() {
                return Err("the filters take too long to check".to_owned());
            }
            let started = Instant::now();
            let tried = crate::changes::try_filter(connection, filter, column, role).await;
            self.tried.set(self.tried.get() + started.elapsed());
            tried.map_err(|error| untried(&error, filter, column))?;
        }
        Ok(())
    }
}

/// Whether the operator is one that realtime has for the column.
///
/// Source: supabase/realtime, migration 20260815140000_validate_filter_operator_against_column_type.
fn is_known(filter: &Filter, column: &Column) -> Result<(), String> {
    let raised = |text: &str| Err(format!("ERROR P0001 (raise_exception) {text}"));
    let shown = &column.type_shown;
    match filter.operator {
        Operator::Is => {
            let value = filter.value.to_ascii_lowercase();
            if !["null", "true", "false", "unknown"].contains(&value.as_str()) {
                return raised("invalid value for is filter: must be null, true, false, or unknown");
            }
            if value != "null" && column.category != b'B' {
                return raised(&format!("is {value} filter requires a boolean column, got {shown}"));
            }
        }
        Operator::Like | Operator::Ilike | Operator::Match | Operator::Imatch if column.category != b'S' => {
            let symbol = match filter.operator {
                Operator::Like => "~~",
                Operator::Ilike => "~~*",
                Operator::Match => "~",
                _ => "~*",
            };
            return Err(unsupported(filter, column, &format!("operator does not exist: {shown} {symbol} {shown}")));
        }
        Operator::In if filter.value.matches(',').count() >= MAX_IN => {
            return raised("too many values for `in` filter. Maximum 100");
        }
        _ => {}
    }
    Ok(())
}

/// Why a filter could not be tried, in the words of upstream's trigger.
fn untried(error: &Error, filter: &Filter, column: &Column) -> String {
    const UNDEFINED_FUNCTION: &str = "42883";
    const INVALID_PATTERN: &str = "2201B";
    let error = match error {
        Error::Database(error) => error,
        other => return other.to_string(),
    };
    let name = match error.code.as_str() {
        UNDEFINED_FUNCTION => return unsupported(filter, column, &error.message),
        INVALID_PATTERN => {
            let operator = filter.operator.name();
            let text = format!("invalid regular expression for {operator} filter: {}", error.message);
            return format!("ERROR P0001 (raise_exception) {text}");
        }
        "22P02" => " (invalid_text_representation)",
        "22003" => " (numeric_value_out_of_range)",
        "22007" => " (invalid_datetime_format)",
        "22008" => " (datetime_field_overflow)",
        "57014" => " (query_canceled)",
        _ => "",
    };
    format!("ERROR {}{name} {}", error.code, error.message)
}

fn unsupported(filter: &Filter, column: &Column, why: &str) -> String {
    format!(
        "ERROR P0001 (raise_exception) operator {} is not supported on column {} of type {}: {why}",
        filter.operator.name(),
        column.name,
        column.type_shown
    )
}
