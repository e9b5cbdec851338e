//! A journey of many requests (`session.txt`), run against GoTrue itself and against our server. The responses may differ only
//! in ids, times and codes, and where the journey says so.
//!
//! `GOTRUE_BIN` names GoTrue's binary; without it this is skipped. To build it: `go build -o gotrue .` in a checkout of
//! supabase/auth. `cargo test -p dugout --test it recorded -- --nocapture` prints each difference.

mod player;
mod redaction;
mod script;

use std::process::Stdio;
use std::time::Duration;

use crate::kit::{AUTH_SECRET, AuthProcess, Database, GENEROUS, HttpCatcher, Request, Saying, free_port, skip};
use player::Player;
use script::Step;
use serde_json::json;

/// The settings of both. Neither sends anything itself: mails go to a hook, and there is a test number with a fixed
/// code.
const SETTINGS: &[(&str, &str)] = &[
    ("API_EXTERNAL_URL", "http://auth.test"),
    ("GOTRUE_SITE_URL", "http://app.test"),
    ("GOTRUE_URI_ALLOW_LIST", "http://app.test/**"),
    ("GOTRUE_JWT_SECRET", AUTH_SECRET),
    ("GOTRUE_JWT_AUD", "authenticated"),
    ("GOTRUE_JWT_EXP", "3600"),
    ("GOTRUE_JWT_ISSUER", "http://auth.test"),
    ("GOTRUE_JWT_DEFAULT_GROUP_NAME", "authenticated"),
    ("GOTRUE_JWT_ADMIN_ROLES", "service_role"),
    ("GOTRUE_MAILER_AUTOCONFIRM", "false"),
    ("GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED", "false"),
    ("GOTRUE_SMTP_MAX_FREQUENCY", "1ns"),
    ("GOTRUE_EXTERNAL_EMAIL_ENABLED", "true"),
    ("GOTRUE_EXTERNAL_PHONE_ENABLED", "true"),
    ("GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", "true"),
    ("GOTRUE_EXTERNAL_KEYCLOAK_ENABLED", "true"),
    ("GOTRUE_EXTERNAL_KEYCLOAK_CLIENT_ID", "client"),
    ("GOTRUE_EXTERNAL_KEYCLOAK_SECRET", "secret"),
    ("GOTRUE_EXTERNAL_KEYCLOAK_REDIRECT_URI", "http://auth.test/callback"),
    ("GOTRUE_EXTERNAL_KEYCLOAK_URL", "http://id.test/realms/one"),
    ("GOTRUE_SMS_AUTOCONFIRM", "false"),
    ("GOTRUE_SMS_MAX_FREQUENCY", "1ns"),
    ("GOTRUE_SMS_PROVIDER", "twilio"),
    ("GOTRUE_SMS_TWILIO_ACCOUNT_SID", "AC0"),
    ("GOTRUE_SMS_TWILIO_AUTH_TOKEN", "secret"),
    ("GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID", "MG0"),
    ("GOTRUE_SMS_TEST_OTP", "41790000001:123456"),
    ("GOTRUE_SECURITY_MANUAL_LINKING_ENABLED", "true"),
    ("GOTRUE_OAUTH_SERVER_ENABLED", "true"),
    ("GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION", "true"),
    ("GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH", "/oauth/consent"),
    ("GOTRUE_PASSKEY_ENABLED", "true"),
    ("GOTRUE_WEBAUTHN_RP_ID", "app.test"),
    ("GOTRUE_WEBAUTHN_RP_DISPLAY_NAME", "The App"),
    ("GOTRUE_WEBAUTHN_RP_ORIGINS", "https://app.test"),
    ("GOTRUE_EXPERIMENTAL_SCIM_ENABLED", "true"),
    ("GOTRUE_HOOK_SEND_EMAIL_ENABLED", "true"),
    ("GOTRUE_HOOK_SEND_EMAIL_SECRETS", "v1,whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"),
];

/// A GoTrue process, killed on drop.
struct GoTrue {
    url: String,
    _child: tokio::process::Child,
    _database: Database,
}

impl GoTrue {
    async fn start(binary: &str, settings: &[(&str, &str)]) -> Self {
        let (database, port) = (Database::cloned().await, free_port().to_string());
        let mut command = tokio::process::Command::new(binary);
        command.arg("serve").env_clear().envs(settings.iter().copied()).envs([
            ("PORT", port.as_str()),
            ("GOTRUE_API_HOST", "127.0.0.1"),
            ("GOTRUE_DB_DRIVER", "postgres"),
            ("DATABASE_URL", &in_its_words(&database)),
            ("GOTRUE_LOG_LEVEL", "fatal"),
        ]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.kill_on_drop(true).spawn().unwrap_or_else(|error| panic!("{binary}: {error}"));
        let url = format!("http://127.0.0.1:{port}");
        for _ in 0..300 {
            if Request::to_get(&format!("{url}/health")).try_send().await.is_ok_and(|answer| answer.status == 200) {
                return GoTrue { url, _child: child, _database: database };
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("{binary} does not answer at {url}");
    }
}

/// The database's URL as Go's parser accepts it: the folder of a socket is not a host.
fn in_its_words(database: &Database) -> String {
    let url = url::Url::parse(&database.as_role("supabase_auth_admin").url()).unwrap();
    let host = url.host_str().unwrap_or_default().replace("%2F", "/").replace("%2f", "/");
    let (user, path, port) = (url.username(), url.path(), url.port().unwrap_or(5432));
    match host.starts_with('/') {
        true => format!("postgres://{user}@localhost:{port}{path}?host={host}"),
        false => format!("postgres://{user}@{host}:{port}{path}"),
    }
}

fn with_hook(hook: &HttpCatcher) -> Vec<(&str, &str)> {
    let hook = ("GOTRUE_HOOK_SEND_EMAIL_URI", hook.url.as_str());
    GENEROUS.iter().chain(SETTINGS).copied().chain([hook]).collect()
}

#[tokio::test]
async fn the_journey_gets_the_same_responses_as_with_gotrue() {
    let Ok(binary) = std::env::var("GOTRUE_BIN") else {
        return skip("GoTrue is not here: GOTRUE_BIN names its binary");
    };
    let hooks = [(); 2].map(|()| HttpCatcher::saying(Saying::json(200, &json!({}))));
    let gotrue = GoTrue::start(&binary, &with_hook(&hooks[0])).await;
    let ours = AuthProcess::start(&with_hook(&hooks[1])).await;
    let mut theirs = Player::new(gotrue.url.clone(), &hooks[0]);
    let mut own = Player::new(ours.url(), &hooks[1]);
    let (mut equal, mut named, mut wrong) = (0, 0, 0);
    let steps = Step::all(include_str!("session.txt"));
    for step in &steps {
        let (expected, found) = (theirs.play(step).await, own.play(step).await);
        match (expected == found, &step.deviation) {
            (true, None) => equal += 1,
            (false, Some(_)) => named += 1,
            (true, Some(_)) => {
                wrong += 1;
                println!("{}\n  no longer differs\n", step.title());
            }
            (false, None) => {
                wrong += 1;
                println!("{}\n{}", step.title(), redaction::difference(&expected, &found));
            }
        }
    }
    println!("{} requests: {equal} equal, {named} differ as it is said, {wrong} otherwise", steps.len());
    assert_eq!(wrong, 0);
}
