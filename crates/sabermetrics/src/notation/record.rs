//! Parses one line of an event file to a [`Record`].

use smol_str::SmolStr;

use super::{NotationError, Pitches, parse_event};
use crate::model::{Adjustment, Appearance, Base, Count, Play, PlayerId, Position, Record, Side};

/// Parses one line, without its line end. The `id` line begins a game and is not a record.
///
/// # Errors
/// The first position that violates the format.
pub fn parse_record(line: &str) -> Result<Record, NotationError> {
    let mut fields = Fields { line, at: Some(0) };
    let (_, kind) = fields.next("a record such as play or info")?;
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
        _ => Err(NotationError::new(
            0,
            "id, version, info, start, sub, play, com, data, badj, padj, ladj, radj or presadj",
        )),
    }
}

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
    if count.len() != 2 || !count.bytes().all(|byte| byte.is_ascii_digit() || byte == b'?') {
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
    let (at, quoted) = fields.next("a name in quotes")?;
    let name = quoted.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
    let name = SmolStr::new(name.ok_or(NotationError::new(at, "a name in quotes"))?);
    let side = side(fields)?;
    let order = number(fields, "a place of the order, 0 to 30", 0..=MAX_ORDER)?;
    let position = number(fields, "a position, 1 to 12", 1..=12)?;
    fields.end()?;
    let position = Position::numbered(position).ok_or(NotationError::new(at, "a position, 1 to 12"))?;
    Ok(Appearance { player, name, side, order, position })
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
    let (at, text) = fields.next(expected)?;
    // A plus sign or leading zeros would be lost when printing.
    let plain = !text.starts_with('+') && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|value| plain && range.contains(value)).ok_or(NotationError::new(at, expected))
}
