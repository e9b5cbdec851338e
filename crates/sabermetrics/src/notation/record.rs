//! Parses one line of an event file to a [`Record`].

use smol_str::SmolStr;

use super::{NotationError, Pitches, parse_event};
use crate::model::{Adjustment, Appearance, Base, Count, Play, PlayerId, Position, Record, Side, Writing};

/// Parses one line, without its line end. The `id` line begins a game and is not a record. A kind that is not known is
/// kept as [`Record::Other`], and so are facts and remarks without a value.
///
/// # Errors
/// The first position that violates the format.
pub fn parse_record(line: &str) -> Result<Record, NotationError> {
    let mut fields = Fields { line, at: Some(0) };
    let (_, kind) = fields.next("a record such as play or info")?;
    if is_empty(kind, line) {
        return Ok(Record::Other(SmolStr::new(line)));
    }
    match kind {
        "play" => play(&mut fields),
        "sub" => appearance(&mut fields).map(Record::Sub),
        "start" => appearance(&mut fields).map(Record::Start),
        "info" => {
            let key = SmolStr::new(fields.next("the key of the fact")?.1);
            Ok(Record::Info { key, value: SmolStr::new(fields.rest("a value")?) })
        }
        "com" => Ok(Record::Comment(SmolStr::new(fields.rest("a remark")?))),
        "version" => Ok(Record::Version(SmolStr::new(fields.rest("a number")?))),
        "data" => Ok(Record::Data(fields.rest("the scorer's decision")?.split(',').map(SmolStr::new).collect())),
        "badj" => hand(&mut fields, Adjustment::BatterHand),
        "padj" => hand(&mut fields, Adjustment::PitcherHand),
        "ladj" => {
            let side = side(&mut fields)?;
            let adjustment =
                Adjustment::BattingOrder(side, number(&mut fields, "a place of the order", 1..=MAX_ORDER)?);
            fields.end().map(|()| Record::Adjust(adjustment))
        }
        "radj" => on_base(&mut fields, Adjustment::RunnerPlaced),
        "presadj" => on_base(&mut fields, Adjustment::RunnerCharged),
        _ if is_kind(kind) => Ok(Record::Other(SmolStr::new(line))),
        _ => Err(NotationError::new(
            0,
            "id, version, info, start, sub, play, com, data, badj, padj, ladj, radj or presadj",
        )),
    }
}

/// True for a line of these kinds that lacks the field for its value.
fn is_empty(kind: &str, line: &str) -> bool {
    let fields = match kind {
        "com" | "version" | "data" => 1,
        "info" => 2,
        _ => return false,
    };
    line.matches(',').take(fields).count() < fields
}

/// True if this can be the kind of a record that another program writes.
fn is_kind(kind: &str) -> bool {
    !matches!(kind, "" | "id") && kind.len() <= MAX_KIND && kind.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Maximum length of the kind of a record.
const MAX_KIND: usize = 16;

/// Maximum place in a batting order with extra hitters.
const MAX_ORDER: u8 = 30;

/// Maximum inning in a line.
const MAX_INNING: u8 = 99;

/// The fields of a line, from the left; quotes around a field are kept.
struct Fields<'l> {
    line: &'l str,
    at: Option<usize>,
}

impl<'l> Fields<'l> {
    /// The next field and its offset.
    fn next(&mut self, expected: &'static str) -> Result<(usize, &'l str), NotationError> {
        let Some(at) = self.at else { return Err(NotationError::new(self.line.len(), expected)) };
        let rest = &self.line[at..];
        let quoted = rest.strip_prefix('"').and_then(|inner| inner.find('"')).map_or(0, |close| close + 2);
        let end = rest[quoted..].find(',').map(|comma| comma + quoted);
        self.at = end.map(|end| at + end + 1);
        Ok((at, &rest[..end.unwrap_or(rest.len())]))
    }

