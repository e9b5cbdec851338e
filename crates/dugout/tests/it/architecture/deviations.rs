//! COMPATIBILITY.md lists every deliberate difference from upstream.
//!
//! The list is generated from comments that begin with `DEVIATION (KIND): `. `DEVIATION: ` means the kind `behaviour`.

use super::{root, sources};

const BEGIN: &str = "<!-- deviations: made from the comments by UPDATE=1 cargo test -p dugout --test it deviations -->";
const END: &str = "<!-- end of deviations -->";

/// The kinds of deviations, those that a client notices first: tag, heading, explanation.
const KINDS: [(&str, &str, &str); 6] = [
    ("missing", "Missing", "Upstream supports this, Dugout does not."),
    ("stricter", "Stricter", "Dugout refuses or limits what upstream accepts."),
    ("behaviour", "Different behaviour", "Both accept the same, with a different effect."),
    ("words", "Different words", "Only the status, message or fields of a response differ, or the order of checks."),
    ("safer", "Safer", "Dugout prevents attacks and leaks that upstream allows. Other clients notice little."),
    ("more", "More", "Dugout supports more than upstream."),
];

#[test]
fn every_deviation_is_listed() {
    let path = root().join("COMPATIBILITY.md");
    let document = std::fs::read_to_string(&path).expect("COMPATIBILITY.md");
    let (before, rest) = document.split_once(BEGIN).unwrap_or_else(|| panic!("COMPATIBILITY.md has a line {BEGIN}"));
    let (listed, after) = rest.split_once(END).unwrap_or_else(|| panic!("COMPATIBILITY.md has a line {END}"));
    let wanted = list(&deviations());
    if listed.trim() != wanted.trim() && std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}\n\n{wanted}\n\n{END}{after}")).unwrap();
        return;
    }
    let stale = "COMPATIBILITY.md is stale: UPDATE=1 cargo test -p dugout --test it deviations";
    let missing = wanted.lines().find(|line| !listed.lines().any(|listed| listed == *line));
    assert_eq!(missing, None, "{stale}");
    let gone = listed.lines().find(|line| !wanted.lines().any(|wanted| wanted == *line));
    assert_eq!(gone, None, "{stale}: no comment says this any more");
    assert!(listed.trim() == wanted.trim(), "{stale}: a line has the wrong heading or order");
}

/// A heading and its explanation for each kind, then one line for each deviation, in the order of the files.
fn list(deviations: &[(usize, String)]) -> String {
    let sections = KINDS.iter().enumerate().filter_map(|(kind, (_, heading, explanation))| {
        let lines: Vec<&str> =
            deviations.iter().filter(|(found, _)| *found == kind).map(|(_, line)| line.as_str()).collect();
        (!lines.is_empty()).then(|| format!("### {heading}\n\n{explanation}\n\n{}", lines.join("\n")))
    });
    sections.collect::<Vec<String>>().join("\n\n")
}

/// The comments: the index of the kind in [`KINDS`], and the line of the list.
///
/// # Panics
///
/// When a comment has an unknown kind, or no comment has any.
fn deviations() -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for file in sources(&[".rs", ".sql"]).iter().filter(|file| {
        file.path.starts_with("crates/") && file.path.contains("/src/") || file.path.contains("/migrations/")
    }) {
        let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
        for (index, line) in lines.iter().enumerate() {
            let Some((marker, tag, text)) = parts(line) else { continue };
            let kind = KINDS.iter().position(|(known, ..)| *known == tag);
            let kind = kind.unwrap_or_else(|| panic!("{}: there is no kind of deviation called {tag}", file.path));
            let mut sentence = text.to_owned();
            for next in lines[index + 1..].iter().map_while(|next| next.strip_prefix(marker)) {
                if sentence.ends_with('.') || next.trim().is_empty() {
                    break;
                }
                sentence.push(' ');
                sentence.push_str(next.trim());
            }
            found.push((kind, format!("- {sentence} (`{}`)", file.path.split_once('/').map_or("", |(_, path)| path))));
        }
    }
    assert!(!found.is_empty(), "no comment says DEVIATION any more");
    found
}

/// The comment marker, the tag and the text of a line that begins a deviation.
fn parts(line: &str) -> Option<(&str, &str, &str)> {
    let (marker, rest) = line.split_once("DEVIATION")?;
    let marker = marker.trim_end();
    if !["//", "///", "//!", "--"].contains(&marker) {
        return None;
    }
    match rest.strip_prefix(": ") {
        Some(text) => Some((marker, "behaviour", text)),
        None => rest.strip_prefix(" (")?.split_once("): ").map(|(tag, text)| (marker, tag, text)),
    }
}
