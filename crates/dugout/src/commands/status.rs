//! `dugout status`: addresses and keys of a running server, under the names of `supabase status`.

mod boxes;

use std::collections::BTreeMap;
use std::io::Write;

use serde_json::Value;
use server::State;

use super::configuration::configuration;
use crate::cli::{Output, StatusArgs};
use crate::exit::Failure;

/// What `supabase status` can print: the key that `--override-name` takes, and the name without it.
///
/// Source: Supabase CLI 3.1, `status`.
const NAMES: [(&str, &str); 17] = [
    ("api.url", "API_URL"),
    ("api.rest_url", "REST_URL"),
    ("api.graphql_url", "GRAPHQL_URL"),
    ("api.storage_s3_url", "STORAGE_S3_URL"),
    ("api.mcp_url", "MCP_URL"),
    ("api.functions_url", "FUNCTIONS_URL"),
    ("db.url", "DB_URL"),
    ("studio.url", "STUDIO_URL"),
    ("mailpit.url", "MAILPIT_URL"),
    ("auth.publishable_key", "PUBLISHABLE_KEY"),
    ("auth.secret_key", "SECRET_KEY"),
    ("auth.jwt_secret", "JWT_SECRET"),
    ("auth.anon_key", "ANON_KEY"),
    ("auth.service_role_key", "SERVICE_ROLE_KEY"),
    ("storage.s3_access_key_id", "S3_PROTOCOL_ACCESS_KEY_ID"),
    ("storage.s3_secret_access_key", "S3_PROTOCOL_ACCESS_KEY_SECRET"),
    ("storage.s3_region", "S3_PROTOCOL_REGION"),
];

/// Prints them; fails if no server runs in the data directory.
pub fn run(args: &StatusArgs) -> Result<(), Failure> {
    let names = renamed(&args.override_name)?;
    let (config, _) = configuration(args.server.flags(), args.server.project.as_deref())?;
    let Some(state) = State::read(&config.data_dir).map_err(Failure::new)? else {
        let place = config.data_dir.display();
        return Err(Failure::new(format!(
            "no server runs in {place}; start one with `dugout start`, or name its --data-dir"
        )));
    };
    let entries = state.entries();
    let text = match args.output {
        Output::Pretty => boxes::draw(&entries),
        output => print(output, &under(&entries, &names))?,
    };
    std::io::stdout().write_all(text.as_bytes()).map_err(Failure::new)
}

/// The values in the order of their names.
fn print(output: Output, values: &BTreeMap<String, String>) -> Result<String, Failure> {
    Ok(match output {
        Output::Json => serde_json::to_string_pretty(values).map_err(Failure::new)? + "\n",
        Output::Env | Output::Pretty => {
            // A shell variable has neither dots nor small letters here, as with the CLI.
            let values: BTreeMap<_, _> =
                values.iter().map(|(name, value)| (name.replace('.', "_").to_uppercase(), value)).collect();
            values.iter().map(|(name, value)| format!("{name}=\"{}\"\n", escaped(value))).collect()
        }
        Output::Toml => values.iter().map(|(name, value)| format!("{} = {}\n", bare(name), quoted(value))).collect(),
        Output::Yaml => values.iter().map(|(name, value)| format!("{}: {}\n", plain(name), plain(value))).collect(),
    })
}

/// The values under the names asked for.
fn under(entries: &serde_json::Map<String, Value>, names: &BTreeMap<&str, &str>) -> BTreeMap<String, String> {
    let value = |name: &str| entries.get(name).and_then(Value::as_str).map(str::to_owned);
    NAMES.iter().filter_map(|(key, name)| Some(((*names.get(key).unwrap_or(name)).to_owned(), value(name)?))).collect()
}

/// `KEY=NAME` pairs by key. As with the CLI, a key that is none of its own has no effect.
fn renamed(given: &[String]) -> Result<BTreeMap<&str, &str>, Failure> {
    let mut names = BTreeMap::new();
    for entry in given {
        let Some((key, name)) = entry.split_once('=').filter(|(key, _)| !key.is_empty()) else {
            return Err(Failure::new(format!("invalid override-name entry, expected KEY=VALUE: {entry}")));
        };
        if key == "inbucket.url" {
            return Err(Failure::new(format!(
                "--override-name entry \"{entry}\" refers to inbucket.url, which was removed; use mailpit.url instead"
            )));
        }
        if NAMES.iter().any(|(known, _)| *known == key) {
            names.insert(key, name);
        }
    }
    Ok(names)
}

fn escaped(value: &str) -> String {
    let pairs = [("\\", "\\\\"), ("\"", "\\\""), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")];
    pairs.iter().fold(value.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// A string that JSON, TOML and YAML read alike.
fn quoted(value: &str) -> String {
    Value::from(value).to_string()
}

/// A key of TOML.
fn bare(name: &str) -> String {
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if is_bare { name.to_owned() } else { quoted(name) }
}

/// A scalar of YAML: without quotes if it cannot be read as anything but this string.
fn plain(value: &str) -> String {
    let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let is_plain = value.starts_with(|c: char| c.is_ascii_alphabetic())
        && !value.ends_with(':')
        && value.chars().all(|c| c.is_ascii_alphanumeric() || "_-./:@=+%?&~".contains(c))
        && !words.contains(&value.to_lowercase().as_str());
    if is_plain { value.to_owned() } else { quoted(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_overridden_as_the_cli_does() {
        let given = ["api.url=NEXT_PUBLIC_SUPABASE_URL".to_owned(), "no.such=X".to_owned()];
        let names = renamed(&given).unwrap();
        let entries = serde_json::json!({ "API_URL": "http://h", "ANON_KEY": "k" });
        let values = under(entries.as_object().unwrap(), &names);
        let values: Vec<_> = values.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(values, [("ANON_KEY", "k"), ("NEXT_PUBLIC_SUPABASE_URL", "http://h")]);
        for bad in ["api.url", "=X", "inbucket.url=X"] {
            assert!(renamed(&[bad.to_owned()]).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_format_keeps_awkward_values() {
        let values: BTreeMap<String, String> =
            [("a.b", "1"), ("C", "x\"y\\\nz"), ("D", "true"), ("E", "a: b"), ("F", "http://h:1/x?y=1")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into();
        let env = "A_B=\"1\"\nC=\"x\\\"y\\\\\\nz\"\nD=\"true\"\nE=\"a: b\"\nF=\"http://h:1/x?y=1\"\n";
        assert_eq!(print(Output::Env, &values).unwrap(), env);
        let toml = "C = \"x\\\"y\\\\\\nz\"\nD = \"true\"\nE = \"a: b\"\nF = \"http://h:1/x?y=1\"\n\"a.b\" = \"1\"\n";
        assert_eq!(print(Output::Toml, &values).unwrap(), toml);
        let yaml = "C: \"x\\\"y\\\\\\nz\"\nD: \"true\"\nE: \"a: b\"\nF: http://h:1/x?y=1\na.b: \"1\"\n";
        assert_eq!(print(Output::Yaml, &values).unwrap(), yaml);
    }
}
