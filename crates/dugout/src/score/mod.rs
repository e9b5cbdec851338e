//! The app's function `score`: saves plays of a game, and all that is computed from them, in one transaction.
//!
//! `POST /functions/v1/score` with [`request::Request`]; the reply has the game's records with their outcomes, its state
//! and its revision. Pitches of an unfinished plate appearance are shown to watchers, but belong to no play yet. A repeated
//! request is saved once, because the device makes the ids of plays. The database's side is
//! `supabase/migrations/20261123030200_score_games.sql`.

mod checks;
pub mod lines;
pub mod log;
mod outcome;
pub mod request;
pub mod sheet;
pub mod stored;
mod win;

use pg::pool::Query;
use serde_json::{Value, json};
use server::functions::native::{Call, Native, NativeError, Reply};

use self::log::Log;
use self::request::{Problem, Request};
use self::sheet::Sheet;
use self::stored::{Begun, Status};

/// The function.
pub const NATIVE: Native = Native { name: "score", verify_jwt: true, handler: |call| Box::pin(score(call)) };

async fn score(call: &Call<'_>) -> Result<Reply, NativeError> {
    if call.method != "POST" {
        return Err(refused(405, "METHOD_NOT_ALLOWED", "Send a POST request."));
    }
    let request = match Request::parse(call.body) {
        Ok(request) => request,
        Err(problem) => return Ok(problem_reply(&problem)),
    };
    if request.release {
        let sql = "select private.end_scoring($1, $2)";
        call.transaction.query_one(sql, &[&request.game, &request.device]).await?;
        return Ok(Reply::ok(json!({ "released": true })));
    }
    let sql = "select private.begin_scoring($1, $2, $3)";
    let row = call.transaction.query_one(sql, &[&request.game, &request.device, &request.takeover]).await?;
    let begun: Value = row.get(0);
    if let Some(held) = begun.get("held") {
        let message = "Another device scores this game.";
        return Ok(Reply { status: 409, body: json!({ "code": "OTHER_SCORER", "message": message, "held": held }) });
    }
    let begun: Begun = serde_json::from_value(begun).map_err(|error| {
        tracing::error!(event = "score_fault", detail = %error);
        refused(500, "INTERNAL", "The game cannot be read.")
    })?;
    match saved(&request, &begun) {
        Ok(Save::Nothing(reply)) => Ok(Reply::ok(reply)),
        Ok(Save::Turn { turn, reply }) => {
            let sql = "select private.save_turn($1, $2, $3)";
            call.transaction.query_one(sql, &[&request.game, &request.device, &turn]).await?;
            Ok(Reply::ok(reply))
        }
        Ok(Save::Entry { entry, mut reply }) => {
            let sql = "select private.save_scoring($1, $2, $3)";
            let row = call.transaction.query_one(sql, &[&request.game, &request.device, &entry]).await?;
            reply["revision"] = json!(row.get::<_, i64>(0));
            Ok(Reply::ok(reply))
        }
        Err(problem) => Ok(problem_reply(&problem)),
    }
}

/// What a request leads to.
enum Save {
    /// Everything is saved already, nothing was sent, or it is a preview.
    Nothing(Value),
    /// Pitches of an unfinished plate appearance, and no play: the argument of `private.save_turn`.
    Turn { turn: Value, reply: Value },
    /// The argument of `private.save_scoring`, and the reply without its revision.
    Entry { entry: Value, reply: Value },
}

/// Replays the game with what the request adds. Pure.
fn saved(request: &Request, begun: &Begun) -> Result<Save, Problem> {
    let mut log = Log::new(&begun.log)?;
    let lineups = request.lineups.as_ref().unwrap_or(&begun.lineups);
    let old_sheet = Sheet::new(&begun.game, &begun.lineups, &log)?;
    let before = old_sheet.replayed();
    let mut added = Vec::new();
    for play in &request.plays {
        let play = checks::normalized(play)?;
        if log.add(&play)? {
            added.push(play);
        }
    }
    let status = checks::status(request, begun, !log.is_empty() || request.throws(), !added.is_empty())?;
    let game = Status::applied(&begun.game, status, request.ended);
    let sheet = Sheet::new(&game, lineups, &log)?;
    let after = sheet.replayed();
    checks::players(&sheet, lineups)?;
    let contradictions = sheet.contradictions(&after);
    if !request.accept && !request.preview {
        checks::no_new_contradiction(&old_sheet.placed(&before), &sheet.placed(&after))?;
    }
    if !request.preview {
        checks::is_over(status, request, &sheet, &after)?;
    }
    let is_final = status == Status::Final;
    let mut state = sheet.state(&after, status, game.ended);
    let turn = request.turn.as_ref().filter(|_| status == Status::Live).and_then(|turn| sheet.turn(turn));
    for (column, value) in turn.iter().filter_map(Value::as_object).flatten() {
        state[column] = value.clone();
    }
    let current = sheet.current(&after);
    let same_end = (game.status, game.ended) == (begun.game.status, begun.game.ended);
    let nothing_new = added.is_empty() && request.lineups.is_none() && same_end;
    let reply = json!({
        "revision": begun.game.revision, "saved": request.plays.iter().map(|play| play.id).collect::<Vec<_>>(),
        "state": state, "records": sheet.records(&after), "lineups": lineups, "contradictions": contradictions,
    });
    if nothing_new || request.preview {
        let row = json!({ "pitches": begun.game.pitches, "balls": begun.game.balls, "strikes": begun.game.strikes });
        return Ok(match turn.filter(|turn| *turn != row && !request.preview) {
            Some(turn) => Save::Turn { turn, reply },
            None => Save::Nothing(reply),
        });
    }
    let lines = lines::lines(&sheet, &after, is_final);
    let entry = json!({
        "lineups": request.lineups, "plays": added, "current": current, "lines": lines, "state": state,
        "reason": request.reason,
    });
    Ok(Save::Entry { entry, reply })
}

fn problem_reply(problem: &Problem) -> Reply {
    Reply { status: problem.status(), body: problem.body() }
}

fn refused(status: u16, code: &str, message: &str) -> NativeError {
    NativeError { status, code: code.to_owned(), message: message.to_owned() }
}
