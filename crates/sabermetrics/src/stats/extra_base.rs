//! Chances of runners to take an extra base on a team-mate's hit.

use crate::model::{Base, Origin};
use crate::replay::{Outcome, Runner};
use crate::scoring::{BattingResult, Reached};

/// A runner's chance: third base from first on a single, home from second on a single, home from first on a double.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtraBaseChance<'o> {
    /// The runner.
    pub runner: &'o Runner,
    /// The extra base.
    pub base: Base,
    /// What came of the chance.
    pub result: ExtraBase,
}

/// What came of a chance to take an extra base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtraBase {
    /// Safe on the extra base or beyond it.
    Taken(Base),
    /// Put out on the way to the extra base or beyond it.
    Out,
    /// Neither.
    Held,
}

/// The chances on this play.
pub fn extra_base_chances(outcome: &Outcome) -> impl Iterator<Item = ExtraBaseChance<'_>> {
    let chances: &'static [(Origin, Base)] = match outcome.turn.map(|turn| turn.result) {
        Some(BattingResult::Single) => &[(Origin::First, Base::Third), (Origin::Second, Base::Home)],
        Some(BattingResult::Double) => &[(Origin::First, Base::Home)],
        _ => &[],
    };
    chances.iter().filter_map(|(from, base)| {
        let runner = outcome.bases_before.get(from.index().checked_sub(1)?)?.as_ref()?;
        let moved = outcome.moves.iter().find(|one| one.from == *from).map(|one| one.reached);
        let result = match moved {
            Some(Reached::Safe(reached)) if reached >= *base => ExtraBase::Taken(reached),
            Some(Reached::Out(Some(at))) if at >= *base => ExtraBase::Out,
            _ => ExtraBase::Held,
        };
        Some(ExtraBaseChance { runner, base: *base, result })
    })
}
