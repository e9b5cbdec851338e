//! `/storage/v1/s3`.

mod checksums;
mod forms;
mod multipart;
mod objects;
mod signatures;
pub mod signer;
mod unmodified;

use crate::kit::{Answer, Server};
use signer::{KEYS, Signer, element};

/// A server whose access key the tests know, and a bucket.
async fn started() -> (Server, Signer) {
    let s = Server::with(&KEYS).await;
    let signer = Signer::service(&s);
    signer.put("b", b"").await.is(200);
    (s, signer)
}

#[track_caller]
fn refused(answer: &Answer, status: u16, code: &str, message: &str) {
    assert_eq!(answer.status, status, "{}", answer.body);
    assert_eq!(answer.header("content-type"), "application/xml");
    assert!(answer.body.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?><Error><Resource>"));
    assert_eq!((element(answer, "Code"), element(answer, "Message")), (code, message));
}
