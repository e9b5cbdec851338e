//! `dugout doctor`.

use crate::kit::{Account, Launch};

fn said(launch: &Launch, arguments: &[&str]) -> (bool, String) {
    let output = launch.command(["doctor"]).arg("--data-dir").arg(launch.data_dir()).args(arguments).output().unwrap();
    (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

#[tokio::test]
async fn what_is_missing_is_said_with_what_to_do_about_it() {
    let launch = Launch::new(Account::Ours).env("DUGOUT_DENO", "/nowhere/deno");
    let (fine, text) = said(&launch, &["--port", "0"]);
    assert!(fine, "functions are not needed for a start: {text}");
    for part in ["ok      PostgreSQL", "pgvector", "is free", "missing Deno", "DUGOUT_DENO names /nowhere/deno"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let (fine, text) = said(&launch, &["--port", &port]);
    assert!(!fine && text.contains("missing Server") && text.contains("choose another --port"), "{text}");
    let (fine, text) = said(&launch, &["--port", "0", "--postgres-bin-dir", "/nowhere"]);
    assert!(!fine && text.contains("missing PostgreSQL") && text.contains("/nowhere"), "{text}");
    assert!(text.contains("the server cannot start: see PostgreSQL"), "{text}");
}

#[tokio::test]
async fn a_running_server_is_found() {
    let launch = Launch::prepared(Account::Ours).await;
    let _dugout = launch.start().await;
    let (fine, text) = said(&launch, &[]);
    assert!(fine && text.contains(&format!("runs at {}", launch.url())), "{text}");
}
