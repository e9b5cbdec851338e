//! A function of the project's folder as a form that a server takes: its folder, the shared folders, and what its modules import.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use bytes::Bytes;
use gateway::settings::Resolved;

use crate::config;
use crate::model::bundle::{Bundle, BundleError, MAX_BYTES, MAX_FILES, Metadata};
use crate::model::graph::Graph;
use crate::model::{Definition, Project, deno_config};

/// Folders with packages: Deno loads its own.
const PACKAGES: &str = "node_modules";

/// A form with the files of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// The function.
    pub name: String,
    /// The paths of the files, relative to the project.
    pub files: Vec<String>,
    /// The media type of the body.
    pub content_type: String,
    /// The body of the request.
    pub body: Vec<u8>,
}

/// Why a function cannot be sent.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// The project has none with this name, or switches it off.
    #[error("there is no function {0} in this project; `dugout functions list` shows them")]
    NotFound(String),
    /// Links can lead anywhere.
    #[error("{0} is a symbolic link; a function is deployed with files of its own only")]
    Link(PathBuf),
    /// The server would not know where to put it.
    #[error("{0} lies outside of the project")]
    Outside(PathBuf),
    /// The file cannot be read.
    #[error("{0} cannot be read: {1}")]
    File(PathBuf, io::Error),
    /// The server would refuse it.
    #[error(transparent)]
    Bundle(#[from] BundleError),
}

/// Packs the function `name`. `verify_jwt` replaces the setting of config.toml.
///
/// # Errors
/// [`PackError`], a sentence for a person.
pub fn pack(resolved: &Resolved, name: &str, verify_jwt: Option<bool>) -> Result<Packed, PackError> {
    let not_found = || PackError::NotFound(name.to_owned());
    let supabase = config::supabase(resolved).ok_or_else(not_found)?;
    let settings = config::functions(resolved, &mut Vec::new());
    let project = Project { supabase, settings };
    let definition = project.find(name).ok_or_else(not_found)?;
    let root = project.supabase.parent().unwrap_or(&project.supabase);
    let relative = |path: &Path| relative(root, path);
    let import_map = definition.import_map.as_deref().map(relative).transpose()?;
    let metadata = Metadata {
        entrypoint_path: relative(&definition.entry)?,
        import_map_path: import_map,
        verify_jwt: Some(verify_jwt.unwrap_or_else(|| project.settings(name).verify_jwt)),
    };
    let mut files = Vec::new();
    let mut length = 0;
    for path in collect(&definition)? {
        let bytes = fs::read(&path).map_err(|error| PackError::File(path.clone(), error))?;
        length += bytes.len();
        if length > MAX_BYTES {
            return Err(BundleError::TooLong.into());
        }
        files.push((relative(&path)?, Bytes::from(bytes)));
    }
    let bundle = Bundle::new(name, &metadata, files)?;
    Ok(form(&bundle, &metadata))
}

/// All files of a function.
fn collect(definition: &Definition) -> Result<BTreeSet<PathBuf>, PackError> {
    let functions = &definition.root;
    let mut files = BTreeSet::new();
    // An entry that lies in the project's own folders does not take these along.
    if !functions.starts_with(&definition.folder) {
        walk(&definition.folder, &mut files)?;
    }
    for entry in fs::read_dir(functions).into_iter().flatten().flatten() {
        let is_shared = entry.file_name().to_str().is_some_and(|name| name.starts_with('_'));
        if is_shared && entry.path().is_dir() {
            walk(&entry.path(), &mut files)?;
        }
    }
    let config = deno_config::files(definition).into_iter().filter(|file| file.is_file());
    let graph = Graph::read(&definition.entry, []);
    let of_patterns = definition.static_files.iter().filter_map(|pattern| glob::glob(pattern).ok());
    let of_patterns = of_patterns.flatten().flatten().filter(|path| path.is_file());
    for path in config.chain(graph.modules().cloned()).chain(of_patterns) {
        add(path, &mut files)?;
    }
    Ok(files)
}

