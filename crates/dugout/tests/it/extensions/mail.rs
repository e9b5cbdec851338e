//! `mail.send()` of dugout_mail: mails to users, through the mail server of auth.

use super::{Running, role};
use crate::kit::{Mails, free_port};

/// Three users: with a confirmed address, with an unconfirmed one, and banned.
const USERS: &str = "
    create extension if not exists dugout_mail;
    insert into auth.users (instance_id, id, aud, role, email, email_confirmed_at) values
      ('00000000-0000-0000-0000-000000000000', '00000000-0000-4000-8000-000000000001', 'authenticated', 'authenticated', 'known@dugout.test', now()),
      ('00000000-0000-0000-0000-000000000000', '00000000-0000-4000-8000-000000000002', 'authenticated', 'authenticated', 'unproven@dugout.test', null),
      ('00000000-0000-0000-0000-000000000000', '00000000-0000-4000-8000-000000000003', 'authenticated', 'authenticated', 'banned@dugout.test', now());
    update auth.users set banned_until = now() + interval '1 day' where email = 'banned@dugout.test'";

#[tokio::test]
async fn mails_reach_confirmed_addresses_alone() {
    let mails = Mails::new();
    let Some(s) = Running::with(&mails.settings()).await else { return };
    s.run(USERS).await;
    s.run(
        "select mail.send(id::uuid, 'Two new <players>', E'Shortstops: 1 <b>player</b>\\nCatchers: 1\\n\\nMore soon.', '/search?a=1&b=2', 'Open')
         from unnest(array['00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000003',
           '00000000-0000-4000-8000-00000000000f', '00000000-0000-4000-8000-000000000001']) as id",
    )
    .await;
    let mail = mails.to("known@dugout.test").await;
    assert_eq!((mail.subject.as_str(), mail.from.as_str()), ("Two new <players>", "\"The App\" <post@app.test>"));
    assert!(mail.html.contains("<p>Shortstops: 1 &lt;b>player&lt;/b><br>"), "{}", mail.html);
    assert_eq!(mail.link(), format!("{}/search?a=1&b=2", s.launch.url()));
    s.until("not exists (select from mail.queue)").await;
    assert_eq!(mails.unread(), 0, "nobody else gets one");
    assert_eq!(s.dugout.log().matches("the user has no confirmed address").count(), 3, "{}", s.dugout.log());

    for role_name in ["anon", "authenticated", "service_role"] {
        let said = s.refusal(&format!("set role {role_name}; select mail.send(gen_random_uuid(), 'a', 'b')")).await;
        assert_eq!(said, "permission denied for schema mail", "{role_name}");
        s.run("reset role").await;
    }
    for (arguments, constraint) in [
        ("E'two\\nlines', 'b'", "queue_subject_check"),
        ("'', 'b'", "queue_subject_check"),
        ("repeat('a', 201), 'b'", "queue_subject_check"),
        ("'a', ''", "queue_body_check"),
        ("'a', repeat('b', 10001)", "queue_body_check"),
        ("'a', 'b', 'https://evil.test', 'Open'", "queue_link_check"),
        ("'a', 'b', '//evil.test', 'Open'", "queue_link_check"),
        ("'a', 'b', '/\\evil.test', 'Open'", "queue_link_check"),
        ("'a', 'b', '/search'", "queue_check"),
    ] {
        let said = s.refusal(&format!("select mail.send(gen_random_uuid(), {arguments})")).await;
        assert!(said.ends_with(&format!("violates check constraint \"{constraint}\"")), "{arguments}: {said}");
    }
    assert!(role(&s.launch, "authenticator").await.batch_execute("select * from mail.queue").await.is_err());
}

#[tokio::test]
async fn a_mail_waits_for_its_mail_server_and_survives_a_crash() {
    let mails = Mails::new();
    let mut settings = mails.settings();
    let port = std::mem::replace(&mut settings[1].1, free_port().to_string());
    let Some(mut s) = Running::with(&settings).await else { return };
    s.run(USERS).await;
    s.run("select mail.send('00000000-0000-4000-8000-000000000001', 'Later', 'Here I am.')").await;
    s.until(
        "(select attempts from mail.queue) = 1 and (select next_at from mail.queue) < now() + interval '2 minutes'",
    )
    .await;
    s.launch = s.launch.env("GOTRUE_SMTP_PORT", port);
    s.crash().await;
    assert_eq!(s.one("select attempts from mail.queue").await, "1", "it is not due yet");
    s.run("update mail.queue set next_at = now(); select pg_notify('dugout_workers', 'mail')").await;
    assert_eq!(mails.to("known@dugout.test").await.subject, "Later");
    s.until("not exists (select from mail.queue)").await;
}
