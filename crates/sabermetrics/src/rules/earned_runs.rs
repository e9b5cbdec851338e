//! Earned and unearned runs (Official Baseball Rules 9.16).

use super::inning_without_errors::{Reconstruction, Run};
use crate::model::{Game, PlayerId, Record};
use crate::replay::{Outcome, RunRemark};

/// One run and whether it is earned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunJudgement {
    /// Index of the outcome that scored it.
    pub outcome: usize,
    /// The responsible pitcher.
    pub pitcher: PlayerId,
    /// True if it is earned for the pitcher.
    pub earned: bool,
    /// True if it is earned for the team: not if errors before a reliever entered had already cost three outs.
    pub team_earned: bool,
}

/// True if the scorer has marked a run as unearned, `(UR)` or `(TUR)`.
#[must_use]
pub fn has_remarks(outcomes: &[Outcome]) -> bool {
    outcomes.iter().flat_map(Outcome::runs).any(|run| run.remark != RunRemark::Silent)
}

/// Judges every run of a game. If the scorer has closed the game with `data,er` lines, the remarks `(UR)` and `(TUR)`
/// decide. In other games a remark decides about its run, and the reconstruction about runs without one.
#[must_use]
pub fn judge_runs(game: &Game, outcomes: &[Outcome]) -> Vec<RunJudgement> {
    let closed = game
        .records
        .iter()
        .any(|record| matches!(record, Record::Data(fields) if fields.first().is_some_and(|kind| kind == "er")));
    let mut runs = reconstruct(game, outcomes);
    let scored = outcomes.iter().flat_map(Outcome::runs);
    for (run, scored) in runs.iter_mut().zip(scored) {
        match scored.remark {
            RunRemark::Unearned => (run.earned, run.team_earned) = (false, false),
            RunRemark::TeamUnearned => (run.earned, run.team_earned) = (true, false),
            // Nobody's pitching put the extra runner on base, whether or not the scorer remarks it.
            RunRemark::Silent if closed && !scored.runner.placed => (run.earned, run.team_earned) = (true, true),
            RunRemark::Silent => {}
        }
    }
    runs
}

/// Judges every run by reconstructing its half-inning without errors and passed balls, in the order of scoring.
#[must_use]
pub fn reconstruct(game: &Game, outcomes: &[Outcome]) -> Vec<RunJudgement> {
    let mut runs = Vec::new();
    let mut inning: Option<Reconstruction> = None;
    let mut finish = |inning: Option<Reconstruction>| {
        runs.extend(inning.into_iter().flat_map(Reconstruction::into_runs).map(|run| {
            let Run { outcome, pitcher, earned, team_earned } = run;
            RunJudgement { outcome, pitcher, earned, team_earned }
        }));
    };
    for (index, outcome) in outcomes.iter().enumerate() {
        let Some(Record::Play(play)) = game.records.get(outcome.record) else { continue };
        if inning.as_ref().is_some_and(|inning| inning.half() != outcome.half) {
            finish(inning.take());
        }
        inning.get_or_insert_with(|| Reconstruction::new(outcome.half)).play(index, outcome, &play.event);
    }
    finish(inning);
    runs
}
