//! `/mailbox`: mails in development, without a mail server

use serde_json::json;

use crate::kit::{Calls, Server};

#[tokio::test]
async fn the_mailbox_is_for_this_machine_only() {
    let s = Server::with(&[("DUGOUT_DEV", "true")]).await;
    assert!(s.get("/mailbox").await.is(200).body.contains("No mail yet"));
    s.post("/auth/v1/otp", json!({ "email": "ana@x.test", "data": { "name": "<script>alert(1)</script>" } }))
        .await
        .is(200);
    let begun = std::time::Instant::now();
    let list = loop {
        let list = s.get("/mailbox/api/v1/messages").await.is(200).json();
        if list["total"] == 1 {
            break list;
        }
        assert!(begun.elapsed().as_secs() < 20, "no mail: {list}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    let mail = &list["messages"][0];
    assert_eq!(mail["To"][0]["Address"], "ana@x.test");
    let id = mail["ID"].as_str().unwrap();
    assert!(s.get(&format!("/mailbox/api/v1/message/{id}")).await.is(200).json()["HTML"].is_string());
    let page = s.get(&format!("/mailbox/{id}")).await.is(200);
    assert!(page.body.contains("<iframe") && page.body.contains("sandbox=\"allow-popups"), "{}", page.body);
    let html = s.get(&format!("/mailbox/{id}/html")).await.is(200);
    assert!(html.header("content-security-policy").starts_with("sandbox allow-popups"));
    for (header, value) in [("host", "rebound.test"), ("origin", "https://evil.test"), ("sec-fetch-site", "cross-site")]
    {
        for path in ["/mailbox", "/mailbox/api/v1/messages"] {
            s.get(path).header(header, value).await.is(403);
        }
    }
    s.delete("/mailbox/api/v1/messages").await.is(200);
    s.get(&format!("/mailbox/{id}")).await.is(404);
}

#[tokio::test]
async fn only_development_has_a_mailbox() {
    let s = Server::start().await;
    let answer = s.get("/mailbox").await;
    assert!(!answer.body.contains("Mailbox") && !answer.body.contains("No mail yet"), "{}", answer.body);
}
