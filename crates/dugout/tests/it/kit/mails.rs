//! A mail server for the tests: one process for all of them, with one SMTP user per test.

use std::io::{BufRead, BufReader};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use serde_json::Value;
use uuid::Uuid;

use super::Server;
use crate::architecture::root;

const PATIENCE: Duration = Duration::from_secs(30);
/// The SMTP password that the server accepts.
const SMTP_PASSWORD: &str = "secret of the mail server";

/// The mails of one test.
pub struct Mails {
    user: String,
}

/// A mail as it arrived.
#[derive(Clone, Debug)]
pub struct Mail {
    pub to: String,
    pub from: String,
    pub subject: String,
    pub html: String,
    pub headers: Value,
}

struct Catcher {
    port: u64,
    /// The mail server ends when this is closed.
    _stdin: ChildStdin,
}

/// Mails that have arrived and were not yet read, each with its SMTP user.
static ARRIVED: Mutex<Vec<(String, Mail)>> = Mutex::new(Vec::new());

impl Server {
    /// A server that sends mails and requires confirmations, with additional settings.
    pub async fn with_mails(settings: &[(&str, &str)]) -> (Self, Mails) {
        let mails = Mails::new();
        let smtp = mails.settings();
        let own = [
            ("GOTRUE_SMTP_MAX_FREQUENCY", "1ns"),
            ("GOTRUE_MAILER_AUTOCONFIRM", "false"),
            ("GOTRUE_SITE_URL", "https://app.test"),
            ("GOTRUE_URI_ALLOW_LIST", "https://app.test/**,myapp://callback"),
        ];
        let smtp = smtp.iter().map(|(name, value)| (*name, value.as_str()));
        let all: Vec<(&str, &str)> = smtp.chain(own).chain(settings.iter().copied()).collect();
        (Self::with(&all).await, mails)
    }
}

impl Mails {
    /// The mails of a server that is started with [`Self::settings`].
    pub fn new() -> Self {
        Mails { user: Uuid::new_v4().to_string() }
    }

    /// Environment variables of the mail server.
    pub fn settings(&self) -> [(&'static str, String); 6] {
        [
            ("GOTRUE_SMTP_HOST", "127.0.0.1".to_owned()),
            ("GOTRUE_SMTP_PORT", catcher().port.to_string()),
            ("GOTRUE_SMTP_USER", self.user.clone()),
            ("GOTRUE_SMTP_PASS", SMTP_PASSWORD.to_owned()),
            ("GOTRUE_SMTP_ADMIN_EMAIL", "post@app.test".to_owned()),
            ("GOTRUE_SMTP_SENDER_NAME", "The App".to_owned()),
        ]
    }

    /// Waits for a mail to an address, and returns the oldest unread one.
    pub async fn to(&self, address: &str) -> Mail {
        let begun = Instant::now();
        loop {
            if let Some(mail) = self.take(address) {
                return mail;
            }
            if begun.elapsed() > PATIENCE {
                // Clones, because a panic under the lock would poison it for all tests.
                let unread = ARRIVED.lock().unwrap().clone();
                panic!("no mail to {address}; unread: {unread:?}");
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The number of unread mails.
    pub fn unread(&self) -> usize {
        ARRIVED.lock().unwrap().iter().filter(|(user, _)| *user == self.user).count()
    }

    fn take(&self, address: &str) -> Option<Mail> {
        let mut arrived = ARRIVED.lock().unwrap();
        let at = arrived.iter().position(|(user, mail)| *user == self.user && mail.to == address)?;
        Some(arrived.remove(at).1)
    }
}

impl Mail {
    /// The target of the mail's link.
    #[track_caller]
    pub fn link(&self) -> String {
        let (_, rest) = self.html.split_once("href=\"").unwrap_or_else(|| panic!("no link: {}", self.html));
        rest.split('"').next().unwrap().replace("&amp;", "&").replace("&#43;", "+")
    }

    /// Path and query of the link, for a server that runs at another address than the links name.
    #[track_caller]
    pub fn path(&self) -> String {
        let link = url::Url::parse(&self.link()).unwrap();
        format!("{}?{}", link.path(), link.query().unwrap_or_default())
    }

    /// The token hash in the link.
    #[track_caller]
    pub fn token(&self) -> String {
        let link = url::Url::parse(&self.link()).unwrap();
        link.query_pairs().find(|(name, _)| name == "token").expect("a token").1.into_owned()
    }

    /// The one-time code in the mail.
    #[track_caller]
    pub fn code(&self) -> String {
        let (_, rest) = self.html.split_once("<strong>").unwrap_or_else(|| panic!("no code: {}", self.html));
        rest.split('<').next().unwrap().to_owned()
    }
}

fn catcher() -> &'static Catcher {
    static CATCHER: OnceLock<Catcher> = OnceLock::new();
    CATCHER.get_or_init(|| {
        let script = root().join("crates/dugout/tests/smtp-catcher.mjs");
        let mut child = Command::new("node")
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the mail server of the tests needs node");
        let stdin = child.stdin.take().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut line =
            move || lines.next().and_then(Result::ok).map(|line| serde_json::from_str::<Value>(&line).unwrap());
        let first = line().expect("the mail server of the tests needs `npm ci` in the root");
        std::thread::spawn(move || {
            while let Some(mail) = line() {
                let text = |name: &str| mail[name].as_str().unwrap_or_default().to_owned();
                let to = mail["to"][0].as_str().unwrap_or_default().to_owned();
                let headers = mail["headers"].clone();
                let read = Mail { to, from: text("from"), subject: text("subject"), html: text("html"), headers };
                ARRIVED.lock().unwrap().push((text("user"), read));
            }
            // The process ends when its stdin is closed, with the tests.
            child.wait().expect("the mail server is our child");
        });
        Catcher { port: first["port"].as_u64().unwrap(), _stdin: stdin }
    })
}
