//! What plays do in each situation: the next situation, and the runs.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Moment, Situation, TableError, WinExpectancy};

/// Index of the end of the half-inning among the situations.
const OVER: usize = Situation::COUNT;

/// How often each play led from a situation to another one with some runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Transitions(BTreeMap<(usize, usize, u8), u32>);

/// One kind of change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    /// The next situation; `None` after the third out.
    pub(super) after: Option<Situation>,
    /// Runs scored.
    pub(super) runs: u8,
    /// Share among the plays of the situation.
    pub(super) share: f64,
}

/// Columns of the text form.
pub(super) const COLUMNS: &str = "bases,outs,bases_after,outs_after,runs,plays";

impl Transitions {
    pub(super) fn add(&mut self, before: Situation, after: Option<Situation>, runs: u8) {
        let to = after.map_or(OVER, Situation::index);
        *self.0.entry((before.index(), to, runs)).or_default() += 1;
    }

    /// The changes from each situation, by [`Situation::index`].
    pub(super) fn changes(&self) -> Vec<Vec<Change>> {
        let situations: Vec<Situation> = Situation::all().collect();
        let mut all = vec![Vec::new(); Situation::COUNT];
        for ((from, to, runs), count) in &self.0 {
            let Some(changes) = all.get_mut(*from) else { continue };
            changes.push(Change { after: situations.get(*to).copied(), runs: *runs, share: f64::from(*count) });
        }
        for changes in &mut all {
            let total: f64 = changes.iter().map(|change: &Change| change.share).sum();
            changes.iter_mut().for_each(|change| change.share /= total);
        }
        all
    }

    pub(super) fn write(&self, text: &mut String) {
        let situations: Vec<Situation> = Situation::all().collect();
        let name = |index: usize| match situations.get(index) {
            Some(situation) => format!("{},{}", situation.bases(), situation.outs),
            None => "---,3".to_owned(),
        };
        for ((from, to, runs), count) in &self.0 {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{},{},{runs},{count}", name(*from), name(*to));
        }
    }

    /// Parses rows; the first one has this line number.
    pub(super) fn parse<'t>(rows: impl Iterator<Item = &'t str>, first: usize) -> Result<Self, TableError> {
        let mut all = Transitions::default();
        for (row, line) in rows.zip(first..) {
            let entry = Self::row(row).ok_or(TableError { line, problem: "a change of situation is expected" })?;
            all.0.insert(entry.0, entry.1);
        }
        Ok(all)
    }

    fn row(row: &str) -> Option<((usize, usize, u8), u32)> {
        let fields: Vec<&str> = row.split(',').collect();
        let [bases, outs, bases_after, outs_after, runs, count] = fields.as_slice() else { return None };
        let index = |bases: &str, outs: &str| {
            Situation::all().find(|one| one.bases() == bases && one.outs.to_string() == outs).map(Situation::index)
        };
        let to = if *outs_after == "3" { OVER } else { index(bases_after, outs_after)? };
        Some(((index(bases, outs)?, to, runs.parse().ok()?), count.parse().ok().filter(|count| *count > 0)?))
    }
}

/// The leverage index: the average change of win expectancy by a play in a situation, relative to the average over all
/// situations of a game.
#[derive(Clone, Debug)]
pub(super) struct Leverage {
    changes: Vec<Vec<Change>>,
    /// The average change of a play, over a game.
    average: f64,
}

/// Runs of one half-inning that are distinguished in the average.
const HALF_RUNS: usize = 12;

/// Rarer moments do not count in the average.
const NEGLIGIBLE: f64 = 1e-5;

/// Plays of a half-inning after which the average is exact enough.
const HALF_PLAYS: usize = 40;

impl Leverage {
    pub(super) fn new(transitions: &Transitions) -> Self {
        Leverage { changes: transitions.changes(), average: 0.0 }
    }

    /// Computes the average over a game of this length.
    pub(super) fn calibrate(&mut self, chances: &WinExpectancy, innings: u8) {
        let (visits, ends) = self.half_inning();
        let (mut sum, mut plays) = (0.0, 0.0);
        let mut leads = vec![(0_i32, 1.0_f64)];
        for (inning, batting) in (1..=innings).flat_map(|inning| crate::model::Side::BOTH.map(|side| (inning, side))) {
            let sign = if batting == crate::model::Side::Home { 1 } else { -1 };
            let last = inning == innings && sign == 1;
            let mut next: BTreeMap<i32, f64> = BTreeMap::new();
            for (lead, share) in leads {
                if last && lead > 0 {
                    continue;
                }
                for (index, situation) in Situation::all().enumerate() {
                    for (runs, visits) in (0_i32..).zip(visits[index]) {
                        let home_lead = lead + sign * runs;
                        if visits * share < NEGLIGIBLE || (last && home_lead > 0) {
                            continue;
                        }
                        let moment = Moment { inning, batting, situation, home_lead };
                        if let Some(swing) = self.swing(chances, &moment) {
                            sum += visits * share * swing;
                            plays += visits * share;
                        }
                    }
                }
                for (runs, end) in (0_i32..).zip(ends) {
                    *next.entry(lead + sign * runs).or_default() += share * end;
                }
            }
            leads = next.into_iter().filter(|(_, share)| *share > NEGLIGIBLE).collect();
        }
        self.average = if plays > 0.0 { sum / plays } else { 0.0 };
    }

    /// `None` if no play from this situation was ever counted.
    pub(super) fn index(&self, chances: &WinExpectancy, moment: &Moment) -> Option<f64> {
        let swing = self.swing(chances, moment)?;
        (self.average > 0.0).then(|| swing / self.average)
    }

    /// The average change of win expectancy by a play.
    fn swing(&self, chances: &WinExpectancy, moment: &Moment) -> Option<f64> {
        let changes = self.changes.get(moment.situation.index()).filter(|changes| !changes.is_empty())?;
        let now = chances.home(moment);
        let change =
            |change: &Change| change.share * (chances.after(moment, change.after, i32::from(change.runs)) - now).abs();
        Some(changes.iter().map(change).sum())
    }

    /// How many plays of a half-inning happen in each situation after each number of runs, and how the half-inning ends.
    fn half_inning(&self) -> ([[f64; HALF_RUNS]; Situation::COUNT], [f64; HALF_RUNS]) {
        let mut visits = [[0.0; HALF_RUNS]; Situation::COUNT];
        let mut ends = [0.0; HALF_RUNS];
        let mut now = visits;
        now[Situation::START.index()][0] = 1.0;
        for _ in 0..HALF_PLAYS {
            let mut next = [[0.0; HALF_RUNS]; Situation::COUNT];
            for (index, changes) in self.changes.iter().enumerate() {
                for (runs, share) in now[index].iter().enumerate().filter(|(_, share)| **share > 1e-9) {
                    visits[index][runs] += share;
                    for change in changes {
                        let total = (runs + usize::from(change.runs)).min(HALF_RUNS - 1);
                        let place = match change.after {
                            Some(after) => &mut next[after.index()][total],
                            None => &mut ends[total],
                        };
                        *place += share * change.share;
                    }
                }
            }
            now = next;
        }
        (visits, ends)
    }
}
