//! Reads `supabase/config.toml` and `supabase/dugout.toml`. Tables become dotted paths, `env(NAME)` the variable's value.

use std::collections::BTreeMap;
use std::path::Path;

use gateway::settings::{ConfigFile, Problem};

/// Reads `path`. A missing file has no values.
pub(super) fn read(path: &Path, env: &BTreeMap<String, String>, problems: &mut Vec<Problem>) -> ConfigFile {
    let mut file = ConfigFile { path: path.to_owned(), values: BTreeMap::new() };
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return file,
        Err(error) => {
            problems.push(Problem::of_file(path, format!("it cannot be read: {error}")));
            return file;
        }
    };
    match text.parse::<toml::Table>() {
        Ok(table) => flatten(&mut file.values, "", &toml::Value::Table(table), env),
        // The parser's full message spans several lines; the problem has one.
        Err(error) => {
            let line = error.span().map(|span| text[..span.start.min(text.len())].lines().count().max(1));
            let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
            problems.push(Problem::of_file(path, format!("{place}it is not valid TOML: {}", error.message())));
        }
    }
    file
}

fn flatten(values: &mut BTreeMap<String, String>, prefix: &str, value: &toml::Value, env: &BTreeMap<String, String>) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                flatten(values, &path, value, env);
            }
        }
        toml::Value::Array(items) => {
            let texts: Vec<String> = items.iter().map(|item| scalar(item, env)).collect();
            values.insert(prefix.to_owned(), texts.join(","));
        }
        scalar_value => {
            values.insert(prefix.to_owned(), scalar(scalar_value, env));
        }
    }
}

/// The paths for which `known` is false, in alphabetical order.
pub(super) fn unknown(file: &ConfigFile, known: impl Fn(&str) -> bool) -> Vec<String> {
    file.values.keys().filter(|path| !known(path)).cloned().collect()
}

/// Switches of the CLI that have no effect here, and what holds instead. A star stands for one part of a path.
const WITHOUT_EFFECT: [(&str, &str); 4] = [
    ("auth.third_party.*.enabled", "tokens of other issuers are refused"),
    ("api.tls.enabled", "the server speaks HTTP, and a proxy before it can speak HTTPS"),
    ("db.pooler.enabled", "there is no pooler, and clients connect to the database itself"),
    ("storage.analytics.enabled", "there are no analytics buckets"),
];
/// Settings of PostgreSQL itself.
const OF_POSTGRESQL: &str = "db.settings.";

/// Sentences about what a file switches on without effect.
pub(super) fn without_effect(file: &ConfigFile) -> Vec<String> {
    let place = |path: &str| format!("{}: {path}", file.path.display());
    let switched = file.values.iter().filter(|(_, text)| *text == "true").filter_map(|(path, _)| {
        let (_, instead) = WITHOUT_EFFECT.iter().find(|(pattern, _)| matches(pattern, path))?;
        Some(format!("{} has no effect: {instead}", place(path)))
    });
    let settings: Vec<&str> = file.values.keys().filter_map(|path| path.strip_prefix(OF_POSTGRESQL)).collect();
    let settings = (!settings.is_empty()).then(|| {
        let instead = "set them with ALTER DATABASE in a migration";
        format!("{} has no effect on {}: {instead}", place("db.settings"), settings.join(", "))
    });
    switched.chain(settings).collect()
}

fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, path): (Vec<&str>, Vec<&str>) = (pattern.split('.').collect(), path.split('.').collect());
    pattern.len() == path.len() && pattern.iter().zip(&path).all(|(wanted, part)| *wanted == "*" || wanted == part)
}

/// A value as text. The string `env(NAME)` becomes the variable's value if that is set and not empty; otherwise it stays
/// unchanged, as in the CLI.
fn scalar(value: &toml::Value, env: &BTreeMap<String, String>) -> String {
    match value {
        toml::Value::String(text) => {
            let name = text.trim().strip_prefix("env(").and_then(|rest| rest.strip_suffix(')'));
            name.and_then(|name| env.get(name)).filter(|value| !value.is_empty()).unwrap_or(text).clone()
        }
        other => other.to_string(),
    }
}

