//! Files have less than 400 lines, functions less than 70.

use super::{Source, sources};

const FILE: usize = 400;
const FUNCTION: usize = 70;

/// Files that may be longer, each with its reason.
const LONG_FILES: &[(&str, &str)] = &[("frontend/src/types/database.ts", "generated from the database")];

/// Functions that may be longer, as `path::name`, each with its reason.
const LONG_FUNCTIONS: &[(&str, &str)] = &[];

#[test]
fn files_are_short() {
    let long: Vec<String> = sources(&[".rs", ".ts", ".tsx", ".sql", ".sh"])
        .iter()
        .filter(|file| !LONG_FILES.iter().any(|(path, _)| *path == file.path))
        .map(|file| (file.text.lines().count(), &file.path))
        .filter(|(lines, _)| *lines >= FILE)
        .map(|(lines, path)| format!("{path}: {lines} lines"))
        .collect();
    assert!(long.is_empty(), "split these along their meaning:\n{}", long.join("\n"));
}

#[test]
fn functions_are_short() {
    let all: Vec<(String, usize)> = sources(&[".rs"]).iter().flat_map(functions).collect();
    assert!(all.len() > 100, "only {} functions were found: the test does not see them any more", all.len());
    let long: Vec<String> = all
        .into_iter()
        .filter(|(name, lines)| *lines >= FUNCTION && !LONG_FUNCTIONS.iter().any(|(listed, _)| listed == name))
        .map(|(name, lines)| format!("{name}: {lines} lines"))
        .collect();
    assert!(long.is_empty(), "split these along their steps:\n{}", long.join("\n"));
}

/// Each exception names something that exists and still needs it.
#[test]
fn every_exception_is_still_needed() {
    let files = sources(&[".rs", ".ts", ".tsx", ".sql", ".sh"]);
    for (path, reason) in LONG_FILES {
        assert!(files.iter().any(|file| file.path == *path), "{path} is gone, remove its exception ({reason})");
    }
    let functions: Vec<(String, usize)> =
        files.iter().filter(|file| file.path.ends_with(".rs")).flat_map(functions).collect();
    for (name, reason) in LONG_FUNCTIONS {
        let still = functions.iter().any(|(of, lines)| of == name && *lines >= FUNCTION);
        assert!(still, "{name} is short enough or gone, remove its exception ({reason})");
    }
}

/// Every function of a file as `path::name`, with its number of lines. rustfmt aligns the closing brace of a function with its
/// first line, so no parser is needed.
fn functions(file: &Source) -> Vec<(String, usize)> {
    let lines: Vec<&str> = file.text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let indent = &line[..line.len() - line.trim_start().len()];
        let end = lines[start..].iter().position(|line| {
            line.strip_prefix(indent).is_some_and(|rest| rest == "}" || rest.ends_with(';') && !rest.starts_with(' '))
        });
        if let Some(end) = end {
            found.push((format!("{}::{name}", file.path), end + 1));
        }
    }
    found
}

fn function_name(line: &str) -> Option<&str> {
    let words = line.trim_start();
    let at = if words.starts_with("fn ") { 0 } else { words.find(" fn ")? + 1 };
    let before = ["pub", "async", "const", "unsafe", "extern"];
    let modifiers = words[..at].split_whitespace();
    if !modifiers.clone().all(|word| before.iter().any(|known| word.starts_with(known))) {
        return None;
    }
    words[at + 3..].split(['(', '<']).next()
}

#[test]
fn functions_are_measured() {
    let text = "impl X {\n    pub(crate) async fn long(\n        a: u8,\n    ) -> u8 {\n        a\n    }\n    fn none(&self);\n}\n// a fn in words\n";
    let file = Source { path: "x.rs".to_owned(), text: text.to_owned() };
    assert_eq!(functions(&file), [("x.rs::long".to_owned(), 5), ("x.rs::none".to_owned(), 1)]);
}
