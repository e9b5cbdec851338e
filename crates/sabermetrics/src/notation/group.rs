//! Parentheses after an advance or a running play: `(65)`, `(E5/TH)`, `(UR)`, `(NR)`.

use smol_str::SmolStr;

use super::Fielding;

/// One pair of parentheses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Group {
    /// The fielders, and the text after slashes (`TH` for `(E5/TH)`).
    Fielding(Fielding, SmolStr),
    /// A remark that changes a credit or explains.
    Flag(Flag),
}

/// A remark in parentheses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flag {
    /// `UR`: the run is unearned.
    Unearned,
    /// `TUR`: the run is unearned for the team, earned for the pitcher.
    TeamUnearned,
    /// `NR`: no run batted in.
    NoRbi,
    /// `NORBI`: the same.
    NoRbiSpelled,
    /// `RBI`: a run batted in although the play would not give one.
    Rbi,
    /// Others: `TH`, `TH2`, `WP`, `PB`, `INT`, `OBS`, …
    Other(SmolStr),
}

impl Group {
    /// The group of this text, without its parentheses.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let known = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"/+-".contains(&byte);
        if text.is_empty() || !text.bytes().all(known) {
            return None;
        }
        let (head, rest) = text.split_once('/').unwrap_or((text, ""));
        let has_digit = head.bytes().any(|byte| byte.is_ascii_digit());
        Some(match Fielding::new(head) {
            Some(fielding) if has_digit || head == "E" => {
                if text.ends_with('/') {
                    return None;
                }
                Group::Fielding(fielding, SmolStr::new(rest))
            }
            _ => Group::Flag(Flag::new(text)),
        })
    }

    /// The fielders, if it names any.
    #[must_use]
    pub fn fielding(&self) -> Option<&Fielding> {
        match self {
            Group::Fielding(fielding, _) => Some(fielding),
            Group::Flag(_) => None,
        }
    }

    /// The remark, if it is one.
    #[must_use]
    pub fn flag(&self) -> Option<&Flag> {
        match self {
            Group::Fielding(..) => None,
            Group::Flag(flag) => Some(flag),
        }
    }
}

impl Flag {
    fn new(text: &str) -> Self {
        match text {
            "UR" => Flag::Unearned,
            "TUR" => Flag::TeamUnearned,
            "NR" => Flag::NoRbi,
            "NORBI" => Flag::NoRbiSpelled,
            "RBI" => Flag::Rbi,
            other => Flag::Other(SmolStr::new(other)),
        }
    }

    /// The text, without parentheses.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Flag::Unearned => "UR",
            Flag::TeamUnearned => "TUR",
            Flag::NoRbi => "NR",
            Flag::NoRbiSpelled => "NORBI",
            Flag::Rbi => "RBI",
            Flag::Other(text) => text,
        }
    }
}
