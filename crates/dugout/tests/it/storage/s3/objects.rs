//! Buckets and objects.

use reqwest::Method;

use super::signer::{element, elements};
use super::{refused, started};

#[tokio::test]
async fn an_object_comes_back_with_its_metadata() {
    let (s, signer) = started().await;
    let headers =
        [("content-type", "text/plain"), ("cache-control", "max-age=77"), ("x-amz-meta-position", "shortstop")];
    // Characters that clients percent-encode in different ways.
    let key = "b/folder/a !$&'()*+,:;=@_-.txt";
    let put = signer.send(Method::PUT, key, &[], &headers, b"hello").await.is(200);
    assert_eq!(put.header("etag"), "\"5d41402abc4b2a76b9719d911017c592\"");
    let head = signer.send(Method::HEAD, key, &[], &[], b"").await.is(200);
    for (name, value) in [
        ("content-length", "5"),
        ("content-type", "text/plain"),
        ("cache-control", "max-age=77"),
        ("x-amz-meta-position", "shortstop"),
        ("etag", put.header("etag")),
    ] {
        assert_eq!(head.header(name), value, "{name}");
    }
    let range = signer.send(Method::GET, key, &[], &[("range", "bytes=1-2")], b"").await.is(206);
    assert_eq!((range.body.as_str(), range.header("content-range")), ("el", "bytes 1-2/5"));
    let beyond = signer.send(Method::GET, key, &[], &[("range", "bytes=5-")], b"").await;
    refused(&beyond, 416, "InvalidRange", "invalid range provided");
    signer.send(Method::GET, key, &[], &[("if-none-match", put.header("etag"))], b"").await.is(304);
    let tags = signer.send(Method::GET, key, &[("tagging", "")], &[], b"").await.is(200);
    assert!(tags.body.contains("<TagSet></TagSet>"), "{}", tags.body);
    // The same object by the other protocol.
    let other = s.as_service(Method::GET, "/storage/v1/object/b/folder/a%20!$&'()*+,:;=@_-.txt").await.is(200);
    assert_eq!(other.body, "hello");
    for key in ["b/a[b]|^.txt", "b/na\u{ef}ve", "b/x{y}"] {
        let invalid = signer.put(key, b"x").await;
        refused(&invalid, 400, "InvalidKey", &format!("Invalid key: {}", &key[2..]));
    }
    let folder = signer.put("b/empty/", b"").await.is(200);
    assert_eq!(folder.header("etag"), "\"d41d8cd98f00b204e9800998ecf8427e\"");
    signer.send(Method::HEAD, "b/empty/.emptyFolderPlaceholder", &[], &[], b"").await.is(200);
    let missing = signer.send(Method::HEAD, "b/missing", &[], &[], b"").await;
    assert_eq!((missing.status, missing.body.as_str()), (404, ""));
}

