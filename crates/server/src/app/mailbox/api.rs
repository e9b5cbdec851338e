//! The part of Mailpit's API that tests use.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path, Query};
use gateway::Anyone;
use gateway::mail::{Mail, Mailbox};
use serde::Deserialize;
use serde_json::{Value, json};

use super::text;

/// Length of the text in a list, in characters, as Mailpit's.
const SNIPPET: usize = 250;

/// `GET /api/v1/messages`: all mails, newest first.
pub(super) async fn messages(_: Anyone, mails: Data<Mailbox>) -> Json<Value> {
    listed(&mails.all())
}

/// What a search looks for: `to:ana@x.test`, `subject:"Confirm"`, or words anywhere; all have to fit.
#[derive(Deserialize)]
pub(super) struct Search {
    #[serde(default)]
    query: String,
}

/// `GET /api/v1/search?query=…`
pub(super) async fn search(_: Anyone, mails: Data<Mailbox>, search: Query<Search>) -> Json<Value> {
    let terms = terms(&search.query);
    let found: Vec<Mail> = mails.all().into_iter().filter(|mail| terms.iter().all(|term| fits(mail, term))).collect();
    listed(&found)
}

/// `GET /api/v1/message/{id}`; `latest` is the newest one.
pub(super) async fn message(_: Anyone, mails: Data<Mailbox>, id: Path<String>) -> HttpResponse {
    let found = match id.as_str() {
        "latest" => mails.all().into_iter().next(),
        id => id.parse().ok().and_then(|id| mails.find(id)),
    };
    let Some(mail) = found else { return HttpResponse::NotFound().finish() };
    let mut body = summary(&mail);
    body["HTML"] = json!(mail.html);
    body["Text"] = json!(text::of_html(&mail.html));
    body["Date"] = body["Created"].clone();
    HttpResponse::Ok().json(body)
}

/// `DELETE /api/v1/messages`
pub(super) async fn clear(_: Anyone, mails: Data<Mailbox>) -> HttpResponse {
    mails.clear();
    HttpResponse::Ok().body("ok")
}

fn listed(mails: &[Mail]) -> Json<Value> {
    let total = mails.len();
    let messages: Vec<Value> = mails.iter().map(summary).collect();
    Json(json!({
        "total": total, "unread": 0, "count": total, "messages_count": total, "messages_unread": 0, "start": 0,
        "tags": [], "messages": messages,
    }))
}

fn summary(mail: &Mail) -> Value {
    json!({
        "ID": mail.id,
        "MessageID": mail.id,
        "Read": true,
        "From": { "Name": "", "Address": "" },
        "To": [{ "Name": "", "Address": mail.to }],
        "Cc": [], "Bcc": [], "ReplyTo": [],
        "Subject": mail.subject,
        "Created": mail.received_at.to_rfc3339(),
        "Tags": [],
        "Size": mail.html.len(),
        "Attachments": 0,
        "Snippet": text::of_html(&mail.html).split_whitespace().collect::<Vec<_>>().join(" ").chars().take(SNIPPET).collect::<String>(),
    })
}

/// The words of a search in lower case, with the field that each is in; a phrase in quotes is one.
fn terms(query: &str) -> Vec<(Option<String>, String)> {
    let (mut terms, mut term, mut in_quotes) = (Vec::new(), String::new(), false);
    for character in query.to_lowercase().chars().chain([' ']) {
        match character {
            '"' => in_quotes = !in_quotes,
            ' ' if !in_quotes => {
                let whole = std::mem::take(&mut term);
                let field = whole.split_once(':').filter(|(field, _)| ["to", "subject"].contains(field));
                match field {
                    Some((field, text)) => terms.push((Some(field.to_owned()), text.to_owned())),
                    None if whole.is_empty() => {}
                    None => terms.push((None, whole)),
                }
            }
            other => term.push(other),
        }
    }
    terms
}

fn fits(mail: &Mail, (field, text): &(Option<String>, String)) -> bool {
    let [to, subject] = [&mail.to, &mail.subject].map(|text| text.to_lowercase());
    match field.as_deref() {
        Some("to") => to.contains(text),
        Some(_) => subject.contains(text),
        None => to.contains(text) || subject.contains(text) || text::of_html(&mail.html).to_lowercase().contains(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_has_fields_and_phrases() {
        let mail = Mail {
            id: uuid::Uuid::nil(),
            received_at: std::time::SystemTime::now().into(),
            to: "Ana@x.test".to_owned(),
            subject: "Confirm Your Email".to_owned(),
            html: "<p>Enter the code: 123456</p>".to_owned(),
        };
        for (query, found) in [
            ("to:ana@x.test", true),
            (r#"to:"ana@x.test" subject:"your email""#, true),
            ("123456", true),
            ("to:bea@x.test", false),
            ("subject:123456", false),
            ("", true),
        ] {
            assert_eq!(terms(query).iter().all(|term| fits(&mail, term)), found, "{query}");
        }
    }
}
