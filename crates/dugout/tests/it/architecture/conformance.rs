//! COMPATIBILITY.md states the committed results of the upstream suites, and no other numbers.

use std::collections::BTreeMap;

use serde_json::Value;

use super::root;

const BEGIN: &str =
    "<!-- conformance: made from the results by UPDATE=1 cargo test -p dugout --test it conformance -->";
const END: &str = "<!-- end of conformance -->";

/// The results in `crates/dugout/tests/conformance/`: the name of the file, and the suite.
const SUITES: &[(&str, &str)] = &[
    ("postgrest", "PostgREST's specs, rolled back"),
    ("postgrest-hot", "its specs that only read, committed, on the hot lane"),
    ("postgrest-io", "its io tests: command line, configuration, signals, logs, reloading, replicas"),
    ("postgrest-js", "postgrest-js"),
    ("auth-js", "auth-js, behind `/auth/v1`"),
    ("auth-js-alone", "auth-js, against `dugout auth`"),
    ("auth-js-instances", "auth-js, against instances with other settings"),
    ("supabase-js", "supabase-js"),
    ("realtime-check", "the end-to-end check of supabase/realtime"),
    ("storage-js", "storage-js"),
    ("storage-acceptance", "the acceptance suite of supabase/storage, without a CDN's servers and analytics buckets"),
];

/// The result words of the suites' runners, mapped to the columns of the table.
const RESULTS: &[(&str, &[&str])] = &[
    ("passed", &["pass", "passed"]),
    ("failed", &["fail", "failed", "failure", "error"]),
    ("skipped or pending upstream", &["skipped", "pending"]),
    ("passes without a server", &["vacuous"]),
];

#[test]
fn the_document_states_the_committed_results() {
    let path = root().join("COMPATIBILITY.md");
    let document = std::fs::read_to_string(&path).expect("COMPATIBILITY.md");
    let (before, rest) = document.split_once(BEGIN).unwrap_or_else(|| panic!("COMPATIBILITY.md has a line {BEGIN}"));
    let (stated, after) = rest.split_once(END).unwrap_or_else(|| panic!("COMPATIBILITY.md has a line {END}"));
    let table = table();
    if stated.trim() != table.trim() && std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}\n\n{table}\n{END}{after}")).unwrap();
        return;
    }
    assert_eq!(stated.trim(), table.trim(), "stale: UPDATE=1 cargo test -p dugout --test it conformance");
    // Numbers in sentences would become outdated unnoticed.
    let loose: Vec<&str> = before.lines().chain(after.lines()).filter(|line| counts_tests(line)).collect();
    assert!(loose.is_empty(), "state these numbers in the table only:\n{}", loose.join("\n"));
}

/// Each file of results has a row.
#[test]
fn every_suite_is_in_the_table() {
    let folder = root().join("crates/dugout/tests/conformance");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("the results are there")
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".jsonl").map(str::to_owned))
        .collect();
    files.sort();
    let mut named: Vec<&str> = SUITES.iter().map(|(name, _)| *name).collect();
    named.sort_unstable();
    assert_eq!(files, named);
}

/// Whether a line contains a number of tests or cases: "248 pass", "1,095 open cases".
fn counts_tests(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_number = |word: &str| word.chars().all(|letter| letter.is_ascii_digit() || letter == ',') && word.len() > 1;
    let counted = ["pass", "passed", "tests", "cases", "open", "counted", "io"];
    words.windows(2).any(|pair| is_number(pair[0]) && counted.contains(&pair[1].trim_matches(['.', ',', ';'])))
}

fn table() -> String {
    let mut text = String::from("| suite | tests |");
    for (column, _) in RESULTS {
        text.push_str(&format!(" {column} |"));
    }
    text.push_str("\n|---|---|");
    text.push_str(&"---|".repeat(RESULTS.len()));
    text.push('\n');
    for (name, what) in SUITES {
        let counts = counts(name);
        text.push_str(&format!("| {what} (`{name}.jsonl`) | {} |", counts.values().sum::<usize>()));
        for (_, words) in RESULTS {
            let count: usize = words.iter().filter_map(|word| counts.get(*word)).sum();
            text.push_str(&format!(" {count} |"));
        }
        text.push('\n');
        let known = |word: &String| RESULTS.iter().any(|(_, words)| words.contains(&word.as_str()));
        let unknown: Vec<&String> = counts.keys().filter(|word| !known(word)).collect();
        assert!(unknown.is_empty(), "{name} has results of no column: {unknown:?}");
    }
    text
}

/// How often each result occurs.
fn counts(name: &str) -> BTreeMap<String, usize> {
    let path = root().join(format!("crates/dugout/tests/conformance/{name}.jsonl"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut counts = BTreeMap::new();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect("each line is a case");
        *counts.entry(case["result"].as_str().expect("a case has a result").to_owned()).or_default() += 1;
    }
    assert!(!counts.is_empty(), "{name} has no cases");
    counts
}

#[test]
fn numbers_in_sentences_are_detected() {
    for line in ["Of PostgREST's own 1,095 open cases, 1,091 pass.", "All 272 counted tests pass", "248 pass and two"] {
        assert!(counts_tests(line), "{line}");
    }
    for line in ["more than 1,000 filters are refused", "sizes up to 64 bytes", "RFC 7591 section 3"] {
        assert!(!counts_tests(line), "{line}");
    }
}
