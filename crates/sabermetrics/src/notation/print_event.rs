//! Events to text.

use std::fmt::Write;

use super::{Advance, Arrival, Basic, Event, Fielding, Group, Running, RunningKind};

/// An event without its marks.
pub(super) fn event(event: &Event, text: &mut String) {
    basic(&event.basic, text);
    if !event.running.is_empty() {
        if event.basic != Basic::Running {
            text.push('+');
        }
        separated(&event.running, text, running);
    }
    for modifier in &event.modifiers {
        text.push('/');
        text.push_str(modifier.as_str());
    }
    if !event.advances.is_empty() {
        text.push('.');
        separated(&event.advances, text, advance);
    }
}

fn separated<T>(all: &[T], text: &mut String, print: impl Fn(&T, &mut String)) {
    for (index, one) in all.iter().enumerate() {
        if index > 0 {
            text.push(';');
        }
        print(one, text);
    }
}

fn basic(basic: &Basic, text: &mut String) {
    let mut code = |code: &str, fielding: &Fielding| {
        text.push_str(code);
        text.push_str(fielding.as_str());
    };
    let nobody = Fielding::default();
    match basic {
        Basic::Fielded(parts) => {
            for part in parts {
                text.push_str(part.fielding.as_str());
                if let Some(retired) = part.retired {
                    text.extend(['(', retired.letter(), ')']);
                }
            }
        }
        Basic::Single(fielding) => code("S", fielding),
        Basic::Double(fielding) => code("D", fielding),
        Basic::GroundRuleDouble(fielding) => code("DGR", fielding),
        Basic::Triple(fielding) => code("T", fielding),
        Basic::HomeRun(written, fielding) => code(written, fielding),
        Basic::FieldersChoice(fielding) => code("FC", fielding),
        Basic::Walk => code("W", &nobody),
        Basic::IntentionalWalk(written) => code(written, &nobody),
        Basic::HitByPitch => code("HP", &nobody),
        Basic::Strikeout(fielding) => code("K", fielding),
        Basic::Interference => code("C", &nobody),
        Basic::FoulFlyError(fielding) => code("FLE", fielding),
        Basic::NoPlay => code("NP", &nobody),
        Basic::Running => {}
    }
}

fn running(running: &Running, text: &mut String) {
    match &running.kind {
        RunningKind::Stolen(base) => text.extend(['S', 'B', base.letter()]),
        RunningKind::Caught(base) => text.extend(['C', 'S', base.letter()]),
        RunningKind::PickedOff(base) => text.extend(['P', 'O', base.letter()]),
        RunningKind::PickedOffStealing(base) => text.extend(['P', 'O', 'C', 'S', base.letter()]),
        RunningKind::WildPitch => text.push_str("WP"),
        RunningKind::PassedBall => text.push_str("PB"),
        RunningKind::Balk => text.push_str("BK"),
        RunningKind::Indifference => text.push_str("DI"),
        RunningKind::OtherAdvance => text.push_str("OA"),
        RunningKind::Error(fielding) => text.push_str(fielding.as_str()),
    }
    groups(&running.groups, text);
}

fn advance(advance: &Advance, text: &mut String) {
    let sign = match advance.arrival {
        Arrival::Safe => '-',
        Arrival::Out => 'X',
    };
    text.extend([advance.from.letter(), sign, advance.to.letter()]);
    groups(&advance.groups, text);
}

fn groups(groups: &[Group], text: &mut String) {
    for group in groups {
        // Writing to a string cannot fail.
        let _ = match group {
            Group::Fielding(fielding, rest) if rest.is_empty() => write!(text, "({})", fielding.as_str()),
            Group::Fielding(fielding, rest) => write!(text, "({}/{rest})", fielding.as_str()),
            Group::Flag(flag) => write!(text, "({})", flag.as_str()),
        };
    }
}
