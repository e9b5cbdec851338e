//! The mailbox at the port where the Supabase CLI starts Mailpit.

use reqwest::Method;
use serde_json::json;

use super::Project;
use crate::kit::{Calls, Request, free_port};

#[tokio::test]
async fn mails_are_found_as_in_mailpit() {
    let (project, port) = (Project::new(""), free_port());
    let config = format!(
        "[api]\nport = {}\n[db]\nport = {}\n[local_smtp]\nport = {port}\n[auth.email]\nenable_confirmations = true\n",
        project.launch.port, project.db_port
    );
    project.write("supabase/config.toml", &config);
    let dugout = project.launch.start().await;
    let url = format!("http://127.0.0.1:{port}");
    assert_eq!(project.launch.status("MAILPIT_URL"), url);
    dugout.post("/auth/v1/signup", json!({ "email": "ana@x.test", "password": "pick-off-42" })).await.is(200);
    let begun = std::time::Instant::now();
    let found = loop {
        let found = Request::to_get(&format!("{url}/api/v1/search?query=to:ana@x.test")).await.is(200).json();
        if found["total"] == 1 {
            break found;
        }
        assert!(begun.elapsed().as_secs() < 20, "no mail: {found}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    let none = Request::to_get(&format!("{url}/api/v1/search?query=to:bea@x.test")).await.is(200).json();
    assert_eq!(none["total"], 0);
    let id = found["messages"][0]["ID"].as_str().unwrap();
    let mail = Request::to_get(&format!("{url}/api/v1/message/{id}")).await.is(200).json();
    assert_eq!(Request::to_get(&format!("{url}/api/v1/message/latest")).await.is(200).json()["ID"], id);
    // As Mailpit makes text of HTML, so that tests read codes and links from it.
    let text = mail["Text"].as_str().unwrap();
    let link =
        text.split_whitespace().find(|word| word.contains("/auth/v1/verify")).unwrap_or_else(|| panic!("{text}"));
    Request::to_get(link).await.is(303);
    let page = Request::to_get(&format!("{url}/")).await.is(200).body;
    assert!(page.contains(&format!("<a href=\"/{id}\">")), "{page}");
    assert!(dugout.get("/mailbox").await.is(200).body.contains(&format!("<a href=\"/mailbox/{id}\">")));
    // Pages of other sites may not read codes here either.
    Request::to_get(&format!("{url}/api/v1/messages")).header("origin", "https://evil.test").await.is(403);
    Request::of(Method::DELETE, &format!("{url}/api/v1/messages")).await.is(200);
    assert_eq!(Request::to_get(&format!("{url}/api/v1/messages")).await.is(200).json()["total"], 0);
}

#[tokio::test]
async fn a_port_that_is_taken_is_a_warning() {
    let project = Project::new("");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let ports = (project.launch.port, project.db_port);
    // The section's older name.
    let config = format!("[api]\nport = {}\n[db]\nport = {}\n[inbucket]\nport = {port}\n", ports.0, ports.1);
    project.write("supabase/config.toml", &config);
    let dugout = project.launch.start().await;
    assert_eq!(project.launch.status("MAILPIT_URL"), format!("{}/mailbox", project.launch.url()));
    assert!(dugout.log().contains("mailbox_port"), "{}", dugout.log());
}
