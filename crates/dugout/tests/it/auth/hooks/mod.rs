//! Hooks as functions of a real database, and as a real HTTP server that verifies signatures.

mod access_token;
mod attempts;
mod function;
mod messages;
mod second_factors;
mod server;
mod slow;
mod users;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::kit::{Caught, Database, HttpCatcher, Saying, Server};

const KEYS: [&[u8]; 2] = [b"0123456789abcdef01234567", b"another key for a rotation"];

/// The secrets shared with the hook receiver.
fn secrets() -> String {
    KEYS.map(|key| format!("v1,whsec_{}", BASE64_STANDARD.encode(key))).join("|")
}

/// A receiver that accepts everything.
fn receiver() -> HttpCatcher {
    HttpCatcher::saying(Saying::json(200, &json!({})))
}

/// The settings of an HTTP hook.
fn at(name: &str, url: &str) -> Vec<(String, String)> {
    let name = name.to_uppercase();
    vec![
        (format!("GOTRUE_HOOK_{name}_ENABLED"), "true".to_owned()),
        (format!("GOTRUE_HOOK_{name}_URI"), format!("{url}/{name}")),
        (format!("GOTRUE_HOOK_{name}_SECRETS"), secrets()),
    ]
}

/// The settings of a hook that is the function `public.hook`.
fn in_database(name: &str) -> Vec<(String, String)> {
    let name = name.to_uppercase();
    vec![
        (format!("GOTRUE_HOOK_{name}_ENABLED"), "true".to_owned()),
        (format!("GOTRUE_HOOK_{name}_URI"), "pg-functions://postgres/public/hook".to_owned()),
    ]
}

async fn server(hooks: Vec<(String, String)>, more: &[(&str, &str)]) -> Server {
    server_over(Database::cloned().await, hooks, more).await
}

async fn server_over(database: Database, hooks: Vec<(String, String)>, more: &[(&str, &str)]) -> Server {
    let usual = [("GOTRUE_SMTP_MAX_FREQUENCY", "1ns"), ("GOTRUE_SMS_MAX_FREQUENCY", "1ns")];
    let hooks = hooks.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let all: Vec<(&str, &str)> = usual.into_iter().chain(hooks).chain(more.iter().copied()).collect();
    Server::over(database, &all).await
}

/// A database in which `public.hook(event)` has this body and is executable for `auth`.
async fn database(event: &str, body: &str) -> Database {
    let database = Database::cloned().await;
    let sql = format!(
        "create table public.seen (event jsonb);
         create function public.hook(event {event}) returns {event} language plpgsql as $f$ {body} $f$;
         grant usage on schema public to supabase_auth_admin;
         grant all on public.seen to supabase_auth_admin;
         grant execute on function public.hook to supabase_auth_admin;"
    );
    database.connect().await.batch_execute(&sql).await.unwrap();
    database
}

/// The events that the functions of [`database`] recorded.
async fn seen(database: &Database) -> Vec<Value> {
    let rows = database.connect().await.query("select event from public.seen", &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

async fn users(server: &Server) -> i64 {
    server.database.connect().await.query_one("select count(*) from auth.users", &[]).await.unwrap().get(0)
}

/// Verifies a request by the rules of Standard Webhooks, once for each key; returns its body.
#[track_caller]
fn verified(caught: &Caught) -> Value {
    let (id, time) = (caught.header("webhook-id"), caught.header("webhook-timestamp"));
    assert!(uuid::Uuid::parse_str(id).is_ok(), "{caught:?}");
    let age = chrono::Utc::now().timestamp() - time.parse::<i64>().unwrap();
    assert!((-5..60).contains(&age), "{age} seconds old");
    let expected = KEYS.map(|key| {
        let mut mac = <Hmac<Sha256> as Mac>::new_from_slice(key).unwrap();
        mac.update(format!("{id}.{time}.{}", caught.body).as_bytes());
        format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
    });
    assert_eq!(caught.header("webhook-signature"), expected.join(", "));
    assert_eq!(caught.header("content-type"), "application/json");
    caught.json()
}

/// The only request received.
#[track_caller]
fn one(receiver: &HttpCatcher) -> Value {
    let caught = receiver.caught();
    let [only] = caught.as_slice() else { panic!("not one request: {caught:#?}") };
    verified(only)
}