/// Sections whose keys are names that the user chooses, or that are not checked.
const OPEN: &[&str] = &[
    "functions.",
    "remotes.",
    "db.vault.",
    "edge_runtime.secrets.",
    "storage.buckets.",
    "auth.external.",
    "auth.email.template.",
    "auth.email.notification.",
    "auth.sms.test_otp.",
    "auth.hook.",
    "storage.analytics.",
    "storage.vector.",
    "experimental.",
    "auth.third_party.",
    "auth.web3.",
    "auth.sms.",
];
/// Sections (with their dot) and their keys.
const KEYS: &[(&str, &str)] = &[
    ("", "project_id"),
    ("api.", "enabled port schemas extra_search_path max_rows auto_expose_new_tables external_url"),
    ("api.tls.", "enabled cert_path key_path"),
    ("db.", "port shadow_port health_timeout major_version orioledb_version root_key"),
    ("db.pooler.", "enabled port pool_mode default_pool_size max_client_conn"),
    ("db.migrations.", "enabled schema_paths"),
    ("db.seed.", "enabled sql_paths"),
    ("db.settings.", "*"),
    ("db.network_restrictions.", "enabled allowed_cidrs allowed_cidrs_v6"),
    ("db.ssl_enforcement.", "enabled"),
    ("realtime.", "enabled ip_version max_header_length"),
    ("studio.", "enabled port api_url openai_api_key"),
    ("local_smtp.", "enabled port smtp_port pop3_port admin_email sender_name"),
    // The older name of local_smtp.
    ("inbucket.", "enabled port smtp_port pop3_port admin_email sender_name"),
    ("storage.", "enabled file_size_limit"),
    ("storage.s3_protocol.", "enabled"),
    ("storage.image_transformation.", "enabled"),
    (
        "auth.",
        "enabled site_url external_url additional_redirect_urls jwt_expiry jwt_issuer signing_keys_path \
        enable_refresh_token_rotation refresh_token_reuse_interval enable_signup enable_anonymous_sign_ins \
        enable_manual_linking minimum_password_length password_requirements jwt_secret anon_key service_role_key \
        publishable_key secret_key",
    ),
    ("auth.passkey.", "enabled"),
    ("auth.webauthn.", "rp_display_name rp_id rp_origins"),
    ("auth.rate_limit.", "email_sent sms_sent anonymous_users token_refresh sign_in_sign_ups token_verifications web3"),
    ("auth.captcha.", "enabled provider secret"),
    (
        "auth.email.",
        "enabled enable_signup double_confirm_changes enable_confirmations secure_password_change \
        require_current_password max_frequency \
        otp_length otp_expiry",
    ),
    ("auth.email.smtp.", "enabled host port user pass admin_email sender_name"),
    ("auth.sessions.", "timebox inactivity_timeout"),
    ("auth.mfa.", "max_enrolled_factors"),
    ("auth.mfa.totp.", "enroll_enabled verify_enabled"),
    ("auth.mfa.phone.", "enroll_enabled verify_enabled otp_length template max_frequency"),
    ("auth.mfa.web_authn.", "enroll_enabled verify_enabled"),
    ("auth.oauth_server.", "enabled authorization_url_path allow_dynamic_registration"),
    ("edge_runtime.", "enabled policy inspector_port deno_version"),
    ("analytics.", "enabled port backend gcp_project_id gcp_project_number gcp_jwt_path vector_port"),
];

/// Whether the CLI knows the key at `path`. All other keys are reported as probable typing errors.
pub(super) fn known_to_cli(path: &str) -> bool {
    let (section, key) = path.rsplit_once('.').map_or(("", path), |(section, key)| (section, key));
    OPEN.iter().any(|prefix| path.starts_with(prefix))
        || KEYS.iter().any(|(prefix, keys)| {
            prefix.trim_end_matches('.') == section
                && (*keys == "*" || keys.split_whitespace().any(|known| known == key))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (ConfigFile, Vec<Problem>) {
        let folder = std::env::temp_dir().join(format!("dugout-config-{}-{}", std::process::id(), text.len()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("config.toml");
        std::fs::write(&path, text).unwrap();
        let env =
            BTreeMap::from([("SITE".to_owned(), "https://x.test".to_owned()), ("EMPTY".to_owned(), String::new())]);
        let mut problems = Vec::new();
        let file = super::read(&path, &env, &mut problems);
        std::fs::remove_dir_all(folder).unwrap();
        (file, problems)
    }

    #[test]
    fn tables_become_paths_and_env_is_substituted() {
        let (file, problems) = read(
            "project_id = \"x\"\n[auth]\nsite_url = \"env(SITE)\"\njwt_issuer = \"env(EMPTY)\"\njwt_expiry = 60\n\
             additional_redirect_urls = [\"a\", \"env(SITE)\"]\n[auth.email]\nenable_signup = true\n",
        );
        assert!(problems.is_empty());
        let value = |path: &str| file.values.get(path).map(String::as_str);
        assert_eq!(value("auth.site_url"), Some("https://x.test"));
        assert_eq!(value("auth.jwt_issuer"), Some("env(EMPTY)"));
        assert_eq!(value("auth.jwt_expiry"), Some("60"));
        assert_eq!(value("auth.additional_redirect_urls"), Some("a,https://x.test"));
        assert_eq!(value("auth.email.enable_signup"), Some("true"));
    }

    #[test]
    fn switches_without_effect_are_named() {
        let (file, _) = read(
            "[auth.third_party.firebase]\nenabled = true\nproject_id = \"x\"\n\
             [auth.third_party.auth0]\nenabled = false\n[api.tls]\nenabled = true\n[db.pooler]\nenabled = false\n\
             [db.settings]\nwork_mem = \"8MB\"\n",
        );
        let said = without_effect(&file);
        assert_eq!(said.len(), 3, "{said:?}");
        for part in ["api.tls.enabled has no effect", "auth.third_party.firebase.enabled", "no effect on work_mem:"] {
            assert!(said.iter().any(|sentence| sentence.contains(part)), "{part}: {said:?}");
        }
    }

    #[test]
    fn unknown_keys_are_named_and_bad_toml_has_a_line_number() {
        let (file, _) = read("[auth]\nsite_ulr = 1\n[auth.external.acme]\nclient_id = \"x\"\n[apo]\nx = 1\n");
        assert_eq!(unknown(&file, known_to_cli), ["apo.x", "auth.site_ulr"]);
        let (_, problems) = read("[auth]\n\nsite_url = \n");
        assert!(problems[0].to_string().contains("line 3"), "{}", problems[0]);
    }
}
