//! Movements of batter and runners: implied by the event's code, overridden by explicit advances.

use crate::model::{Base, Origin};
use crate::notation::{Arrival, Basic, Event, Flag, Group, Running, RunningKind};

/// The movement of the batter or a runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    /// Safe on a base (or home), or out on the way to one.
    pub reached: Reached,
    /// The scorer's remarks: the groups after the advance or the running play.
    pub groups: Vec<Group>,
}

/// The end of a movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Safe; on [`Base::Home`] a run.
    Safe(Base),
    /// Out, on the way to that base if known.
    Out(Option<Base>),
}

/// The movements of one play by origin: the batter, then the runners on first, second and third.
pub type Movements = [Option<Movement>; 4];

impl Movement {
    fn to(reached: Reached) -> Self {
        Movement { reached, groups: Vec::new() }
    }

    /// True if the remark is present.
    #[must_use]
    pub fn has(&self, wanted: &Flag) -> bool {
        self.groups.iter().any(|group| group.flag() == Some(wanted))
    }

    /// True if there was an error.
    #[must_use]
    pub fn has_error(&self) -> bool {
        self.groups.iter().filter_map(Group::fielding).any(crate::notation::Fielding::has_error)
    }

    /// True if a wild pitch or passed ball allowed it, by a remark such as `3-H(WP)`.
    #[must_use]
    pub fn got_away(&self) -> bool {
        let remarked = |group: &Group| group.flag().is_some_and(|flag| matches!(flag.as_str(), "WP" | "PB"));
        self.groups.iter().any(remarked)
    }
}

/// The movements of an event. Runners without one stay, or the base was empty.
#[must_use]
pub fn movements(event: &Event, occupied: [bool; 3]) -> Movements {
    let mut all: Movements = [None, None, None, None];
    batter(event, &mut all);
    if matches!(event.basic, Basic::HomeRun(..)) {
        for (runner, _) in all.iter_mut().skip(1).zip(occupied).filter(|(_, occupied)| *occupied) {
            *runner = Some(Movement::to(Reached::Safe(Base::Home)));
        }
    }
    for running in &event.running {
        runner(running, &mut all);
    }
    for advance in &event.advances {
        let reached = if advance.arrival == Arrival::Safe || !advance.puts_out() {
            Reached::Safe(advance.to)
        } else {
            Reached::Out(Some(advance.to))
        };
        all[advance.from.index()] = Some(Movement { reached, groups: advance.groups.clone() });
    }
    all
}

fn batter(event: &Event, all: &mut Movements) {
    let safe = |base| Some(Movement::to(Reached::Safe(base)));
    all[0] = match &event.basic {
        Basic::Single(_) | Basic::Walk | Basic::IntentionalWalk(_) | Basic::HitByPitch => safe(Base::First),
        Basic::Interference | Basic::FieldersChoice(_) => safe(Base::First),
        Basic::Double(_) | Basic::GroundRuleDouble(_) => safe(Base::Second),
        Basic::Triple(_) => safe(Base::Third),
        Basic::HomeRun(..) => safe(Base::Home),
        Basic::Strikeout(fielding) if fielding.has_error() => safe(Base::First),
        Basic::Strikeout(_) => Some(Movement::to(Reached::Out(Some(Base::First)))),
        Basic::Fielded(parts) => {
            let mut batter = Movement::to(Reached::Safe(Base::First));
            for part in parts {
                match part.retired {
                    None | Some(Origin::Plate) if part.fielding.has_error() => {}
                    None | Some(Origin::Plate) => batter.reached = Reached::Out(Some(Base::First)),
                    Some(runner) if !part.fielding.has_error() => {
                        let base = Base::OCCUPIABLE.into_iter().chain([Base::Home]).nth(runner.index());
                        all[runner.index()] = Some(Movement::to(Reached::Out(base)));
                    }
                    Some(_) => {}
                }
            }
            Some(batter)
        }
        Basic::NoPlay | Basic::Running | Basic::FoulFlyError(_) => None,
    };
}

fn runner(running: &Running, all: &mut Movements) {
    let (from, reached) = match running.kind {
        RunningKind::Stolen(base) => (Origin::before(base), Reached::Safe(base)),
        RunningKind::Caught(base) | RunningKind::PickedOffStealing(base) if running.puts_out() => {
            (Origin::before(base), Reached::Out(Some(base)))
        }
        RunningKind::Caught(base) | RunningKind::PickedOffStealing(base) => (Origin::before(base), Reached::Safe(base)),
        RunningKind::PickedOff(base) => {
            let Some(from) = Origin::on(base) else { return };
            (from, if running.puts_out() { Reached::Out(Some(base)) } else { Reached::Safe(base) })
        }
        _ => return,
    };
    all[from.index()] = Some(Movement { reached, groups: running.groups.clone() });
}
