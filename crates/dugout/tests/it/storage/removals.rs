//! Files whose rows SQL deletes, and signed URLs that SQL ends.

use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::kit::{Calls, Database, Server};

/// As the project's migrations do it. `private.removed_files` is theirs.
const DELETE: &str = "begin;
    set local storage.allow_delete_query = 'true';
    with gone as (delete from storage.objects where bucket_id = 'b' returning bucket_id, name, version)
    insert into private.removed_files (bucket_id, name, version) select * from gone;
    notify storage_removed_files;
    commit";

async fn started(database: Database, folder: &Path) -> Server {
    let folder = ("STORAGE_FILE_BACKEND_PATH", folder.to_str().unwrap());
    Server::over(database, &[("DUGOUT_STORAGE_REMOVALS", "true"), folder]).await
}

/// A server with three objects in `folder`.
async fn filled(database: Database, folder: &Path) -> Server {
    let s = started(database, folder).await;
    s.as_service(Method::POST, "/storage/v1/bucket").json(&json!({ "name": "b" })).await.is(200);
    for name in ["one/a.txt", "one/b.txt", "two.txt"] {
        let upload = s.as_service(Method::POST, &format!("/storage/v1/object/b/{name}")).body("hello");
        upload.header("content-type", "text/plain").await.is(200);
    }
    s
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.join("stub/stub")]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found
}

async fn all_go(folder: &Path) {
    for _ in 0..600 {
        if files(folder).is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{:?}", files(folder));
}

async fn waiting(s: &Server) -> i64 {
    let client = s.database.connect().await;
    client.query_one("select count(*) from private.removed_files", &[]).await.unwrap().get(0)
}

/// Waits until the table is empty.
async fn done(s: &Server) {
    for _ in 0..600 {
        if waiting(s).await == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the table stays full");
}

#[tokio::test]
async fn the_files_of_rows_that_sql_deletes_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let s = filled(Database::cloned().await, folder.path()).await;
    assert_eq!(files(folder.path()).len(), 3);
    s.database.connect().await.batch_execute(DELETE).await.unwrap();
    all_go(folder.path()).await;
    done(&s).await;
}

#[tokio::test]
async fn what_was_deleted_while_the_server_was_down_is_removed_at_its_start() {
    let (database, folder) = (Database::cloned().await, tempfile::tempdir().unwrap());
    drop(filled(Database::shared(&database), folder.path()).await);
    database.connect().await.batch_execute(DELETE).await.unwrap();
    assert_eq!(files(folder.path()).len(), 3);
    let _s = started(database, folder.path()).await;
    all_go(folder.path()).await;
}

#[tokio::test]
async fn a_file_that_a_row_names_again_stays() {
    let folder = tempfile::tempdir().unwrap();
    let s = filled(Database::cloned().await, folder.path()).await;
    let listed = "insert into private.removed_files (bucket_id, name, version)
        select bucket_id, name, version from storage.objects where name = 'two.txt';
        insert into private.removed_files (bucket_id, name, version) values ('b', '../../escape', 'v'), ('b', 'none', null),
        -- A folder, a name that no file has, and a file as a folder.
        ('b', 'one', null), ('b', repeat('x', 300), 'v'), ('b', 'two.txt/' || (select version from storage.objects where name = 'two.txt'), 'v');
        notify storage_removed_files";
    s.database.connect().await.batch_execute(listed).await.unwrap();
    done(&s).await;
    assert_eq!(files(folder.path()).len(), 3);
}

#[tokio::test]
async fn sql_ends_signed_urls() {
    let folder = tempfile::tempdir().unwrap();
    let s = filled(Database::cloned().await, folder.path()).await;
    let sign = async || {
        let order = json!({ "expiresIn": 60, "paths": ["two.txt"] });
        let many = s.as_service(Method::POST, "/storage/v1/object/sign/b").json(&order).await.is(200).json();
        let one = s.as_service(Method::POST, "/storage/v1/object/sign/b/two.txt").json(&json!({ "expiresIn": 60 }));
        let one = one.await.is(200).json();
        [&one["signedURL"], &many[0]["signedURL"]].map(|url| format!("/storage/v1{}", url.as_str().unwrap()))
    };
    let before = sign().await;
    for url in &before {
        s.get(url).await.is(200);
    }
    let end = "update storage.objects set metadata = metadata
        || jsonb_build_object('signedUrlsFrom', floor(extract(epoch from clock_timestamp()))::bigint + 300)";
    s.database.connect().await.batch_execute(end).await.unwrap();
    // A new version does not bring them back.
    let upload = s.as_service(Method::POST, "/storage/v1/object/b/two.txt").body("again").header("x-upsert", "true");
    upload.header("content-type", "text/plain").await.is(200);
    for url in &before {
        let refused = s.get(url).await.is(400).json();
        assert_eq!(refused["message"], "\"exp\" claim timestamp check failed", "{url}");
    }
    for url in sign().await {
        s.get(&url).await.is(200);
    }
}
