//! Check 21: small requests that cause disproportionate work or memory use.

use std::time::Duration;

use crate::kit::{Calls, DataProcess, Socket};

/// A value of `/proc/<pid>/status`, in kB.
fn memory(pid: u32, name: &str) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Resets `VmHWM`.
fn forget_peak(pid: u32) {
    std::fs::write(format!("/proc/{pid}/clear_refs"), "5").unwrap();
}

#[tokio::test]
async fn bombs_use_less_than_100_mb() {
    let s = DataProcess::start("create table t (id int primary key, data jsonb);", &[]).await;
    let deep = |open: &str, times: usize| open.repeat(times);
    let ids = (0..100_000).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    // 1 KB with a gzip header, and a trailer that claims a size of 4 GB.
    let gzip = [&b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"[..], &[0; 1024], b"\xff\xff\xff\xff"].concat();
    s.get("/t").await.is(200);
    let before = memory(s.pid(), "VmRSS");
    forget_peak(s.pid());
    for body in [deep("[", 100_000), deep("{\"a\":", 100_000), format!("[{}1]", "1,".repeat(400_000))] {
        let answer = s.post("/t", serde_json::json!({})).body(body).await;
        assert!((400..500).contains(&answer.status), "{} {}", answer.status, answer.body);
    }
    let answer = s.post("/t", serde_json::json!({})).body(gzip).header("content-encoding", "gzip").await;
    assert!((400..500).contains(&answer.status), "{} {}", answer.status, answer.body);
    for query in [
        format!("select={}", "t(".repeat(5_000)),
        format!("and={}", "(and".repeat(5_000)),
        format!("select={}id", "id,".repeat(1_600)),
        format!("data->{}=eq.1", "a->".repeat(12_000)),
    ] {
        let answer = s.get(&format!("/t?{query}")).await;
        // Requests that are not refused must not cost more than their length suggests.
        assert!(answer.status < 500, "{}: {} {}", &query[..20], answer.status, answer.body);
    }
    let mut socket = Socket::open(&s.url).await;
    socket.send(format!("GET /t?id=in.({ids}) HTTP/1.1\r\nhost: x\r\n\r\n")).await;
    let answer = socket.rest().await;
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
    let extra = memory(s.pid(), "VmHWM").saturating_sub(before);
    println!("bombs: {extra} kB");
    assert!(extra < 100 * 1024, "{extra} kB");
}

#[tokio::test]
async fn sixteen_stalled_posts_use_little_memory_for_a_limited_time() {
    let s = DataProcess::start("create table t (id int primary key, data jsonb);", &[]).await;
    s.get("/t").await.is(200);
    let before = memory(s.pid(), "VmRSS");
    forget_peak(s.pid());
    let stalled = async || {
        let mut socket = Socket::open(&s.url).await;
        socket.send("POST /t HTTP/1.1\r\nhost: x\r\ncontent-length: 60000000\r\n\r\n").await;
        for _ in 0..30 {
            socket.send(vec![b' '; 1_000_000]).await;
        }
        socket.rest().await
    };
    let mut statuses = Vec::new();
    for answer in futures_util::future::join_all((0..16).map(|_| stalled())).await {
        // A request that is refused while the client is sending may see a connection reset before the answer.
        statuses.push(answer.get(9..12).unwrap_or("reset").to_owned());
    }
    assert!(statuses.iter().all(|status| ["408", "503", "reset"].contains(&&**status)), "{statuses:?}");
    assert!(statuses.iter().any(|status| status == "408"), "{statuses:?}");
    let (peak, held) = (memory(s.pid(), "VmHWM") - before, memory(s.pid(), "VmRSS").saturating_sub(before));
    println!("stalled: peak {peak} kB, held {held} kB, {statuses:?}");
    assert!(peak < 200 * 1024, "{peak} kB");
    tokio::time::sleep(Duration::from_millis(200)).await;
    s.get("/t").await.is(200);
}
