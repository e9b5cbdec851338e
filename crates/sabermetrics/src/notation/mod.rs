//! Retrosheet's notation: parsing ([`parse_event`], [`parse_file`]) and printing (`Display`, [`print_game`]).
//!
//! Source: Retrosheet's description of its event files (retrosheet.org/eventfile.htm). The parsers are total: any text
//! gives a value or an error with its position. Printing a parsed value reproduces its text.

mod advance;
mod basic;
mod cursor;
mod error;
mod event;
mod fielding;
mod file;
mod group;
mod marks;
mod modifier;
mod parse_basic;
mod parse_event;
mod pitches;
mod print;
mod print_event;
mod record;
mod spelling;
mod words;

pub use advance::{Advance, Arrival};
pub use basic::{Basic, OutPart, Running, RunningKind};
pub use error::{FileError, NotationError};
pub use event::Event;
pub use fielding::{Fielding, Touch};
pub use file::{limits, parse_file};
pub use group::{Flag, Group};
pub use marks::Marks;
pub use modifier::{Modifier, Trajectory};
pub use parse_event::{MAX_EVENT, parse_event};
pub use pitches::{Pitch, Pitches};
pub use print::{print_game, print_record};
pub use record::parse_record;
pub use spelling::Spelling;
