//! Many clients that connect at the same moment.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use rustix::process::{Resource, Signal, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::kit::{DataProcess, skip};

/// Fewer than the server's listen backlog. The kernel completes connections only as far as the backlog goes, and their
/// clients' requests wait in it.
const CLIENTS: u64 = 3_000;
/// Kernels send the first packet of a connection again after one second, so a client that finds the backlog full takes longer.
const PATIENCE: Duration = Duration::from_secs(30);

#[tokio::test]
async fn thousands_of_clients_connect_while_the_server_accepts_none() {
    // Open files of this process: half of them are for the other tests.
    let mut limit = getrlimit(Resource::Nofile);
    let files = limit.maximum.unwrap_or(u64::MAX);
    let queue = std::fs::read_to_string("/proc/sys/net/core/somaxconn").ok().and_then(|text| text.trim().parse().ok());
    if files < 2 * CLIENTS || queue.is_none_or(|queue: u64| queue < CLIENTS) {
        return skip("the system allows fewer open files or waiting connections");
    }
    limit.current = Some(limit.current.unwrap_or(files).max(2 * CLIENTS));
    setrlimit(Resource::Nofile, limit).unwrap();

    let s = DataProcess::start("create table t (id int);", &[]).await;
    let address = s.url.strip_prefix("http://").unwrap();
    s.signal(Signal::STOP);
    let begun = Instant::now();
    let connecting = (0..CLIENTS).map(|_| timeout(PATIENCE, TcpStream::connect(address)));
    let connected: Vec<TcpStream> = join_all(connecting).await.into_iter().flatten().flatten().collect();
    s.signal(Signal::CONT);
    assert_eq!(connected.len(), CLIENTS as usize, "{:?}", begun.elapsed());

    let answered = connected.into_iter().map(async |mut socket| {
        socket.write_all(b"OPTIONS /t HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await?;
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await?;
        Ok::<bool, std::io::Error>(answer.starts_with("HTTP/1.1 200 OK"))
    });
    let answered = timeout(2 * PATIENCE, join_all(answered)).await.expect("an answer to all");
    let well = answered.iter().filter(|answer| matches!(answer, Ok(true))).count();
    assert_eq!(well, CLIENTS as usize, "{:?}", answered.iter().find(|answer| !matches!(answer, Ok(true))));
}
