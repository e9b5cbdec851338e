//! What runners gain and lose by trying for an extra base.

use super::{RunMatrix, Situation};
use crate::model::Base;
use crate::replay::Outcome;
use crate::stats::{ExtraBase, ExtraBaseChance, extra_base_chances};

/// A runner who tried for an extra base.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    /// True if the runner was put out.
    pub(super) is_out: bool,
    /// The situation after the play; `None` if the half-inning is over.
    after: Option<Situation>,
    /// The same if the runner had stopped before the extra base.
    held: Situation,
    /// 1 if the runner scored.
    runs: u8,
}

/// The attempts of a play. Left out are those where another player ended on the base on which the runner would have
/// stopped, and where another player was the third out.
pub(super) fn attempts(outcome: &Outcome) -> impl Iterator<Item = Attempt> {
    extra_base_chances(outcome).filter_map(|chance| attempt(outcome, &chance))
}

fn attempt(outcome: &Outcome, chance: &ExtraBaseChance<'_>) -> Option<Attempt> {
    let is_out = chance.result == ExtraBase::Out;
    let mut occupied = outcome.bases_after.each_ref().map(Option::is_some);
    let runs = match chance.result {
        ExtraBase::Held => return None,
        ExtraBase::Out => 0,
        ExtraBase::Taken(Base::Home) => 1,
        ExtraBase::Taken(base) => {
            *occupied.get_mut(index(base)?)? = false;
            0
        }
    };
    let stop = occupied.get_mut(index(chance.base)?.checked_sub(1)?)?;
    if std::mem::replace(stop, true) {
        return None;
    }
    let outs = outcome.outs_after() - u8::from(is_out);
    (outs < 3).then(|| Attempt { is_out, after: Situation::after(outcome), held: Situation { occupied, outs }, runs })
}

/// The index of a base among those that are occupied; home follows third base.
fn index(base: Base) -> Option<usize> {
    usize::from(base.number()).checked_sub(1)
}

/// The average change of run expectancy against stopping; `None` without attempts, and if the matrix lacks a situation.
pub(super) fn average<'a>(attempts: impl Iterator<Item = &'a Attempt>, matrix: &RunMatrix) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0_u32);
    for attempt in attempts {
        let after = attempt.after.map_or(Some(0.0), |after| matrix.runs(after))?;
        sum += after + f64::from(attempt.runs) - matrix.runs(attempt.held)?;
        count += 1;
    }
    (count > 0).then(|| sum / f64::from(count))
}
