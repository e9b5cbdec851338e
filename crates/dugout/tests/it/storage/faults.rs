//! Full disks, read-only folders and a lost database: clear errors, nothing acknowledged is lost, and nothing is left behind.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reqwest::Method;
use rustix::process::{Signal, kill_process};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::faults::kill::{cluster_folder, postmaster};
use crate::faults::uploads::{fsck, noise, slowly};
use crate::kit::{Answer, Calls, Launch, Process, accounts, skip};

/// A small disk of its own.
struct Disk(PathBuf);

impl Disk {
    /// `None` where this process may not mount anything.
    fn mounted(at: &Path, megabytes: u32) -> Option<Self> {
        std::fs::create_dir_all(at).unwrap();
        let options = format!("size={megabytes}m,mode=0777");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "dugout-test"]).arg(at).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Disk(at.to_owned()));
        }
        skip("this needs the right to mount a tmpfs");
        None
    }

    fn remount(&self, option: &str) {
        let options = format!("remount,{option}");
        let output = Command::new("mount").args(["-o", &options]).arg(&self.0).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).output();
    }
}

async fn bucket(dugout: &Process, key: &str) {
    let made = dugout.request(Method::POST, "/storage/v1/bucket").bearer(key);
    made.json(&json!({ "name": "b", "public": true })).await.is(200);
}

async fn upload(dugout: &Process, key: &str, name: &str, bytes: &[u8]) -> Answer {
    let request = dugout.request(Method::POST, &format!("/storage/v1/object/b/{name}")).bearer(key);
    request.header("x-upsert", "true").header("content-type", "text/plain").body(bytes.to_vec()).await
}

async fn read(launch: &Launch, name: &str) -> Vec<u8> {
    let url = format!("{}/storage/v1/object/public/b/{name}", launch.url());
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let answer = client.get(url).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    Sha256::digest(answer.bytes().await.unwrap()).to_vec()
}

#[track_caller]
fn says(answer: &Answer, status: u16, message: &str) {
    let body = answer.json();
    assert_eq!((answer.status, body["message"].as_str().unwrap()), (status, message));
    assert!(!answer.body.contains('/'), "{}", answer.body);
}

/// Afterwards every object has its file and every file its object.
async fn repaired(launch: &Launch, dugout: &mut Process) {
    dugout.stop().await;
    let (_, said) = fsck(launch, &["--repair"]);
    assert!(!said.contains("Removed the object"), "{said}");
    assert!(fsck(launch, &[]).0, "{}", fsck(launch, &[]).1);
}

#[tokio::test]
async fn a_full_disk_refuses_uploads_and_keeps_what_it_has() {
    let launch = Launch::prepared(accounts()[0]).await;
    std::fs::create_dir(launch.folder.path().join("supabase")).unwrap();
    let folder = launch.folder.path().join("disk");
    let Some(_disk) = Disk::mounted(&folder, 3) else { return };
    let launch = launch.env("STORAGE_FILE_BACKEND_PATH", &folder);
    let mut dugout = launch.start().await;
    let key = launch.status("SERVICE_ROLE_KEY");
    bucket(&dugout, &key).await;
    let (first, large) = (noise(1, 1024 * 1024), noise(2, 4 * 1024 * 1024));
    upload(&dugout, &key, "kept.bin", &first).await.is(200);
    let full = "There is no space left for the object";
    says(&upload(&dugout, &key, "large.bin", &large).await, 500, full);
    // The version that should have been replaced stays, and the space of the broken upload is free again.
    says(&upload(&dugout, &key, "kept.bin", &large).await, 500, full);
    assert_eq!(read(&launch, "kept.bin").await, Sha256::digest(&first).to_vec());
    upload(&dugout, &key, "second.bin", &first).await.is(200);
    let listed = dugout.request(Method::POST, "/storage/v1/object/list/b").bearer(&key);
    let listed = listed.json(&json!({ "prefix": "" })).await.is(200).json();
    let names: Vec<&str> = listed.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["kept.bin", "second.bin"]);
    repaired(&launch, &mut dugout).await;
}

#[tokio::test]
async fn a_read_only_folder_refuses_uploads_and_serves_what_it_has() {
    let launch = Launch::prepared(accounts()[0]).await;
    std::fs::create_dir(launch.folder.path().join("supabase")).unwrap();
    let folder = launch.folder.path().join("disk");
    let Some(disk) = Disk::mounted(&folder, 3) else { return };
    let launch = launch.env("STORAGE_FILE_BACKEND_PATH", &folder);
    let mut dugout = launch.start().await;
    let key = launch.status("SERVICE_ROLE_KEY");
    bucket(&dugout, &key).await;
    upload(&dugout, &key, "kept.txt", b"hello").await.is(200);
    disk.remount("ro");
    says(&upload(&dugout, &key, "new.txt", b"x").await, 500, "The folder of the objects cannot be written");
    assert_eq!(read(&launch, "kept.txt").await, Sha256::digest(b"hello").to_vec());
    disk.remount("rw");
    upload(&dugout, &key, "new.txt", b"x").await.is(200);
    repaired(&launch, &mut dugout).await;
}

#[tokio::test]
async fn a_database_that_is_lost_during_an_upload_loses_nothing() {
    let launch = Launch::prepared(accounts()[0]).await;
    let launch = launch.env("DUGOUT_DB_DURABILITY", "full").env("DUGOUT_DB_ACQUIRE_TIMEOUT", "1");
    std::fs::create_dir(launch.folder.path().join("supabase")).unwrap();
    let mut dugout = launch.start().await;
    let key = launch.status("SERVICE_ROLE_KEY");
    bucket(&dugout, &key).await;
    let (old, new) = (noise(3, 300_000), noise(4, 2 * 1024 * 1024));
    upload(&dugout, &key, "a.bin", &old).await.is(200);
    let sent = Arc::new(AtomicUsize::new(0));
    let request = dugout.request(Method::PUT, "/storage/v1/object/b/a.bin").bearer(&key);
    let slow = tokio::spawn(request.body(slowly(&new, 0, &sent)).try_send());
    let begun = Instant::now();
    while sent.load(Ordering::SeqCst) < 200_000 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no piece was accepted");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    // PostgreSQL cannot start again without this file.
    let cluster = cluster_folder(&launch);
    let (control, aside) = (cluster.join("global/pg_control"), cluster.join("pg_control.aside"));
    std::fs::rename(&control, &aside).unwrap();
    kill_process(postmaster(&cluster), Signal::KILL).unwrap();
    let answer = slow.await.unwrap().unwrap();
    says(&answer, 503, "The database cannot be reached. Please try again later.");
    assert!(!answer.header("retry-after").is_empty());
    std::fs::rename(&aside, &control).unwrap();
    let begun = Instant::now();
    while dugout.get("/storage/v1/object/public/b/a.bin").await.status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(60), "{}", dugout.log());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(read(&launch, "a.bin").await, Sha256::digest(&old).to_vec());
    let versions = std::fs::read_dir(launch.data_dir().join("storage/stub/stub/b/a.bin")).unwrap().count();
    assert_eq!(versions, 1, "the refused version is gone");
    upload(&dugout, &key, "a.bin", &new).await.is(200);
    assert_eq!(read(&launch, "a.bin").await, Sha256::digest(&new).to_vec());
    repaired(&launch, &mut dugout).await;
}
