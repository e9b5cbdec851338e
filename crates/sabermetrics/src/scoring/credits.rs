//! Putouts, assists and errors of one play (Official Baseball Rules 9.09, 9.10, 9.12).

use crate::notation::{Advance, Arrival, Basic, Event, Fielding, Group, Modifier, OutPart, RunningKind};

/// A credit or charge for one fielder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Credit {
    /// The position, 1 to 9.
    pub position: u8,
    /// The kind.
    pub deed: Deed,
}

/// Kinds of credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Deed {
    /// Made a putout.
    Putout,
    /// Assisted in an out, or would have but for a later error.
    Assist,
    /// Made an error.
    Error,
}

/// The catcher's position, who makes the putout on a strikeout.
const CATCHER: u8 = 2;

/// The credits of an event. Unknown fielders get none.
#[must_use]
pub fn credits(event: &Event) -> Vec<Credit> {
    let mut all = Credits(Vec::new());
    match &event.basic {
        Basic::Fielded(parts) => all.parts(parts),
        Basic::Strikeout(fielding) if !fielding.is_empty() => all.sequence(None, fielding),
        Basic::Strikeout(_) if batter_is_out_at_once(event) => all.add(CATCHER, Deed::Putout),
        Basic::Interference if !interference_is_charged(event) => all.add(CATCHER, Deed::Error),
        Basic::FoulFlyError(fielding) => {
            let erred = fielding.last().filter(|_| !fielding.has_error());
            match erred {
                Some(fielder) => all.add(fielder, Deed::Error),
                None => all.sequence(None, fielding),
            }
        }
        _ => {}
    }
    for running in &event.running {
        if let RunningKind::Error(fielding) = &running.kind {
            all.sequence(None, fielding);
        }
        // On a stolen base fielders can only err.
        let stolen = matches!(running.kind, RunningKind::Stolen(_));
        let fieldings = running.groups.iter().filter_map(Group::fielding);
        for fielding in fieldings.filter(|fielding| !stolen || fielding.has_error()) {
            all.sequence(None, fielding);
        }
    }
    for advance in &event.advances {
        all.advance(advance);
    }
    for fielder in event.modifiers.iter().filter_map(Modifier::error) {
        all.add(fielder, Deed::Error);
    }
    all.0
}

/// True if no throw to first was needed: no advance describes the batter.
fn batter_is_out_at_once(event: &Event) -> bool {
    !event.advances.iter().any(|advance| advance.from == crate::model::Origin::Plate)
}

/// True if the play itself names the fielder who interfered: `C/E2`, `C.B-1(E2)`.
fn interference_is_charged(event: &Event) -> bool {
    let batter = event.advances.iter().filter(|advance| advance.from == crate::model::Origin::Plate);
    event.modifiers.iter().any(|modifier| modifier.error().is_some()) || batter.into_iter().any(Advance::has_error)
}

struct Credits(Vec<Credit>);

impl Credits {
    fn add(&mut self, position: u8, deed: Deed) {
        if (1..=9).contains(&position) {
            self.0.push(Credit { position, deed });
        }
    }

    /// Each part is an out; the fielder of the last putout throws for the next one.
    fn parts(&mut self, parts: &[OutPart]) {
        let mut thrower = None;
        for part in parts {
            self.sequence(thrower, &part.fielding);
            thrower = part.fielding.last();
        }
    }

    /// Without an error the last fielder makes the putout and every fielder before has one assist. With an error there
    /// is no putout; fielders who touched the ball before the error have an assist.
    fn sequence(&mut self, thrower: Option<u8>, fielding: &Fielding) {
        let touches: Vec<_> = fielding.touches().collect();
        let mut helped: Vec<u8> = Vec::new();
        let first = touches.first().map(|touch| touch.fielder);
        helped.extend(thrower.filter(|thrower| Some(*thrower) != first));
        let errors = fielding.has_error();
        let last = touches.len().saturating_sub(1);
        for (index, touch) in touches.iter().enumerate() {
            if touch.error {
                self.add(touch.fielder, Deed::Error);
                break;
            } else if index == last && !errors {
                self.add(touch.fielder, Deed::Putout);
            } else if !helped.contains(&touch.fielder) {
                helped.push(touch.fielder);
            }
        }
        for fielder in helped {
            self.add(fielder, Deed::Assist);
        }
    }

    fn advance(&mut self, advance: &Advance) {
        for fielding in advance.groups.iter().filter_map(Group::fielding) {
            if advance.arrival == Arrival::Out || fielding.has_error() {
                self.sequence(None, fielding);
            }
        }
    }
}
