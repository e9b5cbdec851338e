//! The deno.json that a function's process is started with: that of the function, with an import map in which foreign addresses are
//! replaced and relative ones are absolute.

use std::path::{Path, PathBuf};

use jsonc_parser::{ParseOptions, parse_to_serde_value};
use serde_json::{Map, Value, json};
use url::Url;

use super::definition::Definition;
use super::graph::Graph;
use super::specifier::Shims;

/// DEVIATION (more): a bare import of the client library works without an import map.
const BARE: (&str, &str) = ("@supabase/supabase-js", "npm:@supabase/supabase-js@2");

/// Every file that may configure the imports of a function, strongest first. Those that are missing are part of it: they are
/// watched.
pub(crate) fn files(definition: &Definition) -> Vec<PathBuf> {
    let own = ["deno.json", "deno.jsonc", "import_map.json"].map(|name| definition.folder.join(name));
    let fallback = definition.root.join("import_map.json");
    let package = definition.folder.join("package.json");
    definition.import_map.clone().into_iter().chain(own).chain([fallback, package]).collect()
}

/// Builds the configuration.
///
/// # Errors
/// A sentence that names the file that cannot be used.
pub(crate) fn effective(definition: &Definition, graph: &Graph, shims: &Shims) -> Result<Value, String> {
    if let Some(map) = definition.import_map.as_ref().filter(|map| !map.is_file()) {
        return Err(format!("the import map {} does not exist", map.display()));
    }
    let file = files(definition).into_iter().find(|file| file.is_file());
    let mut config = Map::new();
    let (mut imports, mut scopes) = (Map::new(), Map::new());
    if let Some(file) = &file {
        let found = read(file)?;
        if file.ends_with("package.json") {
            imports = dependencies(&found);
        } else {
            for key in ["compilerOptions", "unstable"] {
                if let Some(value) = found.get(key) {
                    config.insert(key.to_owned(), value.clone());
                }
            }
            let named = found.get("importMap").and_then(Value::as_str).filter(|_| !found.contains_key("imports"));
            let (map, base) = match named {
                Some(path) => {
                    let path = file.parent().unwrap_or(file).join(path);
                    (read(&path)?, path)
                }
                None => (found, file.clone()),
            };
            imports = resolved(map.get("imports"), &base, shims);
            if let Some(Value::Object(found)) = map.get("scopes") {
                let scope = |(place, imports): (&String, &Value)| {
                    (
                        address(place, &base).unwrap_or_else(|| place.clone()),
                        Value::Object(resolved(Some(imports), &base, shims)),
                    )
                };
                scopes = found.iter().map(scope).collect();
            }
        }
    }
    replace_foreign(&mut imports, graph, shims);
    config.insert("imports".to_owned(), Value::Object(imports));
    config.insert("scopes".to_owned(), Value::Object(scopes));
    config.insert("lock".to_owned(), json!(false));
    config.insert("nodeModulesDir".to_owned(), json!("none"));
    Ok(Value::Object(config))
}

fn read(file: &Path) -> Result<Map<String, Value>, String> {
    let failed = |error: String| format!("{} cannot be used: {error}", file.display());
    let text = std::fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
    match parse_to_serde_value(&text, &ParseOptions::default()) {
        Ok(Some(Value::Object(map))) => Ok(map),
        Ok(None) => Ok(Map::new()),
        Ok(Some(_)) => Err(failed("it is no JSON object".to_owned())),
        Err(error) => Err(failed(error.to_string())),
    }
}

/// `dependencies` of a package.json as imports.
fn dependencies(package: &Map<String, Value>) -> Map<String, Value> {
    let Some(Value::Object(found)) = package.get("dependencies") else { return Map::new() };
    let versions = found.iter().filter_map(|(name, version)| Some((name, version.as_str()?)));
    let import = |(name, version): (&String, &str)| {
        // `npm:other@1` is an alias; `workspace:` and the like cannot be resolved from here.
        let address = if version.starts_with("npm:") { version.to_owned() } else { format!("npm:{name}@{version}") };
        (name.clone(), Value::from(address))
    };
    versions.filter(|(_, version)| version.starts_with("npm:") || !version.contains(':')).map(import).collect()
}

/// The imports of a map, with absolute addresses and replacements.
fn resolved(imports: Option<&Value>, base: &Path, shims: &Shims) -> Map<String, Value> {
    let Some(Value::Object(imports)) = imports else { return Map::new() };
    let texts = imports.iter().filter_map(|(key, value)| Some((key, value.as_str()?)));
    let absolute = |(key, value): (&String, &str)| {
        let value = shims.replacement(value).or_else(|| address(value, base)).unwrap_or_else(|| value.to_owned());
        (address(key, base).unwrap_or_else(|| key.clone()), Value::from(value))
    };
    texts.map(absolute).collect()
}

/// The URL of a relative address in the file `base`.
fn address(text: &str, base: &Path) -> Option<String> {
    let is_relative = text.starts_with("./") || text.starts_with("../") || text.starts_with('/');
    let base = Url::from_file_path(base).ok().filter(|_| is_relative)?;
    base.join(text).ok().map(|url| url.to_string())
}

