//! Mails: content, delivery, and the targets of links.

use serde_json::json;

use crate::kit::{Calls, PASSWORD, Server};

const SIGNUP: &str = "/auth/v1/signup";

#[tokio::test]
async fn a_mail_uses_the_projects_template() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(
        file.path(),
        r#"<p>Hi {{ .Data.name }}{{ if .Data.team }} of {{ .Data.team }}{{ end }}</p>
           <a href="{{ .SiteURL }}/in?hash={{ .TokenHash }}&to={{ .RedirectTo }}">in</a><strong>{{ .Token }}</strong>"#,
    )
    .unwrap();
    let place = format!("file://{}", file.path().display());
    let (s, mails) = Server::with_mails(&[
        ("GOTRUE_MAILER_TEMPLATES_CONFIRMATION", &place),
        ("GOTRUE_MAILER_SUBJECTS_CONFIRMATION", "Welcome, {{ .Data.name }}"),
        ("GOTRUE_SMTP_HEADERS", r#"{"X-Kind":["app-$messageType"]}"#),
        ("GOTRUE_MAILER_OTP_LENGTH", "8"),
    ])
    .await;
    let body = json!({ "email": "ana@x.test", "password": PASSWORD, "data": { "name": "<i>Ána O'Brien</i>" } });
    s.post(&format!("{SIGNUP}?redirect_to=https://app.test/a?b=1%26c=2"), body).await.is(200);
    let mail = mails.to("ana@x.test").await;
    assert_eq!(mail.subject, "Welcome, <i>Ána O'Brien</i>");
    assert!(mail.from.contains("The App") && mail.from.contains("post@app.test"), "{}", mail.from);
    assert!(mail.html.contains("<p>Hi &lt;i&gt;Ána O&#39;Brien&lt;/i&gt;</p>"), "{}", mail.html);
    assert_eq!(mail.headers["x-kind"], "app-confirmation");
    assert_eq!(mail.code().len(), 8);
    let link = mail.link();
    assert!(link.starts_with("https://app.test/in?hash="), "{link}");
    assert!(link.ends_with("&to=https%3A%2F%2Fapp.test%2Fa%3Fb%3D1%26c%3D2"), "{link}");
}

#[tokio::test]
async fn links_lead_to_the_configured_host_whatever_headers_say() {
    let (s, mails) = Server::with_mails(&[
        ("API_EXTERNAL_URL", "https://api.app.test/auth/v1"),
        ("GOTRUE_MAILER_EXTERNAL_HOSTS", "evil.test"),
    ])
    .await;
    for (email, header) in [
        ("a@x.test", "host"),
        ("b@x.test", "x-forwarded-host"),
        ("c@x.test", "forwarded"),
        ("d@x.test", "x-original-host"),
        ("e@x.test", "referer"),
    ] {
        let value = match header {
            "forwarded" => "host=evil.test;proto=https",
            "referer" => "https://evil.test/",
            _ => "evil.test",
        };
        let body = json!({ "email": email, "password": PASSWORD });
        s.post(&format!("{SIGNUP}?redirect_to=https://evil.test"), body).header(header, value).await.is(200);
        let mail = mails.to(email).await;
        assert!(mail.link().starts_with("https://api.app.test/auth/v1/verify?token="), "{header}: {}", mail.link());
        assert!(mail.link().ends_with("&type=signup&redirect_to=https://app.test"), "{header}: {}", mail.link());
        assert!(!mail.html.contains("evil"), "{header}: {}", mail.html);
    }
}

#[tokio::test]
async fn temporary_failures_are_retried_and_refused_mails_do_not_block_others() {
    let (s, mails) = Server::with_mails(&[]).await;
    for email in ["never@x.test", "later@x.test"] {
        s.post(SIGNUP, json!({ "email": email, "password": PASSWORD })).await.is(200);
    }
    mails.to("later@x.test").await;
    assert_eq!(mails.unread(), 0);
}

#[tokio::test]
async fn mail_goes_to_authorized_addresses_only() {
    let (s, mails) = Server::with_mails(&[("GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES", "ana@x.test")]).await;
    let sign_up = |email: &str| s.post(SIGNUP, json!({ "email": email, "password": PASSWORD }));
    let refused = sign_up("bob@x.test").await.is(400);
    assert_eq!(refused.header("x-sb-error-code"), "email_address_not_authorized");
    sign_up("ana+label@x.test").await.is(200);
    mails.to("ana+label@x.test").await;
}

#[tokio::test]
async fn users_are_notified_of_changes_if_configured() {
    let (s, mails) = Server::with_mails(&[
        ("GOTRUE_MAILER_AUTOCONFIRM", "true"),
        ("GOTRUE_MAILER_NOTIFICATIONS_PASSWORD_CHANGED_ENABLED", "true"),
        ("GOTRUE_EXTERNAL_PHONE_ENABLED", "true"),
        ("GOTRUE_MAILER_NOTIFICATIONS_IDENTITY_LINKED_ENABLED", "true"),
    ])
    .await;
    let ana = s.signed_up("ana@x.test").await;
    ana.put("/auth/v1/user", json!({ "password": "quite another one" })).await.is(200);
    assert_eq!(mails.to("ana@x.test").await.subject, "Your password has changed");
    ana.put("/auth/v1/user", json!({ "phone": "+4912345678" })).await.is(200);
    let linked = mails.to("ana@x.test").await;
    assert!(linked.html.contains("by phone"), "{}", linked.html);
    assert_eq!(mails.unread(), 0, "notifications about phone numbers are off by default");
}
