//! "Perhaps you meant": the closest of some names.
//!
//! The same measure as PostgREST's (the fuzzyset method): candidates that share three-letter pieces, else two-letter
//! pieces, ranked by the cosine of their pieces; the best fifty of them by edit distance.

use std::collections::HashMap;

/// Candidates whose edit distance is computed.
const RANKED: usize = 50;

/// The candidate most like `name`, if one scores at least `threshold` (0 to 1). An exact match is found whatever its case.
pub(crate) fn closest<'a>(
    candidates: impl IntoIterator<Item = &'a str>,
    name: &str,
    threshold: f64,
) -> Option<&'a str> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let index = Index::new(candidates.iter().copied());
    candidates.get(index.position(name, threshold)?).copied()
}

/// Names made ready to be searched again and again: of ten thousand, only those with pieces in common are looked at.
#[derive(Debug, Default)]
pub(crate) struct Index {
    names: Vec<Box<str>>,
    /// In lower case, with the first that is written so.
    exact: HashMap<Box<str>, usize>,
    by_three: Pieces,
    by_two: Pieces,
    /// The letters of the longest.
    longest: usize,
}

impl Index {
    /// An index over some names.
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

    /// As [`closest`], among these.
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

/// Which names hold a piece and how often, and the length of each name as a vector of its pieces.
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

    /// Names that share a piece with `wanted`, with the cosine between the two.
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

/// How often each run of `size` characters (two or three) occurs. Only letters, digits, commas and spaces count.
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

/// Whether a text of `letters` can be as like one of `others` letters as the threshold wants: each letter that it has more is
/// a difference. Names come from requests, so they may be millions of letters long.
fn may_be_alike(letters: usize, others: usize, threshold: f64) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "a text has fewer letters than that")]
    let (letters, others) = (letters as f64, others as f64);
    others >= letters * threshold
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
    fn what_is_too_long_to_be_alike_is_not_compared() {
        let index = Index::new(["films", "directors"]);
        let begun = std::time::Instant::now();
        assert_eq!(index.closest(&"films,".repeat(2_000_000), 0.33), None);
        // Twelve million letters would make a table of two hundred million cells.
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