    /// The rest of the line.
    fn rest(&mut self, expected: &'static str) -> Result<&'l str, NotationError> {
        let at = self.at.take().ok_or(NotationError::new(self.line.len(), expected))?;
        Ok(&self.line[at..])
    }

    fn end(&self) -> Result<(), NotationError> {
        self.at.map_or(Ok(()), |at| Err(NotationError::new(at - 1, "the end of the line")))
    }
}

fn play(fields: &mut Fields<'_>) -> Result<Record, NotationError> {
    let inning = number(fields, "an inning", 1..=MAX_INNING)?;
    let side = side(fields)?;
    let batter = player(fields)?;
    let (at, count) = fields.next("balls and strikes")?;
    if !matches!(count.len(), 0 | 2) || !count.bytes().all(|byte| byte.is_ascii_digit() || byte == b'?') {
        return Err(NotationError::new(at, "balls and strikes such as 32 or ??"));
    }
    let count = Count(SmolStr::new(count));
    let (at, text) = fields.next("pitches")?;
    let pitches = Pitches::new(text).ok_or(NotationError::new(at, "letters of pitches"))?;
    let (at, text) = fields.next("an event")?;
    let event = parse_event(text).map_err(|error| error.shifted(at))?;
    fields.end()?;
    Ok(Record::Play(Box::new(Play { inning, side, batter, count, pitches, event })))
}

fn appearance(fields: &mut Fields<'_>) -> Result<Appearance, NotationError> {
    let player = player(fields)?;
    let (at, text) = fields.next("a name in quotes")?;
    let quoted = text.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
    let name = quoted.or(Some(text).filter(|name| !name.contains('"')));
    let name = SmolStr::new(name.ok_or(NotationError::new(at, "a name in quotes"))?);
    let side = side(fields)?;
    let (order, order_zeros) = padded(fields, "a place of the order, 0 to 30", 0..=MAX_ORDER)?;
    let (position, position_zeros) = padded(fields, "a position, 1 to 12", 1..=12)?;
    fields.end()?;
    let position = Position::numbered(position).ok_or(NotationError::new(at, "a position, 1 to 12"))?;
    let writing = Writing { unquoted: quoted.is_none(), order_zeros, position_zeros };
    Ok(Appearance { player, name, side, order, position, writing })
}

fn hand(fields: &mut Fields<'_>, make: fn(PlayerId, SmolStr) -> Adjustment) -> Result<Record, NotationError> {
    let player = player(fields)?;
    Ok(Record::Adjust(make(player, SmolStr::new(fields.rest("L or R")?))))
}

fn on_base(fields: &mut Fields<'_>, make: fn(PlayerId, Base) -> Adjustment) -> Result<Record, NotationError> {
    let player = player(fields)?;
    let (at, text) = fields.next("a base")?;
    let base = text.parse().ok().and_then(Base::numbered).filter(|base| *base != Base::Home);
    fields.end()?;
    Ok(Record::Adjust(make(player, base.ok_or(NotationError::new(at, "a base, 1 to 3"))?)))
}

fn player(fields: &mut Fields<'_>) -> Result<PlayerId, NotationError> {
    let (at, id) = fields.next("a player")?;
    let fine = !id.is_empty() && id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"');
    if fine { Ok(PlayerId::new(id)) } else { Err(NotationError::new(at, "a player's id")) }
}

fn side(fields: &mut Fields<'_>) -> Result<Side, NotationError> {
    match fields.next("0 or 1")? {
        (_, "0") => Ok(Side::Visitor),
        (_, "1") => Ok(Side::Home),
        (at, _) => Err(NotationError::new(at, "0 for the visitors or 1 for the home team")),
    }
}

fn number(
    fields: &mut Fields<'_>,
    expected: &'static str,
    range: std::ops::RangeInclusive<u8>,
) -> Result<u8, NotationError> {
    let begin = fields.at.unwrap_or(fields.line.len());
    match padded(fields, expected, range)? {
        (value, 0) => Ok(value),
        // The zeros would be lost when printing.
        _ => Err(NotationError::new(begin, expected)),
    }
}

/// A number and the number of zeros before it.
fn padded(
    fields: &mut Fields<'_>,
    expected: &'static str,
    range: std::ops::RangeInclusive<u8>,
) -> Result<(u8, u8), NotationError> {
    let (at, text) = fields.next(expected)?;
    let digits = text.trim_start_matches('0');
    let digits = if digits.is_empty() { text.get(..1).unwrap_or_default() } else { digits };
    let value: Option<u8> =
        Some(digits).filter(|digits| !digits.starts_with('+')).and_then(|digits| digits.parse().ok());
    let zeros = u8::try_from(text.len() - digits.len()).ok();
    value.filter(|value| range.contains(value)).zip(zeros).ok_or(NotationError::new(at, expected))
}

#[cfg(test)]
mod tests {
    use super::super::print_record;
    use super::*;

    #[test]
    fn lines_of_other_programs_are_read_and_printed_as_written() {
        for line in [
            "start,p1,Ann Lee,0,01,02",
            "sub,p1,,1,00,11",
            "sub,p1,\"Lee, Ann\",1,9,001",
            "play,1,0,p1,,,K",
            "info,wp",
            "info",
            "com",
            "version",
            "version,",
            "line,1,2,3",
            "event",
        ] {
            match parse_record(line) {
                Ok(record) => assert_eq!(print_record(&record), line),
                Err(error) => panic!("{line}: {error}"),
            }
        }
        let Ok(Record::Start(who)) = parse_record("start,p1,Ann Lee,0,01,02") else { panic!("a start") };
        assert_eq!((who.name.as_str(), who.order, who.position), ("Ann Lee", 1, Position::Catcher));
        assert_eq!(
            parse_record("play,1,0,p1,,,K")
                .ok()
                .map(|record| matches!(record, Record::Play(play) if play.count.known().is_none())),
            Some(true)
        );
        assert!(matches!(parse_record("line,1,2,3"), Ok(Record::Other(_))));
    }

    #[test]
    fn what_no_program_writes_is_refused_at_its_position() {
        for (line, at) in [
            ("", 0),
            ("Play,1", 0),
            ("id,HOM202604010", 0),
            ("play,01,0,p1,??,,K", 5),
            ("play,1,0,p1,3,,K", 12),
            ("start,p1,Ann \"A\" Lee,0,1,2", 9),
            ("start,p1,\"a\",0,+1,2", 15),
            ("start,p1,\"a\",0,1,00", 17),
            ("start,p1,\"a\",0,,2", 15),
        ] {
            assert_eq!(parse_record(line).expect_err(line).at, at, "{line}");
        }
    }
}
