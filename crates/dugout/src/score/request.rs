//! What the device sends, and what can be wrong with it.

use sabermetrics::notation::Pitches;
use sabermetrics::notation::limits::MAX_RECORDS;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use thiserror::Error;
use uuid::Uuid;

use super::stored::{Ended, Status};

/// The most plays in one request.
pub const MAX_PLAYS: usize = 500;
/// The most players of a game, on both sides together.
pub const MAX_PLAYERS: usize = 120;
/// The most characters of a guest's name.
pub const MAX_NAME: usize = 80;
/// The most characters of a reason.
pub const MAX_REASON: usize = 300;

/// Maximum length of the pitch sequence of one plate appearance, with pickoffs and other signs.
pub const MAX_PITCHES: usize = 200;

/// The body of a request. With `game` and `device` alone it takes the lock and returns the game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The game.
    pub game: Uuid,
    /// The scorer's device, which made this id: the lock belongs to it.
    pub device: Uuid,
    /// Take the lock from another device.
    #[serde(default)]
    pub takeover: bool,
    /// Give the lock back, and do nothing else.
    #[serde(default)]
    pub release: bool,
    /// All players of both sides, in place of the earlier ones.
    #[serde(default)]
    pub lineups: Option<Vec<Entry>>,
    /// Plays in the order of entry. One whose id is saved already is skipped.
    #[serde(default)]
    pub plays: Vec<Play>,
    /// The unfinished plate appearance.
    #[serde(default)]
    pub turn: Option<Turn>,
    /// The game's new status.
    #[serde(default)]
    pub status: Option<Status>,
    /// How a final game ended, if the plays do not tell.
    #[serde(default)]
    pub ended: Option<Ended>,
    /// Why a final game changes.
    #[serde(default)]
    pub reason: Option<String>,
    /// Save although the plays contradict each other.
    #[serde(default)]
    pub accept: bool,
    /// Save nothing: the reply says what the game would be, with its contradictions.
    #[serde(default)]
    pub preview: bool,
}

/// A player of a lineup.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Entry {
    /// The athlete; for a guest, an id made by the device.
    pub athlete: Uuid,
    /// 0 for the visitors, 1 for the home team.
    pub side: u8,
    /// The number on the shirt.
    #[serde(default)]
    pub jersey: Option<String>,
    /// Place in the order; none on the bench.
    #[serde(default)]
    pub order: Option<u8>,
    /// Position, 1 to 10; none on the bench.
    #[serde(default)]
    pub position: Option<u8>,
    /// The name of a guest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A row of the log: a record, a correction (`replaces`), or a removal (`replaces` without a record).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// Made by the device.
    pub id: Uuid,
    /// One line in Retrosheet's notation.
    #[serde(default)]
    pub record: Option<String>,
    /// The play that this one replaces or removes.
    #[serde(default)]
    pub replaces: Option<Uuid>,
    /// For a record in the middle of the game: the play before it.
    #[serde(default)]
    pub after: Option<Uuid>,
}

/// The pitches of an unfinished plate appearance.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// The last play that the device knows. If it is not the last play of the game, the pitches are out of date.
    pub after: Option<Uuid>,
    /// The pitch sequence in Retrosheet's letters.
    pub pitches: String,
}

/// What is wrong with a request.
#[derive(Debug, Error)]
pub enum Problem {
    /// Not the JSON above.
    #[error("The request cannot be read: {0}")]
    Unreadable(String),
    /// Over one of the limits above.
    #[error("{0}")]
    TooMuch(String),
    /// A lineup that no game can have.
    #[error("{0}")]
    Lineup(String),
    /// A record that is not in the notation.
    #[error("The play cannot be read at character {at}: {expected}")]
    Notation { play: Uuid, at: usize, expected: String },
    /// The pitches are not in Retrosheet's notation.
    #[error("The pitches cannot be read: expected at most 200 of Retrosheet’s letters.")]
    Pitches,
    /// A play that is not in the log.
    #[error("There is no play {play} to correct or to go after.")]
    UnknownPlay { play: Uuid },
    /// An id that names another play already.
    #[error("Another play has this id.")]
    IdReused { play: Uuid },
    /// A player who is not in the lineups.
    #[error("A player of this play is not in the lineups.")]
    UnknownPlayer { play: Option<Uuid>, player: String },
    /// The plays contradict each other.
    #[error("{message}")]
    Contradiction { play: Option<Uuid>, message: String, resolution: String },
    /// The game is final, and the request gives no reason.
    #[error("This game is final. Say why it changes.")]
    Final,
    /// The plays do not end the game.
    #[error("By its rules the game is not over. Say how it ended.")]
    NotOver,
}

