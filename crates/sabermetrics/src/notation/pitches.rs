//! The pitches of a turn at bat: `CBFBX`.

use smol_str::SmolStr;

/// The pitch field of a play line, as written. Empty if pitches were not recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pitches(SmolStr);

/// The letters and signs that Retrosheet describes.
const LISTED: &[u8] = b"BPVICASMQFRTOLXYHKUN123+*.>^";

/// The result of one pitch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pitch {
    /// `B`, `P`, `I`: a ball; `V`: one without a throw.
    Ball,
    /// `C`: a strike without a swing; `A`: one without a throw.
    Called,
    /// `S`, `M`, `Q`: swung and missed.
    Missed,
    /// `F`, `R`: a foul.
    Foul,
    /// `T`, `O`: a foul tip; `O` on a bunt.
    FoulTip,
    /// `L`: a foul bunt.
    FoulBunt,
    /// `X`, `Y`: put in play.
    InPlay,
    /// `H`: hit the batter.
    HitBatter,
    /// `K`: a strike of unknown kind.
    Strike,
    /// `U` and letters without a meaning here.
    Unknown,
}

impl Pitch {
    /// The pitch of a letter; `None` for pickoffs and signs.
    #[must_use]
    pub fn lettered(letter: u8) -> Option<Pitch> {
        match letter {
            b'B' | b'P' | b'V' | b'I' => Some(Pitch::Ball),
            b'C' | b'A' => Some(Pitch::Called),
            b'S' | b'M' | b'Q' => Some(Pitch::Missed),
            b'F' | b'R' => Some(Pitch::Foul),
            b'T' | b'O' => Some(Pitch::FoulTip),
            b'L' => Some(Pitch::FoulBunt),
            b'X' | b'Y' => Some(Pitch::InPlay),
            b'H' => Some(Pitch::HitBatter),
            b'K' => Some(Pitch::Strike),
            b'N' | b'1' | b'2' | b'3' | b'+' | b'*' | b'.' | b'>' | b'^' => None,
            _ => Some(Pitch::Unknown),
        }
    }

    /// True for `V` and `A`: a ball or strike that a rule gives without a throw.
    #[must_use]
    pub fn is_automatic(letter: u8) -> bool {
        matches!(letter, b'V' | b'A')
    }

    /// Whether the batter swung, if known.
    #[must_use]
    pub fn swung(self) -> Option<bool> {
        match self {
            Pitch::Missed | Pitch::Foul | Pitch::FoulTip | Pitch::FoulBunt | Pitch::InPlay => Some(true),
            Pitch::Ball | Pitch::Called | Pitch::HitBatter => Some(false),
            Pitch::Strike | Pitch::Unknown => None,
        }
    }

    /// True if it counts as a strike: called, swung at or put in play.
    #[must_use]
    pub fn is_strike(self) -> bool {
        !matches!(self, Pitch::Ball | Pitch::HitBatter | Pitch::Unknown)
    }
}

impl Pitches {
    /// Maximum length in bytes. Twenty pitches with pickoffs have some 60.
    pub const MAX: usize = 500;

    /// Parses the field: printable ASCII without commas.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let fine = text.len() <= Self::MAX && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b',');
        fine.then(|| Pitches(SmolStr::new(text)))
    }

    /// True if every letter and sign is one that Retrosheet describes. What people enter can be checked with this.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        self.0.bytes().all(|byte| LISTED.contains(&byte))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The pitches after the last `.`, which marks where the field continues that of an earlier line.
    pub fn fresh(&self) -> impl Iterator<Item = Pitch> + '_ {
        pitches(self.0.rsplit('.').next().unwrap_or_default())
    }

    /// The letters of pitches, in order: without pickoffs and signs.
    #[must_use]
    pub fn letters(&self) -> String {
        letters(&self.0)
    }

    /// The same for the pitches after the last `.`.
    #[must_use]
    pub fn fresh_letters(&self) -> String {
        letters(self.0.rsplit('.').next().unwrap_or_default())
    }

    /// All pitches of the turn at bat, without pickoffs and signs.
    pub fn all(&self) -> impl Iterator<Item = Pitch> + '_ {
        pitches(&self.0)
    }

    /// Balls and strikes after these pitches; `None` without pitches, or if one is unknown.
    #[must_use]
    pub fn count_after(&self) -> Option<(u8, u8)> {
        let (mut balls, mut strikes, mut seen) = (0_u8, 0_u8, false);
        for pitch in self.all() {
            seen = true;
            match pitch {
                Pitch::Ball => balls = balls.saturating_add(1),
                Pitch::Called | Pitch::Missed | Pitch::FoulTip | Pitch::FoulBunt | Pitch::Strike => {
                    strikes = strikes.saturating_add(1);
                }
                Pitch::Foul => strikes = strikes.max(strikes.saturating_add(1).min(2)),
                Pitch::InPlay | Pitch::HitBatter => {}
                Pitch::Unknown => return None,
            }
        }
        seen.then_some((balls, strikes))
    }
}

fn letters(text: &str) -> String {
    text.bytes().filter(|letter| Pitch::lettered(*letter).is_some()).map(char::from).collect()
}

fn pitches(text: &str) -> impl Iterator<Item = Pitch> + '_ {
    text.bytes().filter_map(Pitch::lettered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_strikes_is_counted_without_overflow() {
        let many = Pitches::new(&format!("{}F", "C".repeat(255))).unwrap();
        assert_eq!(many.count_after(), Some((0, 255)));
        assert_eq!(Pitches::new("CFFF").unwrap().count_after(), Some((0, 2)));
    }

    #[test]
    fn only_described_letters_are_listed() {
        assert!(Pitches::new("BPVICASMQFRTOLXYHKUN123+*.>^").unwrap().is_listed());
        for text in ["ANDE", "b", "B-5", "CS\"X"] {
            assert!(!Pitches::new(text).unwrap().is_listed(), "{text}");
        }
    }
}
