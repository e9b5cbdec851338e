//! Checks of a request against the game.

use sabermetrics::model::{Adjustment, Record, Writing};
use sabermetrics::notation::{limits, parse_record, print_record};
use sabermetrics::replay::{self, Replay, first_new};
use sabermetrics::rules;
use smol_str::SmolStr;
use uuid::Uuid;

use super::request::{Entry, Play, Problem, Request};
use super::sheet::Sheet;
use super::stored::{Begun, Status};

/// The play as it is stored: a record of a kind that scorers enter, printed by the engine, without names or other free
/// text, because everybody may read the log of a public game.
pub fn normalized(play: &Play) -> Result<Play, Problem> {
    let Some(text) = &play.record else {
        let lone = play.replaces.is_none() || play.after.is_some();
        return if lone {
            Err(Problem::Unreadable("a removal names the play it removes".to_owned()))
        } else {
            Ok(play.clone())
        };
    };
    if play.replaces.is_some() && play.after.is_some() {
        return Err(Problem::Unreadable("a correction keeps the place of what it replaces".to_owned()));
    }
    let notation = |at, expected: &str| Problem::Notation { play: play.id, at, expected: expected.to_owned() };
    if text.len() > limits::MAX_LINE {
        return Err(notation(limits::MAX_LINE, "a line of at most 4,000 bytes"));
    }
    let record = parse_record(text).map_err(|error| notation(error.at, error.expected))?;
    if let Some((at, expected)) = free_text(&record, text) {
        return Err(notation(at, expected));
    }
    let record = match record {
        Record::Sub(mut who) => {
            // Names live in the lineups, under the policies of the database.
            who.name = SmolStr::default();
            who.writing = Writing::default();
            Record::Sub(who)
        }
        Record::Play(mut play) => {
            play.respell();
            Record::Play(play)
        }
        record @ Record::Adjust(_) => record,
        record if record.ends_half() => Record::end_of_half(),
        _ => return Err(notation(0, "play, sub, badj, padj, ladj, radj, presadj or com,endhalf")),
    };
    Ok(Play { record: Some(print_record(&record)), ..play.clone() })
}

/// Where a record has text that the notation has no meaning for, and what belongs there.
fn free_text(record: &Record, text: &str) -> Option<(usize, &'static str)> {
    let field = |number: usize| text.match_indices(',').nth(number - 1).map_or(0, |(comma, _)| comma + 1);
    match record {
        Record::Adjust(Adjustment::BatterHand(_, hand) | Adjustment::PitcherHand(_, hand)) => {
            (hand != "L" && hand != "R").then(|| (field(2), "L or R"))
        }
        Record::Play(play) if !play.pitches.is_listed() => Some((field(5), "letters of pitches")),
        Record::Play(play) => {
            let word = play.event.unlisted()?;
            let event = field(6);
            let at = text.get(event..).and_then(|text| text.find(word)).map_or(event, |at| event + at);
            Some((at, "a modifier such as G6, SF or GDP, or a remark such as UR or TH"))
        }
        _ => None,
    }
}

/// The status after the request. A final game changes only for a reason.
pub fn status(request: &Request, begun: &Begun, any: bool, added: bool) -> Result<Status, Problem> {
    let now = begun.game.status;
    let ends_otherwise = request.ended.is_some() && request.ended != begun.game.ended;
    let changes = added || request.lineups.is_some() || request.status.is_some_and(|status| status != now);
    if now == Status::Final && (changes || ends_otherwise) && request.reason.is_none() {
        return Err(Problem::Final);
    }
    let status = match request.status {
        Some(Status::Cancelled) => return Err(Problem::Unreadable("a game with plays is not cancelled".to_owned())),
        Some(status) => status,
        None => now,
    };
    Ok(if status == Status::Scheduled && any { Status::Live } else { status })
}

/// Every player of the records is in the lineups, on the right side.
pub fn players(sheet: &Sheet, lineups: &[Entry]) -> Result<(), Problem> {
    for (index, record) in sheet.game.records.iter().enumerate() {
        let (player, side) = match record {
            Record::Play(play) => (&play.batter, Some(play.side)),
            Record::Sub(who) => (&who.player, Some(who.side)),
            Record::Adjust(
                Adjustment::BatterHand(player, _)
                | Adjustment::PitcherHand(player, _)
                | Adjustment::RunnerPlaced(player, _)
                | Adjustment::RunnerCharged(player, _),
            ) => (player, None),
            _ => continue,
        };
        let fits = |entry: &Entry| side.is_none_or(|side| side.index() == usize::from(entry.side));
        let id = Uuid::parse_str(player.as_str()).ok();
        if !lineups.iter().any(|entry| Some(entry.athlete) == id && fits(entry)) {
            return Err(Problem::UnknownPlayer { play: sheet.play(index), player: player.to_string() });
        }
    }
    Ok(())
}

/// A contradiction and its play; none for the lineups.
pub type Contradiction<'r> = (Option<Uuid>, &'r replay::Problem);

/// Refuses the first contradiction that the game did not have before.
pub fn no_new_contradiction(before: &[Contradiction<'_>], after: &[Contradiction<'_>]) -> Result<(), Problem> {
    match first_new(before, after).and_then(|index| after.get(index)) {
        None => Ok(()),
        Some((play, problem)) => Err(Problem::Contradiction {
            play: *play,
            message: problem.to_string(),
            resolution: problem.resolution().to_owned(),
        }),
    }
}

/// A game becomes final when its rules end it, or for a reason that the request names.
pub fn is_over(status: Status, request: &Request, sheet: &Sheet, after: &Replay) -> Result<(), Problem> {
    let ended = sheet.game.info("ended").is_some() || sheet.game.info("forfeit").is_some();
    let decided = || rules::is_decided(&after.state, &sheet.rules(), sheet.game.bats_first());
    if status != Status::Final || ended || request.accept || decided() { Ok(()) } else { Err(Problem::NotOver) }
}
