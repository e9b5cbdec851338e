//! The pitches of a turn at bat: `CBFBX`.

use smol_str::SmolStr;

/// The pitch field of a play line, as written. Empty if pitches were not recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pitches(SmolStr);

/// The result of one pitch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pitch {
    /// `B`, `P`, `V`, `I`: a ball; `V` and `I` without a throw count as balls, too.
    Ball,
    /// `C`, `A`: a strike without a swing.
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

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The pitches after the last `.`, which marks where the field continues that of an earlier line.
    pub fn fresh(&self) -> impl Iterator<Item = Pitch> + '_ {
        pitches(self.0.rsplit('.').next().unwrap_or_default())
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
                Pitch::Foul => strikes = strikes.max((strikes + 1).min(2)),
                Pitch::InPlay | Pitch::HitBatter => {}
                Pitch::Unknown => return None,
            }
        }
        seen.then_some((balls, strikes))
    }
}

fn pitches(text: &str) -> impl Iterator<Item = Pitch> + '_ {
    text.bytes().filter_map(|letter| match letter {
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
    })
}
