//! The parts of an event after slashes: `/G6`, `/SF`, `/GDP`, `/E5`, `/MREV`.

use smol_str::SmolStr;

/// One modifier, without its slash. Modifiers without effect are kept, and so are empty ones: the archive's files
/// contain `7/F/` and `9//SF`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modifier(SmolStr);

/// The trajectory of a batted ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Trajectory {
    /// `G`, `BG`
    Ground,
    /// `L`, `BL`
    Line,
    /// `F`
    Fly,
    /// `P`, `BP`
    PopUp,
}

impl Modifier {
    /// Parses a modifier.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let known = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"+-()".contains(&byte);
        text.bytes().all(known).then(|| Modifier(SmolStr::new(text)))
    }

    /// The text, without the slash.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True if it is this word.
    #[must_use]
    pub fn is(&self, word: &str) -> bool {
        self.0 == word
    }

    /// True for a double or triple play (`DP`, `GDP`, `LDP`, `FDP`, `BGDP`, `BPDP`, `TP`, `GTP`, `LTP`), but not for
    /// `NDP`.
    #[must_use]
    pub fn is_multiple_play(&self) -> bool {
        matches!(self.0.as_str(), "DP" | "GDP" | "LDP" | "FDP" | "BGDP" | "BPDP" | "TP" | "GTP" | "LTP")
    }

    /// True for a sacrifice bunt: `SH`, in some files `SAC`.
    #[must_use]
    pub fn is_sacrifice_hit(&self) -> bool {
        matches!(self.0.as_str(), "SH" | "SAC")
    }

    /// True for a bunt: `SH`, `BG…`, `BP…`, `BL…`.
    #[must_use]
    pub fn is_bunt(&self) -> bool {
        let text = self.0.as_str();
        self.is_sacrifice_hit() || ["BG", "BP", "BL", "BF"].iter().any(|kind| text.starts_with(kind))
    }

    /// Trajectory and location (`8`, `78XD`), for `L8`, `F78XD`, `BG1`.
    #[must_use]
    pub fn batted_ball(&self) -> Option<(Trajectory, &str)> {
        let text = self.0.as_str();
        let text = text.strip_prefix('B').filter(|rest| rest.starts_with(['G', 'P', 'L', 'F'])).unwrap_or(text);
        let trajectory = match text.bytes().next()? {
            b'G' => Trajectory::Ground,
            b'L' => Trajectory::Line,
            b'F' => Trajectory::Fly,
            b'P' => Trajectory::PopUp,
            _ => return None,
        };
        let place = text.get(1..)?.trim_end_matches(['+', '-']);
        let located = place.bytes().next().is_none_or(|byte| byte.is_ascii_digit());
        (located || place == "F" || place == "LF").then_some((trajectory, place))
    }

    /// The fielder of an error in a modifier such as `E5`; `E5/TH` is two modifiers.
    #[must_use]
    pub fn error(&self) -> Option<u8> {
        match self.0.as_bytes() {
            [b'E', digit @ b'1'..=b'9'] => Some(digit - b'0'),
            _ => None,
        }
    }
}
