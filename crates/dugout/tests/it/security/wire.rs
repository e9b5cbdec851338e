//! Requests as raw bytes: which are accepted, which are refused, and with which message.

use crate::kit::{Calls, DataApi, Server, Socket};

#[tokio::test]
async fn raw_characters_in_urls_are_accepted() {
    let s = DataApi::start(
        "create table people (id int, data jsonb);
         insert into people values (1, '{\"name\": \"Zoë\"}'), (2, '{\"name\": \"\\\"A\\\"\"}');",
        &[],
    )
    .await;
    let mut socket = Socket::open(&s.url).await;
    // Raw characters as in PostgREST's documentation, and percent-encoded ones, all on one connection.
    for query in ["data->>name=eq.Zoë", "data-%3E%3Ename=eq.Zo%C3%AB", "data->name=eq.\"Zoë\"", "id=eq.1&select=id"] {
        socket.send(format!("GET /people?select=id&{query} HTTP/1.1\r\nhost: x\r\n\r\n")).await;
        let answer = socket.until("]").await;
        assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("[{\"id\":1}]"), "{query}: {answer}");
    }
    let one = "GET /people?select=id&data->>name=eq.Zoë HTTP/1.1\r\nhost: x\r\n\r\n";
    socket.send(format!("{one}{one}")).await;
    socket.until("[{\"id\":1}]").await;
    socket.until("[{\"id\":1}]").await;
    // A body that looks like a request is still a body.
    let body = "GET /a>b HTTP/1.1\r\nhost: x\r\n\r\n";
    socket.send(format!("POST /people HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n{body}{one}", body.len())).await;
    let answer = socket.until("[{\"id\":1}]").await;
    assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("PGRST102"), "{answer}");
}

/// The response to these bytes, read until the server closes the connection.
async fn said(s: &Server, request: &str) -> String {
    let mut socket = Socket::open(&s.url).await;
    socket.send(request).await;
    socket.rest().await
}

#[tokio::test]
async fn unsupported_http_is_refused_in_the_services_format() {
    let s = Server::start().await;
    let length = "content-length: 1\r\ncontent-length: 2\r\n";
    for (path, words) in [
        ("/rest/v1/users?a=b", "\"code\":\"PGRST102\""),
        ("/auth/v1/settings", "\"error_code\":\"validation_failed\""),
        ("/health", "{\"message\":"),
        ("/no/such/page", "{\"message\":"),
    ] {
        for request in [
            format!("GET {path} HTTP/1.1\nhost: x\norigin: http://x.test\n\n"),
            format!("GET {path} HTTP/1.1\r\nhost: x\r\norigin: http://x.test\n\r\n"),
            format!("POST {path} HTTP/1.1\r\nhost: x\r\norigin: http://x.test\r\n{length}\r\nab"),
            format!("POST {path} HTTP/1.1\r\nhost: x\r\norigin: http://x.test\r\ntransfer-encoding: x\r\n\r\nab"),
            format!("GET {path} c HTTP/1.1\r\nhost: x\r\norigin: http://x.test\r\n\r\n"),
        ] {
            let answer = said(&s, &request).await;
            let head = answer.to_lowercase();
            assert!(head.starts_with("http/1.1 400 bad request"), "{request}: {answer}");
            assert!(answer.contains(words), "{request}: {answer}");
            for header in ["access-control-allow-origin: *", "x-content-type-options: nosniff", "connection: close"] {
                assert!(head.contains(header), "{header}: {answer}");
            }
        }
    }
    let long = format!("GET /rest/v1/users?a={} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(70_000));
    assert!(said(&s, &long).await.starts_with("HTTP/1.1 414"));
    let long = format!("GET /rest/v1/users HTTP/1.1\r\nhost: x\r\na: {}\r\n\r\n", "a".repeat(200_000));
    assert!(said(&s, &long).await.starts_with("HTTP/1.1 431"));
    // The preceding request is answered first, completely.
    let good = "GET /rest/v1/users?select=id HTTP/1.1\r\nhost: x\r\n\r\n";
    let both = said(&s, &format!("{good}GET / HTTP/1.1\n\n")).await;
    assert_eq!(both.matches("HTTP/1.1 ").count(), 2, "{both}");
    assert!(both.rfind("HTTP/1.1 400") > both.find("HTTP/1.1 401"), "{both}");
    // A client cannot forge an internal refusal.
    let forged = "REFUSED /rest/v1/users HTTP/1.1\r\nhost: x\r\ndugout-refused: busy\r\nconnection: close\r\n\r\n";
    assert!(said(&s, forged).await.starts_with("HTTP/1.1 405"));
}

#[tokio::test]
async fn every_response_forbids_content_sniffing() {
    let s = Server::start().await;
    for (path, status) in [
        ("/rest/v1/users?select=id", 401),
        ("/rest/v1/nothing", 404),
        ("/auth/v1/settings", 200),
        ("/auth/v1/user", 401),
        ("/health", 200),
        ("/storage/v1/bucket", 200),
        ("/functions/v1/hello", 404),
    ] {
        assert_eq!(s.get(path).await.is(status).header("x-content-type-options"), "nosniff", "{path}");
    }
    let s = DataApi::start("create table t (id int);", &[]).await;
    for (path, status) in [("/t", 200), ("/nothing", 404)] {
        assert_eq!(s.get(path).await.is(status).header("x-content-type-options"), "nosniff", "{path}");
    }
}
