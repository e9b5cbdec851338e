//! The expectancy tables, and their text form.

use std::fmt::Write;

use thiserror::Error;

use super::tally::{MAX_RUNS, Tally};
use super::transitions::{self, Transitions};
use super::{RunMatrix, Situation, WinExpectancy};
use crate::model::{GameRules, Side};

/// How many runs follow each situation, and the source of the data.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectancyTable {
    /// The games that were counted.
    pub source: String,
    /// By situation and side at bat: how often 0, 1, … runs followed.
    counts: Vec<[[u32; MAX_RUNS + 1]; 2]>,
    /// What the plays did, for the leverage index.
    pub(super) transitions: Transitions,
}

/// Why a text is not a table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct TableError {
    /// Line number, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: &'static str,
}

const COLUMNS: &str = "bases,outs,side,runs_0_to_15";

/// The shipped table.
const SHIPPED: &str = include_str!("../../data/expectancy.csv");

/// The table that ships with this crate; its `source` names the games.
///
/// # Errors
/// None in practice: a test parses it.
pub fn shipped() -> Result<ExpectancyTable, TableError> {
    ExpectancyTable::parse(SHIPPED)
}

impl ExpectancyTable {
    pub(super) fn new(tally: &Tally, source: &str) -> Self {
        let mut counts = tally.runs.clone();
        counts.resize(Situation::COUNT, [[0; MAX_RUNS + 1]; 2]);
        ExpectancyTable { source: source.replace('\n', " "), counts, transitions: tally.transitions() }
    }

    /// Expected runs until the half-inning ends; `None` for a situation that never occurred.
    #[must_use]
    pub fn runs(&self, situation: Situation) -> Option<f64> {
        let of = |runs: usize| self.counts[situation.index()].iter().map(|side| u64::from(side[runs])).sum::<u64>();
        let (mut count, mut sum) = (0_u64, 0_u64);
        for runs in 0..=MAX_RUNS {
            count += of(runs);
            sum += of(runs) * runs as u64;
        }
        (count > 0).then(|| sum as f64 / count as f64)
    }

    /// Expected runs in every situation.
    #[must_use]
    pub fn matrix(&self) -> RunMatrix {
        RunMatrix::new(|situation| self.runs(situation))
    }

    /// The probability of 0, 1, … runs until the half-inning ends. Half an inning without runs is added, so that
    /// nothing is impossible in a small sample.
    #[must_use]
    pub fn distribution(&self, situation: Situation, side: Side) -> [f64; MAX_RUNS + 1] {
        let counts = self.counts[situation.index()][side.index()];
        let total = counts.iter().map(|count| f64::from(*count)).sum::<f64>() + 0.5;
        let mut shares = counts.map(|count| f64::from(count) / total);
        shares[0] += 0.5 / total;
        shares
    }

    /// Win expectancy from this table.
    #[must_use]
    pub fn win_expectancy(&self, rules: &GameRules) -> WinExpectancy {
        WinExpectancy::new(self, rules)
    }

    /// The text form: a line with the source, one with the columns, then a row per situation and side. The same again for
    /// the changes of situation by single plays.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = format!("# {}\n{COLUMNS}\n", self.source);
        for situation in Situation::all() {
            for side in Side::BOTH {
                let counts = self.counts[situation.index()][side.index()].map(|count| count.to_string()).join(" ");
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{},{},{},{counts}", situation.bases(), situation.outs, side.index());
            }
        }
        let _ = writeln!(text, "{}", transitions::COLUMNS);
        self.transitions.write(&mut text);
        text
    }

    /// Parses the text form.
    ///
    /// # Errors
    /// The first invalid line.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        let wrong = |line, problem| TableError { line, problem };
        let mut lines = text.lines();
        let source =
            lines.next().and_then(|line| line.strip_prefix("# ")).ok_or(wrong(1, "“# ” and the source is missing"))?;
        if lines.next() != Some(COLUMNS) {
            return Err(wrong(2, "the columns are not those of the table"));
        }
        let mut counts = vec![[[0; MAX_RUNS + 1]; 2]; Situation::COUNT];
        let rows = Situation::all().flat_map(|situation| Side::BOTH.map(|side| (situation, side)));
        let mut number = 2;
        for (situation, side) in rows {
            number += 1;
            let line = lines.next().ok_or(wrong(number, "a row is missing"))?;
            let start = format!("{},{},{},", situation.bases(), situation.outs, side.index());
            let row = line.strip_prefix(&start).ok_or(wrong(number, "the row belongs to another situation"))?;
            let mut values = row.split(' ').map(str::parse);
            for place in &mut counts[situation.index()][side.index()] {
                *place = values.next().and_then(Result::ok).ok_or(wrong(number, "16 counts are expected"))?;
            }
        }
        if lines.next() != Some(transitions::COLUMNS) {
            return Err(wrong(number + 1, "the columns are not those of the changes of situation"));
        }
        let transitions = Transitions::parse(lines, number + 2)?;
        Ok(ExpectancyTable { source: source.to_owned(), counts, transitions })
    }
}
