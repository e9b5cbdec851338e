//! `[storage.buckets]` of config.toml.

use std::path::Path;

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Calls, Launch, Process, accounts, free_port};

fn configure(project: &Path, port: u16, bucket: &str) {
    let text = format!("[db]\nport = {port}\n\n[storage.buckets.photos]\n{bucket}");
    std::fs::create_dir_all(project.join("supabase/files/teams")).unwrap();
    std::fs::write(project.join("supabase/config.toml"), text).unwrap();
}

async fn photos(dugout: &Process, key: &str) -> Value {
    let found = dugout.request(Method::GET, "/storage/v1/bucket/photos").header("apikey", key).bearer(key);
    let found = found.await.is(200).json();
    json!([found["public"], found["file_size_limit"], found["allowed_mime_types"]])
}

#[tokio::test]
async fn declared_buckets_are_created_and_filled_in_development() {
    let launch = Launch::new(accounts()[0]);
    let project = launch.folder.path().join("project");
    let port = free_port();
    configure(&project, port, "public = false\nfile_size_limit = \"1MiB\"");
    let launch = launch.arg("--project", &project);
    let mut dugout = launch.start().await;
    let key = launch.status("SERVICE_ROLE_KEY");
    assert_eq!(photos(&dugout, &key).await, json!([false, 1 << 20, null]));
    dugout.stop().await;

    // In production a bucket stays as somebody changed it meanwhile; in development it is what the project declares.
    configure(&project, port, "public = true\nallowed_mime_types = [\"image/png\"]\nobjects_path = \"./files\"");
    let files = project.join("supabase/files");
    std::fs::write(files.join("a.png"), "one").unwrap();
    std::fs::write(files.join("teams/b c.png"), "two").unwrap();
    let mut dugout = launch.start().await;
    assert_eq!(photos(&dugout, &key).await, json!([false, 1 << 20, null]));
    dugout.stop().await;
    let launch = launch.switch("--dev");
    let mut dugout = launch.start().await;
    let key = launch.status("SERVICE_ROLE_KEY");
    assert_eq!(photos(&dugout, &key).await, json!([true, null, ["image/png"]]));
    let read = dugout.get("/storage/v1/object/public/photos/teams/b%20c.png").await.is(200);
    let told = ["content-type", "cache-control"].map(|name| read.header(name).to_owned());
    assert_eq!((read.body.as_str(), told), ("two", ["image/png".to_owned(), "max-age=3600".to_owned()]));
    let version = async |dugout: &Process| {
        let info = dugout.get("/storage/v1/object/info/public/photos/a.png").await.is(200).json();
        info["version"].as_str().unwrap().to_owned()
    };
    let first = version(&dugout).await;
    dugout.stop().await;
    let mut dugout = launch.start().await;
    assert_eq!(version(&dugout).await, first, "a file that did not change is not uploaded again");
    dugout.stop().await;
    std::fs::write(files.join("a.png"), "another").unwrap();
    let mut dugout = launch.start().await;
    assert_eq!(dugout.get("/storage/v1/object/public/photos/a.png").await.is(200).body, "another");
    dugout.stop().await;

    std::fs::write(files.join("notes.txt"), "x").unwrap();
    let said = launch.refused().await;
    assert!(said.contains("the bucket photos: ") && said.contains("mime type text/plain is not supported"), "{said}");
    configure(&project, port, "public = \"perhaps\"");
    let said = launch.refused().await;
    assert!(said.contains("“perhaps” must be true or false"), "{said}");
}
