//! The two teams of a game.

/// Which team: Retrosheet's 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The visiting team.
    Visitor,
    /// The home team.
    Home,
}

impl Side {
    /// Both, visitors first.
    pub const BOTH: [Side; 2] = [Side::Visitor, Side::Home];

    /// The opponent.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::Visitor => Side::Home,
            Side::Home => Side::Visitor,
        }
    }

    /// 0 for the visitors, 1 for the home team.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}
