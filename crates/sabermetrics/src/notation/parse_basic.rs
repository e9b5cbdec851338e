//! Parses the first part of an event to [`Basic`].

use smol_str::SmolStr;

use super::cursor::Cursor;
use super::parse_event::groups;
use super::{Basic, Fielding, NotationError, OutPart, Running, RunningKind};
use crate::model::{Base, Origin};

/// Makes the play from the code as written and the fielders after it.
type Make = fn(&str, Fielding) -> Basic;

/// Codes of batters' results. Longer codes come before their prefixes.
const BATTING: &[(&str, Make)] = &[
    ("NP", |_, _| Basic::NoPlay),
    ("FLE", |_, fielding| Basic::FoulFlyError(fielding)),
    ("FC", |_, fielding| Basic::FieldersChoice(fielding)),
    ("HP", |_, _| Basic::HitByPitch),
    ("HR", |code, fielding| Basic::HomeRun(SmolStr::new_inline(code), fielding)),
    ("H", |code, fielding| Basic::HomeRun(SmolStr::new_inline(code), fielding)),
    ("S", |_, fielding| Basic::Single(fielding)),
    ("DGR", |_, fielding| Basic::GroundRuleDouble(fielding)),
    ("D", |_, fielding| Basic::Double(fielding)),
    ("T", |_, fielding| Basic::Triple(fielding)),
    ("K", |_, fielding| Basic::Strikeout(fielding)),
    ("C", |_, _| Basic::Interference),
    ("IW", |code, _| Basic::IntentionalWalk(SmolStr::new_inline(code))),
    ("I", |code, _| Basic::IntentionalWalk(SmolStr::new_inline(code))),
    ("W", |_, _| Basic::Walk),
];

/// Parses up to the first slash or full stop.
pub(super) fn basic(cursor: &mut Cursor<'_>) -> Result<(Basic, Vec<Running>), NotationError> {
    if matches!(cursor.peek(), Some(b'0'..=b'9' | b'E')) {
        return Ok((fielded(cursor)?, Vec::new()));
    }
    if let Some(first) = running(cursor)? {
        return Ok((Basic::Running, more_running(cursor, first)?));
    }
    for (code, make) in BATTING {
        if cursor.eat(code) {
            let start = *cursor;
            let basic = make(code, fielding(cursor));
            return match basic {
                Basic::NoPlay | Basic::HitByPitch | Basic::Interference if start.at() != cursor.at() => {
                    start.error("“/”, “.” or the end")
                }
                Basic::Walk | Basic::IntentionalWalk(_) if start.at() != cursor.at() => {
                    start.error("“+”, “/”, “.” or the end")
                }
                Basic::FoulFlyError(_) if start.at() == cursor.at() => start.error("who dropped the foul fly"),
                Basic::Walk | Basic::IntentionalWalk(_) | Basic::Strikeout(_) if cursor.eat("+") => {
                    let Some(first) = running_or_error(cursor)? else {
                        return cursor.error("a running play such as SB2, WP or E2");
                    };
                    Ok((basic, more_running(cursor, first)?))
                }
                basic => Ok((basic, Vec::new())),
            };
        }
    }
    cursor.error("a play such as S7, 63, K, W, SB2 or NP")
}

fn fielding(cursor: &mut Cursor<'_>) -> Fielding {
    let start = *cursor;
    let text = cursor.take_while(|byte| byte.is_ascii_digit() || byte == b'E');
    Fielding::new(text).unwrap_or_else(|| {
        // Two E in a row: only the part before them is fielding, and the caller reports the rest.
        *cursor = start;
        Fielding::default()
    })
}

fn fielded(cursor: &mut Cursor<'_>) -> Result<Basic, NotationError> {
    let mut parts = Vec::with_capacity(1);
    loop {
        let start = *cursor;
        let fielding = fielding(cursor);
        if fielding.is_empty() {
            return start.error("fielders such as 63 or 6E3");
        }
        let mut retired = None;
        if cursor.eat("(") {
            retired = cursor.peek().and_then(Origin::lettered);
            if retired.is_none() {
                return cursor.error("B, 1, 2 or 3: who was put out");
            }
            cursor.next();
            if !cursor.eat(")") {
                return cursor.error("“)”");
            }
        }
        parts.push(OutPart { fielding, retired });
        if retired.is_none() || !matches!(cursor.peek(), Some(b'0'..=b'9' | b'E')) {
            return Ok(Basic::Fielded(parts));
        }
    }
}

fn more_running(cursor: &mut Cursor<'_>, first: Running) -> Result<Vec<Running>, NotationError> {
    let mut all = vec![first];
    while cursor.eat(";") {
        match running_or_error(cursor)? {
            Some(running) => all.push(running),
            None => return cursor.error("a running play such as SB2 or CS3(25)"),
        }
    }
    Ok(all)
}

fn running_or_error(cursor: &mut Cursor<'_>) -> Result<Option<Running>, NotationError> {
    if cursor.peek() == Some(b'E') {
        let fielding = fielding(cursor);
        return Ok(Some(Running { kind: RunningKind::Error(fielding), groups: groups(cursor)? }));
    }
    running(cursor)
}

fn running(cursor: &mut Cursor<'_>) -> Result<Option<Running>, NotationError> {
    let kind = if cursor.eat("POCS") {
        RunningKind::PickedOffStealing(stolen(cursor)?)
    } else if cursor.eat("PO") {
        match cursor.peek().and_then(Base::lettered) {
            Some(base) if base != Base::Home => {
                cursor.next();
                RunningKind::PickedOff(base)
            }
            _ => return cursor.error("1, 2 or 3: the base of the pickoff"),
        }
    } else if cursor.eat("SB") {
        RunningKind::Stolen(stolen(cursor)?)
    } else if cursor.eat("CS") {
        RunningKind::Caught(stolen(cursor)?)
    } else if cursor.eat("WP") {
        RunningKind::WildPitch
    } else if cursor.eat("PB") {
        RunningKind::PassedBall
    } else if cursor.eat("BK") {
        RunningKind::Balk
    } else if cursor.eat("DI") {
        RunningKind::Indifference
    } else if cursor.eat("OA") {
        RunningKind::OtherAdvance
    } else {
        return Ok(None);
    };
    Ok(Some(Running { kind, groups: groups(cursor)? }))
}

fn stolen(cursor: &mut Cursor<'_>) -> Result<Base, NotationError> {
    match cursor.peek().and_then(Base::lettered) {
        Some(base) if base != Base::First => {
            cursor.next();
            Ok(base)
        }
        _ => cursor.error("2, 3 or H: the base the runner went for"),
    }
}
