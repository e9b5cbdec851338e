//! A game in an editor: undo, change and insert anywhere, by replay.

use crate::model::{Game, Record};
use crate::replay::{Contradiction, Replay, first_new, replay};

/// A game and its replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scorebook {
    game: Game,
    replay: Replay,
}

/// A change of the records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Insert a record at this index; later ones move back.
    Insert(usize, Record),
    /// Remove the record at this index.
    Remove(usize),
    /// Replace the record at this index.
    Replace(usize, Record),
}

/// The result of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// The edit that reverts it.
    pub undo: Edit,
    /// The first new contradiction, where it first shows.
    pub contradiction: Option<Contradiction>,
}

impl Scorebook {
    /// Opens a game.
    #[must_use]
    pub fn new(game: Game) -> Self {
        let replay = replay(&game);
        Scorebook { game, replay }
    }

    /// The records.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The replay.
    #[must_use]
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// Edits and replays; `None` without any change if there is no such record.
    pub fn edit(&mut self, edit: Edit) -> Option<Edited> {
        // Where a record is after the edit.
        let place: fn(usize, usize) -> Option<usize> = match &edit {
            Edit::Insert(..) => |record, at| Some(if record >= at { record + 1 } else { record }),
            Edit::Remove(_) => {
                |record, at| if record > at { record.checked_sub(1) } else { Some(record).filter(|_| record != at) }
            }
            Edit::Replace(..) => |record, _| Some(record),
        };
        let (Edit::Insert(at, _) | Edit::Remove(at) | Edit::Replace(at, _)) = edit;
        let records = &mut self.game.records;
        let undo = match edit {
            Edit::Insert(at, record) if at <= records.len() => {
                records.insert(at, record);
                Edit::Remove(at)
            }
            Edit::Remove(at) if at < records.len() => Edit::Insert(at, records.remove(at)),
            Edit::Replace(at, record) => Edit::Replace(at, std::mem::replace(records.get_mut(at)?, record)),
            Edit::Insert(..) | Edit::Remove(_) => return None,
        };
        let before = std::mem::replace(&mut self.replay, replay(&self.game));
        let now = &self.replay.contradictions;
        let old: Vec<_> = before.contradictions.iter().map(|one| (place(one.record, at), &one.problem)).collect();
        let new: Vec<_> = now.iter().map(|one| (Some(one.record), &one.problem)).collect();
        let contradiction = first_new(&old, &new).and_then(|index| now.get(index)).cloned();
        Some(Edited { undo, contradiction })
    }

    /// What an edit would do, without doing it.
    #[must_use]
    pub fn preview(&self, edit: Edit) -> Option<(Edited, Replay)> {
        let mut copy = self.clone();
        let edited = copy.edit(edit)?;
        Some((edited, copy.replay))
    }

    /// Removes the last record.
    pub fn undo(&mut self) -> Option<Edited> {
        self.edit(Edit::Remove(self.game.records.len().checked_sub(1)?))
    }
}
