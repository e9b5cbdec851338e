//! The words that Retrosheet describes for modifiers and remarks.

use super::{Event, Flag, Group, Modifier};

/// Modifiers and remarks that are neither a batted ball nor have a number.
const WORDS: &[&str] = &[
    "AP", "BGDP", "BINT", "BOOT", "BPDP", "BR", "C", "COUB", "COUF", "COUR", "DP", "FDP", "FINT", "FL", "FO", "GDP",
    "GTP", "IF", "INT", "IPHR", "LDP", "LTP", "MREV", "NDP", "NORBI", "NR", "OBS", "PASS", "PB", "RBI", "RINT", "SAC",
    "SF", "SH", "TH", "TP", "TUR", "UINT", "UR", "UREV", "WP",
];

/// Letters of a location after its digits: left, right, middle, shallow, deep, extra, foul.
const LOCATION: &str = "LRMSDXF";

/// Maximum number of those letters: `8LXD` has three, and foul ground adds one.
const LOCATION_LETTERS: usize = 4;

/// Maximum number of fielders in a relay such as `R643`.
const RELAYS: usize = 4;

impl Event {
    /// The first modifier or remark that Retrosheet does not describe. The parser accepts every word in capitals, because
    /// archives have words of their own. What people enter can be checked with this, so that it holds no free text.
    #[must_use]
    pub fn unlisted(&self) -> Option<&str> {
        let modifiers = self.modifiers.iter().map(Modifier::as_str);
        let advances = self.advances.iter().flat_map(|advance| &advance.groups);
        let groups = self.running.iter().flat_map(|running| &running.groups).chain(advances).map(remark);
        modifiers.chain(groups).flat_map(|text| text.split('/')).find(|word| !is_listed(word))
    }
}

/// The words of a pair of parentheses, with slashes between them.
fn remark(group: &Group) -> &str {
    match group {
        Group::Fielding(_, rest) => rest,
        Group::Flag(flag) => Flag::as_str(flag),
    }
}

fn is_listed(word: &str) -> bool {
    word.is_empty() || WORDS.contains(&word) || is_batted_ball(word) || is_numbered(word)
}

/// `TH2`, `THH`, `E5`, `R643`.
fn is_numbered(word: &str) -> bool {
    let fielders = |text: &str| !text.is_empty() && text.bytes().all(|byte| matches!(byte, b'1'..=b'9'));
    let throw = word.strip_prefix("TH").is_some_and(|base| matches!(base, "1" | "2" | "3" | "H"));
    let error = word.strip_prefix('E').is_some_and(|text| text.len() == 1 && fielders(text));
    throw || error || word.strip_prefix('R').is_some_and(|text| text.len() <= RELAYS && fielders(text))
}

/// A trajectory, a location or both: `G`, `L+`, `BG15`, `F78XD-`, `7LF`, `G+34`.
fn is_batted_ball(word: &str) -> bool {
    let hit = word.strip_prefix('B').filter(|rest| rest.starts_with(['G', 'P', 'L', 'F'])).unwrap_or(word);
    let place = hit.strip_prefix(['G', 'P', 'L', 'F']);
    let sign = |text: &str| matches!(text, "" | "+" | "-");
    let located = place.unwrap_or(hit);
    let located = located.strip_prefix(['+', '-']).filter(|rest| !rest.is_empty()).unwrap_or(located);
    let digits = located.bytes().take_while(|byte| matches!(byte, b'1'..=b'9')).count();
    let rest = located.get(digits..).unwrap_or_default();
    let letters = rest.trim_end_matches(['+', '-']);
    let named = letters.len() <= LOCATION_LETTERS && letters.chars().all(|letter| LOCATION.contains(letter));
    let known = if digits == 0 { place.is_some() && matches!(letters, "" | "F" | "LF") } else { digits <= 2 && named };
    known && sign(rest.get(letters.len()..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::super::parse_event;

    #[test]
    fn retrosheets_words_are_listed_and_others_are_not() {
        for event in [
            "8/F78",
            "63/G6M",
            "54(B)/BG25/SH.1-2",
            "S78/G-.3-H;2-H;1-3",
            "DGR/L9LS.2-H",
            "HR/F78XD+",
            "C/E2.1-2",
            "S9.1X3(95E5)(NR)",
            "SB2.1-3(E2/TH)",
            "PO3(E2/TH).3-H(UR)",
            "K+WP.3-H(NR)(WP)",
            "S9/G+34.2-H(TUR)",
            "7/F/",
            "9/FL/F9LF",
            "64(1)3/GDP/G",
            "S8.B-2(THH)",
            "D7/R76/L7LD",
            "3/INT.1-1",
            "4/P4MD/IF",
            "S1/BG-",
            "8(B)84(2)/LDP/L8.1-1",
        ] {
            assert_eq!(parse_event(event).unwrap().unlisted(), None, "{event}");
        }
        for (event, word) in [
            ("S7/ANNCHILD", "ANNCHILD"),
            ("K/ELMST5", "ELMST5"),
            ("S7/G6/F5551234", "F5551234"),
            ("63/G--+", "G--+"),
            ("S7/LLRMSD", "LLRMSD"),
            ("S7/+", "+"),
            ("S7.1-2(ANN)", "ANN"),
            ("S7.1-3(E7/TH/ANN)", "ANN"),
            ("SB2(ANN)", "ANN"),
            ("K/R64364", "R64364"),
        ] {
            assert_eq!(parse_event(event).unwrap().unlisted(), Some(word), "{event}");
        }
    }
}
