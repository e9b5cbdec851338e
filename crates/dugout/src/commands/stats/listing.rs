//! Counts and statistics as lists, each statistic with its formula and sample.

use std::fmt::Write;

use sabermetrics::model::Position;
use sabermetrics::stats::{BATTING, Counter, Definition, FIELDING, Line, PITCHING, PlayerLines, Value};

/// What formulas ask for beside counts.
pub type Constants<'c> = &'c dyn Fn(&str) -> Option<f64>;

/// A heading, the counts above 0, and the statistics that are known; nothing if there are no counts.
pub fn group<C: Counter>(
    text: &mut String,
    title: &str,
    group: &'static [Definition],
    line: &Line<C>,
    constants: Constants<'_>,
) {
    let counts: Vec<String> = C::ALL
        .iter()
        .filter_map(|counter| Some((counter, line.known(*counter).filter(|count| *count > 0)?)))
        .map(|(counter, count)| format!("{} {count}", counter.name()))
        .collect();
    if counts.is_empty() {
        return;
    }
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\n{title}\n  {}", counts.join("  "));
    for definition in group {
        let value = definition.of(group, line, constants);
        if value.number.is_some() {
            row(text, &value);
        }
    }
}

/// A statistic.
pub fn row(text: &mut String, value: &Value) {
    let Definition { key, name, formula, sample, .. } = value.definition;
    let _ = writeln!(text, "  {key:<9}{:>9}  {name} = {formula} ({} {sample})", value.text(), value.sample);
}

/// Batting, with `extra` behind it.
pub fn batting(text: &mut String, lines: &PlayerLines, constants: Constants<'_>, extra: &[Value]) {
    group(text, "Batting", BATTING, &lines.batting, constants);
    extra.iter().for_each(|value| row(text, value));
}

/// Pitching, with `extra` behind it.
pub fn pitching(text: &mut String, lines: &PlayerLines, constants: Constants<'_>, extra: &[Value]) {
    if let Some(pitching) = &lines.pitching {
        group(text, "Pitching", PITCHING, pitching, constants);
    }
    extra.iter().for_each(|value| row(text, value));
}

/// Fielding by position.
pub fn fielding(text: &mut String, lines: &PlayerLines, constants: Constants<'_>) {
    for (position, line) in &lines.fielding {
        let position = Position::numbered(*position).map_or("?", |one| one.abbreviation());
        group(text, &format!("Fielding, {position}"), FIELDING, line, constants);
    }
}
