//! The measurements.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::line::{self, Inbox, Outbox};

pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Messages of one channel that are under way at most, when as much is sent as can be.
const UNDER_WAY: u64 = 16;

/// Of the frames of a reader, the times of the first and of every eighth after it are looked at.
const SAMPLED: u64 = 8;

/// What all readers have received.
#[derive(Default)]
struct Tally {
    frames: AtomicU64,
    is_over: AtomicBool,
}

fn token(secret: &str, claims: Value) -> Result<String> {
    let mut all = json!({ "role": "authenticated", "exp": line::now() / 1_000_000_000 + 3600 });
    if let (Some(all), Value::Object(claims)) = (all.as_object_mut(), claims) {
        all.extend(claims);
    }
    let key = jsonwebtoken::EncodingKey::from_secret(secret.as_bytes());
    Ok(jsonwebtoken::encode(&jsonwebtoken::Header::default(), &all, &key)?)
}

async fn joined(url: &str, token: &str, topic: &str, config: Value) -> Result<(Inbox, Outbox)> {
    let (mut inbox, mut outbox) = line::open(url, token).await?;
    outbox.send(topic, "phx_join", &json!({ "config": config })).await?;
    inbox.until("phx_reply").await?;
    Ok((inbox, outbox))
}

/// Counts frames until the measurement is over, and sends the ages of some.
async fn count(mut inbox: Inbox, tally: Arc<Tally>, own: Arc<AtomicU64>, ages: UnboundedSender<u64>) {
    let mut seen = 0;
    while !tally.is_over.load(Ordering::Relaxed) {
        let before = seen;
        let read = inbox.read(|frame| {
            seen += 1;
            if seen % SAMPLED == 1
                && let Some(sent) = line::sent_at(frame)
            {
                // Nobody listens when the measurement is over.
                let _ = ages.send(line::now().saturating_sub(sent));
            }
        });
        if let Err(error) = read.await {
            return eprintln!("a reader was disconnected: {error}");
        }
        tally.frames.fetch_add(seen - before, Ordering::Relaxed);
        own.fetch_add(seen - before, Ordering::Relaxed);
    }
}

fn percentiles(mut ages: UnboundedReceiver<u64>) -> String {
    let mut all = Vec::new();
    while let Ok(age) = ages.try_recv() {
        all.push(age);
    }
    all.sort_unstable();
    let at = |percent: usize| all.get(all.len() * percent / 100).map_or(0.0, |nanos| *nanos as f64 / 1e6);
    format!("p50 {:.1} ms, p95 {:.1} ms, p99 {:.1} ms", at(50), at(95), at(99))
}

