//! Mail texts: the project's own, or the built-in ones.
//!
//! Source: supabase/auth, `internal/mailer/templatemailer/template.go`.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use gateway::events::{Event, Events};
use gateway::{Clock, HttpClient};
use url::Url;
use uuid::Uuid;

use super::defaults;
use super::email::Email;
use crate::config::{Body, Wording};
use crate::model::email_kind::EmailKind;
use crate::protocol::template::Template;

/// How long a fetched template is cached.
const FRESH: Duration = Duration::from_secs(600);
/// Pause before the next fetch after a failure.
const PATIENCE: Duration = Duration::from_secs(10);

/// A rendered mail.
pub(crate) struct Written {
    /// What the mail is about: the name of an [`EmailKind`], or of a mail of another part of the server.
    pub(crate) kind: &'static str,
    pub(crate) user_id: Uuid,
    pub(crate) to: String,
    pub(crate) subject: String,
    pub(crate) html: String,
}

/// The configured texts, and the cache of fetched templates.
pub(super) struct Words {
    own: HashMap<EmailKind, Wording>,
    fetched: Mutex<HashMap<EmailKind, Fetched>>,
    client: HttpClient,
    clock: Clock,
    events: Events,
}

#[derive(Clone)]
struct Fetched {
    /// The last valid template.
    template: Option<Template>,
    /// When to fetch it again.
    stale_at: DateTime<Utc>,
}

impl Words {
    pub(super) fn new(own: HashMap<EmailKind, Wording>, client: HttpClient, clock: Clock, events: Events) -> Self {
        Words { own, fetched: Mutex::default(), client, clock, events }
    }

    /// Renders a mail. If the project's own text cannot be fetched or rendered, it emits an event and uses the built-in
    /// text, because a user waits for the mail.
    pub(super) async fn write(&self, mail: &Email) -> Written {
        let subject = self.own.get(&mail.kind).and_then(|own| own.subject.clone());
        let body = self.body(mail.kind).await;
        let written = |subject: &Template, body: &Template| {
            Ok::<_, crate::protocol::template::TooLong>((subject.text(&mail.fields)?, body.html(&mail.fields)?))
        };
        let ours = defaults::templates(mail.kind);
        let chosen = (subject.as_ref().unwrap_or(&ours.0), body.as_ref().unwrap_or(&ours.1));
        let (subject, html) = written(chosen.0, chosen.1).unwrap_or_else(|error| {
            self.failed(mail.kind, &error.to_string());
            // The built-in texts have a few short fields, so rendering cannot fail; the fallback would be an empty
            // mail.
            written(&ours.0, &ours.1).unwrap_or_default()
        });
        Written { kind: mail.kind.name(), user_id: mail.user_id, to: mail.to.clone(), subject, html }
    }

    async fn body(&self, kind: EmailKind) -> Option<Template> {
        match self.own.get(&kind).map(|own| &own.body)? {
            Body::Default => None,
            Body::Given(template) => Some(template.clone()),
            Body::At(url) => self.fetched(kind, url).await,
        }
    }

    async fn fetched(&self, kind: EmailKind, url: &Url) -> Option<Template> {
        let known = self.fetched.lock().unwrap_or_else(PoisonError::into_inner).get(&kind).cloned();
        let now = self.clock.now();
        let last = match known {
            Some(known) if now < known.stale_at => return known.template,
            Some(known) => known.template,
            None => None,
        };
        let fetched = match fetch(&self.client, url).await {
            Ok(template) => Fetched { template: Some(template), stale_at: now + FRESH },
            Err(reason) => {
                self.failed(kind, &reason);
                Fetched { template: last, stale_at: now + PATIENCE }
            }
        };
        self.fetched.lock().unwrap_or_else(PoisonError::into_inner).insert(kind, fetched.clone());
        fetched.template
    }

    fn failed(&self, kind: EmailKind, reason: &str) {
        self.events.emit(Event::TemplateFailed { kind: kind.name(), reason });
    }
}

async fn fetch(client: &HttpClient, url: &Url) -> Result<Template, String> {
    let answer = client.get(url).await.map_err(|error| error.to_string())?;
    if answer.status != 200 {
        return Err(format!("its server answered {}", answer.status));
    }
    let text = String::from_utf8(answer.body).map_err(|_| "it is not UTF-8".to_owned())?;
    Template::parse(&text).map_err(|error| error.to_string())
}
