//! Fielding: what one play adds.

use crate::model::{Play, PlayerId};
use crate::notation::RunningKind;
use crate::replay::{FieldingCredit, Outcome};
use crate::scoring::Deed;
use crate::stats::Fielding;

/// The catcher's position.
const CATCHER: u8 = 2;

/// Calls `count` with what this play adds to fielding lines, by position.
pub fn fielding(outcome: &Outcome, play: &Play, count: &mut impl FnMut(&PlayerId, u8, Fielding, u32)) {
    for credit in &outcome.credits {
        let Some(player) = &credit.player else { continue };
        let counter = match credit.deed {
            Deed::Putout => Fielding::Putouts,
            Deed::Assist => Fielding::Assists,
            Deed::Error => Fielding::Errors,
        };
        count(player, credit.position, counter, 1);
    }
    if outcome.multiple_play && outcome.outs == 2 {
        let mut seen: Vec<u8> = Vec::new();
        for FieldingCredit { player, position, deed } in &outcome.credits {
            let Some(player) = player.as_ref().filter(|_| *deed != Deed::Error) else { continue };
            if !seen.contains(position) {
                seen.push(*position);
                count(player, *position, Fielding::DoublePlays, 1);
            }
        }
    }
    for (position, player) in (1..).zip(&outcome.fielders) {
        if let Some(player) = player.as_ref().filter(|_| outcome.outs > 0) {
            count(player, position, Fielding::Outs, u32::from(outcome.outs));
        }
    }
    if let Some(catcher) = &outcome.fielders[1] {
        let mut caught = |counter| count(catcher, CATCHER, counter, 1);
        if play.event.got_away(&RunningKind::PassedBall) {
            caught(Fielding::PassedBalls);
        }
        if play.event.got_away(&RunningKind::WildPitch) {
            caught(Fielding::WildPitches);
        }
        for running in &play.event.running {
            match running.kind {
                RunningKind::Stolen(_) => caught(Fielding::StolenBases),
                RunningKind::Caught(_) | RunningKind::PickedOffStealing(_) => caught(Fielding::CaughtStealing),
                _ => {}
            }
        }
    }
}
