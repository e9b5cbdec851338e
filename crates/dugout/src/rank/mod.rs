//! The app's function `rank`: computes ratings of teams or players and saves them as a run.
//!
//! `POST /functions/v1/rank` with `{"kind": "teams", "season": 2026}` or `{"kind": "players"}`, by an admin or with the service
//! key; the reply is `{"run": id, "rated": number}`. The database's side is
//! `supabase/migrations/20261123060000_create_ratings.sql`; the methods are `sabermetrics::ratings`.

mod players;
mod teams;

use pg::pool::Query;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use server::functions::native::{Call, Native, NativeError, Reply};
use uuid::Uuid;

/// The function.
pub const NATIVE: Native = Native { name: "rank", verify_jwt: true, handler: |call| Box::pin(rank(call)) };

/// The body of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Request {
    /// Rate the teams of a season.
    Teams { season: i32 },
    /// Rate all public players.
    Players {},
}

/// What a run is saved as: the argument of `private.save_rating` without kind, season and hash.
struct Rated {
    method: String,
    params: Value,
    ratings: Vec<Value>,
}

async fn rank(call: &Call<'_>) -> Result<Reply, NativeError> {
    if call.method != "POST" {
        return Err(refused(405, "METHOD_NOT_ALLOWED", "Send a POST request."));
    }
    let request: Request = serde_json::from_slice(call.body)
        .map_err(|error| NativeError::bad_request(format!("The request cannot be read: {error}")))?;
    let (kind, season) = match request {
        Request::Teams { season } => ("teams", Some(season)),
        Request::Players {} => ("players", None),
    };
    // All players of a large server take longer to read than a request of the data API may.
    call.transaction.execute("set local statement_timeout = '120s'", &[]).await?;
    let row = call.transaction.query_one("select private.begin_rating($1, $2)", &[&kind, &season]).await?;
    let inputs: Value = row.get(0);
    let hash = inputs.get("hash").cloned().unwrap_or_default();
    // Minutes of arithmetic must not hold up other requests.
    let computed = tokio::task::spawn_blocking(move || match request {
        Request::Teams { .. } => teams::rate(&parsed(inputs)?),
        Request::Players {} => Ok(players::rate(&parsed(inputs)?)),
    });
    let Rated { method, params, ratings } = computed.await.map_err(|error| fault(&error))??;
    let rated = ratings.len();
    let run = json!({
        "kind": kind, "season": season, "method": method, "params": params, "hash": hash, "ratings": ratings,
    });
    let row = call.transaction.query_one("select private.save_rating($1)", &[&run]).await?;
    Ok(Reply::ok(json!({ "run": row.get::<_, Uuid>(0), "rated": rated })))
}

fn parsed<Inputs: DeserializeOwned>(inputs: Value) -> Result<Inputs, NativeError> {
    serde_json::from_value(inputs).map_err(|error| fault(&error))
}

fn fault(error: &dyn std::error::Error) -> NativeError {
    tracing::error!(event = "rank_fault", detail = %error);
    refused(500, "INTERNAL", "The ratings could not be computed.")
}

fn refused(status: u16, code: &str, message: &str) -> NativeError {
    NativeError { status, code: code.to_owned(), message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::Request;

    #[test]
    fn a_request_names_the_kind_and_for_teams_the_season() {
        let read = |text: &str| serde_json::from_str::<Request>(text).ok();
        assert_eq!(read(r#"{"kind": "teams", "season": 2026}"#), Some(Request::Teams { season: 2026 }));
        assert_eq!(read(r#"{"kind": "players"}"#), Some(Request::Players {}));
        for bad in [r#"{"kind": "teams"}"#, r#"{"kind": "players", "season": 2026}"#, r#"{"kind": "games"}"#, "[]"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
