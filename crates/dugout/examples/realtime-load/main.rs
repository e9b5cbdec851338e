//! Load on realtime, for `bench/realtime.sh`. Prints one line for each measurement.
//!
//! Frames are counted in the bytes that arrive, so that the load costs less than what it measures.

#![allow(clippy::print_stdout, reason = "it prints what it has measured")]

mod line;
mod measure;

use std::time::Duration;

use measure::Result;

const USAGE: &str = "realtime-load URL SECRET fanout CHANNELS MEMBERS DELIVERIES_PER_SECOND SECONDS
realtime-load URL SECRET idle SOCKETS SECONDS
realtime-load URL SECRET watch SECONDS
realtime-load URL SECRET joins NUMBER
realtime-load URL SECRET changes READERS CHANGES_PER_SECOND SECONDS all|one DATABASE_URL
0 deliveries per second are as many as there can be.";

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<usize>();
    let seconds = |text: &str| text.parse().map(Duration::from_secs);
    match arguments[..] {
        [url, secret, "fanout", channels, members, rate, time] => {
            measure::fanout(url, secret, (number(channels)?, number(members)?), number(rate)?, seconds(time)?).await
        }
        [url, secret, "idle", sockets, time] => measure::idle(url, secret, number(sockets)?, seconds(time)?).await,
        [url, secret, "watch", time] => measure::watch(url, secret, seconds(time)?).await,
        [url, secret, "joins", times] => measure::joins(url, secret, number(times)?).await,
        [url, secret, "changes", readers, rate, time, seen, database] => {
            measure::changes((url, secret, database), number(readers)?, number(rate)?, seconds(time)?, seen == "all")
                .await
        }
        _ => Err(USAGE.into()),
    }
}
