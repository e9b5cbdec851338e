//! "Perhaps you meant": the closest of some names.
//!
//! The same measure as PostgREST's (the fuzzyset method): candidates that share three-letter pieces, else two-letter
//! pieces, ranked by the cosine of their pieces; the best fifty of them by edit distance.

use std::collections::HashMap;

/// Candidates whose edit distance is computed.
const RANKED: usize = 50;

/// The candidate most like `name`, if one scores at least `threshold` (0 to 1). An exact match is found whatever its case.
pub(crate) fn closest<'a>(
    candidates: impl Iterator<Item = &'a str> + Clone,
    name: &str,
    threshold: f64,
) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    if let Some(exact) = candidates.clone().find(|candidate| candidate.to_lowercase() == wanted) {
        return Some(exact);
    }
    [3, 2].into_iter().find_map(|size| {
        let pieces = grams(&wanted, size);
        let mut ranked: Vec<(f64, &str)> = candidates
            .clone()
            .map(|candidate| (cosine(&pieces, &grams(&candidate.to_lowercase(), size)), candidate))
            .filter(|(score, _)| *score > 0.0)
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        ranked.truncate(RANKED);
        let mut best: Option<(f64, &str)> = None;
        for (_, candidate) in ranked {
            let score = likeness(&wanted, &candidate.to_lowercase());
            if score >= threshold && best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, candidate));
            }
        }
        best.map(|(_, candidate)| candidate)
    })
}

/// How often each run of `size` characters occurs. Only letters, digits, commas and spaces count.
fn grams(text: &str, size: usize) -> HashMap<String, f64> {
    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ',' | ' '));
    let padded: Vec<char> = std::iter::once('-').chain(kept).chain(std::iter::once('-')).collect();
    let mut counts = HashMap::new();
    for window in padded.windows(size) {
        *counts.entry(window.iter().collect()).or_default() += 1.0;
    }
    counts
}

fn cosine(a: &HashMap<String, f64>, b: &HashMap<String, f64>) -> f64 {
    let dot: f64 = a.iter().filter_map(|(gram, count)| b.get(gram).map(|other| count * other)).sum();
    let norm = |grams: &HashMap<String, f64>| grams.values().map(|count| count * count).sum::<f64>().sqrt();
    let norms = norm(a) * norm(b);
    if norms == 0.0 { 0.0 } else { dot / norms }
}

/// 1 for equal texts, 0 for texts without anything in common (Levenshtein).
fn likeness(a: &str, b: &str) -> f64 {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (y, above) in b.iter().zip(row.iter_mut().skip(1)) {
            let cost = if x == y { diagonal } else { 1 + diagonal.min(*above).min(left) };
            diagonal = std::mem::replace(above, cost);
            left = cost;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    let distance = row.last().copied().unwrap_or_default();
    let longest = a.len().max(b.len()).max(1);
    #[expect(clippy::cast_precision_loss, reason = "names are short")]
    let likeness = 1.0 - distance as f64 / longest as f64;
    likeness
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_name_wins_above_the_threshold() {
        let names = ["films", "directors", "roles", "actors"];
        for (name, threshold, found) in [
            ("film", 0.75, Some("films")),
            ("role", 0.75, Some("roles")),
            ("FILMS", 0.75, Some("films")),
            ("noclosealternative", 0.75, None),
            ("actor", 0.33, Some("actors")),
        ] {
            assert_eq!(closest(names.into_iter(), name, threshold), found, "{name}");
        }
    }

    #[test]
    fn likeness_counts_edits() {
        for (a, b, expected) in
            [("abc", "abc", 1.0), ("abc", "abd", 2.0 / 3.0), ("", "a", 0.0), ("kitten", "sitting", 4.0 / 7.0)]
        {
            assert!((likeness(a, b) - expected).abs() < 1e-9, "{a} {b}");
        }
    }
}
