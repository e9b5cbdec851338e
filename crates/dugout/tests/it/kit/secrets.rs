//! The secrets that must never be logged. Learnt from every request and response of the tests, and searched for in the
//! log: verbatim, in base64, and URL-encoded.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use base64::Engine;
use base64::prelude::{BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD};
use serde_json::Value;
use tracing_subscriber::EnvFilter;

/// Names of fields and URL parameters whose values are secret.
const FIELDS: &[&str] = &[
    "password",
    "current_password",
    "access_token",
    "refresh_token",
    "provider_token",
    "provider_refresh_token",
    "token",
    "token_hash",
    "hashed_token",
    "email_otp",
    "code",
    "auth_code",
    "code_verifier",
    "nonce",
    "id_token",
    "secret",
    "client_secret",
];
/// Shorter texts, such as numbers, may appear in a log by chance.
const SHORTEST: usize = 12;

/// By port of the server.
static KNOWN: Mutex<BTreeMap<u16, BTreeSet<String>>> = Mutex::new(BTreeMap::new());
static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// A secret in a log.
#[derive(Debug, PartialEq, Eq)]
pub struct Leak {
    pub secret: String,
    /// The encoding in which it appears.
    pub form: String,
}

/// Registers a secret of the server at `url`.
pub fn learn(url: &str, secret: &str) {
    let Some(port) = url::Url::parse(url).ok().and_then(|url| url.port()) else { return };
    if secret.len() >= SHORTEST {
        lock(&KNOWN).entry(port).or_default().insert(secret.to_owned());
    }
}

/// Registers the secrets in a JSON body, or in the query and fragment of a URL.
pub fn learn_from(url: &str, text: &str) {
    if let Ok(body) = serde_json::from_str::<Value>(text) {
        return walk(url, &body);
    }
    for part in text.split(['?', '#']).skip(1) {
        for (name, value) in url::form_urlencoded::parse(part.as_bytes()) {
            if FIELDS.contains(&&*name) {
                learn(url, &value);
            }
        }
    }
}

fn walk(url: &str, value: &Value) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| walk(url, item)),
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::String(secret) if FIELDS.contains(&name.as_str()) => learn(url, secret),
                    Value::String(link) if name == "action_link" => learn_from(url, link),
                    other => walk(url, other),
                }
            }
        }
        _ => {}
    }
}

/// Every occurrence in `log` of a secret of the server at `url`.
pub fn search(url: &str, log: &str) -> Vec<Leak> {
    let port = url::Url::parse(url).unwrap().port().unwrap();
    let known = lock(&KNOWN).get(&port).cloned().unwrap_or_default();
    let mut leaks = Vec::new();
    for secret in known {
        for form in forms(&secret) {
            let times = log.matches(&form).count();
            leaks.extend((0..times).map(|_| Leak { secret: secret.clone(), form: form.clone() }));
        }
    }
    leaks
}

/// The forms of a secret: verbatim, URL-encoded, and the base64 of a longer text that contains it.
fn forms(secret: &str) -> BTreeSet<String> {
    let mut forms = BTreeSet::from([secret.to_owned()]);
    forms.insert(url::form_urlencoded::byte_serialize(secret.as_bytes()).collect());
    forms.insert(url::form_urlencoded::byte_serialize(secret.as_bytes()).collect::<String>().replace('+', "%20"));
    for before in 0..3 {
        let bytes = [&vec![0; before][..], secret.as_bytes()].concat();
        // The first and last characters depend on the neighbouring bytes.
        let (start, end) = ((before * 8).div_ceil(6), bytes.len() * 8 / 6);
        for encoded in [BASE64_STANDARD_NO_PAD.encode(&bytes), BASE64_URL_SAFE_NO_PAD.encode(&bytes)] {
            forms.insert(encoded[start..end].to_owned());
        }
    }
    forms
}

/// From now on, keeps everything that this process logs.
pub fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let filter = EnvFilter::new("debug,auth=trace,gateway=trace,pg=trace,rest=trace,server=trace");
        tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(|| Keeper).init();
    });
}

/// The length of the log so far.
pub fn now() -> usize {
    lock(&LOG).len()
}

/// What was logged since `start`.
pub fn since(start: usize) -> String {
    String::from_utf8_lossy(&lock(&LOG)[start..]).into_owned()
}

struct Keeper;

impl Write for Keeper {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        lock(&LOG).extend_from_slice(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
