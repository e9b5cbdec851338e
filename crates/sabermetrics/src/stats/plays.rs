//! The plays behind a number.

use super::game_lines::is_quality_start;
use super::{Batting, Fielding, PitchCount, Pitching, count, pitch_counts};
use crate::model::{Game, Play, PlayerId, Record};
use crate::replay::{Outcome, Replay};
use crate::rules::{self, Stint};

/// The records of a game whose plays count for a batting statistic of this player.
#[must_use]
pub fn batting_plays(game: &Game, replay: &Replay, player: &PlayerId, counters: &[Batting]) -> Vec<usize> {
    plays(game, replay, |outcome, play, found| {
        count::batting(outcome, play, &mut |who, counter, _| *found |= who == player && counters.contains(&counter));
    })
}

/// The same for pitching. Behind inherited runners is the first play of the reliever, behind a quality start its outs and
/// earned runs.
#[must_use]
pub fn pitching_plays(game: &Game, replay: &Replay, player: &PlayerId, counters: &[Pitching]) -> Vec<usize> {
    let mut records = plays(game, replay, |outcome, play, found| {
        count::pitching(outcome, play, &mut |who, counter, _| *found |= who == player && counters.contains(&counter));
    });
    let thrown = pitch_counts(game).into_iter().filter(|thrown| &thrown.pitcher == player);
    let counts = |thrown: &PitchCount| thrown.counts().iter().any(|(counter, n)| *n > 0 && counters.contains(counter));
    records.extend(thrown.filter(counts).map(|thrown| thrown.record));
    let outcomes = whole_game_plays(game, replay, player, counters).into_iter();
    records.extend(outcomes.filter_map(|outcome| Some(replay.outcomes.get(outcome)?.record)));
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

fn plays(game: &Game, replay: &Replay, counts: impl Fn(&Outcome, &Play, &mut bool)) -> Vec<usize> {
    let behind = |outcome: &&Outcome| match game.records.get(outcome.record) {
        Some(Record::Play(play)) => {
            let mut found = false;
            counts(outcome, play, &mut found);
            found
        }
        _ => false,
    };
    replay.outcomes.iter().filter(behind).map(|outcome| outcome.record).collect()
}

/// The outcomes behind the pitching counters that need more than one play: earned runs, inherited runners and those who
/// scored, quality starts.
fn whole_game_plays(game: &Game, replay: &Replay, player: &PlayerId, counters: &[Pitching]) -> Vec<usize> {
    let outcomes = &replay.outcomes;
    let runs = rules::judge_runs(game, outcomes);
    let earned = || runs.iter().filter(|run| run.earned && &run.pitcher == player).map(|run| run.outcome);
    let stints = rules::stints(outcomes);
    let own = || stints.iter().filter(|stint| &stint.pitcher == player);
    let mut found = Vec::new();
    if counters.contains(&Pitching::EarnedRuns) {
        found.extend(earned());
    }
    if counters.contains(&Pitching::Inherited) {
        found.extend(own().filter(|stint| !stint.inherited.is_empty()).map(|stint| stint.first));
    }
    if counters.contains(&Pitching::InheritedScored) {
        found.extend(own().flat_map(|stint| stint.inherited_scored(outcomes)));
    }
    let starts = |stint: &Stint| stints.iter().find(|first| first.side == stint.side) == Some(stint);
    if counters.contains(&Pitching::QualityStarts) && own().any(starts) {
        let outs = own().map(|stint| stint.outs).sum();
        if is_quality_start(outs, u32::try_from(earned().count()).unwrap_or(u32::MAX)) {
            let made_out = |index: &usize| outcomes[*index].outs > 0 && &outcomes[*index].pitcher == player;
            found.extend((0..outcomes.len()).filter(made_out).chain(earned()));
        }
    }
    found
}
