//! Parts of `[auth…]` that are more than one value each: the mail server, the words of mails, providers of messages.

use std::collections::BTreeMap;
use std::path::Path;

use gateway::settings::{ConfigFile, Origin, cli_env};

/// (variable, value, path in config.toml)
type Given = (String, String, String);

/// Templates by the CLI's names and GoTrue's.
const TEMPLATES: [&str; 6] = ["invite", "confirmation", "recovery", "magic_link", "email_change", "reauthentication"];
const NOTIFICATIONS: [&str; 7] = [
    "password_changed",
    "email_changed",
    "phone_changed",
    "identity_linked",
    "identity_unlinked",
    "mfa_factor_enrolled",
    "mfa_factor_unenrolled",
];
const HOOKS: [&str; 7] = [
    "custom_access_token",
    "send_email",
    "send_sms",
    "mfa_verification_attempt",
    "password_verification_attempt",
    "before_user_created",
    "after_user_created",
];
const SMTP: [(&str, &str); 6] = [
    ("host", "HOST"),
    ("port", "PORT"),
    ("user", "USER"),
    ("pass", "PASS"),
    ("admin_email", "ADMIN_EMAIL"),
    ("sender_name", "SENDER_NAME"),
];
/// (section, keys)
const SMS: [(&str, &[&str]); 5] = [
    ("twilio", &["account_sid", "message_service_sid", "auth_token", "content_sid"]),
    ("twilio_verify", &["account_sid", "message_service_sid", "auth_token"]),
    ("messagebird", &["originator", "access_key"]),
    ("textlocal", &["sender", "api_key"]),
    ("vonage", &["from", "api_key", "api_secret"]),
];

/// Of each external provider.
const EXTERNAL: [&str; 7] =
    ["enabled", "client_id", "secret", "redirect_uri", "url", "skip_nonce_check", "email_optional"];

/// Variables of GoTrue that these sections stand for, each with where it came from.
pub(super) fn variables(config: &ConfigFile, env: &BTreeMap<String, String>) -> Vec<(String, (String, Origin))> {
    let reader = Reader { config, env };
    let mut all = Vec::new();
    reader.smtp(&mut all);
    let supabase = config.path.parent().unwrap_or(Path::new(""));
    let project = supabase.parent().unwrap_or(Path::new(""));
    for name in TEMPLATES {
        // The CLI takes these relative to the project; those who wrote them for `supabase/` are understood, too.
        reader.wording(&format!("auth.email.template.{name}"), name, &[project, supabase], &mut all);
    }
    for name in NOTIFICATIONS {
        let path = format!("auth.email.notification.{name}");
        let variable = format!("GOTRUE_MAILER_NOTIFICATIONS_{}_ENABLED", name.to_uppercase());
        all.extend(reader.given(&format!("{path}.enabled"), variable));
        // The CLI takes these relative to `supabase/`, though its own template shows the other way.
        reader.wording(&path, &format!("{name}_notification"), &[supabase, project], &mut all);
    }
    reader.sms(&mut all);
    reader.hooks(&mut all);
    reader.external(&mut all);
    let place = |path: String| match env.get(&cli_env(&path)).filter(|text| !text.is_empty()) {
        Some(_) => Origin::Env(cli_env(&path)),
        None => Origin::File(config.path.clone(), path),
    };
    all.into_iter().map(|(name, text, path)| (name, (text, place(path)))).collect()
}

struct Reader<'a> {
    config: &'a ConfigFile,
    env: &'a BTreeMap<String, String>,
}

