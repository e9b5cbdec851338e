//! A function that is deleted and deployed again under its name.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use super::Functions;
use super::deploy::{FORM, form};
use crate::kit::Calls;

#[tokio::test]
async fn a_start_that_was_under_way_does_not_serve_a_deleted_function() {
    let Some(s) = Functions::start(&[]).await else { return };
    let at = "/v1/projects/abcdefghijklmnopqrst/functions";
    let entry = "supabase/functions/hello/index.ts";
    let deploy = async |text: &str| {
        let metadata = json!({ "entrypoint_path": entry, "verify_jwt": false }).to_string();
        let body = form(&metadata, &[(entry, text)]);
        let request = s.server.request(Method::POST, &format!("{at}/deploy?slug=hello"));
        request.bearer(&s.server.service_role_key).body(body).header("content-type", FORM).await.is(201);
    };
    let old = "console.log('booting'); await new Promise((done) => setTimeout(done, 5000)); Deno.serve(() => new Response('old'));";
    deploy(old).await;
    let first = async { assert_ne!(s.get("hello").await.status, 404, "its start was under way") };
    let again = async {
        let log = s.data().join("functions/logs/hello.log");
        while !std::fs::read_to_string(&log).is_ok_and(|text| text.contains("booting")) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let delete = s.server.request(Method::DELETE, &format!("{at}/hello"));
        delete.bearer(&s.server.service_role_key).await.is(200);
        deploy("Deno.serve(() => new Response('new'));").await;
    };
    tokio::join!(first, again);
    assert_eq!(s.get("hello").await.is(200).body, "new");
}
