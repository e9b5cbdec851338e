//! Whole event files.

use super::{FileError, NotationError, parse_record};
use crate::model::{Game, GameId};

/// Limits of a file.
pub mod limits {
    /// Maximum number of records of one game. A game of 26 innings has some 400.
    pub const MAX_RECORDS: usize = 5_000;
    /// Maximum length of a line, in bytes.
    pub const MAX_LINE: usize = 4_000;
}

/// Parses the games of an event file in order. An invalid line turns its game into an error and does not affect the
/// others.
#[must_use]
pub fn parse_file(text: &str) -> Vec<Result<Game, FileError>> {
    let mut games: Vec<Result<Game, FileError>> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_end_matches(['\r', '\u{1a}']);
        if line.is_empty() {
            continue;
        }
        let outcome = match line.strip_prefix("id,") {
            Some(id) => {
                games.push(Ok(Game { id: GameId::new(id), records: Vec::with_capacity(160) }));
                check_id(id)
            }
            None => add(&mut games, line),
        };
        if let Err(error) = outcome {
            let error = FileError { line: index + 1, error };
            match games.last_mut() {
                Some(game) if game.is_ok() => *game = Err(error),
                Some(_) => {}
                None => games.push(Err(error)),
            }
        }
    }
    games
}

fn check_id(id: &str) -> Result<(), NotationError> {
    let fine = !id.is_empty() && id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_graphic() && byte != b',');
    if fine { Ok(()) } else { Err(NotationError::new(3, "a game's id")) }
}

fn add(games: &mut [Result<Game, FileError>], line: &str) -> Result<(), NotationError> {
    let game = match games.last_mut() {
        Some(Ok(game)) => game,
        // Only its first error is reported.
        Some(Err(_)) => return Ok(()),
        None => return Err(NotationError::new(0, "an id line, which begins a game")),
    };
    if line.len() > limits::MAX_LINE {
        return Err(NotationError::new(limits::MAX_LINE, "a line of at most 4,000 bytes"));
    }
    if game.records.len() >= limits::MAX_RECORDS {
        return Err(NotationError::new(0, "a game of at most 5,000 records"));
    }
    game.records.push(parse_record(line)?);
    Ok(())
}