/// Deliveries per second to channels with one sender and some members each.
pub(crate) async fn fanout(
    url: &str,
    secret: &str,
    (channels, members): (usize, usize),
    rate: usize,
    time: Duration,
) -> Result<()> {
    let token = token(secret, json!({}))?;
    let tally = Arc::new(Tally::default());
    let (ages, aged) = unbounded_channel();
    let mut senders = Vec::new();
    for channel in 0..channels {
        let topic = format!("realtime:load-{channel}");
        let own = Arc::new(AtomicU64::new(0));
        for _ in 0..members {
            let (inbox, outbox) = joined(url, &token, &topic, json!({})).await?;
            let counting = count(inbox, Arc::clone(&tally), Arc::clone(&own), ages.clone());
            // The writing side keeps the connection open.
            tokio::spawn(async move { (counting.await, outbox) });
        }
        let (_inbox, outbox) = joined(url, &token, &topic, json!({})).await?;
        senders.push((topic, own, outbox, _inbox));
    }
    let pause = (rate > 0).then(|| Duration::from_secs_f64((channels * members) as f64 / rate as f64));
    for (number, (topic, own, outbox, inbox)) in senders.into_iter().enumerate() {
        let tally = Arc::clone(&tally);
        // Spread over the pause, as people are.
        let offset = pause.map_or(Duration::ZERO, |pause| pause.mul_f64(number as f64 / channels as f64));
        tokio::spawn(send(topic, own, outbox, inbox, tally, members as u64, pause, offset));
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let (begun, before) = (Instant::now(), tally.frames.load(Ordering::Relaxed));
    tokio::time::sleep(time).await;
    let delivered = tally.frames.load(Ordering::Relaxed) - before;
    let per_second = delivered as f64 / begun.elapsed().as_secs_f64();
    tally.is_over.store(true, Ordering::Relaxed);
    println!("fan-out, {channels} channels of {members}: {per_second:.0} deliveries/s, {}", percentiles(aged));
    Ok(())
}

/// Sends messages of 200 bytes, at a rate or as fast as they arrive.
#[allow(clippy::too_many_arguments, reason = "it is one task with all that it owns")]
async fn send(
    topic: String,
    own: Arc<AtomicU64>,
    mut outbox: Outbox,
    _inbox: Inbox,
    tally: Arc<Tally>,
    members: u64,
    pause: Option<Duration>,
    offset: Duration,
) {
    let mut sent = 0;
    let mut next = tokio::time::Instant::now() + offset;
    while !tally.is_over.load(Ordering::Relaxed) {
        match pause {
            Some(pause) => {
                tokio::time::sleep_until(next).await;
                next += pause;
            }
            None if sent * members >= own.load(Ordering::Relaxed) + UNDER_WAY * members => {
                tokio::time::sleep(Duration::from_micros(500)).await;
                continue;
            }
            None => {}
        }
        let payload =
            json!({ "type": "broadcast", "event": "e", "payload": { "t": line::now(), "x": "x".repeat(150) } });
        if outbox.send(&topic, "broadcast", &payload).await.is_err() {
            return eprintln!("a sender was disconnected");
        }
        sent += 1;
    }
}

/// Sockets that have joined a channel and are silent.
pub(crate) async fn idle(url: &str, secret: &str, sockets: usize, time: Duration) -> Result<()> {
    let token = token(secret, json!({}))?;
    let mut open = Vec::with_capacity(sockets);
    for number in 0..sockets {
        open.push(joined(url, &token, &format!("realtime:idle-{}", number % 1000), json!({})).await?);
    }
    println!("open: {sockets}");
    tokio::time::sleep(time).await;
    drop(open);
    Ok(())
}

/// One subscriber to changes, which are not made.
pub(crate) async fn watch(url: &str, secret: &str, time: Duration) -> Result<()> {
    let token = token(secret, json!({ "sub": uuid::Uuid::nil() }))?;
    let table = json!([{ "event": "INSERT", "schema": "public", "table": "load" }]);
    let (mut inbox, outbox) = joined(url, &token, "realtime:load", json!({ "postgres_changes": table })).await?;
    inbox.until("Subscribed to PostgreSQL").await?;
    println!("open: 1");
    tokio::time::sleep(time).await;
    drop(outbox);
    Ok(())
}

/// Joins of private channels, one after the other on one socket.
pub(crate) async fn joins(url: &str, secret: &str, times: usize) -> Result<()> {
    let (mut inbox, mut outbox) = line::open(url, &token(secret, json!({ "sub": uuid::Uuid::nil() }))?).await?;
    let mut took = Vec::new();
    for _ in 0..times {
        let begun = Instant::now();
        outbox.send("realtime:private", "phx_join", &json!({ "config": { "private": true } })).await?;
        inbox.until("phx_reply").await?;
        took.push(begun.elapsed());
        outbox.send("realtime:private", "phx_leave", &json!({})).await?;
        inbox.until("phx_close").await?;
    }
    took.sort_unstable();
    let at = |percent: usize| took[(took.len() - 1) * percent / 100].as_secs_f64() * 1000.0;
    println!("join of a private channel: p50 {:.2} ms, p95 {:.2} ms", at(50), at(95));
    Ok(())
}

/// Changes of a table with row policies, read by people with different claims: each row is visible to all, or to one.
pub(crate) async fn changes(
    (url, secret, database): (&str, &str, &str),
    readers: usize,
    rate: usize,
    time: Duration,
    is_for_all: bool,
) -> Result<()> {
    let (client, connection) = tokio_postgres::connect(database, tokio_postgres::NoTls).await?;
    tokio::spawn(connection);
    let tally = Arc::new(Tally::default());
    let (ages, aged) = unbounded_channel();
    let subs: Vec<uuid::Uuid> = (0..readers).map(|_| uuid::Uuid::new_v4()).collect();
    for sub in &subs {
        let token = token(secret, json!({ "sub": sub }))?;
        let table = json!([{ "event": "INSERT", "schema": "public", "table": "load" }]);
        let (mut inbox, outbox) = joined(url, &token, "realtime:load", json!({ "postgres_changes": table })).await?;
        inbox.until("Subscribed to PostgreSQL").await?;
        let counting = count(inbox, Arc::clone(&tally), Arc::default(), ages.clone());
        tokio::spawn(async move { (counting.await, outbox) });
    }
    let insert = client.prepare("insert into public.load (owner, payload) values ($1, $2)").await?;
    let begun = tokio::time::Instant::now();
    let mut written = 0_u32;
    while begun.elapsed() < time {
        tokio::time::sleep_until(begun + Duration::from_secs_f64(f64::from(written) / rate as f64)).await;
        let owner = (!is_for_all).then(|| subs[written as usize % subs.len()]);
        let payload = json!({ "t": line::now(), "x": "x".repeat(100) });
        client.execute(&insert, &[&owner, &payload]).await?;
        written += 1;
    }
    let writing = begun.elapsed().as_secs_f64();
    let expected = u64::from(written) * if is_for_all { readers as u64 } else { 1 };
    // What is under way still arrives.
    for _ in 0..100 {
        if tally.frames.load(Ordering::Relaxed) >= expected {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let delivered = tally.frames.load(Ordering::Relaxed);
    tally.is_over.store(true, Ordering::Relaxed);
    println!(
        "postgres_changes, {readers} distinct claims, visible to {}: {:.0} changes/s, {:.0} deliveries/s, {delivered} of {expected} \
         delivered after {:.1} s, {}",
        if is_for_all { "all" } else { "one" },
        f64::from(written) / writing,
        delivered as f64 / begun.elapsed().as_secs_f64(),
        begun.elapsed().as_secs_f64(),
        percentiles(aged)
    );
    Ok(())
}
