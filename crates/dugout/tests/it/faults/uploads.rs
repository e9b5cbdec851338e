//! The server is killed during uploads: acknowledged data is kept, and the rest can be resumed.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reqwest::Method;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::kit::{Calls, Launch, Process, Request, accounts, long, streamed};

/// Pseudo-random bytes, the same for the same seed (Marsaglia's xorshift).
pub fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    let mut bytes: Vec<u8> = (0..length.div_ceil(8)).flat_map(|_| next()).collect();
    bytes.truncate(length);
    bytes
}

async fn bucket(dugout: &Process, key: &str) {
    let made = dugout.request(Method::POST, "/storage/v1/bucket").header("apikey", key).bearer(key);
    made.json(&json!({ "name": "b", "public": true })).await.is(200);
}

fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(60)).build().unwrap()
}

async fn hash(client: &reqwest::Client, url: &str) -> Vec<u8> {
    let answer = client.get(url).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{url}");
    Sha256::digest(answer.bytes().await.unwrap()).to_vec()
}

/// Sends the bytes from `from` on in small pieces. `sent` counts them.
pub fn slowly(bytes: &[u8], from: usize, sent: &Arc<AtomicUsize>) -> reqwest::Body {
    let pieces: Vec<Vec<u8>> = bytes[from..].chunks(16 * 1024).map(<[u8]>::to_vec).collect();
    let sent = sent.clone();
    streamed(futures_util::stream::unfold(pieces.into_iter(), move |mut pieces| {
        let sent = sent.clone();
        async move {
            let piece = pieces.next()?;
            sent.fetch_add(piece.len(), Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(1)).await;
            Some((piece, pieces))
        }
    }))
}