impl Reader<'_> {
    fn text(&self, path: &str) -> Option<&String> {
        let given = self.env.get(&cli_env(path)).filter(|text| !text.is_empty());
        given.or_else(|| self.config.values.get(path))
    }

    fn given(&self, path: &str, variable: String) -> Option<Given> {
        self.text(path).map(|text| (variable, text.clone(), path.to_owned()))
    }

    /// Whether a section that can be switched on is.
    fn is_on(&self, section: &str) -> bool {
        self.text(&format!("{section}.enabled")).is_some_and(|text| text == "true")
    }

    fn smtp(&self, all: &mut Vec<Given>) {
        const SECTION: &str = "auth.email.smtp";
        // A section without the switch is on, as for the CLI.
        if self.text("auth.email.smtp.enabled").is_some() && !self.is_on(SECTION) {
            return;
        }
        for (key, name) in SMTP {
            all.extend(self.given(&format!("{SECTION}.{key}"), format!("GOTRUE_SMTP_{name}")));
        }
        if self.text(&format!("{SECTION}.host")).is_some() {
            // What the project's own mail server sends is limited; without a word about it, as by GoTrue.
            let variable = "GOTRUE_RATE_LIMIT_EMAIL_SENT".to_owned();
            let sent = self.given("auth.rate_limit.email_sent", variable.clone());
            all.push(sent.unwrap_or_else(|| (variable, "30".to_owned(), format!("{SECTION}.host"))));
        }
    }

    /// Subject and template: a file, whose path is relative to the first of the `folders` that has it.
    fn wording(&self, path: &str, name: &str, folders: &[&Path], all: &mut Vec<Given>) {
        let name = name.to_uppercase();
        all.extend(self.given(&format!("{path}.subject"), format!("GOTRUE_MAILER_SUBJECTS_{name}")));
        let file = self.given(&format!("{path}.content_path"), format!("GOTRUE_MAILER_TEMPLATES_{name}"));
        all.extend(file.map(|(variable, text, path)| (variable, template_file(folders, &text), path)));
    }

    fn hooks(&self, all: &mut Vec<Given>) {
        for name in HOOKS {
            for (key, variable) in [("enabled", "ENABLED"), ("uri", "URI"), ("secrets", "SECRETS")] {
                let variable = format!("GOTRUE_HOOK_{}_{variable}", name.to_uppercase());
                all.extend(self.given(&format!("auth.hook.{name}.{key}"), variable));
            }
        }
    }

    /// `[auth.external.<name>]`, whatever the name is.
    fn external(&self, all: &mut Vec<Given>) {
        const SECTION: &str = "auth.external.";
        let names = self.config.values.keys().filter_map(|path| path.strip_prefix(SECTION)?.split('.').next());
        let names: std::collections::BTreeSet<&str> = names.collect();
        for name in names {
            for key in EXTERNAL {
                let variable = format!("GOTRUE_EXTERNAL_{}_{}", name.to_uppercase(), key.to_uppercase());
                all.extend(self.given(&format!("{SECTION}{name}.{key}"), variable));
            }
        }
    }

    fn sms(&self, all: &mut Vec<Given>) {
        for (name, keys) in SMS {
            let section = format!("auth.sms.{name}");
            if !self.is_on(&section) {
                continue;
            }
            all.push(("GOTRUE_SMS_PROVIDER".to_owned(), name.to_owned(), format!("{section}.enabled")));
            for key in keys {
                let variable = format!("GOTRUE_SMS_{}_{}", name.to_uppercase(), key.to_uppercase());
                all.extend(self.given(&format!("{section}.{key}"), variable));
            }
        }
        const CODES: &str = "auth.sms.test_otp";
        let codes = self.config.values.iter().filter_map(|(path, code)| {
            path.strip_prefix(CODES).and_then(|rest| rest.strip_prefix('.')).map(|number| format!("{number}:{code}"))
        });
        let codes: Vec<String> = codes.collect();
        if !codes.is_empty() {
            all.push(("GOTRUE_SMS_TEST_OTP".to_owned(), codes.join(","), CODES.to_owned()));
        }
    }
}

