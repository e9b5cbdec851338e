//! Win expectancy and leverage, from the distribution of runs in the rest of the game.

use super::tally::MAX_RUNS;
use super::transitions::Leverage;
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
    /// The team at bat.
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
    /// The side whose half-innings come first.
    bats_first: Side,
    leverage: Leverage,
    distributions: Vec<[[f64; MAX_RUNS + 1]; 2]>,
    /// By inning (1 to `innings`, then one for all extra innings), side and lead: the probability at the start of that
    /// half-inning. Extra innings begin with the runner of the rules.
    starts: Vec<[[f64; LEADS]; 2]>,
}

impl WinExpectancy {
    pub(super) fn new(table: &ExpectancyTable, rules: &GameRules) -> Self {
        let distributions =
            Situation::all().map(|situation| Side::BOTH.map(|side| table.distribution(situation, side))).collect();
        let innings = rules.innings;
        let mut chances = WinExpectancy {
            innings,
            bats_first: Side::Visitor,
            leverage: Leverage::new(&table.transitions),
            distributions,
            starts: vec![[[0.0; LEADS]; 2]; usize::from(innings) + 2],
        };
        let extra = Situation {
            occupied: std::array::from_fn(|base| rules.extra_runner.is_some_and(|on| on as usize == base)),
            outs: 0,
        };
        let tied = chances.tied_extra_inning(extra);
        for inning in (1..=innings.saturating_add(1)).rev() {
            let start = if inning > innings { extra } else { Situation::START };
            for lead in -MAX_LEAD..=MAX_LEAD {
                let bottom = chances.half(inning, Side::Home, start, lead, tied);
                chances.starts[usize::from(inning)][1][place(lead)] = bottom;
            }
            for lead in -MAX_LEAD..=MAX_LEAD {
                let top = chances.half(inning, Side::Visitor, start, lead, tied);
                chances.starts[usize::from(inning)][0][place(lead)] = top;
            }
        }
        // Index 0 holds the probability in a game tied after its last inning.
        chances.starts[0] = [[tied; LEADS]; 2];
        let mut leverage = chances.leverage.clone();
        leverage.calibrate(&chances, innings);
        chances.leverage = leverage;
        chances
    }

    /// The same for a game in which this side bats first.
    #[must_use]
    pub fn batting_first(mut self, side: Side) -> Self {
        self.bats_first = side;
        self
    }

    /// The home team's probability to win.
    #[must_use]
    pub fn home(&self, moment: &Moment) -> f64 {
        let tied = self.starts[0][0][0];
        let (batting, lead) = self.as_usual(moment.batting, moment.home_lead);
        self.as_home(self.half(self.known(moment.inning), batting, moment.situation, lead, tied))
    }

    /// The home team's probability after a half-inning has ended.
    #[must_use]
    pub fn home_after_half(&self, inning: u8, batted: Side, home_lead: i32) -> f64 {
        let (batted, lead) = self.as_usual(batted, home_lead);
        self.as_home(self.end_of_half(self.known(inning), batted, lead, self.starts[0][0][0]))
    }

    /// The inning among the known ones: all extra innings are alike.
    fn known(&self, inning: u8) -> u8 {
        inning.min(self.innings.saturating_add(1))
    }

    /// The side at bat and the lead of the side that bats last: where the home team bats first, the visitors take its
    /// part.
    fn as_usual(&self, batting: Side, home_lead: i32) -> (Side, i32) {
        match self.bats_first {
            Side::Visitor => (batting, home_lead),
            Side::Home => (batting.other(), -home_lead),
        }
    }

    /// The home team's probability, from that of the side that bats last.
    fn as_home(&self, last: f64) -> f64 {
        if self.bats_first == Side::Visitor { last } else { 1.0 - last }
    }

    /// The home team's probability after a play with these runs; `situation` is `None` after the third out.
    #[must_use]
    pub fn after(&self, before: &Moment, situation: Option<Situation>, runs: i32) -> f64 {
        let home_lead = before.home_lead + if before.batting == Side::Home { runs } else { -runs };
        match situation {
            Some(situation) => self.home(&Moment { situation, home_lead, ..*before }),
            None => self.home_after_half(before.inning, before.batting, home_lead),
        }
    }

