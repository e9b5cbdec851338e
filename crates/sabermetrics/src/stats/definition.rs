//! Statistics: values with name, formula, unit, rounding, minimum sample and the plays behind them.

use super::formula::{evaluate, names};
use super::{Batting, Counter, Fielding, Line, PitchCount, Pitching, count, pitch_counts, rounded};
use crate::model::{Game, PlayerId, Record};
use crate::replay::Replay;

/// The definition of a statistic.
#[derive(Debug, PartialEq, Eq)]
pub struct Definition {
    /// The heading: `OBP`.
    pub key: &'static str,
    /// The full name.
    pub name: &'static str,
    /// The formula over counters, other statistics of the group and league constants (`lgOBP`, `PF`, `cFIP`, `wBB`).
    pub formula: &'static str,
    /// How the number is written.
    pub unit: Unit,
    /// The counter that measures the sample.
    pub sample: &'static str,
    /// Minimum per game of the team for a ranking, in tenths; 0: none.
    pub minimum_tenths: u32,
    /// The counter of that minimum: plate appearances also for averages per at bat (Official Baseball Rules 9.22(a)).
    pub qualifier: &'static str,
}

/// Maximum number of statistics within each other.
const MAX_DEPTH: u8 = 8;

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// `.285`: three digits, no leading zero.
    Average,
    /// `24.5%`: a share, one digit.
    Percent,
    /// Two digits: ERA.
    Rate,
    /// One digit: runs.
    Runs,
    /// No digits: counts, and indexes where 100 is average.
    Whole,
    /// Innings: `6.2` for six and two thirds.
    Innings,
}

/// The value of a statistic.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// What it is.
    pub definition: &'static Definition,
    /// The number; `None` if it is unknown.
    pub number: Option<f64>,
    /// The size of its sample, in `definition.sample`.
    pub sample: u32,
    /// What counts for a ranking, in `definition.qualifier`.
    pub qualifying: u32,
}

impl Value {
    /// True if there is enough for a ranking after this many games of the team. The minimum is rounded: 502 plate
    /// appearances in 162 games.
    #[must_use]
    pub fn qualifies(&self, team_games: u32) -> bool {
        self.number.is_some()
            && self.qualifying.saturating_mul(10).saturating_add(5)
                > self.definition.minimum_tenths.saturating_mul(team_games)
    }

    /// The number as displayed; a dash if unknown.
    #[must_use]
    pub fn text(&self) -> String {
        let Some(number) = self.number else { return "—".to_owned() };
        match self.definition.unit {
            Unit::Average => {
                let text = rounded(number, 3);
                match text.strip_prefix("-0.") {
                    Some(rest) => format!("-.{rest}"),
                    None => text.strip_prefix("0.").map_or(text.clone(), |rest| format!(".{rest}")),
                }
            }
            Unit::Percent => format!("{}%", rounded(number * 100.0, 1)),
            Unit::Rate => rounded(number, 2),
            Unit::Runs => rounded(number, 1),
            Unit::Whole => rounded(number, 0),
            Unit::Innings => {
                let outs = (number * 3.0).round();
                format!("{}.{}", rounded((outs / 3.0).floor(), 0), rounded(outs % 3.0, 0))
            }
        }
    }
}

impl Definition {
    /// The statistic of a line. `constants` are the league's; if one is missing, the value is unknown.
    #[must_use]
    pub fn of<C: Counter>(
        &'static self,
        group: &'static [Definition],
        line: &Line<C>,
        constants: &dyn Fn(&str) -> Option<f64>,
    ) -> Value {
        let count = |name: &str| C::named(name).map_or(0, |counter| line.get(counter));
        let number = lookup(self.formula, group, line, constants, 0);
        Value { definition: self, number, sample: count(self.sample), qualifying: count(self.qualifier) }
    }

    /// The statistic of named sums. An unknown name gives an unknown value.
    #[must_use]
    pub fn of_sums(
        &'static self,
        group: &'static [Definition],
        sums: &dyn Fn(&str) -> Option<f64>,
        sample: u32,
    ) -> Value {
        let number = lookup_name(self.formula, group, sums, 0);
        Value { definition: self, number, sample, qualifying: sample }
    }

