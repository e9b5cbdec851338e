//! `GET /sso/saml/metadata`

use super::{ACS, AUDIENCE, key, server, server_with};
use crate::architecture::root;
use crate::kit::Calls;

const PATH: &str = "/auth/v1/sso/saml/metadata";

/// The certificates in a document, each with its use.
fn keys(xml: &str) -> Vec<(String, String)> {
    let descriptors = xml.split("<KeyDescriptor use=\"").skip(1);
    let between =
        |text: &str, start: &str, end: &str| text.split_once(start).unwrap().1.split_once(end).unwrap().0.to_owned();
    descriptors
        .map(|text| (text.split('"').next().unwrap().to_owned(), between(text, "<X509Certificate>", "</")))
        .collect()
}

#[tokio::test]
async fn our_metadata_match_gotrue() {
    let (s, _) = server().await;
    let answer = s.get(PATH).await.is(200);
    let header = |name: &str| answer.header(name).to_owned();
    assert_eq!(
        (header("content-type"), header("cache-control"), header("content-disposition")),
        ("application/xml".to_owned(), "public, max-age=600".to_owned(), String::new())
    );
    assert!(answer.body.contains(&format!(r#"entityID="{AUDIENCE}""#)));
    assert!(answer.body.contains(&format!(
        r#"<AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="{ACS}" index="1"/>"#
    )));
    assert!(answer.body.contains(r#"WantAssertionsSigned="true""#) && !answer.body.contains("cacheDuration"));
    let [(usage, certificate)] = keys(&answer.body).try_into().unwrap();
    // It contains the host of API_EXTERNAL_URL.
    let length =
        std::fs::read_to_string(root().join("crates/auth/src/protocol/saml/fixtures/certificate.b64")).unwrap();
    assert_eq!((usage.as_str(), &certificate[..4]), ("signing", &length[..4]));

    let answer = s.get(&format!("{PATH}?download=true")).await.is(200);
    assert_eq!(answer.header("content-disposition"), "attachment; filename=\"metadata.xml\"");
    let until = |year: i32| format!("validUntil=\"{year}-");
    let now = chrono::Datelike::year(&chrono::Utc::now());
    assert!(answer.body.contains(&until(now + 5)), "{}", answer.body);
    assert!(s.get("/auth/v1/settings").await.json()["saml_enabled"].as_bool().unwrap());
}

#[tokio::test]
async fn the_next_key_is_announced_early() {
    let next = key();
    let more = [("GOTRUE_SAML_PRIVATE_KEY_NEXT", next.as_str()), ("GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS", "true")];
    let (s, _) = server_with(&more).await;
    let answer = s.get(PATH).await.is(200);
    assert_eq!(answer.header("cache-control"), "public, max-age=60");
    let uses: Vec<String> = keys(&answer.body).into_iter().map(|(usage, _)| usage).collect();
    assert_eq!(uses, ["encryption", "signing", "signing", "encryption"]);
    assert!(answer.body.contains("cacheDuration=\"PT1H\""));
    assert_eq!(s.get("/auth/v1/settings").await.json()["saml_private_key_next_configured"], true);
}
