//! Responses for paths that belong to no service.

use std::borrow::Cow;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use actix_web::{App, test};
use gateway::keys::ApiKeys;
use gateway::{Keys, PublicUrl};
use pg::{Pool, PoolConfig, Target};

use super::*;
use crate::config::AppSettings;

struct Files;

impl SiteFiles for Files {
    fn get(&self, path: &str) -> Option<File> {
        let content: &[u8] = match path {
            "index.html" => b"<script id=\"dugout-config\" type=\"application/json\">{}</script>",
            "assets/a-1.js" => b"1",
            "assets/a-1.js.br" => b"compressed",
            "assets/b-1.js" => b"2",
            _ => return None,
        };
        Some(File { content: Cow::Borrowed(content), hash: [7; 32] })
    }
}

fn shared() -> Shared {
    // Nothing listens at this address; the pool connects lazily.
    let target = Target::parse("postgres://nobody@127.0.0.1:1/x?sslmode=disable").unwrap();
    let patience = PoolConfig { size: 1, acquire_timeout: Duration::from_secs(1) };
    let app = AppSettings { serve: true, ip_lookup_url: "https://ip.test/json".to_owned(), ..AppSettings::default() };
    Shared {
        events: Events::default(),
        proxies: TrustedProxies::default(),
        policy: CallerPolicy::supabase(Keys::builder().build(), ApiKeys::default()),
        health: Health::new(Pool::new(&target, &patience).unwrap(), "17", Services::none()),
        services: Services::none(),
        page: PageSettings { public_url: PublicUrl::parse("http://h").unwrap(), anon_key: "k".to_owned(), app },
        meta: PageMeta::new(None),
        site: Some(Arc::new(Files)),
    }
}

#[actix_web::test]
async fn every_path_has_its_status_and_type() {
    let shared = shared();
    let app = test::init_service(App::new().configure(|app| mount(&shared, app))).await;
    for (method, path, status, kind) in [
        ("GET", "/", 200, "text/html; charset=utf-8"),
        ("HEAD", "/signin", 200, "text/html; charset=utf-8"),
        ("GET", "/players/jose.maria", 200, "text/html; charset=utf-8"),
        ("GET", "/players/anna.me", 200, "text/html; charset=utf-8"),
        ("GET", "/assets/a-1.js", 200, "text/javascript"),
        ("GET", "/assets/gone", 404, ""),
        ("GET", "/gone.css", 404, ""),
        ("GET", "/.env", 404, ""),
        ("POST", "/", 404, "application/json"),
        ("GET", "/ip", 200, "application/json"),
        ("HEAD", "/ip", 200, "application/json"),
        ("DELETE", "/ip", 405, "application/json"),
        ("GET", "/health", 503, "application/json"),
        ("POST", "/graphql/v1", 404, "application/json"),
        ("GET", "/pg/tables", 404, "application/json"),
    ] {
        let request = test::TestRequest::default().method(Method::from_bytes(method.as_bytes()).unwrap()).uri(path);
        let response = test::call_service(&app, request.to_request()).await;
        let found = response.headers().get("content-type").map_or("", |value| value.to_str().unwrap());
        assert_eq!((response.status(), found), (StatusCode::from_u16(status).unwrap(), kind), "{method} {path}");
        if status == 405 {
            assert_eq!(response.headers().get("allow").unwrap(), "GET, HEAD");
        }
    }
}

#[actix_web::test]
async fn the_page_may_fetch_from_the_configured_look_up_only() {
    let shared = shared();
    let app = test::init_service(App::new().configure(|app| mount(&shared, app))).await;
    let response = test::call_service(&app, test::TestRequest::get().uri("/").to_request()).await;
    let policy = response.headers().get("content-security-policy").unwrap().to_str().unwrap();
    assert!(policy.contains("connect-src 'self' https://ip.test;"), "{policy}");
}

#[actix_web::test]
async fn the_compressed_file_is_sent_only_if_accepted() {
    let shared = shared();
    let app = test::init_service(App::new().configure(|app| mount(&shared, app))).await;
    for (path, accepted, encoding, body) in [
        ("/assets/a-1.js", Some("gzip, deflate, br, zstd"), Some("br"), &b"compressed"[..]),
        ("/assets/a-1.js", Some("br;q=0, identity"), None, b"1"),
        ("/assets/a-1.js", Some("identity"), None, b"1"),
        ("/assets/a-1.js", None, None, b"1"),
        ("/assets/b-1.js", Some("identity"), None, b"2"),
    ] {
        let mut request = test::TestRequest::get().uri(path);
        if let Some(accepted) = accepted {
            request = request.insert_header(("Accept-Encoding", accepted));
        }
        let response = test::call_service(&app, request.to_request()).await;
        let header = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(header("content-encoding").as_deref(), encoding, "{path} {accepted:?}");
        assert_eq!(header("content-type").as_deref(), Some("text/javascript"), "{path} {accepted:?}");
        assert_eq!(
            header("vary").is_some_and(|vary| vary.eq_ignore_ascii_case("accept-encoding")),
            path.contains("a-1")
        );
        assert_eq!(test::read_body(response).await, body, "{path} {accepted:?}");
    }
    let response = test::call_service(&app, test::TestRequest::get().uri("/assets/a-1.js.br").to_request()).await;
    assert_eq!(response.status(), 404, "the compressed file has no URL of its own");
}
