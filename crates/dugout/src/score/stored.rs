//! What the database tells about a game.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::request::{Entry, Play};

/// The answer of `private.begin_scoring`.
#[derive(Debug, Deserialize)]
pub struct Begun {
    /// The game's row.
    pub game: Game,
    /// All players.
    pub lineups: Vec<Entry>,
    /// All rows of plays, in order of arrival.
    pub log: Vec<Play>,
}

/// A row of `games`, as far as scoring needs it.
#[derive(Clone, Debug, Deserialize)]
pub struct Game {
    pub id: Uuid,
    pub visitor_team_id: Option<Uuid>,
    pub home_team_id: Option<Uuid>,
    pub played_on: String,
    pub number: u8,
    pub innings: u8,
    pub uses_dh: bool,
    pub reentry: bool,
    pub courtesy_runner: bool,
    pub run_rule: Option<String>,
    pub extra_runner: Option<u8>,
    pub time_limit: Option<u16>,
    pub home_bats_first: bool,
    pub status: Status,
    pub ended: Option<Ended>,
    /// The pitches of the unfinished plate appearance.
    #[serde(default)]
    pub pitches: String,
    pub balls: Option<u8>,
    pub strikes: Option<u8>,
    pub revision: i64,
}

/// The status of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Nothing has happened.
    Scheduled,
    /// Being played.
    Live,
    /// Over.
    Final,
    /// To be continued another day.
    Suspended,
    /// Not to be played; never scored.
    Cancelled,
}

/// How a final game ended, if the plays do not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// By the umpires.
    Called,
    /// By the time limit.
    Timelimit,
    /// Won by the visitors by forfeit.
    ForfeitVisitor,
    /// Won by the home team by forfeit.
    ForfeitHome,
}

impl Status {
    /// The game with a new status. Only a final game has ended somehow; it keeps its ending unless there is another one.
    pub fn applied(game: &Game, status: Status, ended: Option<Ended>) -> Game {
        let before = game.ended.filter(|_| game.status == Status::Final);
        let ended = ended.or(before).filter(|_| status == Status::Final);
        Game { status, ended, ..game.clone() }
    }
}

impl Ended {
    /// Retrosheet's info record, or the engine's.
    pub fn info(self) -> (&'static str, &'static str) {
        match self {
            Ended::Called => ("ended", "called"),
            Ended::Timelimit => ("ended", "timelimit"),
            Ended::ForfeitVisitor => ("forfeit", "V"),
            Ended::ForfeitHome => ("forfeit", "H"),
        }
    }
}
