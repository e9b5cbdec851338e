//! Parses an [`Event`].

use super::cursor::Cursor;
use super::{Advance, Arrival, Event, Group, Marks, Modifier, NotationError, Spelling, parse_basic, spelling};
use crate::model::{Base, Origin};

/// Maximum length of an event in bytes. The longest of the major leagues has some 80.
pub const MAX_EVENT: usize = 1_000;

/// Parses one event: the last field of a play line. Spellings of other eras are understood and kept.
///
/// # Errors
/// The first position that violates Retrosheet's notation.
pub fn parse_event(text: &str) -> Result<Event, NotationError> {
    if text.len() > MAX_EVENT {
        return Err(NotationError::new(MAX_EVENT, "an event of at most 1,000 characters"));
    }
    if let Some(at) = text.bytes().position(|byte| !byte.is_ascii_graphic() && byte != b' ') {
        return Err(NotationError::new(at, "a letter, digit or sign of the notation"));
    }
    parse_marked(text).or_else(|error| {
        let modern = spelling::modernized(text);
        let event = Some(&modern).filter(|modern| *modern != text).and_then(|modern| parse_marked(modern).ok());
        let mut event = event.ok_or(error)?;
        event.spelling = Some(Box::new(Spelling::new(text, &event.to_string())));
        Ok(event)
    })
}

fn parse_marked(text: &str) -> Result<Event, NotationError> {
    let (plain, marks) = Marks::strip(text);
    parse_plain(&plain, marks.clone()).map_err(|error| NotationError { at: marks.original(error.at), ..error })
}

fn parse_plain(text: &str, mut marks: Marks) -> Result<Event, NotationError> {
    let mut cursor = Cursor::new(text);
    let (basic, running) = parse_basic::basic(&mut cursor)?;
    let mut modifiers = Vec::new();
    while cursor.eat("/") {
        modifiers.push(modifier(&mut cursor)?);
    }
    let advances = advances(&mut cursor, &mut marks)?;
    if !cursor.is_done() {
        return cursor.error("“/” and a modifier, “.” and advances, or the end");
    }
    Ok(Event { basic, running, modifiers, advances, marks, spelling: None })
}

/// The part after the full stop. A trailing separator is a mark: `S7.1-2;` in some files.
fn advances(cursor: &mut Cursor<'_>, marks: &mut Marks) -> Result<Vec<Advance>, NotationError> {
    let mut advances = Vec::new();
    let mut idle = Vec::new();
    let mut separator = b'.';
    while cursor.peek() == Some(separator) {
        let at = cursor.at();
        cursor.next();
        if cursor.is_done() || cursor.peek() == Some(b';') && !advances.is_empty() {
            idle.push((at, separator));
        } else {
            advances.push(advance(cursor)?);
        }
        separator = b';';
    }
    for (at, byte) in idle {
        marks.add(at, byte);
    }
    Ok(advances)
}

fn modifier(cursor: &mut Cursor<'_>) -> Result<Modifier, NotationError> {
    let start = *cursor;
    let text = cursor.take_while(|byte| byte != b'/' && byte != b'.');
    match Modifier::new(text) {
        Some(modifier) => Ok(modifier),
        None => start.error("a modifier such as G6, SF or GDP"),
    }
}

fn advance(cursor: &mut Cursor<'_>) -> Result<Advance, NotationError> {
    let Some(from) = cursor.peek().and_then(Origin::lettered) else {
        return cursor.error("B, 1, 2 or 3: whose advance this is");
    };
    cursor.next();
    let arrival = match cursor.peek() {
        Some(b'-') => Arrival::Safe,
        Some(b'X') => Arrival::Out,
        _ => return cursor.error("“-” for safe or “X” for out"),
    };
    cursor.next();
    let Some(to) = cursor.peek().and_then(Base::lettered) else {
        return cursor.error("1, 2, 3 or H: the base of the advance");
    };
    cursor.next();
    Ok(Advance { from, arrival, to, groups: groups(cursor)? })
}

