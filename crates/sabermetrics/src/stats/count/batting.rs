//! Batting and running.

use super::{swings, trajectory};
use crate::model::{Base, Origin, Play, PlayerId};
use crate::notation::{RunningKind, Trajectory};
use crate::replay::Outcome;
use crate::scoring::{BattingResult, Turn};
use crate::stats::{Batting, ExtraBase, extra_base_chances};

/// Calls `count` with what this play adds to batting lines.
pub fn batting(outcome: &Outcome, play: &Play, count: &mut impl FnMut(&PlayerId, Batting, u32)) {
    for run in outcome.runs() {
        count(&run.runner.player, Batting::Runs, 1);
    }
    if let Some(turn) = &outcome.turn {
        turn_ended(outcome, play, turn, count);
        extra_bases(outcome, count);
    }
    for running in &play.event.running {
        let (base, counter) = match running.kind {
            RunningKind::Stolen(base) => (Some(base), Batting::StolenBases),
            RunningKind::Caught(base) | RunningKind::PickedOffStealing(base) => (Some(base), Batting::CaughtStealing),
            RunningKind::PickedOff(base) if running.puts_out() => {
                (Base::numbered(base.number() + 1), Batting::PickedOff)
            }
            _ => continue,
        };
        let from = base.map_or(0, |base| Origin::before(base).index());
        if let Some(Some(runner)) = from.checked_sub(1).and_then(|index| outcome.bases_before.get(index)) {
            count(&runner.player, counter, 1);
        }
    }
}

fn turn_ended(outcome: &Outcome, play: &Play, turn: &Turn, count: &mut impl FnMut(&PlayerId, Batting, u32)) {
    let batter = &outcome.charged_batter;
    let mut add = |counter: Batting, holds: bool| {
        if holds {
            count(batter, counter, 1);
        }
    };
    let result = turn.result;
    let at_bat = turn.is_at_bat();
    let batted_in = outcome.moves.iter().filter(|one| one.batted_in).count();
    let scoring = outcome.bases_before[1].is_some() || outcome.bases_before[2].is_some();
    let two_strikes = play.count.known().is_some_and(|(_, strikes)| strikes == 2);
    let pitches = swings(play);
    add(Batting::PlateAppearances, true);
    add(Batting::AtBats, at_bat);
    add(Batting::Hits, result.is_hit());
    add(Batting::Doubles, result == BattingResult::Double);
    add(Batting::Triples, result == BattingResult::Triple);
    add(Batting::HomeRuns, result == BattingResult::HomeRun);
    add(Batting::Walks, result.is_walk());
    add(Batting::IntentionalWalks, result == BattingResult::IntentionalWalk);
    add(Batting::Strikeouts, result == BattingResult::Strikeout);
    add(Batting::HitByPitch, result == BattingResult::HitByPitch);
    add(Batting::SacrificeHits, turn.sacrifice_hit);
    add(Batting::SacrificeFlies, turn.sacrifice_fly);
    add(Batting::DoublePlays, turn.grounded_into_double_play);
    add(Batting::Interference, result == BattingResult::Interference);
    add(Batting::OnError, result == BattingResult::ReachedOnError);
    add(Batting::FieldersChoices, result == BattingResult::FieldersChoice);
    add(Batting::TwoStrikeAtBats, at_bat && two_strikes);
    add(Batting::TwoStrikeHits, result.is_hit() && two_strikes);
    add(Batting::ScoringAtBats, at_bat && scoring);
    add(Batting::ScoringHits, result.is_hit() && scoring);
    add(Batting::DoublePlayChances, outcome.bases_before[0].is_some() && outcome.outs_before < 2);
    add(Batting::Quality, is_quality(turn, batted_in, pitches));
    let flown = trajectory(play);
    add(Batting::GroundBalls, flown == Some(Trajectory::Ground));
    add(Batting::LineDrives, flown == Some(Trajectory::Line));
    add(Batting::FlyBalls, flown == Some(Trajectory::Fly));
    add(Batting::PopUps, flown == Some(Trajectory::PopUp));
    for _ in 0..batted_in {
        add(Batting::RunsBattedIn, true);
    }
    if let Some((pitches, swings, misses)) = pitches {
        for (counter, amount) in
            [(Batting::PitchedPa, 1), (Batting::Pitches, pitches), (Batting::Swings, swings), (Batting::Misses, misses)]
        {
            count(batter, counter, amount);
        }
    }
}

fn is_quality(turn: &Turn, batted_in: usize, pitches: Option<(u32, u32, u32)>) -> bool {
    turn.result.is_walk()
        || turn.result == BattingResult::HitByPitch
        || turn.result.bases() > 1
        || turn.sacrifice_hit
        || turn.sacrifice_fly
        || batted_in > 0
        || pitches.is_some_and(|(pitches, ..)| pitches >= 6)
}

fn extra_bases(outcome: &Outcome, count: &mut impl FnMut(&PlayerId, Batting, u32)) {
    for chance in extra_base_chances(outcome) {
        let runner = &chance.runner.player;
        count(runner, Batting::ExtraBaseChances, 1);
        match chance.result {
            ExtraBase::Taken(_) => count(runner, Batting::ExtraBases, 1),
            ExtraBase::Out => count(runner, Batting::ExtraBaseOuts, 1),
            ExtraBase::Held => {}
        }
    }
}