#[tokio::test]
async fn nothing_is_served_as_a_page() {
    let (_s, signer) = started().await;
    let html = [("content-type", "text/html")];
    signer.send(Method::PUT, "b/page", &[], &html, b"<script>").await.is(200);
    assert_eq!(signer.get("b/page").await.is(200).header("content-type"), "text/plain");
    signer.put("b/a.txt", b"<script>").await.is(200);
    for (parameter, value, header, wanted) in [
        ("response-content-type", "text/html", "content-type", "text/plain"),
        ("response-content-type", "application/json", "content-type", "application/json"),
        ("response-content-type", "image/svg+xml", "content-security-policy", "sandbox"),
        ("response-content-type", "image/svg+xml", "content-disposition", "attachment"),
        ("response-cache-control", "no-store", "cache-control", "no-store"),
        ("response-content-disposition", "inline; filename=x", "content-disposition", "inline; filename=x"),
        ("response-content-language", "en", "content-language", "en"),
        ("response-expires", "Tue, 01 Jan 2030 00:00:00 GMT", "expires", "Tue, 01 Jan 2030 00:00:00 GMT"),
    ] {
        let answer = signer.send(Method::GET, "b/a.txt", &[(parameter, value)], &[], b"").await.is(200);
        assert_eq!(answer.header(header), wanted, "{parameter}={value}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
    }
    let svg = [("content-type", "image/svg+xml")];
    signer.send(Method::PUT, "b/a.svg", &[], &svg, b"<svg/>").await.is(200);
    let inline = signer.send(Method::GET, "b/a.svg", &[("response-content-disposition", "inline")], &[], b"").await;
    assert_eq!(inline.is(200).header("content-disposition"), "attachment");
}

#[tokio::test]
async fn buckets_come_and_go() {
    let (_s, signer) = started().await;
    let public = [("x-amz-acl", "public-read")];
    let made = signer.send(Method::PUT, "open", &[], &public, b"").await.is(200);
    assert_eq!(made.header("location"), "/open");
    refused(&signer.put("open", b"").await, 409, "BucketAlreadyExists", "The resource already exists");
    refused(&signer.put("bad~name", b"").await, 400, "InvalidBucketName", "Bucket name invalid");
    // The app has buckets of its own.
    let listed = signer.get("").await.is(200);
    let names = elements(&listed, "Name");
    assert!(names.contains(&"b") && names.contains(&"open"), "{names:?}");
    let head = signer.send(Method::HEAD, "open/", &[], &[], b"").await.is(200);
    assert_eq!(head.header("x-amz-bucket-region"), "local");
    let location = signer.send(Method::GET, "open", &[("location", "")], &[], b"").await.is(200);
    assert!(location.body.ends_with("\">local</LocationConstraint>"), "{}", location.body);
    let versioning = signer.send(Method::GET, "open", &[("versioning", "")], &[], b"").await.is(200);
    assert_eq!(element(&versioning, "Status"), "Suspended");
    signer.put("open/a", b"x").await.is(200);
    let full = signer.send(Method::DELETE, "open", &[], &[], b"").await;
    refused(&full, 409, "ResourceNotEmpty", "The bucket you tried to delete is not empty");
    signer.send(Method::DELETE, "open/a", &[], &[], b"").await.is(204);
    signer.send(Method::DELETE, "open/a", &[], &[], b"").await.is(204);
    signer.send(Method::DELETE, "open", &[], &[], b"").await.is(204);
    for (method, path) in [(Method::GET, "open"), (Method::DELETE, "open"), (Method::DELETE, "open/a")] {
        let gone = signer.send(method, path, &[], &[], b"").await;
        refused(&gone, 404, "NoSuchBucket", "Bucket not found");
    }
    let unknown = signer.send(Method::POST, "b", &[], &[], b"").await;
    assert_eq!((unknown.status, unknown.body.as_str()), (404, ""));
}

/// Every page of a list, by both versions of it.
#[tokio::test]
async fn a_list_has_every_key_once() {
    let (_s, signer) = started().await;
    // `a` and `d/x` are prefixes of keys whose next character sorts before the slash.
    let keys = ["a", "a b", "a-1", "a/1", "a/2", "b", "c/1", "c/d/1", "d", "d/x", "d/x-1", "d0", "e"];
    for key in keys {
        signer.put(&format!("b/{key}"), b"x").await.is(200);
    }
    let flat: Vec<&str> = keys.to_vec();
    let folders = ["a", "a b", "a-1", "a/", "b", "c/", "d", "d/", "d0", "e"];
    for (prefix, delimiter, wanted) in
        [("", "", flat.as_slice()), ("", "/", &folders), ("a/", "/", &["a/1", "a/2"]), ("d/x", "", &["d/x", "d/x-1"])]
    {
        for size in ["1", "2", "3", "1000"] {
            for version in ["1", "2"] {
                let (mut found, mut after) = (Vec::new(), String::new());
                loop {
                    let marker = if version == "2" { "continuation-token" } else { "marker" };
                    let mut query = vec![("max-keys", size), ("prefix", prefix), (marker, after.as_str())];
                    query.extend([("delimiter", delimiter)].iter().filter(|_| !delimiter.is_empty()));
                    query.extend([("list-type", "2")].iter().filter(|_| version == "2"));
                    let page = signer.send(Method::GET, "b", &query, &[], b"").await.is(200);
                    let prefixes = page.body.split("<CommonPrefixes>").skip(1);
                    let prefixes = prefixes.map(|rest| rest["<Prefix>".len()..].split('<').next().unwrap().to_owned());
                    let mut names: Vec<String> = elements(&page, "Key").iter().map(ToString::to_string).collect();
                    names.extend(prefixes);
                    names.sort();
                    found.extend(names);
                    if element(&page, "IsTruncated") == "false" {
                        break;
                    }
                    after = match (version, delimiter) {
                        ("2", _) => element(&page, "NextContinuationToken").to_owned(),
                        (_, "/") => element(&page, "NextMarker").to_owned(),
                        _ => found.last().unwrap().clone(),
                    };
                }
                assert_eq!(found, wanted, "{prefix} {delimiter} {size} {version}");
            }
        }
    }
    let versions = [("versions", ""), ("max-keys", "2"), ("key-marker", "a b")];
    let page = signer.send(Method::GET, "b", &versions, &[], b"").await.is(200);
    assert_eq!((elements(&page, "Key"), elements(&page, "VersionId")), (vec!["a-1", "a/1"], vec!["null"; 2]));
    assert_eq!((element(&page, "NextKeyMarker"), element(&page, "NextVersionIdMarker")), ("a/1", "null"));
    let encoded = [("list-type", "2"), ("encoding-type", "url"), ("prefix", "a b")];
    assert_eq!(element(&signer.send(Method::GET, "b", &encoded, &[], b"").await, "Key"), "a%20b");
    let after = [("list-type", "2"), ("start-after", "d/x")];
    assert_eq!(elements(&signer.send(Method::GET, "b", &after, &[], b"").await, "Key"), ["d/x-1", "d0", "e"]);
    for query in [[("max-keys", "x")], [("max-keys", "-1")], [("encoding-type", "x")]] {
        let answer = signer.send(Method::GET, "b", &query, &[], b"").await;
        assert_eq!((answer.status, element(&answer, "Code")), (400, "InvalidRequest"), "{query:?}");
    }
    let long = signer.send(Method::GET, "b", &[("delimiter", "--")], &[], b"").await;
    refused(&long, 400, "InvalidParameter", "Invalid Parameter delimiter");
    let token = [("list-type", "2"), ("continuation-token", "!")];
    let token = signer.send(Method::GET, "b", &token, &[], b"").await;
    refused(&token, 400, "InvalidParameter", "Invalid Parameter continuation token");
}

/// A client that must not overwrite anything says so, and does not.
#[tokio::test]
async fn a_write_can_be_for_new_objects_only() {
    let (_s, signer) = started().await;
    let new = [("content-type", "text/plain"), ("if-none-match", "*")];
    let put = async |body: &[u8]| signer.send(Method::PUT, "b/a", &[], &new, body).await;
    put(b"first").await.is(200);
    let message = "At least one of the pre-conditions you specified did not hold";
    refused(&put(b"second").await, 412, "PreconditionFailed", message);
    let copy = [("if-none-match", "*"), ("x-amz-copy-source", "b/a")];
    signer.send(Method::PUT, "b/copy", &[], &copy, b"").await.is(200);
    refused(&signer.send(Method::PUT, "b/a", &[], &copy, b"").await, 412, "PreconditionFailed", message);
    let matching = [("content-type", "text/plain"), ("if-match", "\"x\"")];
    assert_eq!(signer.send(Method::PUT, "b/a", &[], &matching, b"third").await.status, 501);
    assert_eq!(signer.get("b/a").await.is(200).body, "first");
}

#[tokio::test]
async fn copies_and_deletions_of_many() {
    let (_s, signer) = started().await;
    let headers = [("content-type", "text/plain"), ("x-amz-meta-a", "1")];
    let put = signer.send(Method::PUT, "b/a", &[], &headers, b"hello").await.is(200);
    let copy = async |to: &str, more: &[(&str, &str)]| {
        signer.send(Method::PUT, to, &[], &[&[("x-amz-copy-source", "/b/a")], more].concat(), b"").await
    };
    assert!(copy("b/kept", &[]).await.is(200).body.contains("<ETag>&quot;5d41402a"));
    let replaced = [("x-amz-metadata-directive", "REPLACE"), ("content-type", "text/css"), ("x-amz-meta-b", "2")];
    copy("b/replaced", &replaced).await.is(200);
    let head = async |key: &str| signer.send(Method::HEAD, key, &[], &[], b"").await.is(200);
    let (kept, replaced) = (head("b/kept").await, head("b/replaced").await);
    assert_eq!((kept.header("x-amz-meta-a"), kept.header("content-type")), ("1", "text/plain"));
    assert_eq!((replaced.header("x-amz-meta-b"), replaced.header("content-type")), ("2", "text/css"));
    assert!(!replaced.headers.contains_key("x-amz-meta-a"));
    let etag = put.header("etag");
    for (name, value, status) in [
        ("x-amz-copy-source-if-match", etag, 200),
        ("x-amz-copy-source-if-match", "\"x\"", 412),
        ("x-amz-copy-source-if-none-match", etag, 412),
        ("x-amz-copy-source-if-modified-since", "Tue, 01 Jan 2080 00:00:00 GMT", 412),
        ("x-amz-copy-source-if-unmodified-since", "Tue, 01 Jan 2080 00:00:00 GMT", 200),
        ("x-amz-copy-source-if-unmodified-since", "Tue, 01 Jan 2008 00:00:00 GMT", 412),
    ] {
        assert_eq!(copy("b/conditional", &[(name, value)]).await.status, status, "{name}: {value}");
    }
    let missing = signer.send(Method::PUT, "b/x", &[], &[("x-amz-copy-source", "b/missing")], b"").await;
    refused(&missing, 404, "NoSuchKey", "Object not found");

    let delete = async |body: &str| signer.send(Method::POST, "b", &[("delete", "")], &[], body.as_bytes()).await;
    let keys = |keys: &[String]| {
        let objects: String = keys.iter().map(|key| format!("<Object><Key>{key}</Key></Object>")).collect();
        format!("<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">{objects}</Delete>")
    };
    let deleted = delete(&keys(&["a".to_owned(), "missing".to_owned()])).await.is(200);
    assert_eq!(elements(&deleted, "Key"), ["a", "missing"]);
    assert!(!deleted.body.contains("<Error>"));
    refused(&signer.get("b/a").await, 404, "NoSuchKey", "Object not found");
    let many: Vec<String> = (0..1000).map(|number| format!("{}{number}", "k".repeat(200))).collect();
    delete(&keys(&many)).await.is(200);
    let over = delete(&keys(&[many.as_slice(), &["one".to_owned()]].concat())).await;
    assert_eq!((over.status, element(&over, "Code")), (400, "InvalidRequest"));
    for body in ["<Delete>", "no xml", "<Delete/><Delete/>"] {
        let wrong = delete(body).await;
        assert_eq!((wrong.status, element(&wrong, "Code")), (400, "MalformedXML"), "{body}");
    }
}
