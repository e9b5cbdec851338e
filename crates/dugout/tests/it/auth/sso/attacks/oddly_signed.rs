//! Signatures of a kind that SAML does not allow.

use serde_json::{Value, json};

use super::{Row, VICTIM};
use crate::auth::sso::document::{ASSERTION, Document, RESPONSE};

const BY_NO_KEY: &str = "the signature is made by no key of the identity provider";

async fn sign(signatures: Value) -> String {
    Document::of(VICTIM).signed_with(signatures).await
}

/// A signature over the assertion with an unusual property.
async fn of_assertion(more: Value) -> String {
    let mut signature = json!({ "element": ASSERTION });
    signature.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    sign(json!([signature])).await
}

/// Signatures of a kind that SAML does not allow.
pub(super) async fn oddly_signed() -> Vec<Row> {
    let enveloped = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
    let exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#";
    let inclusive = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";
    vec![
        ("another key, that comes with the answer", of_assertion(json!({ "key": "other" })).await, BY_NO_KEY),
        ("a short key", of_assertion(json!({ "key": "short" })).await, BY_NO_KEY),
        (
            "SHA-1",
            of_assertion(json!({ "hash": "sha1" })).await,
            "the signature uses the algorithm http://www.w3.org/2000/09/xmldsig#rsa-sha1, which is not allowed",
        ),
        (
            "inclusive canonicalization of what is signed",
            of_assertion(json!({ "transforms": [enveloped, inclusive] })).await,
            "the signature uses the algorithm http://www.w3.org/TR/2001/REC-xml-c14n-20010315, which is not allowed",
        ),
        (
            "inclusive canonicalization of the signature",
            of_assertion(json!({ "canonicalization": inclusive })).await,
            "the signature uses the algorithm http://www.w3.org/TR/2001/REC-xml-c14n-20010315, which is not allowed",
        ),
        (
            "comments are signed, too",
            of_assertion(json!({ "transforms": [enveloped, format!("{exclusive}WithComments")] })).await,
            "the signature uses the algorithm http://www.w3.org/2001/10/xml-exc-c14n#WithComments, which is not allowed",
        ),
        (
            "one transform",
            of_assertion(json!({ "transforms": [enveloped] })).await,
            "the signature has 1 transforms, which is not allowed there",
        ),
        (
            "three transforms",
            of_assertion(json!({ "transforms": [enveloped, exclusive, exclusive] })).await,
            "the signature has 3 transforms, which is not allowed there",
        ),
        (
            "transforms the other way about",
            of_assertion(json!({ "transforms": [exclusive, enveloped] })).await,
            "the signature uses the algorithm http://www.w3.org/2001/10/xml-exc-c14n#, which is not allowed",
        ),
    ]
}

/// Signatures in places that SAML does not allow.
pub(super) async fn misplaced() -> Vec<Row> {
    let at_root = json!({ "reference": format!("{RESPONSE}/*[local-name()='Issuer']"), "action": "after" });
    let both = sign(json!([{ "element": ASSERTION }, { "element": RESPONSE }])).await;
    vec![
        (
            "the whole document by no name",
            sign(json!([{ "element": RESPONSE, "emptyUri": true }])).await,
            "the signature is not that of the element it stands in",
        ),
        (
            "the assertion's signature in the response",
            of_assertion(json!({ "at": at_root })).await,
            "the signature is not that of the element it stands in",
        ),
        (
            "a good signature of the response around a bad one",
            sign(json!([{ "element": ASSERTION, "key": "other" }, { "element": RESPONSE }])).await,
            BY_NO_KEY,
        ),
        (
            "a good signature of the assertion in a bad one",
            both.replace("Version=\"2.0\" IssueInstant", "x=\"\" Version=\"2.0\" IssueInstant"),
            "the signature is that of something else",
        ),
    ]
}
