//! NATS as a faster path to the other instances than NOTIFY.
//!
//! The database stays the authority. An instance is "on the bus" once it has received its own greeting through NATS, until the
//! connection is lost or a greeting fails to come back. It announces this state by NOTIFY. Posts go through NATS only while all
//! instances are on the bus.

use std::error::Error;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::{Client, ConnectOptions, Event, ServerAddr, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt;
use gateway::Secret;
use percent_encoding::percent_decode_str;
use pg::Pool;
use tokio::sync::{Notify, mpsc};
use url::Url;

use crate::store::relay as store;

/// Pause before the whole setup is repeated. After a lost connection the client reconnects by itself, and sooner.
const RETRY: Duration = Duration::from_secs(5);

/// How often the client tests its connection.
const PING: Duration = Duration::from_secs(10);

/// How long connecting, or handing a message to the client, may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long this instance's own greeting may take to come back.
const ROUND_TRIP: Duration = Duration::from_secs(8);

/// Received messages that may wait. NATS drops further ones; presence notices the gap in its numbers.
const BACKLOG: usize = 4096;

/// Addresses and credentials of the NATS servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Servers {
    /// URLs, separated by commas. They may hold passwords.
    urls: Secret<String>,
    /// A file with a JWT and the seed of its key, as `nsc` writes it.
    credentials: Option<PathBuf>,
}

impl Servers {
    /// Reads `nats://` or `tls://` URLs, separated by commas.
    ///
    /// # Errors
    /// What is wrong with them; passwords are not repeated.
    pub(crate) fn parse(urls: &str, credentials: Option<PathBuf>) -> Result<Self, String> {
        for url in addresses(urls) {
            let parsed = url.parse::<ServerAddr>().ok().filter(|parsed| matches!(parsed.scheme(), "nats" | "tls"));
            if parsed.is_none_or(|parsed| parsed.host().is_empty()) {
                return Err(
                    "must be nats://HOST:PORT or tls://HOST:PORT, or several of them separated by commas".to_owned()
                );
            }
        }
        Ok(Servers { urls: Secret::new(urls.to_owned()), credentials })
    }
}

fn addresses(urls: &str) -> impl Iterator<Item = &str> {
    urls.split(',').map(str::trim)
}

/// The connection to NATS.
#[derive(Debug)]
pub(super) struct Bus {
    servers: Servers,
    /// The name of this instance.
    instance: String,
    link: Mutex<Option<Link>>,
    is_on: AtomicBool,
    changed: Notify,
    /// When the greeting was published that has not come back yet.
    greeted: Mutex<Option<Instant>>,
}

#[derive(Clone, Debug)]
struct Link {
    client: Client,
    /// The subject that this instance publishes on.
    subject: String,
}

impl Bus {
    pub(super) fn new(servers: Servers, instance: String) -> Self {
        Bus {
            servers,
            instance,
            link: Mutex::default(),
            is_on: AtomicBool::new(false),
            changed: Notify::new(),
            greeted: Mutex::default(),
        }
    }

    /// Whether this instance receives what is published, judged by its own greetings.
    pub(super) fn is_on(&self) -> bool {
        self.is_on.load(Ordering::Relaxed)
    }

    /// Waits until [`Bus::is_on`] has changed.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// The longest message that NATS takes, in bytes.
    pub(super) fn longest(&self) -> usize {
        lock(&self.link).as_ref().map_or(0, |link| link.client.max_payload())
    }

    /// Publishes a message; `false` if it could not be handed over.
    pub(super) async fn publish(&self, text: String) -> bool {
        let link = lock(&self.link).clone();
        let Some(Link { client, subject }) = link else { return false };
        let published = tokio::time::timeout(PATIENCE, client.publish(subject, text.into())).await;
        let is_published = matches!(published, Ok(Ok(())));
        if !is_published {
            self.set(false);
        }
        is_published
    }

    /// Publishes a greeting, which should come back to this instance. Does nothing while disconnected.
    pub(super) async fn greet(&self, text: String) {
        let is_connected = |link: &Link| link.client.connection_state() == State::Connected;
        if !lock(&self.link).as_ref().is_some_and(is_connected) {
            return self.set(false);
        }
        let is_late = {
            let mut greeted = lock(&self.greeted);
            greeted.get_or_insert_with(Instant::now).elapsed() > ROUND_TRIP
        };
        if is_late {
            self.set(false);
        }
        self.publish(text).await;
    }

    /// Waits until published messages are written to the connection.
    pub(super) async fn flush(&self) {
        let link = lock(&self.link).clone();
        if let Some(Link { client, .. }) = link {
            let _ = client.flush().await;
        }
    }

