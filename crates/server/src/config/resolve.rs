//! From all sources to one value a setting, with where it came from.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::dotenv;
use super::file::{ConfigFile, known_to_cli};
use super::gotrue::{CLI_DEFAULTS, TRANSLATION};
use super::gotrue_sections;
use super::settings::{SETTINGS, Setting, find};

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody said anything.
    Default,
    /// A file, and the path inside it.
    File(PathBuf, String),
    /// An environment variable.
    Env(String),
    /// A flag.
    Flag(&'static str),
}

/// A bad value: what it is, where it came from, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The place, in the words a person knows it by.
    pub place: String,
    /// What is wrong and what to do.
    pub message: String,
}

/// What came in.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Values from the command line by setting key.
    pub flags: BTreeMap<&'static str, String>,
    /// The environment.
    pub env: BTreeMap<String, String>,
    /// The folder that holds `supabase/`, if there is one.
    pub project: Option<PathBuf>,
}

/// Every setting's text and origin, before it is parsed.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    values: BTreeMap<&'static str, (String, Origin)>,
    /// GoTrue's variables: from config.toml, then the environment.
    pub(super) gotrue: BTreeMap<String, (String, Origin)>,
    /// Unknown keys and such, a sentence each.
    pub warnings: Vec<String>,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File(path, key) => write!(f, "{key} in {}", path.display()),
            Origin::Env(name) => f.write_str(name),
            Origin::Flag(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl Problem {
    pub(super) fn of_file(path: &Path, message: String) -> Self {
        Problem { place: path.display().to_string(), message }
    }
}

impl Resolved {
    /// Reads the files of the project and lays the sources over each other.
    pub fn new(sources: &Sources, problems: &mut Vec<Problem>) -> Self {
        let env = dotenv::beneath(&sources.env, sources.project.as_deref(), problems);
        let folder = sources.project.as_ref().map(|project| project.join("supabase"));
        let read = |name: &str, problems: &mut Vec<Problem>| {
            folder.as_ref().map(|folder| ConfigFile::read(&folder.join(name), &env, problems)).unwrap_or_default()
        };
        let config = read("config.toml", problems);
        let dugout = read("dugout.toml", problems);
        let mut resolved = Resolved::default();
        for (file, unknown) in [
            (&config, config.unknown(known_to_cli)),
            (&dugout, dugout.unknown(|path| SETTINGS.iter().any(|setting| setting.dugout == Some(path)))),
        ] {
            for path in unknown {
                resolved.warnings.push(format!("{} has an unknown key {path}; it has no effect", file.path.display()));
            }
        }
        for setting in SETTINGS {
            resolved.values.insert(setting.key, value(setting, sources, &config, &dugout));
        }
        resolved.gotrue = gotrue(sources, &config);
        resolved.leave_out_unset();
        problems.extend(resolved.unset());
        resolved
    }

    /// What is switched off needs no secrets. A provider of sign-ins that lacks one is a warning, and with `--dev` it is
    /// switched off, as whoever works on a project need not have everything. Everything else is for [`Resolved::unset`].
    fn leave_out_unset(&mut self) {
        let is_dev = self.text("dev") == "true";
        let unset: Vec<(String, String, Origin)> = (self.gotrue.iter())
            .filter_map(|(name, (text, origin))| {
                Some((name.clone(), unset_variable(text, origin)?.to_owned(), origin.clone()))
            })
            .collect();
        for (name, variable, origin) in unset {
            let Some(switch) = switch_of(&name) else { continue };
            let is_on = self.gotrue.get(&switch).is_some_and(|(text, _)| text == "true");
            if !is_on {
                self.gotrue.remove(&name);
            } else if let Some(provider) = switch.strip_prefix(PROVIDER).and_then(|rest| rest.strip_suffix("_ENABLED"))
            {
                let provider = provider.to_lowercase();
                let message = format!("{origin} names the environment variable {variable}, which is not set");
                let effect = if is_dev { "is off" } else { "will refuse sign-ins" };
                self.warnings.push(format!("{message}: the provider {provider} {effect}"));
                if is_dev {
                    self.gotrue.remove(&name);
                    self.gotrue.insert(switch, ("false".to_owned(), origin));
                } else {
                    // The name of a variable is nobody's secret.
                    self.gotrue.insert(name, (String::new(), origin));
                }
            }
        }
    }

    /// Settings whose `env(NAME)` names a variable that is not set. The CLI leaves the words as they stand; as a secret they
    /// would be one that everybody can guess, and no setting of ours can mean them.
    fn unset(&self) -> Vec<Problem> {
        let values = self.values.values().chain(self.gotrue.values());
        let unset = values.filter_map(|(text, origin)| {
            let name = unset_variable(text, origin)?;
            let message = format!("names the environment variable {name}, which is not set");
            Some(Problem { place: origin.to_string(), message })
        });
        let mut problems: Vec<Problem> = unset.collect();
        // Some settings are GoTrue's variables, too.
        problems.sort_by(|one, other| one.place.cmp(&other.place));
        problems.dedup();
        problems
    }

    /// A setting's text; empty when it is not set.
    pub fn text(&self, key: &str) -> &str {
        self.values.get(key).map(|(text, _)| text.as_str()).unwrap_or_default()
    }

    /// A setting's text if it is set.
    pub fn given(&self, key: &str) -> Option<&str> {
        Some(self.text(key)).filter(|text| !text.is_empty())
    }

    /// Where a setting came from.
    pub fn origin(&self, key: &str) -> &Origin {
        self.values.get(key).map_or(&Origin::Default, |(_, origin)| origin)
    }

    /// The parts of a list.
    pub fn list(&self, key: &str) -> Vec<String> {
        self.text(key).split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect()
    }

    /// A setting of type `T`; `None` when it is not set or bad, and then `problems` says so.
    pub fn parse<T: FromStr>(&self, key: &str, expected: &str, problems: &mut Vec<Problem>) -> Option<T> {
        let text = self.given(key)?;
        let parsed = text.trim().parse().ok();
        if parsed.is_none() {
            self.complain(key, &format!("must be {expected}"), problems);
        }
        parsed
    }

    /// Adds a problem with this setting.
    pub fn complain(&self, key: &str, message: &str, problems: &mut Vec<Problem>) {
        let shown = match find(key) {
            Some(setting) if setting.secret => String::new(),
            _ => format!("“{}” ", self.text(key)),
        };
        problems.push(Problem { place: self.origin(key).to_string(), message: format!("{shown}{message}") });
    }

    /// Every value with its origin: what `--print-config` shows. Stars stand for secrets; of GoTrue's variables that is
    /// everything but the `printable`, so that a variable which nobody knows shows nothing.
    pub fn print(&self, printable: &BTreeSet<String>) -> String {
        let own = SETTINGS.iter().map(|setting| {
            let (text, origin) = &self.values[setting.key];
            let shown = if setting.secret && !text.is_empty() { "***" } else { text.as_str() };
            (setting.key.to_owned(), shown.to_owned(), origin)
        });
        let auth = self.gotrue.iter().map(|(name, (text, origin))| {
            let shown = if printable.contains(name) || text.is_empty() { text.as_str() } else { "***" };
            (name.clone(), shown.to_owned(), origin)
        });
        own.chain(auth).map(|(key, text, origin)| format!("{key} = {text}    # {origin}\n")).collect()
    }
}

/// The variable that a value of a file still names, because it is not set.
fn unset_variable<'t>(text: &'t str, origin: &Origin) -> Option<&'t str> {
    let name = text.trim().strip_prefix("env(")?.strip_suffix(')')?;
    matches!(origin, Origin::File(..)).then_some(name)
}

