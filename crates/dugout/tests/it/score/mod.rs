//! The app's function `score`, through the real binary.

mod conflicts;
mod game;
mod kill;
mod live;
mod recap;

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::kit::{Account, Answer, Calls, Launch, PASSWORD, Process, User};

/// A server, a coach with a team, and a game of nine innings.
pub(super) struct Scoring {
    pub(super) launch: Launch,
    pub(super) dugout: Process,
    pub(super) coach: User,
    pub(super) game: String,
    pub(super) device: Uuid,
}

impl Scoring {
    pub(super) async fn new() -> Self {
        let launch = Launch::prepared(Account::Ours).await.env("DUGOUT_DB_DURABILITY", "full");
        let dugout = launch.start().await;
        let coach = user(&launch, &dugout, "cam@x.test", "coach").await;
        coach.post("/rest/v1/birth_dates", json!({ "user_id": coach.id, "birth_date": "1980-01-01" })).await.is(201);
        let team = coach.post("/rest/v1/rpc/create_team", json!({ "name": "Owls" })).await.is(200).json();
        let game = json!({
            "team_id": team, "opponent": "Gulls", "is_home": true, "played_on": "2027-04-01", "innings": 9,
            "is_public": true,
        });
        let game = coach.post("/rest/v1/rpc/create_game", game).await.is(200).json();
        Scoring { launch, dugout, coach, game: game.as_str().unwrap().to_owned(), device: Uuid::new_v4() }
    }

    /// Calls the function with these members beside game and device.
    pub(super) async fn send(&self, members: Value) -> Answer {
        self.send_as(&self.coach, self.device, members).await
    }

    pub(super) async fn send_as(&self, who: &User, device: Uuid, members: Value) -> Answer {
        let mut body = json!({ "game": self.game, "device": device });
        for (name, value) in members.as_object().unwrap() {
            body[name] = value.clone();
        }
        who.post("/functions/v1/score", body).await
    }

    /// Rows that the coach reads.
    pub(super) async fn rows(&self, path: &str) -> Value {
        self.coach.request(Method::GET, &format!("/rest/v1/{path}")).await.is(200).json()
    }
}

pub(super) async fn user(launch: &Launch, dugout: &Process, email: &str, role: &str) -> User {
    let body = json!({ "email": email, "password": PASSWORD, "data": { "full_name": email, "role": role } });
    let session = dugout.post("/auth/v1/signup", body).await.is(200).json();
    User::of_session(&session, &launch.url(), &launch.status("ANON_KEY"))
}

/// The athlete called `v1` to `v9` or `h1` to `h9`, and further ones.
pub(super) fn athlete(name: &str) -> Uuid {
    let number: u128 = name[1..].parse().unwrap();
    Uuid::from_u128(if name.starts_with('v') { 0x1000 + number } else { 0x2000 + number })
}

/// Nine players on each side, all guests; the ninth pitches. Two more of the home team sit on the bench.
pub(super) fn lineups() -> Value {
    let mut all = Vec::new();
    for (side, letter) in ["v", "h"].iter().enumerate() {
        for order in 1..=9 {
            let name = format!("{letter}{order}");
            let position = if order == 9 { 1 } else { order + 1 };
            all.push(json!({
                "athlete": athlete(&name), "side": side, "jersey": order.to_string(), "order": order,
                "position": position, "name": name,
            }));
        }
    }
    for name in ["h10", "h11"] {
        all.push(json!({ "athlete": athlete(name), "side": 1, "jersey": &name[1..], "name": name }));
    }
    Value::Array(all)
}

/// A play of the visitors or the home team, with an id of its own.
pub(super) fn play(inning: u8, batter: &str, event: &str) -> Value {
    let side = u8::from(batter.starts_with('h'));
    json!({ "id": Uuid::new_v4(), "record": format!("play,{inning},{side},{},??,,{event}", athlete(batter)) })
}
