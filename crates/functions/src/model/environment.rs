//! The environment of a function's process: the project's own variables, and those that Supabase injects.

use std::collections::BTreeMap;
use std::path::Path;

use gateway::Secret;
use gateway::service::{Host, ProjectKeys};
use serde_json::json;

/// Names that a project cannot set: those that Supabase injects, and those that change how programs start.
const RESERVED: [&str; 5] = ["SUPABASE_", "DENO_", "DUGOUT_", "LD_", "DYLD_"];
/// The same, as whole names.
const HIDDEN: [&str; 6] = ["HOME", "HOSTNAME", "PATH", "PWD", "TMPDIR", "NODE_OPTIONS"];

/// The variables that Supabase injects.
#[derive(Clone)]
pub(crate) struct Injected(BTreeMap<String, Secret<String>>);

impl Injected {
    /// Those of this server. `jwks` are its public keys.
    pub(crate) fn new(host: &Host, jwks: &serde_json::Value) -> Self {
        let ProjectKeys { anon, service_role, publishable, secret } = &host.project_keys;
        let mut variables = BTreeMap::new();
        let mut set = |name: &str, value: String| variables.insert(name.to_owned(), Secret::new(value));
        set("SUPABASE_URL", host.public_url.as_str().to_owned());
        set("SUPABASE_ANON_KEY", anon.clone());
        set("SUPABASE_SERVICE_ROLE_KEY", service_role.reveal().clone());
        set("SUPABASE_PUBLISHABLE_KEYS", json!({ "default": publishable }).to_string());
        set("SUPABASE_SECRET_KEYS", json!({ "default": secret.reveal() }).to_string());
        set("SUPABASE_JWKS", jwks.to_string());
        if let Some(url) = &host.database_url {
            set("SUPABASE_DB_URL", url.reveal().clone());
        }
        Injected(variables)
    }

    /// All variables of a process: `[edge_runtime.secrets]`, over it `supabase/functions/.env`, over it those of Supabase.
    ///
    /// # Errors
    /// A sentence that names the file that cannot be used.
    pub(crate) fn with(
        &self,
        secrets: &BTreeMap<String, Secret<String>>,
        env_file: &Path,
    ) -> Result<BTreeMap<String, Secret<String>>, String> {
        let own = secrets.clone().into_iter().chain(read(env_file)?);
        let mut variables: BTreeMap<_, _> = own.filter(|(name, _)| !is_reserved(name)).collect();
        variables.extend(self.0.clone());
        Ok(variables)
    }
}

/// True for names that only the server sets.
fn is_reserved(name: &str) -> bool {
    RESERVED.iter().any(|prefix| name.starts_with(prefix)) || HIDDEN.contains(&name)
}

fn read(file: &Path) -> Result<Vec<(String, Secret<String>)>, String> {
    if !file.is_file() {
        return Ok(Vec::new());
    }
    let read = dotenvy::from_path_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let pairs = read.map_err(|error| match error {
        dotenvy::Error::Io(error) => format!("{} cannot be read: {error}", file.display()),
        // The parser's message repeats the line, which may hold a secret.
        _ => format!("a line in {} is not NAME=value", file.display()),
    })?;
    Ok(pairs.into_iter().map(|(name, value)| (name, Secret::new(value))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_projects_variables_never_replace_those_of_supabase() {
        let file = std::env::temp_dir().join(format!("dugout-functions-env-{}", std::process::id()));
        std::fs::write(&file, "A=file\nSUPABASE_URL=evil\nSUPABASE_OTHER=evil\nLD_PRELOAD=evil\nHOME=evil\n").unwrap();
        let injected = Injected(BTreeMap::from([("SUPABASE_URL".to_owned(), Secret::new("http://h".to_owned()))]));
        let secrets = [("A", "config"), ("B", "config"), ("DENO_V8_FLAGS", "evil")];
        let secrets = secrets.map(|(name, value)| (name.to_owned(), Secret::new(value.to_owned())));
        let with = |path: &Path| injected.with(&BTreeMap::from(secrets.clone()), path);
        let variables = with(&file).unwrap();
        let shown: Vec<_> = variables.iter().map(|(name, value)| format!("{name}={}", value.reveal())).collect();
        assert_eq!(shown, ["A=file", "B=config", "SUPABASE_URL=http://h"]);
        std::fs::write(&file, "geheim geheim").unwrap();
        let refused = with(&file).unwrap_err();
        assert!(refused.contains("is not NAME=value") && !refused.contains("geheim"), "{refused}");
        std::fs::remove_file(&file).unwrap();
        assert_eq!(with(&file).unwrap().len(), 3);
    }
}
