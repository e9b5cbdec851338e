//! The records of a game in the order of the score sheet, as in Retrosheet's event files.

mod base;
mod game;
mod ids;
mod info;
mod play;
mod position;
mod record;
mod side;

pub use base::{Base, Origin};
pub use game::Game;
pub use ids::{GameId, PlayerId, TeamId};
pub use info::{End, GameRules, RunRule};
pub use play::{Count, Play};
pub use position::Position;
pub use record::{Adjustment, Appearance, Record, Writing};
pub use side::Side;
