//! The log of a game: rows that add, replace and remove records. Folding it gives the records in their order.

use std::collections::HashMap;

use uuid::Uuid;

use super::request::{MAX_LOG, Play, Problem};

/// A folded log.
pub struct Log {
    slots: Vec<Slot>,
    /// Every row by its id.
    rows: HashMap<Uuid, Row>,
}

/// The place of a record and of all that replaced it. It stays after a removal, so that others can refer to it.
struct Slot {
    current: Option<(Uuid, String)>,
    /// Identifies the slot, because its index changes.
    key: usize,
}

struct Row {
    play: Play,
    slot: usize,
}

impl Log {
    /// Folds the rows in order of arrival.
    pub fn new(rows: &[Play]) -> Result<Self, Problem> {
        let mut log = Log { slots: Vec::with_capacity(rows.len()), rows: HashMap::with_capacity(rows.len()) };
        for row in rows {
            log.add(row)?;
        }
        Ok(log)
    }

    /// Adds a row; false if the same row is there already.
    pub fn add(&mut self, play: &Play) -> Result<bool, Problem> {
        if let Some(known) = self.rows.get(&play.id) {
            return if known.play == *play { Ok(false) } else { Err(Problem::IdReused { play: play.id }) };
        }
        if self.rows.len() >= MAX_LOG {
            return Err(Problem::TooMuch(format!("A game has at most {MAX_LOG} plays and corrections.")));
        }
        let slot = match play.replaces {
            Some(replaced) => {
                let slot = self.slot_of(replaced)?;
                let at = self.index(slot);
                self.slots[at].current = play.record.clone().map(|record| (play.id, record));
                slot
            }
            None => {
                let at = match play.after {
                    Some(before) => self.index(self.slot_of(before)?) + 1,
                    None => self.slots.len(),
                };
                let key = self.slots.len();
                let current = play.record.clone().map(|record| (play.id, record));
                self.slots.insert(at, Slot { current, key });
                key
            }
        };
        self.rows.insert(play.id, Row { play: play.clone(), slot });
        Ok(true)
    }

    fn slot_of(&self, play: Uuid) -> Result<usize, Problem> {
        self.rows.get(&play).map(|row| row.slot).ok_or(Problem::UnknownPlay { play })
    }

    fn index(&self, key: usize) -> usize {
        self.slots.iter().position(|slot| slot.key == key).unwrap_or(0)
    }

    /// The records that count, in their order.
    pub fn records(&self) -> impl Iterator<Item = (Uuid, &str)> {
        self.slots.iter().filter_map(|slot| slot.current.as_ref().map(|(id, record)| (*id, record.as_str())))
    }

    /// True if no record counts.
    pub fn is_empty(&self) -> bool {
        self.records().next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn add(number: u128, record: &str) -> Play {
        Play { id: id(number), record: Some(record.to_owned()), replaces: None, after: None }
    }

    fn records(log: &Log) -> Vec<&str> {
        log.records().map(|(_, record)| record).collect()
    }

    #[test]
    fn rows_replace_remove_and_go_between() {
        let mut log = Log::new(&[add(1, "a"), add(2, "b"), add(3, "c")]).unwrap();
        log.add(&Play { replaces: Some(id(2)), ..add(4, "B") }).unwrap();
        log.add(&Play { after: Some(id(2)), ..add(5, "b2") }).unwrap();
        assert_eq!(records(&log), ["a", "B", "b2", "c"]);
        // A correction of the correction, by either name.
        log.add(&Play { replaces: Some(id(4)), ..add(6, "B'") }).unwrap();
        log.add(&Play { record: None, replaces: Some(id(5)), ..add(7, "") }).unwrap();
        assert_eq!(records(&log), ["a", "B'", "c"]);
        // What was removed comes back, at its place.
        log.add(&Play { replaces: Some(id(7)), ..add(8, "b3") }).unwrap();
        assert_eq!(records(&log), ["a", "B'", "b3", "c"]);
    }

    #[test]
    fn a_row_counts_once() {
        let mut log = Log::new(&[add(1, "a")]).unwrap();
        assert!(!log.add(&add(1, "a")).unwrap());
        assert!(matches!(log.add(&add(1, "b")), Err(Problem::IdReused { play }) if play == id(1)));
        let lost = Play { replaces: Some(id(9)), ..add(2, "b") };
        assert!(matches!(log.add(&lost), Err(Problem::UnknownPlay { play }) if play == id(9)));
        assert_eq!(records(&log), ["a"]);
    }

    #[test]
    fn a_log_has_a_limit() {
        let mut log = Log::new(&[]).unwrap();
        for number in 0..MAX_LOG {
            log.add(&add(number as u128, "a")).unwrap();
        }
        assert!(matches!(log.add(&add(MAX_LOG as u128, "a")), Err(Problem::TooMuch(_))));
    }
}