impl Problem {
    /// The status of the reply.
    pub fn status(&self) -> u16 {
        match self {
            Problem::Unreadable(_)
            | Problem::TooMuch(_)
            | Problem::Lineup(_)
            | Problem::Notation { .. }
            | Problem::Pitches => 400,
            Problem::UnknownPlay { .. } | Problem::UnknownPlayer { .. } => 400,
            Problem::IdReused { .. } | Problem::Contradiction { .. } | Problem::Final | Problem::NotOver => 409,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Problem::Unreadable(_) | Problem::TooMuch(_) => "BAD_REQUEST",
            Problem::Lineup(_) => "LINEUP",
            Problem::Notation { .. } | Problem::Pitches => "NOTATION",
            Problem::UnknownPlay { .. } => "UNKNOWN_PLAY",
            Problem::IdReused { .. } => "PLAY_ID_REUSED",
            Problem::UnknownPlayer { .. } => "UNKNOWN_PLAYER",
            Problem::Contradiction { .. } => "CONTRADICTION",
            Problem::Final => "FINAL",
            Problem::NotOver => "NOT_OVER",
        }
    }

    /// The body of the reply: `code`, `message`, and for a play `play` and `resolution`.
    pub fn body(&self) -> Value {
        let mut body = json!({ "code": self.code(), "message": self.to_string() });
        match self {
            Problem::Notation { play, .. } | Problem::UnknownPlay { play } | Problem::IdReused { play } => {
                body["play"] = json!(play);
            }
            Problem::UnknownPlayer { play, player } => {
                body["play"] = json!(play);
                body["player"] = json!(player);
            }
            Problem::Contradiction { play, resolution, .. } => {
                body["play"] = json!(play);
                body["resolution"] = json!(resolution);
            }
            _ => {}
        }
        body
    }
}

impl Request {
    /// True if the unfinished plate appearance has a pitch.
    pub fn throws(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| !turn.pitches.is_empty())
    }

    /// Parses a body and checks its limits.
    pub fn parse(body: &[u8]) -> Result<Self, Problem> {
        let request: Request = serde_json::from_slice(body).map_err(|error| Problem::Unreadable(error.to_string()))?;
        if request.plays.len() > MAX_PLAYS {
            return Err(Problem::TooMuch(format!("At most {MAX_PLAYS} plays fit in one request.")));
        }
        if request.reason.as_ref().is_some_and(|reason| reason.chars().count() > MAX_REASON || reason.trim().is_empty())
        {
            return Err(Problem::TooMuch(format!("A reason has 1 to {MAX_REASON} characters.")));
        }
        if let Some(lineups) = &request.lineups {
            check_lineups(lineups)?;
        }
        if request.turn.as_ref().is_some_and(|turn| turn.pitches.len() > MAX_PITCHES || turn.letters().is_none()) {
            return Err(Problem::Pitches);
        }
        Ok(request)
    }
}

impl Turn {
    /// The parsed pitches; `None` if they are not in Retrosheet's notation.
    pub fn letters(&self) -> Option<Pitches> {
        Pitches::new(&self.pitches).filter(Pitches::is_listed)
    }
}

fn check_lineups(lineups: &[Entry]) -> Result<(), Problem> {
    if lineups.len() > MAX_PLAYERS {
        return Err(Problem::TooMuch(format!("A game has at most {MAX_PLAYERS} players.")));
    }
    for (index, entry) in lineups.iter().enumerate() {
        let problem = |what: &str| Err(Problem::Lineup(format!("Player {} of the lineups: {what}.", index + 1)));
        let others = &lineups[..index];
        let placed = entry.order.zip(entry.position);
        if entry.side > 1 {
            return problem("the side is 0 or 1");
        } else if entry.order.is_some() != entry.position.is_some() {
            return problem("a starter has a place in the order and a position");
        } else if placed.is_some_and(|(order, position)| order > 30 || !(1..=10).contains(&position)) {
            return problem("the order goes to 30, positions to 10");
        } else if entry.name.as_ref().is_some_and(|name| name.trim().is_empty() || name.chars().count() > MAX_NAME) {
            return problem("a name has 1 to 80 characters");
        } else if others.iter().any(|other| other.athlete == entry.athlete) {
            return problem("listed twice");
        }
        let same_side = |other: &&Entry| other.side == entry.side;
        if entry.order.is_some() && others.iter().filter(same_side).any(|other| other.order == entry.order) {
            return problem("two players have one place in the order");
        }
        // Extra hitters have position 10, as the designated hitter has.
        let fields = entry.position.is_some_and(|position| position < 10);
        if fields && others.iter().filter(same_side).any(|other| other.position == entry.position) {
            return problem("two players have one position");
        }
    }
    Ok(())
}

/// The most rows in the log of a game.
pub const MAX_LOG: usize = MAX_RECORDS;
