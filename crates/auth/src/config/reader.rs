//! Reads environment variables in Go's notations and collects all problems.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::problem::Problem;

/// The variables, the names that were read, and the problems found.
pub(super) struct Reader {
    variables: BTreeMap<String, String>,
    read: BTreeSet<String>,
    secrets: BTreeSet<String>,
    pub(super) problems: Vec<Problem>,
}

impl Reader {
    pub(super) fn new(variables: impl IntoIterator<Item = (String, String)>) -> Self {
        let variables = variables.into_iter().collect();
        Reader { variables, read: BTreeSet::new(), secrets: BTreeSet::new(), problems: Vec::new() }
    }

    /// GoTrue's variables that were never read.
    pub(super) fn unread(&self) -> Vec<String> {
        let ours = |name: &&String| name.starts_with("GOTRUE_") && !self.read.contains(*name);
        self.variables.keys().filter(ours).cloned().collect()
    }

    /// Variables whose values may be shown: known ones that hold no secret.
    pub(super) fn printable(&self) -> BTreeSet<String> {
        self.read.difference(&self.secrets).cloned().collect()
    }

    /// Like [`Reader::text`], for a variable that holds a secret.
    pub(super) fn secret(&mut self, key: &str) -> Option<String> {
        self.secrets.insert(key.to_owned());
        self.text(key)
    }

    /// Marks a variable as secret, however it is read.
    pub(super) fn hide<'k>(&mut self, key: &'k str) -> &'k str {
        self.secrets.insert(key.to_owned());
        key
    }

    /// The value of a variable; `None` if it is unset or empty.
    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        self.read.insert(key.to_owned());
        self.variables.get(key).filter(|value| !value.is_empty()).cloned()
    }

    /// A variable that must be set.
    pub(super) fn required(&mut self, key: &str) -> String {
        self.text(key).unwrap_or_else(|| {
            self.problem(key, None, "is required");
            String::new()
        })
    }

    pub(super) fn flag(&mut self, key: &str, default: bool) -> bool {
        // As Go's `strconv.ParseBool`.
        self.parse(key, default, "must be true or false", |text| match text {
            "1" | "t" | "T" | "TRUE" | "true" | "True" => Some(true),
            "0" | "f" | "F" | "FALSE" | "false" | "False" => Some(false),
            _ => None,
        })
    }

    pub(super) fn number<N: std::str::FromStr>(&mut self, key: &str, default: N) -> N {
        self.parse(key, default, "must be a number in range", |text| text.parse().ok())
    }

    pub(super) fn duration(&mut self, key: &str, default: Duration) -> Duration {
        self.parse(key, default, "must be a duration such as 1m30s", duration)
    }

    /// A duration; must be positive if it is set.
    pub(super) fn positive_duration(&mut self, key: &str) -> Option<Duration> {
        self.parse(key, None, "must be a positive duration such as 24h", |text| {
            duration(text).filter(|duration| !duration.is_zero()).map(Some)
        })
    }

    /// Values separated by commas.
    pub(super) fn list(&mut self, key: &str) -> Vec<String> {
        let text = self.text(key).unwrap_or_default();
        text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect()
    }

    /// Any value that `read` can parse.
    pub(super) fn parse<T>(&mut self, key: &str, default: T, message: &str, read: impl Fn(&str) -> Option<T>) -> T {
        let Some(text) = self.text(key) else { return default };
        read(text.trim()).unwrap_or_else(|| {
            self.problem(key, Some(&text), message);
            default
        })
    }

    pub(super) fn problem(&mut self, key: &str, value: Option<&str>, message: &str) {
        let value = value.map(str::to_owned);
        self.problems.push(Problem { key: key.to_owned(), value, message: message.to_owned() });
    }
}

/// Go's `time.ParseDuration`, without negative durations.
pub(super) fn duration(text: &str) -> Option<Duration> {
    crate::model::duration::parse(text).ok()?.to_std().ok()
}

/// Zero means the default.
pub(super) fn or_default(seconds: i64, default: i64) -> i64 {
    if seconds == 0 { default } else { seconds }
}

/// Any value outside 6 to 10 becomes 6.
pub(super) fn otp_length(digits: usize) -> usize {
    if (6..=10).contains(&digits) { digits } else { 6 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_gos() {
        for (text, seconds) in
            [("0", 0.0), ("10s", 10.0), ("1h30m", 5400.0), ("1.5m", 90.0), ("250ms", 0.25), ("+1s", 1.0)]
        {
            assert_eq!(duration(text), Some(Duration::from_secs_f64(seconds)), "{text}");
        }
        for text in ["", "10", "s", "1d", "-1s", "1..5s", "1e3s"] {
            assert_eq!(duration(text), None, "{text}");
        }
    }
}
