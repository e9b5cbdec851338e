//! A real OpenID Connect provider (npm oidc-provider), one process for all tests, and the browser of a user who signs
//! in there.

use std::io::{BufRead, BufReader};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reqwest::Method;
use serde_json::Value;
use url::Url;

use super::{Answer, Request};
use crate::architecture::root;

/// The redirect URI of [`OidcProvider::tokens`]; nothing listens there.
const REDIRECT_URI: &str = "https://api.test/callback";
/// Our client secret at the provider.
pub const CLIENT_SECRET: &str = "secret of the client";

/// The provider, and a second, unrelated one.
pub struct OidcProvider {
    pub issuer: String,
    pub other: String,
    /// The provider ends when this is closed.
    _stdin: ChildStdin,
}

/// A browser at the provider, with only the provider's cookies.
#[derive(Default)]
struct Browser {
    cookies: Vec<(String, String)>,
}

/// The provider of the tests.
///
/// # Panics
/// Without node, or without `npm ci` in the root.
pub fn oidc_provider() -> &'static OidcProvider {
    static PROVIDER: OnceLock<OidcProvider> = OnceLock::new();
    PROVIDER.get_or_init(|| {
        let script = root().join("crates/dugout/tests/oidc-provider.mjs");
        let mut command = Command::new("node");
        // Hides the provider's warnings against production use.
        command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the OpenID Connect provider of the tests needs node");
        let stdin = child.stdin.take().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).expect("the provider of the tests needs `npm ci` in the root");
        let text = |name: &str| said[name].as_str().unwrap().to_owned();
        // The process ends when its stdin is closed, with the tests.
        std::thread::spawn(move || child.wait());
        OidcProvider { issuer: text("issuer"), other: text("other"), _stdin: stdin }
    })
}

impl OidcProvider {
    /// Settings that configure the provider in place of Keycloak.
    pub fn as_keycloak(&self) -> Vec<(&'static str, &str)> {
        vec![
            ("GOTRUE_EXTERNAL_KEYCLOAK_ENABLED", "true"),
            ("GOTRUE_EXTERNAL_KEYCLOAK_CLIENT_ID", "dugout"),
            ("GOTRUE_EXTERNAL_KEYCLOAK_SECRET", CLIENT_SECRET),
            ("GOTRUE_EXTERNAL_KEYCLOAK_REDIRECT_URI", REDIRECT_URI),
            ("GOTRUE_EXTERNAL_KEYCLOAK_URL", &self.issuer),
        ]
    }

    /// Signs in at the provider as an app would without us, and returns an ID token with this nonce and its access
    /// token.
    pub async fn tokens(&self, issuer: &str, person: &Value, nonce: &str) -> (String, String) {
        let mut url = Url::parse(&format!("{issuer}/protocol/openid-connect/auth")).unwrap();
        let redirect = REDIRECT_URI.to_owned();
        for (name, value) in [
            ("response_type", "code"),
            ("client_id", "dugout"),
            ("redirect_uri", &redirect),
            ("scope", "openid email profile"),
            ("nonce", nonce),
            ("login_hint", &person.to_string()),
        ] {
            url.query_pairs_mut().append_pair(name, value);
        }
        let back = Url::parse(&signed_in(url.as_str()).await).unwrap();
        let code = back.query_pairs().find(|(name, _)| name == "code").expect("a code").1.into_owned();
        let basic = BASE64_STANDARD.encode(format!("dugout:{}", CLIENT_SECRET.replace(' ', "+")));
        let form = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs([("grant_type", "authorization_code"), ("code", &code), ("redirect_uri", &redirect)])
            .finish();
        let request = Request::to(&format!("{issuer}/protocol/openid-connect/token")).body(form);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let tokens = request.header("authorization", &format!("Basic {basic}")).await.is(200).json();
        let text = |name: &str| tokens[name].as_str().unwrap().to_owned();
        (text("id_token"), text("access_token"))
    }
}

/// Signs in at the provider, starting from an authorization URL. Returns the URL that the provider redirects to.
pub async fn signed_in(address: &str) -> String {
    let mut browser = Browser::default();
    let mut at = Url::parse(address).unwrap();
    for _ in 0..8 {
        let answer = browser.get(&at).await;
        let location = answer.header("location");
        assert!(matches!(answer.status, 302 | 303), "{}: {}", answer.status, answer.body);
        at = at.join(location).unwrap();
        if at.as_str().starts_with(REDIRECT_URI) {
            return at.into();
        }
    }
    panic!("the provider sends the browser in circles: {at}");
}

/// The path of `/callback` with the provider's parameters.
pub fn callback(location: &str) -> String {
    let query = Url::parse(location).unwrap().query().unwrap_or_default().to_owned();
    format!("/auth/v1/callback?{query}")
}

impl Browser {
    async fn get(&mut self, url: &Url) -> Answer {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let answer = Request::new(Method::GET, url.as_str()).header("cookie", &cookies.join("; ")).await;
        for cookie in answer.headers.get_all("set-cookie") {
            let pair = cookie.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            self.cookies.retain(|(known, _)| known != name);
            self.cookies.push((name.to_owned(), value.to_owned()));
        }
        answer
    }
}
