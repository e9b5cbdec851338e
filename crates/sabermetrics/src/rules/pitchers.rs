//! The pitchers of a game, in order, with the situation at their entry.

use crate::model::{PlayerId, Side};
use crate::replay::{Outcome, RunnerId};

/// One pitcher's appearance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stint {
    /// The pitcher.
    pub pitcher: PlayerId,
    /// The pitcher's team.
    pub side: Side,
    /// Index of the first outcome.
    pub first: usize,
    /// Index of the last outcome.
    pub last: usize,
    /// Outs made.
    pub outs: u32,
    /// The team's lead at entry; negative if behind.
    pub lead: i32,
    /// Runners on base at entry.
    pub inherited: Vec<RunnerId>,
    /// Runs that scored during the stint, whichever pitcher they are charged to.
    pub runs_allowed: u32,
}

impl Stint {
    /// The outcomes that scored inherited runners, once for each.
    pub fn inherited_scored(&self, outcomes: &[Outcome]) -> impl Iterator<Item = usize> {
        let scored = |index: usize| outcomes.get(index).into_iter().flat_map(Outcome::runs);
        let inherited = move |index: usize| scored(index).filter(|run| self.inherited.contains(&run.runner.id)).count();
        (self.first..=self.last).flat_map(move |index| std::iter::repeat_n(index, inherited(index)))
    }
}

/// The stints of both teams, in order of entry.
#[must_use]
pub fn stints(outcomes: &[Outcome]) -> Vec<Stint> {
    let mut all: Vec<Stint> = Vec::new();
    for (index, outcome) in outcomes.iter().enumerate() {
        let side = outcome.batting().other();
        let current = all.iter().rposition(|stint| stint.side == side);
        let current = current.filter(|at| all[*at].pitcher == outcome.pitcher);
        let at = current.unwrap_or_else(|| {
            all.push(enter(outcome, index, side));
            all.len() - 1
        });
        let stint = &mut all[at];
        stint.last = index;
        stint.outs += u32::from(outcome.outs);
        stint.runs_allowed += u32::from(outcome.run_count());
    }
    all
}

fn enter(outcome: &Outcome, index: usize, side: Side) -> Stint {
    let [own, other] = [side, side.other()].map(|side| i32::from(outcome.score_before[side.index()]));
    Stint {
        pitcher: outcome.pitcher.clone(),
        side,
        first: index,
        last: index,
        outs: 0,
        lead: own - other,
        inherited: outcome
            .bases_before
            .iter()
            .flatten()
            .filter(|runner| !runner.placed)
            .map(|runner| runner.id)
            .collect(),
        runs_allowed: 0,
    }
}
