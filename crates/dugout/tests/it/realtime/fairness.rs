//! Slow filters and slow policies of some keep nobody else waiting for long.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio_postgres::Client;

use super::changes::{change, filtered, on, server, subscribed};
use super::token;
use crate::kit::{Live, Server};

/// A table whose column takes as long to read as its text says, on every machine. A sequence counts the naps.
const NAPS: &str = "
    create sequence public.naps_taken;
    create function public.sleeps(value text) returns boolean language plpgsql volatile security definer as $$
    begin
      if value like 'nap%' then
        perform nextval('public.naps_taken');
      end if;
      perform pg_sleep(case when value like 'nap%' then 0.05 when value = 'blink' then 0.02 when value = 'long' then 2 else 0 end);
      return true;
    end $$;
    create domain public.sleepy as text check (public.sleeps(value));
    create table public.naps (id int primary key, body public.sleepy);
    grant select on public.naps to anon, authenticated;
    alter publication supabase_realtime add table public.naps";

async fn with_naps() -> (Server, Client) {
    let (server, admin) = server().await;
    admin.batch_execute(NAPS).await.unwrap();
    (server, admin)
}

/// Filters that each take a twentieth of a second to try.
fn slow_to_try(number: usize) -> Value {
    json!((0..number).map(|number| filtered("naps", &format!("body=eq.nap{number}"))).collect::<Vec<_>>())
}

/// Filters that are tried at once, and read the row's text each by themselves.
fn slow_to_compare(numbers: std::ops::Range<usize>) -> Value {
    json!(numbers.map(|number| filtered("naps", &format!("body=neq.{number}"))).collect::<Vec<_>>())
}

#[tokio::test]
async fn checks_of_one_socket_do_not_hold_up_those_of_another() {
    let (server, _admin) = with_naps().await;
    // The stream is open, so that checks begin at once.
    let _open = subscribed(&server, None, json!([on("notes")])).await;
    let mut greedy = Live::open(&server.url, &server.anon_key).await;
    for number in 0..20 {
        greedy.joined(&format!("realtime:{number}"), json!({ "postgres_changes": slow_to_try(70) })).await;
    }
    let begun = Instant::now();
    subscribed(&server, None, json!([on("notes")])).await;
    assert!(begun.elapsed() < Duration::from_secs(20), "it waited for {:?}", begun.elapsed());
}

#[tokio::test]
async fn new_tokens_do_not_prolong_a_check() {
    let (server, admin) = with_naps().await;
    let _open = subscribed(&server, None, json!([on("notes")])).await;
    let tokens = ["anon", "authenticated"].map(|role| token(&server, json!({ "role": role })));
    let mut socket = Live::open(&server.url, &tokens[0]).await;
    socket.joined("realtime:x", json!({ "postgres_changes": slow_to_try(40) })).await;
    // During each check of two seconds comes a token of the other role.
    let mut sent = 0;
    let said = loop {
        if let Some(said) = socket.heard_within(Duration::from_millis(50)).await {
            break said.payload;
        }
        let taken = admin.query_one("select last_value from public.naps_taken", &[]).await.unwrap().get::<_, i64>(0);
        if taken > sent * 40 {
            sent += 1;
            let token = if sent % 2 == 1 { &tokens[1] } else { &tokens[0] };
            socket.send("realtime:x", "access_token", json!({ "access_token": token })).await;
        }
        assert!(sent < 6, "the check begins again with every token");
    };
    assert!(said["message"].as_str().unwrap().contains("the filters take too long to check"), "{said}");
}

#[tokio::test]
async fn slow_filters_delay_a_batch_by_a_few_seconds_at_most() {
    let (server, admin) = with_naps().await;
    let _slow = subscribed(&server, None, slow_to_compare(0..6)).await;
    let (mut other, _) = subscribed(&server, None, json!([on("notes")])).await;
    let both = "begin; insert into public.naps values (1, 'long'); insert into public.notes (id) values (1); commit";
    admin.batch_execute(both).await.unwrap();
    let begun = Instant::now();
    assert_eq!(change(&mut other).await.payload["data"]["record"]["id"], 1);
    assert!(begun.elapsed() < Duration::from_secs(8), "it waited for {:?}", begun.elapsed());
}

#[tokio::test]
async fn filters_that_were_not_asked_in_time_stay() {
    let (server, admin) = with_naps().await;
    let mut many = Vec::new();
    for number in 0..8 {
        many.push(subscribed(&server, None, slow_to_compare(number * 100..(number + 1) * 100)).await.0);
    }
    let (mut other, _) = subscribed(&server, None, json!([on("notes")])).await;
    // 800 filters, none of them slow, need 16 seconds.
    let both = "begin; insert into public.naps values (1, 'blink'); insert into public.notes (id) values (1); commit";
    admin.batch_execute(both).await.unwrap();
    let begun = Instant::now();
    assert_eq!(change(&mut other).await.payload["data"]["record"]["id"], 1);
    assert!(begun.elapsed() < Duration::from_secs(12), "it waited for {:?}", begun.elapsed());
    let mut left_out = 0;
    for socket in &mut many {
        // The rows that were found in time come first.
        let said = socket.event("system").await.payload;
        left_out += usize::from(said["message"] == "Changes could not be read in time; some were not sent");
    }
    // On a busy machine one may have been slow after all.
    assert!(left_out >= 6, "{left_out}");
    admin.batch_execute("insert into public.naps values (2, 'awake')").await.unwrap();
    let mut told = 0;
    for socket in &mut many {
        while let Some(heard) = socket.heard_within(Duration::from_secs(20)).await {
            assert_eq!(heard.event, "postgres_changes");
            // On a busy machine the first row may be found late.
            if heard.payload["data"]["record"]["id"] == 2 {
                told += 1;
                break;
            }
        }
    }
    assert_eq!(told, left_out, "who was left out is still subscribed");
}

#[tokio::test]
async fn slow_policies_of_one_table_lose_no_changes_of_another() {
    let (server, admin) = server().await;
    admin.batch_execute("alter policy own on public.own using (pg_sleep(4) is not null)").await.unwrap();
    let mut slow = Vec::new();
    for number in 1..=4 {
        let user = format!("00000000-0000-4000-8000-00000000000{number}");
        slow.push(subscribed(&server, Some(&user), json!([on("own")])).await.0);
    }
    let (mut other, _) = subscribed(&server, None, json!([on("notes")])).await;
    let both = "begin; insert into public.own values (1, null, 'a'); insert into public.notes (id) values (1); commit";
    admin.batch_execute(both).await.unwrap();
    assert_eq!(change(&mut other).await.payload["data"]["record"]["id"], 1);
    for socket in &mut slow {
        let said = socket.message().await.payload;
        assert_eq!(said["message"], "Changes could not be read in time; some were not sent", "{said}");
    }
}
