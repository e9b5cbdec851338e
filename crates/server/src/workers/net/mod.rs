//! The worker of pg_net: sends the requests in `net.http_request_queue` and writes the responses to `net._http_response`.
//!
//! The statement that records a response also removes its request. So a crash loses no request, but one whose response was
//! not recorded is sent again. Of several instances on one database, only the holder of an advisory lock sends.

mod sender;

use std::sync::Arc;
use std::time::Duration;

use pg::pool::{Connection, Query};
use pg::{Error, Pool};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

pub(super) use sender::Sender;
use sender::{Request, Response};

/// The largest number of concurrent requests.
const AT_ONCE: usize = 32;

/// How often expired responses are deleted.
const SWEEP: Duration = Duration::from_secs(60);

/// Delay before a request is sent again because its response could not be recorded, and before the lock is tried again.
const RETRY: Duration = Duration::from_secs(5);

/// Key of the advisory lock that the sending instance holds. The number is arbitrary.
const LOCK: i64 = 7_235_417_234;

/// Sends requests while no other instance does, until this future is dropped. `turn` has one connection, which holds the lock.
pub(super) async fn run(pool: Pool, turn: Pool, sender: Sender, wake: Arc<Notify>) {
    loop {
        match its_turn(&turn).await {
            Ok(Some(connection)) => {
                let error = send(&pool, &connection, &sender, &wake).await;
                connection.close();
                tracing::warn!(event = "net_lock_lost", detail = %error);
            }
            Ok(None) => sleep(RETRY).await,
            Err(error) => {
                tracing::warn!(event = "net_queue_unread", detail = %error);
                sleep(RETRY).await;
            }
        }
    }
}

/// A connection that holds the advisory lock; `None` while another instance holds it.
async fn its_turn(turn: &Pool) -> Result<Option<Connection>, Error> {
    let connection = turn.get().await?;
    let row = connection.query_one("select pg_try_advisory_lock($1)", &[&LOCK]).await?;
    Ok(row.get::<_, bool>(0).then_some(connection))
}

/// Sends requests until the connection that holds the lock is lost, and returns its error.
async fn send(pool: &Pool, turn: &Connection, sender: &Sender, wake: &Notify) -> Error {
    let mut under_way: JoinSet<i64> = JoinSet::new();
    let mut ids: Vec<i64> = Vec::new();
    let mut swept = Instant::now();
    loop {
        if let Err(error) = turn.execute("select", &[]).await {
            return error;
        }
        match next(pool, &ids).await {
            Ok(requests) => {
                for request in requests {
                    ids.push(request.id);
                    let (pool, sender) = (pool.clone(), sender.clone());
                    under_way.spawn(async move {
                        let id = request.id;
                        let response = sender.send(request).await;
                        if let Err(error) = record(&pool, id, &response).await {
                            tracing::warn!(event = "net_response_not_recorded", id, detail = %error);
                            // The request stays in the queue; this delays the next attempt.
                            sleep(RETRY).await;
                        }
                        id
                    });
                }
            }
            Err(error) => tracing::warn!(event = "net_queue_unread", detail = %error),
        }
        if swept.elapsed() >= SWEEP {
            swept = Instant::now();
            if let Err(error) = sweep(pool).await {
                tracing::warn!(event = "net_responses_not_swept", detail = %error);
            }
        }
        tokio::select! {
            Some(ended) = under_way.join_next() => {
                let mut ended = Some(ended);
                while let Some(done) = ended {
                    if let Ok(done) = done {
                        ids.retain(|id| *id != done);
                    }
                    ended = under_way.try_join_next();
                }
            }
            () = wake.notified(), if ids.len() < AT_ONCE => {}
            () = sleep_until(swept + SWEEP) => {}
        }
    }
}

/// The oldest requests that are not in progress, up to the number of free places.
async fn next(pool: &Pool, under_way: &[i64]) -> Result<Vec<Request>, Error> {
    let room = i64::try_from(AT_ONCE.saturating_sub(under_way.len())).unwrap_or_default();
    if room == 0 || !super::is_ours(pool, "net", "http_request_queue").await? {
        return Ok(Vec::new());
    }
    let sql = "select id, method::text, url, headers::text, body, timeout_milliseconds
        from net.http_request_queue where id <> all ($1) order by id limit $2";
    let rows = pool.get().await?.query(sql, &[&under_way, &room]).await?;
    Ok(rows
        .iter()
        .map(|row| Request {
            id: row.get(0),
            method: row.get(1),
            url: row.get(2),
            headers: row.get(3),
            body: row.get(4),
            timeout_ms: row.get(5),
        })
        .collect())
}

async fn record(pool: &Pool, id: i64, response: &Response) -> Result<(), Error> {
    let sql = "with sent as (delete from net.http_request_queue where id = $1 returning id)
        insert into net._http_response (id, status_code, content_type, headers, content, timed_out, error_msg)
        select id, $2, $3, $4::text::jsonb, $5, $6, $7 from sent";
    let Response { status, content_type, headers, content, timed_out, error } = response;
    let connection = pool.get().await?;
    connection.execute(sql, &[&id, status, content_type, headers, content, timed_out, error]).await.map(drop)
}

/// Deletes responses after six hours, the default of upstream's `pg_net.ttl`.
async fn sweep(pool: &Pool) -> Result<(), Error> {
    if !super::is_ours(pool, "net", "http_request_queue").await? {
        return Ok(());
    }
    let sql = "delete from net._http_response where created < now() - interval '6 hours'";
    pool.get().await?.execute(sql, &[]).await.map(drop)
}
