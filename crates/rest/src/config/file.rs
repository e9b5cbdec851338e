//! PostgREST's configuration file: `key = value` lines in the format of Haskell's configurator.
//!
//! Source: PostgREST `docs/references/configuration.rst`, "Config File"; configurator-pg's documentation.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// The values of a file, by key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct File(BTreeMap<String, Value>);

/// One value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Text(String),
    Number(f64),
    Bool(bool),
    /// No setting is of this type; it is parsed so that the rest of the file can be.
    List,
}

/// Why a file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// It cannot be read; holds the path and the reason.
    #[error("{0}: {1}")]
    Unreadable(String, String),
    /// It is malformed; holds the path, the line and the problem.
    #[error("{0}: line {1}: {2}")]
    Malformed(String, usize, String),
}

/// The maximum depth of imports.
const DEEPEST_IMPORT: usize = 8;

impl File {
    /// Reads a file; `$(NAME)` in its texts refers to another key or a variable of `environment`.
    ///
    /// # Errors
    /// [`FileError`] if it cannot be read or parsed.
    pub fn load(path: &Path, environment: &BTreeMap<String, String>) -> Result<Self, FileError> {
        let mut values = BTreeMap::new();
        import(path, environment, &mut values, 0)?;
        Ok(File(values))
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }
}

/// Converts a value to text, as upstream does.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => f.write_str(text),
            Value::Number(number) => write!(f, "Number {number:?}"),
            Value::Bool(true) => f.write_str("Bool True"),
            Value::Bool(false) => f.write_str("Bool False"),
            Value::List => f.write_str("List"),
        }
    }
}

type Values = BTreeMap<String, Value>;

fn import(
    path: &Path,
    environment: &BTreeMap<String, String>,
    values: &mut Values,
    depth: usize,
) -> Result<(), FileError> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| FileError::Unreadable(name.clone(), error.to_string()))?;
    let mut scan = Scan { rest: &text, environment, values };
    while let Some(imported) = scan.section("").map_err(|reason| {
        let read = text.len() - scan.rest.len();
        FileError::Malformed(name.clone(), text[..read].matches('\n').count() + 1, reason)
    })? {
        if depth == DEEPEST_IMPORT {
            return Err(FileError::Unreadable(imported, "is imported too deeply".to_owned()));
        }
        let imported = path.parent().unwrap_or(Path::new("")).join(imported);
        import(&imported, environment, scan.values, depth + 1)?;
    }
    Ok(())
}

struct Scan<'a> {
    rest: &'a str,
    environment: &'a BTreeMap<String, String>,
    values: &'a mut Values,
}

