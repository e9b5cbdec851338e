//! Variables whose value in config.toml is `env(NAME)` of a variable that is not set.

use gateway::settings::{Origin, Report, unset_problem, unset_variable};

use super::Variables;

const PROVIDER: &str = "GOTRUE_EXTERNAL_";

/// Removes variables without a value from features that are switched off, which need no secrets. A sign-in provider without its
/// secret is a warning; with `--dev` it is switched off, because a developer rarely has every secret. Everything else is a problem.
pub(super) fn leave_out(variables: &mut Variables, is_dev: bool, report: &mut Report) {
    let unset: Vec<(String, String, Origin)> = variables
        .iter()
        .filter_map(|(name, (text, origin))| {
            Some((name.clone(), unset_variable(text, origin)?.to_owned(), origin.clone()))
        })
        .collect();
    for (name, variable, origin) in unset {
        let Some(switch) = switch_of(&name) else { continue };
        let is_on = variables.get(&switch).is_some_and(|(text, _)| text == "true");
        if !is_on {
            variables.remove(&name);
        } else if let Some(provider) = switch.strip_prefix(PROVIDER).and_then(|rest| rest.strip_suffix("_ENABLED")) {
            let provider = provider.to_lowercase();
            let message = format!("{origin} names the environment variable {variable}, which is not set");
            let effect = if is_dev { "is off" } else { "will refuse sign-ins" };
            report.warnings.push(format!("{message}: the provider {provider} {effect}"));
            if is_dev {
                variables.remove(&name);
                variables.insert(switch, ("false".to_owned(), origin));
            } else {
                // Empty instead of `env(NAME)`, which a provider would take for a secret.
                variables.insert(name, (String::new(), origin));
            }
        }
    }
    report.problems.extend(variables.values().filter_map(|(text, origin)| unset_problem(text, origin)));
}

/// The variable that enables the feature of `name`, if it has one.
fn switch_of(name: &str) -> Option<String> {
    const PARTS: [(&str, &[&str]); 3] = [
        (PROVIDER, &["_CLIENT_ID", "_SECRET", "_REDIRECT_URI", "_URL"]),
        ("GOTRUE_HOOK_", &["_URI", "_SECRETS"]),
        ("GOTRUE_SECURITY_CAPTCHA", &["_PROVIDER", "_SECRET"]),
    ];
    let (_, endings) = PARTS.iter().find(|(prefix, _)| name.starts_with(prefix))?;
    let stem = endings.iter().find_map(|ending| name.strip_suffix(ending))?;
    Some(format!("{stem}_ENABLED"))
}
