//! The mails that development mode keeps instead of sending, at `/mailbox` and at `/` of a port of their own, where the Supabase CLI
//! starts Mailpit: pages for people, and the part of Mailpit's API that tests use.

mod api;
mod text;

use std::sync::Arc;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, X_CONTENT_TYPE_OPTIONS};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::{Next, from_fn};
use actix_web::web::{Data, Path, ServiceConfig};
use actix_web::{Error, HttpResponse, error, web};
use gateway::mail::{Mail, Mailbox};
use gateway::wire::Plain;
use gateway::{Anyone, Route, route};
use url::Url;
use uuid::Uuid;

use super::page::{PageSettings, escape};

/// Content security policy of the mailbox's own pages.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'";
/// Content security policy of a mail's HTML: no scripts, and links open in new tabs.
const MAIL_POLICY: &str = "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; \
    img-src http: https: data:; style-src 'unsafe-inline'; frame-ancestors 'self'";
const STYLE: &str = "<style>body{font:16px/1.5 system-ui;margin:2rem auto;max-width:60rem;padding:0 1rem}\
    li{margin:.5rem 0}iframe{width:100%;height:60vh;border:1px solid #888}time{color:#666}</style>";

/// Where the mailbox is mounted, for its links.
struct Place(&'static str);

/// Mounts the mailbox below `place`. Everyone on this machine may read it, but no page of another site.
pub(crate) fn mount(mails: Mailbox, place: &'static str, scope: &mut ServiceConfig) {
    let mut rows = vec![
        Route::new(Method::GET, "/api/v1/messages", api::messages),
        Route::new(Method::DELETE, "/api/v1/messages", api::clear),
        Route::new(Method::GET, "/api/v1/search", api::search),
        Route::new(Method::GET, "/api/v1/message/{id}", api::message),
        Route::new(Method::GET, "/{id}", show),
        Route::new(Method::GET, "/{id}/html", html),
    ];
    rows.extend(["", "/"].map(|path| Route::new(Method::GET, path, list)));
    let inner = web::scope("").wrap(from_fn(only_here)).app_data(Data::new(mails)).app_data(Data::new(Place(place)));
    scope.service(inner.configure(|scope| route::mount(rows, Arc::new(Plain), scope)));
}

/// Refuses requests from pages of other sites, which could read one-time codes. Checks `Sec-Fetch-Site` and `Origin`, and
/// `Host` against DNS rebinding.
async fn only_here<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let text = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let site = text("sec-fetch-site").is_none_or(|site| matches!(site, "same-origin" | "none"));
    let host = text(HOST.as_str()).unwrap_or_default();
    let own = request.app_data::<Data<PageSettings>>().and_then(|page| Url::parse(page.public_url.as_str()).ok());
    let own = own.and_then(|url| url.host_str().map(str::to_owned));
    let asked = Url::parse(&format!("http://{host}")).ok();
    let asked_port = asked.as_ref().and_then(Url::port);
    let asked = asked.as_ref().and_then(Url::host_str).unwrap_or_default();
    let known = ["127.0.0.1", "localhost", "[::1]"].contains(&asked) || own.as_deref() == Some(asked);
    // A sandboxed frame sends `null`, which is no origin of this server.
    let origin = text(ORIGIN.as_str()).is_none_or(|origin| {
        Url::parse(origin).is_ok_and(|origin| origin.host_str() == Some(asked) && origin.port() == asked_port)
    });
    if site && known && origin {
        next.call(request).await
    } else {
        Err(error::InternalError::new("The mailbox is for this machine only.\n", StatusCode::FORBIDDEN).into())
    }
}

async fn list(_: Anyone, mails: Data<Mailbox>, place: Data<Place>) -> HttpResponse {
    let rows: String = mails.all().iter().map(|mail| row(mail, place.0)).collect();
    let rows = if rows.is_empty() { "<p>No mail yet.</p>".to_owned() } else { format!("<ul>{rows}</ul>") };
    let note = "<p>Nothing leaves this machine: there is no SMTP server in the settings.</p>";
    page("Mailbox", &format!("{note}{rows}"))
}

fn row(mail: &Mail, place: &str) -> String {
    let (subject, to, time) = (escape(&mail.subject), escape(&mail.to), mail.received_at.format("%H:%M:%S"));
    format!("<li><a href=\"{place}/{}\">{subject}</a> to {to} <time>{time}</time></li>", mail.id)
}

async fn show(_: Anyone, mails: Data<Mailbox>, place: Data<Place>, id: Path<Uuid>) -> HttpResponse {
    let Some(mail) = mails.find(*id) else { return HttpResponse::NotFound().finish() };
    let (to, id) = (escape(&mail.to), mail.id);
    let (place, all) = (place.0, if place.0.is_empty() { "/" } else { place.0 });
    let frame = format!(
        "<p><a href=\"{all}\">All mails</a></p><p>To {to}</p>\
         <iframe title=\"The mail\" sandbox=\"allow-popups allow-popups-to-escape-sandbox\" src=\"{place}/{id}/html\"></iframe>"
    );
    page(&mail.subject, &frame)
}

async fn html(_: Anyone, mails: Data<Mailbox>, id: Path<Uuid>) -> HttpResponse {
    let Some(mail) = mails.find(*id) else { return HttpResponse::NotFound().finish() };
    let text = format!("<!doctype html><meta charset=\"utf-8\"><base target=\"_blank\">{}", mail.html);
    answer(MAIL_POLICY, text)
}

fn page(title: &str, body: &str) -> HttpResponse {
    let title = escape(title);
    let text = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width\">{STYLE}<h1>{title}</h1>{body}</html>"
    );
    answer(PAGE_POLICY, text)
}

fn answer(policy: &'static str, text: String) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_SECURITY_POLICY, policy))
        .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .body(text)
}