    /// The counters behind it, including those of statistics in its formula.
    #[must_use]
    pub fn counters<C: Counter>(&self, group: &'static [Definition]) -> Vec<C> {
        let mut open = vec![self.formula];
        let mut found: Vec<C> = Vec::new();
        let mut seen = Vec::new();
        while let Some(formula) = open.pop() {
            for name in names(formula) {
                if seen.contains(&name) {
                    continue;
                }
                seen.push(name);
                match C::named(name) {
                    Some(counter) => found.push(counter),
                    None => open.extend(named(group, name).map(|definition| definition.formula)),
                }
            }
        }
        found
    }
}

/// The statistic of this heading.
#[must_use]
pub fn named(group: &'static [Definition], key: &str) -> Option<&'static Definition> {
    group.iter().find(|definition| definition.key == key)
}

fn lookup<C: Counter>(
    formula: &str,
    group: &'static [Definition],
    line: &Line<C>,
    constants: &dyn Fn(&str) -> Option<f64>,
    depth: u8,
) -> Option<f64> {
    let sums = |name: &str| match C::named(name) {
        Some(counter) => line.known(counter).map(f64::from),
        None => constants(name),
    };
    // A counter wins over a statistic of the same name.
    let value = |name: &str| match named(group, name).filter(|_| depth < MAX_DEPTH && C::named(name).is_none()) {
        Some(definition) => lookup(definition.formula, group, line, constants, depth + 1),
        None => sums(name),
    };
    evaluate(formula, &value)
}

fn lookup_name(
    formula: &str,
    group: &'static [Definition],
    sums: &dyn Fn(&str) -> Option<f64>,
    depth: u8,
) -> Option<f64> {
    let value = |name: &str| match named(group, name).filter(|_| depth < MAX_DEPTH) {
        Some(definition) => lookup_name(definition.formula, group, sums, depth + 1),
        None => sums(name),
    };
    evaluate(formula, &value)
}

/// The records of a game whose plays count for a batting statistic of this player.
#[must_use]
pub fn batting_plays(game: &Game, replay: &Replay, player: &PlayerId, counters: &[Batting]) -> Vec<usize> {
    plays(game, replay, |outcome, play, found| {
        count::batting(outcome, play, &mut |who, counter, _| *found |= who == player && counters.contains(&counter));
    })
}

/// The same for pitching.
#[must_use]
pub fn pitching_plays(game: &Game, replay: &Replay, player: &PlayerId, counters: &[Pitching]) -> Vec<usize> {
    let mut records = plays(game, replay, |outcome, play, found| {
        count::pitching(outcome, play, &mut |who, counter, _| *found |= who == player && counters.contains(&counter));
    });
    let thrown = pitch_counts(game).into_iter().filter(|thrown| &thrown.pitcher == player);
    let counts = |thrown: &PitchCount| thrown.counts().iter().any(|(counter, n)| *n > 0 && counters.contains(counter));
    records.extend(thrown.filter(counts).map(|thrown| thrown.record));
    records.sort_unstable();
    records.dedup();
    records
}

/// The same for fielding, at any position.
#[must_use]
pub fn fielding_plays(game: &Game, replay: &Replay, player: &PlayerId, counters: &[Fielding]) -> Vec<usize> {
    plays(game, replay, |outcome, play, found| {
        count::fielding(outcome, play, &mut |who, _, counter, _| {
            *found |= who == player && counters.contains(&counter)
        });
    })
}

fn plays(
    game: &Game,
    replay: &Replay,
    counts: impl Fn(&crate::replay::Outcome, &crate::model::Play, &mut bool),
) -> Vec<usize> {
    let behind = |outcome: &&crate::replay::Outcome| match game.records.get(outcome.record) {
        Some(Record::Play(play)) => {
            let mut found = false;
            counts(outcome, play, &mut found);
            found
        }
        _ => false,
    };
    replay.outcomes.iter().filter(behind).map(|outcome| outcome.record).collect()
}
