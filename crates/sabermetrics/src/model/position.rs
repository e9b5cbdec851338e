//! Positions of the score sheet.

/// Where a player plays: Retrosheet's numbers 1 to 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Position {
    /// 1
    Pitcher,
    /// 2
    Catcher,
    /// 3
    FirstBase,
    /// 4
    SecondBase,
    /// 5
    ThirdBase,
    /// 6
    Shortstop,
    /// 7
    LeftField,
    /// 8
    CenterField,
    /// 9
    RightField,
    /// 10
    DesignatedHitter,
    /// 11
    PinchHitter,
    /// 12
    PinchRunner,
}

impl Position {
    /// All of them, in the order of their numbers.
    pub const ALL: [Position; 12] = [
        Position::Pitcher,
        Position::Catcher,
        Position::FirstBase,
        Position::SecondBase,
        Position::ThirdBase,
        Position::Shortstop,
        Position::LeftField,
        Position::CenterField,
        Position::RightField,
        Position::DesignatedHitter,
        Position::PinchHitter,
        Position::PinchRunner,
    ];

    /// 1 to 12.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The position of this number, 1 to 12.
    #[must_use]
    pub fn numbered(number: u8) -> Option<Position> {
        Position::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// True for a position in the field.
    #[must_use]
    pub fn fields(self) -> bool {
        self.number() <= 9
    }

    /// The abbreviation of the box score.
    #[must_use]
    pub fn abbreviation(self) -> &'static str {
        ["P", "C", "1B", "2B", "3B", "SS", "LF", "CF", "RF", "DH", "PH", "PR"][self as usize]
    }
}
