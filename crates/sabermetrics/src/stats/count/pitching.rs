//! Pitching: what one play adds. Decisions and games are counted per game.

use super::trajectory;
use crate::model::{Play, PlayerId};
use crate::notation::{RunningKind, Trajectory};
use crate::replay::Outcome;
use crate::scoring::{BattingResult, Turn};
use crate::stats::Pitching;

/// Calls `count` with what this play adds to pitching lines. Earned runs are not included, because they need the
/// inning, and pitches are not, because lines without a play have some ([`pitch_counts`](crate::stats::pitch_counts)).
pub fn pitching(outcome: &Outcome, play: &Play, count: &mut impl FnMut(&PlayerId, Pitching, u32)) {
    let pitcher = &outcome.pitcher;
    count(pitcher, Pitching::Outs, u32::from(outcome.outs));
    for run in outcome.runs() {
        count(&run.runner.pitcher, Pitching::Runs, 1);
    }
    if let Some(turn) = &outcome.turn {
        turn_ended(outcome, play, turn, count);
    }
    if play.event.got_away(&RunningKind::WildPitch) {
        count(pitcher, Pitching::WildPitches, 1);
    }
    for running in &play.event.running {
        match running.kind {
            RunningKind::Balk => count(pitcher, Pitching::Balks, 1),
            RunningKind::Stolen(_) => count(pitcher, Pitching::StolenBases, 1),
            RunningKind::Caught(_) | RunningKind::PickedOffStealing(_) => count(pitcher, Pitching::CaughtStealing, 1),
            _ => {}
        }
    }
}

fn turn_ended(outcome: &Outcome, play: &Play, turn: &Turn, count: &mut impl FnMut(&PlayerId, Pitching, u32)) {
    let result = turn.result;
    if result == BattingResult::Strikeout {
        count(&outcome.pitcher, Pitching::Strikeouts, 1);
    }
    let pitcher = &outcome.charged_pitcher;
    let mut add = |counter: Pitching, holds: bool| {
        if holds {
            count(pitcher, counter, 1);
        }
    };
    add(Pitching::BattersFaced, true);
    add(Pitching::AtBats, turn.is_at_bat());
    add(Pitching::Hits, result.is_hit());
    add(Pitching::Doubles, result == BattingResult::Double);
    add(Pitching::Triples, result == BattingResult::Triple);
    add(Pitching::HomeRuns, result == BattingResult::HomeRun);
    add(Pitching::Walks, result.is_walk());
    add(Pitching::IntentionalWalks, result == BattingResult::IntentionalWalk);
    add(Pitching::HitByPitch, result == BattingResult::HitByPitch);
    add(Pitching::SacrificeHits, turn.sacrifice_hit);
    add(Pitching::SacrificeFlies, turn.sacrifice_fly);
    add(Pitching::Interference, result == BattingResult::Interference);
    let flown = trajectory(play);
    add(Pitching::GroundBalls, flown == Some(Trajectory::Ground));
    add(Pitching::LineDrives, flown == Some(Trajectory::Line));
    add(Pitching::FlyBalls, flown == Some(Trajectory::Fly));
    add(Pitching::PopUps, flown == Some(Trajectory::PopUp));
    if let Some(first) = play.pitches.all().next() {
        count(&outcome.pitcher, Pitching::PitchedBatters, 1);
        count(&outcome.pitcher, Pitching::FirstStrikes, u32::from(first.is_strike()));
    }
}