#[tokio::test]
async fn a_resumable_upload_survives_kills_at_any_offset() {
    let launch = Launch::prepared(accounts()[0]).await.env("DUGOUT_DB_DURABILITY", "full");
    let mut dugout = launch.start().await;
    let key = launch.status("SERVICE_ROLE_KEY");
    bucket(&dugout, &key).await;
    let whole = noise(7, 6 * 1024 * 1024 + 12_345);
    let named = |value: &str| BASE64_STANDARD.encode(value);
    let made = dugout.request(Method::POST, "/storage/v1/upload/resumable").bearer(&key);
    let made = made.header("tus-resumable", "1.0.0").header("upload-length", &whole.len().to_string());
    let made = made.header("upload-metadata", &format!("bucketName {},objectName {}", named("b"), named("v/a.mp4")));
    let location = made.await.is(201).header("location").to_owned();
    let about = |method| Request::of(method, &location).bearer(&key).header("tus-resumable", "1.0.0");
    let offset = async || {
        let looked = about(Method::HEAD).await.is(200);
        looked.header("upload-offset").parse::<usize>().unwrap()
    };
    let mut offsets = vec![0];
    // When it is killed: almost at once, in the first pieces, in the middle, just before the end, after the end.
    for until in [1, 300_000, 2_000_000, 4_100_000, whole.len() - 20_000] {
        let from = *offsets.last().unwrap();
        let sent = Arc::default();
        let part = about(Method::PATCH).body(slowly(&whole, from, &sent));
        let part = part.header("content-type", "application/offset+octet-stream");
        let part = tokio::spawn(part.header("upload-offset", &from.to_string()).try_send());
        let begun = Instant::now();
        while from + sent.load(Ordering::SeqCst) < until {
            assert!(begun.elapsed() < Duration::from_secs(60), "no piece was accepted");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        dugout.kill().await;
        assert!(part.await.unwrap().is_err(), "the killed server responded");
        dugout = launch.start().await;
        let now = offset().await;
        assert!(now >= from && now <= from + sent.load(Ordering::SeqCst), "{from} {now}");
        offsets.push(now);
    }
    println!("killed at {offsets:?}");
    assert!(offsets.windows(2).any(|pair| pair[1] > pair[0]), "no piece survived a kill: {offsets:?}");
    let from = *offsets.last().unwrap();
    let part = about(Method::PATCH).body(whole[from..].to_vec()).header("upload-offset", &from.to_string());
    part.header("content-type", "application/offset+octet-stream").await.is(204);
    // Acknowledged: a kill now must lose nothing.
    dugout.kill().await;
    let _dugout = launch.start().await;
    let read = hash(&client(), &format!("{}/storage/v1/object/public/b/v/a.mp4", launch.url())).await;
    assert_eq!(read, Sha256::digest(&whole).to_vec());
}

/// After a crash between the last byte and the row, a HEAD request of the client finishes the upload.
#[tokio::test]
async fn a_complete_upload_without_a_row_is_finished_by_a_head_request() {
    let launch = Launch::prepared(accounts()[0]).await.env("DUGOUT_DB_DURABILITY", "full");
    let mut dugout = launch.start().await;
    let key = launch.status("SERVICE_ROLE_KEY");
    bucket(&dugout, &key).await;
    let named = |value: &str| BASE64_STANDARD.encode(value);
    let made = dugout.request(Method::POST, "/storage/v1/upload/resumable").bearer(&key);
    let made = made.header("tus-resumable", "1.0.0").header("upload-length", "5");
    let made = made.header("upload-metadata", &format!("bucketName {},objectName {}", named("b"), named("x")));
    let location = made.await.is(201).header("location").to_owned();
    dugout.kill().await;
    let folder = launch.data_dir().join("storage/stub/.unfinished/resumable");
    let own = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    std::fs::write(own.join("data"), "hello").unwrap();
    let dugout = launch.start().await;
    let looked = Request::of(Method::HEAD, &location).bearer(&key).header("tus-resumable", "1.0.0").await.is(200);
    assert_eq!(looked.header("upload-offset"), "5");
    assert_eq!(dugout.get("/storage/v1/object/public/b/x").await.is(200).body, "hello");
}

/// A resumable upload over the object `b/x` whose last byte came before a crash: its URL.
async fn whole_without_a_row(launch: &Launch, key: &str, mut dugout: Process) -> (Process, String) {
    let named = |value: &str| BASE64_STANDARD.encode(value);
    let made = dugout.request(Method::POST, "/storage/v1/upload/resumable").bearer(key).header("x-upsert", "true");
    let made = made.header("tus-resumable", "1.0.0").header("upload-length", "5");
    let made = made.header("upload-metadata", &format!("bucketName {},objectName {}", named("b"), named("x")));
    let location = made.await.is(201).header("location").to_owned();
    dugout.kill().await;
    let folder = launch.data_dir().join("storage/stub/.unfinished/resumable");
    for own in std::fs::read_dir(folder).unwrap() {
        let data = own.unwrap().path().join("data");
        if data.exists() {
            std::fs::write(data, "hello").unwrap();
        }
    }
    (launch.start().await, location)
}

/// Content decides what is newer: an upload ends over an older object, whatever SQL writes into its row, and not over a newer one.
#[tokio::test]
async fn a_complete_upload_without_a_row_replaces_older_content_only() {
    let launch = Launch::prepared(accounts()[0]).await.env("DUGOUT_DB_DURABILITY", "full");
    let dugout = launch.start().await;
    let key = launch.status("SERVICE_ROLE_KEY");
    bucket(&dugout, &key).await;
    let put = async |dugout: &Process, name: &str, content: &'static str| {
        let upload = dugout.request(Method::POST, &format!("/storage/v1/object/b/{name}")).bearer(&key);
        upload.body(content).header("x-upsert", "true").await.is(200);
    };
    let read = async |dugout: &Process| dugout.get("/storage/v1/object/public/b/x").await.is(200).body;
    let look = async |location: &str| {
        let looked = Request::of(Method::HEAD, location).bearer(&key).header("tus-resumable", "1.0.0").await.is(200);
        assert_eq!(looked.header("upload-offset"), "5");
    };
    put(&dugout, "x", "older").await;
    put(&dugout, "other", "moved").await;
    let (dugout, location) = whole_without_a_row(&launch, &key, dugout).await;
    let owner = crate::kit::connect(&pg::Target::parse(&launch.status("DB_URL")).unwrap()).await;
    let end = r#"update storage.objects set metadata = metadata || '{"signedUrlsFrom":1}' where name = 'x'"#;
    assert_eq!(owner.execute(end, &[]).await.unwrap(), 1);
    look(&location).await;
    assert_eq!(read(&dugout).await, "hello");

    let (dugout, location) = whole_without_a_row(&launch, &key, dugout).await;
    put(&dugout, "x", "newer").await;
    look(&location).await;
    assert_eq!(read(&dugout).await, "newer");

    let (dugout, location) = whole_without_a_row(&launch, &key, dugout).await;
    let order = |method, path: &str| dugout.request(method, &format!("/storage/v1/object/{path}")).bearer(&key);
    order(Method::DELETE, "b/x").await.is(200);
    let moved = json!({ "bucketId": "b", "sourceKey": "other", "destinationKey": "x" });
    order(Method::POST, "move").json(&moved).await.is(200);
    look(&location).await;
    assert_eq!(read(&dugout).await, "moved");
}

