//! Where we differ from upstream on purpose, COMPATIBILITY.md says so.

use super::{root, sources};

const BEGIN: &str = "<!-- deviations: made from the comments by UPDATE=1 cargo test -p dugout --test it deviations -->";
const END: &str = "<!-- end of deviations -->";

#[test]
fn every_deviation_is_listed() {
    let path = root().join("COMPATIBILITY.md");
    let document = std::fs::read_to_string(&path).expect("COMPATIBILITY.md");
    let (before, rest) = document.split_once(BEGIN).unwrap_or_else(|| panic!("COMPATIBILITY.md has a line {BEGIN}"));
    let (listed, after) = rest.split_once(END).unwrap_or_else(|| panic!("COMPATIBILITY.md has a line {END}"));
    let deviations = deviations();
    assert!(!deviations.is_empty(), "no comment says DEVIATION: any more");
    let wanted = format!("\n{}\n", deviations.join("\n"));
    if listed.trim() != wanted.trim() && std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}\n{wanted}\n{END}{after}")).unwrap();
        return;
    }
    let stale = "COMPATIBILITY.md is stale: UPDATE=1 cargo test -p dugout --test it deviations";
    let missing = wanted.lines().find(|line| !listed.lines().any(|listed| listed == *line));
    assert_eq!(missing, None, "{stale}");
    let gone = listed.lines().find(|line| !wanted.lines().any(|wanted| wanted == *line));
    assert_eq!(gone, None, "{stale}: no comment says this any more");
}

/// One line a comment, by crate, in the order of the files.
fn deviations() -> Vec<String> {
    let mut found = Vec::new();
    let mut last = String::new();
    for file in sources(&[".rs", ".sql"]).iter().filter(|file| {
        file.path.starts_with("crates/") && file.path.contains("/src/") || file.path.contains("/migrations/")
    }) {
        let crate_name = file.path.split('/').nth(1).unwrap_or_default();
        let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
        for (index, line) in lines.iter().enumerate() {
            let Some((marker, text)) = line.split_once("DEVIATION: ") else { continue };
            let marker = marker.trim_end();
            if !["//", "///", "//!", "--"].contains(&marker) {
                continue;
            }
            let mut sentence = text.to_owned();
            for next in lines[index + 1..].iter().map_while(|next| next.strip_prefix(marker)) {
                if sentence.ends_with('.') || next.trim().is_empty() {
                    break;
                }
                sentence.push(' ');
                sentence.push_str(next.trim());
            }
            if crate_name != last {
                found.push(format!("{}### {crate_name}\n", if found.is_empty() { "" } else { "\n" }));
                last = crate_name.to_owned();
            }
            found.push(format!("- {sentence} (`{}`)", file.path.split_once('/').map_or("", |(_, path)| path)));
        }
    }
    found
}