/// Adds an entry for each address that the modules import and that is replaced. What the project's own map says goes first.
fn replace_foreign(imports: &mut Map<String, Value>, graph: &Graph, shims: &Shims) {
    for specifier in &graph.foreign {
        if imports.contains_key(specifier) {
            continue;
        }
        let replaced = shims.replacement(specifier).or_else(|| {
            let (prefix, target) = prefix_of(imports, specifier)?;
            shims.replacement(&format!("{target}{}", &specifier[prefix.len()..]))
        });
        if let Some(replaced) = replaced {
            imports.insert(specifier.clone(), Value::from(replaced));
        }
    }
    let (name, package) = BARE;
    let is_bare =
        |specifier: &String| specifier.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if !imports.contains_key(name) && graph.foreign.iter().any(is_bare) {
        imports.insert(name.to_owned(), Value::from(package));
    }
}

/// The longest entry for a prefix (`std/`) that fits, with its target.
fn prefix_of<'m>(imports: &'m Map<String, Value>, specifier: &str) -> Option<(&'m str, &'m str)> {
    let fitting = imports.iter().filter(|(key, _)| key.ends_with('/') && specifier.starts_with(key.as_str()));
    let longest = fitting.max_by_key(|(key, _)| key.len())?;
    Some((longest.0, longest.1.as_str()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::definition::Origin;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("dugout-deno-config-{name}-{}", std::process::id()));
            std::fs::create_dir_all(folder.join("hello")).unwrap();
            Folder(folder)
        }

        fn write(&self, path: &str, text: &str) {
            std::fs::write(self.0.join(path), text).unwrap();
        }

        fn effective(&self, import_map: Option<&str>) -> Result<Value, String> {
            let folder = self.0.join("hello");
            let definition = Definition {
                name: "hello".to_owned(),
                entry: folder.join("index.ts"),
                import_map: import_map.map(|path| self.0.join(path)),
                static_files: Vec::new(),
                root: self.0.clone(),
                origin: Origin::Project,
                folder,
            };
            let file = |name: &str| Url::parse(&format!("file:///{name}")).unwrap();
            let shims = Shims { empty: file("empty"), http_server: file("http"), base64: file("base64") };
            effective(&definition, &Graph::read(&definition.entry, []), &shims)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_strongest_map_counts_and_foreign_addresses_are_replaced() {
        let folder = Folder::new("order");
        folder.write(
            "hello/index.ts",
            "import 'https://deno.land/std@0.168.0/http/server.ts'\nimport 'std/encoding/base64.ts'\nimport 'own'\n\
             import '@supabase/supabase-js/cors'",
        );
        let imports = |import_map| folder.effective(import_map).unwrap()["imports"].clone();
        let http = ("https://deno.land/std@0.168.0/http/server.ts", "file:///http");
        let bare = ("@supabase/supabase-js", "npm:@supabase/supabase-js@2");
        assert_eq!(imports(None), json!({ http.0: http.1, bare.0: bare.1 }));
        folder.write("hello/package.json", r#"{"dependencies": {"own": "^1", "w": "workspace:*"}}"#);
        assert_eq!(imports(None)["own"], "npm:own@^1");
        folder.write("import_map.json", r#"{"imports": {"own": "./fallback.ts"}}"#);
        let fallback = format!("file://{}/fallback.ts", folder.0.display());
        assert_eq!(imports(None)["own"], Value::from(fallback));
        folder.write("hello/import_map.json", r#"{"imports": {"own": "npm:own@2"}}"#);
        assert_eq!(imports(None)["own"], "npm:own@2");
        folder.write(
            "hello/deno.jsonc",
            r#"{ // with a comment
              "compilerOptions": {"jsx": "react-jsx"}, "tasks": {"x": "y"},
              "imports": {"own": "npm:own@3", "std/": "https://deno.land/std@0.200.0/", "@supabase/supabase-js": "jsr:@supabase/supabase-js@2.4",},
            }"#,
        );
        let config = folder.effective(None).unwrap();
        assert_eq!(
            config,
            json!({
                "compilerOptions": {"jsx": "react-jsx"},
                "imports": {
                    "own": "npm:own@3",
                    "std/": "https://deno.land/std@0.200.0/",
                    "@supabase/supabase-js": "npm:@supabase/supabase-js@2.4",
                    http.0: http.1,
                    "std/encoding/base64.ts": "file:///base64",
                },
                "scopes": {}, "lock": false, "nodeModulesDir": "none",
            })
        );
        folder.write("named.json", r#"{"imports": {"own": "npm:own@4"}}"#);
        assert_eq!(imports(Some("named.json"))["own"], "npm:own@4");
        assert!(folder.effective(Some("gone.json")).unwrap_err().contains("gone.json does not exist"));
        folder.write("named.json", "{");
        assert!(folder.effective(Some("named.json")).unwrap_err().contains("named.json cannot be used"));
    }
}
