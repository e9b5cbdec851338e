//! The rules of a game and how it ended, from its `info` records.

use super::{Base, Game, Side};

/// The rules in force. Retrosheet's own keys: `usedh`, `innings`, `tiebreaker`, `htbf`. The others are Dugout's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRules {
    /// Innings of a full game, 3 to 9 (`innings`).
    pub innings: u8,
    /// A designated hitter bats for the pitcher (`usedh`).
    pub designated_hitter: bool,
    /// A player who left may return to their own place in the order (`reentry`).
    pub reentry: bool,
    /// A courtesy runner may run for the pitcher or catcher without a substitution (`courtesyrunner`).
    pub courtesy_runner: bool,
    /// The game ends early at this lead (`runrule`, as `10/5` or `15/3;10/5`).
    pub run_rule: Vec<RunRule>,
    /// Extra innings begin with a runner on this base (`tiebreaker`).
    pub extra_runner: Option<Base>,
    /// No inning begins after this many minutes (`timelimit`).
    pub time_limit: Option<u16>,
}

/// The game ends when a team leads by `lead` after `innings` innings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunRule {
    /// Runs ahead.
    pub lead: u16,
    /// Innings that the trailing team must have batted.
    pub innings: u8,
}

/// How a game ended, if the plays do not tell (`ended`; forfeits: `forfeit`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// No special ending.
    Played,
    /// The umpires called it: rain, darkness, curfew.
    Called,
    /// The time limit was reached.
    TimeLimit,
    /// To be continued another day.
    Suspended,
    /// Won by this side by forfeit.
    Forfeit(Side),
}

impl GameRules {
    /// Minimum number of scheduled innings.
    pub const MIN_INNINGS: u8 = 3;
    /// Maximum number of scheduled innings.
    pub const MAX_INNINGS: u8 = 9;

    /// The rules of a game; missing or unreadable ones are those of the major leagues.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        let yes = |key| game.info(key).is_some_and(|value| value.eq_ignore_ascii_case("true"));
        let innings = game.info("innings").and_then(|value| value.parse().ok()).unwrap_or(Self::MAX_INNINGS);
        GameRules {
            innings: innings.clamp(Self::MIN_INNINGS, Self::MAX_INNINGS),
            designated_hitter: yes("usedh"),
            reentry: yes("reentry"),
            courtesy_runner: yes("courtesyrunner"),
            run_rule: game.info("runrule").map(run_rules).unwrap_or_default(),
            extra_runner: game.info("tiebreaker").and_then(|value| Base::numbered(value.parse().ok()?)),
            time_limit: game.info("timelimit").and_then(|value| value.parse().ok()),
        }
    }
}

impl End {
    /// How this game ended.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        match game.info("forfeit") {
            Some("V" | "v" | "0") => return End::Forfeit(Side::Visitor),
            Some("H" | "h" | "1") => return End::Forfeit(Side::Home),
            _ => {}
        }
        match game.info("ended") {
            Some("called") => End::Called,
            Some("timelimit") => End::TimeLimit,
            Some("suspended") => End::Suspended,
            _ => End::Played,
        }
    }
}

fn run_rules(text: &str) -> Vec<RunRule> {
    let rule = |part: &str| {
        let (lead, innings) = part.split_once('/')?;
        Some(RunRule { lead: lead.trim().parse().ok()?, innings: innings.trim().parse().ok()? })
    };
    text.split(';').filter_map(rule).collect()
}
