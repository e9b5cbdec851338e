//! LISTEN: hearing of what happens in the database.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::pin;
use std::time::Duration;

use tokio::time::{sleep, timeout};
use tokio_postgres::{AsyncMessage, Client};

use crate::error::Error;
use crate::target::Target;
use crate::{Ident, Snippet};

/// What [`listen`] has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Listening for the first time. What was notified before is unknown.
    Connected,
    /// Listening again. What was notified since the connection was lost is unknown: whatever follows from notifications
    /// has to be made anew.
    Reconnected,
    /// The connection ended or was not made; it is tried again after `retry_in`.
    Ended {
        /// Why.
        reason: String,
        /// How long until then.
        retry_in: Duration,
    },
    /// `NOTIFY channel, payload`.
    Notification {
        /// The channel.
        channel: String,
        /// The payload; empty for a `NOTIFY` without one.
        payload: String,
    },
}

const FIRST_DELAY: Duration = Duration::from_millis(50);
const LONGEST_DELAY: Duration = Duration::from_secs(5);
/// A network that swallows packets shows itself only when something is sent.
const HEARTBEAT: Duration = Duration::from_secs(30);
const HEARTBEAT_TIMEOUT: Duration = Duration::from_secs(10);

/// Listens on `channels` and reports every [`Event`], for as long as the future is polled: a lost connection is made again,
/// after delays from 50 ms doubling to 5 s. Drop the future to stop. `on_event` must not block.
///
/// # Errors
/// Only [`Error::Unavailable`], and only before the first attempt: the TLS settings of the target cannot be used.
pub async fn listen(target: &Target, channels: &[Ident], mut on_event: impl FnMut(Event)) -> Result<Infallible, Error> {
    // Certificates are read again at each attempt; that they can be read at all is known from here.
    target.tls_connector()?;
    let mut announce = Event::Connected;
    let mut delay = FIRST_DELAY;
    loop {
        let ended = listen_once(target, channels, |event| {
            delay = FIRST_DELAY;
            on_event(match event {
                Event::Connected => std::mem::replace(&mut announce, Event::Reconnected),
                other => other,
            });
        });
        let Err(error) = ended.await;
        on_event(Event::Ended { reason: error.to_string(), retry_in: delay });
        sleep(delay).await;
        delay = (delay * 2).min(LONGEST_DELAY);
    }
}

/// One connection, until it ends.
async fn listen_once(
    target: &Target,
    channels: &[Ident],
    mut on_event: impl FnMut(Event),
) -> Result<Infallible, Error> {
    let mut config = target.driver_config();
    // Notifications are made on a primary only, whichever of several servers the rest of the work may go to.
    config.target_session_attrs(tokio_postgres::config::TargetSessionAttrs::ReadWrite);
    let (client, mut connection) = config.connect(target.tls_connector()?).await.map_err(Error::from_driver)?;
    let statement = listen_statement(channels);
    let mut listen = pin!(client.batch_execute(&statement));
    let mut listening = false;
    let mut beat = pin!(heartbeat(&client));
    loop {
        tokio::select! {
            biased;
            // First, because nothing below gets an answer unless this is polled.
            message = poll_fn(|cx| connection.poll_message(cx)) => match message {
                Some(Ok(AsyncMessage::Notification(heard))) => on_event(Event::Notification {
                    channel: heard.channel().to_owned(),
                    payload: heard.payload().to_owned(),
                }),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(Error::from_driver(error)),
                None => return Err(Error::Lost("the server closed it".to_owned())),
            },
            result = &mut listen, if !listening => {
                result.map_err(Error::from_driver)?;
                listening = true;
                on_event(Event::Connected);
            }
            result = &mut beat, if listening => return result,
        }
    }
}

/// Ends when the server no longer answers.
async fn heartbeat(client: &Client) -> Result<Infallible, Error> {
    loop {
        sleep(HEARTBEAT).await;
        let answered = timeout(HEARTBEAT_TIMEOUT, client.batch_execute("")).await;
        answered.map_err(|_| Error::Lost("no answer to the heartbeat".to_owned()))?.map_err(Error::from_driver)?;
    }
}

fn listen_statement(channels: &[Ident]) -> String {
    let statements = channels.iter().map(|channel| {
        let mut statement = Snippet::raw("LISTEN ");
        statement.ident(channel);
        statement
    });
    Snippet::join(statements, "; ").render().0
}
