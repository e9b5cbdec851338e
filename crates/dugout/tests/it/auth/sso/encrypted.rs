//! Encrypted assertions.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::{come_back, refusal, server, server_with, set_out, user};
use crate::kit::Server;

const ALLOWED: (&str, &str) = ("GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS", "true");
const OAEP: &str = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p";

/// A sign-in with assertions encrypted in this way.
async fn arrive(s: &Server, contents: &str, key: &str) -> crate::kit::Answer {
    let encrypt = json!({ "dataEncryptionAlgorithm": contents, "keyEncryptionAlgorithm": key });
    let url = set_out(s, json!({})).await;
    let person = json!({ "id": "ana-7", "mail": "ana@x.test" });
    come_back(s, &url, &person, &json!({ "encrypt": encrypt })).await
}

#[tokio::test]
async fn encrypted_assertions_are_accepted_if_enabled() {
    let (s, _) = server_with(&[ALLOWED]).await;
    let mut found: Vec<Value> = Vec::new();
    for contents in [
        "http://www.w3.org/2001/04/xmlenc#aes128-cbc",
        "http://www.w3.org/2001/04/xmlenc#aes256-cbc",
        "http://www.w3.org/2009/xmlenc11#aes128-gcm",
        "http://www.w3.org/2009/xmlenc11#aes256-gcm",
    ] {
        found.push(user(&s, &arrive(&s, contents, OAEP).await).await["id"].clone());
    }
    assert!(found.iter().all(|id| *id == found[0]));
    for (contents, key, words) in [
        ("http://www.w3.org/2001/04/xmlenc#tripledes-cbc", OAEP, "tripledes-cbc"),
        ("http://www.w3.org/2001/04/xmlenc#aes256-cbc", "http://www.w3.org/2001/04/xmlenc#rsa-1_5", "rsa-1_5"),
    ] {
        let (_, _, said) = refusal(&arrive(&s, contents, key).await);
        let prefix = "SAML Assertion is not valid: the assertion is encrypted with http://www.w3.org/2001/04/xmlenc#";
        assert_eq!(said, format!("{prefix}{words}, which is not allowed"));
    }
}

/// Unsigned input reveals nothing: neither whether the key nor whether the content could be decrypted.
#[tokio::test]
async fn failed_decryption_reveals_nothing() {
    let (s, _) = server_with(&[ALLOWED]).await;
    let url = set_out(&s, json!({})).await;
    let metadata = crate::kit::Calls::get(&s, "/auth/v1/sso/saml/metadata").await.is(200).body;
    let person = json!({ "id": "ana-7", "mail": "ana@x.test" });
    let encrypt = json!({
        "dataEncryptionAlgorithm": "http://www.w3.org/2001/04/xmlenc#aes256-cbc", "keyEncryptionAlgorithm": OAEP,
    });
    let unsigned = metadata.replace(r#"WantAssertionsSigned="true""#, r#"WantAssertionsSigned="false""#);
    let login = crate::kit::saml_idp().login(&url, &unsigned, &person, &json!({ "encrypt": encrypt })).await;
    let response = BASE64_STANDARD.decode(login["response"].as_str().unwrap()).unwrap();
    let mut good = String::from_utf8(response).unwrap();
    // samlify always signs the response.
    let (start, end) = ("<ds:Signature", "</ds:Signature>");
    good.replace_range(good.find(start).unwrap()..good.find(end).unwrap() + end.len(), "");
    // The start of the two values, that of the key first.
    let values = good.match_indices("CipherValue>");
    let begins = values.filter(|(at, _)| !good[..*at].rsplit('<').next().unwrap().starts_with('/'));
    let begins: Vec<usize> = begins.map(|(at, tag)| at + tag.len()).collect();
    assert_eq!(begins.len(), 2, "{good}");
    let [key, contents] = [begins[0], begins[1]].map(|at| format!("{}AAAA{}", &good[..at], &good[at + 4..]));
    let mut told = Vec::new();
    for xml in [&good, &contents, &key] {
        let url = set_out(&s, json!({})).await;
        let relay = super::pairs(url.split_once('?').unwrap().1)["RelayState"].clone();
        // Skip the check of the request id, which would come first and fail for all.
        let id = xml.split("InResponseTo=\"").nth(1).unwrap().split('"').next().unwrap();
        let sql = "update auth.saml_relay_states set request_id = $1";
        s.database.connect().await.execute(sql, &[&id]).await.unwrap();
        told.push(refusal(&super::post(&s, super::form(xml, &relay)).await).2);
    }
    assert_eq!(told, vec!["SAML Assertion is not valid: the encrypted assertion cannot be read"; 3]);
}

#[tokio::test]
async fn encrypted_assertions_are_refused_if_disabled() {
    let (s, _) = server().await;
    // Our metadata contains no key to encrypt for; a provider that has it from before can still encrypt.
    let (open, _) = server_with(&[ALLOWED]).await;
    let metadata = crate::kit::Calls::get(&open, "/auth/v1/sso/saml/metadata").await.is(200).body;
    let person = json!({ "id": "ana-7", "mail": "ana@x.test" });
    let encrypt = json!({
        "dataEncryptionAlgorithm": "http://www.w3.org/2001/04/xmlenc#aes256-cbc", "keyEncryptionAlgorithm": OAEP,
    });
    let url = set_out(&s, json!({})).await;
    let login = crate::kit::saml_idp().login(&url, &metadata, &person, &json!({ "encrypt": encrypt })).await;
    let text = |name: &str| login[name].as_str().unwrap();
    let answer = super::post(&s, super::encoded_form(text("response"), text("relay_state"))).await;
    let (_, _, said) = refusal(&answer);
    assert_eq!(said, "SAML Assertion is not valid: encrypted assertions are not allowed here");
}
