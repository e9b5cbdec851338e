//! Statistics: values with name, formula, unit, rounding, minimum sample and the plays behind them.

use super::formula::{evaluate, names};
use super::{Counter, Line, rounded};
use crate::model::GameRules;

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
    /// The counter that measures the sample, or a sum of counters: `SB + CS`.
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
    /// True if there is enough for a ranking after this many games of the team, in a league whose games have this many
    /// innings. The minimum is rounded: 502 plate appearances in 162 games.
    ///
    /// In games of fewer than nine innings the minimum is a tenth of the full one per inning: 2.2 plate appearances and
    /// .7 innings pitched for seven.
    #[must_use]
    pub fn qualifies(&self, team_games: u32, innings: u8) -> bool {
        let share = if innings < GameRules::MAX_INNINGS { u64::from(innings) } else { 10 };
        let minimum = u64::from(self.definition.minimum_tenths) * u64::from(team_games) * share;
        self.number.is_some() && u64::from(self.qualifying) * 100 + 50 > minimum
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
        let count = |sum: &str| names(sum).filter_map(C::named).map(|counter| line.get(counter)).sum();
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
