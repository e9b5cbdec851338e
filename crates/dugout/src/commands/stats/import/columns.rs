//! The columns of season lines: in the database, and in archives.

/// A column and the headings that archives have for it.
pub type Column = (&'static str, &'static [&'static str]);

/// A table of season lines.
pub struct Kind {
    /// What its rows are, for people.
    pub name: &'static str,
    /// The file's name without extension, in lower case.
    pub file: &'static str,
    /// Counts.
    pub columns: &'static [Column],
    /// Adds and updates rows; the only parameter is a JSON array of rows. Returns a row per change: true if it is new.
    pub sql: &'static str,
    /// The rows have a position.
    pub by_position: bool,
}

/// Batting lines.
pub const BATTING: Kind = Kind {
    name: "batting lines",
    file: "batting",
    columns: &[
        ("g", &["G"]),
        ("pa", &["PA"]),
        ("ab", &["AB"]),
        ("r", &["R"]),
        ("h", &["H"]),
        ("doubles", &["2B"]),
        ("triples", &["3B"]),
        ("hr", &["HR"]),
        ("rbi", &["RBI"]),
        ("sb", &["SB"]),
        ("cs", &["CS"]),
        ("bb", &["BB"]),
        ("so", &["SO"]),
        ("ibb", &["IBB"]),
        ("hbp", &["HBP"]),
        ("sh", &["SH"]),
        ("sf", &["SF"]),
        ("gidp", &["GIDP"]),
    ],
    sql: include_str!("save_batting.sql"),
    by_position: false,
};

/// Pitching lines.
pub const PITCHING: Kind = Kind {
    name: "pitching lines",
    file: "pitching",
    columns: &[
        ("g", &["G"]),
        ("gs", &["GS"]),
        ("w", &["W"]),
        ("l", &["L"]),
        ("sv", &["SV"]),
        ("hld", &["HLD"]),
        ("bs", &["BS"]),
        ("cg", &["CG"]),
        ("sho", &["SHO"]),
        ("outs", &["IPouts", "IPOuts"]),
        ("bfp", &["BFP"]),
        ("h", &["H"]),
        ("r", &["R"]),
        ("er", &["ER"]),
        ("hr", &["HR"]),
        ("bb", &["BB"]),
        ("so", &["SO"]),
        ("ibb", &["IBB"]),
        ("wp", &["WP"]),
        ("hbp", &["HBP"]),
        ("bk", &["BK"]),
    ],
    sql: include_str!("save_pitching.sql"),
    by_position: false,
};

/// Fielding lines.
pub const FIELDING: Kind = Kind {
    name: "fielding lines",
    file: "fielding",
    columns: &[
        ("g", &["G"]),
        ("gs", &["GS"]),
        ("outs", &["InnOuts"]),
        ("po", &["PO"]),
        ("a", &["A"]),
        ("e", &["E"]),
        ("dp", &["DP"]),
        ("pb", &["PB"]),
        ("wp", &["WP"]),
        ("sb", &["SB"]),
        ("cs", &["CS"]),
    ],
    sql: include_str!("save_fielding.sql"),
    by_position: true,
};

/// The number of a position: 1 to 9, and 10 for all of the outfield together.
pub fn position(name: &str) -> Option<u8> {
    let names = ["P", "C", "1B", "2B", "3B", "SS", "LF", "CF", "RF", "OF"];
    names.iter().position(|one| *one == name).and_then(|index| u8::try_from(index + 1).ok())
}