fn template_file(folders: &[&Path], text: &str) -> String {
    let found = folders.iter().find_map(|folder| std::fs::canonicalize(folder.join(text)).ok());
    let path = found.unwrap_or_else(|| folders.first().unwrap_or(&Path::new("")).join(text));
    format!("file://{}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_become_gotrues_variables() {
        let folder = std::env::temp_dir().join(format!("dugout-sections-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("supabase/templates")).unwrap();
        std::fs::write(folder.join("supabase/templates/invite.html"), "x").unwrap();
        let values = [
            ("auth.email.smtp.enabled", "true"),
            ("auth.email.smtp.host", "mail.test"),
            ("auth.email.smtp.port", "25"),
            ("auth.email.smtp.pass", "geheim"),
            ("auth.email.template.invite.subject", "Come"),
            ("auth.email.template.invite.content_path", "./supabase/templates/invite.html"),
            ("auth.email.template.recovery.content_path", "templates/invite.html"),
            ("auth.email.notification.password_changed.enabled", "true"),
            ("auth.email.notification.password_changed.subject", "Changed"),
            ("auth.email.notification.password_changed.content_path", "templates/invite.html"),
            ("auth.email.notification.email_changed.content_path", "./supabase/templates/invite.html"),
            ("auth.hook.send_sms.enabled", "true"),
            ("auth.hook.send_sms.uri", "pg-functions://postgres/public/f"),
            ("auth.sms.twilio.enabled", "false"),
            ("auth.sms.twilio.account_sid", "AC1"),
            ("auth.sms.vonage.enabled", "true"),
            ("auth.sms.vonage.from", "App"),
            ("auth.sms.vonage.api_key", "k"),
            ("auth.external.linkedin_oidc.enabled", "true"),
            ("auth.external.linkedin_oidc.client_id", "us"),
            ("auth.sms.test_otp.4152127777", "123456"),
        ];
        let values = values.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
        let config = ConfigFile { path: folder.join("supabase/config.toml"), values };
        let env = BTreeMap::from([("SUPABASE_AUTH_SMS_VONAGE_API_SECRET".to_owned(), "s".to_owned())]);
        let variables: BTreeMap<String, String> =
            variables(&config, &env).into_iter().map(|(name, (text, _))| (name, text)).collect();
        let template = std::fs::canonicalize(folder.join("supabase/templates/invite.html")).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        let file = format!("file://{}", template.display());
        let expected = [
            ("GOTRUE_EXTERNAL_LINKEDIN_OIDC_CLIENT_ID", "us"),
            ("GOTRUE_EXTERNAL_LINKEDIN_OIDC_ENABLED", "true"),
            ("GOTRUE_HOOK_SEND_SMS_ENABLED", "true"),
            ("GOTRUE_HOOK_SEND_SMS_URI", "pg-functions://postgres/public/f"),
            ("GOTRUE_MAILER_NOTIFICATIONS_PASSWORD_CHANGED_ENABLED", "true"),
            ("GOTRUE_MAILER_SUBJECTS_INVITE", "Come"),
            ("GOTRUE_MAILER_SUBJECTS_PASSWORD_CHANGED_NOTIFICATION", "Changed"),
            ("GOTRUE_MAILER_TEMPLATES_EMAIL_CHANGED_NOTIFICATION", &file),
            ("GOTRUE_MAILER_TEMPLATES_INVITE", &file),
            ("GOTRUE_MAILER_TEMPLATES_PASSWORD_CHANGED_NOTIFICATION", &file),
            ("GOTRUE_MAILER_TEMPLATES_RECOVERY", &file),
            ("GOTRUE_RATE_LIMIT_EMAIL_SENT", "30"),
            ("GOTRUE_SMS_PROVIDER", "vonage"),
            ("GOTRUE_SMS_TEST_OTP", "4152127777:123456"),
            ("GOTRUE_SMS_VONAGE_API_KEY", "k"),
            ("GOTRUE_SMS_VONAGE_API_SECRET", "s"),
            ("GOTRUE_SMS_VONAGE_FROM", "App"),
            ("GOTRUE_SMTP_HOST", "mail.test"),
            ("GOTRUE_SMTP_PASS", "geheim"),
            ("GOTRUE_SMTP_PORT", "25"),
        ];
        let found: Vec<(&str, &str)> = variables.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        assert_eq!(found, expected);
    }
}
