//! Values of `supabase/config.toml` that are `env(NAME)` of a variable that is not set, with `--dev`: a developer rarely has every
//! secret of a project. What depends on them is left out, with a warning. Without `--dev` they are problems.

use gateway::settings::{ConfigFile, Origin, unset_variable};

/// Sections that need all of their values, and what holds without them. A section with a star is one of several with that beginning.
const SECTIONS: [(&str, &str); 4] = [
    ("auth.email.smtp", "mails stay in the mailbox of this machine"),
    ("auth.captcha", "no captcha is asked for"),
    ("auth.hook.*", "the hook is not called"),
    ("auth.sms.*", "no text messages are sent"),
];
/// Sections whose services say themselves what is missing.
const SAID_ELSEWHERE: [&str; 4] = ["auth.external.", "auth.third_party.", "db.vault.", "edge_runtime.secrets."];

/// Leaves out the values without a variable. `has_effect` knows the paths that are settings of ours.
pub(super) fn leave_out(config: &mut ConfigFile, has_effect: impl Fn(&str) -> bool, warnings: &mut Vec<String>) {
    let paths: Vec<String> = config.values.keys().cloned().collect();
    for path in paths {
        let origin = Origin::File(config.path.clone(), path.clone());
        // A value that was left out with its section is no longer there.
        let Some(text) = config.values.get(&path) else { continue };
        let Some(variable) = unset_variable(text, &origin).map(str::to_owned) else { continue };
        if SAID_ELSEWHERE.iter().any(|section| path.starts_with(section)) {
            continue;
        }
        let section = section_of(&path);
        let effect = match &section {
            Some((section, _)) if !is_on(config, section) => continue,
            Some((section, effect)) => {
                let inside = format!("{section}.");
                config.values.retain(|path, _| !path.starts_with(&inside));
                *effect
            }
            None if path.starts_with("auth.") || has_effect(&path) => {
                leave_out_items(config, &path, &origin);
                "it is left out"
            }
            None => continue,
        };
        warnings.push(format!("{origin} names the environment variable {variable}, which is not set: {effect}"));
    }
}

/// The section of [`SECTIONS`] that a value is in, and what holds without it.
fn section_of(path: &str) -> Option<(String, &'static str)> {
    SECTIONS.iter().find_map(|(section, effect)| {
        let section = match section.strip_suffix('*') {
            Some(beginning) => format!("{beginning}{}", path.strip_prefix(beginning)?.split_once('.')?.0),
            None => (*section).to_owned(),
        };
        path.strip_prefix(&section)?.starts_with('.').then_some((section, *effect))
    })
}

/// A mail server without the switch is on, as for the CLI; everything else has to be switched on.
fn is_on(config: &ConfigFile, section: &str) -> bool {
    let switch = config.values.get(&format!("{section}.enabled")).map(String::as_str);
    switch.unwrap_or(if section == "auth.email.smtp" { "true" } else { "false" }) == "true"
}

/// Of a list, its other items stay.
fn leave_out_items(config: &mut ConfigFile, path: &str, origin: &Origin) {
    let Some(text) = config.values.remove(path) else { return };
    let kept: Vec<&str> = text.split(',').filter(|item| unset_variable(item, origin).is_none()).collect();
    if !kept.is_empty() {
        config.values.insert(path.to_owned(), kept.join(","));
    }
}
