//! Suggests similar names ("Perhaps you meant").
//!
//! The measure is PostgREST's (the fuzzyset method): candidates that share trigrams, or else bigrams, are ranked by the
//! cosine of their gram vectors, and the best fifty of them by edit distance.

use std::collections::HashMap;

/// How many candidates are compared by edit distance.
const RANKED: usize = 50;

/// The candidate most similar to `name`, if its score is at least `threshold` (0 to 1). Comparison ignores case.
pub(crate) fn closest<'a>(
    candidates: impl IntoIterator<Item = &'a str>,
    name: &str,
    threshold: f64,
) -> Option<&'a str> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let index = Index::new(candidates.iter().copied());
    candidates.get(index.position(name, threshold)?).copied()
}

/// An index for repeated searches: of ten thousand names, a search visits only those that share grams.
#[derive(Debug, Default)]
pub(crate) struct Index {
    names: Vec<Box<str>>,
    /// Names in lower case, each with its first original spelling.
    exact: HashMap<Box<str>, usize>,
    by_three: Pieces,
    by_two: Pieces,
    /// The length of the longest name, in characters.
    longest: usize,
}

impl Index {
    /// Builds an index over some names.
    pub(crate) fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut index = Index::default();
        for (position, name) in names.into_iter().enumerate() {
            let lower = name.to_lowercase();
            index.by_three.add(position, &lower, 3);
            index.by_two.add(position, &lower, 2);
            index.longest = index.longest.max(lower.chars().count());
            index.exact.entry(lower.into()).or_insert(position);
            index.names.push(name.into());
        }
        index
    }

    /// As [`closest`], among the names of the index.
    pub(crate) fn closest(&self, name: &str, threshold: f64) -> Option<&str> {
        self.names.get(self.position(name, threshold)?).map(AsRef::as_ref)
    }

    fn position(&self, name: &str, threshold: f64) -> Option<usize> {
        if !may_be_alike(name.chars().count(), self.longest, threshold) {
            return None;
        }
        let wanted = name.to_lowercase();
        if let Some(position) = self.exact.get(wanted.as_str()) {
            return Some(*position);
        }
        self.best(&wanted, self.by_three.ranked(&wanted, 3), threshold)
            .or_else(|| self.best(&wanted, self.by_two.ranked(&wanted, 2), threshold))
    }

    fn best(&self, wanted: &str, mut ranked: Vec<(f64, usize)>, threshold: f64) -> Option<usize> {
        let name = |position: usize| self.names.get(position).map_or("", AsRef::as_ref);
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| name(a.1).cmp(name(b.1))));
        let mut best: Option<(f64, usize)> = None;
        let letters = wanted.chars().count();
        for (_, position) in ranked.into_iter().take(RANKED) {
            let candidate = name(position).to_lowercase();
            if !may_be_alike(letters, candidate.chars().count(), threshold) {
                continue;
            }
            let score = likeness(wanted, &candidate);
            if score >= threshold && best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, position));
            }
        }
        best.map(|(_, position)| position)
    }
}

/// Which names contain a gram and how often, and the norm of each name's gram vector.
#[derive(Debug, Default)]
struct Pieces {
    holders: HashMap<[char; 3], Vec<(usize, f64)>>,
    lengths: Vec<f64>,
}

impl Pieces {
    fn add(&mut self, position: usize, name: &str, size: usize) {
        let pieces = pieces(name, size);
        self.lengths.push(length(&pieces));
        for (piece, count) in pieces {
            self.holders.entry(piece).or_default().push((position, count));
        }
    }

    /// The names that share a gram with `wanted`, with their cosine similarity.
    fn ranked(&self, wanted: &str, size: usize) -> Vec<(f64, usize)> {
        let pieces = pieces(wanted, size);
        let own = length(&pieces);
        let mut shared: HashMap<usize, f64> = HashMap::new();
        for (piece, count) in &pieces {
            for (position, others) in self.holders.get(piece).into_iter().flatten() {
                *shared.entry(*position).or_default() += count * others;
            }
        }
        let cosine = |(position, dot): (usize, f64)| {
            let lengths = own * self.lengths.get(position).copied().unwrap_or_default();
            (lengths > 0.0).then(|| (dot / lengths, position))
        };
        shared.into_iter().filter_map(cosine).collect()
    }
}

/// How often each gram of `size` characters (two or three) occurs. Only letters, digits, commas and spaces count.
fn pieces(text: &str, size: usize) -> HashMap<[char; 3], f64> {
    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ',' | ' '));
    let padded: Vec<char> = std::iter::once('-').chain(kept).chain(std::iter::once('-')).collect();
    let mut counts = HashMap::new();
    for window in padded.windows(size) {
        let mut piece = ['\0'; 3];
        piece.iter_mut().zip(window).for_each(|(to, from)| *to = *from);
        *counts.entry(piece).or_default() += 1.0;
    }
    counts
}

fn length(pieces: &HashMap<[char; 3], f64>) -> f64 {
    pieces.values().map(|count| count * count).sum::<f64>().sqrt()
}

/// Whether texts of `letters` and `others` characters can reach the threshold at all: each additional character is an
/// edit. Names come from requests, so they may be millions of characters long.
fn may_be_alike(letters: usize, others: usize, threshold: f64) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "a text has fewer letters than that")]
    let (letters, others) = (letters as f64, others as f64);
    others >= letters * threshold
}

/// Similarity by Levenshtein distance: 1 for equal texts, 0 if no character matches.
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
    fn what_is_too_long_to_be_alike_is_not_compared() {
        let index = Index::new(["films", "directors"]);
        let begun = std::time::Instant::now();
        assert_eq!(index.closest(&"films,".repeat(2_000_000), 0.33), None);
        // A table for twelve million characters would have two hundred million cells.
        assert!(begun.elapsed() < std::time::Duration::from_secs(1), "{:?}", begun.elapsed());
        for (name, found) in [("filmsfilmsfilms", Some("films")), ("filmsfilmsfilms1", None)] {
            assert_eq!(index.closest(name, 0.33), found, "{name}");
        }
    }

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
    fn lists_of_parameters_are_alike_in_parts() {
        let lists = ["(name, param, val)", "(attr, id)"];
        for (wanted, found) in [
            ("(nam, pqaram, vall)", Some("(name, param, val)")),
            ("(param, val)", Some("(name, param, val)")),
            ("(attrs, id)", Some("(attr, id)")),
            ("(id)", Some("(attr, id)")),
            ("(noclosealternative)", None),
        ] {
            assert_eq!(closest(lists.into_iter(), wanted, 0.33), found, "{wanted}");
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
