//! Plays the journey against one server, and remembers values for later requests.

use std::collections::BTreeMap;

use jsonwebtoken::{EncodingKey, Header};
use reqwest::Method;
use serde_json::{Value, json};

use super::redaction::{Redaction, Seen};
use super::script::{Source, Step};
use crate::auth::pairs;
use crate::kit::{AUTH_SECRET, Answer, Caught, HttpCatcher, Request};

/// One of the two servers.
pub(super) struct Player<'a> {
    url: String,
    /// The receiver of its mails.
    hook: &'a HttpCatcher,
    memory: BTreeMap<String, String>,
    redaction: Redaction,
}

impl<'a> Player<'a> {
    pub(super) fn new(url: String, hook: &'a HttpCatcher) -> Self {
        let claims = json!({ "role": "service_role", "aud": "authenticated", "exp": 4_000_000_000_i64 });
        let key = EncodingKey::from_secret(AUTH_SECRET.as_bytes());
        let service = jsonwebtoken::encode(&Header::default(), &claims, &key).unwrap();
        let memory = BTreeMap::from([("service".to_owned(), service)]);
        Player { url, hook, memory, redaction: Redaction::default() }
    }

    /// Runs a step; returns the answer and the mails it caused.
    pub(super) async fn play(&mut self, step: &Step) -> Seen {
        let answer = self.ask(step).await;
        let letters: Vec<Value> = self.hook.caught().iter().map(Caught::json).collect();
        for (name, source) in &step.memories {
            let found = self.find(source, &answer, letters.last());
            let found = found.unwrap_or_else(|| format!("no {name} at {}", self.url));
            self.memory.insert(name.clone(), found);
        }
        self.redaction.see(&answer, &letters)
    }

    async fn ask(&self, step: &Step) -> Answer {
        let method: Method = step.method.parse().unwrap();
        let mut request = Request::of(method, &format!("{}{}", self.url, self.filled(&step.path)));
        if let Some(body) = &step.body {
            request = request.body(self.filled(body));
            if !body.starts_with(['{', '[']) {
                request = request.header("content-type", "application/x-www-form-urlencoded");
            }
        }
        if let Some(caller) = &step.caller {
            request = request.bearer(&self.memory[caller]);
        }
        for (name, value) in &step.headers {
            request = request.header(name, value);
        }
        request.await
    }

    fn filled(&self, text: &str) -> String {
        let fill = |text: String, (name, value): (&String, &String)| text.replace(&format!("<{name}>"), value);
        self.memory.iter().fold(text.to_owned(), fill)
    }

    fn find(&self, source: &Source, answer: &Answer, letter: Option<&Value>) -> Option<String> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        match source {
            Source::Pointer(pointer) => text(answer.body_json()?.pointer(pointer)?),
            Source::Mail(name) => text(letter?.pointer(&format!("/email_data/{name}"))?),
            Source::Location(name) => {
                let body = answer.body_json();
                let location = body.as_ref().and_then(|body| body["redirect_url"].as_str());
                let location = location.unwrap_or(answer.header("location"));
                let (_, rest) = location.split_once(['?', '#'])?;
                pairs(rest).remove(name)
            }
            Source::Totp(secret) => {
                let secret = totp_rs::Secret::try_from_base32(self.filled(secret)).ok()?;
                let totp = totp_rs::Builder::new().with_secret(secret).build().ok()?;
                Some(totp.generate(u64::try_from(chrono::Utc::now().timestamp()).ok()?).to_string())
            }
        }
    }
}