impl Scan<'_> {
    /// Parses directives up to the end of the text or group; `Some` is a file to import before continuing.
    fn section(&mut self, prefix: &str) -> Result<Option<String>, String> {
        loop {
            self.skip();
            if self.rest.is_empty() || !prefix.is_empty() && self.rest.starts_with('}') {
                return Ok(None);
            }
            let key = format!("{prefix}{}", self.key()?);
            self.skip();
            if key == "import" && self.rest.starts_with('"') {
                return self.text().map(Some);
            }
            match self.next() {
                Some('=') => {
                    self.skip();
                    let value = self.value()?;
                    self.values.insert(key, value);
                }
                Some('{') => {
                    if self.section(&format!("{key}."))?.is_some() {
                        return Err("an import inside of a group".to_owned());
                    }
                    if self.next() != Some('}') {
                        return Err("a group is not closed".to_owned());
                    }
                }
                found => return Err(unexpected(found, "= or { after a key")),
            }
        }
    }

    /// Skips blanks, line breaks and comments.
    fn skip(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.starts_with('#') {
                return;
            }
            self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]);
        }
    }

    fn next(&mut self) -> Option<char> {
        let first = self.rest.chars().next()?;
        self.rest = &self.rest[first.len_utf8()..];
        Some(first)
    }

    fn key(&mut self) -> Result<String, String> {
        let belongs = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        if !self.rest.starts_with(char::is_alphabetic) {
            return Err(unexpected(self.rest.chars().next(), "a key"));
        }
        let (key, rest) = self.rest.split_at(end);
        self.rest = rest;
        Ok(key.to_owned())
    }

    fn value(&mut self) -> Result<Value, String> {
        if self.rest.starts_with('"') {
            return self.text().map(Value::Text);
        }
        if self.rest.starts_with('[') {
            return self.list();
        }
        let end = self.rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}' | '#'));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let value = match word {
            "true" | "on" => Value::Bool(true),
            "false" | "off" => Value::Bool(false),
            word => Value::Number(word.parse().map_err(|_| format!("{word:?} is no value"))?),
        };
        self.rest = rest;
        Ok(value)
    }

    fn list(&mut self) -> Result<Value, String> {
        self.next();
        loop {
            self.skip();
            if self.rest.starts_with(']') {
                self.next();
                return Ok(Value::List);
            }
            self.value()?;
            self.skip();
            match self.rest.chars().next() {
                Some(',') => drop(self.next()),
                Some(']') => {}
                found => return Err(unexpected(found, ", or ] in a list")),
            }
        }
    }

    fn text(&mut self) -> Result<String, String> {
        self.next();
        let mut text = String::new();
        loop {
            match self.next().ok_or("a text is not closed")? {
                '"' => return Ok(text),
                '\\' => text.push(self.escaped()?),
                '$' => match self.next() {
                    Some('$') => text.push('$'),
                    Some('(') => text.push_str(&self.interpolated()?),
                    found => return Err(unexpected(found, "$ or ( after a $ (write $$ for a dollar sign)")),
                },
                other => text.push(other),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, String> {
        Ok(match self.next() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some(same @ ('"' | '\\')) => same,
            Some('u') => {
                let digits: String = (0..4).filter_map(|_| self.next()).collect();
                let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                code.ok_or_else(|| format!("\\u{digits} is no character"))?
            }
            found => return Err(unexpected(found, "n, r, t, u, \" or \\ after a backslash")),
        })
    }

    fn interpolated(&mut self) -> Result<String, String> {
        let (name, rest) = self.rest.split_once(')').ok_or("$( is not closed")?;
        self.rest = rest;
        let own = self.values.get(name).map(|value| match value {
            Value::Number(number) => number.to_string(),
            Value::Bool(bool) => bool.to_string(),
            other => other.to_string(),
        });
        let variable = || self.environment.get(name).cloned().or_else(|| std::env::var(name).ok());
        own.or_else(variable).ok_or_else(|| format!("no such variable: {name}"))
    }
}

fn unexpected(found: Option<char>, expected: &str) -> String {
    let found = found.map_or_else(|| "the end".to_owned(), |c| format!("{c:?}"));
    format!("found {found}, expected {expected}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(String, String)>, FileError> {
        let path = std::env::temp_dir().join(format!("dugout-config-{:?}", std::thread::current().id()));
        std::fs::write(&path, text).unwrap();
        let environment = BTreeMap::from([("PGRST_WHO".to_owned(), "ana".to_owned())]);
        let read = File::load(&path, &environment);
        std::fs::remove_file(path).unwrap();
        read.map(|file| file.entries().map(|(key, value)| (key.to_owned(), value.to_string())).collect())
    }

    #[test]
    fn values_are_read() {
        let text = "# Commènt\ndb-schemas = \"a,   b\" # here too\ndb-pool=10\nlog { level = \"crit\" query = on }\n\
             app.settings.x = false\ns = \"q\\\"\\n\\u00e4$$ $(PGRST_WHO) $(db-pool)\"\nl = [1, \"b\",]\n";
        let wanted = [
            ("app.settings.x", "Bool False"),
            ("db-pool", "Number 10.0"),
            ("db-schemas", "a,   b"),
            ("l", "List"),
            ("log.level", "crit"),
            ("log.query", "Bool True"),
            ("s", "q\"\nä$ ana 10"),
        ];
        assert_eq!(read(text).unwrap(), wanted.map(|(key, value)| (key.to_owned(), value.to_owned())));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, line) in [
            ("yaml:\n  is:", 1),
            ("a = 1\nb", 2),
            ("a = 1\nb = \"x", 2),
            ("a = \"$x\"", 1),
            ("a = \"$(NO_SUCH_VARIABLE)\"", 1),
            ("a {\n b = 1", 2),
            ("a = maybe", 1),
        ] {
            assert!(matches!(read(text), Err(FileError::Malformed(_, found, _)) if found == line), "{text}");
        }
        assert!(File::load(Path::new("/no/such/file"), &BTreeMap::new()).is_err());
    }
}
