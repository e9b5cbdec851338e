//! A SAML 2.0 identity provider (npm samlify), one process for all tests. It also signs whatever an attack needs
//! signed.

use std::io::{BufRead, BufReader};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;

use serde_json::{Value, json};

use super::Request;
use crate::architecture::root;

/// The entity ID of the provider.
pub const ENTITY_ID: &str = "https://idp.test/metadata";

/// The provider.
pub struct SamlIdp {
    url: String,
    /// The provider ends when this is closed.
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
        // Hides the provider's warnings about endpoints that no test uses.
        command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the identity provider of the tests needs node");
        let stdin = child.stdin.take().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).expect("the provider of the tests needs `npm ci` in the root");
        let url = said["url"].as_str().unwrap().to_owned();
        // The process ends when its stdin is closed, with the tests.
        std::thread::spawn(move || child.wait());
        SamlIdp { url, _stdin: stdin }
    })
}

impl SamlIdp {
    async fn ask(&self, what: &str, body: &Value) -> Value {
        Request::to(&format!("{}/{what}", self.url)).json(body).await.is(200).json()
    }

    /// The provider's metadata, with its own key (`own`), with another one (`other`), or with one of 1024 bits
    /// (`short`).
    pub async fn metadata(&self, key: &str) -> String {
        self.ask("metadata", &json!({})).await[key].as_str().unwrap().to_owned()
    }

    /// Signs a user in who arrives at `url` with an AuthnRequest. Returns the response in Base64, the RelayState, and
    /// what samlify read from the request after it verified the signature.
    pub async fn login(&self, url: &str, metadata: &str, person: &Value, more: &Value) -> Value {
        let mut body = json!({ "url": url, "metadata": metadata, "person": person });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.ask("login", &body).await
    }

    /// Signs elements of a document. Each signature names its element by XPath, with options.
    pub async fn sign(&self, xml: &str, signatures: &Value) -> String {
        let signed = self.ask("sign", &json!({ "xml": xml, "signatures": signatures })).await;
        signed["xml"].as_str().unwrap().to_owned()
    }
}
