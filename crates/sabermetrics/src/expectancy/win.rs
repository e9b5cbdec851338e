//! Win expectancy and leverage, from the distribution of runs in the rest of the game.

use super::tally::MAX_RUNS;
use super::{ExpectancyTable, Situation};
use crate::model::{GameRules, Side};
use crate::replay::Outcome;

/// Larger leads count as this.
const MAX_LEAD: i32 = 20;

/// Leads from −20 to 20.
const LEADS: usize = 2 * MAX_LEAD as usize + 1;

/// The situation of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Inning from 1.
    pub inning: u8,
    /// The team at bat. The visitors bat first here: the caller mirrors games with `htbf`.
    pub batting: Side,
    /// Runners and outs.
    pub situation: Situation,
    /// The home team's lead in runs.
    pub home_lead: i32,
}

/// The home team's probability to win in every situation.
#[derive(Clone, Debug)]
pub struct WinExpectancy {
    innings: u8,
    distributions: Vec<[[f64; MAX_RUNS + 1]; 2]>,
    /// By inning (1 to `innings`; later ones equal the last), side and lead: the probability at the start of that
    /// half-inning.
    starts: Vec<[[f64; LEADS]; 2]>,
}

impl WinExpectancy {
    pub(super) fn new(table: &ExpectancyTable, rules: &GameRules) -> Self {
        let distributions =
            Situation::all().map(|situation| Side::BOTH.map(|side| table.distribution(situation, side))).collect();
        let innings = rules.innings;
        let mut chances =
            WinExpectancy { innings, distributions, starts: vec![[[0.0; LEADS]; 2]; usize::from(innings) + 1] };
        let extra = Situation {
            occupied: std::array::from_fn(|base| rules.extra_runner.is_some_and(|on| on as usize == base)),
            outs: 0,
        };
        let tied = chances.tied_extra_inning(extra);
        for inning in (1..=innings).rev() {
            for lead in -MAX_LEAD..=MAX_LEAD {
                let bottom = chances.half(inning, Side::Home, Situation::START, lead, tied);
                chances.starts[usize::from(inning)][1][place(lead)] = bottom;
            }
            for lead in -MAX_LEAD..=MAX_LEAD {
                let top = chances.half(inning, Side::Visitor, Situation::START, lead, tied);
                chances.starts[usize::from(inning)][0][place(lead)] = top;
            }
        }
        // Index 0 holds the probability in a game tied after its last inning.
        chances.starts[0] = [[tied; LEADS]; 2];
        chances
    }

    /// The home team's probability to win.
    #[must_use]
    pub fn home(&self, moment: &Moment) -> f64 {
        let tied = self.starts[0][0][0];
        self.half(moment.inning.min(self.innings), moment.batting, moment.situation, moment.home_lead, tied)
    }

    /// The home team's probability after a half-inning has ended.
    #[must_use]
    pub fn home_after_half(&self, inning: u8, batted: Side, home_lead: i32) -> f64 {
        self.end_of_half(inning.min(self.innings), batted, home_lead, self.starts[0][0][0])
    }

    /// What a play added to the probability of the team at bat (WPA).
    #[must_use]
    pub fn added(&self, outcome: &Outcome) -> Option<f64> {
        let before = self.before(outcome)?;
        let runs = i32::from(outcome.run_count());
        let lead = before.home_lead + if before.batting == Side::Home { runs } else { -runs };
        let after = match Situation::after(outcome) {
            Some(situation) => self.home(&Moment { situation, home_lead: lead, ..before }),
            None => self.home_after_half(before.inning, before.batting, lead),
        };
        let change = after - self.home(&before);
        Some(if before.batting == Side::Home { change } else { -change })
    }

    /// The swing between two outcomes of a plate appearance, an out and a home run, relative to the same swing at the
    /// start of a game (leverage index).
    #[must_use]
    pub fn leverage(&self, moment: &Moment) -> f64 {
        let start = Moment { inning: 1, batting: Side::Visitor, situation: Situation::START, home_lead: 0 };
        self.swing(moment) / self.swing(&start)
    }

    /// The moment before a play.
    #[must_use]
    pub fn before(&self, outcome: &Outcome) -> Option<Moment> {
        let [visitor, home] = outcome.score_before.map(i32::from);
        Some(Moment {
            inning: outcome.half.inning,
            batting: outcome.batting(),
            situation: Situation::before(outcome)?,
            home_lead: home - visitor,
        })
    }

    fn swing(&self, moment: &Moment) -> f64 {
        let runs = 1 + i32::try_from(moment.situation.occupied.iter().filter(|on| **on).count()).unwrap_or(0);
        let signed = if moment.batting == Side::Home { runs } else { -runs };
        let bases_empty = Situation { occupied: [false; 3], outs: moment.situation.outs };
        let homer = self.home(&Moment { situation: bases_empty, home_lead: moment.home_lead + signed, ..*moment });
        let out = if moment.situation.outs >= 2 {
            self.home_after_half(moment.inning, moment.batting, moment.home_lead)
        } else {
            let situation = Situation { outs: moment.situation.outs + 1, ..moment.situation };
            self.home(&Moment { situation, ..*moment })
        };
        (homer - out).abs()
    }

    /// The probability within a half-inning.
    fn half(&self, inning: u8, batting: Side, situation: Situation, lead: i32, tied: f64) -> f64 {
        if batting == Side::Home && inning >= self.innings && lead > 0 {
            return 1.0;
        }
        let shares = &self.distributions[situation.index()][batting.index()];
        let ends = (0_i32..).zip(shares).map(|(runs, share)| {
            let lead = if batting == Side::Home { lead + runs } else { lead - runs };
            share * self.end_of_half(inning, batting, lead, tied)
        });
        ends.sum()
    }

    fn end_of_half(&self, inning: u8, batted: Side, lead: i32, tied: f64) -> f64 {
        match batted {
            Side::Visitor if inning >= self.innings && lead > 0 => 1.0,
            Side::Visitor => self.starts[usize::from(inning)][1][place(lead)],
            Side::Home if inning < self.innings => self.starts[usize::from(inning) + 1][0][place(lead)],
            Side::Home => match lead.signum() {
                1 => 1.0,
                -1 => 0.0,
                _ => tied,
            },
        }
    }

    /// The home team's probability before an extra inning: it wins the inning, or the game continues.
    fn tied_extra_inning(&self, start: Situation) -> f64 {
        let [visitor, home] = self.distributions[start.index()];
        let (mut wins, mut ties) = (0.0, 0.0);
        for (theirs, their_share) in visitor.iter().enumerate() {
            for (ours, our_share) in home.iter().enumerate() {
                match ours.cmp(&theirs) {
                    std::cmp::Ordering::Greater => wins += their_share * our_share,
                    std::cmp::Ordering::Equal => ties += their_share * our_share,
                    std::cmp::Ordering::Less => {}
                }
            }
        }
        if ties < 1.0 { wins / (1.0 - ties) } else { 0.5 }
    }
}

fn place(lead: i32) -> usize {
    usize::try_from(lead.clamp(-MAX_LEAD, MAX_LEAD) + MAX_LEAD).unwrap_or(0)
}