const PROVIDER: &str = "GOTRUE_EXTERNAL_";

/// The variable that switches on what `name` belongs to, where there is one.
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

fn value(setting: &Setting, sources: &Sources, config: &ConfigFile, dugout: &ConfigFile) -> (String, Origin) {
    if let Some(flag) = setting.flag
        && let Some(text) = sources.flags.get(setting.key)
    {
        return (text.clone(), Origin::Flag(flag));
    }
    let names = [setting.env.map(str::to_owned), setting.config.map(cli_env)];
    for name in names.into_iter().flatten() {
        if let Some(text) = sources.env.get(&name).filter(|text| !text.is_empty()) {
            return (text.clone(), Origin::Env(name));
        }
    }
    for (path, file) in [(setting.config, config), (setting.dugout, dugout)] {
        if let Some(path) = path
            && let Some(text) = file.values.get(path)
        {
            return (text.clone(), Origin::File(file.path.clone(), path.to_owned()));
        }
    }
    (setting.default.to_owned(), Origin::Default)
}

fn gotrue(sources: &Sources, config: &ConfigFile) -> BTreeMap<String, (String, Origin)> {
    let mut variables: BTreeMap<String, (String, Origin)> =
        CLI_DEFAULTS.iter().map(|(name, text)| ((*name).to_owned(), ((*text).to_owned(), Origin::Default))).collect();
    for (path, name, how) in TRANSLATION {
        let given = match sources.env.get(&cli_env(path)).filter(|text| !text.is_empty()) {
            Some(text) => Some((text, Origin::Env(cli_env(path)))),
            None => config.values.get(*path).map(|text| (text, Origin::File(config.path.clone(), (*path).to_owned()))),
        };
        if let Some((text, origin)) = given {
            variables.insert((*name).to_owned(), (how.apply(text), origin));
        }
    }
    variables.extend(gotrue_sections::variables(config, &sources.env));
    for (name, text) in &sources.env {
        if name.starts_with("GOTRUE_") || name == "API_EXTERNAL_URL" {
            variables.insert(name.clone(), (text.clone(), Origin::Env(name.clone())));
        }
    }
    variables
}

