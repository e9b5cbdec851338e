//! Which pitcher threw how many pitches on which line.

use super::Pitching;
use super::field::Field;
use crate::model::{Game, Play, PlayerId, Record, Side};
use crate::notation::Pitch;

/// The pitches of one play line. Pitches of an earlier line of the same turn at bat are not repeated, so a pitcher who
/// enters during a turn has only the later ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PitchCount {
    /// Index of the line among the game's records.
    pub record: usize,
    /// Index of the line that ended the turn; `None` if the half-inning ended first.
    pub turn: Option<usize>,
    /// The pitcher's team.
    pub side: Side,
    /// The pitcher.
    pub pitcher: PlayerId,
    /// Pitches thrown. Balls and strikes without a throw (`V`, `A`) do not count.
    pub pitches: u32,
    /// Strikes among them.
    pub strikes: u32,
    /// Swings.
    pub swings: u32,
    /// Swings that missed.
    pub misses: u32,
}

impl PitchCount {
    /// What the line adds to the pitcher's counts.
    #[must_use]
    pub fn counts(&self) -> [(Pitching, u32); 4] {
        [
            (Pitching::Pitches, self.pitches),
            (Pitching::Strikes, self.strikes),
            (Pitching::Swings, self.swings),
            (Pitching::Misses, self.misses),
        ]
    }
}

/// The lines on which pitches were thrown, in order.
#[must_use]
pub fn pitch_counts(game: &Game) -> Vec<PitchCount> {
    let mut counts: Vec<PitchCount> = Vec::new();
    let mut fields = [Field::default(), Field::default()];
    let mut turn = Turn::default();
    for (record, line) in game.records.iter().enumerate() {
        match line {
            Record::Start(who) | Record::Sub(who) => fields[who.side.index()].enter(who),
            Record::Play(play) => {
                turn.enter(play, counts.len());
                let side = play.side.other();
                let new = turn.new_letters(play);
                if let Some(pitcher) = fields[side.index()].pitcher().filter(|_| !new.is_empty()) {
                    counts.push(counted(&new, record, side, pitcher));
                }
                if play.event.ends_turn() {
                    counts.iter_mut().skip(turn.first).for_each(|count| count.turn = Some(record));
                    turn = Turn::default();
                }
            }
            _ => {}
        }
    }
    counts
}

fn counted(letters: &str, record: usize, side: Side, pitcher: &PlayerId) -> PitchCount {
    let mut count =
        PitchCount { record, turn: None, side, pitcher: pitcher.clone(), pitches: 0, strikes: 0, swings: 0, misses: 0 };
    let thrown = letters.bytes().filter(|letter| !Pitch::is_automatic(*letter));
    for pitch in thrown.filter_map(Pitch::lettered) {
        count.pitches += 1;
        count.strikes += u32::from(pitch.is_strike());
        count.swings += u32::from(pitch.swung() == Some(true));
        count.misses += u32::from(pitch == Pitch::Missed);
    }
    count
}

/// A turn at bat.
#[derive(Default)]
struct Turn {
    half: Option<(u8, Side)>,
    /// Index of its first line among the counted ones.
    first: usize,
    /// The letters of its pitches so far.
    letters: String,
}

impl Turn {
    fn enter(&mut self, play: &Play, counted: usize) {
        let half = Some((play.inning, play.side));
        if self.half != half {
            *self = Turn { half, first: counted, letters: String::new() };
        }
    }

    /// The letters that this line adds. Most files repeat the earlier pitches before a full stop, some without it, and
    /// some lines only have the full stop.
    fn new_letters(&mut self, play: &Play) -> String {
        let letters = play.pitches.letters();
        if letters.is_empty() {
            return letters;
        }
        let new = match letters.strip_prefix(&self.letters) {
            Some(new) => new.to_owned(),
            None => play.pitches.fresh_letters(),
        };
        self.letters = letters;
        new
    }
}