/// After a crash between the row and the mark, the next request finishes the upload again. If that fails, the object stays.
#[tokio::test]
async fn a_repeated_finish_that_fails_leaves_the_object_unchanged() {
    let launch = Launch::prepared(accounts()[0]).await;
    let mut dugout = launch.start().await;
    let key = launch.status("SERVICE_ROLE_KEY");
    bucket(&dugout, &key).await;
    let named = |value: &str| BASE64_STANDARD.encode(value);
    let made = dugout.request(Method::POST, "/storage/v1/upload/resumable").bearer(&key).body("hello");
    let made = made.header("content-type", "application/offset+octet-stream").header("upload-length", "5");
    let made = made.header("upload-metadata", &format!("bucketName {},objectName {}", named("b"), named("x")));
    let location = made.header("tus-resumable", "1.0.0").await.is(201).header("location").to_owned();
    dugout.stop().await;
    let folder = launch.data_dir().join("storage/stub/.unfinished/resumable");
    let own = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let info = std::fs::read_to_string(own.join("info.json")).unwrap();
    assert!(info.contains(r#""recorded":true"#), "{info}");
    std::fs::write(own.join("info.json"), info.replace(r#""recorded":true"#, r#""recorded":false"#)).unwrap();
    std::fs::write(own.join("data"), "hello").unwrap();

    let dugout = launch.start().await;
    let look = || Request::of(Method::HEAD, &location).bearer(&key).header("tus-resumable", "1.0.0");
    let read = async || dugout.get("/storage/v1/object/public/b/x").await.is(200).body;
    let owner = crate::kit::connect(&pg::Target::parse(&launch.status("DB_URL")).unwrap()).await;
    let lock = "begin; select pg_advisory_xact_lock(hashtextextended('storage:b/x', 0))";
    owner.batch_execute(lock).await.unwrap();
    assert_eq!((look().await.status, read().await), (503, "hello".to_owned()));
    owner.batch_execute("rollback").await.unwrap();
    assert_eq!((look().await.is(200).header("upload-offset"), read().await), ("5", "hello".to_owned()));
}

/// `dugout storage fsck` with more arguments: whether it is content, and what it says.
pub fn fsck(launch: &Launch, more: &[&str]) -> (bool, String) {
    let mut command = launch.command(["storage", "fsck", "--data-dir"]);
    let output = command.arg(launch.data_dir()).arg("--project").arg(launch.folder.path()).args(more).output().unwrap();
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8(said).unwrap()).concat();
    (output.status.success(), said)
}

#[tokio::test]
async fn fsck_finds_what_is_there_by_half_and_repairs_it() {
    let launch = Launch::prepared(accounts()[0]).await;
    std::fs::create_dir(launch.folder.path().join("supabase")).unwrap();
    let mut dugout = launch.start().await;
    let key = launch.status("SERVICE_ROLE_KEY");
    bucket(&dugout, &key).await;
    let upload = async |dugout: &Process, name: &str| {
        let upload = dugout.request(Method::POST, &format!("/storage/v1/object/b/{name}")).bearer(&key);
        upload.body("hello").await.is(200);
    };
    for name in ["kept//odd.txt", "lost.txt", "..%2F..%2Fup.txt"] {
        upload(&dugout, name).await;
    }
    assert!(fsck(&launch, &[]).0, "{}", fsck(&launch, &[]).1);
    let base = launch.data_dir().join("storage/stub");
    let objects = base.join("stub/b");
    std::fs::remove_dir_all(objects.join("lost.txt")).unwrap();
    let orphan = objects.join("orphan.txt/9b2f0f3e-1d2c-4a58-9a0e-000000000000");
    std::fs::create_dir_all(orphan.parent().unwrap()).unwrap();
    std::fs::write(&orphan, "nobody's").unwrap();
    let unfinished = base.join(".unfinished/9b2f0f3e-1d2c-4a58-9a0e-000000000001");
    std::fs::create_dir_all(unfinished.parent().unwrap()).unwrap();
    std::fs::write(&unfinished, "half").unwrap();
    let part =
        base.join(".unfinished/multipart/9b2f0f3e-1d2c-4a58-9a0e-000000000002/9b2f0f3e-1d2c-4a58-9a0e-000000000003");
    std::fs::create_dir_all(part.parent().unwrap()).unwrap();
    std::fs::write(&part, "a part").unwrap();
    // While the server runs, new files are let be: their rows may be about to come.
    let (content, said) = fsck(&launch, &["--repair"]);
    assert!(content && said.contains("Removed the object without a file: b/lost.txt\n"), "{said}");
    assert!(orphan.exists() && unfinished.exists() && part.exists(), "{said}");
    dugout.stop().await;
    let (content, said) = fsck(&launch, &[]);
    assert!(!content && said.contains("File of no object: ") && said.contains("Unfinished file: "), "{said}");
    assert!(orphan.exists(), "only looking changes nothing");
    let (content, said) = fsck(&launch, &["--repair"]);
    assert!(content && said.contains(&format!("Removed the file of no object: {}", orphan.display())), "{said}");
    assert!(!orphan.parent().unwrap().exists() && !unfinished.exists() && !part.exists(), "{said}");
    let (content, said) = fsck(&launch, &[]);
    assert!(content && said.starts_with("Looked at 2 objects and 2 files.\n"), "{said}");
    // A folder that is not there at all is no reason to delete every row.
    std::fs::rename(&base, launch.data_dir().join("elsewhere")).unwrap();
    let (content, said) = fsck(&launch, &["--repair"]);
    assert!(!content && said.contains("this is most likely the wrong folder; nothing was repaired"), "{said}");
    std::fs::rename(launch.data_dir().join("elsewhere"), &base).unwrap();
    assert!(fsck(&launch, &[]).0);
    assert_no_repair_with_a_wrong_database(&launch, &objects);
}

/// A forgotten database URL must not cost the files: neither with a new database, nor with one that lacks most objects.
fn assert_no_repair_with_a_wrong_database(launch: &Launch, objects: &Path) {
    let elsewhere = launch.folder.path().join("another");
    let path = launch.data_dir().join("storage");
    let mut command = launch.command(["storage", "fsck", "--repair", "--data-dir"]);
    command.arg(&elsewhere).arg("--project").arg(launch.folder.path()).env("STORAGE_FILE_BACKEND_PATH", path);
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("there is no database"), "{said}");
    assert!(!elsewhere.join("postgres").exists());
    for name in ["a", "b", "c"] {
        let file = objects.join(format!("{name}.txt/9b2f0f3e-1d2c-4a58-9a0e-000000000000"));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, "of another database").unwrap();
    }
    let (content, said) = fsck(launch, &["--repair"]);
    assert!(!content && said.contains("this is most likely the wrong database; nothing was repaired"), "{said}");
    let (content, said) = fsck(launch, &["--repair", "--force"]);
    assert!(content && said.contains("Looked at 2 objects and 5 files."), "{said}");
}

/// Uploads one object after the other; each with its name, its hash and whether it was acknowledged.
async fn keep_uploading(
    url: String,
    key: String,
    seed: u64,
    client: u64,
    over: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
) -> Vec<(String, Vec<u8>, bool)> {
    let mut acknowledged = Vec::new();
    for number in 0.. {
        let bytes = noise(seed * 1000 + client * 100 + number, 1000 + 7919 * usize::try_from(client).unwrap());
        // Half of the clients overwrite their own objects.
        let name = if client.is_multiple_of(2) { format!("c{client}/n{number}") } else { format!("c{client}") };
        let upload = Request::to(&format!("{url}/storage/v1/object/b/{name}")).bearer(&key);
        let upload = upload.body(bytes.clone()).header("x-upsert", "true");
        acknowledged.push((name, Sha256::digest(&bytes).to_vec(), false));
        match upload.try_send().await {
            Ok(answer) if answer.status == 200 => {
                acknowledged.last_mut().unwrap().2 = true;
                answered.fetch_add(1, Ordering::SeqCst);
            }
            _ => break,
        }
        if over.load(Ordering::SeqCst) {
            break;
        }
    }
    acknowledged
}

/// 32 clients upload while the server is killed, then its PostgreSQL too.
#[tokio::test]
async fn after_a_kill_acknowledged_objects_exist_and_no_partial_ones() {
    for seed in 1..=long("DUGOUT_TEST_UPLOAD_KILLS", 3) {
        let begun = Instant::now();
        let launch = Launch::prepared(accounts()[0]).await.env("DUGOUT_DB_DURABILITY", "full");
        std::fs::create_dir(launch.folder.path().join("supabase")).unwrap();
        let mut dugout = launch.start().await;
        let key = launch.status("SERVICE_ROLE_KEY");
        bucket(&dugout, &key).await;
        // Clients that are still connecting when the server restarts must stop.
        let over = Arc::new(AtomicBool::new(false));
        let answered = Arc::new(AtomicUsize::new(0));
        let uploads = (0..32).map(|client| {
            let (url, key) = (launch.url(), key.clone());
            tokio::spawn(keep_uploading(url, key, seed, client, over.clone(), answered.clone()))
        });
        let uploads: Vec<_> = uploads.collect();
        while answered.load(Ordering::SeqCst) < usize::try_from(30 + 10 * (seed % 7)).unwrap() {
            assert!(begun.elapsed() < Duration::from_secs(120), "nothing is acknowledged");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        over.store(true, Ordering::SeqCst);
        if seed % 3 == 2 {
            let pid = super::kill::postmaster(&super::kill::cluster_folder(&launch));
            dugout.signal(rustix::process::Signal::STOP);
            rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
        }
        dugout.kill().await;
        let mut dugout = launch.start().await;
        let (mut count, reader) = (0, client());
        for upload in uploads {
            let sent = upload.await.unwrap();
            for (at, (name, _, done)) in sent.iter().enumerate() {
                // Each name has its last acknowledged content, or that of an upload that was in progress after it.
                let later: Vec<_> = sent[at..].iter().filter(|(own, ..)| own == name).collect();
                if !done || later.iter().skip(1).any(|(.., done)| *done) {
                    continue;
                }
                let read = hash(&reader, &format!("{}/storage/v1/object/public/b/{name}", launch.url())).await;
                assert!(
                    later.iter().any(|(_, wanted, _)| *wanted == read),
                    "{name} is neither of those that were sent"
                );
                count += 1;
            }
        }
        assert!(count > 16, "only {count} uploads were acknowledged before the kill");
        dugout.stop().await;
        let (_, said) = fsck(&launch, &["--repair"]);
        assert!(!said.contains("without a file"), "{said}");
        assert!(fsck(&launch, &[]).0, "nothing is left after a repair");
        println!("seed {seed}: {count} uploads before a kill, {:?}", begun.elapsed());
    }
}