/// Any number of parentheses.
pub(super) fn groups(cursor: &mut Cursor<'_>) -> Result<Vec<Group>, NotationError> {
    let mut groups = Vec::new();
    while cursor.eat("(") {
        let start = *cursor;
        let text = cursor.take_while(|byte| byte != b')');
        let Some(group) = Group::new(text) else {
            return start.error("fielders such as 25 or E5/TH, or a remark such as UR");
        };
        if !cursor.eat(")") {
            return cursor.error("“)”");
        }
        groups.push(group);
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of every form in Retrosheet's description or its files.
    const FORMS: &[&str] = &[
        "8/F78",
        "63/G6M",
        "143/G1",
        "54(B)/BG25/SH.1-2",
        "54(1)3/GDP/G5",
        "64(1)3/GDP",
        "8(B)84(2)/LDP/L8.1-1",
        "3(B)3(1)/LDP",
        "1(B)16(2)63(1)/LTP/L1",
        "54(1)/FO/G5.3-H;B-1",
        "S7",
        "S",
        "S78/G.3-H;2-H;1-3",
        "D7/G5.3-H;2-H;1-H",
        "DGR/L9LS.2-H",
        "T9/F9LD.2-H",
        "T",
        "H/L7D",
        "HR9/F9LS.3-H;1-H",
        "HR",
        "H",
        "E1/TH/BG15.1-3",
        "E3.1-2;B-1",
        "6E3",
        "36E1/TH",
        "E",
        "FC5/G5.3XH(52)",
        "FC3/G3S.3-H;1-2",
        "FLE5/P5F",
        "HP.1-2",
        "I",
        "IW",
        "W",
        "W.1-2",
        "W+WP.2-3",
        "IW+PB",
        "W+SB2",
        "W+CS2(26)",
        "W+PO1(E3).1-2",
        "K",
        "K23",
        "K2E3.B-1",
        "K+PB.1-2",
        "K+WP.B-1",
        "K+E2.B-1",
        "K+CS2(26)/DP",
        "K+SB3;SB2",
        "K+PO1(23)",
        "K.BX1(2E3)",
        "K+OA.1X2(26)",
        "C/E2.1-2",
        "C/E1",
        "C/E3",
        "C",
        "NP",
        "BK.3-H;1-2",
        "CS2(24).2-3",
        "CSH(12)",
        "CS2(2E4).1-3",
        "CS2",
        "SBH;SB3;SB2",
        "SBH(UR);SB2",
        "SB2.1-3(E2/TH)",
        "DI.1-2",
        "OA.2X3(25)",
        "PB.2-3",
        "WP.2-3;1-2",
        "PO2(14)",
        "PO1(E3).1-2",
        "PO1(1E3)",
        "PO3(E2/TH).3-H(UR)",
        "POCS2(14)",
        "POCS2(1361)",
        "POCSH(1E2)(UR)",
        "S8/L8S.2-H;BX2(8434)",
        "S9.1X3(95E5)(NR)",
        "D8.1XH(E8)(82)",
        "S7.3-H(NR);1-3(E7/TH)(NORBI)",
        "E4.3-H(RBI)(UR)",
        "S7.2-H(TUR);B-2(TH)",
        "S8.B-2(THH)",
        "S7.1-2(TH2);B-1",
        "K+WP.3-H(NR)(WP)",
        "9/SF.3-H",
        "2/BINT",
        "3/INT.1-1",
        "S7#",
        "S7?",
        "8!/F8+",
        "5!3/G-",
        "63/G#.1-2!",
        "99",
        "99/SF.3-H",
        "S99",
        "E0",
        "64(1)E3/GDP",
        "7/F/",
        "9//SF.3-H",
        "S7.1-2;",
        "S7.",
        "S9/G+34.2-H;1-3;B-1",
        "14(1)3(B)/GDP",
    ];

    #[test]
    fn every_form_is_parsed_and_printed_unchanged() {
        for form in FORMS {
            match parse_event(form) {
                Ok(event) => assert_eq!(&event.to_string(), form),
                Err(error) => panic!("{form}: {error}"),
            }
        }
    }

    #[test]
    fn an_error_has_its_position_in_the_text_as_written() {
        for (text, at) in [
            ("", 0),
            ("Q7", 0),
            ("S7/&", 3),
            ("S7.4-H", 3),
            ("S7.1+2", 4),
            ("S7.1-4", 5),
            ("S7.1-2(", 7),
            ("S7.1-2(E4", 9),
            ("SB1", 2),
            ("POH", 2),
            ("64(4)3", 3),
            ("K+", 2),
            ("W7", 1),
            ("FLE", 3),
            ("6!4!(4)3", 5),
            ("3/G.1X2(36)/MREV", 11),
            ("S7\u{e9}", 2),
            ("EE3", 0),
            ("NP+SB2", 2),
            ("S7.1-2(())", 7),
        ] {
            assert_eq!(parse_event(text).expect_err(text).at, at, "{text}");
        }
    }

    #[test]
    fn the_longest_event_is_parsed_and_a_longer_one_refused() {
        let long = |length: usize| format!("S7/{}", "G".repeat(length - 3));
        assert!(parse_event(&long(MAX_EVENT)).is_ok());
        assert_eq!(parse_event(&long(MAX_EVENT + 1)).unwrap_err().at, MAX_EVENT);
    }
}
