//! Settings: what can be set and where, and what was found there.
//!
//! A service describes its settings as a table of [`Setting`]s; the server reads the sources (defaults < `supabase/config.toml` <
//! environment < command line) into one [`Resolved`], from which the service makes its own configuration.

mod mask;
mod resolved;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

pub use mask::masked;
pub use resolved::{Resolved, unset_problem, unset_variable};

/// One setting. Places are listed from weakest to strongest: default, `supabase/config.toml` (or `supabase/dugout.toml`),
/// environment, command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name here and in `--print-config`.
    pub key: &'static str,
    /// What it means, as a sentence without its full stop.
    pub meaning: &'static str,
    /// Its path in `supabase/config.toml`, as the Supabase CLI names it.
    pub config: Option<&'static str>,
    /// Its path in `supabase/dugout.toml`, for what the CLI has no name for.
    pub dugout: Option<&'static str>,
    /// Its environment variable. A setting of config.toml can also be given as the CLI does it: `SUPABASE_` and its path.
    pub env: Option<&'static str>,
    /// Its flag on the command line.
    pub flag: Option<&'static str>,
    /// Its value when nobody sets it; empty when that depends on other settings.
    pub default: &'static str,
    /// Whether its value is shown as three stars.
    pub secret: bool,
}

/// A setting with its default and its meaning.
pub const fn setting(key: &'static str, default: &'static str, meaning: &'static str) -> Setting {
    Setting { key, meaning, config: None, dugout: None, env: None, flag: None, default, secret: false }
}

impl Setting {
    /// Its path in `supabase/config.toml`.
    #[must_use]
    pub const fn config(mut self, path: &'static str) -> Self {
        self.config = Some(path);
        self
    }

    /// Its path in `supabase/dugout.toml`.
    #[must_use]
    pub const fn dugout(mut self, path: &'static str) -> Self {
        self.dugout = Some(path);
        self
    }

    /// Its environment variable.
    #[must_use]
    pub const fn env(mut self, name: &'static str) -> Self {
        self.env = Some(name);
        self
    }

    /// Its flag on the command line.
    #[must_use]
    pub const fn flag(mut self, name: &'static str) -> Self {
        self.flag = Some(name);
        self
    }

    /// Its value is never shown.
    #[must_use]
    pub const fn secret(mut self) -> Self {
        self.secret = true;
        self
    }
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody set it.
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

/// What reading a configuration found, besides the configuration.
#[derive(Debug, Default)]
pub struct Report {
    /// Values that cannot be used: the server does not start with any.
    pub problems: Vec<Problem>,
    /// Sentences to show before starting.
    pub warnings: Vec<String>,
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

/// A file's values by dotted path, as text: lists are joined by commas, as environment variables carry them.
#[derive(Clone, Debug, Default)]
pub struct ConfigFile {
    /// Where it is.
    pub path: PathBuf,
    /// The values, with `env(NAME)` replaced where the variable is set.
    pub values: BTreeMap<String, String>,
}

/// A value with its name and where it came from, as `--print-config` shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The setting's key, or the name of a variable.
    pub name: String,
    /// Its value; three stars for a secret. User and password of a URL are not displayed.
    pub text: String,
    /// Where it came from.
    pub origin: Origin,
}

/// The CLI's own variable for a path of config.toml: `auth.site_url` is `SUPABASE_AUTH_SITE_URL`.
pub fn cli_env(path: &str) -> String {
    format!("SUPABASE_{}", path.replace('.', "_").to_uppercase())
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

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}    # {}", self.name, masked(&self.text), self.origin)
    }
}

impl Problem {
    /// A problem with a whole file.
    pub fn of_file(path: &Path, message: String) -> Self {
        Problem { place: path.display().to_string(), message }
    }
}