/// Adds the files of a folder, without hidden ones: `.env` and `.git` are nobody's business.
fn walk(folder: &Path, files: &mut BTreeSet<PathBuf>) -> Result<(), PackError> {
    let failed = |error| PackError::File(folder.to_owned(), error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (name, path) = (entry.file_name(), entry.path());
        if name.as_encoded_bytes().starts_with(b".") || name == PACKAGES {
            continue;
        }
        let kind = entry.file_type().map_err(failed)?;
        if kind.is_dir() {
            walk(&path, files)?;
        } else {
            add(path, files)?;
        }
    }
    Ok(())
}

fn add(path: PathBuf, files: &mut BTreeSet<PathBuf>) -> Result<(), PackError> {
    let data = fs::symlink_metadata(&path).map_err(|error| PackError::File(path.clone(), error))?;
    if data.is_symlink() {
        return Err(PackError::Link(path));
    }
    if data.is_file() {
        files.insert(path);
    }
    if files.len() > MAX_FILES {
        return Err(BundleError::TooMany.into());
    }
    Ok(())
}

/// The path within the project, with slashes.
fn relative(root: &Path, path: &Path) -> Result<String, PackError> {
    let outside = || PackError::Outside(path.to_owned());
    let mut parts = Vec::new();
    for part in path.strip_prefix(root).map_err(|_| outside())?.components() {
        match part {
            Component::Normal(part) => parts.push(part.to_str().ok_or_else(outside)?),
            Component::CurDir => {}
            Component::ParentDir => drop(parts.pop().ok_or_else(outside)?),
            Component::RootDir | Component::Prefix(_) => return Err(outside()),
        }
    }
    Ok(parts.join("/"))
}

/// RFC 7578. Paths of a bundle have no quotes and no ends of line.
fn form(bundle: &Bundle, metadata: &Metadata) -> Packed {
    let boundary = format!("dugout-{}", uuid::Uuid::new_v4().simple());
    let mut body = Vec::new();
    let mut part = |head: &str, bytes: &[u8]| {
        body.extend_from_slice(format!("--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n").as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    };
    part("name=\"metadata\"", &serde_json::to_vec(metadata).unwrap_or_default());
    for (path, bytes) in &bundle.files {
        part(&format!("name=\"file\"; filename=\"{path}\""), bytes);
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    Packed {
        name: bundle.name.clone(),
        files: bundle.files.keys().map(ToString::to_string).collect(),
        content_type: format!("multipart/form-data; boundary={boundary}"),
        body,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_function_are_collected_and_links_refused() {
        let root = std::env::temp_dir().join(format!("dugout-pack-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let write = |path: &str, text: &str| {
            let path = root.join("supabase/functions").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("hello/index.ts", "import '../_shared/a.ts'; import '../other/b.ts'");
        for path in [
            "hello/lib/data.txt",
            "hello/.env",
            "hello/node_modules/x.js",
            "_shared/a.ts",
            "_more/c.ts",
            "other/b.ts",
            "other/c.ts",
            ".env",
            "import_map.json",
        ] {
            write(path, "{}");
        }
        let root = root.canonicalize().unwrap();
        let project = Project { supabase: root.join("supabase"), settings: std::collections::BTreeMap::new() };
        let definition = project.find("hello").unwrap();
        let files = collect(&definition).unwrap();
        let files: Vec<String> = files.iter().map(|path| relative(&root, path).unwrap()).collect();
        let wanted =
            ["_more/c.ts", "_shared/a.ts", "hello/index.ts", "hello/lib/data.txt", "import_map.json", "other/b.ts"];
        assert_eq!(files, wanted.map(|path| format!("supabase/functions/{path}")));
        assert!(matches!(relative(&root, Path::new("/etc/passwd")), Err(PackError::Outside(_))));
        assert!(matches!(relative(&root, &root.join("a/../../b")), Err(PackError::Outside(_))));
        std::os::unix::fs::symlink("/etc/passwd", root.join("supabase/functions/hello/link.txt")).unwrap();
        assert!(matches!(collect(&definition), Err(PackError::Link(_))));
        fs::remove_dir_all(root).unwrap();
    }
}
