//! A user with an account.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Answer, Calls, Request};

/// The password of all users in the tests.
pub const PASSWORD: &str = "correct horse battery";

/// A signed-in user; requests carry their token.
pub struct User {
    pub id: String,
    pub access_token: String,
    pub refresh_token: String,
    pub(super) url: String,
    pub(super) anon_key: String,
}

impl User {
    /// From the response to a sign-up, a sign-in or a refresh.
    pub fn of_session(session: &Value, url: &str, anon_key: &str) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("no session: {session}")).to_owned();
        User {
            id: text(&session["user"]["id"]),
            access_token: text(&session["access_token"]),
            refresh_token: text(&session["refresh_token"]),
            url: url.to_owned(),
            anon_key: anon_key.to_owned(),
        }
    }

    /// Refreshes the session; on success this user has the new tokens.
    pub async fn refresh(&mut self) -> Answer {
        let body = json!({ "refresh_token": self.refresh_token });
        let answer = self.post("/auth/v1/token?grant_type=refresh_token", body).await;
        if answer.status == 200 {
            *self = Self::of_session(&answer.json(), &self.url, &self.anon_key);
        }
        answer
    }
}

impl Calls for User {
    fn request(&self, method: Method, path: &str) -> Request {
        Request::new(method, &format!("{}{path}", self.url)).header("apikey", &self.anon_key).bearer(&self.access_token)
    }
}
