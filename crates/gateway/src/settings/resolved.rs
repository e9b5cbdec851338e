//! From all sources to one value a setting, with where it came from.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::{ConfigFile, Origin, Problem, Setting, Shown, Sources, cli_env, masked};

/// Every setting's text and origin, before it is parsed.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    settings: Vec<&'static Setting>,
    values: BTreeMap<&'static str, (String, Origin)>,
    /// The environment, for variables that services read themselves.
    pub env: BTreeMap<String, String>,
    /// `supabase/config.toml`, for the sections that services translate themselves.
    pub config: ConfigFile,
}

impl Resolved {
    /// Lays the sources over each other.
    pub fn new(
        settings: impl IntoIterator<Item = &'static Setting>,
        sources: &Sources,
        config: ConfigFile,
        dugout: &ConfigFile,
    ) -> Self {
        let settings: Vec<&'static Setting> = settings.into_iter().collect();
        let values = settings.iter().map(|setting| (setting.key, value(setting, sources, &config, dugout))).collect();
        Resolved { settings, values, env: sources.env.clone(), config }
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

    /// A number above zero; `None` when it is not set or bad, and then `problems` says so.
    pub fn positive(&self, key: &str, expected: &str, problems: &mut Vec<Problem>) -> Option<usize> {
        let number = self.parse::<usize>(key, expected, problems)?;
        if number == 0 {
            self.complain(key, &format!("must be {expected}"), problems);
        }
        Some(number)
    }

    /// Adds a problem with this setting.
    pub fn complain(&self, key: &str, message: &str, problems: &mut Vec<Problem>) {
        // `unset` reports that a variable is missing.
        if unset_variable(self.text(key), self.origin(key)).is_some() {
            return;
        }
        let shown = match self.settings.iter().find(|setting| setting.key == key) {
            Some(setting) if setting.secret => String::new(),
            _ => format!("“{}” ", masked(self.text(key))),
        };
        problems.push(Problem { place: self.origin(key).to_string(), message: format!("{shown}{message}") });
    }

    /// Settings whose `env(NAME)` names a variable that is not set, each as a problem.
    pub fn unset(&self) -> Vec<Problem> {
        self.values.values().filter_map(|(text, origin)| unset_problem(text, origin)).collect()
    }

    /// Every value with its origin. Stars stand for secrets.
    pub fn shown(&self) -> Vec<Shown> {
        let shown = |setting: &&Setting| {
            let (text, origin) = &self.values[setting.key];
            let text = if setting.secret && !text.is_empty() { "***" } else { text.as_str() };
            Shown { name: setting.key.to_owned(), text: text.to_owned(), origin: origin.clone() }
        };
        self.settings.iter().map(shown).collect()
    }
}

/// The variable that a value of a file, or an item of a list, still names, because it is not set. The CLI leaves the words as they
/// stand; as a secret they would be one that everybody can guess, and no setting of ours can mean them.
pub fn unset_variable<'t>(text: &'t str, origin: &Origin) -> Option<&'t str> {
    let name = text.split(',').find_map(|item| item.trim().strip_prefix("env(")?.strip_suffix(')'))?;
    matches!(origin, Origin::File(..)).then_some(name)
}

/// The same as a problem.
pub fn unset_problem(text: &str, origin: &Origin) -> Option<Problem> {
    let name = unset_variable(text, origin)?;
    let message = format!("names the environment variable {name}, which is not set");
    Some(Problem { place: origin.to_string(), message })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::setting;

    const SETTINGS: &[Setting] = &[
        setting("port", "54321", "").config("api.port").env("DUGOUT_PORT").flag("--port"),
        setting("db_url", "", "").env("DATABASE_URL").secret(),
    ];

    fn resolved(env: &[(&str, &str)], flags: &[(&'static str, &str)]) -> Resolved {
        let sources = Sources {
            env: env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            flags: flags.iter().map(|(name, value)| (*name, (*value).to_owned())).collect(),
            project: None,
        };
        Resolved::new(SETTINGS, &sources, ConfigFile::default(), &ConfigFile::default())
    }

    #[test]
    fn the_stronger_source_wins_and_is_named() {
        for (env, flags, text, origin) in [
            (&[][..], &[][..], "54321", "default"),
            (&[("SUPABASE_API_PORT", "1")], &[], "1", "SUPABASE_API_PORT"),
            (&[("SUPABASE_API_PORT", "1"), ("DUGOUT_PORT", "2")], &[], "2", "DUGOUT_PORT"),
            (&[("DUGOUT_PORT", "2")], &[("port", "3")], "3", "--port"),
        ] {
            let resolved = resolved(env, flags);
            assert_eq!((resolved.text("port"), resolved.origin("port").to_string().as_str()), (text, origin));
        }
    }

    #[test]
    fn bad_values_are_named_with_their_place_and_secrets_are_not_shown() {
        let mut problems = Vec::new();
        let resolved = resolved(&[("DUGOUT_PORT", "many"), ("DATABASE_URL", "geheim")], &[]);
        assert_eq!(resolved.parse::<u16>("port", "a port number", &mut problems), None);
        resolved.complain("db_url", "is no database URL", &mut problems);
        let said: Vec<String> = problems.iter().map(Problem::to_string).collect();
        assert_eq!(said, ["DUGOUT_PORT: “many” must be a port number", "DATABASE_URL: is no database URL"]);
        assert!(resolved.shown().iter().all(|shown| !shown.to_string().contains("geheim")));
    }
}
