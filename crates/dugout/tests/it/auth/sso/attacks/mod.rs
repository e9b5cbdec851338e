//! Attacks on SAML responses in transit, and insufficient responses of a provider. The signatures are made by a
//! different library than ours (xml-crypto), with the provider's own key unless stated otherwise; each row names the
//! check that refuses it.

mod oddly_signed;
mod tampered;
mod unfit;
mod wrapped;

use serde_json::json;

use super::document::{ASSERTION, Document, RESPONSE};
use super::{bring, refusal, server, session, user};
use crate::kit::{Server, saml_idp};

/// The holder of the response, and the user they would like to be.
const ME: &str = "eve@x.test";
const VICTIM: &str = "ana@x.test";
/// The response is refused before its issuer is read.
const UNREADABLE: &str = "SAMLResponse is not a valid XML SAML assertion";

/// The attack, the response that is sent, and the reason for its refusal.
type Row = (&'static str, String, &'static str);

/// The parts of a signed response about [`ME`].
struct Parts {
    /// The whole response.
    xml: String,
    /// Its assertion, without a signature.
    assertion: String,
    signature: String,
    /// An unsigned assertion about [`VICTIM`].
    forged: String,
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let from = text.find(start).unwrap_or_else(|| panic!("no {start} in {text}"));
    let to = text.rfind(end).unwrap() + end.len();
    &text[from..to]
}

async fn parts(element: &str) -> Parts {
    let document = Document::of(ME);
    let xml = document.signed_with(json!([{ "element": element }])).await;
    let signature = between(&xml, "<ds:Signature ", "</ds:Signature>").to_owned();
    let assertion = between(&xml, "<saml:Assertion", "</saml:Assertion>").replace(&signature, "");
    let forged = assertion.replace(ME, VICTIM).replace(&document.assertion_id, "_forged");
    Parts { assertion, signature, forged, xml }
}

async fn stopped(s: &Server, rows: Vec<Row>) {
    for (name, xml, words) in rows {
        let (error, code, said) = refusal(&bring(s, &xml).await);
        assert_eq!((error.as_str(), code.as_str()), ("invalid_request", "validation_failed"), "{name}: {said}");
        let prefix = if words == UNREADABLE { "" } else { "SAML Assertion is not valid: " };
        assert_eq!(said, format!("{prefix}{words}"), "{name}\n{xml}");
    }
    let client = s.database.connect().await;
    let users: i64 = client.query_one("select count(*) from auth.users", &[]).await.unwrap().get(0);
    assert_eq!(users, 0);
}

#[tokio::test]
async fn wrapped_signatures_are_refused() {
    let (s, _) = server().await;
    stopped(&s, wrapped::wrapped().await).await;
}

#[tokio::test]
async fn tampered_responses_are_refused() {
    let (s, _) = server().await;
    stopped(&s, tampered::tampered().await).await;
    stopped(&s, tampered::dressed().await).await;
}

#[tokio::test]
async fn signatures_of_a_forbidden_kind_are_refused() {
    let (s, _) = server().await;
    stopped(&s, oddly_signed::oddly_signed().await).await;
    stopped(&s, oddly_signed::misplaced().await).await;
}

#[tokio::test]
async fn responses_for_others_or_another_time_are_refused() {
    let (s, _) = server().await;
    stopped(&s, unfit::unfit().await).await;
    stopped(&s, unfit::incomplete().await).await;
}

/// Comments are not signed. A holder of the name `ana@x.test.evil.test` can insert one after `ana@x.test`, but stays
/// the same user.
#[tokio::test]
async fn comments_do_not_change_the_user() {
    let (s, _) = server().await;
    let xml = Document::of("ana@x.test.evil.test").signed().await;
    let cut = xml.replace("ana@x.test.evil.test", "ana@x.test<!-- -->.evil.test");
    assert_ne!(cut, xml);
    let found = user(&s, &bring(&s, &cut).await).await;
    assert_eq!(
        (&found["email"], &found["identities"][0]["id"]),
        (&json!("ana@x.test.evil.test"), &json!("ana@x.test.evil.test"))
    );
}

/// The control group for all the attacks.
#[tokio::test]
async fn valid_signatures_are_accepted() {
    let (s, _) = server().await;
    for signatures in [
        json!([{ "element": ASSERTION }]),
        json!([{ "element": RESPONSE }]),
        json!([{ "element": ASSERTION }, { "element": RESPONSE }]),
        json!([{ "element": ASSERTION, "hash": "sha512" }]),
    ] {
        session(&bring(&s, &Document::of(ME).signed_with(signatures).await).await);
    }
    // The inner one declares a namespace that the outer one does not use.
    let xml = Document::of(ME).xml().replacen(
        "<samlp:Response",
        "<samlp:Response xmlns:xs='http://www.w3.org/2001/XMLSchema'",
        1,
    );
    let both = json!([{ "element": ASSERTION, "prefixes": ["xs"] }, { "element": RESPONSE }]);
    session(&bring(&s, &saml_idp().sign(&xml, &both).await).await);
}