    /// What a play added to the probability of the team at bat (WPA).
    #[must_use]
    pub fn added(&self, outcome: &Outcome) -> Option<f64> {
        let before = self.before(outcome)?;
        let after = self.after(&before, Situation::after(outcome), i32::from(outcome.run_count()));
        let change = after - self.home(&before);
        Some(if before.batting == Side::Home { change } else { -change })
    }

    /// The leverage index of a moment: how much a play changes the win expectancy there, relative to an average play of a
    /// game. `None` for a situation whose plays the table does not have.
    #[must_use]
    pub fn leverage_index(&self, moment: &Moment) -> Option<f64> {
        self.leverage.index(self, moment)
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

#[cfg(test)]
mod tests {
    use super::super::shipped;
    use super::*;
    use crate::model::Base;

    fn chances() -> WinExpectancy {
        chances_with(None)
    }

    fn chances_with(extra_runner: Option<Base>) -> WinExpectancy {
        let rules = GameRules {
            innings: 9,
            designated_hitter: false,
            reentry: false,
            courtesy_runner: false,
            run_rule: Vec::new(),
            extra_runner,
            time_limit: None,
        };
        shipped().unwrap_or_else(|error| panic!("{error}")).win_expectancy(&rules)
    }

    fn moment(inning: u8, batting: Side, occupied: [bool; 3], outs: u8, home_lead: i32) -> Moment {
        Moment { inning, batting, situation: Situation { occupied, outs }, home_lead }
    }

    /// Tango's table of leverage (The Book, 2007, from 1999 to 2002).
    #[test]
    fn leverage_agrees_with_the_published_table() {
        let chances = chances();
        for (at, published) in [
            (moment(1, Side::Visitor, [false; 3], 0, 0), 0.9),
            (moment(9, Side::Home, [false; 3], 0, 0), 2.3),
            (moment(9, Side::Home, [false; 3], 0, -1), 3.6),
            (moment(9, Side::Home, [true; 3], 2, -1), 10.9),
            (moment(5, Side::Home, [false; 3], 0, 5), 0.1),
        ] {
            let leverage = chances.leverage_index(&at).unwrap_or(f64::NAN);
            assert!((leverage - published).abs() <= 0.1 * published.max(1.0), "{at:?}: {leverage} for {published}");
        }
    }

    #[test]
    fn the_runner_of_extra_innings_is_expected_in_both_halves() {
        let chances = chances_with(Some(Base::Second));
        let on_second = [false, true, false];
        let tied = chances.home_after_half(9, Side::Home, 0);
        for inning in [10, 11, 30] {
            let top = chances.home(&moment(inning, Side::Visitor, on_second, 0, 0));
            assert!((top - tied).abs() < 1e-9, "inning {inning}: {top}, {tied} after the ninth");
            // Nothing happens between the halves.
            let [scoreless, bottom] = [
                chances.home_after_half(inning, Side::Visitor, 0),
                chances.home(&moment(inning, Side::Home, on_second, 0, 0)),
            ];
            assert!((scoreless - bottom).abs() < 1e-9 && scoreless > 0.75, "{scoreless}, {bottom}");
        }
        let moment = moment(10, Side::Visitor, on_second, 0, 0);
        assert!(chances.leverage_index(&moment).is_some_and(|leverage| leverage > 1.0));
    }

    #[test]
    fn the_team_that_bats_last_wins_most_tied_games() {
        let chances = chances();
        let tied = chances.home(&moment(9, Side::Home, [false; 3], 0, 0));
        assert!((0.63..0.67).contains(&tied), "{tied}");
        assert_eq!(chances.home(&moment(9, Side::Home, [false; 3], 0, 1)), 1.0);
        assert_eq!(chances.home_after_half(9, Side::Home, -1), 0.0);
        // Where the home team bats first, the visitors have that advantage.
        let mirrored = chances.batting_first(Side::Home);
        let same = 1.0 - mirrored.home(&moment(9, Side::Visitor, [false; 3], 0, 0));
        assert!((tied - same).abs() < 1e-12, "{same}");
        assert_eq!(mirrored.home_after_half(9, Side::Visitor, -1), 0.0);
        assert_eq!(mirrored.home_after_half(9, Side::Visitor, 1), 1.0);
    }
}
