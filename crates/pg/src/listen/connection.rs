//! The connection of a listener: opened while there are subscriptions, and again when it is lost.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::time::{sleep, timeout};
use tokio_postgres::{AsyncMessage, Client};

use super::{Event, Shared, State};
use crate::error::Error;
use crate::target::Target;
use crate::{Ident, Snippet};

const FIRST_DELAY: Duration = Duration::from_millis(50);
const LONGEST_DELAY: Duration = Duration::from_secs(5);
/// How often the connection is tested, because a broken network is noticed only when something is sent.
const HEARTBEAT: Duration = Duration::from_secs(30);
const HEARTBEAT_TIMEOUT: Duration = Duration::from_secs(10);

/// A change of the channels that are listened to. Returns the new set.
type Change<'a> = BoxFuture<'a, Result<BTreeSet<String>, Error>>;

/// Keeps a connection open while there are subscriptions. Never returns.
pub(super) async fn keep(target: Target, shared: Arc<Shared>) {
    let mut delay = FIRST_DELAY;
    loop {
        while shared.wanted().is_empty() {
            shared.changed.notified().await;
        }
        let Err(error) = once(&target, &shared, &mut delay).await else {
            delay = FIRST_DELAY;
            continue;
        };
        shared.announce_end(&error, delay);
        sleep(delay).await;
        delay = (delay * 2).min(LONGEST_DELAY);
    }
}

impl Shared {
    /// The channels with subscribers. Removes the others.
    fn wanted(&self) -> BTreeSet<String> {
        let mut channels = self.channels();
        channels.retain(|_, channel| channel.events.receiver_count() > 0);
        channels.keys().cloned().collect()
    }

    fn announce_start(&self, started: &BTreeSet<String>) {
        for (name, channel) in self.channels().iter_mut().filter(|(name, _)| started.contains(*name)) {
            let event = if channel.state == State::Lost { Event::Reconnected } else { Event::Connected };
            channel.state = State::Listening;
            tracing::debug!(event = "listening", channel = name);
            // An error means that the last subscription ended meanwhile.
            let _ = channel.events.send(event);
        }
    }

    fn announce_end(&self, error: &Error, retry_in: Duration) {
        for channel in self.channels().values_mut() {
            if channel.state == State::Listening {
                channel.state = State::Lost;
            }
            let _ = channel.events.send(Event::Ended { reason: error.to_string(), retry_in });
        }
    }

    fn publish(&self, channel: &str, payload: &str) {
        if let Some(channel) = self.channels().get(channel) {
            let _ = channel.events.send(Event::Notification { payload: payload.to_owned() });
        }
    }
}

/// Uses one connection until it ends or nobody subscribes any more.
async fn once(target: &Target, shared: &Shared, delay: &mut Duration) -> Result<(), Error> {
    let mut config = target.driver_config();
    // Notifications exist on a primary only, even if other connections may use a standby.
    config.target_session_attrs(tokio_postgres::config::TargetSessionAttrs::ReadWrite);
    let (client, mut connection) = config.connect(target.tls_connector()?).await.map_err(Error::from_driver)?;
    let mut listening = BTreeSet::new();
    let mut under_way: Option<Change<'_>> = None;
    let mut beat = heartbeat(&client).boxed();
    loop {
        if under_way.is_none() {
            let wanted = shared.wanted();
            if wanted.is_empty() {
                return Ok(());
            }
            if wanted != listening {
                under_way = Some(change(&client, listening.clone(), wanted).boxed());
            }
        }
        tokio::select! {
            biased;
            // First, because no statement gets a response unless this is polled.
            message = poll_fn(|cx| connection.poll_message(cx)) => match message {
                Some(Ok(AsyncMessage::Notification(heard))) => shared.publish(heard.channel(), heard.payload()),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(Error::from_driver(error)),
                None => return Err(Error::Lost("the server closed it".to_owned())),
            },
            changed = finished(&mut under_way) => {
                let now = changed?;
                under_way = None;
                shared.announce_start(&now.difference(&listening).cloned().collect());
                listening = now;
                *delay = FIRST_DELAY;
            }
            result = &mut beat => match result? {},
            () = shared.changed.notified() => {}
        }
    }
}

/// Waits for the running change. Never completes if no change is running.
async fn finished(change: &mut Option<Change<'_>>) -> Result<BTreeSet<String>, Error> {
    match change {
        Some(change) => change.await,
        None => std::future::pending().await,
    }
}

/// Listens to new channels and unlistens those that are no longer wanted.
async fn change(
    client: &Client,
    before: BTreeSet<String>,
    wanted: BTreeSet<String>,
) -> Result<BTreeSet<String>, Error> {
    let statement = |verb: &'static str, channel: &String| {
        let mut statement = Snippet::raw(verb);
        statement.ident(&Ident::new(channel));
        statement
    };
    let statements = wanted.difference(&before).map(|channel| statement("LISTEN ", channel));
    let statements = statements.chain(before.difference(&wanted).map(|channel| statement("UNLISTEN ", channel)));
    client.batch_execute(&Snippet::join(statements, "; ").render().0).await.map_err(Error::from_driver)?;
    Ok(wanted)
}

/// Fails when the server no longer responds.
async fn heartbeat(client: &Client) -> Result<Infallible, Error> {
    loop {
        sleep(HEARTBEAT).await;
        let answered = timeout(HEARTBEAT_TIMEOUT, client.batch_execute("")).await;
        answered.map_err(|_| Error::Lost("no answer to the heartbeat".to_owned()))?.map_err(Error::from_driver)?;
    }
}
