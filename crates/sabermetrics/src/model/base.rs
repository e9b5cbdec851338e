//! Bases and where a runner can come from.

/// A base that a runner can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// First base.
    First,
    /// Second base.
    Second,
    /// Third base.
    Third,
    /// Home plate: a run.
    Home,
}

impl Base {
    /// The three bases a runner can stand on.
    pub const OCCUPIABLE: [Base; 3] = [Base::First, Base::Second, Base::Third];

    /// 1 to 4.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The base of this number, 1 to 4.
    #[must_use]
    pub fn numbered(number: u8) -> Option<Base> {
        match number {
            1 => Some(Base::First),
            2 => Some(Base::Second),
            3 => Some(Base::Third),
            4 => Some(Base::Home),
            _ => None,
        }
    }

    /// Retrosheet's letter: `1`, `2`, `3`, `H`.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Base::First => '1',
            Base::Second => '2',
            Base::Third => '3',
            Base::Home => 'H',
        }
    }

    /// The base of Retrosheet's letter.
    #[must_use]
    pub fn lettered(letter: u8) -> Option<Base> {
        match letter {
            b'1' => Some(Base::First),
            b'2' => Some(Base::Second),
            b'3' => Some(Base::Third),
            b'H' => Some(Base::Home),
            _ => None,
        }
    }
}

/// Where a player is when a play begins: at the plate or on a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// The batter.
    Plate,
    /// The runner on first base.
    First,
    /// The runner on second base.
    Second,
    /// The runner on third base.
    Third,
}

impl Origin {
    /// All four, the batter first.
    pub const ALL: [Origin; 4] = [Origin::Plate, Origin::First, Origin::Second, Origin::Third];

    /// 0 for the batter, else the base's number.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }

    /// Retrosheet's letter: `B`, `1`, `2`, `3`.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Origin::Plate => 'B',
            Origin::First => '1',
            Origin::Second => '2',
            Origin::Third => '3',
        }
    }

    /// The place of Retrosheet's letter.
    #[must_use]
    pub fn lettered(letter: u8) -> Option<Origin> {
        match letter {
            b'B' => Some(Origin::Plate),
            b'1' => Some(Origin::First),
            b'2' => Some(Origin::Second),
            b'3' => Some(Origin::Third),
            _ => None,
        }
    }

    /// The origin before this base: the runner that steals second comes from first.
    #[must_use]
    pub fn before(base: Base) -> Origin {
        Origin::ALL[base as usize]
    }

    /// The origin on this base; `None` for home plate.
    #[must_use]
    pub fn on(base: Base) -> Option<Origin> {
        Origin::ALL.get(base as usize + 1).copied()
    }
}
