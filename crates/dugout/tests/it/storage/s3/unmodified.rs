//! A client that others wrote: the crate object_store, with its own signatures and its own XML.

use std::time::Duration;

use futures_util::TryStreamExt;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::signer::Signer as _;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutOptions, WriteMultipart};
use reqwest::Method;

use super::signer::KEYS;
use super::started;
use crate::kit::{Calls, Request, Server};

fn store(s: &Server, id: &str, secret: &str, token: Option<&str>) -> AmazonS3 {
    let builder = AmazonS3Builder::new()
        .with_endpoint(format!("{}/storage/v1/s3", s.url))
        .with_allow_http(true)
        .with_region("local")
        .with_bucket_name("b")
        .with_access_key_id(id)
        .with_secret_access_key(secret);
    token.map_or(builder.clone(), |token| builder.with_token(token)).build().unwrap()
}

#[tokio::test]
async fn an_unmodified_client_works() {
    let (s, _) = started().await;
    let store = store(&s, KEYS[0].1, KEYS[1].1, None);
    let path = |text: &str| Path::from(text);
    let whole: Vec<u8> = (0..11 * 1024 * 1024_u32).map(|number| number.to_le_bytes()[1]).collect();
    let mut upload = WriteMultipart::new(store.put_multipart(&path("v/big.bin")).await.unwrap());
    upload.write(&whole);
    upload.finish().await.unwrap();
    let read = store.get(&path("v/big.bin")).await.unwrap().bytes().await.unwrap();
    assert!(read == whole, "{} bytes came back", read.len());
    let range = store.get_range(&path("v/big.bin"), 5_000_000..5_000_010).await.unwrap();
    assert_eq!(range, whole[5_000_000..5_000_010]);

    for name in ["a b+c.txt", "d/1", "d/2"] {
        store.put(&path(name), "x".into()).await.unwrap();
    }
    let listed = store.list_with_delimiter(None).await.unwrap();
    let names: Vec<&str> = listed.objects.iter().map(|object| object.location.as_ref()).collect();
    let folders: Vec<&str> = listed.common_prefixes.iter().map(AsRef::as_ref).collect();
    assert_eq!((names, folders), (vec!["a b+c.txt"], vec!["d", "v"]));
    store.copy(&path("d/1"), &path("d/3")).await.unwrap();
    let again = store.copy_if_not_exists(&path("d/1"), &path("d/3")).await;
    assert!(again.is_err(), "{again:?}");
    let new = PutOptions::from(PutMode::Create);
    let taken = store.put_opts(&path("d/3"), "y".into(), new).await;
    assert!(matches!(taken, Err(object_store::Error::AlreadyExists { .. })), "{taken:?}");
    let url = store.signed_url(Method::GET, &path("d/3"), Duration::from_secs(60)).await.unwrap();
    assert_eq!(Request::to_get(url.as_str()).await.is(200).body, "x");
    let all: Vec<Path> = store.list(None).map_ok(|object| object.location).try_collect().await.unwrap();
    assert_eq!(all.len(), 5);
    store.delete(&path("d/3")).await.unwrap();
    assert!(matches!(store.head(&path("d/3")).await, Err(object_store::Error::NotFound { .. })));
}

#[tokio::test]
async fn an_unmodified_client_with_a_session_is_a_user() {
    let (s, _) = started().await;
    let ana = s.signed_up("ana@client.test").await;
    let own = store(&s, "stub", &s.anon_key, Some(&ana.access_token));
    assert!(own.put(&Path::from("a"), "x".into()).await.is_err());
    let policies = "create policy own on storage.objects for all to authenticated
        using (owner_id = auth.uid()::text) with check (owner_id = auth.uid()::text)";
    s.database.connect().await.batch_execute(policies).await.unwrap();
    own.put(&Path::from("a"), "x".into()).await.unwrap();
    let other = ana.get("/storage/v1/object/b/a").await.is(200);
    assert_eq!(other.body, "x");
}
