//! An identity provider of SAML 2.0 (npm samlify), one process for all tests. It also signs whatever an attacker would like to
//! have signed.

use std::io::{BufRead, BufReader};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;

use serde_json::{Value, json};

use super::Request;
use crate::architecture::root;

/// What the provider is called.
pub const ENTITY_ID: &str = "https://idp.test/metadata";

/// The provider.
pub struct SamlIdp {
    url: String,
    /// It ends with this.
    _stdin: ChildStdin,
}

/// The provider of the tests.
///
/// # Panics
/// Without node, or without `npm ci` in the root.
pub fn saml_idp() -> &'static SamlIdp {
    static PROVIDER: OnceLock<SamlIdp> = OnceLock::new();
    PROVIDER.get_or_init(|| {
        let script = root().join("crates/dugout/tests/saml-idp.mjs");
        let mut command = Command::new("node");
        // It misses addresses that no test asks for.
        command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the identity provider of the tests needs node");
        let stdin = child.stdin.take().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).expect("the provider of the tests needs `npm ci` in the root");
        let url = said["url"].as_str().unwrap().to_owned();
        // It ends when its input does, with the tests.
        std::thread::spawn(move || child.wait());
        SamlIdp { url, _stdin: stdin }
    })
}

impl SamlIdp {
    async fn ask(&self, what: &str, body: &Value) -> Value {
        Request::to(&format!("{}/{what}", self.url)).json(body).await.is(200).json()
    }

    /// What it publishes of itself, with its own key (`own`), with another one (`other`), or with one of 1024 bits (`short`).
    pub async fn metadata(&self, key: &str) -> String {
        self.ask("metadata", &json!({})).await[key].as_str().unwrap().to_owned()
    }

    /// Somebody comes to `url` with a request and signs in: the answer that goes back with them, in Base64, its RelayState, and
    /// what samlify read in the request, the signature of which it has checked.
    pub async fn login(&self, url: &str, metadata: &str, person: &Value, more: &Value) -> Value {
        let mut body = json!({ "url": url, "metadata": metadata, "person": person });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.ask("login", &body).await
    }

    /// The document with signatures over elements of it, each an XPath and what is special about it.
    pub async fn sign(&self, xml: &str, signatures: &Value) -> String {
        let signed = self.ask("sign", &json!({ "xml": xml, "signatures": signatures })).await;
        signed["xml"].as_str().unwrap().to_owned()
    }
}
