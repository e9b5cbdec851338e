//! Saves (Official Baseball Rules 9.19), holds and blown saves (by general usage).

use super::Stint;
use crate::model::{PlayerId, Side};
use crate::replay::Outcome;

/// The pitcher with the save: the winner's last pitcher, who is not the winning pitcher and made at least one out, and
/// who entered with a lead of three and pitched an inning, or with the tying run on base, at bat or on deck, or pitched
/// three innings.
pub(super) fn save(own: &[&Stint], win: &PlayerId, outcomes: &[Outcome]) -> Option<PlayerId> {
    let last = own.last()?;
    let close = last.lead <= 3 && last.outs >= 3;
    let saved = own.len() > 1
        && &last.pitcher != win
        && last.outs >= 1
        && last.lead > 0
        && (close || tying_run_near(last, outcomes) || last.outs >= 9);
    saved.then(|| last.pitcher.clone())
}

/// Relievers of one side who entered in a save situation, made an out and left with the lead. The result of the game does not matter.
pub(super) fn holds(
    stints: &[Stint],
    side: Side,
    outcomes: &[Outcome],
    win: Option<&PlayerId>,
    save: Option<&PlayerId>,
) -> Vec<PlayerId> {
    let own: Vec<&Stint> = stints.iter().filter(|stint| stint.side == side).collect();
    let middle = own.iter().skip(1).filter(|stint| Some(&stint.pitcher) != win && Some(&stint.pitcher) != save);
    let held = |stint: &&&Stint| {
        let left_last = own.last().is_some_and(|last| last.first == stint.first);
        stint.outs >= 1 && !left_last && is_save_situation(stint, outcomes) && !lost_lead(stint, outcomes)
    };
    middle.filter(held).map(|stint| stint.pitcher.clone()).collect()
}

/// Relievers of one side who entered in a save situation and let the tying run score.
pub(super) fn blown(stints: &[Stint], side: Side, outcomes: &[Outcome]) -> Vec<PlayerId> {
    let own = stints.iter().filter(|stint| stint.side == side).skip(1);
    own.filter(|stint| is_save_situation(stint, outcomes) && lost_lead(stint, outcomes))
        .map(|stint| stint.pitcher.clone())
        .collect()
}

fn is_save_situation(stint: &Stint, outcomes: &[Outcome]) -> bool {
    stint.lead > 0 && (stint.lead <= 3 || tying_run_near(stint, outcomes))
}

/// The tying run is on base, at bat or on deck.
fn tying_run_near(stint: &Stint, outcomes: &[Outcome]) -> bool {
    let runners = outcomes[stint.first].bases_before.iter().flatten().count();
    stint.lead <= i32::try_from(runners).unwrap_or(0) + 2
}

/// True if the other team tied the game while this pitcher pitched.
fn lost_lead(stint: &Stint, outcomes: &[Outcome]) -> bool {
    let pitched = |outcome: &&Outcome| outcome.batting() != stint.side && outcome.pitcher == stint.pitcher;
    outcomes[stint.first..=stint.last].iter().filter(pitched).any(|outcome| {
        let [own, other] = [stint.side, stint.side.other()].map(|side| outcome.score_before[side.index()]);
        outcome.run_count() > 0 && own > other && other + outcome.run_count() >= own
    })
}