    /// Keeps the connection up while polled, and sends what other instances publish to `heard`. Publishes `greeting` on each
    /// connect.
    pub(super) async fn keep(&self, pool: &Pool, greeting: impl Fn() -> String, heard: mpsc::Sender<Bytes>) {
        loop {
            let Err(error) = self.once(pool, &greeting, &heard).await;
            self.set(false);
            tracing::warn!(event = "realtime_nats", detail = %Chain(&*error));
            tokio::time::sleep(RETRY).await;
        }
    }

    async fn once(
        &self,
        pool: &Pool,
        greeting: &impl Fn() -> String,
        heard: &mpsc::Sender<Bytes>,
    ) -> Result<std::convert::Infallible, Box<dyn Error + Send + Sync>> {
        let base = store::database(&pool.get().await?).await?;
        let (client, mut events) = connect(&self.servers).await?;
        let mut messages: Subscriber = client.subscribe(format!("dugout.realtime.{base}.*")).await?;
        let subject = format!("dugout.realtime.{base}.{}", self.instance);
        *lock(&self.link) = Some(Link { client: client.clone(), subject: subject.clone() });
        loop {
            tokio::select! {
                Some(event) = events.recv() => match event {
                    Event::Connected => {
                        *lock(&self.greeted) = Some(Instant::now());
                        self.publish(greeting()).await;
                    }
                    Event::Disconnected | Event::Closed => {
                        self.set(false);
                    }
                    event => tracing::warn!(event = "realtime_nats", detail = %event),
                },
                message = messages.next() => {
                    let Some(message) = message else { return Err("the connection to NATS was closed".into()) };
                    if message.subject.as_str() == subject {
                        // A greeting from before the connection was lost does not prove that it works now.
                        if client.connection_state() == State::Connected {
                            *lock(&self.greeted) = None;
                            self.set(true);
                        }
                    } else {
                        // The receiver lives as long as this future, so sending cannot fail.
                        let _ = heard.send(message.payload).await;
                    }
                }
            }
        }
    }

    fn set(&self, is_on: bool) {
        if self.is_on.swap(is_on, Ordering::Relaxed) != is_on {
            if is_on {
                tracing::info!(event = "realtime_nats", detail = "broadcasts and presence go through NATS");
            } else {
                tracing::warn!(event = "realtime_nats", detail = "NATS is lost; broadcasts and presence go by NOTIFY");
            }
            self.changed.notify_one();
        }
    }
}

/// A client that connects in the background, and the events of its connection.
async fn connect(servers: &Servers) -> Result<(Client, mpsc::UnboundedReceiver<Event>), Box<dyn Error + Send + Sync>> {
    let (sender, events) = mpsc::unbounded_channel();
    let mut options = ConnectOptions::new()
        .name("dugout")
        .retry_on_initial_connect()
        .connection_timeout(PATIENCE)
        .ping_interval(PING)
        .subscription_capacity(BACKLOG)
        .event_callback(move |event| {
            // The receiver is dropped together with the connection, so a failure does not matter.
            let _ = sender.send(event);
            std::future::ready(())
        });
    if let Some(path) = &servers.credentials {
        options = options.credentials_file(path).await?;
    }
    let mut plain = Vec::new();
    let mut login = None;
    for address in addresses(servers.urls.reveal()) {
        let mut url: Url = address.parse::<ServerAddr>()?.as_url_str().parse()?;
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        if login.is_none() && !url.username().is_empty() {
            login = Some((decoded(url.username()), url.password().map(decoded)));
        }
        // The client does not use credentials in the URL, but would log them with the address.
        let _ = (url.set_username(""), url.set_password(None));
        plain.push(ServerAddr::from_url(url)?);
    }
    // Servers of one cluster share their users, so the first login serves for all.
    options = match login {
        Some((user, Some(password))) => options.user_and_password(user, password),
        Some((token, None)) => options.token(token),
        None => options,
    };
    Ok((options.connect(plain).await?, events))
}

/// An error with its causes.
struct Chain<'e>(&'e (dyn Error + 'e));

impl std::fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)?;
        self.0.source().map_or(Ok(()), |cause| write!(f, ": {}", Chain(cause)))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked() {
        for urls in ["nats://h", "nats://u:p@h:4222", "tls://a, tls://b:1"] {
            assert!(Servers::parse(urls, None).is_ok(), "{urls}");
        }
        for urls in ["", "http://h", "ws://h", "nats://h,", "nats://h:x", "nats://"] {
            assert!(Servers::parse(urls, None).is_err(), "{urls}");
        }
        let servers = Servers::parse("nats://u:geheim@h", None).unwrap();
        assert!(!format!("{servers:?}").contains("geheim"));
    }
}
