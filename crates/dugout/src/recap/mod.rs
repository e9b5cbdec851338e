//! The app's function `recap`: the draft of an article about a final game, with the plays that changed the chance to win most.
//!
//! `POST /functions/v1/recap` with `{"game": "<id>"}` gives `{"title", "summary", "body", "plays": [{"id", "wins"}]}`; it saves
//! nothing. The newsroom of the game's team may ask, which `private.game_to_recap` checks; see
//! `supabase/migrations/20261123070500_newsroom.sql`. The text names only players whose profile is public.

mod draft;
mod facts;

use pg::pool::Query;
use serde::Deserialize;
use serde_json::Value;
use server::functions::native::{Call, Native, NativeError, Reply};
use uuid::Uuid;

use self::facts::Told;

/// The function, for the server.
pub const NATIVE: Native = Native { name: "recap", verify_jwt: true, handler: |call| Box::pin(recap(call)) };

/// The body of a request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    /// The game.
    game: Uuid,
}

async fn recap(call: &Call<'_>) -> Result<Reply, NativeError> {
    if call.method != "POST" {
        let message = "Send a POST request.".to_owned();
        return Err(NativeError { status: 405, code: "METHOD_NOT_ALLOWED".to_owned(), message });
    }
    let request: Request = serde_json::from_slice(call.body)
        .map_err(|error| NativeError::bad_request(format!("The request cannot be read: {error}")))?;
    let row = call.transaction.query_one("select private.game_to_recap($1)", &[&request.game]).await?;
    let told: Value = row.get(0);
    let told: Told = serde_json::from_value(told).map_err(|error| unreadable(&error))?;
    let facts = facts::of(&told).map_err(|error| unreadable(&error))?;
    Ok(Reply::ok(draft::of(&told, &facts)))
}

fn unreadable(error: &dyn std::fmt::Display) -> NativeError {
    tracing::error!(event = "recap_fault", detail = %error);
    NativeError { status: 500, code: "INTERNAL".to_owned(), message: "The game cannot be read.".to_owned() }
}