/// The CLI's own variable for a path of config.toml: `auth.site_url` is `SUPABASE_AUTH_SITE_URL`.
pub(super) fn cli_env(path: &str) -> String {
    format!("SUPABASE_{}", path.replace('.', "_").to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(env: &[(&str, &str)], flags: &[(&'static str, &str)]) -> Sources {
        Sources {
            env: env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            flags: flags.iter().map(|(name, value)| (*name, (*value).to_owned())).collect(),
            project: None,
        }
    }

    #[test]
    fn the_stronger_source_wins_and_is_named() {
        let mut problems = Vec::new();
        for (env, flags, text, origin) in [
            (&[][..], &[][..], "54321", "default"),
            (&[("SUPABASE_API_PORT", "1")], &[], "1", "SUPABASE_API_PORT"),
            (&[("SUPABASE_API_PORT", "1"), ("DUGOUT_PORT", "2")], &[], "2", "DUGOUT_PORT"),
            (&[("DUGOUT_PORT", "2")], &[("port", "3")], "3", "--port"),
        ] {
            let resolved = Resolved::new(&sources(env, flags), &mut problems);
            assert_eq!((resolved.text("port"), resolved.origin("port").to_string().as_str()), (text, origin));
        }
    }

    #[test]
    fn bad_values_are_named_with_their_place_and_secrets_are_not_shown() {
        let mut problems = Vec::new();
        let env = [("DUGOUT_PORT", "many"), ("DATABASE_URL", "geheim")];
        let resolved = Resolved::new(&sources(&env, &[]), &mut problems);
        assert_eq!(resolved.parse::<u16>("port", "a port number", &mut problems), None);
        resolved.complain("db_url", "is no database URL", &mut problems);
        let said: Vec<String> = problems.iter().map(Problem::to_string).collect();
        assert_eq!(said, ["DUGOUT_PORT: “many” must be a port number", "DATABASE_URL: is no database URL"]);
        assert!(!resolved.print(&BTreeSet::new()).contains("geheim"));
    }

    #[test]
    fn a_secret_is_never_the_name_of_a_variable_that_is_not_set() {
        let folder = std::env::temp_dir().join(format!("dugout-unset-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("supabase")).unwrap();
        let text = "[auth]\njwt_secret = \"env(MY_SECRET)\"\nsite_url = \"env(MY_SITE)\"\n[studio]\nopenai_api_key = \"env(AI)\"";
        std::fs::write(folder.join("supabase/config.toml"), text).unwrap();
        let given = [("SUPABASE_AUTH_SITE_URL", "https://x.test")];
        let mut problems = Vec::new();
        let sources = Sources { project: Some(folder.clone()), ..sources(&given, &[]) };
        Resolved::new(&sources, &mut problems);
        std::fs::remove_dir_all(folder).unwrap();
        let said: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(said, ["names the environment variable MY_SECRET, which is not set"]);
    }

    #[test]
    fn a_provider_that_is_off_needs_no_secret_and_one_that_lacks_it_is_a_warning() {
        let folder = std::env::temp_dir().join(format!("dugout-providers-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("supabase")).unwrap();
        let text = "[auth.external.apple]\nenabled = false\nsecret = \"env(APPLE)\"\n\
            [auth.external.github]\nenabled = true\nclient_id = \"us\"\nsecret = \"env(GITHUB)\"\n\
            [auth.external.gitlab]\nenabled = true\nclient_id = \"us\"\nsecret = \"env(GITLAB)\"\n\
            [auth.hook.send_sms]\nenabled = false\nsecrets = \"env(HOOK)\"\n\
            [auth.captcha]\nenabled = true\nsecret = \"env(CAPTCHA)\"";
        std::fs::write(folder.join("supabase/config.toml"), text).unwrap();
        for (dev, is_on) in [("true", "false"), ("false", "true")] {
            let mut problems = Vec::new();
            let given = sources(&[("GITLAB", "s"), ("DUGOUT_DEV", dev)], &[]);
            let resolved = Resolved::new(&Sources { project: Some(folder.clone()), ..given }, &mut problems);
            let said: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
            assert_eq!(said, ["names the environment variable CAPTCHA, which is not set"]);
            assert_eq!(resolved.warnings.len(), 1, "{:?}", resolved.warnings);
            assert!(resolved.warnings[0].contains("GITHUB, which is not set: the provider github"));
            let value = |name: &str| resolved.gotrue.get(name).map(|(text, _)| text.as_str());
            assert_eq!(value("GOTRUE_EXTERNAL_GITHUB_ENABLED"), Some(is_on));
            assert_eq!(value("GOTRUE_EXTERNAL_GITLAB_ENABLED"), Some("true"));
            assert_eq!(value("GOTRUE_EXTERNAL_APPLE_SECRET"), None);
            assert!(resolved.gotrue.values().all(|(text, _)| !text.contains("env(G") && !text.contains("env(A")));
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn gotrue_hears_the_cli_default_then_the_environment() {
        let mut problems = Vec::new();
        let resolved = Resolved::new(&sources(&[("GOTRUE_JWT_EXP", "60")], &[]), &mut problems);
        assert_eq!(resolved.gotrue["GOTRUE_JWT_EXP"], ("60".to_owned(), Origin::Env("GOTRUE_JWT_EXP".to_owned())));
        assert_eq!(resolved.gotrue["GOTRUE_MAILER_AUTOCONFIRM"].0, "true");
    }
}
