//! Words that are allowed in certain places only, or nowhere.

use super::{Source, sources};

/// Where words of the app's subject are allowed: the app, its project folder, its statistics, the binary that joins it to the
/// platform, and documents for people.
const MAY_KNOW_BASEBALL: &[&str] = &["crates/dugout/", "crates/sabermetrics/", "supabase/", "frontend/"];

/// File names that do not say what the file contains.
const DRAWERS: &[&str] = &["utils", "util", "helpers", "helper", "common", "misc", "types"];

fn found(files: &[Source], bad: impl Fn(&Source, &str) -> bool) -> String {
    let mut lines = String::new();
    for file in files {
        for (number, line) in file.text.lines().enumerate().filter(|(_, line)| bad(file, line)) {
            lines.push_str(&format!("{}:{}: {}\n", file.path, number + 1, line.trim()));
        }
    }
    lines
}

#[test]
fn the_platform_does_not_mention_the_app() {
    let files = sources(&[".rs", ".sql", ".toml", ".sh", ".json"]);
    assert!(files.iter().any(|file| file.path.starts_with("crates/pg/")));
    let words = found(&files, |file, line| {
        !MAY_KNOW_BASEBALL.iter().any(|place| file.path.starts_with(place)) && line.to_lowercase().contains("baseball")
    });
    assert!(words.is_empty(), "the platform must not mention this app:\n{words}");
}

#[test]
fn file_names_say_what_is_inside() {
    let drawers: Vec<String> = sources(&[".rs", ".ts", ".tsx"])
        .into_iter()
        .map(|file| file.path)
        .filter(|path| {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            let stem = match name.split('.').next().unwrap_or_default() {
                "mod" | "index" => folder.rsplit('/').next().unwrap_or_default(),
                stem => stem,
            };
            DRAWERS.contains(&stem)
        })
        .collect();
    assert!(drawers.is_empty(), "name these files after what they contain: {drawers:?}");
}

/// SQL is built by `pg::Snippet` only. A `format!` that begins like a statement bypasses it.
#[test]
fn sql_is_not_formatted_outside_pg() {
    const VERBS: &[&str] = &[
        "select ",
        "insert into ",
        "update ",
        "delete from ",
        "with recursive ",
        "create ",
        "alter ",
        "drop ",
        "grant ",
        "revoke ",
        "set local ",
        "set role ",
        "call ",
        "begin",
        "commit",
    ];
    let files: Vec<Source> = sources(&[".rs"])
        .into_iter()
        .filter(|file| file.path.contains("/src/") && !file.path.starts_with("crates/pg/"))
        .collect();
    assert!(files.len() > 20, "only {} files", files.len());
    let mut bad = String::new();
    for file in &files {
        for (at, _) in file.text.match_indices("format!(") {
            let text = file.text[at + "format!(".len()..].trim_start().trim_start_matches(['r', '#']);
            let Some(text) = text.strip_prefix('"') else { continue };
            let begin = text.trim_start().to_lowercase();
            let query = begin.starts_with("with ") && begin.lines().next().is_some_and(|line| line.contains(" as ("));
            if query || VERBS.iter().any(|verb| begin.starts_with(verb)) {
                let line = file.text[..at].lines().count();
                bad.push_str(&format!("{}:{line}: {}\n", file.path, text.lines().next().unwrap_or_default()));
            }
        }
    }
    assert!(bad.is_empty(), "use pg::Snippet, or a constant:\n{bad}");
}

#[test]
fn there_are_no_unfinished_marks() {
    // Split, so that this line does not match.
    let marks = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("#[ign", "ore")];
    let words =
        found(&sources(&[".rs", ".ts", ".tsx", ".sql", ".sh"]), |_, line| marks.iter().any(|mark| line.contains(mark)));
    assert!(words.is_empty(), "finish it, or file an issue:\n{words}");
}
